"""ONNX files for tests, made by python3-onnx."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

onnx = pytest.importorskip("onnx", reason="SKIPPED: no python3-onnx")
pytest.importorskip("onnx.numpy_helper")
pytest.importorskip("onnx.external_data_helper")
FLOAT = 1
OPSET = 13


class Model:
    """Nodes, constants and edges, one after another."""

    def __init__(self, opset: int = OPSET) -> None:
        self.opset = opset
        self.nodes: list[Any] = []
        self.constants: list[Any] = []
        self.inputs: list[Any] = []
        self.outputs: list[Any] = []

    def input(self, name: str, shape: list[Any], kind: int = FLOAT) -> str:
        self.inputs.append(onnx.helper.make_tensor_value_info(name, kind, shape))
        return name

    def output(self, name: str, kind: int = FLOAT) -> None:
        self.outputs.append(onnx.helper.make_tensor_value_info(name, kind, None))

    def constant(self, array: Any) -> str:
        name = f"c{len(self.constants)}"
        self.constants.append(onnx.numpy_helper.from_array(np.asarray(array), name))
        return name

    def op(self, kind: str, inputs: list[str], name: str, **attributes: Any) -> str:
        self.nodes.append(onnx.helper.make_node(kind, inputs, [name], name=name, **attributes))
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
        graph = onnx.helper.make_graph(
            self.nodes, "made", self.inputs, self.outputs, self.constants
        )
        opset = [onnx.helper.make_opsetid("", self.opset)]
        onnx.save(onnx.helper.make_model(graph, opset_imports=opset), str(file))
        return file
