"""Topologies of image classifiers, by their papers; batch normalisation is folded."""

from __future__ import annotations

from collections.abc import Callable

from .sketch import Sketch, Value
from .width import divisible


def head(s: Sketch, x: Value, classes: int) -> None:
    """Averages of the channels, and a matrix."""
    s.output(s.dense(s.flat(s.global_average(x)), classes, name="classifier"))


def alexnet(s: Sketch, x: Value, classes: int, width: float) -> None:
    """A. Krizhevsky, One weird trick for parallelizing convolutional neural networks, 2014."""

    def c(channels: int) -> int:
        return divisible(channels * width)

    x = s.conv(x, c(64), 11, 4, 2, act="relu", name="conv1")
    x = s.max_pool(x, 3, 2)
    x = s.conv(x, c(192), 5, act="relu", name="conv2")
    x = s.max_pool(x, 3, 2)
    for i, channels in enumerate((384, 256, 256)):
        x = s.conv(x, c(channels), act="relu", name=f"conv{i + 3}")
    x = s.flat(s.max_pool(x, 3, 2))
    x = s.dense(x, c(4096), act="relu", name="fc6")
    x = s.dense(x, c(4096), act="relu", name="fc7")
    s.output(s.dense(x, classes, name="fc8"))


def vgg(layers: tuple[int, ...]) -> Callable[[Sketch, Value, int, float], None]:
    """K. Simonyan and A. Zisserman, Very deep convolutional networks for large-scale image
    recognition, 2014."""

    def make(s: Sketch, x: Value, classes: int, width: float) -> None:
        for i, (count, channels) in enumerate(zip(layers, (64, 128, 256, 512, 512))):
            for k in range(count):
                name = f"conv{i + 1}_{k + 1}"
                x = s.conv(x, divisible(channels * width), act="relu", name=name)
            x = s.max_pool(x, 2, 2)
        x = s.flat(x)
        x = s.dense(x, divisible(4096 * width), act="relu", name="fc6")
        x = s.dense(x, divisible(4096 * width), act="relu", name="fc7")
        s.output(s.dense(x, classes, name="fc8"))

    return make


def resnet(
    layers: tuple[int, ...], bottleneck: bool
) -> Callable[[Sketch, Value, int, float], None]:
    """K. He et al., Deep residual learning for image recognition, 2015; of a bottleneck the 3x3
    convolution has the stride (version 1.5)."""

    def block(s: Sketch, x: Value, channels: int, stride: int) -> Value:
        out = channels * 4 if bottleneck else channels
        skip = x
        if stride != 1 or x.channels != out:
            skip = s.conv(x, out, 1, stride, name="downsample")
        if bottleneck:
            y = s.conv(x, channels, 1, act="relu", name="conv1")
            y = s.conv(y, channels, 3, stride, 1, act="relu", name="conv2")
            y = s.conv(y, out, 1, name="conv3")
        else:
            y = s.conv(x, channels, 3, stride, 1, act="relu", name="conv1")
            y = s.conv(y, channels, 3, name="conv2")
        return s.add(y, skip, act="relu")

    def make(s: Sketch, x: Value, classes: int, width: float) -> None:
        x = s.conv(x, divisible(64 * width), 7, 2, 3, act="relu", name="conv1")
        x = s.max_pool(x, 3, 2, 1)
        for i, count in enumerate(layers):
            for k in range(count):
                with s.scope(f"layer{i + 1}.{k}"):
                    stride = 2 if i > 0 and k == 0 else 1
                    x = block(s, x, divisible((64 << i) * width), stride)
        head(s, x, classes)

    return make


def googlenet(s: Sketch, x: Value, classes: int, width: float) -> None:
    """C. Szegedy et al., Going deeper with convolutions, 2014; batch normalisation for local
    response normalisation, without the auxiliary classifiers."""

    def c(channels: int) -> int:
        return divisible(channels * width)

    def inception(x: Value, name: str, *channels: int) -> Value:
        one, before3, three, before5, five, pooled = map(c, channels)
        with s.scope(name):
            return s.concat(
                [
                    s.conv(x, one, 1, act="relu", name="1x1"),
                    s.conv(s.conv(x, before3, 1, act="relu", name="3x3_reduce"), three, 3,
                           act="relu", name="3x3"),
                    s.conv(s.conv(x, before5, 1, act="relu", name="5x5_reduce"), five, 5,
                           act="relu", name="5x5"),
                    s.conv(s.max_pool(x, 3, 1, 1), pooled, 1, act="relu", name="pool_proj"),
                ]
            )  # fmt: skip

    x = s.max_pool(s.conv(x, c(64), 7, 2, 3, act="relu", name="conv1"), 3, 2, 1)
    x = s.conv(x, c(64), 1, act="relu", name="conv2_reduce")
    x = s.max_pool(s.conv(x, c(192), act="relu", name="conv2"), 3, 2, 1)
    x = inception(x, "3a", 64, 96, 128, 16, 32, 32)
    x = inception(x, "3b", 128, 128, 192, 32, 96, 64)
    x = s.max_pool(x, 3, 2, 1)
    x = inception(x, "4a", 192, 96, 208, 16, 48, 64)
    x = inception(x, "4b", 160, 112, 224, 24, 64, 64)
    x = inception(x, "4c", 128, 128, 256, 24, 64, 64)
    x = inception(x, "4d", 112, 144, 288, 32, 64, 64)
    x = inception(x, "4e", 256, 160, 320, 32, 128, 128)
    x = s.max_pool(x, 3, 2, 1)
    x = inception(x, "5a", 256, 160, 320, 32, 128, 128)
    x = inception(x, "5b", 384, 192, 384, 48, 128, 128)
    head(s, x, classes)


def squeezenet(s: Sketch, x: Value, classes: int, width: float) -> None:
    """F. Iandola et al., SqueezeNet, 2016, version 1.1."""

    def fire(x: Value, name: str, squeeze: int, expand: int) -> Value:
        with s.scope(name):
            y = s.conv(x, divisible(squeeze * width), 1, act="relu", name="squeeze")
            wide = divisible(expand * width)
            return s.concat(
                [
                    s.conv(y, wide, 1, act="relu", name="expand1x1"),
                    s.conv(y, wide, 3, act="relu", name="expand3x3"),
                ]
            )

    x = s.max_pool(s.conv(x, divisible(64 * width), 3, 2, 0, act="relu", name="conv1"), 3, 2)
    x = fire(fire(x, "fire2", 16, 64), "fire3", 16, 64)
    x = s.max_pool(x, 3, 2)
    x = fire(fire(x, "fire4", 32, 128), "fire5", 32, 128)
    x = s.max_pool(x, 3, 2)
    x = fire(fire(x, "fire6", 48, 192), "fire7", 48, 192)
    x = fire(fire(x, "fire8", 64, 256), "fire9", 64, 256)
    x = s.conv(x, classes, 1, act="relu", name="conv10")
    s.output(s.flat(s.global_average(x)))


def darknet19(s: Sketch, x: Value, classes: int, width: float) -> None:
    """J. Redmon and A. Farhadi, YOLO9000: better, faster, stronger, 2016."""
    x = darknet19_body(s, x, width)[1]
    x = s.conv(x, classes, 1, name="conv19")
    s.output(s.flat(s.global_average(x)))


def darknet19_body(s: Sketch, x: Value, width: float) -> tuple[Value, Value]:
    """After 13 and after 18 convolutions."""
    early = x
    for i, channels in enumerate(
        ((32,), (64,), (128, 64, 128), (256, 128, 256), (512, 256, 512, 256, 512),
         (1024, 512, 1024, 512, 1024))
    ):  # fmt: skip
        if i > 0:
            early = x
            x = s.max_pool(x, 2, 2)
        for k, count in enumerate(channels):
            c = divisible(count * width)
            x = s.conv(x, c, 3 - k % 2 * 2, act="leaky_relu", name=f"conv{i + 1}_{k + 1}")
    return early, x
