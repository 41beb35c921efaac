"""A sketch as an ONNX file: images [n, channels, rows, columns], numbers as QuantizeLinear and
DequantizeLinear say (QDQ), as exporters write them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..refusal import Refusal
from .sketch import Layer, Sketch, Step, Value

OPSET = 17
IR_VERSION = 8
FLOAT = 1


def library() -> Any:
    try:
        import onnx
        import onnx.numpy_helper  # noqa: F401
    except ImportError as error:
        raise Refusal(
            "nets: a network of the shape library is written as an ONNX file, which needs the "
            f"Python package onnx ({error}); install Debian's python3-onnx, or `pip install onnx`"
        ) from error
    return onnx


def to_bytes(sketch: Sketch) -> bytes:
    """The file."""
    return Writer(sketch).to_bytes()


def in_file(shape: tuple[int, ...]) -> list[int]:
    """Axes as the file orders them."""
    if len(shape) != 4:
        return list(shape)
    n, rows, columns, channels = shape
    return [n, channels, rows, columns]


class Writer:
    """Each value of the sketch is known by two names: stored, and `dq`, as real numbers."""

    def __init__(self, sketch: Sketch) -> None:
        self._onnx = library()
        self._sketch = sketch
        self._graph = self._onnx.GraphProto(name=sketch.name)
        self._real: dict[Value, str] = {}
        self._flattened: dict[Value, Value] = {}
        self._constants: dict[tuple[str, bytes], str] = {}

    def to_bytes(self) -> bytes:
        for x in self._sketch.inputs:
            self._graph.input.append(self._edge(x.name, in_file(x.shape)))
            self._real[x] = self._through(x.name, x.step, x.name)
        for layer in self._sketch.layers:
            inputs = [self._real[x] for x in layer.inputs]
            result = getattr(self, layer.kind)(layer, *inputs)
            self._real[layer.output] = self._through(result, layer.output.step, layer.name)
        for y in self._sketch.outputs:
            self._op("Identity", [self._real[y]], f"{y.name}/output")
            self._graph.output.append(self._edge(f"{y.name}/output", in_file(y.shape)))
        model = self._onnx.ModelProto(ir_version=IR_VERSION, producer_name="presil")
        model.opset_import.add().version = OPSET
        model.graph.CopyFrom(self._graph)
        return bytes(model.SerializeToString(deterministic=True))

    # ---- parts of files

    def _edge(self, name: str, shape: list[int]) -> Any:
        edge = self._onnx.ValueInfoProto(name=name)
        edge.type.tensor_type.elem_type = FLOAT
        for extent in shape:
            edge.type.tensor_type.shape.dim.add().dim_value = extent
        return edge

    def _constant(self, array: Any, name: str = "") -> str:
        array = np.asarray(array)
        key = (f"{array.dtype}{array.shape}", array.tobytes() if array.size <= 16 else b"")
        if not name and key in self._constants:
            return self._constants[key]
        label = name or f"constant_{len(self._constants)}"
        if not name:
            self._constants[key] = label
        self._graph.initializer.append(self._onnx.numpy_helper.from_array(array, label))
        return label

    def _op(self, kind: str, inputs: list[str], name: str, **attributes: Any) -> str:
        node = self._graph.node.add(op_type=kind, name=name)
        node.input.extend(inputs)
        node.output.append(name)
        for key, value in attributes.items():
            made = node.attribute.add(name=key)
            if isinstance(value, str):
                made.type, made.s = self._onnx.AttributeProto.STRING, value.encode()
            elif isinstance(value, float):
                made.type, made.f = self._onnx.AttributeProto.FLOAT, value
            elif isinstance(value, int):
                made.type, made.i = self._onnx.AttributeProto.INT, value
            else:
                made.type = self._onnx.AttributeProto.INTS
                made.ints.extend(int(v) for v in value)
        return name

    def _steps(self, step: Step) -> list[str]:
        return [self._constant(step.scale), self._constant(np.int8(step.zero_point))]

    def _through(self, real: str, step: Step, name: str) -> str:
        stored = self._op("QuantizeLinear", [real, *self._steps(step)], f"{name}/q")
        return self._op("DequantizeLinear", [stored, *self._steps(step)], f"{name}/dq")

    def _stored(self, values: np.ndarray, scales: np.ndarray, name: str, axis: int) -> str:
        inputs = [
            self._constant(values, f"{name}/stored"),
            self._constant(scales.astype(np.float32), f"{name}/scales"),
            self._constant(np.zeros(scales.shape, values.dtype), f"{name}/zeros"),
        ]
        return self._op("DequantizeLinear", inputs, name, axis=axis)

    def _weighted(self, layer: Layer, values: np.ndarray, axis: int) -> list[str]:
        w = layer.how["weights"]
        steps = (np.float64(layer.inputs[0].step.scale) * w.scales).astype(np.float32)
        bias = w.steps(layer.inputs[0])
        return [
            self._stored(np.ascontiguousarray(values), w.scales, f"{layer.name}/weights", axis),
            self._stored(bias, steps, f"{layer.name}/bias", 0),
        ]

    def _activated(self, layer: Layer, real: str) -> str:
        if layer.how["act"] == "relu":
            return self._op("Relu", [real], f"{layer.name}/relu")
        if layer.how["act"] == "relu6":
            limits = [self._constant(np.float32(0)), self._constant(np.float32(6))]
            return self._op("Clip", [real, *limits], f"{layer.name}/relu6")
        return real

    # ---- layers

    def conv(self, layer: Layer, x: str) -> str:
        how = layer.how
        top, bottom, left, right = how["pads"]
        operands = self._weighted(layer, how["weights"].values.transpose(0, 3, 1, 2), 0)
        kernel = how["weights"].values.shape[1:3]
        made = self._op(
            "Conv", [x, *operands], layer.name, kernel_shape=kernel, group=how["groups"],
            strides=[how["stride"]] * 2, dilations=[how["dilation"]] * 2,
            pads=[top, left, bottom, right],
        )  # fmt: skip
        return self._activated(layer, made)

    def transposed(self, layer: Layer, x: str) -> str:
        values = layer.how["weights"].values
        operands = self._weighted(layer, values.transpose(3, 0, 1, 2), 1)
        strides = [layer.how["stride"]] * 2
        made = self._op(
            "ConvTranspose", [x, *operands], layer.name, kernel_shape=values.shape[1:3],
            strides=strides,
        )  # fmt: skip
        return self._activated(layer, made)

    def dense(self, layer: Layer, x: str) -> str:
        values = layer.how["weights"].values
        if len(layer.inputs[0].shape) == 2:
            values = self._as_flattened(layer.inputs[0], values)
            made = self._op("Gemm", [x, *self._weighted(layer, values, 0)], layer.name, transB=1)
        else:
            weights, bias = self._weighted(layer, values.T, 1)
            product = self._op("MatMul", [x, weights], f"{layer.name}/matmul")
            made = self._op("Add", [product, bias], layer.name)
        return self._activated(layer, made)

    def _as_flattened(self, x: Value, values: np.ndarray) -> np.ndarray:
        """Columns of a matrix as the file flattens an image: channel after channel."""
        image = self._flattened.get(x)
        if image is None:
            return values
        _, rows, columns, channels = image.shape
        split = values.reshape(-1, rows, columns, channels)
        return split.transpose(0, 3, 1, 2).reshape(values.shape)

    def add(self, layer: Layer, a: str, b: str) -> str:
        return self._activated(layer, self._op("Add", [a, b], layer.name))

    def offset(self, layer: Layer, x: str) -> str:
        step = layer.how["step"]
        stored = self._constant(layer.how["values"], f"{layer.name}/stored")
        real = self._op("DequantizeLinear", [stored, *self._steps(step)], f"{layer.name}/real")
        return self._op("Add", [x, real], layer.name)

    def multiply(self, layer: Layer, a: str, b: str) -> str:
        return self._op("Mul", [a, b], layer.name)

    def function(self, layer: Layer, x: str) -> str:
        name = layer.how["function"]

        def number(value: float) -> str:
            return self._constant(np.float32(value))

        def op(kind: str, inputs: list[str], part: str = "", **attributes: Any) -> str:
            label = f"{layer.name}/{part}" if part else layer.name
            return self._op(kind, inputs, label, **attributes)

        if name == "swish":
            return op("Mul", [x, op("Sigmoid", [x], "sigmoid")])
        if name == "mish":
            softplus = op("Softplus", [x], "softplus")
            return op("Mul", [x, op("Tanh", [softplus], "tanh")])
        if name == "gelu":
            erf = op("Erf", [op("Div", [x, number(2**0.5)], "div")], "erf")
            product = op("Mul", [x, op("Add", [erf, number(1)], "add")], "product")
            return op("Mul", [product, number(0.5)])
        if name == "leaky_relu":
            return op("LeakyRelu", [x], alpha=0.1)
        if name == "hard_sigmoid":
            return op("HardSigmoid", [x], alpha=1 / 6, beta=0.5)
        return op({"hard_swish": "HardSwish", "sigmoid": "Sigmoid", "tanh": "Tanh"}[name], [x])

    def softmax(self, layer: Layer, x: str) -> str:
        return self._op("Softmax", [x], layer.name, axis=-1)

    def normalise(self, layer: Layer, x: str) -> str:
        width = layer.output.channels
        scale = self._constant(np.ones(width, np.float32), f"{layer.name}/scale")
        bias = self._constant(np.zeros(width, np.float32), f"{layer.name}/bias")
        return self._op("LayerNormalization", [x, scale, bias], layer.name, axis=-1, epsilon=1e-5)

    def matmul(self, layer: Layer, a: str, b: str) -> str:
        if layer.how["turned"]:
            rank = len(layer.output.shape)
            axes = [*range(rank - 2), rank - 1, rank - 2]
            b = self._op("Transpose", [b], f"{layer.name}/turned", perm=axes)
        return self._op("MatMul", [a, b], layer.name)

    def max_pool(self, layer: Layer, x: str) -> str:
        return self._pool("MaxPool", layer, x)

    def average_pool(self, layer: Layer, x: str) -> str:
        return self._pool("AveragePool", layer, x)

    def _pool(self, kind: str, layer: Layer, x: str) -> str:
        top, bottom, left, right = layer.how["pads"]
        return self._op(
            kind, [x], layer.name, kernel_shape=[layer.how["kernel"]] * 2,
            strides=[layer.how["stride"]] * 2, pads=[top, left, bottom, right],
        )  # fmt: skip

    def global_average(self, layer: Layer, x: str) -> str:
        return self._op("GlobalAveragePool", [x], layer.name)

    def token_average(self, layer: Layer, x: str) -> str:
        return self._op("ReduceMean", [x], layer.name, axes=[1], keepdims=0)

    def concat(self, layer: Layer, *parts: str) -> str:
        axis = layer.how["axis"]
        image = len(layer.output.shape) == 4
        return self._op(
            "Concat", list(parts), layer.name, axis=[0, 2, 3, 1][axis] if image else axis
        )

    def slice(self, layer: Layer, x: str) -> str:
        begin, size = layer.how["begin"], layer.output.channels
        axis = 1 if len(layer.output.shape) == 4 else len(layer.output.shape) - 1
        how = [self._constant(np.array([v], np.int64)) for v in (begin, begin + size, axis)]
        return self._op("Slice", [x, *how], layer.name)

    def upsample(self, layer: Layer, x: str) -> str:
        factor = layer.how["factor"]
        scales = self._constant(np.array([1, 1, factor, factor], np.float32))
        return self._op(
            "Resize", [x, "", scales], layer.name, mode="nearest", nearest_mode="floor",
            coordinate_transformation_mode="asymmetric",
        )  # fmt: skip

    def resize(self, layer: Layer, x: str) -> str:
        sizes = self._constant(np.array(in_file(layer.output.shape), np.int64))
        return self._op(
            "Resize", [x, "", "", sizes], layer.name, mode="linear",
            coordinate_transformation_mode="half_pixel",
        )  # fmt: skip

    def space_to_depth(self, layer: Layer, x: str) -> str:
        return self._op("SpaceToDepth", [x], layer.name, blocksize=layer.how["block"])

    def _reshape(self, x: str, shape: list[int] | tuple[int, ...], name: str) -> str:
        return self._op("Reshape", [x, self._constant(np.array(shape, np.int64))], name)

    def flat(self, layer: Layer, x: str) -> str:
        self._flattened[layer.output] = layer.inputs[0]
        return self._reshape(x, layer.output.shape, layer.name)

    def tokens(self, layer: Layer, x: str) -> str:
        n, tokens, channels = layer.output.shape
        rows = self._reshape(x, [n, channels, tokens], f"{layer.name}/rows")
        return self._op("Transpose", [rows], layer.name, perm=[0, 2, 1])

    def heads(self, layer: Layer, x: str) -> str:
        n, count, tokens, width = layer.output.shape
        split = self._reshape(x, [n, tokens, count, width], f"{layer.name}/split")
        return self._op("Transpose", [split], layer.name, perm=[0, 2, 1, 3])

    def merged(self, layer: Layer, x: str) -> str:
        turned = self._op("Transpose", [x], f"{layer.name}/turned", perm=[0, 2, 1, 3])
        return self._reshape(turned, layer.output.shape, layer.name)
