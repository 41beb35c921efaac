"""The process of another runtime: outputs of many samples, as numbers.

It runs in an environment with numpy and the runtime, and imports nothing of presil:
`python runtime_worker.py RUNTIME NETWORK GIVEN.npy ANSWER.npz`. The code is 3 where the runtime
does not take the network; the last line says why.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np

Outputs = list[np.ndarray]


def micro(file: Path, samples: np.ndarray) -> list[Outputs]:
    from tflite_micro.python.tflite_micro import runtime

    data = file.read_bytes()
    interpreter = runtime.Interpreter.from_bytes(data, arena_size=max(1 << 26, 8 * len(data)))
    made = []
    for sample in samples:
        interpreter.set_input(sample[None], 0)
        interpreter.invoke()
        outputs: Outputs = []
        while True:
            try:
                outputs.append(np.array(interpreter.get_output(len(outputs))))
            except (IndexError, RuntimeError, ValueError):
                break
        made.append(outputs)
    return made


def litert(file: Path, samples: np.ndarray) -> list[Outputs]:
    from ai_edge_litert.interpreter import Interpreter

    interpreter = Interpreter(model_path=str(file), num_threads=1)
    interpreter.allocate_tensors()
    (given,) = interpreter.get_input_details()
    details = interpreter.get_output_details()
    made = []
    for sample in samples:
        interpreter.set_tensor(given["index"], sample[None].reshape(given["shape"]))
        interpreter.invoke()
        made.append([np.array(interpreter.get_tensor(one["index"])) for one in details])
    return made


def onnx(file: Path, samples: np.ndarray) -> list[Outputs]:
    """Each operator as the standard defines it: none is fused with others."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads = 1
    options.log_severity_level = 3
    try:
        session = onnxruntime.InferenceSession(str(file), options, ["CPUExecutionProvider"])
        (given,) = session.get_inputs()
        return [
            [np.asarray(v) for v in session.run(None, {given.name: sample[None]})]
            for sample in samples
        ]
    except Exception as error:  # of classes that it does not name
        raise RuntimeError(str(error)) from error


RUNTIMES: dict[str, Any] = {"tflite-micro": micro, "litert": litert, "onnxruntime": onnx}


def main(name: str, network: str, given: str, answer: str) -> int:
    try:
        made = RUNTIMES[name](Path(network), np.load(given))
    except (ImportError, RuntimeError, ValueError) as error:
        print(" ".join(str(error).split()) or "refused")
        return 3
    columns: dict[str, Any] = {
        str(k): np.stack(values) for k, values in enumerate(zip(*made, strict=True))
    }
    np.savez(answer, **columns)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
