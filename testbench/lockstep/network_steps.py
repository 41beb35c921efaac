"""Operators of random networks, each added where it fits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import presil
from presil.graph_builder import Tensor

MOST_MACS = 3_000_000
"""What a network costs to simulate stays at some seconds."""
ACTS = ("none", "relu", "relu6")


@dataclass
class Grower:
    """A network as it grows, operator by operator."""

    dice: np.random.Generator
    builder: presil.Builder
    most_values: int
    tensors: list[Tensor] = field(default_factory=list)
    used: set[int] = field(default_factory=set)
    macs: int = 0

    # ---- dice

    def between(self, low: int, high: int) -> int:
        return int(self.dice.integers(low, high + 1))

    def choose(self, of: Sequence[Any]) -> Any:
        return of[self.between(0, len(of) - 1)]

    def chance(self, percent: int) -> bool:
        return self.between(1, 100) <= percent

    def scale(self) -> float:
        return float(np.float32(self.dice.uniform(0.02, 0.1)))

    def out(self) -> tuple[float, int]:
        return self.scale(), self.between(-20, 20)

    def weights(self, *shape: int) -> np.ndarray:
        return self.dice.integers(-127, 128, shape, np.int8)

    def bias(self, channels: int) -> np.ndarray:
        return self.dice.integers(-4000, 4000, channels, np.int32)

    def channels(self) -> int:
        """Odd ones and whole blocks of 16, both often."""
        return self.between(1, 4) * 16 if self.chance(40) else self.between(1, 72)

    # ---- tensors

    def pick(self, rank: int = 4) -> Tensor | None:
        """Mostly the newest, sometimes an older one; those without a reader come first."""
        fitting = [t for t in self.tensors if len(t.shape) == rank]
        if not fitting:
            return None
        fresh = [t for t in fitting if t.id not in self.used]
        if fresh and self.chance(70):
            return fresh[-1]
        return fitting[max(0, len(fitting) - self.between(1, 4))]

    def read(self, *tensors: Tensor) -> None:
        self.used |= {t.id for t in tensors}

    def spend(self, macs: int, values: int) -> bool:
        """Whether an operator of that size may be added."""
        if self.macs + macs > MOST_MACS or values > self.most_values or values < 1:
            return False
        self.macs += macs
        return True


# ---- operators: each takes what it finds and returns its result, or nothing where none fits


def convolution(g: Grower, kernel: tuple[int, int], strides: bool = True) -> Tensor | None:
    x = g.pick()
    if x is None:
        return None
    _, h, w, c = x.shape
    kernel = (min(kernel[0], h), min(kernel[1], w))
    stride = (g.between(1, 2), g.between(1, 2)) if strides and g.chance(30) else (1, 1)
    k = g.channels()
    if not g.spend(h * w * c * k * kernel[0] * kernel[1], h * w * k):
        return None
    g.read(x)
    weights = g.weights(k, *kernel, c)
    return g.builder.conv2d(
        x,
        weights,
        g.bias(k),
        weights_scale=g.scale() / (8 * np.prod(kernel) * c) ** 0.5,
        stride=stride,
        padding=str(g.choose(("same", "valid"))),
        act=str(g.choose(ACTS)),
        out=g.out(),
    )


def conv(g: Grower) -> Tensor | None:
    return convolution(g, (g.between(1, 5), g.between(1, 5)))


def pointwise(g: Grower) -> Tensor | None:
    return convolution(g, (1, 1), strides=False)


def depthwise(g: Grower, x: Tensor | None = None, stride: int | None = None) -> Tensor | None:
    x = x or g.pick()
    if x is None:
        return None
    _, h, w, c = x.shape
    side = int(min(g.choose((3, 3, 5, 7)), max(h, 1), max(w, 1)))
    if not g.spend(h * w * c * side * side, h * w * c):
        return None
    g.read(x)
    return g.builder.depthwise_conv2d(
        x,
        g.weights(1, side, side, c),
        g.bias(c),
        weights_scale=g.scale() / (4 * side),
        stride=stride or (2 if g.chance(25) else 1),
        padding="same",
        act=str(g.choose(ACTS)),
        out=g.out(),
    )


def inverted(g: Grower) -> Tensor | None:
    """Expand, depthwise, project; added to its input where that fits."""
    x = g.pick()
    if x is None:
        return None
    _, h, w, c = x.shape
    wide, stride = c * g.between(1, 6), 2 if g.chance(40) else 1
    narrow = c if stride == 1 and g.chance(60) else g.between(8, 48)
    rows, columns = -(-h // stride), -(-w // stride)
    if not g.spend(h * w * c * wide + rows * columns * wide * narrow, h * w * wide):
        return None
    g.read(x)

    def project(y: Tensor, channels: int, act: str) -> Tensor:
        scale = g.scale() / (8 * y.shape[3]) ** 0.5
        weights = g.weights(channels, 1, 1, y.shape[3])
        return g.builder.conv2d(
            y, weights, g.bias(channels), weights_scale=scale, act=act, out=g.out()
        )

    y = depthwise(g, project(x, wide, "relu6"), stride)
    if y is None:
        return None
    y = project(y, narrow, "none")
    return g.builder.op("add", [x, y], {}, g.out()) if y.shape == x.shape else y


def pair(g: Grower, kind: str) -> Tensor | None:
    """Of two tensors of one shape; where there is but one, with itself moved by a pool."""
    x = g.pick()
    if x is None:
        return None
    others = [t for t in g.tensors if t.shape == x.shape and t.id != x.id]
    y = others[-1] if others else g.builder.max_pool2d(x, 3, stride=1, padding="same")
    if not g.spend(0, int(np.prod(x.shape))):
        return None
    g.read(x, y)
    return g.builder.op(kind, [x, y], {}, g.out())


def add(g: Grower) -> Tensor | None:
    return pair(g, str(g.choose(("add", "sub"))))


def mul(g: Grower) -> Tensor | None:
    return pair(g, "mul")


def concat(g: Grower) -> Tensor | None:
    """Along any axis but the first; of what has the same type in the rest."""
    x = g.pick()
    if x is None:
        return None
    axis = g.between(1, 3) if g.chance(30) else 3
    rest = [n for i, n in enumerate(x.shape) if i != axis]
    same = [t for t in g.tensors if [n for i, n in enumerate(t.shape) if i != axis] == rest]
    parts = [g.choose(same) for _ in range(g.between(1, 3))] + [x]
    values = sum(int(np.prod(t.shape)) for t in parts)
    if len(rest) != 3 or not g.spend(0, values):
        return None
    g.read(*parts)
    return g.builder.concat(parts, axis, out=None if g.chance(50) else g.out())


def slices(g: Grower, step: int = 1) -> Tensor | None:
    """Of one axis mostly, of all sometimes; channels at odd places and at whole blocks."""
    x = g.pick()
    if x is None:
        return None
    begin, size = [0] * 4, list(x.shape)
    for axis in (1, 2, 3) if g.chance(25) else (g.between(1, 3),):
        whole = x.shape[axis]
        first = g.between(0, whole - 1)
        if axis == 3 and whole > 16 and g.chance(50):
            first = first // 16 * 16
        begin[axis] = first
        size[axis] = g.between(1, whole - first)
    steps = [1, *(step if axis < 3 else 1 for axis in (1, 2, 3))]
    size = [max(1, n // s) for n, s in zip(size, steps)]
    if not g.spend(0, int(np.prod(size))):
        return None
    g.read(x)
    return g.builder.slice(x, begin, size, steps)


def strided(g: Grower) -> Tensor | None:
    return slices(g, 2)


def pad(g: Grower) -> Tensor | None:
    x = g.pick()
    if x is None:
        return None
    widths = [(0, 0), *((g.between(0, 2), g.between(0, 3)) for _ in range(2)), (0, 0)]
    if g.chance(25):
        widths[3] = (g.between(0, 3), g.between(0, 17))
    if not g.spend(0, int(np.prod([n + a + b for n, (a, b) in zip(x.shape, widths)]))):
        return None
    g.read(x)
    return g.builder.pad(x, widths)


def pool(g: Grower) -> Tensor | None:
    x = g.pick()
    if x is None:
        return None
    kernel = (min(g.between(1, 4), x.shape[1]), min(g.between(1, 4), x.shape[2]))
    make = g.builder.max_pool2d if g.chance(50) else g.builder.average_pool2d
    stride = g.between(1, 2)
    g.read(x)
    return make(x, kernel, stride=stride, padding=str(g.choose(("same", "valid"))))


def resize(g: Grower) -> Tensor | None:
    x = g.pick()
    if x is None:
        return None
    _, h, w, c = x.shape
    size = (2 * h, 2 * w) if g.chance(60) else (g.between(1, 2 * h), g.between(1, 2 * w))
    if not g.spend(0, size[0] * size[1] * c):
        return None
    g.read(x)
    return g.builder.resize_nearest(x, size)


def transpose(g: Grower) -> Tensor | None:
    x = g.pick()
    if x is None:
        return None
    g.read(x)
    return g.builder.transpose(x, [0, *(1 + g.dice.permutation(3)).tolist()])


def reshape(g: Grower) -> Tensor | None:
    """Pixels in other rows, or channels made of pixels."""
    x = g.pick()
    if x is None:
        return None
    values = int(np.prod(x.shape))
    divisors = [n for n in range(1, 65) if values % n == 0]
    c = x.shape[3] if g.chance(50) else int(g.choose(divisors))
    rows = int(g.choose([n for n in divisors if values // c % n == 0]))
    g.read(x)
    return g.builder.reshape(x, [1, rows, values // c // rows, c])


def dense(g: Grower) -> Tensor | None:
    x = g.pick()
    if x is None:
        return None
    _, h, w, c = x.shape
    k = g.channels()
    if not g.spend(h * w * c * k, h * w * k):
        return None
    g.read(x)
    rows = g.builder.reshape(x, [h * w, c])
    scale = g.scale() / (8 * c) ** 0.5
    y = g.builder.fully_connected(
        rows, g.weights(k, c), g.bias(k), weights_scale=scale, act=str(g.choose(ACTS)), out=g.out()
    )
    return g.builder.reshape(y, [1, h, w, k])


def matmul(g: Grower) -> Tensor | None:
    """Rows of an image times those of an image, or its own: as attention has it."""
    x = g.pick()
    if x is None:
        return None
    _, h, w, c = x.shape
    others = [t for t in g.tensors if len(t.shape) == 4 and t.shape[3] == c] or [x]
    y = others[g.between(0, len(others) - 1)]
    a, b = h * w, y.shape[1] * y.shape[2]
    if not g.spend(a * b * c, a * b):
        return None
    g.read(x, y)
    left, right = g.builder.reshape(x, [1, a, c]), g.builder.reshape(y, [1, b, c])
    product = g.builder.op(
        "batch_matmul", [left, right], {"transpose_b": True}, (40 * g.scale(), 0)
    )
    if g.chance(40):
        product = g.builder.softmax(product)
    return g.builder.reshape(product, [1, h, w, b])


def curve(g: Grower) -> Tensor | None:
    x = g.pick()
    if x is None:
        return None
    kind = str(g.choose(("logistic", "tanh", "hard_swish", "leaky_relu", "elu")))
    g.read(x)
    fixed = {"logistic": (1 / 256, -128), "tanh": (1 / 128, 0)}
    attributes = {"alpha": 0.1} if kind == "leaky_relu" else {}
    return g.builder.op(kind, [x], attributes, fixed.get(kind) or g.out())


STEPS: dict[str, Callable[[Grower], Tensor | None]] = {
    "conv": conv,
    "pointwise": pointwise,
    "depthwise": depthwise,
    "inverted": inverted,
    "add": add,
    "mul": mul,
    "concat": concat,
    "slice": slices,
    "strided": strided,
    "pad": pad,
    "pool": pool,
    "resize": resize,
    "transpose": transpose,
    "reshape": reshape,
    "dense": dense,
    "matmul": matmul,
    "curve": curve,
}
