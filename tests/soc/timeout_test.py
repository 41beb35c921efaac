"""A job that does not end in time: exit code 3, the waiting engines, and the next job is exact."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import presil as package
import pytest
from presil import paths
from presil.refusal import HardwareError
from presil.simulation import Simulation


@pytest.fixture(scope="module")
def program(digits: Path) -> package.Program:
    return package.compile(package.load(digits))


def test_a_timeout_ends_with_3_and_names_engine_command_and_layer(presil, digits: Path) -> None:
    ended = presil("run", digits, "--timeout-ms", "0.001")
    assert ended.code == 3, ended.err
    assert len(ended.err.strip().splitlines()) == 1 and not ended.out
    assert ended.err.startswith("presil: the simulated hardware failed: driver: job 0 did not end")
    assert "within 1000 ns" in ended.err
    waits = r"\w+ command \d+ \(layer [^)]+\) waits for counter \d+ to reach \d+, it is \d+"
    assert re.search(waits + r": \w+ command \d+ \(layer [^)]+\) should signal it", ended.err)


@pytest.mark.parametrize("timeout", ["-1", "nan", "1e300"])
def test_an_impossible_timeout_is_refused(presil, digits: Path, timeout: str) -> None:
    ended = presil("run", digits, "--timeout-ms", timeout)
    assert ended.code == 2 and "the timeout is" in ended.err, ended.err


def test_after_a_timeout_the_next_job_is_exact(program: package.Program) -> None:
    random = np.random.default_rng(3)
    with Simulation(program) as simulation:
        for timeout_ns in (1, 1000, 10_000):
            sample = [random.integers(-128, 128, t["shape"], np.int8) for t in program.inputs]
            with pytest.raises(HardwareError, match="did not end within"):
                simulation.job(sample, timeout_ns=timeout_ns)
            outputs, _, account = simulation.job(sample, records=True)
            expected = paths.native().reference(program.graph, sample)
            assert all(map(np.array_equal, outputs, expected)) and len(outputs) == len(expected)
            records = sorted(account["records"], key=lambda record: record["tag"])
            assert [record["tag"] for record in records] == list(range(len(records)))
            places = [(record["queue"], record["index"]) for record in records]
            assert places == [command[:2] for command in program.info["commands"]]
