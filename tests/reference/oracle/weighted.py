"""Convolutions, fully connected and products of matrices: sums, then one requantisation."""

from __future__ import annotations

import math

import numpy as np

from .model import Array, Model


def out_size(size: int, kernel: int, stride: int, dilation: int, padding: str) -> int:
    if padding == "Same":
        return -(-size // stride)
    return (size - ((kernel - 1) * dilation + 1)) // stride + 1


def weights(m: Model, shape: list[int], axis: int | None, x_scale: float) -> tuple[int, Array]:
    """A tensor, with scales along `axis` where that is none of None, and the bias's scales."""
    count = 1 if axis is None else shape[axis]
    if m.kind == "Uint8":
        zero = m.zero()
        data = m.rng.integers(0, 256, shape).astype(np.uint8)
        scale = m.scale("Int8")
        made = m.tensor(shape, "Uint8", scale, zero, data=data)
        return made, np.full(1, scale * x_scale)
    if m.kind == "Float32":
        data = m.rng.normal(0, m.between(2**-6, 2**1), shape).astype(np.float32)
        return m.tensor(shape, data=data), np.ones(1)
    scales = [m.scale("Int8") for _ in range(count)]
    data = m.rng.integers(-127, 128, shape).astype(np.int8)
    if axis is None:
        made = m.tensor(shape, "Int8", scales[0], data=data)
    else:
        made = m.tensor(shape, "Int8", scales, axis=axis, data=data)
    return made, np.array(scales) * x_scale


def bias(m: Model, channels: int, scales: Array, kinds: tuple[str, ...] = ("Int32",)) -> list[int]:
    """A bias, or one in ten times none; some larger than any sum."""
    if m.chance(0.1):
        return []
    if m.kind == "Float32":
        return [m.tensor([channels], data=m.any_of(m.kind, [channels]))]
    kind = m.pick(kinds)
    reach = int(m.pick([1 << 8, 1 << 12, 1 << 16, 1 << 20]))
    data = m.rng.integers(-reach, reach, channels)
    data = data.astype(np.int64 if kind == "Int64" else np.int32)
    per = [float(s) for s in (scales if scales.size == channels else scales[:1])]
    return [m.tensor([channels], kind, per if len(per) > 1 else per[0], data=data)]


def sums(m: Model, shape: list[int], scales: Array, terms: int) -> int:
    """The result: a scale with which most sums stay inside the type, some do not."""
    reach = 2**15 if m.kind == "Int16" else 2**7
    typical = float(np.median(scales)) * math.sqrt(terms) * 0.3 * reach * 73
    scale = typical / reach * m.between(2**-2, 2**3)
    if m.kind == "Int16":  # the runtime can represent this ratio
        scale = max(scale, float(scales.max()) / 100)
    return m.tensor(shape, "", scale, m.zero())


def wide_bias(m: Model, either: bool) -> tuple[str, ...]:
    if m.kind != "Int16":
        return ("Int32",)
    return ("Int64", "Int64", "Int32") if either else ("Int64",)


def window(m: Model) -> tuple[list[int], list[int], list[int], list[int], str, list[int]]:
    """Image, kernel, stride, dilation, padding and the result's height and width."""
    kernel, stride = [m.number(1, 5), m.number(1, 5)], [m.number(1, 3), m.number(1, 3)]
    dilation = [m.number(1, 3), m.number(1, 3)] if m.chance(0.3) else [1, 1]
    padding = m.pick(["Same", "Valid"])
    least = [(k - 1) * d + 1 if padding == "Valid" else 1 for k, d in zip(kernel, dilation)]
    image = [m.number(n, n + 9) for n in least]
    sizes = zip(image, kernel, stride, dilation)
    return image, kernel, stride, dilation, padding, [out_size(*s, padding) for s in sizes]


def conv_2d(m: Model, either: bool = True) -> None:
    """either: beside int16 the bias may be int32, and be left out."""
    image, kernel, stride, dilation, padding, out = window(m)
    batch, k, per_group = m.number(1, 2), m.number(1, 20), m.number(1, 17)
    groups = m.pick([g for g in range(1, k + 1) if k % g == 0]) if m.chance(0.15) else 1
    x = m.input([batch, *image, groups * per_group])
    axis = 0 if m.chance(0.7) else None
    w, scales = weights(m, [k, *kernel, per_group], axis, m.scale_of(x))
    b = bias(m, k, scales, wide_bias(m, either=either))
    y = sums(m, [batch, *out, k], scales, per_group * kernel[0] * kernel[1])
    m.op(
        "CONV_2D", [x, w, *b], y, "Conv2D", padding=padding, activation=m.activation(),
        stride_h=stride[0], stride_w=stride[1], dilation_h=dilation[0], dilation_w=dilation[1],
    )  # fmt: skip


def depthwise_conv_2d(m: Model) -> None:
    image, kernel, stride, dilation, padding, out = window(m)
    if m.chance(0.8):  # the runtimes' optimised kernels expect squares
        stride[1] = stride[0]
        sizes = zip(image, kernel, stride, dilation)
        out = [out_size(*s, padding) for s in sizes]
    batch, c, multiplier = m.number(1, 2), m.number(1, 20), m.pick([1, 1, 1, 2, 3])
    x = m.input([batch, *image, c])
    k = c * multiplier
    w, scales = weights(m, [1, *kernel, k], 3 if m.chance(0.7) else None, m.scale_of(x))
    b = bias(m, k, scales, wide_bias(m, either=False))
    y = sums(m, [batch, *out, k], scales, kernel[0] * kernel[1])
    m.op(
        "DEPTHWISE_CONV_2D", [x, w, *b], y, "DepthwiseConv2D", padding=padding,
        activation=m.activation(), depth_multiplier=multiplier,
        stride_h=stride[0], stride_w=stride[1], dilation_h=dilation[0], dilation_w=dilation[1],
    )  # fmt: skip


def fully_connected(m: Model) -> None:
    rows, c, k = m.number(1, 6), m.number(1, 70), m.number(1, 40)
    x = m.input([rows, c] if m.chance(0.7) else [rows, 1, c, 1])
    per_channel = m.kind == "Int8" and m.chance(0.3)
    w, scales = weights(m, [k, c], 0 if per_channel else None, m.scale_of(x))
    b = bias(m, k, scales, wide_bias(m, either=True))
    y = sums(m, [rows, k], scales, c)
    m.op("FULLY_CONNECTED", [x, w, *b], y, "FullyConnected", activation=m.activation())


def fully_connected_computed(m: Model) -> None:
    """Weights that are an input, with a zero point of their own."""
    rows, c, k = m.number(1, 20), m.number(1, 40), m.number(1, 20)
    x, w = m.input([rows, c]), m.input([k, c])
    scales = np.array([m.scale_of(x) * m.scale_of(w)])
    b = bias(m, k, scales)
    y = sums(m, [rows, k], scales, c)
    m.op("FULLY_CONNECTED", [x, w, *b], y, "FullyConnected", activation=m.activation())


def transpose_conv(m: Model) -> None:
    h, w, c, k = m.number(1, 9), m.number(1, 9), m.number(1, 9), m.number(1, 12)
    kernel, stride = [m.number(1, 5), m.number(1, 5)], [m.number(1, 4), m.number(1, 4)]
    padding = m.pick(["Same", "Valid"])
    if padding == "Same":
        out = [n * s - int(m.rng.integers(0, s)) for n, s in zip((h, w), stride)]
    else:
        out = [n * s + max(v - s, 0) for n, s, v in zip((h, w), stride, kernel)]
    x = m.input([1, h, w, c])
    filters, scales = weights(m, [k, *kernel, c], 0 if m.chance(0.7) else None, m.scale_of(x))
    b = bias(m, k, scales, wide_bias(m, either=False))
    y = sums(m, [1, *out, k], scales, c * kernel[0] * kernel[1])
    m.op(
        "TRANSPOSE_CONV", [m.integers(1, *out, k), filters, x, *b], y, "TransposeConv",
        padding=padding, stride_h=stride[0], stride_w=stride[1], activation=m.activation(),
    )  # fmt: skip


def broadcasting(m: Model, most_axes: int) -> tuple[list[int], list[int], list[int]]:
    """Shapes of two operands and of what they broadcast to."""
    whole = m.shape(int(m.rng.integers(0, most_axes + 1)), 6)
    a, b = ([1 if m.chance(0.25) else n for n in whole] for _ in range(2))
    a, b = (x[1:] if x and m.chance(0.2) else x for x in (a, b))
    longer = max(len(a), len(b))
    a_whole, b_whole = ([1] * (longer - len(x)) + x for x in (a, b))
    return a, b, [max(n) for n in zip(a_whole, b_whole)]


def batch_matmul(m: Model) -> None:
    a, b, y = broadcasting(m, 2)
    rows, terms, columns = (m.number(1, 24) for _ in range(3))
    adj_x, adj_y = m.chance(0.4), m.chance(0.4)
    x = m.input([*a, terms, rows] if adj_x else [*a, rows, terms])
    # XNNPACK takes a zero point of 0 alone.
    zero = 0 if m.chance(0.5) else None
    other = m.input([*b, columns, terms] if adj_y else [*b, terms, columns], zero=zero)
    scales = np.array([m.scale_of(x) * m.scale_of(other)])
    if m.kind == "Int16":
        scales = scales * 256
    made = sums(m, [*y, rows, columns], scales, terms)
    m.op("BATCH_MATMUL", [x, other], made, "BatchMatMul", adj_x=adj_x, adj_y=adj_y)
