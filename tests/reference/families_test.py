"""Networks of every family, as people build them: interpreter against runtimes, SoC against it."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import presil
import pytest
from families import KINDS, NAMES
from family_inputs import inputs_of
from oracle.runtimes import Absent, Runtimes
from presil.paths import CACHE

TRAINING = Path(os.environ.get("PRESIL_TENSORFLOW", CACHE / "venv-train" / "bin" / "python"))
CONVERT = Path(__file__).parent / "families" / "convert.py"
#: leaky_relu of int16 is another one in TFLite Micro (compiler_bridge/reference/README.md).
UNLIKE = {("vocoder", "int16"), ("yolo_v3_tiny", "int16")}
#: Operators that presil refuses, by kind.
REFUSED = {"int16": "GELU"}


@pytest.fixture(scope="module")
def runtimes() -> Iterator[Runtimes]:
    try:
        made = Runtimes()
    except Absent as absent:
        pytest.skip(f"SKIPPED: {absent}")
    yield made
    made.close()


@pytest.fixture
def folder(request: pytest.FixtureRequest, tmp_path: Path, everything: bool) -> Path:
    """The network of the parameter, each kind that the converter makes of it."""
    if not everything or not TRAINING.is_file():
        pytest.skip(
            "SKIPPED: networks of families require `presil test --all` and what trains digits"
        )
    command = [str(TRAINING), str(CONVERT), str(tmp_path), request.param, *KINDS]
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    told = subprocess.run(command, capture_output=True, text=True, timeout=600, env=environment)
    assert told.returncode == 0, told.stderr[-2000:]
    for kind in KINDS:
        assert (tmp_path / f"{kind}.tflite").is_file() or f"{kind}: " in told.stdout
    return tmp_path


def expect_as_runtime(expected: np.ndarray, got: np.ndarray, where: tuple[str, str]) -> None:
    expected = expected.reshape(got.shape)
    if got.dtype.kind == "f":
        near = 1e-5 * max(1.0, float(np.abs(expected).max(initial=0)))
        np.testing.assert_allclose(got, expected, 1e-5, near, err_msg=str(where))
    else:
        assert np.array_equal(got, expected), where


@pytest.mark.parametrize("folder, name", [(n, n) for n in NAMES], indirect=["folder"], ids=NAMES)
def test_a_network_of_the_family_is_exact(folder: Path, name: str, runtimes: Runtimes) -> None:
    compared = 0
    for kind in KINDS:
        file = folder / f"{kind}.tflite"
        only = {"int16": ["tflite"], "float32": ["xnnpack"]}
        for numerics in only.get(kind, ["tflite", "xnnpack"]) if file.is_file() else []:
            try:
                net = presil.load(file, numerics=numerics)
            except presil.Refusal as refusal:
                assert REFUSED.get(kind, "?") in str(refusal), (kind, numerics)
                continue
            given = inputs_of(net)
            run = presil.run(presil.compile(net, soc="edge"), given)
            judged = presil.reference(net, given)
            expected = runtimes(numerics, file.read_bytes(), list(given.values()))
            for i, out in enumerate(net.outputs):
                got = np.asarray(judged[out["name"]])
                assert np.array_equal(got, run.outputs[out["name"]]), (kind, numerics)
                if isinstance(expected, str) or (name, kind) in UNLIKE:
                    continue  # a text: TFLite Micro lacks one of its operators
                expect_as_runtime(np.asarray(expected[i]), got, (kind, numerics))
                compared += 1
    assert compared >= 2
