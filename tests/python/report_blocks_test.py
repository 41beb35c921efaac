"""Blocks of the report: layers by the scopes of their names, or by the size of their results."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import presil
import presil.cli
import pytest
from presil.report.layer_blocks import network_blocks, size_of
from presil.report.layers import layer_view
from report_browser import browse

LOOK = """const look = async (page, root, width) => {
  const blocks = [...page.querySelectorAll("details.block")];
  const name = (b) => b.querySelector(".name").textContent;
  const shown = () => blocks.filter((b) => !b.hidden).map(name);
  const filter = page.querySelector("[data-filter-blocks]");
  const find = (words) => {
    filter.value = words;
    filter.dispatchEvent(new Event("input"));
    const rows = blocks.flatMap((b) => [...b.querySelectorAll("tbody tr")]);
    const open = blocks.filter((b) => b.open).length;
    const seen = rows.filter((r) => !r.hidden && r.closest("details").open);
    return {shown: shown(), open, rows: seen.length};
  };
  seen.widths[width] = {
    all: shown(), wide: root.scrollWidth - width,
    one: find("stage1/layer7"), none: find("nowhere"), again: find(""),
    heights: blocks.map((b) => b.querySelector("summary").offsetHeight),
  };
};"""


def layer(name: str, own: int, size: int = 8, why: str = "compute") -> dict[str, Any]:
    return {
        "name": name, "own": own, "why": why, "macs": 10 * own, "read_bytes": 1,
        "written_bytes": 2, "outputs": [{"shape": [1, size, size, 16], "dtype": "int8"}],
    }  # fmt: skip


def test_scopes_make_blocks_and_layers_without_stay_apart() -> None:
    layers = [layer("stem", 40)]
    layers += [
        layer(f"stage{i // 4}/layer{i}", 5, why="dram" if i % 4 else "dma") for i in range(12)
    ]
    blocks = network_blocks(layers)
    assert [b["name"] for b in blocks] == ["stem", "stage0", "stage1", "stage2"]
    assert [b["own"] for b in blocks] == [40, 20, 20, 20]
    assert [b["share"] for b in blocks] == [40, 20, 20, 20] and blocks[1]["bar"] == 50
    assert blocks[1]["why"] == "dram"  # 15 of its 20 cycles
    assert (blocks[1]["macs"], blocks[1]["bytes"]) == (200, 12)


def test_without_scopes_results_of_one_size_are_a_block() -> None:
    sizes = [32] * 5 + [16] * 4 + [8] * 3 + [16] * 2
    blocks = network_blocks([layer(f"conv_{i}", 1, size) for i, size in enumerate(sizes)])
    assert [(b["name"], b["size"], len(b["layers"])) for b in blocks] == [
        ("conv_0 … conv_4", "32×32", 5),
        ("conv_5 … conv_8", "16×16", 4),
        ("conv_9 … conv_11", "8×8", 3),
        ("conv_12 … conv_13", "16×16", 2),
    ]


def test_few_layers_and_one_block_are_none() -> None:
    assert network_blocks([layer(f"a/{i}", 1) for i in range(11)]) == []
    assert network_blocks([layer(f"conv_{i}", 1) for i in range(40)]) == []
    assert size_of({"outputs": [{"shape": [1, 10]}]}) == "10" and size_of({}) == ""


def test_every_layer_is_in_one_block_of_the_run() -> None:
    layers = [layer_view(row) for row in presil.run("digits", check="none").layers]
    blocks = network_blocks(layers)
    assert [one for block in blocks for one in block["layers"]] == layers
    assert sum(block["own"] for block in blocks) == sum(one["own"] for one in layers)
    assert sum(block["share"] for block in blocks) == pytest.approx(100)


def test_blocks_in_a_browser(tmp_path: Path) -> None:
    run = presil.run("digits", check="none")
    record = json.loads(json.dumps(run.record, default=str))
    for i, row in enumerate(record["layers"]):
        row["name"] = f"stage{i // 5}/layer{i}"
    (tmp_path / "run.json").write_text(json.dumps(record))
    presil.cli.main(["report", str(tmp_path), "--html", str(tmp_path / "report.html")])
    seen, console = browse(tmp_path, LOOK)
    assert not console, console
    names = ["stage0", "stage1", "stage2", "stage3"]
    for width, at in seen["widths"].items():
        assert at["all"] == names and at["wide"] <= 0, width
        assert at["one"] == {"shown": ["stage1"], "open": 1, "rows": 1}, width
        assert at["none"]["shown"] == [] and at["again"]["shown"] == names
        assert at["again"]["open"] == 0 and max(at["heights"]) < 90, width
