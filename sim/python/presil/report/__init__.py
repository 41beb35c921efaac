"""Views of recorded runs; each is made from run.json and nothing else of the run."""

from __future__ import annotations

from .diff import compare_runs, print_diff
from .html import write_report
from .kernels import kernels_to_show, print_kernels
from .recorded import open_run
from .trace import write_trace

__all__ = [
    "compare_runs",
    "kernels_to_show",
    "open_run",
    "print_diff",
    "print_kernels",
    "write_report",
    "write_trace",
]
