"""Sums and bounds of the record, from accounts small enough to add up by hand."""

from __future__ import annotations

import json
from typing import Any

from presil.contract import QUEUES
from presil.record import (
    EngineTotals,
    RunTotals,
    as_json,
    commands_of,
    header,
    layers_of,
    sram_of,
)


def test_an_engine_s_totals_add_up_over_samples() -> None:
    totals = EngineTotals()
    totals.add({"causes": {"run": 50, "post": 20, "wait_in:dma": 0}, "idle": 30})
    totals.add({"causes": {"run": 10, "post": 5, "fetch": 5}, "idle": 80})
    assert totals.record() == {"busy": 60, "stall": {"fetch": 5, "post": 25}, "idle": 110}


def queue(run: int, idle: int, **stall: int) -> dict[str, Any]:
    return {"causes": {"run": run, **stall}, "idle": idle}


def account(cycles: int) -> dict[str, Any]:
    """Every queue is idle but for the DLA, the host and the first two DMA channels."""
    queues = [queue(0, cycles) for _ in QUEUES]
    queues[QUEUES.index("dla")] = queue(60, cycles - 100, post=40)
    queues[QUEUES.index("host")] = queue(7, cycles - 7)
    queues[QUEUES.index("dma0")] = queue(30, cycles - 50, drain=20)
    queues[QUEUES.index("dma1")] = queue(5, cycles - 5)
    return {
        "cycles": cycles,
        "queues": queues,
        "engines": {
            "dla": queues[QUEUES.index("dla")],
            "dsp": queues[QUEUES.index("dsp")],
            "dma": queue(35, cycles - 50, drain=15),
            "host": queues[QUEUES.index("host")],
        },
        "dram_read": 1000,
        "dram_written": 200,
        "dram_bursts": 4,
        "dram_row_hits": 3,
        "cpu_s": 0.5,
    }


def test_the_run_s_engines_sum_to_its_cycles() -> None:
    totals = RunTotals(channels=4)
    totals.add(account(200))
    totals.add(account(300))
    engines = totals.engines(macs=6400, peak=256)
    assert totals.cycles == 500 and totals.per_sample == [200, 300]
    assert totals.read_bytes == 2000 and totals.written_bytes == 400 and totals.cpu_s == 1.0
    assert engines["dsp"] is None
    assert len(engines["dma"]["channels"]) == 4
    assert engines["dla"]["utilisation"] == 0.1  # 2 * 6400 / (256 * 500)
    for engine in (engines["dla"], engines["dma"], engines["host"], *engines["dma"]["channels"]):
        assert engine["busy"] + sum(engine["stall"].values()) + engine["idle"] == 500
    assert engines["dma"]["channels"][0] == {"busy": 60, "stall": {"drain": 40}, "idle": 400}


def test_a_run_without_cycles_has_no_utilisation() -> None:
    assert RunTotals(channels=1).engines(macs=1, peak=256)["dla"]["utilisation"] == 0.0


INFO = {
    # queue, index in its stream, layer, tile; by tag
    "commands": [("dma0", 0, 0, 0), ("dla", 0, 0, 0), ("dla", 1, 0, 1), ("host", 0, 1, 0)],
    "layers": [
        {"name": "conv", "op": "conv2d", "engine": "dla", "source_ops": [0, 1], "macs": 10},
        {"name": "top", "op": "softmax", "engine": "host", "source_ops": [2], "macs": 0},
        {"name": "gone", "op": "reshape", "engine": "host", "source_ops": [3], "macs": 0},
    ],
}


def command(tag: int, queue: str, start: int, end: int, **causes: int) -> dict[str, Any]:
    return {
        "tag": tag,
        "queue": QUEUES.index(queue),
        "offered": 0,
        "start": start,
        "end": end,
        "causes": causes,
        "dram_read": 100 if queue == "dma0" else 0,
        "dram_written": 10 if queue == "host" else 0,
    }


RECORDS = {
    "begin": 0,
    "records": [
        command(0, "dma0", 0, 50, run=50),
        command(1, "dla", 20, 90, run=40, post=30),
        command(2, "dla", 90, 100, run=10),
        command(3, "host", 110, 130, run=20),
    ],
}


def test_a_layer_s_time_is_that_of_its_own_engine() -> None:
    conv, top, gone = layers_of(INFO, RECORDS)
    assert (conv["start"], conv["end"], conv["cycles"]) == (20, 100, 80)
    assert (conv["busy"], conv["stall"], conv["commands"]) == (50, {"post": 30}, 2)
    assert (conv["read_bytes"], conv["written_bytes"]) == (100, 0)  # its DMA command's too
    assert (top["start"], top["end"], top["bound"]) == (110, 130, "host")
    assert top["written_bytes"] == 10
    assert (gone["cycles"], gone["commands"], gone["stall"]) == (0, 0, {})


def test_a_buffer_lives_from_its_first_work_to_the_end_of_its_last_command() -> None:
    buffers = [
        {"what": "tensor y", "offset": 64, "bytes": 16, "commands": [1, 3]},
        {"what": "weights of conv", "offset": 0, "bytes": 32, "commands": [0, 1, 2]},
        {"what": "never touched", "offset": 0, "bytes": 32, "commands": [99]},
    ]
    sram = sram_of({**INFO, "buffers": buffers}, RECORDS)
    assert sram["columns"] == ["what", "layer", "offset", "bytes", "start", "end"]
    assert sram["buffers"] == [
        ["weights of conv", 0, 0, 32, 0, 100],
        ["tensor y", 0, 64, 16, 20, 130],
    ]


def test_long_lists_are_folded_and_nothing_else_changes() -> None:
    value = {
        "name": 'quoted " and \\ and \\u0000 1',
        "rows": [["a", {"b": 1}], ["c", {}]],
        "numbers": list(range(100)),
        "few": [1, 2],
        "none": [],
        "deep": {"rows": [[1], [2]]},
    }
    text = as_json(value)
    assert json.loads(text) == value
    assert '   ["a",{"b":1}],\n' in text and ",98,99]" in text


def test_commands_carry_queue_layer_and_tile() -> None:
    rows = commands_of(INFO, RECORDS)
    assert [(r["queue"], r["layer"], r["tile"]) for r in rows] == [
        ("dma0", 0, 0),
        ("dla", 0, 0),
        ("dla", 0, 1),
        ("host", 1, 0),
    ]


def test_the_header_names_schema_version_and_commit() -> None:
    made = header()
    assert made["schema"] == "1.6"
    assert set(made["presil"]) == {"version", "commit"} and made["presil"]["commit"]
