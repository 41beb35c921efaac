"""Topologies of classifiers for small devices, by their papers; batch normalisation is folded."""

from __future__ import annotations

from dataclasses import dataclass

from .classifiers import head
from .sketch import Sketch, Value
from .width import divisible


def mobilenet_v1(s: Sketch, x: Value, classes: int, width: float) -> None:
    """A. Howard et al., MobileNets, 2017."""
    x = s.conv(x, divisible(32 * width), 3, 2, 1, act="relu6", name="conv0")
    plan = [(64, 1), (128, 2), (128, 1), (256, 2), (256, 1), (512, 2)]
    plan += [(512, 1)] * 5 + [(1024, 2), (1024, 1)]
    for i, (channels, stride) in enumerate(plan):
        with s.scope(f"block{i + 1}"):
            x = s.depthwise(x, 3, stride, 1, act="relu6")
            x = s.conv(x, divisible(channels * width), 1, act="relu6", name="pointwise")
    head(s, x, classes)


def inverted(
    s: Sketch,
    x: Value,
    expanded: int,
    channels: int,
    stride: int,
    kernel: int = 3,
    act: str = "relu6",
    squeeze: int = 0,
    dilation: int = 1,
) -> Value:
    """An inverted residual block; squeeze: channels of its squeeze and excitation."""
    y = x if expanded == x.channels else s.conv(x, expanded, 1, act=act, name="expand")
    pads = (kernel - 1) * dilation // 2
    y = s.depthwise(y, kernel, stride, pads, act=act, dilation=dilation)
    if squeeze:
        gate = s.conv(s.global_average(y), squeeze, 1, act="relu", name="squeeze")
        y = s.multiply(y, s.conv(gate, expanded, 1, act="hard_sigmoid", name="excite"))
    y = s.conv(y, channels, 1, name="project")
    return s.add(x, y) if stride == 1 and channels == x.channels else y


def mobilenet_v2_body(s: Sketch, x: Value, width: float, least_stride: int = 32) -> Value:
    """Up to the last block; from least_stride on blocks are dilated, and the image stays."""
    x = s.conv(x, divisible(32 * width), 3, 2, 1, act="relu6", name="conv0")
    shrunk, dilation, number = 2, 1, 0
    for factor, channels, count, stride in (
        (1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2),
        (6, 320, 1, 1),
    ):  # fmt: skip
        for k in range(count):
            step = stride if k == 0 else 1
            holes = dilation
            if step > 1 and shrunk == least_stride:
                step, dilation = 1, dilation * stride
            shrunk *= step
            with s.scope(f"block{number}"):
                c = divisible(channels * width)
                x = inverted(s, x, x.channels * factor, c, step, dilation=holes)
            number += 1
    return x


def mobilenet_v2(s: Sketch, x: Value, classes: int, width: float) -> None:
    """M. Sandler et al., MobileNetV2: inverted residuals and linear bottlenecks, 2018."""
    x = mobilenet_v2_body(s, x, width)
    x = s.conv(x, divisible(1280 * max(1.0, width)), 1, act="relu6", name="last")
    head(s, x, classes)


@dataclass(frozen=True)
class Row:
    """Of the tables of MobileNetV3's paper."""

    kernel: int
    expanded: int
    channels: int
    squeeze: bool
    act: str
    stride: int


SMALL = (
    Row(3, 16, 16, True, "relu", 2),
    Row(3, 72, 24, False, "relu", 2),
    Row(3, 88, 24, False, "relu", 1),
    Row(5, 96, 40, True, "hard_swish", 2),
    Row(5, 240, 40, True, "hard_swish", 1),
    Row(5, 240, 40, True, "hard_swish", 1),
    Row(5, 120, 48, True, "hard_swish", 1),
    Row(5, 144, 48, True, "hard_swish", 1),
    Row(5, 288, 96, True, "hard_swish", 2),
    Row(5, 576, 96, True, "hard_swish", 1),
    Row(5, 576, 96, True, "hard_swish", 1),
)


def mobilenet_v3_small(s: Sketch, x: Value, classes: int, width: float) -> None:
    """A. Howard et al., Searching for MobileNetV3, 2019."""
    x = s.conv(x, divisible(16 * width), 3, 2, 1, act="hard_swish", name="conv0")
    for i, row in enumerate(SMALL):
        expanded = divisible(row.expanded * width)
        with s.scope(f"block{i}"):
            squeeze = divisible(expanded / 4) if row.squeeze else 0
            x = inverted(
                s, x, expanded, divisible(row.channels * width), row.stride, row.kernel, row.act,
                squeeze,
            )  # fmt: skip
    x = s.conv(x, divisible(576 * width), 1, act="hard_swish", name="last")
    x = s.dense(s.flat(s.global_average(x)), divisible(1024 * width), act="hard_swish", name="fc")
    s.output(s.dense(x, classes, name="classifier"))


def efficientnet_lite0(s: Sketch, x: Value, classes: int, width: float) -> None:
    """M. Tan and Q. Le, EfficientNet, 2019; the variant for edge devices: ReLU6, no squeeze."""
    x = s.conv(x, 32, 3, 2, 1, act="relu6", name="stem")
    number = 0
    for factor, kernel, channels, count, stride in (
        (1, 3, 16, 1, 1), (6, 3, 24, 2, 2), (6, 5, 40, 2, 2), (6, 3, 80, 3, 2), (6, 5, 112, 3, 1),
        (6, 5, 192, 4, 2), (6, 3, 320, 1, 1),
    ):  # fmt: skip
        for k in range(count):
            with s.scope(f"block{number}"):
                c = divisible(channels * width)
                x = inverted(s, x, x.channels * factor, c, stride if k == 0 else 1, kernel)
            number += 1
    x = s.conv(x, 1280, 1, act="relu6", name="head")
    head(s, x, classes)
