"""tflite-micro and ai-edge-litert, in a process that may die of a network without us."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import IO, Any

import numpy as np
import presil
from presil.validate_source import runtime_python

from .model import Array
from .worker import read, write

REQUIREMENTS = Path(__file__).parent / "requirements.txt"


class Absent(Exception):
    """The runtimes are not on this machine."""


def python() -> Path:
    """The interpreter of the environment: $PRESIL_RUNTIMES, or what `presil test --all` made."""
    try:
        return runtime_python()
    except presil.Refusal as refusal:
        raise Absent(f"{refusal}; `sim/presil test --all` puts them there") from refusal


class Runtimes:
    """Asks for what a network computes; a runtime that crashes does not take the network."""

    def __init__(self) -> None:
        self._python = python()
        self._process: subprocess.Popen[bytes] | None = None

    def __call__(self, rules: str, file: bytes, inputs: list[Array]) -> list[Array] | str:
        """Outputs, or why there are none. rules: 'tflite', 'xnnpack' or 'kernels' (worker.py)."""
        process = self._started()
        assert process.stdin is not None
        packed = [(x.dtype.name, x.shape, x.tobytes()) for x in inputs]
        try:
            write(process.stdin, (rules, file, packed))  # type: ignore[arg-type]
            reply = read(process.stdout)  # type: ignore[arg-type]
        except BrokenPipeError:
            reply = None
        if reply is None:
            self.close()
            return "the runtime crashed"
        if isinstance(reply, str):
            return reply
        return [np.frombuffer(data, dtype).reshape(shape) for dtype, shape, data in reply]

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            worker = Path(__file__).with_name("worker.py")
            pipes: dict[str, IO[Any] | int] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
            command = [str(self._python), str(worker)]
            environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
            self._process = subprocess.Popen(
                command, **pipes, stderr=subprocess.DEVNULL, env=environment
            )  # type: ignore[call-overload]
            if read(self._process.stdout) != "ready":  # type: ignore[arg-type]
                self.close()
                raise Absent(
                    f"{self._python} lacks tflite-micro or ai-edge-litert, see {REQUIREMENTS}"
                )
        return self._process

    def close(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            for stream in (self._process.stdin, self._process.stdout):
                if stream is not None:
                    stream.close()
            self._process = None
