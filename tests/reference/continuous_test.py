"""LSTM and SVDF over samples: what presil keeps is what a continuous run of TFLite Micro keeps."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
import presil
import pytest
from oracle.runtimes import Absent, python
from oracle.sweep import made
from oracle.table import OPERATORS

STEPS = 5
CONTINUOUS = """
import sys
import numpy as np
from tflite_micro.python.tflite_micro import runtime
interpreter = runtime.Interpreter.from_bytes(open(sys.argv[1], "rb").read(), arena_size=1 << 21)
outputs = []
for x in np.load(sys.argv[2]):
    interpreter.set_input(x, 0)
    interpreter.invoke()
    outputs.append(np.array(interpreter.get_output(0)))
np.save(sys.argv[3], np.concatenate(outputs))
"""


@pytest.mark.parametrize("case", range(6))
@pytest.mark.parametrize("name", ("UNIDIRECTIONAL_SEQUENCE_LSTM i8", "SVDF i8", "SVDF state i8 i8"))
def test_kept_states_are_those_of_a_continuous_run(name: str, case: int, tmp_path: Path) -> None:
    try:
        runtime = python()
    except Absent as absent:
        pytest.skip(f"SKIPPED, NOT COMPARED: {absent}")
    model = made(OPERATORS[name], case)
    net, x, y = tmp_path / "net.tflite", tmp_path / "x.npy", tmp_path / "y.npy"
    net.write_bytes(model.file())
    shape = model.tensors[model.inputs[0]]["shape"]
    data = np.random.default_rng(case).integers(-128, 128, [STEPS, *shape]).astype(np.int8)
    np.save(x, data)
    command = [str(runtime), "-c", CONTINUOUS, str(net), str(x), str(y)]
    subprocess.run(command, check=True, capture_output=True)
    expected, samples = np.load(y), data.reshape([-1, *shape[1:]])
    kept = presil.reference(net, samples, state="keep")
    assert (next(iter(kept.values())) == expected).all()
    run = presil.run(net, samples, "layers", soc="micro", state="keep")
    assert run.exact and (next(iter(run.outputs.values())) == expected).all()
