"""A softmax of int8 as converters to TOSA write it out: 41 operators on stored integers.

`written(..)` adds them to a TosaFile. `exponentials(slope)`, exp(-slope * d) of the distances d to
the largest value of a row, stand in four tables, a byte of each exponential in one.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from tosa_file import TosaFile

ONE = (1 << 31) - 1
MINUS_32_17, PLUS_48_17 = -1010580540, 1515870810
"""Of 29 bits: the first guess of a reciprocal, 48/17 - 32/17 * n."""


def high(a: int, b: int) -> int:
    """A product of two fractions of 31 bits."""
    return (a * b + (1 << 30)) >> 31


def rounded(value: int, places: int) -> int:
    """Halves away from 0."""
    half = (1 << places) >> 1
    return (value + half) >> places if value >= 0 else -((-value + half) >> places)


def exponential(x: int) -> int:
    """exp(x) in 31 bits of x <= 0 with 26 bits of fraction, as gemmlowp computes it.

    exp(r) for r in -1/4 .. 0 as a polynomial around -1/8, times exp(-2^k) for each power of two
    from 1/4 on that is left.
    """
    if x == 0:
        return ONE
    quarter = 1 << 24
    r = (x & (quarter - 1)) - quarter
    t = (r << 5) + (1 << 28)
    t2 = high(t, t)
    third = high(rounded(high(t2, t2), 2) + high(t2, t), round(2**31 / 3))
    centre = round(math.exp(-1 / 8) * 2**31)
    value = centre + high(centre, t + rounded(third + t2, 1))
    for k in range(-2, 5):
        if (r - x) >> (26 + k) & 1:
            value = high(value, round(math.exp(-(2.0**k)) * 2**31))
    return value


def exponentials(slope: float) -> list[int]:
    """Of the distances 0..255; 0 from the distance on that is more than 31."""
    fraction, exponent = math.frexp(min(slope * 2**26, 2**31 - 1))
    multiplier = math.floor(fraction * 2**31 + 0.5)
    if multiplier == 1 << 31:
        multiplier, exponent = 1 << 30, exponent + 1
    most = (31 << 26) >> exponent
    return [exponential(high(-d << exponent, multiplier)) if d <= most else 0 for d in range(256)]


def table(entries: list[int], byte: int) -> np.ndarray:
    """Distance d, times 128 below 0, is point 256 - d of 513."""
    points = [0] * 513
    for d, entry in enumerate(entries):
        points[256 - d] = entry >> (8 * byte) & 255
    return np.asarray(points)


class Writer:
    def __init__(self, net: TosaFile, shape: list[int]) -> None:
        self.net, self.shape = net, shape
        self.rows = [*shape[:-1], 1]

    def number(self, value: int) -> str:
        return self.net.constant(np.full([1] * len(self.shape), value), "INT32")

    def zero(self, value: int, dtype: str) -> str:
        return self.net.constant([value], dtype)

    def rescale(self, x: str, more: int, types: tuple[str, str], zeros: tuple[int, int]) -> str:
        """Values times 2^more of another type."""
        inputs = [
            x, self.net.constant([1 << 30], "INT32"), self.net.constant([30 - more], "INT8"),
            self.zero(zeros[0], types[0]), self.zero(zeros[1], types[1]),
        ]  # fmt: skip
        attributes = {"scale32": True, "rounding_mode": "SINGLE_ROUND"}
        return self.net.made("RESCALE", inputs, self.shape, types[1], **attributes)

    def whole(self, op: str, *inputs: str, **attributes: Any) -> str:
        return self.net.made(op, list(inputs), self.shape, "INT32", **attributes)

    def of_rows(self, op: str, *inputs: str, **attributes: Any) -> str:
        return self.net.made(op, list(inputs), self.rows, "INT32", **attributes)

    def product(self, a: str, b: str, shift: int) -> str:
        return self.of_rows("MUL", a, b, self.zero(shift, "INT8"))

    def reciprocal(self, n: str) -> str:
        r = self.product(n, self.number(MINUS_32_17), 31)
        r = self.of_rows("ADD", r, self.number(PLUS_48_17))
        for _ in range(3):
            error = self.of_rows("SUB", self.number(1 << 29), self.product(r, n, 31))
            change = self.product(self.product(r, error, 31), self.number(4), 0)
            r = self.of_rows("ADD", r, change)
        return r


def written(net: TosaFile, x: str, shape: list[int], zero: int, entries: list[int]) -> str:
    """The softmax of x along its last axis. @param entries  exponentials(slope), or others"""
    w, axis = Writer(net, shape), len(shape) - 1
    wide = w.rescale(x, 0, ("INT8", "INT32"), (zero, 0))
    most = w.of_rows("REDUCE_MAX", wide, axis=axis, nan_mode="PROPAGATE")
    less = w.rescale(w.whole("SUB", wide, most), 7, ("INT32", "INT16"), (0, 0))
    found = [
        w.whole("TABLE", less, net.constant(table(entries, byte), "INT16")) for byte in range(4)
    ]
    parts = [
        w.whole("LOGICAL_LEFT_SHIFT", found[byte], w.number(8 * byte - 7)) for byte in (3, 2, 1)
    ]
    parts.append(w.whole("ARITHMETIC_RIGHT_SHIFT", found[0], w.number(7), round=True))
    e = parts[0]
    for part in parts[1:]:
        e = w.whole("ADD", e, part)
    coarse = w.whole("ARITHMETIC_RIGHT_SHIFT", e, w.number(12), round=True)
    total = w.of_rows("REDUCE_SUM", coarse, axis=axis)
    zeros = w.of_rows("CLZ", total)
    by = w.of_rows("SUB", zeros, w.number(1))
    r = w.reciprocal(w.of_rows("LOGICAL_LEFT_SHIFT", total, by))
    share = w.whole("MUL", e, r, w.zero(30, "INT8"))
    last = w.of_rows("SUB", w.number(35), zeros)
    y = w.whole("ARITHMETIC_RIGHT_SHIFT", share, last, round=True)
    return w.rescale(y, 0, ("INT32", "INT8"), (0, -128))
