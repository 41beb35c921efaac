"""A random TFLite file: tensors and operators as JSON, which flatc turns into bytes."""

from __future__ import annotations

import json
import math
import re
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
ROOT = Path(__file__).resolve().parents[3]
SCHEMA = ROOT / "compiler_bridge" / "import" / "tflite" / "tflite.fbs"
DTYPES: dict[str, Any] = {
    "Int8": np.int8, "Uint8": np.uint8, "Int16": np.int16, "Int32": np.int32, "Int64": np.int64,
    "Float32": np.float32, "Bool": np.bool_,
}  # fmt: skip
KINDS = {np.dtype(dtype).name: kind for kind, dtype in DTYPES.items()}
#: Of operators whose first version LiteRT does not take.
VERSIONS = {"BROADCAST_TO": 3}
ACTIVATIONS = ("None", "None", "Relu", "Relu6", "ReluN1To1")


@cache
def codes() -> dict[str, int]:
    """Numbers of the operators, as the schema has them."""
    text = SCHEMA.read_text(encoding="utf-8")
    listed = re.search(r"enum Builtin : int \{(.*?)\}", text, re.DOTALL)
    assert listed is not None
    return {name: int(n) for name, n in re.findall(r"(\w+) = (\d+)", listed.group(1))}


@dataclass
class Model:
    """What a maker fills. `kind` is the type of its activations; tensors are named by number."""

    rng: np.random.Generator
    kind: str = "Int8"
    tensors: list[dict[str, Any]] = field(default_factory=list)
    buffers: list[dict[str, Any]] = field(default_factory=lambda: [{}])
    inputs: list[int] = field(default_factory=list)
    outputs: list[int] = field(default_factory=list)
    codes: list[dict[str, Any]] = field(default_factory=list)
    ops: list[dict[str, Any]] = field(default_factory=list)
    #: Which values of each output the runtime defines; None: all.
    defined: Callable[[list[Array]], list[Any]] | None = None
    #: Values for inputs that must not be any.
    given: dict[int, Array] = field(default_factory=dict)

    # ---- numbers

    def chance(self, p: float) -> bool:
        return bool(self.rng.random() < p)

    def number(self, low: int, high: int) -> int:
        """low..high, both included; one in five is low."""
        return low if self.chance(0.2) else int(self.rng.integers(low, high + 1))

    def pick(self, choices: Sequence[Any]) -> Any:
        return choices[int(self.rng.integers(0, len(choices)))]

    def shape(self, rank: int, most: int = 9) -> list[int]:
        return [self.number(1, most) for _ in range(rank)]

    def activation(self) -> str:
        return str(self.pick(ACTIVATIONS))

    def between(self, low: float, high: float) -> float:
        """As many small numbers as large ones; some powers of two, where the ties are."""
        exponent = self.rng.uniform(math.log2(low), math.log2(high))
        return float(np.float32(2.0 ** (round(exponent) if self.chance(0.3) else exponent)))

    def scale(self, kind: str = "") -> float:
        """Of a tensor: mostly what networks have, one in ten far from it; with some, 6 lies in the
        middle between two values."""
        wild = self.chance(0.1)
        if self.chance(0.04):
            return float(np.float32(12 / (2 * self.number(0, 200) + 1)))
        if (kind or self.kind) == "Int16":
            return self.between(2**-18, 2**-2) if wild else self.between(2**-13, 2**-6)
        return self.between(2**-12, 2**5) if wild else self.between(2**-7, 2**-1)

    def zero(self, kind: str = "") -> int:
        """One in four at the ends of the type."""
        if (kind or self.kind) not in ("Int8", "Uint8"):
            return 0
        offset = 128 if (kind or self.kind) == "Uint8" else 0
        middle = int(self.rng.integers(-128, 128))
        return offset + (self.pick([-128, 127, 0]) if self.chance(0.25) else middle)

    # ---- tensors

    def tensor(
        self,
        shape: Sequence[int],
        kind: str = "",
        scale: float | Sequence[float] | None = None,
        zero: int = 0,
        axis: int = 0,
        data: Array | None = None,
    ) -> int:
        """One more tensor. scale: of the tensor, a list: along `axis`, None: it has none."""
        made: dict[str, Any] = {"shape": list(shape), "type": kind or self.kind, "buffer": 0}
        made["name"] = f"t{len(self.tensors)}"
        if scale is not None:
            scales = list(scale) if isinstance(scale, Sequence) else [scale]
            made["quantization"] = {
                "scale": [float(np.float32(s)) for s in scales],
                "zero_point": [zero] * len(scales),
                "quantized_dimension": axis,
            }
        if data is not None:
            self.buffers.append({"data": list(data.tobytes())})
            made["buffer"] = len(self.buffers) - 1
        self.tensors.append(made)
        return len(self.tensors) - 1

    def result(
        self,
        shape: Sequence[int],
        scale: float | None = None,
        zero: int | None = None,
        kind: str = "",
    ) -> int:
        """A tensor that the network computes; scale and zero point at random where not said."""
        s = self.scale(kind) if scale is None else scale
        return self.tensor(shape, kind, s, self.zero(kind) if zero is None else zero)

    def input(
        self,
        shape: Sequence[int],
        scale: float | None = None,
        zero: int | None = None,
        kind: str = "",
    ) -> int:
        """An input of the network."""
        self.inputs.append(self.result(shape, scale, zero, kind))
        return self.inputs[-1]

    def plain_input(self, shape: Sequence[int], kind: str, data: Array | None = None) -> int:
        """An input without a scale; `data` are its values where they must not be any."""
        self.inputs.append(self.tensor(shape, kind))
        if data is not None:
            self.given[self.inputs[-1]] = data
        return self.inputs[-1]

    def moved(self, shape: Sequence[int]) -> int:
        """An input whose values only move: with a scale where its type has one."""
        if self.kind in ("Int8", "Uint8", "Int16"):
            return self.input(shape)
        return self.plain_input(shape, self.kind)

    def operand(self, shape: Sequence[int]) -> int:
        """An input, or one in three times a constant, of the type of the activations."""
        if self.chance(2 / 3) or not self.inputs:
            return self.input(shape)
        return self.tensor(shape, "", self.scale(), self.zero(), data=self.any_of(self.kind, shape))

    def operands(self, shapes: Sequence[Sequence[int]]) -> list[int]:
        """Inputs that mean the same: one scale and zero point, or, of int32, none."""
        if self.kind in ("Int32", "Int64"):
            return [self.plain_input(shape, self.kind) for shape in shapes]
        scale, zero = self.scale(), self.zero()
        return [self.input(shape, scale, zero) for shape in shapes]

    def like(self, tensor: int, shape: Sequence[int]) -> int:
        """A tensor of the same type and quantisation."""
        kind = self.tensors[tensor]["type"]
        if "quantization" not in self.tensors[tensor]:
            return self.tensor(shape, kind)
        return self.tensor(shape, kind, self.scale_of(tensor), self.zero_of(tensor))

    def like_constant(self, tensor: int, data: Array) -> int:
        """A constant of the same type and quantisation."""
        if "quantization" not in self.tensors[tensor]:
            return self.constant(data)
        return self.constant(data, self.scale_of(tensor), self.zero_of(tensor))

    def constant(
        self,
        data: Array,
        scale: float | Sequence[float] | None = None,
        zero: int = 0,
        axis: int = 0,
    ) -> int:
        return self.tensor(data.shape, KINDS[data.dtype.name], scale, zero, axis, data)

    def integers(self, *values: int) -> int:
        """A parameter: a vector of int32."""
        return self.constant(np.array(values, np.int32))

    def scale_of(self, tensor: int) -> float:
        return float(self.tensors[tensor]["quantization"]["scale"][0])

    def zero_of(self, tensor: int) -> int:
        return int(self.tensors[tensor]["quantization"]["zero_point"][0])

    def any_of(self, kind: str, shape: Sequence[int]) -> Array:
        """Values of a type, its ends among them. Of floats: some that no integer stands for."""
        dtype = DTYPES[kind]
        if kind == "Float32":
            return np.asarray(self.rng.normal(0, 1, shape) * self.between(2**-3, 2**6), dtype)
        if kind == "Bool":
            return self.rng.integers(0, 2, shape).astype(dtype)
        low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
        bound = 1 << 28  # int32: beyond, sums in the runtimes overflow
        values = self.rng.integers(max(low, -bound), min(high, bound), shape, endpoint=True)
        ends = self.rng.choice(np.array([max(low, -bound), min(high, bound), 0]), shape)
        return np.where(self.rng.random(shape) < 0.1, ends, values).astype(dtype)

    # ---- the file

    def op(
        self,
        code: str,
        inputs: Sequence[int],
        outputs: int | Sequence[int],
        options_type: str = "",
        **options: Any,
    ) -> None:
        """One more operator; what the last one makes are the network's outputs."""
        self.outputs = [outputs] if isinstance(outputs, int) else list(outputs)
        op: dict[str, Any] = {"opcode_index": len(self.ops), "inputs": list(inputs)}
        op["outputs"] = self.outputs
        if options_type:
            op |= {"options_type": options_type, "options": options}
        version = VERSIONS.get(code, 1)
        self.codes.append({"short_code": min(codes()[code], 127), "code": code, "version": version})
        self.ops.append(op)

    def file(self) -> bytes:
        tensors = [  # makers give floats a scale like any; the file has none
            {k: v for k, v in t.items() if k != "quantization" or t["type"] != "Float32"}
            for t in self.tensors
        ]
        graph = {"tensors": tensors, "inputs": self.inputs, "outputs": self.outputs}
        model = {
            "version": 3,
            "operator_codes": self.codes,
            "subgraphs": [graph | {"operators": self.ops}],
            "buffers": self.buffers,
        }
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "m.json"
            path.write_text(json.dumps(model), encoding="utf-8")
            command = ["flatc", "-b", "-o", folder, str(SCHEMA), str(path)]
            subprocess.run(command, check=True, capture_output=True)
            return next(p for p in Path(folder).iterdir() if p.suffix != ".json").read_bytes()

    def values(self) -> list[Array]:
        """One sample for every input."""
        return [
            self.given.get(i, self.any_of(self.tensors[i]["type"], self.tensors[i]["shape"]))
            for i in self.inputs
        ]
