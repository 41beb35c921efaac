"""What limits a layer: made-up records small enough to add up by hand, then networks."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import presil
import pytest
from hypothesis import given
from hypothesis import strategies as st
from presil.bound import GROUPS, LIMITS, NAMES, CriticalPaths, Own, of_dma, scaled
from presil.contract import QUEUES
from presil.inputs import random_array

DIGITS = Path(presil.paths.NETS) / "digits"


def command(
    tag: int, queue: str, offered: int, end: int, causes: dict[str, int], **more: Any
) -> dict[str, Any]:
    return {
        "tag": tag,
        "queue": QUEUES.index(queue),
        "offered": offered,
        "end": end,
        "causes": causes,
        **more,
    }


def own(
    engine: str, tags: Sequence[int], waits: list[list[int]], records: list[dict[str, Any]]
) -> Own:
    paths = CriticalPaths(records, waits, 0)
    return paths.own(engine, [r for r in records if r["tag"] in tags])


def test_what_the_dma_waited_for_is_told_apart() -> None:
    causes = {
        "wait:dla": 7,
        "start": 5,
        "read_credit": 40,
        "dram_row": 3,
        "dram_turnaround": 2,
        "dram_refresh": 1,
        "dram_busy": 6,
        "run": 50,
        "drain": 4,
    }
    paced = {"read_credit": 10, "run": 45, "dram_busy": 6}
    limits = of_dma(command(0, "dma0", 0, 118, causes, dram_paced=paced))
    # dram 10 + 45 + 6; latency 40 - 10; rows 3 + 2 + 1; the DMA: 5 + (50 - 45) + 4
    assert limits == {"dram": 61, "dram_latency": 30, "dram_row": 6, "dma": 14}


def test_a_wait_for_a_load_of_its_own_is_what_the_load_did() -> None:
    # 0 loads up to 100; 1 computes from 102, when the wait is met, to 150.
    records = [
        command(
            0, "dma0", 0, 100, {"start": 5, "read_credit": 35, "run": 60}, dram_paced={"run": 60}
        ),
        command(1, "dla", 0, 150, {"wait_in:dma": 102, "start": 8, "run": 40}),
    ]
    got = own("dla", [1], [[], [-1, 0, -1]], records)
    assert (got.start, got.cycles) == (0, 150)
    assert got.limits == {
        "dma": 5, "dram_latency": 35, "dram": 60, "sync": 2, "fill": 8, "array": 40
    }  # fmt: skip
    assert got.record()["bound_detail"] == "dram"


def test_waits_for_a_producer_before_the_first_operand_are_the_producer_s() -> None:
    # The DSP waits for the DLA's layer (0, to 1000) through a copy of its own (1, to 1030).
    records = [
        command(0, "dla", 0, 1000, {"run": 1000}),
        command(1, "dma0", 0, 1030, {"wait:dla": 1002, "start": 5, "run": 16, "drain": 7}),
        command(2, "dsp", 0, 1100, {"wait:dma": 1032, "run": 68}),
    ]
    got = own("dsp", [2], [[], [0, -1], [1, -1, -1]], records)
    assert (got.start, got.cycles) == (1000, 100)
    assert got.limits == {"sync": 2 + 2, "dma": 28, "dsp": 68}
    assert got.record()["bound"] == "dsp"


def test_waits_for_a_producer_after_the_start_are_synchronisation() -> None:
    # Two tiles: the DLA ends its at 100 and 500, the DSP takes 50 for each.
    records = [
        command(0, "dla", 0, 100, {"run": 100}),
        command(2, "dsp", 0, 152, {"wait:dla": 102, "run": 50}),
        command(1, "dla", 100, 500, {"run": 400}),
        command(3, "dsp", 152, 552, {"wait:dla": 350, "run": 50}),
    ]
    got = own("dsp", [2, 3], [[], [], [0], [1]], records)
    assert (got.start, got.cycles) == (100, 452)
    assert got.limits == {"sync": 402, "dsp": 50}


def test_commands_in_the_shadow_of_loads_limit_nothing() -> None:
    # Each load takes 100 cycles of the bus, one after another; each tile 60 after its load.
    loads = [
        command(t, "dma0", 0, 100 * (t + 1), {"run": 100}, dram_paced={"run": 100})
        for t in range(4)
    ]
    tiles = [
        command(4 + t, "dla", 0, 100 * (t + 1) + 62,
                {"wait_in:dma": 102 if t == 0 else 40, "run": 60})
        for t in range(4)
    ]  # fmt: skip
    waits = [[]] * 4 + [[-1, t, -1] for t in range(4)]
    records = sorted(loads + tiles, key=lambda r: r["end"])
    whole = own("dla", [4, 5, 6, 7], waits, records)
    assert whole.limits == {"dram": 400, "sync": 2, "array": 60}
    # A layer that is the last two tiles alone waits as long for its loads as it computes.
    half = own("dla", [6, 7], waits, records)
    assert (half.start, half.cycles, half.limits) == (262, 200, {"dram": 200})


def test_an_engine_busy_with_another_layer_is_not_this_layer_s_time() -> None:
    records = [
        command(0, "dla", 0, 300, {"run": 300}),
        command(1, "dla", 0, 340, {"start": 4, "run": 30, "post": 6}),
    ]
    got = own("dla", [1], [[], []], records)
    assert (got.start, got.limits) == (300, {"fill": 4, "array": 30, "post": 6})


def test_the_array_is_split_into_lanes_that_work_and_the_rest() -> None:
    records = [command(0, "dla", 0, 100, {"run": 90, "start": 10})]
    paths = CriticalPaths(records, [[]], 0, [3], {3: (2, 3)})
    assert paths.own("dla", records).limits == {"array": 60, "lanes": 30, "fill": 10}


def test_an_interrupt_is_the_host_s_and_fetching_is_not() -> None:
    # From 100, the end of what it waited for: 2 to the counter, 204 to the driver, 40 of work.
    waited = command(1, "host", 0, 346, {"wait:dla": 306, "run": 40})
    records = [command(0, "dla", 0, 100, {"run": 100}), waited]
    assert own("host", [1], [[], [0]], records).limits == {"sync": 2, "host": 244}
    late = [command(0, "dla", 0, 100, {"run": 100}), command(1, "dla", 130, 180, {"run": 50})]
    assert own("dla", [1], [[], []], late).limits == {"sync": 30, "array": 50}


def test_a_wait_that_did_not_hold_is_not_on_the_path() -> None:
    # The write waits for a buffer that is free at 90, while the array works from 10 on: not held.
    records = [
        command(0, "dla", 0, 10, {"run": 10}),
        command(1, "dma1", 0, 90, {"run": 90}),
        command(2, "dla", 10, 110, {"run": 100}),
    ]
    assert own("dla", [2], [[], [], [-1, -1, 1]], records).limits == {"array": 100}
    records[2]["causes"] = {"run": 80, "wait_out:dma": 20}
    # To the end 90 of the DMA, 2, 18 of the array; to the start 10 of the array.
    assert own("dla", [2], [[], [], [-1, -1, 1]], records).limits == {
        "dma": 90, "sync": 2, "array": 8
    }  # fmt: skip


def test_a_layer_without_commands_has_no_limit() -> None:
    assert own("dla", [], [], []).record() == {
        "own_cycles": 0, "limits": {}, "bound_detail": "sync", "bound": "sync"
    }  # fmt: skip


@given(st.dictionaries(st.sampled_from(NAMES), st.integers(1, 10**7), min_size=1), st.data())
def test_shares_stay_whole_and_add_up(limits: dict[str, int], data: st.DataObject) -> None:
    total = sum(limits.values())
    cycles = data.draw(st.integers(0, total))
    got = scaled(limits, cycles)
    assert sum(got.values()) == cycles
    assert all(abs(got[n] - limits[n] * cycles / total) < 1 for n in limits)


def test_limits_have_names_groups_and_sentences() -> None:
    assert len(set(NAMES)) == len(LIMITS) == 13
    words = {"compute", "dram", "sram", "dma", "dsp", "host", "engine", "sync"}
    assert set(GROUPS.values()) == words
    assert all(limit.sentence for limit in LIMITS)


def layers(net: presil.Network, soc: str, *sets: str) -> list[dict[str, Any]]:
    program = presil.compile(net, soc=presil.load_soc(soc, sets))
    inputs = [random_array(t, 1 + i) for i, t in enumerate(program.inputs)]
    return presil.run(program, inputs, check="none").layers


@pytest.mark.parametrize("soc", ["edge", "micro", "big"])
def test_limits_add_up_to_own_cycles_on_every_engine(soc: str) -> None:
    net = presil.load(DIGITS / "digits.tflite", post=DIGITS / "post.yaml")
    rows = layers(net, soc)
    for row in rows:
        assert sum(row["limits"].values()) == row["own_cycles"], row["name"]
        assert set(row["limits"]) <= set(NAMES)
        assert min(row["limits"].values(), default=1) > 0
        assert row["own_cycles"] <= row["end"]
        assert row["bound"] == GROUPS[row["bound_detail"]]
    engines = {"edge": {"dla", "dsp", "none"}, "micro": {"dla", "host", "none"}}
    assert {row["engine"] for row in rows} == engines.get(soc, engines["edge"])


def test_what_a_doubled_dram_does_not_shorten_is_not_called_dram() -> None:
    net = presil.load(DIGITS / "digits.tflite", post=DIGITS / "post.yaml")
    doubled = {row["name"]: row for row in layers(net, "edge", "dram.peak_mb_per_s=25600")}
    rows = {row["name"]: row for row in layers(net, "edge")}
    decode = rows["decode0"]
    assert decode["stall"]["wait:dma"] > decode["own_cycles"]  # all of it before its operands
    assert decode["bound"] == "dsp"
    assert doubled["decode0"]["own_cycles"] == decode["own_cycles"]
    for name, row in rows.items():
        assert row["bound"] != "dram" or doubled[name]["own_cycles"] < row["own_cycles"]


def test_a_doubled_dram_shortens_the_first_layer_of_a_narrow_soc() -> None:
    net = presil.load(DIGITS / "digits.tflite")
    first = layers(net, "micro", "dram.peak_mb_per_s=800")[0]
    faster = layers(net, "micro", "dram.peak_mb_per_s=1600")[0]
    assert (first["bound"], first["bound_detail"]) == ("dram", "dram")
    assert faster["own_cycles"] < 0.9 * first["own_cycles"]


def test_the_softmax_of_mobilenet_v2_is_the_dsp_s(shared: Path) -> None:
    net = presil.load(shared / "models/mobilenet-v2-int8/tf2_mobilenet_v2_1.0_224_ptq.tflite")
    rows = {row["op"]: row for row in layers(net, "edge")}
    softmax = rows["softmax"]
    assert softmax["stall"]["wait:dma"] > 100 * softmax["own_cycles"]
    assert (softmax["bound"], softmax["bound_detail"]) == ("dsp", "dsp")
