"""REVERSE_SEQUENCE: LiteRT has it, of all but int8; TFLite Micro has not."""

from __future__ import annotations

import numpy as np
import presil

from ..entry import ByHand, Cases, Refused, of
from ..model import Model


def reverse_sequence(m: Model) -> None:
    rank = m.number(2, 4)
    shape = m.shape(rank)
    axis, batch = (int(i) for i in m.rng.permutation(rank)[:2])
    x = m.moved(shape)
    values = m.rng.integers(0, shape[axis] + 1, shape[batch])
    kind = m.pick(["Int32", "Int64"])
    lengths = values.astype(np.int32 if kind == "Int32" else np.int64)
    given = m.constant(lengths) if m.chance(0.5) else m.plain_input([shape[batch]], kind, lengths)
    m.op(
        "REVERSE_SEQUENCE", [x, given], m.like(x, shape), "ReverseSequence",
        seq_dim=axis, batch_dim=batch,
    )  # fmt: skip


ENTRIES = [of("REVERSE_SEQUENCE", reverse_sequence, "u8 i16 f32 i32", ("xnnpack",))]


def by_hand() -> Cases:
    b = presil.Builder("sequences")
    x, n = b.input("x", (3, 4), "int32"), b.input("n", (3,), "int32")
    b.output(
        b.reverse_sequence(x, n, axis=1, name="rows"),
        b.reverse_sequence(x, np.array([0, 1, 2, 9], np.int64), batch_axis=1, name="columns"),
    )
    values = np.arange(12, dtype=np.int32).reshape(3, 4)
    yield ByHand(b, [values, np.array([3, -1, 9], np.int32)], {
        "rows": [[2, 1, 0, 3], [4, 5, 6, 7], [11, 10, 9, 8]],
        "columns": [[0, 1, 6, 11], [4, 5, 2, 7], [8, 9, 10, 3]],
    })  # fmt: skip


def refused() -> Refused:
    def graph(lengths: np.ndarray, axis: int) -> presil.Network:
        b = presil.Builder("sequences")
        b.output(b.reverse_sequence(b.input("x", (3, 4), "int32"), lengths, axis=axis))
        return b.build()

    some = np.zeros(3, np.int32)
    yield lambda: graph(some, 0), "they must be two of its axes"
    yield lambda: graph(some[:2], 1), "must be [3]: one for each sequence of x [3,4]"
    yield lambda: graph(some.astype(np.float32), 1), "must be int32 or int64"
