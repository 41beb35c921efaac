"""Resource variables of a file: VAR_HANDLE, READ_VARIABLE, ASSIGN_VARIABLE, CALL_ONCE."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import presil
import pytest
from conftest import ROOT
from oracle.runtimes import Absent, python

SCHEMA = ROOT / "compiler_bridge" / "import" / "tflite" / "tflite.fbs"
CODES = {
    "VAR_HANDLE": 142, "READ_VARIABLE": 143, "ASSIGN_VARIABLE": 144, "CALL_ONCE": 129, "ADD": 0,
}  # fmt: skip
X = np.array([[1, 2], [3, -4], [10, 0.5]], np.float32)
#: What was added up so far, and x.
SUMS = [[1, 2], [4, -2], [14, -1.5]]
#: Of uint8 0 is stored as ZERO; steps above and below it are added up, within 0..255.
ZERO = 140
STEPS = np.array([[ZERO + 4, ZERO - 100], [ZERO + 100, ZERO - 100], [ZERO + 50, ZERO]], np.uint8)
STORED = [[144, 40], [244, 0], [255, 0]]


def operator(code: str, inputs: list[int], outputs: list[int], **options: Any) -> dict[str, Any]:
    made: dict[str, Any] = {
        "opcode_index": list(CODES).index(code), "inputs": inputs, "outputs": outputs,
    }  # fmt: skip
    kinds = {"VAR_HANDLE": "VarHandle", "CALL_ONCE": "CallOnce", "ADD": "Add"}
    if code in kinds:
        made |= {"options_type": kinds[code], "options": options}
    return made


def tensor(name: str, shape: list[int], kind: str = "Float32", buffer: int = 0) -> dict[str, Any]:
    made: dict[str, Any] = {"name": name, "shape": shape, "type": kind, "buffer": buffer}
    if kind == "Uint8":
        made["quantization"] = {"scale": [0.5], "zero_point": [ZERO]}
    return made


def accumulator(folder: Path, first: float = 0.0, called: int = 1, kind: str = "Float32") -> Path:
    """y = the variable + x, which the variable then is."""
    codes = [{"short_code": min(n, 127), "code": c, "version": 1} for c, n in CODES.items()]
    main = {
        "tensors": [tensor("x", [1, 2], kind), tensor("handle", [], "Resource"),
                    tensor("before", [1, 2], kind), tensor("y", [1, 2], kind)],
        "inputs": [0], "outputs": [3], "name": "main",
        "operators": [
            operator("CALL_ONCE", [], [], init_subgraph_index=called),
            operator("VAR_HANDLE", [], [1], container="", shared_name="sum"),
            operator("READ_VARIABLE", [1], [2]),
            operator("ADD", [2, 0], [3]),
            operator("ASSIGN_VARIABLE", [1, 3], []),
        ],
    }  # fmt: skip
    start = {
        "tensors": [tensor("handle", [], "Resource"), tensor("first", [1, 2], kind, 1)],
        "inputs": [], "outputs": [], "name": "start",
        "operators": [
            operator("VAR_HANDLE", [], [0], container="", shared_name="sum"),
            operator("ASSIGN_VARIABLE", [0, 1], []),
        ],
    }  # fmt: skip
    dtype = np.uint8 if kind == "Uint8" else np.float32
    values = list(np.full((1, 2), first, dtype).tobytes())
    model = {"version": 3, "operator_codes": codes, "subgraphs": [main, start],
             "buffers": [{}, {"data": values}]}  # fmt: skip
    text = folder / "sum.json"
    text.write_text(json.dumps(model), encoding="utf-8")
    command = ["flatc", "-b", "-o", str(folder), str(SCHEMA), str(text)]
    subprocess.run(command, check=True, capture_output=True)
    made = next(file for file in folder.iterdir() if file.stem == "sum" and file != text)
    return made.rename(folder / "sum.tflite")


def test_a_variable_is_a_state(tmp_path: Path) -> None:
    net = presil.load(accumulator(tmp_path))
    assert [t["name"] for t in net.inputs] == ["x", "before"]
    assert [t["name"] for t in net.outputs] == ["y", "before/after"]
    assert presil.reference(net, X)["y"].tolist() == SUMS
    assert presil.reference(net, X, state="reset")["y"].tolist() == X.tolist()


@pytest.mark.parametrize("soc", ("edge", "micro"))
def test_the_soc_keeps_it(soc: str, tmp_path: Path) -> None:
    run = presil.run(accumulator(tmp_path), X, "layers", soc=soc)
    assert run.exact and run.outputs["y"].tolist() == SUMS
    assert run.record["state"]["over_samples"] == "keep"
    reset = presil.run(accumulator(tmp_path), X, soc=soc, state="reset")
    assert reset.exact and reset.outputs["y"].tolist() == X.tolist()


@pytest.mark.parametrize("numerics", ("tflite", "xnnpack"))
def test_a_variable_of_uint8_is_one_too(numerics: str, tmp_path: Path) -> None:
    file = accumulator(tmp_path, first=ZERO, kind="Uint8")
    net = presil.load(file, numerics)
    assert presil.reference(net, STEPS)["y"].tolist() == STORED
    run = presil.run(net, STEPS, "layers")
    assert run.exact and run.outputs["y"].tolist() == STORED
    with pytest.raises(presil.Refusal, match="a variable begins with other values"):
        presil.load(accumulator(tmp_path, first=0, kind="Uint8"))


@pytest.mark.parametrize(
    ("kind", "given", "kept"), (("Float32", X, SUMS), ("Uint8", STEPS, STORED))
)
def test_it_is_what_litert_keeps(kind: str, given: Any, kept: Any, tmp_path: Path) -> None:
    try:
        runtime = python()
    except Absent as absent:
        pytest.skip(f"SKIPPED, NOT COMPARED: {absent}")
    code = (
        "import sys, numpy as np\n"
        "from ai_edge_litert.interpreter import Interpreter\n"
        "i = Interpreter(sys.argv[1])\n"
        "i.allocate_tensors()\n"
        "for x in np.load(sys.argv[2]):\n"
        "    i.set_tensor(i.get_input_details()[0]['index'], x[None])\n"
        "    i.invoke()\n"
        "    print(i.get_tensor(i.get_output_details()[0]['index']).tolist()[0])\n"
    )
    np.save(tmp_path / "x.npy", given)
    file = accumulator(tmp_path, first=ZERO if kind == "Uint8" else 0.0, kind=kind)
    command = [str(runtime), "-c", code, str(file), str(tmp_path / "x.npy")]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert [json.loads(line) for line in said.splitlines() if line.startswith("[")] == kept


def test_other_first_values_and_other_subgraphs_are_refused(tmp_path: Path) -> None:
    with pytest.raises(presil.Refusal, match="a variable begins with other values"):
        presil.load(accumulator(tmp_path, first=1.0))
    with pytest.raises(presil.Refusal, match="its subgraph is 2, must be 1..1"):
        presil.load(accumulator(tmp_path, called=2))
