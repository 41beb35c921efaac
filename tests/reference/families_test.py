"""Networks of every family, as people build them: interpreter against runtimes, SoC against it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
import presil
import pytest
from families import KINDS, NAMES
from oracle.runtimes import CACHE, Runtimes

TRAINING = CACHE / "venv-train" / "bin" / "python"
#: leaky_relu of int16 is another one in today's TFLite Micro (compiler_bridge/reference/README.md).
UNLIKE = {("vocoder", "int16")}
CONVERT = Path(__file__).parent / "families" / "convert.py"


def inputs_of(net: presil.Network) -> dict[str, np.ndarray]:
    random = np.random.default_rng(3)
    made = {}
    for x in net.inputs:
        dtype = np.dtype(x["dtype"])
        if dtype.kind == "f":
            made[x["name"]] = random.normal(size=x["shape"]).astype(dtype)
        else:
            low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
            made[x["name"]] = random.integers(low, high, x["shape"], dtype, endpoint=True)
    return made


@pytest.mark.parametrize("name", NAMES)
def test_a_network_of_the_family_is_exact(name: str, tmp_path: Path, everything: bool) -> None:
    if not everything or not TRAINING.is_file():
        pytest.skip("SKIPPED: networks of families want `presil test --all` and what trains digits")
    command = [str(TRAINING), str(CONVERT), str(tmp_path), name, *KINDS]
    told = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert told.returncode == 0, told.stderr[-2000:]
    runtimes = Runtimes()
    compared = 0
    for kind in KINDS:
        file = tmp_path / f"{kind}.tflite"
        if not file.is_file():
            assert f"{kind}: " in told.stdout  # the converter's reason
            continue
        for numerics in {"int16": ["tflite"], "float32": ["xnnpack"]}.get(
            kind, ["tflite", "xnnpack"]
        ):
            net = presil.load(file, numerics=numerics)
            given = inputs_of(net)
            judged = presil.reference(net, given)
            run = presil.run(presil.compile(net, soc="edge"), given)
            wanted = runtimes(numerics, file.read_bytes(), list(given.values()))
            for i, out in enumerate(net.outputs):
                got = np.asarray(judged[out["name"]])
                assert np.array_equal(got, run.outputs[out["name"]]), (kind, numerics)
                if isinstance(wanted, str) or (name, kind) in UNLIKE:
                    continue  # a text: TFLite Micro lacks one of its operators
                if got.dtype.kind == "f":
                    np.testing.assert_allclose(got, wanted[i].reshape(got.shape), 1e-5, 1e-5)
                else:
                    assert np.array_equal(got, wanted[i].reshape(got.shape)), (kind, numerics)
                compared += 1
    runtimes.close()
    assert compared >= 2
