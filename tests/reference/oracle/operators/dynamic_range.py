"""Dynamic range: float32 activations, int8 weights. TFLite Micro has no kernels for it: under
`tflite` TFLite's own kernels of full size are asked, without a delegate. XNNPACK's order of floats
is that of its kernels for processors with fused multiplication and addition."""

from __future__ import annotations

from functools import partial

import numpy as np
import presil

from ..entry import ByHand, Cases, Refused, of
from ..model import Array, Model
from ..weighted import out_size, window


def values(m: Model, shape: list[int]) -> Array:
    """Mostly both signs; one in four of one sign, whose range begins or ends at 0; one in six in
    halves of a step, where the ties are; at times an image or a row of zeros."""
    x = m.any_of("Float32", shape)
    if m.chance(0.25):
        x = np.abs(x) * m.pick([1, -1])
    if m.chance(0.17):
        step, low = m.between(2**-6, 2**3), m.number(-255, 0) / 2
        x = (m.rng.integers(int(2 * low), int(2 * low) + 511, shape) / 2 * step).astype(np.float32)
        x.reshape(-1)[0] = low * step
        x.reshape(-1)[-1] = (low + 255) * step
    if m.chance(0.1):
        x[0] = 0
    return x.astype(np.float32)


def weights(m: Model, shape: list[int], axis: int | None) -> int:
    data = m.rng.integers(-127, 128, shape).astype(np.int8)
    if axis is None:
        return m.constant(data, m.between(2**-9, 2**-3))
    scales = [m.between(2**-9, 2**-3) for _ in range(shape[axis])]
    return m.constant(data, scales if m.chance(0.8) else scales[:1] * len(scales), axis=axis)


def bias(m: Model, channels: int) -> int:
    return m.tensor([channels], data=m.any_of("Float32", [channels]))


def conv_2d(m: Model) -> None:
    image, kernel, stride, dilation, padding, out = window(m)
    batch, k, per_group = m.number(1, 3), m.number(1, 20), m.number(1, 17)
    groups = m.pick([g for g in range(1, k + 1) if k % g == 0]) if m.chance(0.2) else 1
    shape = [batch, *image, groups * per_group]
    x = m.plain_input(shape, "Float32", values(m, shape))
    # TFLite's kernel for groups takes one scale per channel alone.
    w = weights(m, [k, *kernel, per_group], 0 if groups > 1 or m.chance(0.7) else None)
    y = m.tensor([batch, *out, k])
    m.op(
        "CONV_2D", [x, w, bias(m, k)], y, "Conv2D", padding=padding, activation=m.activation(),
        stride_h=stride[0], stride_w=stride[1], dilation_h=dilation[0], dilation_w=dilation[1],
    )  # fmt: skip


def depthwise_conv_2d(m: Model) -> None:
    image, kernel, stride, dilation, padding, _ = window(m)
    stride[1] = stride[0]
    out = [out_size(*s, padding) for s in zip(image, kernel, stride, dilation)]
    batch, c, multiplier = m.number(1, 3), m.number(1, 20), m.pick([1, 1, 1, 2, 3])
    shape = [batch, *image, c]
    x = m.plain_input(shape, "Float32", values(m, shape))
    w = weights(m, [1, *kernel, c * multiplier], 3)
    y = m.tensor([batch, *out, c * multiplier])
    m.op(
        "DEPTHWISE_CONV_2D", [x, w, bias(m, c * multiplier)], y, "DepthwiseConv2D",
        padding=padding, activation=m.activation(), depth_multiplier=multiplier,
        stride_h=stride[0], stride_w=stride[1], dilation_h=dilation[0], dilation_w=dilation[1],
    )  # fmt: skip


def fully_connected(m: Model, asymmetric: bool) -> None:
    rows, c, k = m.number(1, 6), m.number(1, 70), m.number(1, 40)
    shape = [rows, c] if m.chance(0.7) else [rows, 1, c, 1]
    x = m.plain_input(shape, "Float32", values(m, shape))
    w = weights(m, [k, c], 0 if m.chance(0.6) else None)
    b = [bias(m, k)] if m.chance(0.8) else []
    m.op(
        "FULLY_CONNECTED", [x, w, *b], m.tensor([rows, k]), "FullyConnected",
        activation=m.activation(), asymmetric_quantize_inputs=asymmetric,
    )  # fmt: skip


def separable(m: Model) -> None:
    """As exporters write a small network: convolution, depthwise, pointwise, pool, dense."""
    batch, side, c, k, classes = (m.number(low, low + 7) for low in (1, 4, 1, 2, 2))
    shape = [batch, side, side, c]
    same = {"padding": "Same", "stride_h": 1, "stride_w": 1, "dilation_h": 1, "dilation_w": 1}

    def layer(code: str, x: int, w: list[int], y: list[int], axis: int, **options: object) -> int:
        made = m.tensor(y)
        kind = "DepthwiseConv2D" if code.startswith("DEPTH") else "Conv2D"
        inputs = [x, weights(m, w, axis), bias(m, y[-1])]
        m.op(code, inputs, made, kind, **same, activation=m.pick(["Relu", "Relu6"]), **options)
        return made

    x = m.plain_input(shape, "Float32", values(m, shape))
    image = [batch, side, side]
    y = layer("CONV_2D", x, [k, 3, 3, c], [*image, k], 0)
    y = layer("DEPTHWISE_CONV_2D", y, [1, 3, 3, k], [*image, k], 3, depth_multiplier=1)
    y = layer("CONV_2D", y, [k, 1, 1, k], [*image, k], 0)
    pooled = m.tensor([batch, side // 2, side // 2, k])
    m.op(
        "MAX_POOL_2D", [y], pooled, "Pool2D", padding="Valid", stride_h=2, stride_w=2,
        filter_h=2, filter_w=2,
    )  # fmt: skip
    row = (side // 2) ** 2 * k
    flat = m.tensor([batch, row])
    m.op("RESHAPE", [pooled, m.integers(batch, row)], flat)
    w, b = weights(m, [classes, row], 0), bias(m, classes)
    m.op(
        "FULLY_CONNECTED", [flat, w, b], m.tensor([batch, classes]), "FullyConnected",
        asymmetric_quantize_inputs=True,
    )  # fmt: skip


ASKED = {"tflite": "kernels"}
FULLY_CONNECTED = {"": False, " asymmetric": True}
ENTRIES = [
    of("CONV_2D dynamic", conv_2d, "f32", asked=ASKED),
    of("DEPTHWISE_CONV_2D dynamic", depthwise_conv_2d, "f32", asked=ASKED),
    of("dynamic in a network", separable, "f32", asked=ASKED),
    *(
        of(
            f"FULLY_CONNECTED dynamic{name}",
            partial(fully_connected, asymmetric=asymmetric),
            "f32",
            asked=ASKED,
        )
        for name, asymmetric in FULLY_CONNECTED.items()
    ),
]


def by_hand() -> Cases:
    """A range of 255 is steps of 1. From -100.5 on the zero point is -27.5, which either rule makes
    -28, so that -100 is the least that a byte stands for and 155 the largest. Halves go away from
    zero with TFLite's kernels, to even with XNNPACK's."""
    row = np.array([[-100.5, 154.5, 1.5, -0.5]], np.float32)
    for numerics, steps in (("tflite", [-100, 155, 2, -1]), ("xnnpack", [-100, 154, 2, 0])):
        b = presil.Builder("row", numerics)
        w = b.constant(np.eye(4, dtype=np.int8), [1.0, 2.0, 0.5, 1.0])
        x = b.input("x", (1, 4), "float32")
        b.output(b.fully_connected(x, w, asymmetric_inputs=True, name="y"))
        y = [n * s for n, s in zip(steps, (1, 2, 0.5, 1))]
        yield ByHand(b, [row], {"y": [y]})
    # 0, 255, 1.5 are steps 0, 255, 2 from zero point -128, and 0 beside the image.
    for numerics in ("tflite", "xnnpack"):
        b = presil.Builder("image", numerics)
        w = b.constant(np.array([[1, 1, 1], [1, 0, 2]], np.int8).reshape(2, 1, 3, 1), [1.0, 0.5])
        offset = b.constant(np.array([0.25, -1], np.float32))
        x = b.input("x", (1, 1, 3, 1), "float32")
        out = presil.Type("float32")
        b.output(b.conv2d(x, w, offset, padding=((0, 0), (1, 1)), out=out, name="y"))
        given = np.array([0, 255, 1.5], np.float32).reshape(1, 1, 3, 1)
        # 0 + 255, 2 * 255; 0 + 255 + 2, 0 + 2 * 2; 255 + 2, 255; times the scale, plus the bias
        pixels = [[255.25, 254.0], [257.25, 1.0], [257.25, 126.5]]
        yield ByHand(b, [given], {"y": [[pixels]]})


def refused() -> Refused:
    def graph(**weights_type: object) -> presil.Network:
        b = presil.Builder("row")
        x = b.input("x", (1, 4), "float32")
        given: dict[str, object] = {"scale": 1.0, "zero_point": 0} | weights_type
        w = b.constant(np.ones((3, 4), np.int8), *given.values())  # type: ignore[arg-type]
        b.output(b.fully_connected(x, w))
        return b.build()

    text = "of int8 they must be constants with one scale, or one along axis 0"
    yield lambda: graph(zero_point=3), text
    yield lambda: graph(scale=None), text
