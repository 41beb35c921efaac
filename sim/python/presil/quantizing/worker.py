"""The process of a quantiser: a float file to an integer one, and the noise of each layer.

It runs in an environment with the quantiser and imports nothing of presil:
`python worker.py ORDER.json ANSWER.json`. The code is 3 where the quantiser does not take the
network, 4 where a package is absent; the last line says why.
"""

from __future__ import annotations

import fnmatch
import json
import math
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

Order = dict[str, Any]
"""float, out: files; samples: .npy, [n, ...] float32; activations: 8 or 16; per_channel; keep:
patterns of names; range: min-max, percentile, entropy; percentile; sensitivity: none, weights, all;
looked_at: samples of the noise."""


class NotTaken(Exception):
    """What the quantiser does not take, in a sentence."""


class Noise:
    """Signal and noise of tensors, summed over samples."""

    def __init__(self) -> None:
        self.sums: dict[str, list[float]] = {}

    def add(self, name: str, value: np.ndarray, got: np.ndarray) -> None:
        exact = np.asarray(value, np.float64)
        if exact.shape != got.shape or not np.isfinite(exact).all():
            return
        sums = self.sums.setdefault(name, [0.0, 0.0])
        sums[0] += float((exact**2).sum())
        sums[1] += float(((exact - got) ** 2).sum())

    def decibels(self, name: str) -> float | None:
        return decibels(*self.sums[name]) if name in self.sums else None


def decibels(signal: float, noise: float) -> float | None:
    """10 log10 of their ratio; None where there is no signal, 200 where there is no noise."""
    if signal <= 0:
        return None
    return 200.0 if noise <= 0 else round(10 * math.log10(signal / noise), 3)


def chosen(patterns: Iterable[str], names: Iterable[str]) -> set[str]:
    """Names that patterns (with * and ?) match, each of which must match one."""
    every, found = list(names), set()
    for pattern in patterns:
        hits = {n for n in every if n == pattern or fnmatch.fnmatchcase(n, pattern)}
        if not hits:
            some = ", ".join(f"'{n}'" for n in every[:5])
            raise NotTaken(f"--keep '{pattern}' is no layer of the network; it has {some}, ...")
        found |= hits
    return found


def main(order_file: str, answer_file: str) -> int:
    order: Order = json.loads(Path(order_file).read_text(encoding="utf-8"))
    try:
        if Path(order["float"]).suffix == ".onnx":
            from worker_onnx import quantised
        else:
            from worker_tflite import quantised
        answer = quantised(order, np.load(order["samples"]))
    except ImportError as error:
        print(error)
        return 4
    except NotTaken as error:
        print(error)
        return 3
    except Exception as error:  # noqa: BLE001  of the library, whatever it is
        print(f"{type(error).__name__}: {' '.join(str(error).split()) or 'without a word'}")
        return 3
    Path(answer_file).write_text(json.dumps(answer), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.modules["worker"] = sys.modules["__main__"]  # what the others raise is what is caught
    sys.exit(main(*sys.argv[1:]))
