"""LOG_SOFTMAX of int8: fixed point in TFLite Micro, float32 in LiteRT."""

from __future__ import annotations

import numpy as np
import presil

from ..entry import ByHand, Cases, Refused, of
from ..model import Model


def log_softmax(m: Model) -> None:
    shape = m.shape(m.number(1, 3), 5) + [m.number(1, m.pick([12, 400, 4000]))]
    x = m.input(shape, m.between(2**-12, 2**3))
    unsigned = m.kind == "Uint8"
    m.op("LOG_SOFTMAX", [x], m.tensor(shape, "", 1 / 16, 255 if unsigned else 127))


ENTRIES = [of("LOG_SOFTMAX", log_softmax, "i8 u8")]


def by_hand() -> Cases:
    for numerics in ("tflite", "xnnpack"):
        b = presil.Builder("probabilities", numerics)
        x = b.input("x", (3, 2), "int8", 0.5)
        b.output(b.log_softmax(x, out=(1 / 16, 127), name="y"))
        # Of equal ones ln 1/2 = -11.09 / 16; of 1 and 0 -0.3133 = -5.01 / 16 and
        # -1.3133 = -21.01 / 16; of what is far below its distance, until it saturates.
        given = np.array([[7, 7], [2, 0], [100, -100]], np.int8)
        yield ByHand(b, [given], {"y": [[116, 116], [122, 106], [127, -128]]})


def refused() -> Refused:
    def graph(x_scale: float, y_scale: float, length: int) -> presil.Network:
        b = presil.Builder("probabilities")
        x = b.input("x", (1, length), "int8", x_scale)
        b.output(b.log_softmax(x, out=(y_scale, 127)))
        return b.build()

    yield lambda: graph(0.5, 1 / 8, 4), "must be q(1/16, 127)"
    yield lambda: graph(2**-27, 1 / 16, 4), "its scale must be at least 2^-26"
    yield lambda: presil.compile(graph(0.5, 1 / 16, 4096), "edge"), "values in a row of int8"
