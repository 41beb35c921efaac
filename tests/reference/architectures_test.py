"""Blocks and ends of published architectures: SoC, interpreter and runtimes agree.

TensorFlow makes them (architectures/make.py); without it, and in quick runs, they are skipped."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import presil
import pytest
from oracle.runtimes import CACHE, Absent, Runtimes
from presil.simulation import Simulation

MAKE = Path(__file__).parent / "architectures" / "make.py"
#: What presil refuses, and why: none of the runtimes has it, or nobody needed it yet.
REFUSED = {"GELU": "int16", "DIV": "int8"}
#: int16 leaky_relu has its factor in double since October 2026, see the interpreter's README.
UNEQUAL = {"yolo_v3_tiny.int16"}
NEAR = 5e-6  # of floats, as a share of the largest


@pytest.fixture(scope="module")
def folder(everything: bool, tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not everything:
        pytest.skip("SKIPPED: architectures: with --all")
    python = Path(os.environ.get("PRESIL_TENSORFLOW", CACHE / "venv-train" / "bin" / "python"))
    known = [python, "-c", "import tensorflow"]
    if not python.is_file() or subprocess.run(known, capture_output=True).returncode:
        pytest.skip(f"SKIPPED: architectures: no TensorFlow at {python}")
    where = tmp_path_factory.mktemp("architectures")
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    subprocess.run(
        [python, str(MAKE), str(where)], check=True, capture_output=True, env=environment
    )
    return where


@pytest.fixture(scope="module")
def runtimes() -> Iterator[Runtimes]:
    try:
        made = Runtimes()
    except Absent as absent:
        pytest.skip(f"SKIPPED: {absent}")
    yield made
    made.close()


def sample(net: presil.Network) -> list[np.ndarray]:
    rng = np.random.default_rng(3)
    values = []
    for tensor in net.inputs:
        dtype, shape = np.dtype(tensor["dtype"]), tensor["shape"]
        if dtype == np.float32:
            values.append(rng.normal(0, 1, shape).astype(dtype))
        else:
            info = np.iinfo(dtype)
            values.append(rng.integers(info.min, info.max, shape, dtype, endpoint=True))
    return values


def difference(got: np.ndarray, wanted: np.ndarray) -> float:
    away = np.abs(got.reshape(wanted.shape).astype(np.float64) - wanted.astype(np.float64))
    size = np.abs(wanted).max(initial=1e-30) if wanted.dtype == np.float32 else 1
    return float(away.max(initial=0) / size)


@pytest.mark.parametrize("kind", ["int8", "int16", "float"])
def test_soc_interpreter_and_runtime_agree(kind: str, folder: Path, runtimes: Runtimes) -> None:
    soc = presil.load_soc("edge")
    wrong, compared = [], 0
    for file in sorted(folder.glob(f"*.{kind}.tflite")):
        name = file.name.removesuffix(".tflite")
        for rules in {"int8": ("tflite", "xnnpack"), "int16": ("tflite",)}.get(kind, ("xnnpack",)):
            try:
                net = presil.load(file, rules)
            except presil.Refusal as refusal:
                if not any(op in str(refusal) and REFUSED[op] == kind for op in REFUSED):
                    wrong.append(f"{name}: {refusal}")
                continue
            inputs = sample(net)
            wanted = list(presil.reference(net, inputs).values())
            simulation = Simulation(presil.compile(net, soc))
            outputs, _, _ = simulation.job(inputs, timeout_ns=10**10)
            simulation.close()
            if any(a.tobytes() != b.tobytes() for a, b in zip(outputs, wanted, strict=True)):
                wrong.append(f"{name}, {rules}: the SoC differs from the interpreter")
            theirs = runtimes(rules, file.read_bytes(), inputs)
            if isinstance(theirs, str) or name in UNEQUAL:
                continue
            compared += 1
            near = NEAR if kind == "float" else 0
            if any(difference(a, b) > near for a, b in zip(wanted, theirs, strict=True)):
                wrong.append(f"{name}, {rules}: the interpreter differs from the runtime")
    assert not wrong, "\n".join(wrong)
    assert compared >= 9
