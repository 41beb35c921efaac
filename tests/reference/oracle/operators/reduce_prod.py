"""REDUCE_PROD: LiteRT has it, TFLite Micro has not."""

from __future__ import annotations

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


ENTRIES = [
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


def refused() -> Refused:
    def graph() -> presil.Network:
        b = presil.Builder("product")
        b.output(b.reduce_prod(b.input("x", (1, 4), "int8", 1.0), axes=(1,), out=(1.0, 0)))
        return b.build()

    yield graph, "the operator takes float32 alone"
