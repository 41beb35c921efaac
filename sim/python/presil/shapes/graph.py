"""A sketch as a graph of presil."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..builder import Builder
from ..graph_builder import Tensor, Type
from ..network import Network
from .sketch import Layer, Sketch, Value, Weights

REAL = {
    "leaky_relu": lambda b, x: b.leaky_relu(x, alpha=0.1),
    "hard_swish": lambda b, x: b.hard_swish(x),
    "hard_sigmoid": lambda b, x: b.mul(b.relu6(b.add(x, one(3))), one(1 / 6)),
    "sigmoid": lambda b, x: b.logistic(x),
    "tanh": lambda b, x: b.tanh(x),
    "swish": lambda b, x: b.mul(x, b.logistic(x)),
    "mish": lambda b, x: b.mul(x, b.tanh(b.log(b.add(b.exp(x), one(1))))),
    "gelu": lambda b, x: b.gelu(x),
}


def one(value: float) -> np.ndarray:
    return np.array([value], np.float32)


def network(sketch: Sketch, numerics: str) -> Network:
    """Functions are computed in floats between bytes, so they are tables."""
    return Backend(sketch, numerics).network()


class Backend:
    def __init__(self, sketch: Sketch, numerics: str) -> None:
        self._sketch = sketch
        self._b = Builder(sketch.name, numerics)
        self._made: dict[Value, Tensor] = {}

    def network(self) -> Network:
        for x in self._sketch.inputs:
            self._made[x] = self._b.input(x.name, x.shape, "int8", x.scale, x.zero_point)
        for layer in self._sketch.layers:
            inputs = [self._made[x] for x in layer.inputs]
            self._made[layer.output] = LAYERS[layer.kind](self, layer, *inputs)
        self._b.output(*(self._made[y] for y in self._sketch.outputs))
        return self._b.build()

    def _out(self, layer: Layer) -> tuple[float, int]:
        return (layer.output.scale, layer.output.zero_point)

    def _summed(self, layer: Layer) -> dict[str, Any]:
        w: Weights = layer.how["weights"]
        return {
            "bias": w.steps(layer.inputs[0]),
            "weights_scale": w.scales,
            "act": layer.how["act"],
            "out": self._out(layer),
            "name": layer.name,
        }

    def conv(self, layer: Layer, x: Tensor) -> Tensor:
        how, w = layer.how, layer.how["weights"]
        top, bottom, left, right = how["pads"]
        window = {
            "stride": how["stride"],
            "padding": ((top, bottom), (left, right)),
            "dilation": how["dilation"],
        }
        if how["groups"] == x.shape[3] and how["groups"] > 1:
            turned = np.ascontiguousarray(w.values.transpose(3, 1, 2, 0))
            return self._b.depthwise_conv2d(x, turned, **window, **self._summed(layer))
        return self._b.conv2d(x, w.values, groups=how["groups"], **window, **self._summed(layer))

    def transposed(self, layer: Layer, x: Tensor) -> Tensor:
        w = layer.how["weights"]
        return self._b.transpose_conv2d(
            x, w.values, stride=layer.how["stride"], **self._summed(layer)
        )

    def dense(self, layer: Layer, x: Tensor) -> Tensor:
        return self._b.fully_connected(x, layer.how["weights"].values, **self._summed(layer))

    def add(self, layer: Layer, a: Tensor, b: Tensor) -> Tensor:
        return self._b.add(a, b, act=layer.how["act"], out=self._out(layer), name=layer.name)

    def offset(self, layer: Layer, x: Tensor) -> Tensor:
        step = layer.how["step"]
        c = self._b.constant(layer.how["values"], float(step.scale), step.zero_point)
        return self._b.add(x, c, out=self._out(layer), name=layer.name)

    def multiply(self, layer: Layer, a: Tensor, b: Tensor) -> Tensor:
        return self._b.mul(a, b, out=self._out(layer), name=layer.name)

    def _in_floats(self, layer: Layer, function: Callable[[Tensor], Tensor], x: Tensor) -> Tensor:
        real = self._b.op("dequantize", [x], out="float32")
        to = Type("int8", *self._out(layer))
        return self._b.op("quantize", [function(real)], out=to, name=layer.name)

    def function(self, layer: Layer, x: Tensor) -> Tensor:
        return self._in_floats(layer, lambda v: REAL[layer.how["function"]](self._b, v), x)

    def softmax(self, layer: Layer, x: Tensor) -> Tensor:
        return self._in_floats(layer, lambda v: self._b.softmax(v, out=None), x)

    def normalise(self, layer: Layer, x: Tensor) -> Tensor:
        scale, bias = np.ones(x.shape[-1], np.float32), np.zeros(x.shape[-1], np.float32)
        attributes = {"epsilon": 1e-5}
        return self._in_floats(
            layer, lambda v: self._b.op("layer_norm", [v, scale, bias], attributes), x
        )

    def matmul(self, layer: Layer, a: Tensor, b: Tensor) -> Tensor:
        if layer.how["turned"]:
            axes = [*range(len(b.shape) - 2), len(b.shape) - 1, len(b.shape) - 2]
            b = self._b.transpose(b, axes)
        return self._b.batch_matmul(a, b, out=self._out(layer), name=layer.name)

    def max_pool(self, layer: Layer, x: Tensor) -> Tensor:
        return self._b.max_pool2d(x, layer.how["kernel"], **self._pool(layer))

    def average_pool(self, layer: Layer, x: Tensor) -> Tensor:
        return self._b.average_pool2d(x, layer.how["kernel"], **self._pool(layer))

    @staticmethod
    def _pool(layer: Layer) -> dict[str, Any]:
        top, bottom, left, right = layer.how["pads"]
        padding = ((top, bottom), (left, right))
        return {"stride": layer.how["stride"], "padding": padding, "name": layer.name}

    def global_average(self, layer: Layer, x: Tensor) -> Tensor:
        return self._b.mean(x, (1, 2), keep_dims=True, out=self._out(layer), name=layer.name)

    def token_average(self, layer: Layer, x: Tensor) -> Tensor:
        return self._b.mean(x, (1,), out=self._out(layer), name=layer.name)

    def concat(self, layer: Layer, *parts: Tensor) -> Tensor:
        return self._b.concat(parts, layer.how["axis"], out=self._out(layer), name=layer.name)

    def slice(self, layer: Layer, x: Tensor) -> Tensor:
        begin = [0] * (len(x.shape) - 1) + [layer.how["begin"]]
        return self._b.slice(x, begin, layer.output.shape, name=layer.name)

    def upsample(self, layer: Layer, x: Tensor) -> Tensor:
        return self._b.resize_nearest(x, layer.output.shape[1:3], name=layer.name)  # type: ignore

    def resize(self, layer: Layer, x: Tensor) -> Tensor:
        real = self._b.op("dequantize", [x], out="float32")
        rows, columns = layer.output.shape[1:3]
        grown = self._b.resize_bilinear(real, (rows, columns), half_pixel_centers=True)
        return self._b.op("quantize", [grown], out=Type("int8", *self._out(layer)), name=layer.name)

    def space_to_depth(self, layer: Layer, x: Tensor) -> Tensor:
        return self._b.op("space_to_depth", [x], {"block": layer.how["block"]}, None, layer.name)

    def shaped(self, layer: Layer, x: Tensor) -> Tensor:
        return self._b.reshape(x, layer.output.shape, name=layer.name)

    def heads(self, layer: Layer, x: Tensor) -> Tensor:
        n, count, tokens, width = layer.output.shape
        split = self._b.reshape(x, (n, tokens, count, width))
        return self._b.transpose(split, (0, 2, 1, 3), name=layer.name)

    def merged(self, layer: Layer, x: Tensor) -> Tensor:
        return self._b.reshape(
            self._b.transpose(x, (0, 2, 1, 3)), layer.output.shape, name=layer.name
        )


LAYERS: dict[str, Callable[..., Tensor]] = {
    **{
        kind: getattr(Backend, kind)
        for kind in (
            "conv transposed dense add offset multiply function softmax normalise matmul max_pool "
            "average_pool global_average token_average concat slice upsample resize "
            "space_to_depth heads merged"
        ).split()
    },
    "flat": Backend.shaped,
    "tokens": Backend.shaped,
}
