"""Several samples in flight: outputs as one at a time gives them, in order, in fewer cycles."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import presil
import pytest

SAMPLES = 5


def inputs_of(program: presil.Program, samples: int = SAMPLES) -> list[np.ndarray]:
    random = np.random.default_rng(7)
    return [
        random.integers(-128, 128, [samples, *t["shape"][1:]]).astype(t["dtype"])
        for t in program.inputs
    ]


@pytest.fixture(scope="module")
def alone() -> presil.Run:
    program = presil.compile("digits")
    return presil.run(program, inputs_of(program))


def same_outputs(a: presil.Run, b: presil.Run) -> bool:
    return all(np.array_equal(a.outputs[name], b.outputs[name]) for name in a.outputs)


@pytest.mark.parametrize("in_flight", (2, 3, 4))
def test_outputs_are_those_of_one_at_a_time(alone: presil.Run, in_flight: int) -> None:
    program = presil.compile("digits", overlap=True)
    run = presil.run(program, inputs_of(program), in_flight=in_flight)
    assert run.exact and same_outputs(run, alone)
    record = run.record["in_flight"]
    assert record["samples"] == in_flight and record["overlap"]
    assert len(record["latency_cycles"]) == SAMPLES
    assert run.cycles == sum(sample["cycles"] for sample in run.record["per_sample"])


def test_two_in_flight_take_fewer_cycles(alone: presil.Run) -> None:
    # Decoding and suppression on the DSP run beside the next image: a tenth of the cycles at least.
    program = presil.compile("digits", overlap=True)
    run = presil.run(program, inputs_of(program), in_flight=2)
    assert run.cycles < 0.9 * alone.cycles
    begins = run.record["engines"]["dla"]["busy"] / run.cycles
    assert begins > alone.record["engines"]["dla"]["busy"] / alone.cycles
    for engine in ("dla", "dsp", "dma"):
        account = run.record["engines"][engine]
        assert account["busy"] + sum(account["stall"].values()) + account["idle"] == run.cycles


def test_a_network_that_does_not_overlap_is_held_by_a_barrier(alone: presil.Run) -> None:
    program = presil.compile("digits")
    assert not program.overlaps
    run = presil.run(program, inputs_of(program), in_flight=2)
    assert run.exact and same_outputs(run, alone)
    assert not run.record["in_flight"]["overlap"]
    # Beginning after the barrier costs less than a submission, and nothing overlaps.
    assert 0.99 * alone.cycles < run.cycles < 1.01 * alone.cycles


def test_a_sample_alone_takes_no_longer_for_it(alone: presil.Run) -> None:
    program = presil.compile("digits", overlap=True)
    run = presil.run(program, inputs_of(program))
    assert same_outputs(run, alone)
    assert run.cycles <= 1.002 * alone.cycles
    assert "in_flight" not in run.record


def test_a_network_compiled_here_overlaps(tmp_path: Path) -> None:
    run = presil.run("digits", in_flight=2)
    assert run.program.overlaps and run.exact
    file = tmp_path / "digits.presil"
    run.program.save(file)
    assert presil.run(str(file), in_flight=2).record["in_flight"]["overlap"]


@pytest.mark.parametrize(
    ("options", "why"),
    (
        ({"check": "layers"}, "check 'layers'"),
        ({"profile": True}, "a profile or trace of the DSP"),
        ({"host": "m33"}, "a core as the host"),
    ),
)
def test_what_is_asked_of_one_sample_after_another_is_refused(
    options: dict[str, Any], why: str
) -> None:
    with pytest.raises(presil.Refusal, match=f"in_flight is 2, must be 1 with {why}"):
        presil.run("digits", in_flight=2, **options)


@pytest.mark.parametrize("in_flight", (0, 5, 1.5, "two"))
def test_in_flight_is_one_to_four(in_flight: Any) -> None:
    with pytest.raises(presil.Refusal, match="in_flight"):
        presil.run("digits", in_flight=in_flight)
