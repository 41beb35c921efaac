"""What the planner decides, as a value that is given and taken."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import presil as api
import pytest
from presil.decisions import as_text, decisions_of


def of(decided: dict[str, Any], key: str, **instead: Any) -> dict[str, Any]:
    """One decision of a plan, with other parts."""
    name = sorted(decided[key])[0]
    value = decided[key][name]
    return {key: {name: {**value, **instead} if isinstance(value, dict) else instead["to"]}}


@pytest.fixture(scope="module")
def program(digits: Path) -> api.Program:
    return api.compile(digits, "micro")


def test_a_plan_given_its_own_decisions_is_the_same_loadable(
    program: api.Program, digits: Path, tmp_path: Path
) -> None:
    assert program.decisions is not None and program.decisions["tilings"]
    file = tmp_path / "decided.json"
    file.write_text(as_text(program.decisions), encoding="utf-8")
    again = api.compile(digits, "micro", decisions=file)
    assert bytes(again.loadable) == bytes(program.loadable)
    assert decisions_of(file) == {k: program.decisions[k] for k in ("prefetch", "tilings", "kept")}


def test_a_decision_is_done_and_changes_no_value(digits: Path, program: api.Program) -> None:
    decided = program.decisions
    assert decided is not None
    tall = next(n for n, e in decided["extents"].items() if decided["tilings"][n]["rows"] > 1)
    for decisions in (
        {"prefetch": 0},
        {"tilings": {tall: {**decided["tilings"][tall], "rows": 1}}},
        {"kept": {tall: not decided["kept"][tall]}},
    ):
        other = api.compile(digits, "micro", decisions=decisions)
        assert other.decisions is not None
        for key, value in decisions.items():
            if isinstance(value, dict):
                assert value.items() <= other.decisions[key].items()
            else:
                assert value == other.decisions[key]
        assert api.run(other).exact
        assert bytes(other.loadable) != bytes(program.loadable)


def test_what_cannot_be_done_is_refused(digits: Path, program: api.Program) -> None:
    decided = program.decisions
    assert decided is not None
    for decisions, said in (
        ({"tilings": {"none": next(iter(decided["tilings"].values()))}}, "no layer of the DLA 'no"),
        ({"kept": {"none": True}}, "there is no buffer 'none' in this network's plan"),
        (of(decided, "tilings", rows=999), "into 999 rows.* which it cannot be beside the other"),
        (of(decided, "tilings", rows="x"), "rows is 'x', expected a whole number"),
        ({"tilings": {"a": {"rows": 1}}}, "tilings: 'a' lacks columns"),
        ({"tilings": {"a": {"wide": 1}}}, "tilings: 'a' has 'wide', expected: rows, columns"),
        ({"kept": {"a": 3.5}}, "kept: 'a' is 3.5, expected true or false"),
        ({"prefetch": 300}, "prefetch is 300, must be 0 to 256"),
        ({"other": 1}, "the value has 'other', expected: prefetch, tilings"),
        (3, "decisions: got 3, expected a file or a mapping"),
        ("none.json", "--give-decisions FILE"),
    ):
        with pytest.raises(api.Refusal, match=said):
            api.compile(digits, "micro", decisions=decisions)


def test_files_that_are_no_decisions_are_refused(tmp_path: Path) -> None:
    for text, said in (
        ("[1]", "holds a list, expected a mapping"),
        ("{", "d.json' is no JSON \\("),
    ):
        (tmp_path / "d.json").write_text(text)
        with pytest.raises(api.Refusal, match=said):
            decisions_of(tmp_path / "d.json")


def test_buffers_that_do_not_fit_are_not_kept() -> None:
    b = api.Builder("large")
    x = b.input("x", (1, 128, 128, 64), scale=0.1)
    y = b.conv2d(x, np.ones((64, 3, 3, 64), np.int8), weights_scale=0.1, padding="same")
    b.output(b.conv2d(y, np.ones((16, 1, 1, 64), np.int8), weights_scale=0.1))
    net = b.build()
    decided = api.compile(net, "micro").decisions
    assert decided is not None and not all(decided["kept"].values())
    with pytest.raises(api.Refusal, match="was to be in the SRAM whole, which it cannot be"):
        api.compile(net, "micro", decisions={"kept": dict.fromkeys(decided["kept"], True)})


def test_weights_that_do_not_fit_are_not_loaded_ahead() -> None:
    small = {"sram.bytes": 16384}
    with pytest.raises(api.Refusal, match="2 layers ahead, which does not fit; the plan that does"):
        api.compile(deep(), "micro", set=small, decisions={"prefetch": 2})
    program = api.compile(deep(), "micro", set=small, decisions={"prefetch": 0})
    assert program.decisions is not None and program.decisions["prefetch"] == 0


def deep() -> api.Network:
    b = api.Builder("deep")
    y = b.input("x", (1, 8, 8, 64), scale=0.1)
    for _ in range(6):
        y = b.conv2d(y, np.ones((64, 3, 3, 64), np.int8), weights_scale=0.1, padding="same")
    b.output(y)
    return b.build()


def test_the_command_line_gives_and_takes_them(presil: Any, digits: Path, tmp_path: Path) -> None:
    done = presil("compile", digits, "-o", "a.presil", "--give-decisions", "d.json", "--quiet")
    assert done.code == 0, done.err
    assert set(json.loads((tmp_path / "d.json").read_text())) == {"prefetch", "tilings", "kept"}
    done = presil("compile", digits, "-o", "b.presil", "--decisions", "d.json", "--quiet")
    assert done.code == 0, done.err
    assert (tmp_path / "a.presil").read_bytes() == (tmp_path / "b.presil").read_bytes()
    done = presil("compile", "a.presil", "-o", "c.presil", "--decisions", "d.json")
    assert done.code == 2 and "decisions are fixed in a loadable" in done.err
