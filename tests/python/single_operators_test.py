"""Random networks of one operator, from the file to the simulated SoC, against the reference."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import presil
import pytest
from conftest import ROOT

CASES = 6


@pytest.fixture(scope="module")
def makers() -> ModuleType:
    """The files that tests/reference compares with other runtimes."""
    path = ROOT / "tests" / "reference" / "live_oracle.py"
    spec = importlib.util.spec_from_file_location("live_oracle", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["live_oracle"] = module  # its dataclasses look themselves up there
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("soc", ["edge", "micro", "big"])
@pytest.mark.parametrize("numerics", ["tflite", "xnnpack"])
@pytest.mark.parametrize("code", ["TRANSPOSE_CONV", "BATCH_MATMUL", "FULLY_CONNECTED computed"])
def test_one_operator_is_exact(
    makers: ModuleType, tmp_path: Path, code: str, numerics: str, soc: str, everything: bool
) -> None:
    on_dla = 0
    for case in range(60 if everything else CASES):
        model = makers.Model(np.random.default_rng([7, case]))
        file = tmp_path / f"{case}.tflite"
        file.write_bytes(makers.MAKERS[code](model, code))
        shapes = [model.tensors[i]["shape"] for i in model.inputs]
        inputs = [model.rng.integers(-128, 128, shape).astype(np.int8) for shape in shapes]
        prog = presil.compile(presil.load(file, numerics), soc=soc)
        run = presil.run(prog, inputs, check="layers")
        assert run.exact, (case, run.record["check"])
        on_dla += sum(placed["engine"] == "dla" for placed in prog.placement)
    assert on_dla >= CASES // 2
