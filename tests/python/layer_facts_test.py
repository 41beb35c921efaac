"""What the record says a layer is made of."""

from __future__ import annotations

import math
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import presil
import pytest
from presil.layer_facts import add_layer_facts

SOC = SimpleNamespace(
    macs_per_cycle=256, array_macs=256, clock_mhz=1000, config={"dram.peak_mb_per_s": 12800}
)


def facts(engine: str = "dla", macs: int = 0, moved: int = 0, busy: int = 0) -> dict[str, Any]:
    layer = {"reads": [], "makes": [], "weight_bytes": 7}
    row = {"index": 0, "engine": engine, "macs": macs, "busy": busy}
    row |= {"read_bytes": moved, "written_bytes": 0}
    add_layer_facts([row], {"layers": [layer], "commands": [(0, 0, 0, 0), (3, 0, 0, 4)]}, SOC)
    return row


@pytest.mark.parametrize(
    ("macs", "moved", "ideal"),
    [
        (256 * 100, 0, 100),
        (256 * 100 + 1, 0, 101),
        (256 * 100, 1280, 100),  # 1280 / 12.8 = 100 as well
        (256 * 100, 1281, 101),
        (0, 128, 10),
        (0, 0, None),
    ],
)
def test_the_ideal_is_the_longer_of_macs_and_bytes(macs: int, moved: int, ideal: int) -> None:
    assert facts(macs=macs, moved=moved)["ideal_cycles"] == ideal


def test_other_engines_have_no_peak_of_macs() -> None:
    assert facts("dsp", macs=2560, moved=0)["ideal_cycles"] is None
    assert facts("host", macs=2560, moved=128)["ideal_cycles"] == 10
    assert facts("host", macs=2560, busy=10)["lane_use"] is None


def test_lane_use_is_of_the_cycles_that_the_array_worked() -> None:
    assert facts(macs=256 * 30, busy=40)["lane_use"] == 0.75
    assert facts(macs=256 * 30, busy=0)["lane_use"] is None
    assert facts(macs=0, busy=9)["lane_use"] is None


def test_tiles_are_counted_once_over_queues() -> None:
    assert facts()["tiles"] == 2 and facts()["weight_bytes"] == 7


def test_a_network_by_hand() -> None:
    """The convolution's result is a part of a concatenation, which is no work: it lies nowhere of
    its own, and has a shape nevertheless."""
    b = presil.Builder("facts")
    x = b.input("x", (1, 8, 8, 16), scale=1.0, zero_point=0)
    weights = np.ones((32, 3, 3, 16), np.int8)
    conv = b.conv2d(x, weights, weights_scale=1.0, padding="same", name="conv")
    b.output(b.concat([conv, x], axis=3))
    run = presil.run(presil.compile(b.build()), [np.zeros((1, 8, 8, 16), np.int8)])
    assert run.exact
    (row,) = [la for la in run.layers if la["op"].startswith("conv2d")]
    assert [t["shape"] for t in row["inputs"]] == [[1, 8, 8, 16]]
    assert [(t["name"], t["shape"]) for t in row["outputs"]] == [("conv", [1, 8, 8, 32])]
    assert {t["dtype"] for t in row["inputs"] + row["outputs"]} == {"int8"}
    assert row["macs"] == 64 * 32 * 9 * 16 and row["weight_bytes"] == 32 * 9 * 16
    config = run.record["soc"]["config"]
    peak = config["dla.macs_k"] * config["dla.macs_c"]
    moved = row["read_bytes"] + row["written_bytes"]
    rate = config["dram.peak_mb_per_s"] / run.record["soc"]["clock_mhz"]
    assert row["ideal_cycles"] == max(row["macs"] // peak, math.ceil(moved / rate))
    assert row["tiles"] == row["commands"] > 0 and row["lane_use"] == min(
        1, row["macs"] / (row["busy"] * peak)
    )


def test_every_layer_that_works_has_shapes(digits: Path) -> None:
    program = presil.compile(presil.load(digits))
    for layer in program.info["layers"]:
        assert layer["makes"] and layer["reads"], layer["name"]
        assert all(t["shape"] and t["dtype"] for t in layer["reads"] + layer["makes"])
