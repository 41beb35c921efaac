#!/usr/bin/env python3
"""Two kernels for one operator, written down and in vectors, on the simulated SoC: values and
cycles. The image that resizes is `resize_1x2.elf` beside this file; build.py makes it:

    cd driver/kernels/dsp && ./build.py example/resize_1x2.c -o example/resize_1x2.elf
    PYTHONPATH=sim/python driver/kernels/dsp/example/example.py
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import presil

HERE = Path(__file__).resolve().parent
WIDER = "y.shape == x.shape[:2] + [2 * x.shape[2], x.shape[3]]"

BESIDES = ("wait", "fetch", "start")
"""Causes of a command's cycles that are not its kernel's."""


def network(height: int = 40, width: int = 60, channels: int = 32) -> presil.Network:
    b = presil.Builder("wider")
    x = b.input("x", (1, height, width, channels), scale=0.5)
    b.output(b.resize_nearest(x, (height, 2 * width), name="wider"))
    return b.build()


def cycles(elf: Path, kernel: str) -> tuple[presil.Run, int]:
    """A run by the kernel, and what its commands took."""
    net = network()
    wider = presil.Kernel(
        elf, kernel, op="resize_nearest", when=WIDER, rows=1, prefer=True, cycles="20 * y.elements"
    )
    random = np.random.default_rng(0)
    x = random.integers(-128, 128, net.inputs[0]["shape"]).astype(np.int8)
    run = presil.run(presil.compile(net, kernels=[wider]), [x], check="layers")
    calls = [c["causes"] for c in run.commands if c["queue"] == "dsp"]
    own = (n for causes in calls for cause, n in causes.items() if not cause.startswith(BESIDES))
    return run, sum(own)


def main() -> int:
    elf = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "resize_1x2.elf"
    values = 40 * 2 * 60 * 32
    for kernel in ("resize_1x2_naive", "resize_1x2"):
        run, took = cycles(elf, kernel)
        exact = "exact" if run.exact else "WRONG"
        print(f"{kernel:17} {took:>9} cycles, {took / values:6.3f} per value, {exact}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
