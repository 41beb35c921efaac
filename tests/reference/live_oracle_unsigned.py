"""Random concatenations of uint8 and ends of detectors: the interpreter against ai-edge-litert.

Both are defined by kernels of TFLite, not by a rule set. Floats are compared by their bits, where
TFLite says what they are: results that are not used it leaves open. Needs what live_oracle.py needs
and flatbuffers. From the root:

    VENV/bin/python tests/reference/live_oracle_unsigned.py BUILD/tests/reference/run_tflite
"""

from __future__ import annotations

import argparse
import json
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from flatbuffers import flexbuffers
from live_oracle import SCHEMA, Model
from numpy.typing import NDArray

Array = NDArray[Any]


@dataclass
class Case:
    file: bytes
    inputs: list[Array]
    #: Which rows of the results are used, of a detector's count; None: all.
    rows: Callable[[int], list[int] | None] = lambda _count: None


def network(m: Model, op: dict[str, Any], code: dict[str, Any], outputs: list[int]) -> bytes:
    subgraph = {"tensors": m.tensors, "inputs": m.inputs, "outputs": outputs, "operators": [op]}
    model = {
        "version": 3,
        "operator_codes": [code],
        "subgraphs": [subgraph],
        "buffers": m.buffers,
    }
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "m.json"
        path.write_text(json.dumps(model))
        command = ["flatc", "-b", "-o", folder, str(SCHEMA), str(path)]
        subprocess.run(command, check=True, capture_output=True)
        return next(p for p in Path(folder).iterdir() if p.suffix != ".json").read_bytes()


def random_byte(m: Model) -> int:
    return int(m.rng.integers(0, 256))


def concatenation(m: Model) -> Case:
    """Every byte through every input: 256 values each."""
    count = int(m.rng.integers(1, 5))
    m.inputs = [m.tensor([256], "Uint8", m.scale(), random_byte(m)) for _ in range(count)]
    y = m.tensor([256 * count], "Uint8", m.scale(), random_byte(m))
    op = {"opcode_index": 0, "inputs": m.inputs, "outputs": [y], "options_type": "Concatenation"}
    op["options"] = {"axis": 0, "activation": "None"}
    every = np.arange(256, dtype=np.uint8)
    file = network(m, op, {"short_code": 2, "code": "CONCATENATION"}, [y])
    return Case(file, [every] * count)


def detection(m: Model) -> Case:
    r = m.rng
    n, classes = int(r.integers(1, 60)), int(r.integers(1, 7))
    columns = classes + int(r.integers(0, 2))
    floats = bool(r.random() < 0.5)
    options = {
        "max_detections": int(r.integers(1, 12)),
        # Ties of several classes of one box are left open: one class a box where scores are bytes.
        "max_classes_per_detection": int(r.integers(1, 4)) if floats else 1,
        "detections_per_class": int(r.integers(1, 12)),
        "use_regular_nms": floats and bool(r.random() < 0.5),
        "nms_score_threshold": float(r.uniform(0, 0.6)),
        "nms_iou_threshold": float(r.uniform(0.05, 0.9)),
        "num_classes": classes,
        "y_scale": 10.0,
        "x_scale": 10.0,
        "h_scale": 5.0,
        "w_scale": 5.0,
    }
    if floats:
        boxes = m.tensor([1, n, 4], "Float32")
        scores = m.tensor([1, n, columns], "Float32")
        near = r.uniform(0, 1, (n, 4)).astype(np.float32)
        anchors = m.tensor([n, 4], "Float32", data=near)
        values: list[Array] = [r.normal(0, 3, (1, n, 4)).astype(np.float32)]
        values.append(r.uniform(0, 1, (1, n, columns)).astype(np.float32))
    else:
        boxes = m.tensor([1, n, 4], "Uint8", 0.08, random_byte(m))
        scores = m.tensor([1, n, columns], "Uint8", 1 / 256, 0)
        bytes_ = r.integers(0, 256, (n, 4)).astype(np.uint8)
        anchors = m.tensor([n, 4], "Uint8", 0.005, 0, data=bytes_)
        values = [r.integers(0, 256, s).astype(np.uint8) for s in ((1, n, 4), (1, n, columns))]
    m.inputs = [boxes, scores]
    outputs = [m.tensor([], "Float32") for _ in range(4)]
    op = {"opcode_index": 0, "inputs": [boxes, scores, anchors], "outputs": outputs}
    op["custom_options"] = list(flexbuffers.Dumps(options))
    code = {"short_code": 32, "code": "CUSTOM", "custom_code": "TFLite_Detection_PostProcess"}
    per_box = int(options["max_classes_per_detection"])
    shown = min(per_box, classes)

    def rows(count: int) -> list[int]:
        if options["use_regular_nms"]:
            return list(range(count))
        return [box * per_box + k for box in range(count) for k in range(shown)]

    return Case(network(m, op, code, outputs), values, rows)


def litert(file: bytes, inputs: list[Array]) -> list[Array]:
    from ai_edge_litert.interpreter import Interpreter

    interpreter = Interpreter(model_content=file, num_threads=1)
    interpreter.allocate_tensors()
    for detail, x in zip(interpreter.get_input_details(), inputs, strict=True):
        interpreter.set_tensor(detail["index"], x)
    interpreter.invoke()
    details = interpreter.get_output_details()
    return [np.array(interpreter.get_tensor(detail["index"])) for detail in details]


def compare(runner: Path, case: Case) -> tuple[int, int]:
    """Values that differ, and all."""
    wanted = litert(case.file, case.inputs)
    with tempfile.NamedTemporaryFile(suffix=".tflite") as path:
        path.write(case.file)
        path.flush()
        stdin = b"".join(x.tobytes() for x in case.inputs)
        command = [str(runner), path.name, "xnnpack"]
        done = subprocess.run(command, input=stdin, capture_output=True, check=True)
    at = wrong = total = 0
    # The count, which comes last, says how much of the others is used.
    rows = case.rows(int(wanted[-1].reshape(-1)[0]))
    for i, x in enumerate(wanted):
        got = np.frombuffer(done.stdout[at : at + x.nbytes], x.dtype).reshape(x.shape)
        at += x.nbytes
        same = got == x
        if rows is not None and i < len(wanted) - 1:
            same = same[0][rows]
        wrong, total = wrong + int((~same).sum()), total + same.size
    return wrong, total


def main() -> None:
    parser = argparse.ArgumentParser(description="uint8 and detectors against a live runtime")
    parser.add_argument("runner", type=Path)
    parser.add_argument("--cases", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    for make in (concatenation, detection):
        wrong = total = 0
        for case in range(args.cases):
            made = make(Model(np.random.default_rng([args.seed, case])))
            away, every = compare(args.runner, made)
            wrong, total = wrong + away, total + every
        print(f"{make.__name__:<16} {args.cases} cases: {wrong} of {total} values differ")


if __name__ == "__main__":
    main()
