"""Networks of one operator that the DSP computes, in many shapes: what costs are fitted to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from presil import Builder, Type
from presil.graph_builder import Tensor

Shape = tuple[int, ...]
Make = Callable[[Builder, Tensor], Tensor]
TYPES = {"int8": Type("int8", 0.05, 3), "int16": Type("int16", 0.05, 0)}
FUNCTIONS = """relu leaky_relu hard_swish logistic tanh elu exp log sqrt rsqrt square floor gelu
    softmax abs neg"""
FEW_ROWS, PAIRS, LONG_ROWS = " of few rows", " of rows of two", " of long rows"
WIDE, LSTM = "resize_bilinear of few columns", "lstm"
MOST = 24576  # elements
REDUCED = ([3], [1, 2], [2])


def of(kind: str, out: Type | None = None, **attributes: Any) -> Make:
    return lambda b, x: b.op(kind, [x], attributes, out=out)


def _floats(*shape: int) -> np.ndarray:
    return np.random.default_rng(2).uniform(0.5, 2, shape).astype(np.float32)


def _pair(kind: str, shape: Callable[[Tensor], Shape]) -> Make:
    """With a second input of int8, broadcast."""

    def make(b: Builder, x: Tensor) -> Tensor:
        y: Tensor = b.op(kind, [x, b.input("s", shape(x), "int8", 0.05, 3)], out=TYPES["int8"])
        return y

    return make


def _resized(kind: str, factor: int, **attributes: Any) -> Make:
    return lambda b, x: getattr(b, kind)(
        x, (factor * x.shape[1], factor * x.shape[2]), **attributes
    )


def _conv(kernel: int, out: int) -> Make:
    def make(b: Builder, x: Tensor) -> Tensor:
        y: Tensor = b.conv2d(
            x, b.constant(_floats(out, kernel, kernel, x.shape[3])), padding="same"
        )
        return y

    return make


def _depthwise(kernel: int) -> Make:
    def make(b: Builder, x: Tensor) -> Tensor:
        y: Tensor = b.depthwise_conv2d(
            x, b.constant(_floats(1, kernel, kernel, x.shape[3])), padding="same"
        )
        return y

    return make


def _lstm(b: Builder, x: Tensor) -> Tensor:
    """Of as many units as there may be for the shape."""
    random, inputs = np.random.default_rng(2), x.shape[2]
    units = 4 + 7 * inputs * x.shape[1] % 61

    def weights(columns: int) -> Tensor:
        values = random.integers(-127, 128, (units, columns)).astype(np.int8)
        return b.constant(values, scale=0.01, zero_point=0)

    into, back = ([weights(n) for _ in range(4)] for n in (inputs, units))
    biases = [b.constant(random.integers(-999, 999, units).astype(np.int32)) for _ in range(4)]
    hidden, cell = Type("int8", 1 / 128, 3), Type("int16", 2.0**-11, 0)
    y, _, _ = b.lstm(x, *into, *back, *biases, out=[hidden, hidden, cell])
    return y


def _floats_by(kind: str, shape: Callable[[Tensor], Shape]) -> Make:
    return lambda b, x: b.op(kind, [x, _floats(*shape(x))])


def operators() -> Iterator[tuple[str, str, Make]]:
    """Name, type of x, what is made of it."""
    whole: dict[str, Callable[[Tensor], Shape]] = {
        "an image": lambda x: tuple(x.shape),
        "one value a pixel": lambda x: (1, x.shape[1], x.shape[2], 1),
        "one pixel": lambda x: (1, 1, 1, x.shape[3]),
    }
    for rows in ("", FEW_ROWS, PAIRS, LONG_ROWS):
        yield f"softmax int8{rows}", "int8", of("softmax", Type("int8", 1 / 256, -128))
    yield "quantize", "float32", of("quantize", TYPES["int8"])
    for name in TYPES:
        yield f"dequantize {name}", name, of("dequantize", Type("float32"))
    yield "requantize", "int16", of("quantize", Type("int8", 0.07, 3))
    for to in ("float32-int8", "float32-int32", "float32-bool", "int32-int8", "bool-float32"):
        yield f"cast {to}", to.split("-")[0], of("cast", Type(to.split("-")[1]))
    for name in FUNCTIONS.split():
        attributes: dict[str, Any] = {"approximate": True} if name == "gelu" else {}
        yield f"{name} float32", "float32", of(name, **attributes)
    yield (
        "layer_norm",
        "float32",
        lambda b, x: b.layer_norm(x, _floats(x.shape[3]), _floats(x.shape[3])),
    )
    yield "pow 3", "float32", lambda b, x: b.pow(x, np.array([3], np.float32))
    yield "pow 0.7", "float32", lambda b, x: b.pow(x, np.array([0.7], np.float32))
    for name, shape in whole.items():
        for kind in ("squared_difference", "maximum"):
            yield f"{kind} of {name} int8", "int8", _pair(kind, shape)
        for kind in ("add", "div", "prelu"):
            if kind != "prelu" or name != "an image":
                yield f"{kind} of {name} float32", "float32", _floats_by(kind, shape)
    for dtype in ("int8", "float32"):
        for factor in (2, 3):
            yield f"resize_nearest x{factor} {dtype}", dtype, _resized("resize_nearest", factor)
            yield f"resize_bilinear x{factor} {dtype}", dtype, _resized("resize_bilinear", factor)
        yield f"transpose {dtype}", dtype, of("transpose", perm=[0, 3, 1, 2])
        yield f"transpose of rows {dtype}", dtype, of("transpose", perm=[0, 2, 1, 3])
        for axes in REDUCED:
            for name in ("mean", "reduce_max"):
                yield f"{name} of {axes} {dtype}", dtype, of(name, axes=axes)
        for axis in (1, 3):
            yield f"arg_max of {axis} {dtype}", dtype, of("arg_max", Type("int32"), axis=axis)
    yield f"{WIDE} int8", "int8", _resized("resize_bilinear", 8)
    yield f"{LSTM} int8", "int8", _lstm
    yield "conv2d 1x1", "float32", _conv(1, 32)
    yield "conv2d 3x3", "float32", _conv(3, 80)
    yield "depthwise 3x3", "float32", _depthwise(3)
    yield "max_pool 2x2", "float32", lambda b, x: b.max_pool2d(x, 2, stride=2, padding="same")
    yield "average_pool 3x3", "float32", lambda b, x: b.average_pool2d(x, 3, padding="same")
    yield "conv2d 3x3 of few", "float32", _conv(3, 6)
    yield "conv2d 3x3 of some", "float32", _conv(3, 16)


def shapes(name: str, seed: int, count: int) -> list[Shape]:
    """From single rows to images, of a random number of channels, for an operator."""
    r = np.random.default_rng(seed)
    found: list[Shape] = []
    while len(found) < count:
        h, w = (int(2 ** r.uniform(0, 5.6)) for _ in range(2))
        c = int(2 ** r.uniform(0.5, 8))
        if name.startswith(LSTM):
            found.append((1, h, 2 * c))
            continue
        if name.endswith(LONG_ROWS):
            h, w, c = 1, max(w, 8), 127 + 4 * c
        if name.startswith(WIDE):
            h, w, c = 1 + h % 8, 3 + w % 12, 2 * (2 + c // 8)
        if name.endswith(FEW_ROWS):
            h, w, c = 1, 1 + w % 8, c * h
        if name.endswith(PAIRS):
            h, w, c = 8 * h, 8 * w, 2
        if 16 <= h * w * c <= MOST:
            found.append((1, h, w, c))
    return found


def network(kind: str, shape: Shape, make: Make, numerics: str) -> Any:
    b = Builder("one", numerics)
    of_x = TYPES.get(kind, Type(kind))
    zero = int(np.atleast_1d(of_x.zero_point)[0])
    b.output(make(b, b.input("x", shape, kind, of_x.scale, zero)))
    return b.build()
