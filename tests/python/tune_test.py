"""The search over the planner's decisions, by simulated cycles."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import presil as api
import pytest
from presil import tune as tune_network
from presil.tune_space import space_of, tilings


def layer(height: int = 4, channels: int = 16) -> api.Network:
    b = api.Builder("layer")
    x = b.input("x", (1, height, 4, channels), scale=0.1)
    weights = np.ones((16, 1, 1, channels), np.int8)
    b.output(b.conv2d(x, weights, weights_scale=0.1))
    return b.build()


def test_a_small_space_is_tried_whole_and_the_best_is_what_was_measured(tmp_path: Path) -> None:
    net = layer()
    decided = api.compile(net, "micro").decisions
    assert decided is not None
    space = space_of(decided, list(decided["tilings"]))
    assert len(list(space.all())) == space.size
    tuned = tune_network(net, "micro", trials=space.size, jobs=2, folder=tmp_path)
    assert tuned.exhaustive and tuned.trials >= space.size
    assert 0 <= tuned.gain < 1 and tuned.cycles <= tuned.default
    program = api.compile(net, "micro", decisions=tuned.decisions)
    assert api.run(program).cycles == tuned.cycles and api.run(program).exact
    told: list[tuple[int, int, int]] = []
    again = tune_network(
        net, "micro", trials=space.size, jobs=2, folder=tmp_path, progress=lambda *t: told.append(t)
    )
    assert again.cycles == tuned.cycles and again.wall_s < tuned.wall_s  # the database knows
    assert told[-1][1] == space.size


def test_a_search_starts_from_decisions_and_is_never_slower(digits: Path) -> None:
    pytest.importorskip("optuna", reason="SKIPPED: decisions are not searched, no package optuna")
    tuned = tune_network(digits, "micro", trials=12, jobs=2, start={"prefetch": 0})
    assert not tuned.exhaustive and 12 <= tuned.trials <= 13
    assert tuned.cycles <= tuned.default
    program = api.compile(digits, "micro", decisions=tuned.decisions)
    assert api.run(program, values=False).cycles == tuned.cycles


def test_tilings_cut_what_there_is() -> None:
    own = {"rows": 4, "columns": 4, "blocks": 1}
    every = tilings({"rows": 4, "columns": 4, "blocks": 1, "in_blocks": 1}, own)
    assert {t["rows"] for t in every} == {4, 2, 1}
    assert {t["columns"] for t in every} == {4, 2, 1}
    assert all(t["in_blocks"] == 0 for t in every)
    assert len({json.dumps(t) for t in every}) == len(every)


def test_what_cannot_be_searched_is_refused(digits: Path) -> None:
    for trials in (0, 1.5, 10**6):
        with pytest.raises(api.Refusal, match="tune: trials is .* must be 1 to 100000"):
            tune_network(digits, trials=trials)
    b = api.Builder("custom")
    b.output(b.custom("mine", [b.input("x", (1, 4), scale=1.0)]))
    with pytest.raises(api.Refusal, match="mine"):
        tune_network(b, "micro", trials=1)


def test_without_optuna_a_large_space_is_refused(
    digits: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "optuna", None)
    with pytest.raises(api.Refusal, match="tune: a search needs the Python package optuna"):
        tune_network(digits, "micro", trials=4, jobs=1)


def test_the_verb_says_what_it_found(presil: Any, tmp_path: Path) -> None:
    done = presil(
        "tune", "gemm:m=4,k=16,n=16", "--trials", "2000", "-o", "d.json", "--json", "t.json"
    )
    if "needs the Python package onnx" in done.err:
        pytest.skip("SKIPPED: no network of the shape library, no Python package onnx")
    assert done.code == 0, done.err
    assert "all of the decisions tried" in done.out
    record = json.loads((tmp_path / "t.json").read_text())
    assert record["cycles"] <= record["default"] and record["exhaustive"]
    assert json.loads((tmp_path / "d.json").read_text()) == record["decisions"]
