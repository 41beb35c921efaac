#!/usr/bin/env python3
"""What `presil tune` finds on `micro`: layers, some of them tried exhaustively, and networks; the
table of sim/guides/tune.md. Needs the Python package optuna.

PYTHONPATH=sim/python PYTHON tests/bench/tune.py [TRIALS]
"""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import Any

import numpy as np
import presil
from presil.tune_space import space_of

LAYERS = (
    (56, 16, 32, 3, 1),
    (56, 32, 64, 1, 1),
    (28, 32, 64, 3, 1),
    (28, 64, 64, 3, 2),
    (28, 96, 24, 1, 1),
    (14, 96, 96, 3, 1),
    (14, 256, 128, 1, 1),
    (112, 3, 16, 3, 2),
)
"""Rows and columns, channels in, channels out, kernel, stride."""
SMALL = ((6, 32, 16, 1, 1), (6, 16, 32, 3, 1), (5, 48, 16, 3, 1), (7, 16, 16, 5, 1))
"""Likewise; all that there is to decide is tried."""
MOST = 20_000
"""Combinations that are tried at most where all are."""
NETWORKS = ("mlperf-tiny-resnet8/pretrainedResnet_quant.tflite",)
NETWORKS += ("mlperf-tiny-dscnn-kws/kws_ref_model.tflite", "digits")


def layer(size: int, channels: int, out: int, kernel: int, stride: int) -> presil.Network:
    rng = np.random.default_rng(0)
    name = f"{size} x {size} x {channels} to {out}, {kernel} x {kernel}"
    b = presil.Builder(name + (f", stride {stride}" if stride > 1 else ""))
    x = b.input("x", (1, size, size, channels), scale=0.05)
    taps = rng.integers(-127, 128, (out, kernel, kernel, channels), np.int8)
    how: dict[str, Any] = {"stride": stride, "padding": "same", "out": (0.1, 0)}
    b.output(b.conv2d(x, taps, np.zeros(out, np.int32), weights_scale=0.01, **how))
    return b.build()


def row(net: Any, trials: int) -> float:
    """Prints a line; the part of the cycles that is left."""
    tuned = presil.tune(net, "micro", trials)
    tried = "all" if tuned.exhaustive else "some"
    print(
        f"| {tuned.network} | {tuned.default:,} | {tuned.cycles:,} | {tuned.gain:.1%} | {tried} | "
        f"{tuned.trials:,} | {tuned.wall_s:.0f} s |",
        flush=True,
    )
    return tuned.cycles / tuned.default


def main() -> int:
    trials = int(sys.argv[1]) if len(sys.argv) > 1 else 160
    print("| network, `micro` | cycles | tuned | less | tried | trials | wall |")
    print("|---|---|---|---|---|---|---|", flush=True)
    left = []
    for about in SMALL:
        net = layer(*about)
        decided = presil.compile(net, "micro").decisions
        assert decided is not None
        size = space_of(decided, list(decided["tilings"])).size
        left.append(row(net, min(MOST, size)))
    left += [row(layer(*about), trials) for about in LAYERS]
    mean = math.exp(sum(map(math.log, left)) / len(left))
    print(f"| geometric mean of the layers | | | {1 - mean:.1%} | | | |", flush=True)
    for name in NETWORKS:
        file = presil.paths.shared() / "models" / name
        if file.is_file() or not Path(name).suffix:
            row(file if file.is_file() else name, trials)
    return 0


if __name__ == "__main__":
    sys.exit(main())
