"""Regions as functions that TVM's virtual machine calls: on the simulated SoC."""

from __future__ import annotations

import ctypes
import hashlib
import os
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import tvm_ffi

from .. import paths
from ..refusal import Refusal
from .board import board
from .container import Part, unpack

SOURCE = Path(__file__).with_name("module.cpp")


def load_module_kind() -> None:
    """Makes TVM know modules of presil: module.cpp, compiled once for a version of tvm-ffi."""
    if tvm_ffi.get_global_func("presil.tvm.module", allow_missing=True) is not None:
        return
    includes = [tvm_ffi.libinfo.find_include_path(), tvm_ffi.libinfo.find_dlpack_include_path()]
    text = SOURCE.read_bytes() + "".join((tvm_ffi.__version__, *map(str, includes))).encode()
    library = paths.CACHE / "tvm" / f"module-{hashlib.sha256(text).hexdigest()[:16]}.so"
    if not library.is_file():
        compiled(library, includes)
    tvm_ffi.load_module(str(library))


def compiled(library: Path, includes: list[Any]) -> None:
    library.parent.mkdir(parents=True, exist_ok=True)
    compiler = os.environ.get("CXX", "g++")
    with tempfile.TemporaryDirectory(dir=library.parent) as folder:
        made = Path(folder) / library.name
        command = [compiler, "-std=c++17", "-O1", "-shared", "-fPIC", str(SOURCE), "-o", str(made)]
        for include in includes:
            command += ["-isystem", str(include)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False)
        except OSError as error:
            raise Refusal(
                f"tvm: cannot call the compiler '{compiler}' ({error}); set CXX"
            ) from None
        if done.returncode:
            last = (done.stderr.strip().splitlines() or [""])[-1]
            raise Refusal(f"tvm: '{compiler}' cannot compile '{SOURCE}': {last}")
        made.replace(library)


def open_regions(data: bytes) -> Callable[[str], Any]:
    """A function that finds those of the regions in the bytes by their symbol."""
    parts = unpack(bytes(data))
    functions: dict[str, Any] = {}

    def find(name: str) -> Any:
        if name not in parts:
            return None
        if name not in functions:
            functions[name] = tvm_ffi.convert(caller(parts[name]))
        return functions[name]

    return find


def caller(part: Part) -> Callable[..., None]:
    """The region as a function of its inputs and, after them, the tensors for its results."""
    count = len(part.inputs)
    tensors = part.program.inputs
    dtypes = [np.dtype(tensor["dtype"]) for tensor in tensors]

    def call(*given: Any) -> None:
        if len(given) != count + len(part.outputs):
            raise Refusal(
                f"tvm: '{part.symbol}' got {len(given)} tensors, expected {count} inputs and "
                f"{len(part.outputs)} results"
            )
        inputs = [np.from_dlpack(given[k]) for k in part.inputs]
        for array, dtype, tensor in zip(inputs, dtypes, tensors, strict=True):
            if array.dtype != dtype or list(array.shape) != tensor["shape"]:
                raise Refusal(
                    f"tvm: '{part.symbol}': '{tensor['name']}' got {array.dtype}"
                    f"{list(array.shape)}, expected {dtype}{tensor['shape']}"
                )
        results = board().run(part, inputs)
        for k, target in zip(part.outputs, given[count:], strict=True):
            put(results[k], target, part.symbol)

    return call


def put(array: np.ndarray, target: Any, symbol: str) -> None:
    """Copies into a tensor of the caller's, which numpy would only read."""
    if tuple(target.shape) != array.shape or str(target.dtype) != str(array.dtype):
        raise Refusal(
            f"tvm: '{symbol}' gives {array.dtype}{list(array.shape)}, its result is "
            f"{target.dtype}{list(target.shape)}"
        )
    if not target.is_contiguous():
        raise Refusal(f"tvm: '{symbol}' writes its result as one piece; give a contiguous tensor")
    source = np.ascontiguousarray(array)
    ctypes.memmove(int(target.data_ptr()), source.ctypes.data, source.nbytes)


load_module_kind()
tvm_ffi.register_global_func("presil.tvm.open", open_regions, override=True)
