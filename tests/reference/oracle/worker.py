"""The process of the runtimes: reads networks and samples, answers with what they compute.

It runs in an environment of its own, with numpy, tflite-micro and ai-edge-litert. A message is its
length in 8 bytes and a pickle; arrays are (dtype, shape, bytes). A text instead of outputs says why
the runtime does not take the network.
"""

from __future__ import annotations

import os
import pickle
import struct
import sys
from typing import Any, BinaryIO

import numpy as np


def micro(file: bytes, inputs: list[Any]) -> list[Any]:
    from tflite_micro.python.tflite_micro import runtime

    interpreter = runtime.Interpreter.from_bytes(file, arena_size=1 << 21)
    for i, x in enumerate(inputs):
        interpreter.set_input(x, i)
    interpreter.invoke()
    count = 0
    outputs = []
    while True:
        try:
            outputs.append(np.array(interpreter.get_output(count)))
        except (IndexError, ValueError, RuntimeError):
            return outputs
        count += 1


def litert(file: bytes, inputs: list[Any], delegate: bool = True) -> list[Any]:
    from ai_edge_litert.interpreter import Interpreter, OpResolverType

    kernels = OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES
    resolver = OpResolverType.AUTO if delegate else kernels
    interpreter = Interpreter(
        model_content=file, num_threads=1, experimental_op_resolver_type=resolver
    )
    interpreter.allocate_tensors()
    for detail, x in zip(interpreter.get_input_details(), inputs, strict=True):
        interpreter.set_tensor(detail["index"], x)
    interpreter.invoke()
    details = interpreter.get_output_details()
    return [np.array(interpreter.get_tensor(detail["index"])) for detail in details]


def own_kernels(file: bytes, inputs: list[Any]) -> list[Any]:
    """TFLite's kernels of full size, which take what TFLite Micro has no kernels for."""
    return litert(file, inputs, delegate=False)


RUNTIMES = {"tflite": micro, "xnnpack": litert, "kernels": own_kernels}


def answer(rules: str, file: bytes, packed: list[tuple[str, tuple[int, ...], bytes]]) -> Any:
    inputs = [np.frombuffer(data, dtype).reshape(shape) for dtype, shape, data in packed]
    try:
        outputs = RUNTIMES[rules](file, inputs)
    except (RuntimeError, ValueError) as error:
        return str(error) or "refused"
    return [(x.dtype.name, x.shape, x.tobytes()) for x in outputs]


def read(stream: BinaryIO) -> Any:
    head = stream.read(8)
    if len(head) < 8:
        return None
    return pickle.loads(stream.read(struct.unpack("<Q", head)[0]))


def write(stream: BinaryIO, message: Any) -> None:
    data = pickle.dumps(message)
    stream.write(struct.pack("<Q", len(data)) + data)
    stream.flush()


def main() -> None:
    replies = os.fdopen(os.dup(1), "wb")  # what the runtimes print must not come between
    os.dup2(2, 1)
    from ai_edge_litert.interpreter import Interpreter  # noqa: F401
    from tflite_micro.python.tflite_micro import runtime  # noqa: F401

    write(replies, "ready")
    while (message := read(sys.stdin.buffer)) is not None:
        write(replies, answer(*message))


if __name__ == "__main__":
    main()
