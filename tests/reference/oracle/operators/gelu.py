"""GELU of int16: LiteRT has it, TFLite Micro has not."""

from __future__ import annotations

import numpy as np
import presil

from ..entry import ByHand, Cases, Refused, of
from ..model import Model


def gelu(m: Model) -> None:
    shape = m.shape(m.number(1, 4), 12)
    m.op("GELU", [m.input(shape)], m.result(shape), "Gelu", approximate=m.chance(0.5))


ENTRIES = [of("GELU", gelu, "i16", ("xnnpack",))]


def by_hand() -> Cases:
    """Far from 0 the function is 0 on the left and x on the right. In steps of y the points lie at
    65536 / 65535 * x: at 128 i + 1/2 for x = 128 i, halves away from zero. The last one, 32767.5,
    saturates, so that the last piece rises by 127: 32640 + floor((127 * 127 + 64) / 128)."""
    for numerics in ("tflite", "xnnpack"):
        for approximate in (False, True):
            b = presil.Builder("far", numerics)
            x = b.input("x", (1, 5), "int16", 2**-8)
            b.output(b.gelu(x, approximate=approximate, out=(2**-8, 0), name="y"))
            given = np.array([[-32768, -20001, 16385, 20001, 32767]], np.int16)
            yield ByHand(b, [given], {"y": [[0, 0, 16385, 20001, 32766]]})


def refused() -> Refused:
    def graph(x_scale: float, y_scale: float, y_zero: int) -> presil.Network:
        b = presil.Builder("far")
        b.output(b.gelu(b.input("x", (1, 4), "int16", x_scale), out=(y_scale, y_zero)))
        return b.build()

    yield lambda: graph(0.5, 0.5, 3), "int16 must have zero point 0"
    yield lambda: graph(2.0**65, 0.5, 0), ", its scale must be at most 2^64"
    yield lambda: graph(0.5, 2.0**-33, 0), ", its scale must be at least 2^-32"
