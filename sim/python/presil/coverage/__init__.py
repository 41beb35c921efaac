"""Functional coverage: bins stated beside the contracts, and what runs and tests have shown."""

from .bins import Bin, bins_of, engines_with_bins
from .collect import coverage_of, hits_of_run
from .gaps import Gap, gaps, percent
from .hits import Hits, merged_hits, read_hits

__all__ = [
    "Bin",
    "Gap",
    "Hits",
    "bins_of",
    "coverage_of",
    "engines_with_bins",
    "gaps",
    "hits_of_run",
    "merged_hits",
    "percent",
    "read_hits",
]
