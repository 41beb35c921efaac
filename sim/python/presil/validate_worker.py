"""The process of another runtime: every tensor that a network computes there, as numbers.

It runs in an environment of its own, with numpy and the runtime, and imports nothing of presil:
`python validate_worker.py RUNTIME NETWORK INPUTS.npz ANSWER.npz`. The answer holds `names` and the
arrays 0, 1, ...; where the runtime does not take the network the code is 3, the last line says why.
"""

from __future__ import annotations

import importlib.metadata
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

STRING = 5  # TFLite's schema: a type whose bytes are no numbers


def widened(file: bytes) -> tuple[bytes, list[str]]:
    """The network with whatever its operators compute as outputs, and their names."""
    from ai_edge_litert import schema_py_generated as schema
    from flatbuffers import Builder

    model = schema.ModelT.InitFromObj(schema.Model.GetRootAs(file, 0))
    graph = model.subgraphs[0]
    made = [int(i) for op in graph.operators for i in op.outputs if i >= 0]
    usable = [
        i for i in made if not graph.tensors[i].isVariable and graph.tensors[i].type != STRING
    ]
    graph.outputs = np.array(list(dict.fromkeys(usable)), np.int32)
    model.signatureDefs = None  # they name the outputs of before
    builder = Builder(len(file))
    builder.Finish(model.Pack(builder), b"TFL3")
    return bytes(builder.Output()), [graph.tensors[i].name.decode() for i in graph.outputs]


def micro(file: bytes, inputs: list[Any]) -> tuple[list[str], list[Any]]:
    from tflite_micro.python.tflite_micro import runtime

    wide, names = widened(file)
    interpreter = runtime.Interpreter.from_bytes(wide, arena_size=max(1 << 26, 8 * len(file)))
    for i, x in enumerate(inputs):
        interpreter.set_input(x, i)
    interpreter.invoke()
    return names, [np.array(interpreter.get_output(k)) for k in range(len(names))]


def litert(file: bytes, inputs: list[Any]) -> tuple[list[str], list[Any]]:
    from ai_edge_litert.interpreter import Interpreter

    wide, names = widened(file)
    interpreter = Interpreter(model_content=wide, num_threads=1)
    interpreter.allocate_tensors()
    for detail, x in zip(interpreter.get_input_details(), inputs, strict=True):
        interpreter.set_tensor(detail["index"], x)
    interpreter.invoke()
    details = interpreter.get_output_details()
    return names, [np.array(interpreter.get_tensor(detail["index"])) for detail in details]


def onnx(file: Path, inputs: list[Any]) -> tuple[list[str], list[Any]]:
    """Each operator as the standard defines it: none is fused with others. Every tensor where the
    package onnx is there, else the outputs."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads = 1
    options.log_severity_level = 3
    wide = with_every_output(file)
    try:
        session = onnxruntime.InferenceSession(wide, options, ["CPUExecutionProvider"])
        given = {one.name: x for one, x in zip(session.get_inputs(), inputs, strict=True)}
        values = session.run(None, given)
    except Exception as error:  # of classes that it does not name
        raise RuntimeError(str(error)) from error
    finally:
        if wide != str(file):
            Path(wide).unlink()
    return [one.name for one in session.get_outputs()], [np.asarray(v) for v in values]


def with_every_output(file: Path) -> str:
    """A file beside it, where its external data are, that hands back what every node computes."""
    try:
        import onnx as package
    except ImportError:
        return str(file)
    model = package.load(str(file), load_external_data=False)
    there = {one.name for one in model.graph.output}
    made = [name for node in model.graph.node for name in node.output if name]
    model.graph.output.extend(
        package.ValueInfoProto(name=name) for name in dict.fromkeys(made) if name not in there
    )
    data = model.SerializeToString()
    for folder in (file.parent, None):
        try:
            handle, wide = tempfile.mkstemp(".onnx", ".presil-", folder)
        except OSError:
            continue  # a folder that is not to be written: then without external data
        with open(handle, "wb") as out:
            out.write(data)
        return wide
    return str(file)


Runtime = Callable[[Any, list[Any]], tuple[list[str], list[Any]]]
RUNTIMES: dict[str, tuple[str, Runtime]] = {
    "tflite-micro": ("tflite-micro", micro),
    "litert": ("ai-edge-litert", litert),
    "onnxruntime": ("onnxruntime", onnx),
}
"""By name: its package, and what runs it."""


def main(name: str, network: str, given: str, answer: str) -> int:
    package, runtime = RUNTIMES[name]
    with np.load(given) as arrays:
        inputs = [arrays[str(i)] for i in range(len(arrays.files))]
    try:
        file = Path(network)
        names, values = runtime(file if name == "onnxruntime" else file.read_bytes(), inputs)
        version = importlib.metadata.version(package)
    except ImportError as error:
        print(f"{error}; it needs numpy, {package} and, for .tflite, flatbuffers, ai-edge-litert")
        return 4
    except (RuntimeError, ValueError) as error:
        print(" ".join(str(error).split()) or "refused")
        return 3
    numbered = {str(i): value for i, value in enumerate(values)}
    np.savez(answer, names=np.array(names), version=np.array(version), **numbered)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
