"""Networks of the size that is used: exact, as the runtime, and near what MACs and bytes allow."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import presil
import pytest
from families import FULL_SIZE
from family_bound import bound
from family_inputs import inputs_of
from oracle.runtimes import Absent, Runtimes
from presil.paths import CACHE

TRAINING = Path(os.environ.get("PRESIL_TENSORFLOW", CACHE / "venv-train" / "bin" / "python"))
CONVERT = Path(__file__).parent / "families" / "convert.py"
#: Kind, numerics, cycles over the bound at most.
MOST = {
    "mcunet": [("int8_float_ends", "tflite", 2.0), ("int8_float_ends", "xnnpack", 2.0)],
    "movenet_lightning": [("int8", "tflite", 2.0), ("int8_float_ends", "xnnpack", 2.0)],
    "yolo_11n": [("int8", "xnnpack", 1.3)],
}


@pytest.fixture(scope="module")
def runtimes() -> Iterator[Runtimes]:
    try:
        made = Runtimes()
    except Absent as absent:
        pytest.skip(f"SKIPPED: {absent}")
    yield made
    made.close()


@pytest.fixture
def folder(name: str, tmp_path: Path, everything: bool) -> Path:
    """The network, each kind that is asked for."""
    if not everything or not TRAINING.is_file():
        pytest.skip("SKIPPED: networks require `presil test --all` and what trains digits")
    kinds = sorted({kind for kind, _, _ in MOST[name]})
    command = [str(TRAINING), str(CONVERT), str(tmp_path), name, *kinds]
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    told = subprocess.run(command, capture_output=True, text=True, timeout=600, env=environment)
    assert told.returncode == 0, told.stderr[-2000:]
    return tmp_path


def same(got: np.ndarray, expected: np.ndarray) -> bool:
    """As the runtime: floats, which are dequantised, but for their last bits."""
    expected = expected.reshape(got.shape)
    exact = got.dtype.kind != "f"
    return bool(np.array_equal(got, expected) if exact else np.allclose(got, expected, 1e-5, 1e-5))


@pytest.mark.parametrize("name", FULL_SIZE)
def test_a_network_of_full_size_is_exact_and_near_its_bound(
    name: str, folder: Path, runtimes: Runtimes
) -> None:
    for kind, numerics, most in MOST[name]:
        file = folder / f"{kind}.tflite"
        net = presil.load(file, numerics=numerics)
        given = inputs_of(net)
        run = presil.run(presil.compile(net, soc="edge"), given, check="layers")
        assert run.exact, (kind, numerics)
        assert run.cycles <= most * bound(run, net, file), (kind, numerics)
        expected = runtimes(numerics, file.read_bytes(), list(given.values()))
        if isinstance(expected, str):
            continue  # TFLite Micro lacks one of its operators
        for out, of_runtime in zip(net.outputs, expected):
            assert same(run.outputs[out["name"]], np.asarray(of_runtime)), (kind, numerics)
