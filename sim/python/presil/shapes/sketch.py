"""A topology as layers with random weights, before it is written as a graph or as a file.

s = Sketch("net", seed=0)
x = s.input(32, 32, 3)
x = s.conv(x, 16, stride=2, act="relu")
s.output(s.dense(s.flat(s.global_average(x)), 10))

Images are [n, height, width, channels], rows [n, ..., channels]. Weights of each output channel are
normal, scaled so that its sums have variance 1, and its bias takes their mean away: what a folded
batch normalisation does. Activations are int8 with a zero point, one scale for tensors that moves
and concatenations join; weights int8 with a scale for each output channel.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..refusal import Refusal
from . import moments
from .functions import FUNCTIONS, FUSED
from .moments import Moments

BIAS_DEVIATION = 0.25
"""Of the means that sums have after their biases, in standard deviations of the sums."""


@dataclass(eq=False)
class Value:
    """A tensor of the sketch."""

    name: str
    shape: tuple[int, ...]
    moments: Moments
    step: Step

    @property
    def channels(self) -> int:
        return self.shape[-1]

    @property
    def scale(self) -> float:
        return float(self.step.scale)

    @property
    def zero_point(self) -> int:
        return self.step.zero_point


@dataclass(eq=False)
class Step:
    """What one stored unit means, shared by the tensors that must agree."""

    low: float
    high: float
    joined: Step | None = None

    def root(self) -> Step:
        step = self
        while step.joined is not None:
            step = step.joined
        return step

    @property
    def scale(self) -> np.float32:
        root = self.root()
        return np.float32(max(root.high, 0.0) - min(root.low, 0.0)) / np.float32(255)

    @property
    def zero_point(self) -> int:
        low = min(self.root().low, 0.0)
        return int(np.clip(round(-128 - low / float(self.scale)), -128, 127))


@dataclass
class Layer:
    """An operator: what backends turn into theirs."""

    kind: str
    name: str
    inputs: list[Value]
    output: Value
    how: dict[str, Any] = field(default_factory=dict)


@dataclass
class Weights:
    """Of a layer with sums: int8 [outputs, ..., inputs], a scale for each output, real biases."""

    values: np.ndarray
    scales: np.ndarray
    bias: np.ndarray

    def steps(self, x: Value) -> np.ndarray:
        """The bias as int32 in steps of x's scale times the weights'."""
        step = np.float64(x.step.scale) * self.scales
        return np.rint(self.bias / step).astype(np.int32)


Pads = tuple[int, int, int, int]
"""Top, bottom, left, right."""


class Sketch:
    """Layers, one after another; see the module."""

    def __init__(self, name: str, seed: int = 0, batch: int = 1) -> None:
        self.name, self.batch = name, batch
        self.layers: list[Layer] = []
        self.inputs: list[Value] = []
        self.outputs: list[Value] = []
        self._random = np.random.default_rng(seed)
        self._scope: list[str] = []
        self._names: dict[str, int] = {}

    @contextmanager
    def scope(self, name: str) -> Iterator[None]:
        """Layers inside are called name/..."""
        self._scope.append(name)
        yield
        self._scope.pop()

    def input(self, *shape: int, name: str = "input", low: float = -1, high: float = 1) -> Value:
        """Values spread evenly over a range: an image by default."""
        flat = np.full(shape[-1], (high - low) ** 2 / 12)
        mean = np.full(shape[-1], (low + high) / 2)
        value = Value(name, (self.batch, *shape), Moments(mean, flat, low, high), Step(low, high))
        self.inputs.append(value)
        return value

    def output(self, *values: Value) -> None:
        self.outputs += values

    # ---- layers with weights

    def conv(
        self,
        x: Value,
        channels: int,
        kernel: int | tuple[int, int] = 3,
        stride: int = 1,
        pads: int | Pads | None = None,
        *,
        groups: int = 1,
        dilation: int = 1,
        act: str = "none",
        name: str = "conv",
    ) -> Value:
        """A convolution; pads: default as many pixels as keep an image of stride 1 its size."""
        high, wide = (kernel, kernel) if isinstance(kernel, int) else kernel
        sides = self._sides(pads, (high - 1) * dilation, (wide - 1) * dilation)
        rows = self._extent(x.shape[1], high, stride, sides[:2], dilation)
        columns = self._extent(x.shape[2], wide, stride, sides[2:], dilation)
        each = x.channels // groups
        index = np.arange(channels) // (channels // groups)  # the group of an output channel
        inputs = index[:, None] * each + np.arange(each)  # [channels, each]
        weights = self._weights(x.moments, inputs, high * wide)
        shape = (channels, high, wide, each)
        weights.values = np.ascontiguousarray(
            weights.values.reshape(channels, each, high, wide).transpose(0, 2, 3, 1)
        ).reshape(shape)
        how = {"weights": weights, "stride": stride, "pads": sides}
        how.update(groups=groups, dilation=dilation)
        return self._sum(
            "conv", name, [x], (x.shape[0], rows, columns, channels), how, act, self._fresh
        )

    def depthwise(
        self, x: Value, kernel: int = 3, stride: int = 1, pads: int | Pads | None = None, **how: Any
    ) -> Value:
        """A convolution of each channel by itself."""
        how.setdefault("name", "depthwise")
        return self.conv(x, x.channels, kernel, stride, pads, groups=x.channels, **how)

    def transposed(self, x: Value, channels: int, kernel: int = 2, act: str = "none") -> Value:
        """A transposed convolution with a stride of its kernel: that many times the pixels."""
        inputs = np.broadcast_to(np.arange(x.channels), (channels, x.channels))
        weights = self._weights(x.moments, inputs, kernel * kernel, 1.0 / (kernel * kernel))
        weights.values = np.ascontiguousarray(
            weights.values.reshape(channels, x.channels, kernel, kernel).transpose(0, 2, 3, 1)
        )
        n, rows, columns, _ = x.shape
        shape = (n, rows * kernel, columns * kernel, channels)
        how = {"weights": weights, "stride": kernel}
        return self._sum("transposed", "transposed", [x], shape, how, act, self._fresh)

    def dense(
        self,
        x: Value,
        units: int,
        act: str = "none",
        name: str = "dense",
        gain: float = 1.0,
        weights: Weights | None = None,
    ) -> Value:
        """Rows of x times a matrix; weights: those of another layer, whose x has the same steps."""
        inputs = np.broadcast_to(np.arange(x.channels), (units, x.channels))
        how = {"weights": weights or self._weights(x.moments, inputs, 1, gain=gain)}
        return self._sum(
            "dense", name, [x], (*x.shape[:-1], units), how, act, lambda c: self._fresh(c, gain)
        )

    # ---- sums, products, functions

    def add(self, a: Value, b: Value, act: str = "none", name: str = "sum") -> Value:
        made = moments.total(a.moments, b.moments)
        return self._sum("add", name, [a, b], a.shape, {}, act, lambda _: made)

    def offset(self, x: Value, name: str = "offset") -> Value:
        """x and random constants of its shape, as positions are added."""
        values = self._random.standard_normal((1, *x.shape[1:])).astype(np.float32)
        step = Step(-moments.REACH, moments.REACH)
        stored = np.clip(np.rint(values / step.scale) + step.zero_point, -128, 127)
        how = {"values": stored.astype(np.int8), "step": step}
        made = moments.normal(x.moments.mean, x.moments.variance + 1)
        return self._layer("offset", name, [x], x.shape, made, how)

    def multiply(self, a: Value, b: Value, name: str = "multiply") -> Value:
        """b: as a, or one value for each channel."""
        return self._layer("multiply", name, [a, b], a.shape, moments.product(a.moments, b.moments))

    def activation(self, x: Value, function: str) -> Value:
        """A function of each value."""
        if function == "none":
            return x
        made = moments.through(x.moments, FUNCTIONS[function])
        how = {"function": function}
        return self._layer("function", f"{x.name}/{function}", [x], x.shape, made, how, whole=True)

    def softmax(self, x: Value) -> Value:
        """Over the last axis, in steps of 1/256."""
        share = np.full(x.channels, 1.0 / x.channels)
        made = Moments(share, share**2, 0.0, 255 / 256)
        return self._layer("softmax", "probabilities", [x], x.shape, made)

    def normalise(self, x: Value) -> Value:
        """Rows of mean 0 and variance 1 (layer normalisation)."""
        made = moments.normal(np.zeros(x.channels), np.ones(x.channels))
        return self._layer("normalise", "normalised", [x], x.shape, made)

    def matmul(self, a: Value, b: Value, turned: bool, spread: float, name: str) -> Value:
        """Products of matrices of the last two axes; turned: of a and the transposed b.

        spread: the variance of the result; its mean is 0."""
        columns = b.shape[-2] if turned else b.shape[-1]
        made = moments.normal(np.zeros(columns), np.full(columns, spread))
        shape = (*a.shape[:-1], columns)
        return self._layer("matmul", name, [a, b], shape, made, {"turned": turned})

    # ---- pools and moves

    def max_pool(self, x: Value, kernel: int, stride: int, pads: int | Pads = 0) -> Value:
        made = Moments(
            x.moments.mean + 1.3 * np.sqrt(x.moments.variance),
            x.moments.variance * 0.4,
            x.moments.low,
            x.moments.high,
        )
        return self._pool("max_pool", x, kernel, stride, pads, made)

    def average_pool(self, x: Value, kernel: int, stride: int, pads: int | Pads = 0) -> Value:
        made = moments.averaged(x.moments, kernel * kernel)
        return self._pool("average_pool", x, kernel, stride, pads, made)

    def global_average(self, x: Value) -> Value:
        """[n, 1, 1, channels]"""
        made = moments.averaged(x.moments, max(1, x.shape[1] * x.shape[2] // 4))
        shape = (x.shape[0], 1, 1, x.channels)
        return self._layer("global_average", "average", [x], shape, made)

    def token_average(self, x: Value) -> Value:
        """[n, tokens, channels] to [n, channels]"""
        made = moments.averaged(x.moments, max(1, x.shape[1] // 4))
        return self._layer("token_average", "average", [x], (x.shape[0], x.channels), made)

    def concat(self, values: Sequence[Value], axis: int = -1) -> Value:
        """Along channels, or along another axis where all have the same of them."""
        last = axis in (-1, len(values[0].shape) - 1)
        parts = [v.moments for v in values]
        made = (
            moments.joined(parts)
            if last
            else Moments(
                np.mean([p.mean for p in parts], axis=0),
                np.mean([p.variance for p in parts], axis=0),
                min(p.low for p in parts),
                max(p.high for p in parts),
            )
        )
        shape = list(values[0].shape)
        shape[axis] = sum(v.shape[axis] for v in values)
        return self._move("concat", list(values), tuple(shape), made, {"axis": axis % len(shape)})

    def slice(self, x: Value, begin: int, size: int) -> Value:
        """Channels from `begin` on."""
        m = x.moments
        part = np.s_[begin : begin + size]
        made = Moments(m.mean[part], m.variance[part], m.low, m.high)
        return self._move("slice", [x], (*x.shape[:-1], size), made, {"begin": begin})

    def upsample(self, x: Value, factor: int = 2) -> Value:
        """Each pixel becomes factor x factor."""
        n, rows, columns, channels = x.shape
        shape = (n, rows * factor, columns * factor, channels)
        return self._move("upsample", [x], shape, x.moments, {"factor": factor})

    def resize(self, x: Value, rows: int, columns: int) -> Value:
        """Interpolated linearly, pixels at their centres."""
        return self._move("resize", [x], (x.shape[0], rows, columns, x.channels), x.moments)

    def space_to_depth(self, x: Value, block: int) -> Value:
        n, rows, columns, channels = x.shape
        shape = (n, rows // block, columns // block, channels * block * block)
        made = moments.joined([x.moments] * block * block)
        return self._move("space_to_depth", [x], shape, made, {"block": block})

    def flat(self, x: Value) -> Value:
        """[n, rows, columns, channels] to [n, values]"""
        count = int(np.prod(x.shape[1:-1]))
        made = moments.joined([x.moments] * count)
        return self._move("flat", [x], (x.shape[0], count * x.channels), made)

    def tokens(self, x: Value) -> Value:
        """[n, rows, columns, channels] to [n, rows * columns, channels]"""
        n, rows, columns, channels = x.shape
        return self._move("tokens", [x], (n, rows * columns, channels), x.moments)

    def heads(self, x: Value, count: int) -> Value:
        """[n, tokens, heads * width] to [n, heads, tokens, width]"""
        n, tokens, channels = x.shape
        width = channels // count
        m = x.moments
        made = Moments(m.mean[:width], m.variance[:width], m.low, m.high)
        return self._move("heads", [x], (n, count, tokens, width), made)

    def merged(self, x: Value) -> Value:
        """[n, heads, tokens, width] to [n, tokens, heads * width]"""
        n, count, tokens, width = x.shape
        made = moments.joined([x.moments] * count)
        return self._move("merged", [x], (n, tokens, count * width), made)

    # ---- parts

    def _fresh(self, channels: int, gain: float = 1.0) -> Moments:
        """Of sums with the biases that _weights gives."""
        mean = np.zeros(channels)
        return moments.normal(mean, np.full(channels, gain**2 * (1 + BIAS_DEVIATION**2)))

    def _weights(
        self, x: Moments, inputs: np.ndarray, taps: int, share: float = 1.0, gain: float = 1.0
    ) -> Weights:
        """int8 [outputs, inputs * taps] for sums of variance gain squared.

        inputs: the input channels of each output; share: of the taps that one sum has."""
        outputs, each = inputs.shape
        real = self._random.standard_normal((outputs, each, taps), dtype=np.float32)
        squares, sums = np.square(real).sum(axis=2), real.sum(axis=2)
        variance = share * np.einsum("oi,oi->o", squares, x.variance[inputs])
        factor = gain / np.sqrt(np.maximum(variance, 1e-12))
        mean = share * np.einsum("oi,oi->o", sums, x.mean[inputs]) * factor
        means = gain * BIAS_DEVIATION * self._random.standard_normal(outputs)
        real = real.reshape(outputs, -1)
        largest = np.maximum(np.abs(real).max(axis=1), 1e-12)
        values = np.rint(real * (np.float32(127) / largest)[:, None]).astype(np.int8)
        scales = (largest * factor / 127).astype(np.float32)
        made = Weights(values, scales, means - mean)
        return made

    def _sum(
        self,
        kind: str,
        name: str,
        inputs: list[Value],
        shape: tuple[int, ...],
        how: dict[str, Any],
        act: str,
        made: Any,
    ) -> Value:
        """A layer that adds up, and what follows it."""
        own = act if act in FUSED else "none"
        after = moments.through(made(shape[-1]), FUNCTIONS[own])
        value = self._layer(kind, name, inputs, shape, after, {**how, "act": own})
        return value if act in FUSED else self.activation(value, act)

    def _pool(
        self,
        kind: str,
        x: Value,
        kernel: int,
        stride: int,
        pads: int | Pads,
        made: Moments,
    ) -> Value:
        sides = self._sides(pads, 0, 0)
        n, rows, columns, channels = x.shape
        shape = (
            n,
            self._extent(rows, kernel, stride, sides[:2], 1),
            self._extent(columns, kernel, stride, sides[2:], 1),
            channels,
        )
        how = {"kernel": kernel, "stride": stride, "pads": sides}
        return self._move(kind, [x], shape, made, how)

    def _move(
        self,
        kind: str,
        inputs: list[Value],
        shape: tuple[int, ...],
        made: Moments,
        how: dict[str, Any] | None = None,
    ) -> Value:
        """A layer whose result has the steps of its inputs."""
        value = self._layer(kind, kind, inputs, shape, made, how)
        root = value.step
        for x in inputs:
            other = x.step.root()
            if other is not root:
                root.low, root.high = min(root.low, other.low), max(root.high, other.high)
                other.joined = root
        return value

    def _layer(
        self,
        kind: str,
        name: str,
        inputs: list[Value],
        shape: tuple[int, ...],
        made: Moments,
        how: dict[str, Any] | None = None,
        whole: bool = False,
    ) -> Value:
        label = name if whole else "/".join([*self._scope, name])
        seen = self._names[label] = self._names.get(label, 0) + 1
        label += f"_{seen}" if seen > 1 else ""
        if min(shape) < 1:
            raise Refusal(
                f"nets: '{label}' of {self.name} has no pixel left; give a greater resolution"
            )
        value = Value(label, shape, made, Step(made.low, made.high))
        self.layers.append(Layer(kind, label, inputs, value, how or {}))
        return value

    @staticmethod
    def _sides(pads: int | Pads | None, high: int, wide: int) -> Pads:
        if pads is None:
            return (high // 2, high - high // 2, wide // 2, wide - wide // 2)
        return (pads, pads, pads, pads) if isinstance(pads, int) else pads

    @staticmethod
    def _extent(
        extent: int, kernel: int, stride: int, sides: tuple[int, ...], dilation: int
    ) -> int:
        return (extent + sum(sides) - (kernel - 1) * dilation - 1) // stride + 1
