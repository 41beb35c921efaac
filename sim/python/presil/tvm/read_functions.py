"""Functions of one value or of two, and reductions."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from ..graph_builder import Tensor
from .epilogue import epilogue, take
from .nodes import Node
from .read_windows import result_of
from .reader import Conversion, Reader, reads, require
from .values import Value

UNARY = {
    "nn.relu": "relu",
    "exp": "exp",
    "log": "log",
    "sqrt": "sqrt",
    "rsqrt": "rsqrt",
    "abs": "abs",
    "negative": "neg",
    "floor": "floor",
    "ceil": "ceil",
    "round": "round",
    "sign": "sign",
    "sin": "sin",
    "cos": "cos",
    "square": "square",
}
"""Of real numbers: between dequantize and quantize a pass makes a table of them."""
INTEGER = {"sigmoid": "logistic", "tanh": "tanh", "nn.leakyrelu": "leaky_relu"}
"""With an integer operator of TFLite's beside."""


def unary(r: Reader, x: Value, kind: str, attributes: dict[str, Any] | None = None) -> Value:
    real = r.real(x)
    require(real.known or floats(real), "x must be float32")
    return replace(real, tensor=r.add(kind, [r.tensor(real)], attributes))


def floats(value: Value) -> bool:
    return value.tensor is not None and value.tensor.type.dtype == "float32"


def _unary_conversion(kind: str) -> Conversion:
    return lambda r, node: unary(r, r.value(node.args[0]), kind)


for _op, _kind in UNARY.items():
    reads(_op)(_unary_conversion(_kind))


@reads(*INTEGER)
def integer_function(r: Reader, node: Node) -> Value:
    x = r.value(node.args[0])
    attributes = {"alpha": node.attrs["alpha"]} if "alpha" in node.attrs else {}
    found = epilogue(r, node, limits=False) if x.quantized and r.integer_functions else None
    if found is None or found.steps is None:
        return unary(r, x, INTEGER[node.op], attributes)
    take(r, found)
    tensor = r.add(INTEGER[node.op], [r.tensor(x)], attributes, found.steps.signed().type())
    return result_of(r, found, tensor, node.shape, x.nhwc)


@reads("nn.softmax", "nn.log_softmax")
def softmax(r: Reader, node: Node) -> Value:
    x = r.value(node.args[0])
    rank, axis = len(x.shape), int(node.attrs["axis"])
    axis %= rank
    channels = x.nhwc and axis == 1
    require(axis == rank - 1 or channels, f"its axis is {axis} of {list(x.shape)}, not the last")
    if not channels:
        x = r.plain(x)
    kind = "softmax" if node.op == "nn.softmax" else "log_softmax"
    found = epilogue(r, node, limits=False) if x.quantized and r.integer_functions else None
    if found is None or found.steps is None:
        return unary(r, x, kind)
    take(r, found)
    tensor = r.add(kind, [r.tensor(x)], {}, found.steps.signed().type())
    return result_of(r, found, tensor, node.shape, x.nhwc)


class Steps:
    """Functions that are several of the graph's, on real numbers; passes make one table of them
    where they lie between bytes."""

    def __init__(self, r: Reader, node: Node) -> None:
        self.r, self.value = r, r.real(r.value(node.args[0]))
        require(floats(self.value), "x must be float32")
        self.x = r.tensor(self.value)

    def one(self, kind: str, of: Tensor, **how: Any) -> Tensor:
        return self.r.add(kind, [of], how)

    def two(self, kind: str, a: Tensor | float, b: Tensor | float) -> Tensor:
        given = [v if isinstance(v, Tensor) else np.full(1, v, np.float32) for v in (a, b)]
        return self.r.add(kind, given)

    def give(self, tensor: Tensor) -> Value:
        return replace(self.value, tensor=tensor)


@reads("nn.silu")
def silu(r: Reader, node: Node) -> Value:
    s = Steps(r, node)
    return s.give(s.two("mul", s.x, s.one("logistic", s.x)))


@reads("nn.gelu", "nn.gelu_tanh")
def gelu(r: Reader, node: Node) -> Value:
    return unary(r, r.value(node.args[0]), "gelu", {"approximate": node.op == "nn.gelu_tanh"})


@reads("nn.softplus")
def softplus(r: Reader, node: Node) -> Value:
    """log(1 + e^x), as relu(x) + log(1 + e^-|x|), so that no power is infinite."""
    s = Steps(r, node)
    require(node.attrs.get("beta", 1.0) == 1.0, "its beta must be 1")
    power = s.one("exp", s.one("neg", s.one("abs", s.x)))
    rest = s.one("log", s.two("add", power, 1.0))
    return s.give(s.two("add", s.one("relu", s.x), rest))


@reads("erf")
def erf(r: Reader, node: Node) -> Value:
    """With g = GELU and a = sqrt(2) |x|: g(a) + g(-a) = a erf(|x|); within 2e-7."""
    s = Steps(r, node)
    size = s.two("mul", s.one("abs", s.x), math.sqrt(2))
    a = s.two("maximum", size, 1e-20)
    both = s.two("add", s.one("gelu", a), s.one("gelu", s.one("neg", a)))
    return s.give(s.two("mul", s.one("sign", s.x), s.two("div", both, a)))


def limited(r: Reader, node: Node, x: Value, low: float, high: float) -> Value:
    """A clip of real numbers."""
    named = {(0, 6): "relu6", (0, math.inf): "relu", (-1, 1): "relu_n1_to_1", (0, 1): "relu_0_to_1"}
    if (low, high) in named:
        return unary(r, x, named[(low, high)])
    s = Steps(r, node)
    y = s.x
    if low > -math.inf:
        y = s.two("maximum", y, low)
    if high < math.inf:
        y = s.two("minimum", y, high)
    return s.give(y)


BINARY = {
    "add": "add",
    "subtract": "sub",
    "multiply": "mul",
    "divide": "div",
    "maximum": "maximum",
    "minimum": "minimum",
    "power": "pow",
}
INTEGERS = ("add", "sub", "mul")


@reads(*BINARY)
def binary(r: Reader, node: Node) -> Value:
    kind = BINARY[node.op]
    a, b = r.value(node.args[0]), r.value(node.args[1])
    if node.op == "power" and b.known and b.data is not None and b.data.size == 1:
        if float(b.data.ravel()[0]) == 2.0:
            return unary(r, a, "square")
    alike = a.steps is not None and b.steps is not None and a.steps.signed().dtype == stored_type(b)
    stored = a.quantized and b.quantized and kind in INTEGERS and alike
    found = epilogue(r, node) if stored else None
    if found is not None and found.steps is not None and a.steps is not None:
        if found.steps.signed().dtype == a.steps.signed().dtype:
            a, b = aligned(r, a, b)
            take(r, found)
            out = found.steps.signed().type()
            tensor = r.add(kind, [r.tensor(a), r.tensor(b)], {"act": found.act}, out)
            return result_of(r, found, tensor, node.shape, a.nhwc)
    a, b = aligned(r, r.real(a), r.real(b))
    for value in (a, b):
        real = value.data.dtype == np.float32 if value.data is not None else floats(value)
        require(real, "both operands must be float32 or quantised")
    tensor = r.add(kind, [r.tensor(a), r.tensor(b)])
    return Value(node.shape, tensor, nhwc=a.nhwc)


def stored_type(value: Value) -> str:
    assert value.steps is not None
    return value.steps.signed().dtype


def aligned(r: Reader, a: Value, b: Value) -> tuple[Value, Value]:
    """Both operands in one layout; a constant with fewer axes has ones in front."""
    rank = max(len(a.shape), len(b.shape))
    image = rank == 4 and (a.nhwc or b.nhwc)
    pair = []
    for value in (a, b):
        if value.data is not None and len(value.shape) < rank:
            shape = (1,) * (rank - len(value.shape)) + tuple(value.shape)
            steps = value.steps
            if steps is not None and not steps.single:
                steps = replace(steps, axis=steps.axis % len(value.shape) + rank - len(value.shape))
            value = replace(value, shape=shape, data=value.data.reshape(shape), steps=steps)
        pair.append(value)
    images = image and all(len(value.shape) == 4 for value in pair)
    a, b = (r.image(value) if images else r.plain(value) for value in pair)
    return a, b


REDUCTIONS = {"mean": "mean", "sum": "sum", "max": "reduce_max", "min": "reduce_min"}
STORED_AXES = (0, 3, 1, 2)


@reads(*REDUCTIONS)
def reduction(r: Reader, node: Node) -> Value:
    x = r.value(node.args[0])
    kind, rank = REDUCTIONS[node.op], len(x.shape)
    given = node.attrs["axis"]
    axes = sorted({int(axis) % rank for axis in given} if given else range(rank))
    keep = bool(node.attrs["keepdims"])
    as_image = x.nhwc and (keep or axes == [2, 3])
    found = epilogue(r, node, limits=False) if kind == "mean" and x.quantized else None
    stored = found is not None and found.steps is not None and found.steps.dtype != "int16"
    x = x if stored else r.real(x)
    x = x if as_image else r.plain(x)
    axes = sorted(STORED_AXES[axis] for axis in axes) if as_image else axes
    how = {"axes": axes, "keep_dims": keep}
    if stored and found is not None and found.steps is not None:
        take(r, found)
        tensor = r.add(kind, [r.tensor(x)], how, found.steps.signed().type())
        return result_of(r, found, tensor, node.shape, as_image and keep)
    require(floats(x), "x must be float32 or quantised")
    return Value(node.shape, r.add(kind, [r.tensor(x)], how), nhwc=as_image and keep)


@reads("nn.layer_norm")
def layer_norm(r: Reader, node: Node) -> Value:
    x = r.plain(r.real(r.value(node.args[0])))
    axes = [axis % len(x.shape) for axis in node.attrs["axes"]]
    require(axes == [len(x.shape) - 1], "it normalises other axes than the last")
    gamma, beta = (r.known(arg, "gamma and beta").real() for arg in node.args[1:3])
    how = {"epsilon": node.attrs["epsilon"]}
    return Value(node.shape, r.add("layer_norm", [r.tensor(x), gamma, beta], how))
