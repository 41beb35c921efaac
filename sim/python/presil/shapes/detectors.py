"""Topologies of detectors and of networks that label pixels, by their papers. Detectors end with
the maps that box decoding reads."""

from __future__ import annotations

from .classifiers import darknet19_body
from .mobile import mobilenet_v2_body
from .sketch import Sketch, Value
from .width import divisible

LEAKY = "leaky_relu"


def per_box(classes: int) -> int:
    """Centre, size, and how sure."""
    return classes + 5


def yolo_v2(s: Sketch, x: Value, classes: int, width: float) -> None:
    """J. Redmon and A. Farhadi, YOLO9000: better, faster, stronger, 2016: 5 boxes a cell."""
    early, x = darknet19_body(s, x, width)
    wide = divisible(1024 * width)
    x = s.conv(x, wide, act=LEAKY, name="conv19")
    x = s.conv(x, wide, act=LEAKY, name="conv20")
    passed = s.conv(early, divisible(64 * width), 1, act=LEAKY, name="conv21")
    x = s.concat([s.space_to_depth(passed, 2), x])
    x = s.conv(x, wide, act=LEAKY, name="conv22")
    s.output(s.conv(x, 5 * per_box(classes), 1, name="conv23"))


def darknet53_body(s: Sketch, x: Value, width: float) -> list[Value]:
    """After the last three stages: an 8th, a 16th, a 32nd of the pixels of a side."""
    x = s.conv(x, divisible(32 * width), act=LEAKY, name="conv0")
    made = []
    for i, count in enumerate((1, 2, 8, 8, 4)):
        wide = divisible((64 << i) * width)
        x = s.conv(x, wide, 3, 2, 1, act=LEAKY, name=f"down{i + 1}")
        for k in range(count):
            with s.scope(f"stage{i + 1}.{k}"):
                y = s.conv(x, wide // 2, 1, act=LEAKY, name="conv1")
                x = s.add(x, s.conv(y, wide, act=LEAKY, name="conv2"))
        made.append(x)
    return made[2:]


def convolutions(s: Sketch, x: Value, channels: int, count: int, act: str = LEAKY) -> Value:
    """1x1 of `channels` and 3x3 of twice as many, in turn."""
    for i in range(count):
        wide = channels * (1 + i % 2)
        x = s.conv(x, wide, 1 + i % 2 * 2, act=act, name=f"conv{i}")
    return x


def yolo_v3(s: Sketch, x: Value, classes: int, width: float) -> None:
    """J. Redmon and A. Farhadi, YOLOv3: an incremental improvement, 2018: 3 boxes a cell."""
    stages = darknet53_body(s, x, width)
    x = stages[2]
    for i, channels in enumerate((512, 256, 128)):
        wide = divisible(channels * width)
        with s.scope(f"head{i + 1}"):
            if i > 0:
                x = s.upsample(s.conv(x, wide, 1, act=LEAKY, name="lateral"))
                x = s.concat([x, stages[2 - i]])
            x = convolutions(s, x, wide, 5)
            y = s.conv(x, wide * 2, act=LEAKY, name="conv5")
            s.output(s.conv(y, 3 * per_box(classes), 1, name="boxes"))


def yolo_v3_tiny(s: Sketch, x: Value, classes: int, width: float) -> None:
    """The small one of YOLOv3's reference implementation."""
    route = x
    for i in range(6):
        x = s.conv(x, divisible((16 << i) * width), act=LEAKY, name=f"conv{i}")
        if i == 4:
            route = x
        x = s.max_pool(x, 2, 2) if i < 5 else s.max_pool(x, 2, 1, (0, 1, 0, 1))
    x = s.conv(x, divisible(1024 * width), act=LEAKY, name="conv6")
    x = s.conv(x, divisible(256 * width), 1, act=LEAKY, name="conv7")
    y = s.conv(x, divisible(512 * width), act=LEAKY, name="conv8")
    s.output(s.conv(y, 3 * per_box(classes), 1, name="boxes1"))
    x = s.upsample(s.conv(x, divisible(128 * width), 1, act=LEAKY, name="lateral"))
    y = s.conv(s.concat([x, route]), divisible(256 * width), act=LEAKY, name="conv9")
    s.output(s.conv(y, 3 * per_box(classes), 1, name="boxes2"))


def csp_darknet53_body(s: Sketch, x: Value, width: float) -> list[Value]:
    """After the last three stages, as darknet53_body; Mish."""
    x = s.conv(x, divisible(32 * width), act="mish", name="conv0")
    made = []
    for i, count in enumerate((1, 2, 8, 8, 4)):
        wide = divisible((64 << i) * width)
        half = wide if i == 0 else wide // 2
        with s.scope(f"stage{i + 1}"):
            x = s.conv(x, wide, 3, 2, 1, act="mish", name="down")
            side = s.conv(x, half, 1, act="mish", name="side")
            y = s.conv(x, half, 1, act="mish", name="main")
            for k in range(count):
                with s.scope(str(k)):
                    z = s.conv(y, half // 2 if i == 0 else half, 1, act="mish", name="conv1")
                    y = s.add(y, s.conv(z, half, act="mish", name="conv2"))
            y = s.conv(y, half, 1, act="mish", name="after")
            x = s.conv(s.concat([y, side]), wide, 1, act="mish", name="joined")
        made.append(x)
    return made[2:]


def yolo_v4(s: Sketch, x: Value, classes: int, width: float) -> None:
    """A. Bochkovskiy et al., YOLOv4: optimal speed and accuracy of object detection, 2020: pools
    of 5, 9 and 13 (SPP), paths up and down (PAN), 3 boxes a cell."""

    def c(channels: int) -> int:
        return divisible(channels * width)

    early, middle, late = csp_darknet53_body(s, x, width)
    with s.scope("spp"):
        late = convolutions(s, late, c(512), 3)
        pools = [s.max_pool(late, k, 1, k // 2) for k in (13, 9, 5)]
        late = s.concat([*pools, late])
        late = convolutions(s, late, c(512), 3)

    def up(x: Value, side: Value, channels: int, name: str) -> Value:
        with s.scope(name):
            x = s.upsample(s.conv(x, channels, 1, act=LEAKY, name="lateral"))
            side = s.conv(side, channels, 1, act=LEAKY, name="side")
            return convolutions(s, s.concat([side, x]), channels, 5)

    def down(x: Value, side: Value, channels: int, name: str) -> Value:
        with s.scope(name):
            x = s.conv(x, channels, 3, 2, 1, act=LEAKY, name="down")
            return convolutions(s, s.concat([x, side]), channels, 5)

    def boxes(x: Value, channels: int, name: str) -> None:
        with s.scope(name):
            y = s.conv(x, channels, act=LEAKY, name="conv")
            s.output(s.conv(y, 3 * per_box(classes), 1, name="boxes"))

    middle = up(late, middle, c(256), "up1")
    early = up(middle, early, c(128), "up2")
    boxes(early, c(256), "head1")
    middle = down(early, middle, c(256), "down1")
    boxes(middle, c(512), "head2")
    late = down(middle, late, c(512), "down2")
    boxes(late, c(1024), "head3")


def unet(s: Sketch, x: Value, classes: int, width: float) -> None:
    """O. Ronneberger et al., U-Net, 2015; padded, so that no edge is lost."""

    def twice(x: Value, channels: int, name: str) -> Value:
        with s.scope(name):
            x = s.conv(x, channels, act="relu", name="conv1")
            return s.conv(x, channels, act="relu", name="conv2")

    wide = [divisible((64 << i) * width) for i in range(5)]
    kept = []
    for i in range(4):
        x = twice(x, wide[i], f"down{i + 1}")
        kept.append(x)
        x = s.max_pool(x, 2, 2)
    x = twice(x, wide[4], "bottom")
    for i in reversed(range(4)):
        x = s.concat([kept[i], s.transposed(x, wide[i])])
        x = twice(x, wide[i], f"up{i + 1}")
    s.output(s.conv(x, classes, 1, name="labels"))


def deeplab_v3(s: Sketch, x: Value, classes: int, width: float) -> None:
    """L.-C. Chen et al., Rethinking atrous convolution for semantic image segmentation, 2017, on
    MobileNetV2: a 16th of the pixels of a side, the image's average beside a 1x1 convolution."""
    rows, columns = x.shape[1:3]
    x = mobilenet_v2_body(s, x, width, least_stride=16)
    pooled = s.conv(s.global_average(x), 256, 1, act="relu", name="image_pooling")
    pooled = s.resize(pooled, *x.shape[1:3])
    y = s.concat([pooled, s.conv(x, 256, 1, act="relu", name="aspp0")])
    y = s.conv(y, 256, 1, act="relu", name="concat_projection")
    y = s.conv(y, classes, 1, name="logits")
    s.output(s.resize(y, rows, columns))
