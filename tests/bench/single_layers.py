"""Networks of one layer each: what a plan does with a layer that no other one hides."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from presil import Builder
from presil.graph_builder import Tensor
from sweeps import Subject

Make = Callable[[Builder, Tensor], Tensor]
Shape = tuple[int, ...]
Layer = tuple[str, Shape, Make]
OUT = (0.7, -3)


def _values(*shape: int) -> np.ndarray:
    return np.random.default_rng(1).integers(-127, 128, shape).astype(np.int8)


def _floats(*shape: int) -> np.ndarray:
    return np.random.default_rng(1).standard_normal(shape).astype(np.float32)


def conv(size: int, c: int, out: int, kernel: int = 1, stride: int = 1) -> Layer:
    def make(b: Builder, x: Tensor) -> Tensor:
        weights, bias = _values(out, kernel, kernel, c), np.zeros(out, np.int32)
        return b.conv2d(
            x, weights, bias, weights_scale=0.02, stride=stride, padding="same", out=OUT
        )

    return f"conv {kernel}x{kernel}/{stride} {size}x{size}x{c}->{out}", (size, size, c), make


def depthwise(size: int, c: int, kernel: int = 3, stride: int = 1) -> Layer:
    def make(b: Builder, x: Tensor) -> Tensor:
        weights, bias = _values(1, kernel, kernel, c), np.zeros(c, np.int32)
        return b.depthwise_conv2d(
            x, weights, bias, weights_scale=0.02, stride=stride, padding="same", out=OUT
        )

    return f"depthwise {kernel}x{kernel}/{stride} {size}x{size}x{c}", (size, size, c), make


def dense(c: int, out: int) -> Layer:
    def make(b: Builder, x: Tensor) -> Tensor:
        return b.fully_connected(
            x, _values(out, c), np.zeros(out, np.int32), weights_scale=0.02, out=OUT
        )

    return f"dense {c}->{out}", (c,), make


def pool(size: int, c: int, kernel: int, stride: int) -> Layer:
    def make(b: Builder, x: Tensor) -> Tensor:
        return b.max_pool2d(x, kernel, stride=stride)

    return f"max_pool {kernel}x{kernel}/{stride} {size}x{size}x{c}", (size, size, c), make


def residual(size: int, c: int) -> Layer:
    def make(b: Builder, x: Tensor) -> Tensor:
        y = b.conv2d(x, _values(c, 1, 1, c), weights_scale=0.02, out=OUT)
        return b.add(x, y, out=(0.8, -3))

    return f"conv 1x1 + add {size}x{size}x{c}", (size, size, c), make


def unary(op: str, *shape: int) -> Layer:
    def make(b: Builder, x: Tensor) -> Tensor:
        y: Tensor = getattr(b, op)(x)
        return y

    return f"{op} {'x'.join(map(str, shape))}", shape, make


def resize(op: str, size: int, c: int) -> Layer:
    def make(b: Builder, x: Tensor) -> Tensor:
        y: Tensor = getattr(b, op)(x, (2 * size, 2 * size))
        return y

    return f"{op} {size}x{size}x{c}", (size, size, c), make


def layer_norm(rows: int, depth: int) -> Layer:
    def make(b: Builder, x: Tensor) -> Tensor:
        return b.layer_norm(x, _floats(depth), _floats(depth))

    return f"layer_norm {rows}x{depth}", (rows, depth), make


INT8 = {
    False: [
        conv(56, 64, 64),
        conv(28, 128, 128, 3),
        conv(14, 256, 512),
        conv(7, 512, 512, 3),
        conv(112, 3, 32, 3, 2),
        conv(56, 24, 144),
        conv(112, 16, 16, 3),
        depthwise(112, 32),
        depthwise(28, 192),
        depthwise(56, 96, 3, 2),
        depthwise(14, 512, 5),
        dense(1024, 1000),
        dense(256, 64),
        pool(56, 64, 2, 2),
        pool(112, 64, 3, 2),
        residual(28, 64),
        residual(56, 32),
        unary("softmax", 1000),
        resize("resize_nearest", 28, 64),
        resize("resize_bilinear", 14, 64),
    ],
    True: [
        conv(40, 96, 80),
        conv(20, 160, 320, 3),
        conv(80, 32, 64, 3, 2),
        conv(160, 16, 32),
        conv(10, 640, 640),
        conv(96, 48, 24, 5),
        depthwise(80, 48),
        depthwise(20, 320, 5),
        depthwise(96, 64, 3, 2),
        dense(2048, 512),
        dense(640, 128),
        pool(80, 48, 2, 2),
        residual(40, 80),
        resize("resize_nearest", 20, 128),
        unary("softmax", 300, 20),
    ],
}
FLOAT = {
    False: [unary("gelu", 197, 64), layer_norm(197, 64), unary("exp", 40000)],
    True: [unary("tanh", 300, 100), layer_norm(50, 384), unary("softmax", 64, 64)],
}


def single_layers(held_out: bool) -> Iterator[Subject]:
    for layers, dtype in ((INT8, "int8"), (FLOAT, "float32")):
        for name, shape, make in layers[held_out]:
            b = Builder(name)
            scale = 0.05 if dtype == "int8" else None
            x = b.input("x", (1, *shape), dtype, scale, -1 if scale else 0)
            b.output(make(b, x))
            yield Subject(name, b.build())
