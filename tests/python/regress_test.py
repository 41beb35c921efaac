"""presil regress: bands, baselines with layer and cause, shards, and what is refused."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import presil
import pytest
from presil import cli
from presil.regress import (
    apart,
    baseline_text,
    junit_text,
    markdown_text,
    merged,
    regress,
)
from presil.regress_suite import sharded, suite_of
from presil.regress_trend import add_to_trend, trend_of
from presil.report.trend_html import trend_page

ROOT = Path(__file__).resolve().parents[2]
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


def test_cases_of_the_shape_library_have_their_whole_name() -> None:
    asked = suite_of({"networks": ["gemm:m=16,k=16,n=16", "digits"]})
    assert [case.name for case in asked.cases] == ["gemm:m=16,k=16,n=16 on edge", "digits on edge"]


def test_the_nightly_suite_is_25_networks_on_5_socs() -> None:
    cases = suite_of(ROOT / "sim" / "nets" / "nightly.yaml").cases
    assert len(cases) == 25 * 5 and len({case.soc.label for case in cases}) == 5


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


def test_coverage_is_collected_and_its_floor_held_by_the_whole_suite(tmp_path: Path) -> None:
    asked = {**SUITE, "coverage": {"floor_percent": 99}}
    whole = regress(asked, None, 1)
    row = whole["cases"][-1]
    assert row["name"] == "coverage" and row["verdict"] == "failed"
    (said,) = row["broken"]
    assert "% of the bins, must be at least 99 %; missing are dla " in said
    files = []
    for i in (1, 2):
        part = regress(asked, None, 1, f"{i}/2")
        assert [r["name"] for r in part["cases"]] != ["coverage"] and "coverage" in part
        files.append(tmp_path / f"{i}.json")
        files[-1].write_text(json.dumps(part), encoding="utf-8")
    both = merged(files)
    assert both["coverage"]["hits"] == whole["coverage"]["hits"] and both["cases"][-1] == row
    low = regress({**SUITE, "coverage": {"floor_percent": 10}}, None, 1)
    assert low["cases"][-1]["verdict"] == "passed" and low["counts"]["failed"] == 0
    assert "floor_percent is 101, must be 0 to 100" in refusal(
        {**SUITE, "coverage": {"floor_percent": 101}}
    )


COSIM: dict[str, Any] = {
    "exact": True,
    "model_cycles": 1000,
    "rtl_cycles": 1004,
    "error_percent": -0.3984,
    "bands": {"layer_percent": 2.0, "layer_cycles": 20},
    "layers": [
        {"name": "a", "model_cycles": 500, "rtl_cycles": 500, "within_band": True, "causes": {}},
        {"name": "b", "model_cycles": 500, "rtl_cycles": 504, "within_band": True,
         "causes": {"post": 3, "run": 1}},
    ],
    "first_divergence": None,
}  # fmt: skip


def test_rtl_outside_its_bands_is_told_with_layer_and_causes() -> None:
    assert apart(COSIM, 0.5) == []
    assert apart(COSIM, 0.3) == [
        "cosim: the model takes 1,000 cycles, the RTL 1,004, must be within 0.3 %; most in layer "
        "'b': 500 and 504 cycles, post +3, run +1"
    ]
    layers = [COSIM["layers"][0], {**COSIM["layers"][1], "within_band": False}]
    assert apart({**COSIM, "layers": layers}, 0.5) == [
        "cosim: layer 'b': 500 and 504 cycles, post +3, run +1, must be within 2 % or 20 cycles; "
        "so are 0 more"
    ]
    diverged = {**COSIM, "first_divergence": {"text": "dla: command 3 differs"}}
    assert apart(diverged, 0.5) == ["cosim: RTL and model differ: dla: command 3 differs"]


def test_cosim_is_asked_of_the_socs_that_it_names() -> None:
    asked = suite_of({**SUITE, "cosim": {"rtl": "dla,dma", "socs": ["edge"]}})
    edge, micro = asked.cases
    assert edge.cosim is not None and edge.cosim["rtl"] == ["dla", "dma"] and micro.cosim is None
    said = refusal({**SUITE, "cosim": {"rtl": "dsp"}})
    assert "cosim: rtl is 'dsp', expected one of dla, dma, sync" in said
    said = refusal({**SUITE, "cosim": {"rtl": "dla", "socs": ["big"]}})
    assert "must be a list of the suite's; " in said


def test_thirty_runs_are_drawn_with_what_broke(tmp_path: Path) -> None:
    file = tmp_path / "trend.sqlite"
    for run in range(30):
        cycles, verdict = 1000 + 10 * run, "failed" if run == 17 else "passed"
        rows = [{"name": "digits on edge", "verdict": verdict, "figures": {"cycles": cycles}},
                {"name": "net on micro", "verdict": "passed", "figures": {"cycles": 500}},
                {"name": "coverage", "verdict": "passed", "figures": None}]  # fmt: skip
        add_to_trend(file, {"presil": {"commit": f"c{run}"}, "suite": "s", "cases": rows})
    cases = trend_of(file, "s")
    assert [case["name"] for case in cases] == ["digits on edge", "net on micro", "coverage"]
    assert [run["cycles"] for run in cases[0]["runs"]] == [1000 + 10 * i for i in range(30)]
    assert trend_of(file, "other") == []
    page = trend_page("s", cases)
    assert page.count("<circle") == 29 + 30 and page.count("<rect") == 1
    assert "1,290 cycles, +29.00 % since the first run; 1,000 to 1,290" in page
    assert "failed 1 times, last at c17" in page
    assert page.index("digits on edge") < page.index("net on micro")


def test_a_page_without_a_trend_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["regress", "s.yaml", "--trend-html", "t.html"]) == 2
    said = capsys.readouterr().err
    assert "regress: --trend-html draws a trend; give its file, --trend FILE" in said


def test_a_case_in_lockstep_is_held_to_its_band(simulator_with_rtl: None) -> None:
    asked = {**SUITE, "socs": ["edge"], "cosim": {"rtl": "dla,dma,sync"}, "coverage": {}}
    passed = regress(asked, None, 1)
    assert [row["verdict"] for row in passed["cases"]] == ["passed", "passed"]
    hits = passed["coverage"]["hits"]["dla"]["fields/op/conv"]
    assert hits["rtl"] > 0 and hits["model"] == 2 * hits["rtl"]  # alone, and in lock-step
    narrow = {**asked, "cosim": {"rtl": "dla,dma,sync", "percent": 0}}
    (row, _) = regress(narrow, None, 1)["cases"]
    assert row["verdict"] == "failed"
    assert "must be within 0 %; most in layer '" in row["broken"][0]
