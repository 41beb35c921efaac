# SPDX-License-Identifier: Apache-2.0
"""The .tflite file run by two independent runtimes, one per integer rule of presil.

`tflite`: TFLite Micro's reference kernels. `xnnpack`: LiteRT with its default delegate.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from ai_edge_litert.interpreter import Interpreter
from numpy.typing import NDArray
from tflite_micro.python.tflite_micro import runtime as tflite_micro

FILE = Path(__file__).parent / "digits.tflite"
OUTPUTS = [(12, 12, 30), (6, 6, 30)]

Run = Callable[[NDArray[np.uint8]], list[NDArray[np.int8]]]


def _as_input(image: NDArray[np.uint8]) -> NDArray[np.int8]:
    return (image.astype(np.int16) - 128).astype(np.int8)[None]


def _micro(file: bytes) -> Run:
    interpreter = tflite_micro.Interpreter.from_bytes(file, arena_size=4 << 20)

    def run(image: NDArray[np.uint8]) -> list[NDArray[np.int8]]:
        interpreter.set_input(_as_input(image), 0)
        interpreter.invoke()
        return [np.array(interpreter.get_output(k))[0] for k in range(len(OUTPUTS))]

    return run


def _litert(file: bytes) -> Run:
    interpreter = Interpreter(model_content=file, num_threads=1)
    interpreter.allocate_tensors()
    details = interpreter.get_input_details()[0]
    if details["quantization"] != (np.float32(1 / 255), -128):
        raise SystemExit(f"digits: input is {details['quantization']}, must be (1/255, -128)")

    def run(image: NDArray[np.uint8]) -> list[NDArray[np.int8]]:
        interpreter.set_tensor(details["index"], _as_input(image))
        interpreter.invoke()
        return [interpreter.get_tensor(d["index"])[0] for d in interpreter.get_output_details()]

    return run


def runtime(numerics: str, file: bytes) -> Run:
    """The function from an image [96, 96, 3] to the int8 outputs, in the order of the file."""
    run = {"tflite": _micro, "xnnpack": _litert}[numerics](file)
    shapes = [o.shape for o in run(np.zeros((96, 96, 3), np.uint8))]
    if shapes != OUTPUTS:
        raise SystemExit(f"digits: outputs are {shapes}, must be {OUTPUTS} in this order")
    return run


def scales(file: bytes) -> list[tuple[float, int]]:
    """Scale and zero point of every output."""
    details: list[dict[str, Any]] = Interpreter(model_content=file).get_output_details()
    return [d["quantization"] for d in details]


def versions() -> dict[str, str]:
    return {name: version(name) for name in ("tflite-micro", "ai-edge-litert", "numpy")}
