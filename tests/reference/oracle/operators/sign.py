"""SIGN: LiteRT has it, TFLite Micro has not."""

from __future__ import annotations

from functools import partial

import numpy as np
import presil

from .. import elementwise
from ..entry import ByHand, Cases, Refused, of

ENTRIES = [of("SIGN", partial(elementwise.function, code="SIGN"), "f32", ("xnnpack",))]


def by_hand() -> Cases:
    for numerics in ("tflite", "xnnpack"):
        b = presil.Builder("signs", numerics)
        x = b.input("x", (1, 6), "float32")
        b.output(b.sign(x, name="y"))
        given = np.array([[-np.inf, -1e-45, -0.0, 0.0, 1e-45, 3.5]], np.float32)
        yield ByHand(b, [given], {"y": [[-1, -1, -0.0, 0, 1, 1]]})


def refused() -> Refused:
    def graph() -> presil.Network:
        b = presil.Builder("signs")
        b.output(b.sign(b.input("x", (1, 4), "int8", 1.0), out=(1.0, 0)))
        return b.build()

    yield graph, "the operator takes float32 alone"
