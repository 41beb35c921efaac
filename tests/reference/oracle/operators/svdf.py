"""SVDF: int8 with a state of int16; of int8 in TFLite Micro alone."""

from __future__ import annotations

import numpy as np
import presil

from ..entry import ByHand, Cases, Refused, of
from ..model import Model


def svdf(m: Model, kind: str) -> None:
    batch, inputs, memory = m.number(1, 3), m.number(1, 24), m.number(1, 8)
    rank, units = m.number(1, 3), m.number(1, 9)
    filters = rank * units
    x = m.input([batch, inputs])
    weights = m.rng.integers(-127, 128, [filters, inputs]).astype(np.int8)
    reach = 2**15 if kind == "Int16" else 2**7
    feature = m.constant(weights, m.between(2**-9, 2**-5))
    product = m.scale_of(x) * m.scale_of(feature)
    step = product * 2**14 / reach * m.between(2**-3, 2**3)
    state = m.tensor([batch, filters * memory], kind, step, 0)
    m.tensors[state]["is_variable"] = True
    time = m.constant(m.any_of(kind, [filters, memory]), m.between(2**-9, 2**-5))
    factor = m.scale_of(state) * m.scale_of(time)
    bias = m.constant(m.rng.integers(-3000, 3000, units).astype(np.int32), factor)
    y = m.result([batch, units], factor * reach * reach / 2**7 * m.between(2**-3, 2**2))
    m.op(
        "SVDF", [x, feature, time, bias, state], y, "Svdf", rank=rank, activation="Relu"
    )  # LiteRT takes no other


def short(m: Model) -> None:
    svdf(m, "Int16")


def byte(m: Model) -> None:
    svdf(m, "Int8")


ENTRIES = [of("SVDF", short), of("SVDF state i8", byte, rules=("tflite",))]


def by_hand() -> Cases:
    """Scales of 1: two filters of one unit, a state of two steps, over two runs."""
    b = presil.Builder("filters")
    x = b.input("x", (1, 2), "int8", 1.0, 1)
    before = b.input("state", (1, 4), "int16", 1.0)
    feature = b.constant(np.array([[1, 2], [3, -1]], np.int8), 1.0)
    time = b.constant(np.array([[10, 1], [-1, 2]], np.int16), 1.0)
    bias = b.constant(np.array([5], np.int32))
    y, last = b.svdf(
        x, feature, time, bias, before, rank=2,
        out=[presil.Type("int8", 2.0, -3), presil.Type("int16", 1.0, 0)], name="y",
    )  # fmt: skip
    b.output(y, last)
    # x - 1 = (2, 3): newest 1*2 + 2*3 = 8 and 3*2 - 3 = 3; the oldest, 7 and 9, go.
    # 5 + (10*4 + 8) + (-6 + 2*3) = 53, halved 26.5, away from zero 27, - 3
    given = [np.array([[3, 4]], np.int8), np.array([[7, 4, 9, 6]], np.int16)]
    yield ByHand(b, given, {"y": [[24]], last.name: [[4, 8, 6, 3]]})


def refused() -> Refused:
    def graph(**other: object) -> presil.Network:
        given: dict[str, object] = {
            "rank": 1, "filters": 2, "zero": 0, "state": "int16", "state_zero": 0,
            "feature": None, "bias": None, "before": None,
        }  # fmt: skip
        given.update(other)
        b = presil.Builder("filters")
        x = b.input("x", (1, 2), "int8", 1.0)
        feature = given["feature"] or b.constant(
            np.ones((2, 2), np.int8),
            1.0,
            given["zero"],  # type: ignore[arg-type]
        )
        if given["feature"]:
            feature = b.input("f", (2, 2), "int8", 1.0)
        time = b.constant(np.ones((2, 3), given["state"]), 1.0)  # type: ignore[call-overload]
        bias = b.input("b", (2,), "int32") if given["bias"] else None
        before = b.input("s", (1, 6), "int16", 0.5) if given["before"] else None
        outs = [
            presil.Type("int8", 1.0, 0),
            presil.Type(given["state"], 1.0, given["state_zero"]),  # type: ignore[arg-type]
        ]
        b.output(*b.svdf(x, feature, time, bias, before, rank=given["rank"], out=outs))
        return b.build()

    yield lambda: graph(rank=3), "rank is 3, must divide the 2 filters"
    yield lambda: graph(rank=2, bias=True), "bias is [2], must be [1]: 2 filters of rank 2, x [1,2]"
    yield lambda: graph(state="int32"), "last_state is int32[1,6] q(1, 0), must be int8 or int16"
    yield lambda: graph(state_zero=1), "a state's zero point must be 0"
    yield lambda: graph(zero=1), "its zero point must be 0"
    yield lambda: graph(feature=True), "feature_weights is computed, must be a constant"
    yield lambda: graph(bias=True), "bias is computed, must be a constant"
    yield lambda: graph(before=True), "must be of the type of last_state"
