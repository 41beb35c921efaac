"""presil run --jobs: the check works beside the simulation, and what comes out stays the same."""

from __future__ import annotations

import json
import threading
from typing import Any

import numpy as np
import presil
import pytest
from presil import paths, run_samples
from presil.run_expected import Expected, at_work, interpreters

SAMPLES = 7
APART = ("simulator", "presil")


@pytest.fixture(scope="module", name="data")
def data_fixture() -> np.ndarray:
    return np.random.default_rng(5).integers(-128, 128, (SAMPLES, 96, 96, 3)).astype(np.int8)


def told(run: Any) -> dict[str, Any]:
    record = json.loads(json.dumps(run.record, default=str))
    return {key: value for key, value in record.items() if key not in APART}


@pytest.mark.parametrize("check", ["outputs", "layers"])
def test_what_comes_out_does_not_depend_on_how_many_there_are(data: np.ndarray, check: str) -> None:
    one, *more = [presil.run("digits", data, check, jobs=jobs) for jobs in (1, 2, 5)]
    assert one.exact and one.record["samples"] == SAMPLES
    for run in more:
        assert told(run) == told(one)
        for ours, theirs in zip(run.arrays, one.arrays):
            assert ours.tobytes() == theirs.tobytes()


@pytest.mark.parametrize("jobs", [1, 3])
def test_each_sample_is_held_against_its_own(
    data: np.ndarray, monkeypatch: pytest.MonkeyPatch, jobs: int
) -> None:
    before = run_samples.simulated

    def wrong(plan: Any, simulation: Any, follows: bool, index: int, sample: Any) -> Any:
        outputs, kept, account = before(plan, simulation, follows, index, sample)
        if index in (3, 5):
            outputs[0].reshape(-1)[index] ^= 1
        return outputs, kept, account

    monkeypatch.setattr(run_samples, "simulated", wrong)
    check = presil.run("digits", data, jobs=jobs).record["check"]
    assert check["different_bytes"] == 2
    assert (check["first"]["sample"], check["first"]["index"][-1]) == (3, 3)


def test_the_interpreter_works_beside_the_simulation(
    data: np.ndarray, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No sample is simulated before the interpreter has begun with one that comes later."""
    begun = threading.Event()
    native, before = paths.native().reference, run_samples.simulated
    counts = {"begun": 0}

    def reference(*given: Any) -> Any:
        counts["begun"] += 1
        if counts["begun"] == 2:
            begun.set()
        return native(*given)

    def simulated(*given: Any) -> Any:
        assert begun.wait(30)
        return before(*given)

    monkeypatch.setattr(paths.native(), "reference", reference)
    monkeypatch.setattr(run_samples, "simulated", simulated)
    assert presil.run("digits", data[:2], jobs=2).exact and counts["begun"] == 2


def test_one_thread_lets_them_take_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 3)
    assert [interpreters(jobs) for jobs in (None, 1, 2, 5)] == [3, 0, 2, 5]


def test_what_is_begun_is_taken_once() -> None:
    net = presil.load("digits")
    sample = [np.zeros(t["shape"], t["dtype"]) for t in net.inputs]
    for every in (False, True):
        expected = Expected(net.graph, every, 2)
        expected.begin(0, sample)
        expected.begin(0, sample)
        tensors, outputs = expected.take(0)
        assert bool(tensors) == every
        direct = presil.reference(net, sample)
        for name, array in zip(direct, outputs):
            assert array.tobytes() == direct[name].tobytes()
        with pytest.raises(KeyError):
            expected.take(0)
        expected.close()
    assert not at_work()


def test_no_threads_are_refused() -> None:
    with pytest.raises(presil.Refusal, match="run: jobs is 0, must be 1 to 256"):
        presil.run("digits", jobs=0)
