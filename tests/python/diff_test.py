"""`presil diff`: what changed between two recorded runs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from presil.report import compare_runs
from records import record


def test_a_run_does_not_differ_from_itself() -> None:
    diff = compare_runs(record(), record())
    assert not any(diff[key] for key in ("layers", "soc", "placement", "beyond"))
    assert diff["outputs"]["comparable"] and diff["outputs"]["same"]
    assert diff["cycles_per_sample"] == {"a": 1500, "b": 1500, "percent": 0}


def slower() -> dict:
    """The first layer waits 60 cycles longer; the whole run takes as much more in each sample."""
    changed = record()
    changed["layers"][0]["cycles"] += 60
    changed["layers"][0]["stall"]["wait_in:dma"] += 60
    changed["cycles"] += 2 * 60
    return changed


def test_a_slower_layer_is_named_with_its_cause() -> None:
    diff = compare_runs(record(), slower())
    (row,) = diff["layers"]
    assert (row["name"], row["a"], row["b"], row["percent"]) == ("stem", 1000, 1060, 6.0)
    assert row["causes"] == {"wait_in:dma": 60}
    assert diff["cycles_per_sample"]["percent"] == 4.0
    assert len(diff["beyond"]) == 2  # the sum and the layer


@pytest.mark.parametrize(("tolerance", "within"), [(3.9, False), (4.0, True), (100, True)])
def test_the_tolerance_is_a_share_of_the_cycles_of_the_first_run(
    tolerance: float, within: bool
) -> None:
    assert (compare_runs(record(), slower(), tolerance)["beyond"] == []) is within
    back = compare_runs(slower(), record(), 5.0)  # faster counts as well
    assert back["beyond"] == [] and compare_runs(slower(), record())["beyond"]


def test_layers_that_move_against_each_other_are_beyond_although_the_sum_stays() -> None:
    changed = slower()
    changed["layers"][1]["cycles"] -= 60
    changed["layers"][1]["busy"] -= 60
    changed["cycles"] -= 2 * 60
    diff = compare_runs(record(), changed)
    assert diff["cycles_per_sample"]["percent"] == 0
    assert diff["beyond"] == ["layer 'stem': +60 cycles", "layer 'body': -60 cycles"]


def test_other_outputs_are_beyond_any_tolerance_where_equal_ones_are_owed() -> None:
    changed = record()
    changed["outputs"][0]["sha256"] = "cc"
    assert compare_runs(record(), changed, 100)["beyond"] == ["outputs differ"]
    changed["input"]["sha256"] = "other data"
    assert compare_runs(record(), changed)["beyond"] == []


def test_a_run_that_is_no_longer_exact_is_beyond_any_tolerance() -> None:
    exact = record()
    exact["check"]["exact"] = True
    assert len(compare_runs(exact, record(), 100)["beyond"]) == 1
    assert compare_runs(record(), exact)["beyond"] == []


def test_layers_parameters_and_places_that_joined_or_left_are_listed() -> None:
    changed = record()
    changed["soc"]["config"] = {**changed["soc"]["config"], "dla.macs_k": 32}
    changed["placement"][1]["engine"] = "dsp"
    changed["layers"][2]["name"] = "head"
    diff = compare_runs(record(), changed, 100)
    assert diff["soc"] == [{"parameter": "dla.macs_k", "a": None, "b": 32}]
    assert [(p["op"], p["a"], p["b"]) for p in diff["placement"]] == [("softmax", "host", "dsp")]
    assert {(r["name"], r["a"], r["b"]) for r in diff["layers"]} == {
        ("head", None, 200),
        ("last", 200, None),
    }


def test_layers_of_equal_names_are_told_apart_by_their_order() -> None:
    a, b = record(), record()
    for r in (a, b):
        r["layers"][1]["name"] = "stem"
    b["layers"][1]["cycles"] += 1
    assert [(r["name"], r["b"]) for r in compare_runs(a, b)["layers"]] == [("stem", 201)]


def save(folder: Path, run: dict) -> Path:
    folder.mkdir()
    (folder / "run.json").write_text(json.dumps(run), encoding="utf-8")
    return folder


def test_the_verb_ends_with_0_within_and_1_beyond(presil, tmp_path: Path) -> None:
    a, b = save(tmp_path / "a", record()), save(tmp_path / "b", slower())
    same = presil("diff", a, a / "run.json")
    assert same.code == 0 and "SAME" in same.out, same
    ended = presil("diff", a, b)
    assert ended.code == 1 and "stem" in ended.out and "wait in:dma +60" in ended.out, ended
    assert "CHANGED" in ended.out and "1,500 to 1,560, +4.00%" in ended.out
    assert presil("diff", a, b, "--tolerance", "4").code == 0
    machine = presil("diff", a, b, "--json")
    assert machine.code == 1 and json.loads(machine.out) == compare_runs(record(), slower())


@pytest.mark.parametrize("text", ["", "[]", '{"schema": "2.0"}', '{"schema": "1.0"}'])
def test_the_verb_refuses_what_is_no_record(presil, tmp_path: Path, text: str) -> None:
    a = save(tmp_path / "a", record())
    (tmp_path / "run.json").write_text(text, encoding="utf-8")
    ended = presil("diff", a, tmp_path)
    assert ended.code == 2 and ended.err.startswith("presil: diff: "), ended.err
    assert presil("diff", a, a, "--tolerance", "-1").code == 2
