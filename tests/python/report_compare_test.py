"""Several runs on one page: what differs, layer by layer, each run's own page under a tab."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from presil.report import html
from presil.report.compared import comparison, labels_of
from presil.report.matched import matched
from records import record
from report_browser import WIDTHS, browse

# Looks at the comparison and each run's page at every width, in dark and light.
LOOK = """
const look = async (page, root, width) => {
  const tabs = [...page.querySelectorAll("[data-tab]")];
  seen.labels = tabs.map((e) => e.textContent.trim());
  seen.shown = {};
  const wide = [];
  for (const tab of [...tabs.slice(1), tabs[0]]) {
    tab.click();
    await new Promise((done) => setTimeout(done, 100));
    wide.push(root.scrollWidth);
    const articles = [...page.querySelectorAll("article.run")];
    seen.shown[tab.textContent.trim()] = articles.map((e) => !e.hidden);
  }
  seen.widths[width] = {needs: Math.max(...wide), has: root.clientWidth};
  seen.ready = root.dataset.ready;
  seen.figures = [...page.querySelectorAll("[data-figure]")].map(
    (e) => [e.dataset.figure, Number(e.dataset.run), Number(e.dataset.value)]);
  seen.legends = [...page.querySelectorAll(".legend")].map((e) => e.children.length);
  seen.fills = {};
  const two = (n) => Number(n).toString(16).padStart(2, "0");
  const hex = (rgb) => "#" + rgb.match(/\\d+/g).slice(0, 3).map(two).join("");
  for (const e of page.querySelectorAll("rect[data-cause]")) {
    const fill = getComputedStyle(e).fill;
    const known = (seen.fills[e.dataset.cause] ||= []);
    const said = fill.startsWith("rgb(") ? hex(fill) : fill;
    if (!known.includes(said)) known.push(said);
  }
  const layers = page.querySelector("[data-plot=layers-together]");
  seen.bars = layers.querySelectorAll("g.bar rect").length;
  const table = page.querySelector("[data-table=together]");
  const order = () => [...table.tBodies[0].rows].map((r) => r.cells[0].firstChild.textContent);
  table.tHead.rows[0].cells[1].click();
  seen.sorted = order();
  const unit = page.querySelector("[data-unit=us]");
  seen.unit = Boolean(unit);
  if (unit) unit.click();
  seen.texts = [...layers.querySelectorAll("text.total")].map((e) => e.textContent);
};
"""


def layers(*names: str, ops: dict[str, list[int]] | None = None) -> list[dict[str, Any]]:
    return [
        {
            "name": name,
            "op": "conv2d",
            "source_ops": (ops or {}).get(name, [i]),
            "cycles": 10,
            "commands": 1,
            "index": i,
        }
        for i, name in enumerate(names)
    ]


def names(slots: list[list[dict[str, Any] | None]]) -> list[list[str | None]]:
    return [[row and row["name"] for row in slot] for slot in slots]


def test_layers_are_matched_by_name_then_by_the_operators_of_the_network() -> None:
    a = layers("stem", "body", "head")
    b = layers("stem", "trunk", "head", ops={"trunk": [1], "head": [7]})
    assert names(matched([a, b])) == [["stem", "stem"], ["body", "trunk"], ["head", "head"]]


def test_what_a_run_lacks_stays_and_what_later_runs_share_is_one_row() -> None:
    a = layers("stem", "body")
    b = layers("stem", "left", "right", ops={"left": [8], "right": [9]})
    c = layers("right", "stem", ops={"right": [9], "stem": [0]})
    assert names(matched([a, b, c])) == [
        ["stem", "stem", "stem"],
        ["body", None, None],
        [None, "left", None],
        [None, "right", "right"],
    ]


def test_equal_names_stay_in_their_order_and_no_operators_match_nothing() -> None:
    a, b = layers("x", "x", "decode"), layers("x", "y", "code")
    for row in (a[2], b[2]):
        row["source_ops"] = []
    slots = matched([a, b])
    assert names(slots) == [["x", "x"], ["x", "y"], ["decode", None], [None, "code"]]
    assert slots[0][0] is a[0] and slots[0][1] is b[0]


def runs_of(folder: Path, *changes: dict[str, Any]) -> list[tuple[dict[str, Any], Path]]:
    runs = []
    for i, change in enumerate(changes):
        run = record()
        run["soc"] |= change.get("soc", {})
        run["soc"]["config"] = {**run["soc"]["config"], **change.get("config", {})}
        run |= {k: v for k, v in change.items() if k not in ("soc", "config")}
        runs.append((run, folder / change.get("folder", f"run{i}")))
    return runs


def test_runs_are_called_by_what_tells_them_apart(tmp_path: Path) -> None:
    def called(*changes: dict[str, Any]) -> list[str]:
        return labels_of(runs_of(tmp_path, *changes))

    wide = {"config": {"dla.macs_k": 32}}
    assert called({}, {"soc": {"name": "micro"}}) == ["edge", "micro"]
    assert called({}, {"soc": {"label": "edge dla.macs_k=32"}}) == ["edge", "edge dla.macs_k=32"]
    assert called({"config": {"dla.macs_k": 16}}, wide) == [
        "edge dla.macs_k=16",
        "edge dla.macs_k=32",
    ]
    assert called({}, {"numerics": "xnnpack"}) == ["edge, tflite", "edge, xnnpack"]
    assert called({}, {"folder": "again"}) == ["edge (run0)", "edge (again)"]
    assert called({"folder": "x"}, {"folder": "x"}) == ["edge, run 1", "edge, run 2"]
    other = {"network": {**record()["network"], "file": "b/net.tflite"}}
    assert called({}, other) == ["toy on edge", "net on edge"]


def test_what_was_asked_differently_stands_there_and_nothing_else(tmp_path: Path) -> None:
    runs = runs_of(tmp_path, {}, {"config": {"sram.bytes": 1}, "numerics": "xnnpack"}, {})
    rows = {row["name"]: row["values"] for row in comparison(runs)["asked"]}
    assert rows == {
        "numerics": ["tflite", "xnnpack", "tflite"],
        "sram.bytes": [1048576, 1, 1048576],
    }


def test_deltas_are_from_the_first_run_and_say_what_is_better(tmp_path: Path) -> None:
    faster = {"cycles": 1500, "time_ms": 0.0015}
    view = comparison(runs_of(tmp_path, {}, faster, {}))
    rows = {row["key"]: row["cells"] for row in view["figures"]}
    assert [c["value"] for c in rows["per_sample"]] == [1500, 750, 1500]
    assert rows["per_sample"][1]["delta"] == {"text": "-50.0 %", "state": "good", "percent": -50.0}
    assert rows["inferences_per_s"][1]["delta"]["text"] == "+100.0 %"
    assert rows["inferences_per_s"][1]["delta"]["state"] == "good"
    assert rows["per_sample"][2]["delta"]["text"] == "="


def test_own_time_is_compared_where_the_record_has_it(tmp_path: Path) -> None:
    runs = runs_of(tmp_path, {}, {})
    for run, _ in runs:
        run["layers"][0] |= {"own_cycles": 400, "bound_detail": "lanes"}
    runs[1][0]["layers"][0]["own_cycles"] = 200
    row = comparison(runs)["layers"][0]
    assert [cell["cycles"] for cell in row["cells"]] == [400, 200]
    assert row["cells"][1]["delta"]["text"] == "-50.0 %" and row["cells"][0]["bound"] == "lanes"


def test_a_layer_that_not_every_run_has_is_listed(tmp_path: Path) -> None:
    runs = runs_of(tmp_path, {}, {"soc": {"name": "micro"}})
    runs[1][0]["layers"][2] |= {"name": "head", "source_ops": [77]}
    text = html.html_of(runs)
    assert "2 of 4 layers are not in every run" in text
    assert "last, softmax: only in edge" in text and "head, softmax: only in micro" in text


def test_three_runs_in_a_browser(presil, digits: Path, tmp_path: Path) -> None:
    asked = ("run", digits, "--check", "none", "--quiet")
    for name, more in (
        ("edge", ()),
        ("wide", ("--set", "dla.macs_k=32")),
        ("micro", ("--soc", "micro")),
    ):
        ended = presil(*asked, *more, "--out", name)
        assert ended.code == 0, ended.err
    ended = presil("report", "edge", "wide", "micro", "--html", "report.html")
    assert ended.code == 0, ended.err
    if shutil.which("chromium") is None:
        pytest.skip("SKIPPED: no chromium to open the report with")
    seen, console = browse(tmp_path, LOOK)
    assert console == [] and seen["ready"] == "true"
    assert sorted(map(int, seen["widths"])) == sorted(WIDTHS)
    for width, wide in seen["widths"].items():
        assert wide["needs"] <= wide["has"], f"{width} px: the page is wider than its window"
    title, *labels = seen["labels"]
    assert title == "Comparison" and len(set(labels)) == 3 and "dla.macs_k=32" in labels[1]
    assert seen["shown"] == {
        "Comparison": [False] * 3,
        **{label: [i == j for j in range(3)] for i, label in enumerate(labels)},
    }

    runs = [json.loads((tmp_path / n / "run.json").read_text()) for n in ("edge", "wide", "micro")]
    figures = {(key, at): value for key, at, value in seen["figures"]}
    for i, run in enumerate(runs):
        dram = run["memory"]["dram"]
        assert figures["per_sample", i] == run["cycles"] / run["samples"]
        assert figures["ms", i] == pytest.approx(run["time_ms"] / run["samples"])
        assert figures["inferences_per_s", i] == pytest.approx(
            run["samples"] / (run["cycles"] / (run["soc"]["clock_mhz"] * 1e6))
        )
        assert figures["utilisation", i] == run["engines"]["dla"]["utilisation"]
        assert figures["dram", i] == dram["read_bytes"] + dram["written_bytes"]
        assert figures["sram", i] == run["memory"]["sram"]["peak_bytes"]

    assert all(count <= 8 for count in seen["legends"]) and 8 in seen["legends"]
    from presil.report.palette import COLOURS

    assert "busy" in seen["fills"] and len(seen["fills"]) > 5
    for cause, fills in seen["fills"].items():  # the same on every page of them
        assert len(fills) == 1, (cause, fills)
        if cause.startswith("wait"):
            assert re.fullmatch(rf'url\("#stripes-{re.sub(r"[^a-z_]", "-", cause)}"\)', fills[0])
        elif cause != "idle":
            assert fills[0] == COLOURS[cause]
    costs = {la["name"]: la.get("own_cycles", la["cycles"]) for la in runs[0]["layers"]}
    largest = [costs[name] for name in seen["sorted"] if name in costs]
    assert largest == sorted(largest, reverse=True)
    assert seen["unit"] and all("." in text for text in seen["texts"])  # microseconds
    assert seen["bars"] >= 3 * 10
