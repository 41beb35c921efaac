"""Cycles of a network that no plan goes below: what its MACs take, or its bytes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import presil

CONSTANT = 500  # cycles that even an empty layer takes: job, doorbell, first bytes


def bound(run: Any, net: presil.Network, file: Path) -> float:
    soc = run.record["soc"]["config"]
    # A resize is none of the network's products, though the DLA computes it as some.
    macs = sum(one["macs"] for one in run.layers if "resize_bilinear" not in one["op"])
    peak = soc["dram.peak_mb_per_s"] / soc["clock_mhz"]
    moved = file.stat().st_size
    for t in [*net.inputs, *net.outputs]:
        moved += int(np.prod(t["shape"])) * np.dtype(t["dtype"]).itemsize
    computed = macs / (soc["dla.macs_k"] * soc["dla.macs_c"])
    return float(max(computed, CONSTANT + moved / peak))
