"""Colours of the report: one for every name, the same everywhere, apart for every eye."""

from __future__ import annotations

import itertools
import json
import re
from pathlib import Path

import numpy as np
import pytest
from presil import contract
from presil.report import html, palette
from records import record

LIMITS = ("array", "lanes", "fill", "post", "dram", "dram_latency", "dram_row", "sram", "dma")
LIMITS += ("dsp", "host", "sync")
BOUNDS = ("compute", "dram", "sram", "dma", "dsp", "host", "sync")
ENGINES = ("dla", "dsp", "dma", "host")
COMMON = ("busy", "start", "fetch", "other")
TOGETHER = {
    "engines": ENGINES,
    "limits": LIMITS,
    "bounds": BOUNDS,
    "dla": (*COMMON, "feature_bank", "weights", "post"),
    "dma": (
        *COMMON,
        *("read_credit", "dram_row", "dram_turnaround", "dram_refresh", "dram_busy"),
        *("write_queue", "sram_port", "drain"),
    ),
    "dsp": (
        *COMMON,
        *("load_use", "branch", "divide", "far_load", "vector_queue", "vector_result"),
        *("sram_bank", "own_dma"),
    ),
}
APART = 0.085
# Machado, Oliveira, Fernandes 2009, severity 1, on linear RGB.
EYES = {
    "full": np.eye(3),
    "protanopia": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
    "deuteranopia": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
    "tritanopia": np.array(
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ]
    ),
}
LMS = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
LAB = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)


def oklab(colour: str, eye: np.ndarray) -> np.ndarray:
    s = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    linear = np.where(s <= 0.04045, s / 12.92, ((s + 0.055) / 1.055) ** 2.4)
    return LAB @ np.cbrt(LMS @ np.clip(eye @ linear, 0, 1))


def causes() -> list[str]:
    """Every name that the contract gives a cycle, as the record has it."""
    plain = [name for name in contract.CAUSES if name != "run"]
    return plain + [f"{g}:{name}" for g in contract.WAIT_GROUPS for name in contract.ENGINES]


def test_every_cause_limit_and_engine_has_a_colour_of_its_own() -> None:
    names = {*causes(), "busy", *LIMITS, *BOUNDS, *ENGINES}
    assert len(causes()) >= 37 and names <= set(palette.COLOURS)
    of = [palette.COLOURS[name] for name in sorted(names)]
    assert len(set(of)) == len(of) and all(re.fullmatch("#[0-9a-f]{6}", c) for c in of)


@pytest.mark.parametrize("eye", EYES)
@pytest.mark.parametrize("group", TOGETHER)
def test_names_of_one_plot_are_apart_for_every_eye(group: str, eye: str) -> None:
    lab = {name: oklab(palette.COLOURS[name], EYES[eye]) for name in TOGETHER[group]}
    near = {
        (a, b): round(float(np.linalg.norm(lab[a] - lab[b])), 3)
        for a, b in itertools.combinations(lab, 2)
    }
    assert {pair: d for pair, d in near.items() if d < APART} == {}


def test_waits_of_one_kind_are_apart_by_whom_they_wait_for() -> None:
    """And each is apart from the same engine's other waits; stripes tell them from all else."""
    waits = [c for c in causes() if ":" in c]
    assert len(waits) == 16
    for a, b in itertools.combinations(waits, 2):
        if a.split(":")[0] != b.split(":")[0] and a.split(":")[1] != b.split(":")[1]:
            continue
        lab = [oklab(palette.COLOURS[name], EYES["full"]) for name in (a, b)]
        assert np.linalg.norm(lab[0] - lab[1]) > 0.05, (a, b)


def test_an_unknown_name_has_a_colour_that_does_not_depend_on_the_others() -> None:
    assert palette.colour_of("moon") == palette.table(["sun", "moon"])["moon"]
    assert palette.colour_of("moon") not in (*palette.COLOURS.values(), palette.colour_of("sun"))
    assert re.fullmatch("#[0-9a-f]{6}", palette.colour_of("moon"))


def colours_on(page: str) -> dict[str, str]:
    found = re.search(r'<script type="application/json" id="palette">(.*?)</script>', page)
    assert found
    colours: dict[str, str] = json.loads(found[1])
    return colours


def test_pages_of_different_runs_agree(tmp_path: Path) -> None:
    one, other = record(), record()
    one["layers"][0]["stall"] = {"moon": 3, "post": 1}
    other["layers"][1]["stall"] = {"sun": 9, "moon": 2}
    other["engines"]["dla"]["stall"] = {"fetch": 8}
    pages = [colours_on(html.html_of([(run, tmp_path)])) for run in (one, other)]
    assert "moon" in pages[0] and "sun" in pages[1] and "sun" not in pages[0]
    shared = pages[0].keys() & pages[1].keys()
    assert {"moon", *causes(), *LIMITS} <= shared
    assert all(pages[0][name] == pages[1][name] for name in shared)
