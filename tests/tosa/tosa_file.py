"""TOSA files put together by hand: tensors and operators as JSON, which `flatc` packs.

The schema is the importer's (compiler_bridge/import/tosa/tosa.fbs).
"""

from __future__ import annotations

import json
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

SCHEMA = Path(__file__).resolve().parents[2] / "compiler_bridge" / "import" / "tosa" / "tosa.fbs"
ATTRIBUTES = {
    "ARGMAX": "ArgMax", "AVG_POOL2D": "AvgPool2d", "CONV2D": "Conv2d", "CONV3D": "Conv3d",
    "DEPTHWISE_CONV2D": "DepthwiseConv2d", "MATMUL": "MatMul", "MAX_POOL2D": "MaxPool2d",
    "TRANSPOSE_CONV2D": "TransposeConv2d", "INTDIV": "IntDiv", "CONST_SHAPE": "ConstShape",
}  # fmt: skip
"""Where the union's name is not the operator's in camel case."""
WIDTH = {"BOOL": 1, "INT8": 1, "INT16": 2, "INT32": 4, "INT48": 6, "FP32": 4}
NUMPY = {
    "BOOL": np.bool_, "INT8": np.int8, "INT16": np.int16, "INT32": np.int32, "INT48": np.int64,
    "FP32": np.float32,
}  # fmt: skip


def attribute_of(op: str) -> str:
    return ATTRIBUTES.get(op, "".join(word.capitalize() for word in op.split("_")))


class TosaFile:
    """One block; names are given in the order of making."""

    def __init__(self, version: tuple[int, int, int] = (1, 0, 0)) -> None:
        major, minor, patch = version
        self.version: dict[str, Any] = {
            "major": major, "minor": minor, "patch": patch, "draft": False,
        }  # fmt: skip
        self.tensors: list[dict[str, Any]] = []
        self.shapes: list[dict[str, Any]] = []
        self.operators: list[dict[str, Any]] = []
        self.inputs: list[str] = []
        self.outputs: list[str] = []

    def tensor(self, shape: list[int], dtype: str, name: str = "") -> str:
        name = name or f"t{len(self.tensors)}"
        self.tensors.append({"name": name, "shape": shape, "type": dtype})
        return name

    def input(self, shape: list[int], dtype: str) -> str:
        self.inputs.append(self.tensor(shape, dtype, f"in{len(self.inputs)}"))
        return self.inputs[-1]

    def constant(self, values: Any, dtype: str) -> str:
        array = np.asarray(values)
        name = self.tensor(list(array.shape), dtype)
        if dtype == "INT48":
            wide = array.astype("<i8").tobytes()
            data = b"".join(wide[i : i + 6] for i in range(0, len(wide), 8))
        else:
            data = array.astype(np.dtype(NUMPY[dtype]).newbyteorder("<")).tobytes()
        self.tensors[-1]["data"] = list(data)
        self.op("CONST", [], name)
        return name

    def numbers(self, values: list[int]) -> str:
        """A constant shape."""
        name = f"s{len(self.shapes)}"
        data = list(np.asarray(values, "<i8").tobytes())
        self.shapes.append({"name": name, "rank": len(values), "data": data})
        self.op("CONST_SHAPE", [], name)
        return name

    def op(self, code: str, inputs: list[str], output: str, **attributes: Any) -> str:
        self.operators.append(
            {
                "op": code, "attribute_type": attribute_of(code), "attribute": attributes,
                "inputs": inputs, "outputs": [output],
            }
        )  # fmt: skip
        return output

    def made(self, code: str, inputs: list[str], shape: list[int], dtype: str, **a: Any) -> str:
        """An operator and the tensor that it makes."""
        return self.op(code, inputs, self.tensor(shape, dtype), **a)

    def json(self) -> dict[str, Any]:
        block = {
            "name": "main", "operators": self.operators, "tensors": self.tensors,
            "inputs": self.inputs, "outputs": self.outputs, "shapes": self.shapes,
        }  # fmt: skip
        return {"version": self.version, "regions": [{"name": "main", "blocks": [block]}]}

    def bytes(self) -> bytes:
        with tempfile.TemporaryDirectory() as folder:
            text = Path(folder) / "net.json"
            text.write_text(json.dumps(self.json()))
            subprocess.run(["flatc", "--binary", "-o", folder, SCHEMA, text], check=True)
            return (Path(folder) / "net.bin").read_bytes()
