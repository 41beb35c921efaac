"""Published chips: rows are data, figures are runs, and the table in the repository is theirs."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import presil as package
import pytest
from presil import paths
from presil.chips import Row, compared, layer_alone, markdown, published

TABLE = paths.SOCS / "PUBLISHED.md"
KEPT = """
chips:
  mine:
    soc: edge
    figures: "a board"
    lacks: "nothing."
    rows:
      - id: a
        value: 10000
        unit: cycles
        layer: {c: 64, k: 64, r: 1, s: 1, stride: 1, oh: 16, ow: 16}
"""


def test_a_figure_in_any_unit_is_cycles_of_the_engine() -> None:
    def cycles(value: float, unit: str) -> float:
        return Row("a", "x", {}, {}, value, unit, "").cycles(500)

    assert cycles(7, "cycles") == 7
    assert cycles(2, "ms") == pytest.approx(1_000_000)  # 2e-3 s at 500 MHz
    assert cycles(100, "fps") == pytest.approx(5_000_000)


def test_a_layer_alone_has_the_shape_of_its_row() -> None:
    names = ("c", "k", "r", "s", "stride", "oh", "ow")
    layer = dict(zip(names, (32, 48, 3, 3, 2, 7, 5), strict=True))
    network = layer_alone(layer).build()
    assert network.graph.macs == 32 * 48 * 3 * 3 * 7 * 5


def test_vta_is_within_10_percent_and_as_the_table_says() -> None:
    (chip,) = [c for c in published() if c.name == "vta"]
    (result,) = compared([chip])
    assert all(abs(r.error) < 10 for r in result.results), [r.error for r in result.results]
    assert any(not r.row.fits for r in result.results)
    text, table = markdown([result]), TABLE.read_text(encoding="utf-8")
    rows = [line for line in text.splitlines() if line.startswith("| resnet")]
    assert len(rows) == len(chip.rows) and all(row in table for row in rows)


def test_the_table_has_every_row_and_says_what_is_not_modelled() -> None:
    table = TABLE.read_text(encoding="utf-8")
    for chip in published():
        assert f"Not modelled: {chip.lacks}" in " ".join(table.split())
        part = table.split(f"## {chip.name}\n")[1].split("\n## ")[0]
        assert len(chip.rows) == len(re.findall(r"^\| (?!row)", part, re.M))


def test_the_whole_table_is_that_of_its_runs() -> None:
    if os.environ.get("PRESIL_ALL") != "1":
        pytest.skip("SKIPPED: all published rows are run by PRESIL_ALL=1")
    assert markdown(list(compared(published()))) == TABLE.read_text(encoding="utf-8")


def test_rows_of_ones_own(presil, tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text(KEPT, encoding="utf-8")
    done = presil("chips", "--rows", "mine.yaml", "--json", "mine.json")
    assert done.code == 0, done.err
    assert "64 to 64, 1x1/1, 16x16" in done.out and "not modelled: nothing." in done.out
    row = json.loads((tmp_path / "mine.json").read_text())["chips"]["mine"]["rows"][0]
    made = row["simulated_cycles"] / row["published_cycles"]
    assert row["error_percent"] == pytest.approx(100 * (made - 1), abs=0.01)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("unit: cycles", "unit: days"), "unit of row a is 'days', must be cycles, ms, fps"),
        (("value: 10000", "value: 0"), "value of row a is 0, must be above 0"),
        (("    lacks", "    locks"), "mine has no 'lacks', which every one needs"),
        (
            ("        layer", "        network: digits\n        layer"),
            "must have either a 'network' or a 'layer'",
        ),
        (("chips:", "chops:"), "has no published figures"),
    ],
)
def test_bad_rows_are_refused(presil, tmp_path: Path, change: tuple[str, str], said: str) -> None:
    (tmp_path / "bad.yaml").write_text(KEPT.replace(*change, 1), encoding="utf-8")
    done = presil("chips", "--rows", "bad.yaml")
    assert done.code == 2 and said in done.err, done.err


def test_a_name_that_is_not_there_and_write_with_a_name_are_refused(presil) -> None:
    done = presil("chips", "vto")
    assert done.code == 2 and "'vto'" in done.err and "vta" in done.err
    done = presil("chips", "vta", "--write")
    assert done.code == 2 and "--write is of all chips" in done.err


EFFECTS = {
    "dla.cycles_command": 200,
    "dla.cycles_layer": 1000,
    "dla.cycles_step": 2,
    "dla.post_operations": 16,
    "dla.post_overlap": 0,
    "dla.memory_overlap": 0,
}


def test_every_time_of_other_engines_has_its_effect() -> None:
    program = package.compile("digits")
    from presil.retime import retimed

    base = retimed(program, {}).record
    layers = sum(layer["engine"] == "dla" for layer in base["layers"])
    commands = sum(layer["commands"] for layer in base["layers"] if layer["engine"] == "dla")
    for name, value in EFFECTS.items():
        record = retimed(program, {name: value}).record
        assert record["cycles"] > 1.02 * base["cycles"], name
        grown = record["cycles"] - base["cycles"]
        if name == "dla.cycles_layer":  # layers follow one another, but for two heads side by side
            assert 0.8 * layers * value <= grown <= layers * value
        if name == "dla.cycles_command":
            assert 0.5 * commands * value <= grown <= commands * value
        if name == "dla.cycles_step":  # the array's own time doubles
            busy = record["engines"]["dla"]["busy"] / base["engines"]["dla"]["busy"]
            assert busy == pytest.approx(2, rel=0.01)
        engine = record["engines"]["dla"]
        assert engine["busy"] + sum(engine["stall"].values()) + engine["idle"] == record["cycles"]


@pytest.mark.usefixtures("simulator_with_rtl")
@pytest.mark.parametrize("name", EFFECTS)
def test_rtl_refuses_them_by_name(name: str) -> None:
    program = package.compile("digits", set={name: EFFECTS[name]})
    with pytest.raises(package.Refusal, match=f"dla in RTL: {name} is {EFFECTS[name]}, must be"):
        package.run(program, blocks={"dla": "rtl"})
