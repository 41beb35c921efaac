"""The whole inference: its parts add up, and each follows its parameter as it is counted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import presil
import pytest
from presil import paths
from presil.inference import PARTS
from presil.program import Program
from presil.retime import retimed


NETWORKS = {
    "digits": "digits",
    "kws": "mlperf-tiny-dscnn-kws/kws_ref_model.tflite",
    "resnet8": "mlperf-tiny-resnet8/pretrainedResnet_quant.tflite",
    "mobilenet_v2": "mobilenet-v2-int8/tf2_mobilenet_v2_1.0_224_ptq.tflite",
}
HOST_ONLY = ("host_operators", "interrupts", "driver", "cache")
PROGRAMS: dict[str, tuple[Program, dict[str, Any]]] = {}


def compiled(name: str) -> tuple[Program, dict[str, Any]]:
    """Program and record of its run on edge, without values."""
    models = paths.shared() / "models"
    network = NETWORKS[name] if name == "digits" else str(models / NETWORKS[name])
    if name != "digits" and not Path(network).is_file():
        pytest.skip(f"SKIPPED: no trained networks at PRESIL_SHARED={paths.shared()}")
    if name not in PROGRAMS:
        program = presil.compile(network)
        PROGRAMS[name] = program, retimed(program, {}).record
    return PROGRAMS[name]


def counted(parts: dict[str, Any], what: str, names: tuple[str, ...]) -> int:
    return sum(parts[name].get(what, 0) for name in names)


def adds_up(record: dict[str, Any]) -> None:
    parts = record["inference"]["parts"]
    assert list(parts) == list(PARTS)
    assert sum(part["cycles"] for part in parts.values()) == record["inference"]["cycles"]
    assert sum(part["in_span"] for part in parts.values()) == record["cycles"]
    assert all(0 <= part["in_span"] <= part["cycles"] for part in parts.values())
    only_engines = set(PARTS) - {"engines", *HOST_ONLY}
    assert all(parts[name]["in_span"] == 0 for name in only_engines)


@pytest.mark.parametrize("name", NETWORKS)
def test_its_parts_add_up(name: str) -> None:
    adds_up(compiled(name)[1])


@pytest.mark.parametrize("host", ["m33", "aarch64"])
def test_of_firmware_it_is_executed_and_adds_up(host: str) -> None:
    native = compiled("digits")[1]["inference"]["parts"]
    try:
        run = presil.run("digits", check="none", host=host)
    except presil.Refusal as refusal:
        pytest.skip(f"SKIPPED: {refusal}")
    adds_up(run.record)
    parts = run.record["inference"]["parts"]
    every = tuple(PARTS)
    assert counted(parts, "doorbells", every) == counted(native, "doorbells", every)
    for count in ("register_writes", "register_reads"):
        assert parts["submission"].get(count) == native["submission"].get(count)
    # copies through the window: the core's own loads and stores, at least one cycle a word
    assert parts["input_copy"]["cycles"] > 27_648 / 8
    assert sum(run.inference.parts.values()) == run.inference.cycles


def predictions(record: dict[str, Any]) -> dict[str, tuple[dict[str, Any], str, float]]:
    """By parameter its double (or what doubles its cost), the part that it moves, and by how many
    cycles that part then grows, by what the record has counted."""
    parts, config = record["inference"]["parts"], record["soc"]["config"]
    outside = ("submission", "doorbell", "driver")
    line, write = int(config["host.cycles_cache_line"]), int(config["noc.cycles_register_write"])
    queues = counted(parts, "doorbells", tuple(PARTS))
    found: dict[str, tuple[dict[str, Any], str, float]] = {
        "host.cycles_submit": ({}, "submission", float(config["host.cycles_submit"])),
        "host.cycles_return": ({}, "driver", float(config["host.cycles_return"])),
        "host.cycles_submit_queue": (
            {},
            "submission",
            queues * float(config["host.cycles_submit_queue"]),
        ),
        "host.cycles_cache_line": ({}, "cache", line * parts["cache"]["lines"]),
        "host.cycles_interrupt": (
            {},
            "interrupts",
            float(config["host.cycles_interrupt"]) * parts["interrupts"].get("interrupts", 0),
        ),
        # twice the way there; the way back stays
        "noc.cycles_register_write": (
            {"noc.cycles_register_read": int(config["noc.cycles_register_read"]) + write},
            "",
            write * sum(counted(parts, f"register_{a}s", outside) for a in ("read", "write"))
            + write * parts["doorbell"].get("doorbells", 0),
        ),
    }
    return {
        name: ({name: 2 * float(config[name]), **more}, part, grows)
        for name, (more, part, grows) in found.items()
    }


@pytest.mark.parametrize("name", NETWORKS)
def test_a_parameter_doubled_moves_the_total_as_counted(name: str) -> None:
    program, record = compiled(name)
    before = record["inference"]
    for parameter, (changes, part, grows) in predictions(record).items():
        then = retimed(program, changes).record
        adds_up(then)
        after = then["inference"]
        moved = after["cycles"] - before["cycles"]
        assert grows > 0, parameter
        assert moved == pytest.approx(grows, abs=0.01 * before["cycles"]), parameter
        # a job that begins later meets other refreshes: the engines' own time may change a little
        engines = after["parts"]["engines"]["cycles"] - before["parts"]["engines"]["cycles"]
        assert moved - engines == pytest.approx(grows, rel=0.01, abs=40), (parameter, moved, grows)
        if part:
            part_moved = after["parts"][part]["cycles"] - before["parts"][part]["cycles"]
            assert part_moved == pytest.approx(grows, rel=0.01, abs=300), (parameter, part_moved)


@pytest.mark.parametrize("name", NETWORKS)
def test_copies_follow_the_bytes_per_cycle(name: str) -> None:
    """At half the rate: twice the copies, once more the bytes that are cleaned."""
    program, record = compiled(name)
    before = record["inference"]["parts"]
    half = float(record["soc"]["config"]["host.bytes_per_cycle"]) / 2
    after = retimed(program, {"host.bytes_per_cycle": half}).record["inference"]["parts"]
    for part in ("input_copy", "output_copy"):
        assert after[part]["cycles"] == pytest.approx(2 * before[part]["cycles"], abs=1)
    line = int(record["soc"]["config"]["host.cycles_cache_line"])
    moved_before = before["cache"]["cycles"] - line * before["cache"]["lines"]
    moved_after = after["cache"]["cycles"] - line * after["cache"]["lines"]
    assert moved_after == pytest.approx(2 * moved_before, abs=16)


@pytest.mark.parametrize("name", NETWORKS)
def test_the_fetch_of_a_job_reads_dram_twice(name: str) -> None:
    """The ring entry, then the first command: 40 ns more each is 80 cycles at 1 GHz."""
    program, record = compiled(name)
    after = retimed(program, {"dram.read_latency_ps": 80_000}).record["inference"]["parts"]
    before = record["inference"]["parts"]
    assert after["job_fetch"]["cycles"] - before["job_fetch"]["cycles"] == pytest.approx(80, abs=2)


def test_host_operators_follow_their_kernels() -> None:
    program, record = compiled("resnet8")
    config = record["soc"]["config"]
    prices = {k: 2 * float(v) for k, v in config.items() if k.startswith("host.kernel_cycles_")}
    call = {"host.cycles_call": 2 * int(config["host.cycles_call"])}
    before = record["inference"]["parts"]["host_operators"]
    then = retimed(program, {**prices, **call}).record["inference"]["parts"]
    assert before["tasks"] >= 1
    assert then["host_operators"]["cycles"] == pytest.approx(2 * before["cycles"], abs=2)


def test_samples_add_up_and_those_in_flight_together_have_none() -> None:
    images = np.zeros((2, 96, 96, 3), np.int8)
    run = presil.run("digits", images, check="none", values=False)
    adds_up(run.record)
    assert run.inference.cycles == run.record["inference"]["cycles"] / 2
    together = presil.run("digits", images, check="none", in_flight=2)
    assert together.record["inference"] is None
    with pytest.raises(presil.Refusal, match="there is no whole inference of it"):
        together.inference
