"""Random networks of many operators, as files: what people put after each other, in any order.

A network of a seed is the same everywhere. Values stay around 1, so that quantised ones neither
saturate nor vanish: weights are 1 by the root of their products, activations have steps for +-4.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from .model import Model
from .weighted import out_size

#: Types of activations, and "Dynamic": float32 with int8 weights.
KINDS = ("Int8", "Uint8", "Int16", "Float32", "Dynamic")
STEPS = {"Int8": 2**5, "Uint8": 2**5, "Int16": 2**13, "Float32": 1}
ACTS = ("None", "Relu", "Relu", "Relu6")


class Net:
    """A network as it grows: `x` is its last tensor, [batch, height, width, channels]."""

    def __init__(self, kind: str, seed: int, batch: int = 0) -> None:
        self.dynamic = kind == "Dynamic"
        self.m = Model(
            np.random.default_rng([seed, *kind.encode()]), kind.replace("Dynamic", "Float32")
        )
        self.parts: list[str] = []
        batch = batch or self.m.pick([1, 1, 2, 3, 4])
        image = [self.m.number(5, 40), self.m.number(5, 40)]
        self.shape = [batch, *image, self.m.pick([1, 3, 3, 8, 16, 21])]
        self.x = self.like(self.shape)
        self.m.inputs.append(self.x)

    # ---- tensors

    def like(self, shape: list[int], step: float = 0, zero: int | None = None) -> int:
        if self.m.kind == "Float32":
            return self.m.tensor(shape)
        middle = int(self.m.rng.integers(-20, 20)) if self.m.kind in ("Int8", "Uint8") else 0
        if zero is None:
            zero = middle + (128 if self.m.kind == "Uint8" else 0)
        return self.m.tensor(shape, "", step or self.m.between(0.8, 1.3) / STEPS[self.m.kind], zero)

    def same(self, shape: list[int]) -> int:
        """In the steps of x."""
        return self.like(shape) if self.m.kind == "Float32" else self.m.like(self.x, shape)

    def weights(self, shape: list[int], terms: int, axis: int) -> tuple[list[int], int]:
        """With a bias; axis: of the output channels."""
        m, size = self.m, 1 / math.sqrt(terms)
        count = shape[axis]
        if m.kind == "Float32" and not self.dynamic:
            w = m.tensor(shape, data=(m.rng.normal(0, size, shape)).astype(np.float32))
            return [
                w,
                m.tensor([count], data=m.rng.normal(0, 0.1, count).astype(np.float32)),
            ], count
        scales = [float(np.float32(size / 73 * m.between(0.7, 1.4))) for _ in range(count)]
        if self.dynamic:
            w = m.constant(m.rng.integers(-127, 128, shape).astype(np.int8), scales, axis=axis)
            return [
                w,
                m.tensor([count], data=m.rng.normal(0, 0.1, count).astype(np.float32)),
            ], count
        step = m.scale_of(self.x)
        if m.kind == "Uint8":
            w = m.constant(
                m.rng.integers(0, 256, shape).astype(np.uint8), scales[0], 128 + m.number(0, 5)
            )
            per: float | list[float] = scales[0] * step
        else:
            w = m.constant(m.rng.integers(-127, 128, shape).astype(np.int8), scales, axis=axis)
            per = [s * step for s in scales]
        wide = np.int64 if m.kind == "Int16" else np.int32
        data = (m.rng.normal(0, 0.1, count) / np.broadcast_to(per, count)).astype(wide)
        return [w, m.tensor([count], np.dtype(wide).name.capitalize(), per, data=data)], count

    def into(self, tensor: int, shape: list[int]) -> None:
        self.x, self.shape = tensor, shape

    # ---- parts

    def conv(self, channels: int = 0, kernel: int = 0, stride: int = 0) -> None:
        m, (n, h, w, c) = self.m, self.shape
        k = kernel or m.pick([1, 1, 3, 3, 5])
        s = stride or (m.pick([1, 1, 2]) if min(h, w) > 6 else 1)
        out = channels or m.pick([8, 13, 16, 24, 32, 40])
        y_shape = [n, out_size(h, k, s, 1, "Same"), out_size(w, k, s, 1, "Same"), out]
        inputs, _ = self.weights([out, k, k, c], k * k * c, 0)
        y = self.like(y_shape)
        m.op("CONV_2D", [self.x, *inputs], y, "Conv2D", padding="Same", stride_h=s, stride_w=s,
             activation=m.pick(ACTS))  # fmt: skip
        self.into(y, y_shape)

    def depthwise(self) -> None:
        m, (n, h, w, c) = self.m, self.shape
        k, s = m.pick([3, 3, 5]), m.pick([1, 1, 2]) if min(h, w) > 6 else 1
        y_shape = [n, out_size(h, k, s, 1, "Same"), out_size(w, k, s, 1, "Same"), c]
        inputs, _ = self.weights([1, k, k, c], k * k, 3)
        y = self.like(y_shape)
        m.op("DEPTHWISE_CONV_2D", [self.x, *inputs], y, "DepthwiseConv2D", padding="Same",
             stride_h=s, stride_w=s, depth_multiplier=1, activation=m.pick(ACTS))  # fmt: skip
        self.into(y, y_shape)

    def upsample(self) -> None:
        m, (n, h, w, c) = self.m, self.shape
        if h * w > 900 or self.m.kind == "Int16":
            return self.pool()
        code = m.pick(["RESIZE_BILINEAR", "RESIZE_NEAREST_NEIGHBOR"])
        y_shape = [n, 2 * h, 2 * w, c]
        kind = "ResizeBilinear" if code == "RESIZE_BILINEAR" else "ResizeNearest"
        y = self.same(y_shape)
        m.op(code, [self.x, m.integers(2 * h, 2 * w)], y, kind, half_pixel_centers=m.chance(0.5))
        return self.into(y, y_shape)

    def pool(self) -> None:
        m, (n, h, w, c) = self.m, self.shape
        k = min(h, w, m.pick([2, 2, 3]))
        code = m.pick(["AVERAGE_POOL_2D", "MAX_POOL_2D"])
        y_shape = [n, out_size(h, k, 2, 1, "Same"), out_size(w, k, 2, 1, "Same"), c]
        y = self.same(y_shape)
        m.op(code, [self.x], y, "Pool2D", padding="Same", stride_h=2, stride_w=2, filter_h=k,
             filter_w=k, activation="None")  # fmt: skip
        self.into(y, y_shape)

    def residual(self) -> None:
        before = self.x
        self.conv(self.shape[3], stride=1)
        y = self.like(self.shape)
        self.m.op("ADD", [before, self.x], y, "Add", activation=self.m.pick(ACTS))
        self.x = y

    def dense_block(self) -> None:
        before, channels, m = self.x, self.shape[3], self.m
        self.conv(m.pick([4, 8, 12]), stride=1)
        quantized = m.tensors[before].get("quantization")
        if quantized is not None:  # a concatenation takes one scale alone
            m.tensors[self.x]["quantization"] = quantized
        shape = [*self.shape[:3], channels + self.shape[3]]
        y = self.same(shape)
        m.op("CONCATENATION", [before, self.x], y, "Concatenation", axis=3)
        self.into(y, shape)

    def gate(self) -> None:
        """Squeeze and excite."""
        m, (n, _, _, c) = self.m, self.shape
        whole, shape = self.x, self.shape
        y = self.like([n, 1, 1, c])
        m.op("MEAN", [self.x, m.integers(1, 2)], y, "Reducer", keep_dims=True)
        self.into(y, [n, 1, 1, c])
        self.conv(m.pick([4, 8]), 1, 1)
        self.conv(c, 1, 1)
        steps = {"Int8": (1 / 256, -128), "Uint8": (1 / 256, 0), "Int16": (2**-15, 0)}
        y = self.like(self.shape, *steps.get(m.kind, ()))
        m.op("LOGISTIC", [self.x], y)
        z = self.like(shape)
        m.op("MUL", [whole, y], z, "Mul", activation="None")
        self.into(z, shape)

    def shuffle(self) -> None:
        n, h, w, c = self.shape
        groups = next((g for g in (4, 2, 3) if c % g == 0), 1)
        y = self.same([n, h, w, groups, c // groups])
        self.m.op("RESHAPE", [self.x, self.m.integers(n, h, w, groups, c // groups)], y)
        z = self.same([n, h, w, c // groups, groups])
        self.m.op("TRANSPOSE", [y, self.m.integers(0, 1, 2, 4, 3)], z)
        self.x = self.same(self.shape)
        self.m.op("RESHAPE", [z, self.m.integers(*self.shape)], self.x)

    def attention(self) -> None:
        """Pixels look at pixels."""
        m, (n, h, w, c) = self.m, self.shape
        if h * w > 400 or m.kind == "Uint8":  # no runtime has a product of uint8
            return self.pool()
        rows, before = [n, h * w, c], self.x
        tokens = self.same(rows)
        m.op("RESHAPE", [self.x, m.integers(*rows)], tokens)
        wide = 1 if m.kind == "Float32" else math.sqrt(c) * m.scale_of(self.x)
        scores = self.like([n, h * w, h * w], wide if m.kind != "Float32" else 0)
        m.op("BATCH_MATMUL", [tokens, tokens], scores, "BatchMatMul", adj_x=False, adj_y=True)
        steps = {"Int8": (1 / 256, -128), "Uint8": (1 / 256, 0), "Int16": (2**-15, 0)}
        shares = self.like([n, h * w, h * w], *steps.get(m.kind, ()))
        m.op("SOFTMAX", [scores], shares, "Softmax", beta=float(1 / math.sqrt(c)))
        seen = self.like(rows)
        m.op("BATCH_MATMUL", [shares, tokens], seen, "BatchMatMul", adj_x=False, adj_y=False)
        image = m.like(seen, self.shape) if m.kind != "Float32" else self.like(self.shape)
        m.op("RESHAPE", [seen, m.integers(*self.shape)], image)
        y = self.like(self.shape)
        m.op("ADD", [before, image], y, "Add", activation="None")
        return self.into(y, self.shape)

    def function(self) -> None:
        code = self.m.pick(["HARD_SWISH", "LEAKY_RELU", "ELU", "TANH", "RELU"])
        if self.m.kind in ("Int16", "Uint8") and code in ("HARD_SWISH", "ELU", "TANH"):
            code = "LEAKY_RELU"
        one = {"TANH": (1 / 128, 0)} if self.m.kind == "Int8" else {}
        y = self.like(self.shape, *one.get(code, ()))
        if code == "LEAKY_RELU":
            self.m.op(code, [self.x], y, "LeakyRelu", alpha=0.1)
        else:
            self.m.op(code, [self.x], y)
        self.x = y

    def slices(self) -> None:
        """Halves of the channels, the second one first."""
        n, h, w, c = self.shape
        if c % 2:
            return self.pool()
        halves = []
        for begin in (c // 2, 0):
            half = self.same([n, h, w, c // 2])
            m = self.m
            m.op("SLICE", [self.x, m.integers(0, 0, 0, begin), m.integers(n, h, w, c // 2)], half)
            halves.append(half)
        y = self.same(self.shape)
        self.m.op("CONCATENATION", halves, y, "Concatenation", axis=3)
        return self.into(y, self.shape)

    def classify(self) -> None:
        m, (n, _, _, c) = self.m, self.shape
        y = self.like([n, c])
        m.op("MEAN", [self.x, m.integers(1, 2)], y, "Reducer", keep_dims=False)
        self.into(y, [n, c])
        inputs, out = self.weights([m.pick([2, 10, 35]), c], c, 0)
        if not self.dynamic and m.kind in ("Int8", "Int16"):  # one scale: as converters wrote them
            for tensor, of in ((inputs[0], 1.0), (inputs[1], m.scale_of(y))):
                scale = m.scale_of(inputs[0]) * of
                m.tensors[tensor]["quantization"] |= {
                    "scale": [float(np.float32(scale))],
                    "zero_point": [0],
                }
        z = self.like([n, out])
        m.op("FULLY_CONNECTED", [y, *inputs], z, "FullyConnected", activation="None")
        self.into(z, [n, out])


PARTS: dict[str, Callable[[Net], None]] = {
    "conv": Net.conv, "conv again": Net.conv, "depthwise": Net.depthwise, "pool": Net.pool,
    "residual": Net.residual, "dense": Net.dense_block, "gate": Net.gate, "shuffle": Net.shuffle,
    "attention": Net.attention, "function": Net.function, "slices": Net.slices,
    "upsample": Net.upsample,
}  # fmt: skip


def network(kind: str, seed: int, batch: int = 0) -> Net:
    net = Net(kind, seed, batch)
    net.conv()
    for _ in range(net.m.number(2, 8)):
        part = net.m.pick(sorted(PARTS))
        PARTS[part](net)
        net.parts.append(part)
    if net.m.chance(0.5):
        net.classify()
    return net
