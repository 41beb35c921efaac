"""CUMSUM: TFLite Micro has int8 and float32, LiteRT float32, int32 and int64."""

from __future__ import annotations

import tempfile

import numpy as np
import presil

from ..entry import ByHand, Cases, Refused, of
from ..model import Model


def cumsum(m: Model) -> None:
    shape = m.shape(m.number(1, 4), 12)
    axis = m.number(0, len(shape) - 1)
    if m.kind == "Int8":
        x = m.input(shape)
        y = m.result(shape, m.scale_of(x) * m.between(2**-1, 2**4))
    else:
        kind = m.pick(["Int32", "Int64"]) if m.kind == "Int32" else m.kind
        x = m.plain_input(shape, kind)
        y = m.tensor(shape, kind)
    named = m.constant(np.array(axis - len(shape) if m.chance(0.3) else axis, np.int32))
    m.op("CUMSUM", [x, named], y, "Cumsum", exclusive=m.chance(0.5), reverse=m.chance(0.5))


ENTRIES = [
    of("CUMSUM", cumsum, "i8", ("tflite",)),
    of("CUMSUM", cumsum, "f32"),
    of("CUMSUM", cumsum, "i32", ("xnnpack",)),
]


def by_hand() -> Cases:
    b = presil.Builder("sums")
    x = b.input("x", (2, 3), "int32")
    b.output(
        b.cumsum(x, axis=1, name="along"),
        b.cumsum(x, axis=0, name="across"),
        b.cumsum(x, axis=1, exclusive=True, name="before"),
        b.cumsum(x, axis=1, reverse=True, name="back"),
        b.cumsum(x, axis=1, exclusive=True, reverse=True, name="after"),
    )
    values = np.array([[1, 2, 3], [2**31 - 1, 1, -5]], np.int32)
    yield ByHand(b, [values], {
        "along": [[1, 3, 6], [2**31 - 1, -(2**31), 2**31 - 5]],
        "across": [[1, 2, 3], [-(2**31), 3, -2]],
        "before": [[0, 1, 3], [0, 2**31 - 1, -(2**31)]],
        "back": [[6, 5, 3], [2**31 - 5, -4, -5]],
        "after": [[5, 3, 0], [-4, -5, 0]],
    })  # fmt: skip
    b = presil.Builder("bytes")
    x = b.input("x", (1, 4), "int8", 0.5, 3)
    b.output(b.cumsum(x, axis=1, out=(1.0, -1), name="y"))
    # Steps of 0.5, in the kernel's own way from -3 on: -3 + 7 = 4, 4 + 1 = 5, 5 - 13 = -8, 244;
    # halves, ties away from zero, less 1: 2, 2.5 to 3, -4, 122 saturates nothing.
    yield ByHand(b, [np.array([[10, 4, -10, 127]], np.int8)], {"y": [[1, 2, -5, 57]]})


def refused() -> Refused:
    def bytes_under_xnnpack() -> presil.Network:
        b = presil.Builder("bytes", "xnnpack")
        b.output(b.cumsum(b.input("x", (1, 4), "int8", 0.5), axis=1))
        return b.build()

    def two_axes() -> None:
        m = Model(np.random.default_rng(1), "Float32")
        inputs = [m.plain_input([2, 3], "Float32"), m.integers(0, 1)]
        y = m.tensor([2, 3], "Float32")
        m.op("CUMSUM", inputs, y, "Cumsum", exclusive=False, reverse=False)
        with tempfile.NamedTemporaryFile(suffix=".tflite") as file:
            file.write(m.file())
            file.flush()
            presil.load(file.name)

    yield two_axes, "axis holds 2 numbers, must hold 1"
    yield bytes_under_xnnpack, "which the operator takes under tflite numerics only"
