"""What `presil cosim` says of two records, and how: bands, causes, first divergence."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import numpy as np
import presil
import pytest
from presil.cosim import compared
from presil.cosim_table import cosim_verdict, print_cosim
from presil.report.html import html_of
from rich.console import Console

DIVERGENCE = {
    "block": "dla",
    "stage": "write",
    "index": 4,
    "tag": 12,
    "command": "conv kernel_h=3",
    "words": [0x01000001, 12],
    "layer": "conv2d_3_1",
    "tile": 0,
    "address": 0x800,
    "model": "00ff",
    "rtl": "01ff",
    "model_cycle": None,
    "rtl_cycle": 4711,
    "text": "dla in lock-step: RTL and model differ first at stage 'write'",
}


@pytest.fixture(scope="module", name="record")
def record_fixture(digits: Path) -> dict[str, Any]:
    program = presil.compile(presil.load(digits))
    inputs = [np.zeros(t["shape"], t["dtype"]) for t in program.inputs]
    return presil.run(program, inputs, "none").record


def slower(record: dict[str, Any], layer: int, cycles: int) -> dict[str, Any]:
    other = copy.deepcopy(record)
    other["cycles"] += cycles
    post = other["engines"]["dla"]["stall"].get("post", 0)
    other["engines"]["dla"]["stall"]["post"] = post + cycles
    other["layers"][layer]["cycles"] += cycles
    other["layers"][layer]["stall"]["post"] = (
        other["layers"][layer]["stall"].get("post", 0) + cycles
    )
    return other


def said(record: dict[str, Any], found: dict[str, Any]) -> str:
    console = Console(width=200, record=True, file=open("/dev/null", "w"))  # noqa: SIM115
    print_cosim(console, {**record, "cosim": found})
    return console.export_text()


def test_equal_records_agree(record: dict[str, Any]) -> None:
    found = compared(record, record, ["dla"], None)
    assert found["exact"] and found["within_bands"] and found["error_percent"] == 0
    assert all(layer["causes"] == {} for layer in found["layers"])
    assert str(cosim_verdict(found)).startswith("AGREES  dla in lock-step")


def test_a_layer_at_its_band_is_inside_and_one_cycle_more_is_not(record: dict[str, Any]) -> None:
    index = next(i for i, la in enumerate(record["layers"]) if 100 < la["cycles"] < 900)
    inside = compared(record, slower(record, index, 20), ["dla"], None)
    outside = compared(record, slower(record, index, 21), ["dla"], None)
    name = record["layers"][index]["name"]
    row = next(la for la in outside["layers"] if la["index"] == index)
    assert inside["within_bands"] and not outside["within_bands"]
    assert row["causes"] == {"post": 21} and not row["within_band"]
    assert outside["causes"] == {"dla": {"post": 21}}
    assert f"outside max(2%, 20 cycles): {name}" in said(record, outside)
    assert "dla, RTL less model: post +21" in said(record, outside)
    assert str(cosim_verdict(outside)).startswith("SAME VALUES, OTHER CYCLES")


def test_the_error_is_that_of_the_models_cycles(record: dict[str, Any]) -> None:
    other = slower(record, 0, record["cycles"])  # twice as many in the RTL
    assert compared(record, other, ["dla"], None)["error_percent"] == -50


def test_a_divergence_is_told_on_the_console_and_in_the_page(
    record: dict[str, Any], tmp_path: Path
) -> None:
    found = compared(record, None, ["dla"], DIVERGENCE)
    assert not found["exact"] and found["rtl_cycles"] is None and found["layers"] == []
    assert "DIVERGES  dla in lock-step: RTL and model differ first" in said(record, found)
    assert "dla command 4: conv kernel_h=3" in said(record, found)
    page = html_of([({**record, "cosim": found}, tmp_path)])
    for part in (
        "RTL against model",
        "Diverges",
        "conv2d_3_1",
        "4711",
        "0x800",
        "conv kernel_h=3",
        "01000001 0000000c",
    ):
        assert part in page


def test_the_page_says_what_the_difference_consists_of(
    record: dict[str, Any], tmp_path: Path
) -> None:
    found = compared(record, slower(record, 0, 3), ["dla"], None)
    page = html_of([({**record, "cosim": found}, tmp_path)])
    for part in ("Agrees", "dla, RTL less model: post +3", ">post +3<"):
        assert part in page
