"""ONNX files for tests, made by python3-onnx."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

onnx = pytest.importorskip("onnx", reason="SKIPPED: no python3-onnx")
pytest.importorskip("onnx.numpy_helper")
FLOAT = 1
OPSET = 13


def attribute(name: str, value: Any) -> Any:
    """Of a node: a number, text, or numbers."""
    made = onnx.AttributeProto(name=name)
    if isinstance(value, str):
        made.type, made.s = onnx.AttributeProto.STRING, value.encode()
    elif isinstance(value, float):
        made.type, made.f = onnx.AttributeProto.FLOAT, value
    elif isinstance(value, list):
        made.type = onnx.AttributeProto.INTS
        made.ints.extend(value)
    else:
        made.type, made.i = onnx.AttributeProto.INT, value
    return made


def node(kind: str, inputs: list[str], name: str, **attributes: Any) -> Any:
    made = onnx.NodeProto(op_type=kind, input=inputs, output=[name], name=name)
    made.attribute.extend(attribute(*one) for one in attributes.items())
    return made


def edge(name: str, kind: int, shape: list[int] | None = None) -> Any:
    made = onnx.ValueInfoProto(name=name)
    made.type.tensor_type.elem_type = kind
    for extent in shape or ():
        made.type.tensor_type.shape.dim.add().dim_value = extent
    return made


class Model:
    """Nodes, constants and edges, one after another."""

    def __init__(self, opset: int = OPSET) -> None:
        self.opset = opset
        self.nodes: list[Any] = []
        self.constants: list[Any] = []
        self.inputs: list[Any] = []
        self.outputs: list[Any] = []

    def input(self, name: str, shape: list[Any], kind: int = FLOAT) -> str:
        self.inputs.append(edge(name, kind, shape))
        return name

    def output(self, name: str, kind: int = FLOAT) -> None:
        self.outputs.append(edge(name, kind))

    def constant(self, array: Any) -> str:
        name = f"c{len(self.constants)}"
        self.constants.append(onnx.numpy_helper.from_array(np.asarray(array), name))
        return name

    def op(self, kind: str, inputs: list[str], name: str, **attributes: Any) -> str:
        self.nodes.append(node(kind, inputs, name, **attributes))
        return name

    def quantised(self, x: str, scale: float, zero: Any, name: str) -> str:
        """Through stored values: x as the real numbers that they mean."""
        how = [self.constant(np.float32(scale)), self.constant(zero)]
        stored = self.op("QuantizeLinear", [x, *how], f"{name}_q")
        return self.op("DequantizeLinear", [stored, *how], f"{name}_dq")

    def stored(self, values: np.ndarray, scales: Any, name: str, axis: int = 0) -> str:
        """A constant as its stored values."""
        scales = np.asarray(scales, np.float32)
        zeros = np.zeros(scales.shape, values.dtype)
        inputs = [self.constant(values), self.constant(scales), self.constant(zeros)]
        return self.op("DequantizeLinear", inputs, f"{name}_dq", axis=axis)

    def save(self, file: Path) -> Path:
        made = onnx.ModelProto(ir_version=8)
        made.opset_import.add().version = self.opset
        graph = made.graph
        graph.name = "made"
        graph.node.extend(self.nodes)
        graph.input.extend(self.inputs)
        graph.output.extend(self.outputs)
        graph.initializer.extend(self.constants)
        file.write_bytes(made.SerializeToString())
        return file
