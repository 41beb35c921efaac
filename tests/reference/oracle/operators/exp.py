"""EXP of int16: LiteRT has it, TFLite Micro has not."""

from __future__ import annotations

import numpy as np
import presil

from ..entry import ByHand, Cases, Refused, of
from ..model import Model


def exp(m: Model) -> None:
    shape = m.shape(m.number(1, 4), 12)
    x = m.input(shape, m.between(2**-16, 2**-9))
    m.op("EXP", [x], m.result(shape))


ENTRIES = [of("EXP", exp, "i16", ("xnnpack",))]


def by_hand() -> Cases:
    """In steps of 2^-8: far below 0 the function is 0, at 0 it is 1, 256 steps, from 4.9 on more
    than 32767 steps."""
    for numerics in ("tflite", "xnnpack"):
        b = presil.Builder("ends", numerics)
        x = b.input("x", (1, 3), "int16", 2**-9)
        b.output(b.exp(x, out=(2**-8, 0), name="y"))
        given = np.array([[-32768, -20001, 4096]], np.int16)
        yield ByHand(b, [given], {"y": [[0, 0, 32767]]})
        b = presil.Builder("one", numerics)
        x = b.input("x", (1, 1), "int16", 2**-20)
        b.output(b.exp(x, out=(2**-8, 0), name="y"))
        yield ByHand(b, [np.zeros((1, 1), np.int16)], {"y": [[256]]})


def refused() -> Refused:
    def graph(x_scale: float, y_scale: float, y_zero: int) -> presil.Network:
        b = presil.Builder("far")
        b.output(b.exp(b.input("x", (1, 4), "int16", x_scale), out=(y_scale, y_zero)))
        return b.build()

    yield lambda: graph(2.0**-10, 0.5, 3), "int16 must have zero point 0"
    yield lambda: graph(2.0**-8, 0.5, 0), ", its scale must be at most 2^-9"
    yield lambda: graph(2.0**-10, 2.0**-33, 0), ", its scale must be at least 2^-32"
