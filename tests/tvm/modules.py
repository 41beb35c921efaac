"""Relax modules for the cases: quantised convolutions between other operators."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import presil
import presil.tvm
import tflite
import tvm
from tvm import relax
from tvm.relax.frontend.onnx import from_onnx
from tvm.relax.frontend.tflite import from_tflite

SHARED = presil.paths.shared() / "models"
Expr = Any


def imported(file: Path) -> Any:
    """A file as TVM's importers have it."""
    if file.suffix == ".onnx":
        return from_onnx(onnx.load(str(file)))
    return from_tflite(tflite.Model.GetRootAsModel(file.read_bytes(), 0))


def arrays_for(inputs: list[dict[str, Any]], seed: int = 0) -> list[np.ndarray]:
    rng = np.random.default_rng(seed)
    made = []
    for tensor in inputs:
        if tensor["dtype"] == "float32":
            made.append(rng.uniform(-1, 1, tensor["shape"]).astype(np.float32))
        else:
            info = np.iinfo(tensor["dtype"])
            made.append(rng.integers(info.min, info.max + 1, tensor["shape"], info.dtype))
    return made


def machine(mod: Any) -> Any:
    """The virtual machine of a module, partitioned or not."""
    mod = relax.transform.RunCodegen()(mod)
    return relax.VirtualMachine(relax.build(mod, "llvm"), tvm.cpu())


def called(vm: Any, *arrays: np.ndarray) -> list[np.ndarray]:
    made = vm["main"](*[tvm.runtime.tensor(x) for x in arrays])
    return [t.numpy() for t in ([made] if hasattr(made, "numpy") else made)]


class Quantised:
    """Builds a function of one input of int8; each step leaves stored values."""

    def __init__(self, shape: tuple[int, ...], seed: int = 0) -> None:
        self.rng = np.random.default_rng(seed)
        self.builder = relax.BlockBuilder()
        self.x = relax.Var("x", relax.TensorType(shape, "int8"))

    def scale(self, value: float) -> Any:
        return relax.const(np.float32(value))

    def real(self, x: Expr, scale: float = 0.05, zero: int = 0) -> Expr:
        return self.emit(relax.op.dequantize(x, self.scale(scale), relax.const(zero, "int32")))

    def stored(self, x: Expr, scale: float = 0.05, zero: int = 0) -> Expr:
        zero_point = relax.const(zero, "int32")
        return self.emit(relax.op.quantize(x, self.scale(scale), zero_point, out_dtype="int8"))

    def stored16(self, x: Expr, scale: float = 0.05) -> Expr:
        zero_point = relax.const(0, "int32")
        return self.emit(relax.op.quantize(x, self.scale(scale), zero_point, out_dtype="int16"))

    def tail(self, x: Expr) -> Expr:
        """The first pixel of an image, [1, 1, 1, channels]."""
        return self.emit(relax.op.strided_slice(x, axes=[1, 2], begin=[0, 0], end=[1, 1]))

    def emit(self, x: Expr) -> Expr:
        return self.builder.emit(x)

    def conv(self, x: Expr, out: int, kernel: int = 3, **how: Any) -> Expr:
        """A convolution of N, H, W, C with a bias, of real numbers as QDQ has it."""
        channels = int(x.ty.shape.values[3])
        weights = self.rng.integers(-127, 128, (kernel, kernel, channels, out), np.int8)
        scales = self.rng.uniform(0.002, 0.004, out).astype(np.float32)
        zeros = np.zeros(out, np.int32)
        w = self.emit(
            relax.op.dequantize(
                relax.const(weights), relax.const(scales), relax.const(zeros), axis=3
            )
        )
        bias = self.rng.integers(-500, 500, out).astype(np.int32)
        b = self.emit(
            relax.op.dequantize(
                relax.const(bias),
                relax.const((np.float32(0.05) * scales).astype(np.float32)),
                relax.const(zeros),
                axis=0,
            )
        )
        how = {"padding": kernel // 2, "data_layout": "NHWC", "kernel_layout": "HWIO", **how}
        y = self.emit(relax.op.nn.conv2d(x, w, **how))
        return self.emit(relax.op.add(y, b))

    def module(self, body: Callable[[Expr], Any]) -> Any:
        """body: of the input, gives what the function returns."""
        with self.builder.function("main", [self.x]):
            with self.builder.dataflow():
                made = body(self.x)
                ends = list(made) if isinstance(made, tuple) else [made]
                out = [self.builder.emit_output(end) for end in ends]
            self.builder.emit_func_output(out[0] if len(out) == 1 else out)
        return self.builder.finalize()
