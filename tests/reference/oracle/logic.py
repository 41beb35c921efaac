"""Numbers as such: comparisons, logic, whole numbers, the largest of many, long sums."""

from __future__ import annotations

import numpy as np

from .model import Array, Model
from .weighted import broadcasting


def few(m: Model, kind: str, shape: list[int]) -> Array:
    """Values among which many are equal."""
    if kind == "Bool":
        return np.asarray(m.rng.integers(0, 2, shape), np.bool_)
    dtype = {"Float32": np.float32, "Int64": np.int64}.get(kind, np.int32)
    return np.asarray(m.rng.integers(-9, 10, shape) / (2 if kind == "Float32" else 1), dtype)


def plain_pair(m: Model, kind: str) -> tuple[list[int], list[int]]:
    """Two inputs without scales, the second sometimes a constant; the shape of a result."""
    a, b, y = broadcasting(m, 4)
    x = m.plain_input(a, kind, few(m, kind, a))
    values = few(m, kind, b)
    second = m.constant(values) if m.chance(0.3) else m.plain_input(b, kind, values)
    return [x, second], y


def compare(m: Model, code: str) -> None:
    """int8 with scales of their own, below 1; others as they are stored."""
    kind = m.pick(["Int32", "Int64"]) if m.kind == "Int32" else m.kind
    if kind in ("Int8", "Uint8"):
        a, b, y = broadcasting(m, 4)
        scale = m.between(2**-9, 2**-1)
        other = scale if m.chance(0.5) else m.between(2**-9, 2**-1)
        inputs = [m.input(a, scale), m.input(b, other)]
    else:
        inputs, y = plain_pair(m, kind)
    m.op(code, inputs, m.tensor(y, "Bool"))


def logical(m: Model, code: str) -> None:
    inputs, y = plain_pair(m, "Bool")
    m.op(code, inputs, m.tensor(y, "Bool"))


def logical_not(m: Model) -> None:
    shape = m.shape(3)
    m.op("LOGICAL_NOT", [m.plain_input(shape, "Bool")], m.tensor(shape, "Bool"))


def whole_pair(m: Model, code: str) -> None:
    """ADD and the like of int32, without a scale."""
    inputs, y = plain_pair(m, m.kind)
    m.op(code, inputs, m.tensor(y), code.capitalize(), activation="None")


def quotient(m: Model, code: str) -> None:
    """FLOOR_DIV, FLOOR_MOD; never by 0, which the runtime refuses as it runs."""
    a, b, y = broadcasting(m, 4)
    x = m.plain_input(a, m.kind)
    values = np.asarray(m.any_of(m.kind, b))
    values = np.where(values == 0, np.asarray(3, values.dtype), values)
    if m.kind == "Int32":
        values = np.where(m.rng.random(b) < 0.5, values % 20 + 1, values).astype(np.int32)
    m.op(code, [x, m.plain_input(b, m.kind, values)], m.tensor(y))


def top_k(m: Model) -> None:
    shape = m.shape(m.number(1, 3), 30)
    k = m.number(1, shape[-1])
    x = m.moved(shape)
    y = m.like(x, [*shape[:-1], k])
    indices = m.tensor([*shape[:-1], k], "Int32")
    m.op("TOPK_V2", [x, m.constant(np.array(k, np.int32))], [y, indices])


def add_n(m: Model) -> None:
    shape = m.shape(3)
    inputs = [m.plain_input(shape, m.kind) for _ in range(m.number(2, 6))]
    m.op("ADD_N", inputs, m.tensor(shape))


def unit_length(m: Model) -> None:
    """L2_NORMALIZATION in its one scale."""
    shape = m.shape(m.number(2, 4), 40)
    y = m.tensor(shape, "", 1 / 128, 0)
    m.op("L2_NORMALIZATION", [m.input(shape)], y, "L2Norm", activation="None")


def sigmoid(m: Model, code: str, powers: tuple[int, ...] = (-12, -11, -10, -13)) -> None:
    """LOGISTIC, TANH of int16: one in four scales is a power of two, some nearly."""
    shape = m.shape(m.number(1, 4), 12)
    scale = m.between(2**-17, 2**1)
    if m.chance(0.25) or scale in (2.0**-12, 2.0**-11):
        scale = float(2.0 ** m.pick(powers)) * m.pick([1, 1, 1.0005, 0.999])
    m.op(code, [m.input(shape, scale)], m.tensor(shape, "", 2**-15, 0))


def softmax(m: Model) -> None:
    """Of int16."""
    shape = m.shape(m.number(2, 4), 12)
    beta = m.pick([1.0, 1.0, m.between(2**-2, 4)])
    x = m.input(shape, m.between(2**-16, 2**-4))
    m.op("SOFTMAX", [x], m.tensor(shape, "", 2**-15, 0), "Softmax", beta=beta)


def reciprocal_root(m: Model) -> None:
    """RSQRT of int16 above 0."""
    shape = m.shape(m.number(1, 4))
    x = m.input(shape)
    m.given[x] = np.abs(m.any_of("Int16", shape).astype(np.int32)).clip(1, 32767).astype(np.int16)
    y = m.result(shape, m.between(2**-3, 2**8) / float(np.sqrt(m.scale_of(x))) / 32768)
    m.op("RSQRT", [x], y)
