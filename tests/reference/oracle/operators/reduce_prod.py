"""REDUCE_PROD: LiteRT has it, TFLite Micro has not."""

from __future__ import annotations

import math

import numpy as np
import presil

from .. import elementwise
from ..entry import ByHand, Cases, Refused, of
from ..model import Model


def product(m: Model) -> None:
    """Floats around 1, so that no product leaves float32."""
    shape, out, axes, keep = elementwise.reduction(m)
    x = m.operands([shape])[0]
    if m.kind == "Float32":
        near = m.rng.normal(1, 0.3, shape) * m.rng.choice([-1, 1], shape)
        m.given[x] = near.astype(np.float32)
    m.op("REDUCE_PROD", [x, m.integers(*axes)], m.like(x, out), "Reducer", keep_dims=keep)


def scaled(m: Model) -> None:
    """Of few factors; y's scale holds most products."""
    shape, out, axes, keep = elementwise.reduction(m)
    while math.prod(shape) > 12 * math.prod(out):
        shape, out, axes, keep = elementwise.reduction(m)
    x = m.input(shape)
    count = math.prod(shape) // math.prod(out)
    steps = 73 if m.kind == "Int8" else 2**14
    y_scale = (m.scale_of(x) * steps * m.between(2**-2, 1)) ** count / steps
    y = m.result(out, min(max(y_scale, 1e-30), 1e30))
    m.op("REDUCE_PROD", [x, m.integers(*axes)], y, "Reducer", keep_dims=keep)


ENTRIES = [
    of("REDUCE_PROD", scaled, "i8 i16", ("xnnpack",)),
    of("REDUCE_PROD", product, "i32", ("xnnpack",)),
    of("REDUCE_PROD", product, "f32", ("xnnpack",), near=3e-6),
]


def by_hand() -> Cases:
    """Over both axes, and over rows: int32 wraps, 3 * 2^30 = 3221225472 - 2^32."""
    for dtype, last, product_of_row in (("int32", 1 << 30, -1073741824), ("float32", 0.5, 1.5)):
        b = presil.Builder("product")
        x = b.input("x", (2, 2), dtype)
        b.output(b.reduce_prod(x, axes=(1,), name="rows"))
        b.output(b.reduce_prod(x, axes=(0, 1), keep_dims=True, name="all"))
        given = np.array([[3, last], [-1, 0]], dtype)
        yield ByHand(b, [given], {"rows": [product_of_row, 0], "all": [[0]]})
    # Steps of 1/2 and 1/4, so the ratio is 1: 3 * 5, -4 * 6 with z_x = 1, and z_y = 2; saturated.
    b = presil.Builder("bytes")
    x = b.input("x", (3, 2), "int8", 0.5, 1)
    b.output(b.reduce_prod(x, axes=(1,), out=(0.25, 2), name="y"))
    yield ByHand(b, [np.array([[4, 6], [-3, 7], [127, 127]], np.int8)], {"y": [17, -22, 127]})
    # One factor stays as it is stored, whatever its scale.
    b = presil.Builder("one")
    x = b.input("x", (2, 1), "int8", 0.5, 1)
    b.output(b.reduce_prod(x, axes=(1,), out=(0.25, 2), name="y"))
    yield ByHand(b, [np.array([[4], [-3]], np.int8)], {"y": [4, -3]})


def refused() -> Refused:
    def graph() -> presil.Network:
        b = presil.Builder("product")
        x = b.input("x", (1, 4), "int8", 1.0)
        b.output(b.reduce_prod(x, axes=(1,), out=(2.0**-30, 0)))
        return b.build()

    yield graph, "of the root of y's for 4 factors, must be less than 127"
