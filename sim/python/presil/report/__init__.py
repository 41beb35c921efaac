"""Views of recorded runs; each is made from run.json and nothing else of the run."""

from __future__ import annotations

from .diff import compare_runs, print_diff
from .html import write_report
from .recorded import open_run
from .trace import write_trace

__all__ = ["compare_runs", "open_run", "print_diff", "write_report", "write_trace"]
