"""Operators that move values, and those that interpolate between them."""

from __future__ import annotations

import math

import numpy as np

from .model import DTYPES, Model


def pad(m: Model, code: str) -> None:
    shape = m.shape(m.number(2, 4))
    pads = [[m.number(0, 3), m.number(0, 3)] for _ in shape]
    x = m.moved(shape)
    inputs = [x, m.constant(np.array(pads, np.int32))]
    if code == "PADV2":
        value = m.any_of(m.kind, [1]).astype(DTYPES[m.kind])
        inputs.append(m.like_constant(x, value))
    out = [n + before + after for n, (before, after) in zip(shape, pads)]
    m.op(code, inputs, m.like(x, out))


def transpose(m: Model) -> None:
    shape = m.shape(m.number(2, 5), 6)
    perm = [int(p) for p in m.rng.permutation(len(shape))]
    x = m.moved(shape)
    m.op("TRANSPOSE", [x, m.integers(*perm)], m.like(x, [shape[p] for p in perm]))


def concatenation(m: Model, alike: bool) -> None:
    """alike: one scale and zero point for all, so that values only move."""
    shape = m.shape(m.number(1, 4))
    axis = int(m.rng.integers(0, len(shape)))
    parts = []
    for _ in range(m.number(1, 5)):
        part = shape[:axis] + [m.number(1, 6)] + shape[axis + 1 :]
        parts.append(m.like(parts[0], part) if parts and alike else m.moved(part))
    m.inputs = list(parts)
    total = sum(m.tensors[p]["shape"][axis] for p in parts)
    out = shape[:axis] + [total] + shape[axis + 1 :]
    y = m.like(parts[0], out) if alike else m.result(out)
    named = axis - len(shape) if m.chance(0.3) else axis
    m.op("CONCATENATION", parts, y, "Concatenation", axis=named, activation="None")


def strided_slice(m: Model) -> None:
    """Begin, end and stride of either sign, masks, ends beyond the edge, axes that go."""
    shape = m.shape(m.number(1, 4))
    begin, end, step, out = [], [], [], []
    masks = {"begin_mask": 0, "end_mask": 0, "shrink_axis_mask": 0}
    for axis, n in enumerate(shape):
        first = int(m.rng.integers(0, n))
        if m.chance(0.1):
            masks["shrink_axis_mask"] |= 1 << axis
            begin, end, step = [*begin, first], [*end, first + 1], [*step, 1]
            continue
        by = m.pick([1, 1, 2, 3]) * (-1 if m.chance(0.2) else 1)
        most = -(-(n - first) // by) if by > 0 else first // -by + 1
        count = m.number(1, most)
        last = first + count * by
        if m.chance(0.2):
            masks["begin_mask"] |= 1 << axis
            first = 0 if by > 0 else n - 1
            inside = min(last, n)
            count = max(1, -(-(inside - first) // by))
        open_end = last < 0 or m.chance(0.2)
        if open_end:
            masks["end_mask"] |= 1 << axis
            count = -(-(n - first) // by) if by > 0 else first // -by + 1
        begin.append(first - n if m.chance(0.3) else first)
        end.append(last - n if 0 <= last < n and m.chance(0.3) else last)
        step.append(by)
        out.append(count)
    x = m.moved(shape)
    parameters = [m.integers(*begin), m.integers(*end), m.integers(*step)]
    m.op("STRIDED_SLICE", [x, *parameters], m.like(x, out), "StridedSlice", **masks)


def reshaped(m: Model, code: str) -> None:
    """Reshape, and what only adds or removes axes of one element."""
    shape = m.shape(m.number(1, 4), 6)
    if code == "RESHAPE":
        x = m.moved(shape)
        flat = math.prod(shape)
        some = [n for n in range(1, flat + 1) if flat % n == 0]
        out = [m.pick(some)]
        out.append(flat // out[0])
        said = m.integers(*([out[0], -1] if m.chance(0.3) else out))
        return m.op(code, [x, said], m.like(x, out))
    axis = int(m.rng.integers(0, len(shape) + 1))
    wide = shape[:axis] + [1] + shape[axis:]
    if code == "SQUEEZE":
        x = m.moved(wide)
        return m.op(code, [x], m.like(x, [n for n in wide if n != 1]))
    x = m.moved(shape)
    return m.op(code, [x, m.integers(axis)], m.like(x, wide))


def split(m: Model, code: str) -> None:
    """Parts along an axis, all of them outputs."""
    shape = m.shape(m.number(1, 4), 6)
    axis, count = int(m.rng.integers(0, len(shape))), m.number(1, 4)
    sizes = [m.number(1, 5) for _ in range(count)]
    if code == "SPLIT":
        sizes = [sizes[0]] * count
    x = m.moved(shape[:axis] + [sum(sizes)] + shape[axis + 1 :])
    parts = [m.like(x, shape[:axis] + [n] + shape[axis + 1 :]) for n in sizes]
    named = np.array(axis - len(shape) if m.chance(0.3) else axis, np.int32)
    where = m.constant(named)
    if code == "SPLIT":
        return m.op(code, [where, x], parts, "Split", results=count)
    if m.chance(0.5):
        sizes[int(m.rng.integers(0, count))] = -1  # what the others leave
    return m.op(code, [x, m.integers(*sizes), where], parts, "SplitV", results=count)


def stack(m: Model, code: str) -> None:
    """PACK: tensors become rows of a new axis; UNPACK: rows become tensors."""
    shape = m.shape(m.number(1, 3), 6)
    axis, count = int(m.rng.integers(0, len(shape) + 1)), m.number(1, 4)
    wide = shape[:axis] + [count] + shape[axis:]
    named = axis - len(wide) if m.chance(0.3) else axis
    if code == "PACK":
        first = m.moved(shape)
        parts = [first, *(m.like(first, shape) for _ in range(count - 1))]
        m.inputs = list(parts)
        return m.op(code, parts, m.like(first, wide), "Stack", values_count=count, axis=named)
    x = m.moved(wide)
    parts = [m.like(x, shape) for _ in range(count)]
    return m.op(code, [x], parts, "Unstack", num=count, axis=named)


def resize_far(m: Model) -> None:
    """RESIZE_BILINEAR over so many pixels that rounded steps of 1/1024 may pass the last one, after
    which TFLite reads on: what it computes there does not count."""
    batch, c, n, out = m.number(1, 2), m.number(1, 3), m.number(900, 1700), m.number(1800, 3600)
    corners, centres = m.pick([(False, False), (True, False), (False, True)])
    across = m.chance(0.5)
    x = m.moved([batch, 1, n, c] if across else [batch, n, 1, c])
    shape = [1, out] if across else [out, 1]
    y = m.like(x, [batch, *shape, c])
    less = 1 if corners else 0
    step = (1024 * (n - less) + (out - less) // 2) // (out - less)
    at = np.arange(out) * step + (step // 2 - 512 if centres else 0)
    inside = (at < 1024 * n).reshape(1, *shape, 1) & np.ones((batch, *shape, c), bool)
    m.defined = lambda expected: [inside]
    m.op(
        "RESIZE_BILINEAR", [x, m.integers(*shape)], y, "ResizeBilinear",
        align_corners=corners, half_pixel_centers=centres,
    )  # fmt: skip


def resize(m: Model, code: str) -> None:
    batch, h, w, c, oh, ow = (m.number(1, n) for n in (2, 12, 12, 9, 24, 24))
    x = m.moved([batch, h, w, c])
    corners, centres = m.pick([(False, False), (True, False), (False, True)])
    kind = "ResizeBilinear" if code == "RESIZE_BILINEAR" else "ResizeNearest"
    y = m.like(x, [batch, oh, ow, c])
    m.op(code, [x, m.integers(oh, ow)], y, kind, align_corners=corners, half_pixel_centers=centres)
