"""States over samples: a kept one is what a continuous run leaves, a reset one is 0."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import presil
import pytest
from click.testing import CliRunner
from presil.cli import cli
from presil.states import state_sentence

#: Two filters of one unit over one value, memories of two steps, scales of 1.
FEATURE = np.array([[1], [2]], np.int8)
TIME = np.array([[10, 1], [-1, 2]], np.int16)


def filters() -> presil.Network:
    b = presil.Builder("filters")
    x = b.input("x", (1, 1), "int8", 1.0)
    feature, time = b.constant(FEATURE, 1.0), b.constant(TIME, 1.0)
    outs = [presil.Type("int8", 1.0, 0), presil.Type("int16", 1.0, 0)]
    y, _ = b.svdf(x, feature, time, rank=2, out=outs, name="y")
    b.output(y)
    return b.build()


X = np.array([[1], [2], [3]], np.int8)
# reset: x * 1 of the first filter, 2 * 2 x of the second: 5 x
RESET = [[5], [10], [15]]
# kept: the value before, times 10 in the first filter and, doubled, times -1 in the second: + 8 x'
KEPT = [[5], [10 + 8], [15 + 16]]


def test_the_reference_resets_or_keeps() -> None:
    assert presil.reference(filters(), X)["y"].tolist() == RESET
    assert presil.reference(filters(), X, state="reset")["y"].tolist() == RESET
    kept = presil.reference(filters(), X, state="keep")
    assert kept["y"].tolist() == KEPT
    state = [value for name, value in kept.items() if name != "y"]
    assert [s.tolist() for s in state] == [[[0, 1, 0, 2], [1, 2, 2, 4], [2, 3, 4, 6]]]


@pytest.mark.parametrize("soc", ("edge", "micro"))
def test_a_run_keeps_what_a_sample_has_left(soc: str) -> None:
    run = presil.run(filters(), X, "layers", soc=soc, state="keep")
    assert run.exact and run.outputs["y"].tolist() == KEPT
    state = run.record["state"]
    assert state["over_samples"] == "keep" and len(state["tensors"]) == 1
    assert state_sentence(run.record) == ("state: 1 tensors kept over the 3 samples (--state keep)")
    reset = presil.run(filters(), X, soc=soc)
    assert reset.exact and reset.outputs["y"].tolist() == RESET
    assert reset.record["state"] == {"over_samples": "reset", "tensors": [], "ops": ["y"]}
    assert state_sentence(reset.record) == (
        "state: 0 before each sample; --state keep carries it on"
    )


def test_a_compiled_program_keeps_where_it_was_compiled_so(tmp_path: Path) -> None:
    program = presil.compile(filters(), state="keep")
    assert presil.run(program, X).outputs["y"].tolist() == KEPT
    assert presil.run(program, X, state="reset").outputs["y"].tolist() == RESET
    program.save(tmp_path / "kept.presil")
    assert presil.run(tmp_path / "kept.presil", X).outputs["y"].tolist() == KEPT
    with pytest.raises(presil.Refusal, match="compile the network with --state keep"):
        presil.run(presil.compile(filters()), X, state="keep")


def test_a_state_that_no_network_has_is_refused() -> None:
    b = presil.Builder("none")
    b.output(b.relu(b.input("x", (1, 4), "int8", 1.0), out=(1.0, 0)))
    with pytest.raises(presil.Refusal, match="the network has none: no UNIDIRECTIONAL_SEQUENCE"):
        presil.reference(b.build(), state="keep")
    with pytest.raises(presil.Refusal, match="run: state is 'kept'"):
        presil.run(b.build(), state="kept")


def test_the_command_line_keeps(tmp_path: Path) -> None:
    presil.compile(filters(), state="keep").save(tmp_path / "net.presil")
    np.save(tmp_path / "x.npy", X)
    options = ["--input", str(tmp_path / "x.npy"), "--samples", "0:3", "--out", str(tmp_path / "o")]
    for state, values in (("keep", KEPT), ("reset", RESET)):
        said = CliRunner().invoke(
            cli, ["run", str(tmp_path / "net.presil"), *options, "--state", state, "--force"]
        )
        assert said.exit_code == 0, said.output
        assert np.load(tmp_path / "o" / "outputs" / "out0.npy").tolist() == values
        assert f"state: {'1 tensors kept' if state == 'keep' else '0 before each'}" in said.output
