"""presil regress: bands, baselines with layer and cause, shards, and what is refused."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import presil
import pytest
from presil.regress import (
    add_to_trend,
    baseline_text,
    junit_text,
    markdown_text,
    merged,
    regress,
)
from presil.regress_suite import sharded, suite_of

SUITE: dict[str, Any] = {"suite": "s", "socs": ["edge", "micro"], "networks": ["digits"]}


def suite(**expect: Any) -> dict[str, Any]:
    return {**SUITE, "expect": expect}


def refusal(given: Any, *more: Any) -> str:
    with pytest.raises(presil.Refusal) as refused:
        regress(given, *more)
    return str(refused.value)


@pytest.fixture(scope="module", name="recorded")
def recorded_fixture(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("suite") / "baseline.json"
    file.write_text(baseline_text(regress(SUITE)), encoding="utf-8")
    return file


def test_a_suite_passes_against_its_own_baseline(recorded: Path) -> None:
    result = regress(suite(against="baseline"), recorded)
    assert result["counts"] == {"passed": 2, "failed": 0, "skipped": 0}
    figures = {row["name"]: row["figures"]["cycles"] for row in result["cases"]}
    assert figures["digits on edge"] == presil.run("digits").cycles


def test_a_broken_baseline_is_told_with_layer_and_cause(recorded: Path, tmp_path: Path) -> None:
    kept = json.loads(recorded.read_text(encoding="utf-8"))
    before = kept["cases"]["digits on edge"]
    before["layers"][3]["cycles"] -= 5000
    before["layers"][3]["stall"]["post"] -= 5000
    before["cycles"] -= 5000
    before["presil"]["commit"] = "0123abcd"
    del kept["cases"]["digits on micro"]
    other = tmp_path / "other.json"
    other.write_text(json.dumps(kept), encoding="utf-8")
    edge, micro = regress(suite(against="baseline", tolerance_percent=1), other)["cases"]
    (said,) = edge["broken"]
    assert said.startswith("against the baseline: cycles a sample: ")
    assert f"most in layer '{before['layers'][3]['name']}': post +5,000" in said
    assert "cause: compiler: presil 0123abcd to " in said
    assert micro["broken"] == ["has no baseline; --record writes one"]


def test_bands_are_held_from_both_sides() -> None:
    cycles = presil.run("digits").cycles
    for band, verdict in (
        ({"max": cycles}, "passed"),
        ({"max": cycles - 1}, "failed"),
        ({"min": cycles}, "passed"),
        ({"min": cycles + 1}, "failed"),
    ):
        (row,) = regress({**suite(cycles=band), "socs": ["edge"]})["cases"]
        assert row["verdict"] == verdict, band
    stalled = regress({**suite(stalls={"dla": {"max": 1}}, seconds=0), "socs": ["edge"]})
    said = stalled["cases"][0]["broken"]
    assert said[0].startswith("stalled cycles of dla: ") and "must be at most 0" in said[1]
    root = ElementTree.fromstring(junit_text(stalled))
    assert root.attrib["failures"] == "1" and root[0][0].tag == "failure"
    assert "| digits on edge | failed | " in markdown_text(stalled)


def test_shards_are_the_whole_suite_and_absent_networks_are_skipped(tmp_path: Path) -> None:
    parts = [regress(SUITE, None, 1, f"{i}/2") for i in (1, 2)]
    files = []
    for i, part in enumerate(parts):
        files.append(tmp_path / f"{i}.json")
        files[i].write_text(json.dumps(part), encoding="utf-8")
    whole = regress(SUITE, None, 1)
    merge = merged(files)
    assert merge["counts"] == whole["counts"]
    assert [row["figures"] for row in merge["cases"]] == [row["figures"] for row in whole["cases"]]
    with pytest.raises(presil.Refusal, match="'digits on edge' is in two shards"):
        merged([files[0], files[0]])
    files[0].write_text("[]", encoding="utf-8")
    with pytest.raises(presil.Refusal, match="is no result of `presil regress --json`"):
        merged(files)
    absent = {"file": "absent.tflite", "optional": True}
    both = suite_of({**SUITE, "networks": ["digits", absent]})
    shards = [sharded(both, f"{i}/3") for i in (1, 2, 3)]
    assert sorted(c.name for s in shards for c in s) == sorted(c.name for c in both.cases)
    result = regress({**SUITE, "networks": [absent]})
    assert result["counts"]["skipped"] == 2
    add_to_trend(tmp_path / "trend.sqlite", result)
    with sqlite3.connect(tmp_path / "trend.sqlite") as base:
        assert base.execute("SELECT count(*) FROM trend").fetchone() == (2,)
    (tmp_path / "no").write_bytes(b"nothing" * 99)
    with pytest.raises(presil.Refusal) as refused:
        add_to_trend(tmp_path / "no", result)
    assert f"regress: the trend '{tmp_path / 'no'}' cannot be used (" in str(refused.value)


def test_nonsense_is_refused_by_its_key(tmp_path: Path) -> None:
    assert "networks is None, must be a list; " in refusal({"socs": ["edge"]})
    assert "has a key 'cycle' (did you mean 'cycles'?)" in refusal(suite(cycle=3))
    assert "cycles is 3, must have min or max, as in max: 400000" in refusal(suite(cycles=3))
    assert "min 3 over max 2; exchange them" in refusal(suite(cycles={"min": 3, "max": 2}))
    assert "stalls is 3, must be engines" in refusal(suite(stalls=3))
    assert "against is 'main', must be baseline" in refusal(suite(against="main"))
    assert "is there twice, must be once" in refusal({**SUITE, "socs": ["edge", "edge"]})
    assert "--shard is '3/2', must be as 1/4" in refusal(SUITE, None, 1, "3/2")
    file = tmp_path / "b.json"
    asked = suite(against="baseline")
    assert "is no baseline (" in refusal(asked, file)
    file.write_text('{"baseline": 1, "cases": {"digits on edge": 3}}', encoding="utf-8")
    assert "its baseline is no record of a run" in regress(asked, file)["cases"][0]["broken"][0]
    file.write_text('{"baseline": 9, "cases": {}}', encoding="utf-8")
    assert "has schema 9, must be 1; write it again by --record" in refusal(asked, file)
