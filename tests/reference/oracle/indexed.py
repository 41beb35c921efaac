"""Operators that pick, repeat or mirror values, and those whose result the file says."""

from __future__ import annotations

import math

import numpy as np

from .model import DTYPES, Array, Model


def indices(m: Model, shape: list[int], extent: int) -> int:
    """Numbers of 0..extent-1: a constant, or half the time an input."""
    values = m.rng.integers(0, extent, shape).astype(np.int32)
    return m.constant(values) if m.chance(0.5) else m.plain_input(shape, "Int32", values)


def gather(m: Model) -> None:
    """Along any axis, by a tensor of any rank, some with axes in common."""
    shape = m.shape(m.number(1, 4), 6)
    axis = int(m.rng.integers(0, len(shape)))
    batch = int(m.rng.integers(0, axis + 1)) if m.chance(0.3) else 0
    own = m.shape(m.number(0 if batch else 1, 2), 5)
    x = m.moved(shape)
    which = indices(m, shape[:batch] + own, shape[axis])
    y = m.like(x, shape[:axis] + own + shape[axis + 1 :])
    named = axis - len(shape) if m.chance(0.3) else axis
    m.op("GATHER", [x, which], y, "Gather", axis=named, batch_dims=batch)


def embedding_lookup(m: Model) -> None:
    shape = m.shape(m.number(2, 3), 8)
    which = indices(m, [m.number(1, 6)], shape[0])
    x = m.moved(shape)
    m.op("EMBEDDING_LOOKUP", [which, x], m.like(x, [*m.tensors[which]["shape"], *shape[1:]]))


def gather_nd(m: Model) -> None:
    shape = m.shape(m.number(1, 4), 6)
    named = m.number(1, len(shape))
    own = m.shape(m.number(1, 2), 5)
    x = m.moved(shape)
    columns = [m.rng.integers(0, n, own) for n in shape[:named]]
    values = np.stack(columns, -1).astype(np.int32)
    constant = m.chance(0.5)
    which = m.constant(values) if constant else m.plain_input([*own, named], "Int32", values)
    m.op("GATHER_ND", [x, which], m.like(x, own + shape[named:]))


def slice_of(m: Model) -> None:
    shape = m.shape(m.number(1, 4))
    begin = [int(m.rng.integers(0, n)) for n in shape]
    out = [m.number(1, n - b) for n, b in zip(shape, begin)]
    said = [-1 if b + k == n and m.chance(0.5) else k for n, b, k in zip(shape, begin, out)]
    x = m.moved(shape)
    m.op("SLICE", [x, m.integers(*begin), m.integers(*said)], m.like(x, out))


def reverse(m: Model) -> None:
    """Along one axis, which is all that runtimes take."""
    shape = m.shape(m.number(1, 4))
    x = m.moved(shape)
    m.op("REVERSE_V2", [x, m.integers(int(m.rng.integers(0, len(shape))))], m.like(x, shape))


def tile(m: Model) -> None:
    shape = m.shape(m.number(1, 4), 6)
    times = [m.number(1, 3) for _ in shape]
    x = m.moved(shape)
    out = [n * k for n, k in zip(shape, times)]
    m.op("TILE", [x, m.integers(*times)], m.like(x, out))


def broadcast_to(m: Model) -> None:
    out = m.shape(m.number(1, 4), 6)
    shape = [1 if m.chance(0.4) else n for n in out][m.number(0, len(out) - 1) :]
    x = m.moved(shape)
    m.op("BROADCAST_TO", [x, m.integers(*out)], m.like(x, out))


def mirror_pad(m: Model) -> None:
    mode = m.pick(["Reflect", "Symmetric"])
    shape = m.shape(m.number(1, 4), 6)
    most = [min(3, n if mode == "Symmetric" else n - 1) for n in shape]
    pads = [[m.number(0, k), m.number(0, k)] for k in most]
    x = m.moved(shape)
    out = [n + before + after for n, (before, after) in zip(shape, pads)]
    m.op(
        "MIRROR_PAD", [x, m.constant(np.array(pads, np.int32))], m.like(x, out), "MirrorPad",
        mode=mode,
    )  # fmt: skip


def select(m: Model, code: str) -> None:
    """The older form has one shape, or a condition for each row; the newer broadcasts."""
    out = m.shape(m.number(1, 4), 6)
    shapes = [list(out) for _ in range(3)]
    if code == "SELECT" and m.chance(0.3):
        shapes[0] = out[:1]
    if code == "SELECT_V2":
        for shape in shapes[:2]:
            for i in range(len(out)):
                shape[i] = 1 if m.chance(0.2) else shape[i]
    condition = m.plain_input(shapes[0], "Bool")
    a = m.moved(shapes[1])
    b = m.like(a, shapes[2])
    m.inputs.append(b)
    m.op(code, [condition, a, b], m.like(a, out))


def cast(m: Model, ways: tuple[tuple[str, str], ...]) -> None:
    """Numbers that both types have."""
    shape = m.shape(m.number(1, 4))
    from_kind, to_kind = m.pick(ways)
    values: Array = m.any_of(from_kind, shape)
    if from_kind == "Float32" and to_kind != "Float32":
        low, high = (0, 255) if to_kind == "Uint8" else (-127, 127)
        values = np.clip(values, low, high)
    x = m.plain_input(shape, from_kind, values.astype(DTYPES[from_kind]))
    m.op("CAST", [x], m.tensor(shape, to_kind))


def one_hot(m: Model) -> None:
    shape = m.shape(m.number(1, 3), 6)
    depth = m.number(1, 7)
    axis = int(m.rng.integers(0, len(shape) + 1))
    which = m.plain_input(shape, "Int32", m.rng.integers(-1, depth + 1, shape).astype(np.int32))
    on, off = (m.constant(m.any_of(m.kind, []).astype(DTYPES[m.kind])) for _ in range(2))
    y = m.tensor(shape[:axis] + [depth] + shape[axis:])
    named = -1 if axis == len(shape) else axis
    m.op(
        "ONE_HOT", [which, m.constant(np.array(depth, np.int32)), on, off], y, "OneHot", axis=named
    )


def known(m: Model, code: str) -> None:
    """A result that follows from the file, after an input."""
    shape = m.shape(m.number(1, 4), 6)
    x = m.plain_input([math.prod(shape)], "Int32")
    said = m.tensor(shape)
    m.op("RESHAPE", [x, m.integers(*shape)], said)
    if code == "SHAPE":
        count, inputs = len(shape), [said]
    elif code == "RANK":
        count, inputs = 1, [said]
    elif code == "ZEROS_LIKE":
        count, inputs = math.prod(shape), [x]
    elif code == "FILL":
        count = m.number(1, 9)
        inputs = [m.integers(count), m.constant(m.any_of("Int32", []).astype(np.int32))]
    else:
        count, step, start = m.number(1, 9), m.pick([1, 2, -3]), int(m.rng.integers(-9, 9))
        limit = start + step * count - (1 if step > 1 else 0)
        inputs = [m.constant(np.array(n, np.int32)) for n in (start, limit, step)]
    result = m.tensor([] if code == "RANK" else [count])
    m.op(code, inputs, result)
    if code == "RANK":
        wide = m.tensor([1])
        m.op("RESHAPE", [result, m.integers(1)], wide)
        result = wide
    y = m.tensor([math.prod(shape) + count])
    m.op("CONCATENATION", [x, result], y, "Concatenation", axis=0, activation="None")
