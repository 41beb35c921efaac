"""Single quantised operators with random numbers, as the standard's own evaluator and onnxruntime
compute them: `python onnx_standard_worker.py FIRST END FOLDER` in an environment with onnx and
onnxruntime. Of each case FOLDER/<k>.onnx and <k>.npz: x, reference, runtime; `name` says which."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
from onnx import AttributeProto, GraphProto, ModelProto, NodeProto, TensorProto, ValueInfoProto
from onnx.numpy_helper import from_array
from onnx.reference import ReferenceEvaluator

FLOAT, INT8, UINT8 = TensorProto.FLOAT, TensorProto.INT8, TensorProto.UINT8
INT32 = TensorProto.INT32


class Made:
    """A network of few nodes."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.graph = GraphProto(name="made")
        self.unsigned = bool(self.rng.integers(2))

    @property
    def stored(self) -> type:
        return np.uint8 if self.unsigned else np.int8

    def constant(self, array: Any) -> str:
        name = f"c{len(self.graph.initializer)}"
        self.graph.initializer.append(from_array(np.asarray(array), name))
        return name

    def op(self, kind: str, inputs: list[str], name: str, **attributes: Any) -> str:
        node = NodeProto(op_type=kind, input=inputs, output=[name], name=name)
        for key, value in attributes.items():
            one = AttributeProto(name=key)
            if isinstance(value, list):
                one.type, one.ints[:] = AttributeProto.INTS, value
            elif isinstance(value, float):
                one.type, one.f = AttributeProto.FLOAT, value
            elif isinstance(value, str):
                one.type, one.s = AttributeProto.STRING, value.encode()
            else:
                one.type, one.i = AttributeProto.INT, value
            node.attribute.append(one)
        self.graph.node.append(node)
        return name

    def edge(self, name: str, kind: int, shape: list[int] | None, to: Any) -> None:
        value = ValueInfoProto(name=name)
        value.type.tensor_type.elem_type = kind
        for extent in shape or ():
            value.type.tensor_type.shape.dim.add().dim_value = extent
        to.append(value)

    def scale(self, low: float = 0.002, high: float = 0.2) -> np.float32:
        """Any number, or a power of two, which makes ties."""
        if self.rng.integers(4) == 0:
            return np.float32(2.0 ** self.rng.integers(-8, -2))
        return np.float32(np.exp(self.rng.uniform(np.log(low), np.log(high))))

    def how(self, scale: float, of: type | None = None) -> list[str]:
        """Scale and zero point."""
        dtype = of or self.stored
        limits = np.iinfo(dtype)
        zero = dtype(self.rng.integers(limits.min // 2 + 10, limits.max // 2 + 10))
        return [self.constant(np.float32(scale)), self.constant(zero)]

    def input(self, shape: list[int]) -> str:
        self.edge("x", UINT8 if self.unsigned else INT8, shape, self.graph.input)
        limits = np.iinfo(self.stored)
        self.x = self.rng.integers(limits.min, limits.max, shape, self.stored, endpoint=True)
        return "x"

    def weights(self, shape: list[int], channels: int) -> tuple[list[str], np.ndarray]:
        """int8 values, their scales, zeros; for each channel or for all."""
        wide = np.exp(self.rng.uniform(-6, -3, channels if self.rng.integers(2) else ()))
        scales = np.asarray(wide, np.float32)
        values = self.rng.integers(-127, 128, shape, np.int8)
        zeros = np.zeros(scales.shape, np.int8)
        return [self.constant(values), self.constant(scales), self.constant(zeros)], scales

    def model(self, stored: bool) -> ModelProto:
        """stored: its result is of x's type, else int32."""
        kind = UINT8 if self.unsigned else INT8
        self.edge("y", kind if stored else INT32, None, self.graph.output)
        made = ModelProto(ir_version=8, graph=self.graph)
        made.opset_import.add().version = 19
        return made


def qlinear_conv(m: Made) -> None:
    groups = int(m.rng.choice([1, 1, 2, 4]))
    channels, outputs = 4 * int(m.rng.integers(1, 4)), 4 * int(m.rng.integers(1, 4))
    side, kernel = int(m.rng.integers(4, 9)), int(m.rng.choice([1, 3]))
    x = m.input([1, channels, side, side])
    how = m.how(m.scale())
    w, _ = m.weights([outputs, channels // groups, kernel, kernel], outputs)
    bias = m.constant(m.rng.integers(-2000, 2000, outputs, np.int32))
    inputs = [x, *how, *w, *m.how(float(m.rng.uniform(0.3, 3.0))), bias]
    stride = int(m.rng.integers(1, 3))
    pads = [int(m.rng.integers(2)) if kernel == 3 else 0] * 4
    m.op("QLinearConv", inputs, "y", group=groups, strides=[stride] * 2, pads=pads)


def qlinear_matmul(m: Made) -> None:
    rows, inner, columns = (int(v) for v in m.rng.integers(2, 40, 3))
    x = m.input([rows, inner])
    how = m.how(m.scale())
    w = [m.constant(m.rng.integers(-127, 128, (inner, columns), np.int8)),
         m.constant(m.scale(0.002, 0.02)), m.constant(np.int8(0))]  # fmt: skip
    m.op("QLinearMatMul", [x, *how, *w, *m.how(float(m.rng.uniform(0.05, 1.0)))], "y")


def real(m: Made, x: str, how: list[str], name: str) -> str:
    return m.op("DequantizeLinear", [x, *how], name)


def finish(m: Made, x: str, scale: float) -> None:
    m.op("QuantizeLinear", [x, *m.how(scale)], "y")


def conv(m: Made) -> None:
    channels, outputs, side = 4, int(m.rng.integers(1, 9)), int(m.rng.integers(4, 9))
    x = real(m, m.input([1, channels, side, side]), m.how(m.scale()), "a")
    w, _ = m.weights([outputs, channels, 3, 3], outputs)
    weights = m.op("DequantizeLinear", w, "w", axis=0)
    m.op("Conv", [x, weights], "c", pads=[1, 1, 1, 1])
    finish(m, "c", float(m.rng.uniform(0.05, 0.6)))


def pair(kind: str) -> Any:
    def make(m: Made) -> None:
        shape = [1, 8, int(m.rng.integers(2, 9)), int(m.rng.integers(2, 9))]
        a, b = m.scale(), m.scale()
        if m.rng.integers(3) == 0:
            b = a
        x = m.input(shape)
        limits = np.iinfo(m.stored)
        other = m.rng.integers(limits.min, limits.max, shape, m.stored, endpoint=True)
        # both operands follow from x: the second by a reversal that moves bytes alone
        first = real(m, x, m.how(a), "a")
        second = real(m, m.constant(other), m.how(b), "b")
        m.op(kind, [first, second], "c")
        larger = float(max(a, b))
        scale = larger * float(m.rng.choice([1.0, 2.0, m.rng.uniform(0.8, 2.2)]))
        finish(m, "c", scale if kind != "Mul" else float(a * b) * float(m.rng.uniform(40, 140)))

    return make


def one(kind: str, **attributes: Any) -> Any:
    def make(m: Made) -> None:
        shape = [1, 8, int(m.rng.integers(2, 9)), int(m.rng.integers(2, 9))]
        scale = m.scale()
        x = real(m, m.input(shape), m.how(scale), "a")
        m.op(kind, [x], "c", **attributes)
        finish(m, "c", float(scale) * float(m.rng.choice([1.0, m.rng.uniform(0.4, 1.5)])))

    return make


def concat(m: Made) -> None:
    shape = [1, 8, 5, 5]
    x = m.input(shape)
    other = m.rng.integers(-90, 90, shape).astype(m.stored)
    first = real(m, x, m.how(m.scale()), "a")
    second = real(m, m.constant(other), m.how(m.scale()), "b")
    m.op("Concat", [first, second], "c", axis=1)
    finish(m, "c", float(m.scale()))


def matmul(m: Made) -> None:
    inner, columns = int(m.rng.integers(4, 60)), int(m.rng.integers(2, 20))
    x = real(m, m.input([int(m.rng.integers(1, 8)), inner]), m.how(m.scale()), "a")
    w = [m.constant(m.rng.integers(-127, 128, (inner, columns), np.int8)),
         m.constant(m.scale(0.002, 0.02)), m.constant(np.int8(0))]  # fmt: skip
    m.op("MatMul", [x, m.op("DequantizeLinear", w, "w")], "c")
    finish(m, "c", float(m.rng.uniform(0.05, 1.0)))


def depthwise(m: Made) -> None:
    channels, side = int(m.rng.integers(2, 9)), int(m.rng.integers(4, 9))
    x = real(m, m.input([1, channels, side, side]), m.how(m.scale()), "a")
    w, _ = m.weights([channels, 1, 3, 3], channels)
    weights = m.op("DequantizeLinear", w, "w", axis=0)
    stride = int(m.rng.integers(1, 3))
    m.op("Conv", [x, weights], "c", pads=[1, 1, 1, 1], group=channels, strides=[stride] * 2)
    m.op("Relu", ["c"], "r")
    finish(m, "r", float(m.rng.uniform(0.02, 0.2)))


def conv_transpose(m: Made) -> None:
    channels, outputs, side = int(m.rng.integers(2, 6)), int(m.rng.integers(1, 6)), 4
    x = real(m, m.input([1, channels, side, side]), m.how(m.scale()), "a")
    w, _ = m.weights([channels, outputs, 2, 2], outputs)
    weights = m.op("DequantizeLinear", w, "w", axis=1)
    m.op("ConvTranspose", [x, weights], "c", strides=[2, 2])
    finish(m, "c", float(m.rng.uniform(0.02, 0.2)))


def gemm(m: Made) -> None:
    inner, columns = int(m.rng.integers(4, 60)), int(m.rng.integers(2, 20))
    x = real(m, m.input([int(m.rng.integers(1, 8)), inner]), m.how(m.scale()), "a")
    w, scales = m.weights([columns, inner], columns)
    weights = m.op("DequantizeLinear", w, "w", axis=0)
    m.op("Gemm", [x, weights], "c", transB=1)
    finish(m, "c", float(m.rng.uniform(0.05, 1.0)))


def batched_matmul(m: Made) -> None:
    """Both operands are computed: x and its transpose."""
    rows, inner = int(m.rng.integers(2, 9)), int(m.rng.integers(2, 30))
    x = real(m, m.input([2, rows, inner]), m.how(m.scale()), "a")
    m.op("Transpose", [x], "t", perm=[0, 2, 1])
    m.op("MatMul", [x, "t"], "c")
    finish(m, "c", float(m.rng.uniform(0.5, 20.0)))


def clip(m: Made) -> None:
    scale = m.scale()
    x = real(m, m.input([1, 8, 4, 4]), m.how(scale), "a")
    low, high = m.constant(np.float32(m.rng.uniform(-2, 0))), m.constant(np.float32(6))
    m.op("Clip", [x, low, high], "c")
    finish(m, "c", float(scale) * float(m.rng.uniform(0.4, 1.5)))


def reduce_mean(m: Made) -> None:
    scale = m.scale()
    x = real(m, m.input([1, 8, int(m.rng.integers(2, 9)), 5]), m.how(scale), "a")
    m.op("ReduceMean", [x, m.constant(np.array([2, 3], np.int64))], "c", keepdims=1)
    finish(m, "c", float(scale) * float(m.rng.choice([1.0, m.rng.uniform(0.1, 0.9)])))


def bytes_of(m: Made, shape: list[int]) -> tuple[str, str]:
    """Constant bytes of either sign and their zero point."""
    kind = m.rng.choice([np.int8, np.uint8])
    limits = np.iinfo(kind)
    values = m.rng.integers(limits.min, limits.max, shape, kind, endpoint=True)
    return m.constant(values), m.constant(kind(m.rng.integers(limits.min + 90, limits.max - 90)))


def conv_integer(m: Made) -> None:
    channels, outputs, side = (int(v) for v in m.rng.integers(2, 8, 3))
    kernel, stride = int(m.rng.choice([1, 2])), int(m.rng.integers(1, 3))
    x, how = m.input([1, channels, side, side]), m.how(1.0)
    groups = int(m.rng.choice([1, channels]))
    w, zero = bytes_of(m, [outputs * groups, channels // groups, kernel, kernel])
    m.op("ConvInteger", [x, w, how[1], zero], "y", strides=[stride] * 2, group=groups,
         pads=[int(m.rng.integers(2)) if kernel == 2 else 0] * 4)  # fmt: skip


def matmul_integer(m: Made) -> None:
    rows, inner, columns = (int(v) for v in m.rng.integers(2, 40, 3))
    x, how = m.input([2, rows, inner]), m.how(1.0)
    w, zero = bytes_of(m, [inner, columns])
    m.op("MatMulInteger", [x, w, how[1], zero], "y")


SUMS = ("ConvInteger", "MatMulInteger")
"""Of which the results are int32."""
KINDS = {
    "QLinearConv": qlinear_conv,
    "QLinearMatMul": qlinear_matmul,
    "Conv": conv,
    "MatMul": matmul,
    "Add": pair("Add"),
    "Sub": pair("Sub"),
    "Mul": pair("Mul"),
    "Concat": concat,
    "Relu": one("Relu"),
    "LeakyRelu": one("LeakyRelu", alpha=0.1),
    "GlobalAveragePool": one("GlobalAveragePool"),
    "MaxPool": one("MaxPool", kernel_shape=[2, 2]),
    "Sigmoid": one("Sigmoid"),
    "AveragePool": one("AveragePool", kernel_shape=[2, 2]),
    "depthwise": depthwise,
    "ConvTranspose": conv_transpose,
    "Gemm": gemm,
    "batched MatMul": batched_matmul,
    "Clip": clip,
    "Tanh": one("Tanh"),
    "Elu": one("Elu", alpha=1.0),
    "HardSigmoid": one("HardSigmoid"),
    "HardSwish": one("HardSwish"),
    "Softmax": one("Softmax", axis=-1),
    "Transpose": one("Transpose", perm=[0, 2, 3, 1]),
    "ReduceMean": reduce_mean,
    "ConvInteger": conv_integer,
    "MatMulInteger": matmul_integer,
}


def main(first: str, end: str, folder: str) -> None:
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 3
    names = list(KINDS)
    for seed in range(int(first), int(end)):
        name = names[seed % len(names)]
        made = Made(seed)
        KINDS[name](made)
        data = made.model(name not in SUMS).SerializeToString()
        given = {"x": made.x}
        expected = ReferenceEvaluator(onnx.load_from_string(data)).run(None, given)[0]
        session = onnxruntime.InferenceSession(data, options, ["CPUExecutionProvider"])
        runtime = session.run(None, given)[0]
        (Path(folder) / f"{seed}.onnx").write_bytes(data)
        np.savez(Path(folder) / f"{seed}.npz", x=made.x, reference=expected, runtime=runtime,
                 name=np.array(name))  # fmt: skip


if __name__ == "__main__":
    main(*sys.argv[1:])
