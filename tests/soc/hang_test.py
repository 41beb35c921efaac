"""Jobs that never end although their streams were right when they were loaded: the report names the
culprit. With the twelve of tests/driver/deadlock_test.cpp, which the check refuses: twenty."""

from __future__ import annotations

import xml.etree.ElementTree as xml
from pathlib import Path

import numpy as np
import presil as package
import pytest
from fault_campaign import with_boxes
from presil.contract import ENGINES
from presil.faults import Fault
from presil.hang import hang_svg, hang_text
from presil.refusal import HardwareError
from presil.simulation import Simulation


def word(engine: str, field: str) -> tuple[int, int]:
    """Of a field of a command: its word, and its lowest bit there."""
    found = ENGINES[engine].fields[field]
    return found.word, found.lsb


def rewritten(queue: str, command: int, field: str, bits: int) -> Fault:
    """Bits of a field change after the check, and the command has the CRC of its new words."""
    engine = queue.rstrip("0123456789")
    number, low = word(engine, field)
    return Fault(
        "corrupt_command", queue=queue, command=command, word=number, bits=bits << low, new_crc=True
    )


HIGH = 1 << 16
# digits: dma0 loads for the DLA; the DLA's command k waits for what the DMA loads and for its own
# command k - 1; every queue signals up to 32.
STREAMS = {
    "a wait for a value that is never signalled": (
        rewritten("dla", 20, "wait_in_value", HIGH),
        ("dla", 20, "no command signals counter"),
    ),
    "a wait of a channel that is never met": (
        rewritten("dma1", 16, "wait0_value", HIGH),
        ("dma1", 16, "no command signals counter"),
    ),
    "a signal that is missing": (
        rewritten("dma0", 15, "signal_add", 1),
        ("dma0", None, "a signal is missing"),
    ),
    "an engine that stands": (
        Fault("stuck", queue="dla", cycle=40_000),
        ("dla", None, "stands: its clock or the engine is stopped"),
    ),
    "a clock that stands": (
        Fault("clock_stop", queue="dsp", cycle=40_000),
        ("dsp", None, "stands: its clock or the engine is stopped"),
    ),
    "a doorbell of the DLA that is lost": (
        Fault("lost_doorbell", queue="dla"),
        ("dla", None, "its doorbell was lost"),
    ),
    "a doorbell of a channel that is lost": (
        Fault("lost_doorbell", queue="dma0"),
        ("dma0", None, "its doorbell was lost"),
    ),
    "a tile that is reset": (
        Fault("reset", cycle=40_000),
        ("dla", None, "has nothing to run: its doorbell was lost, or it was reset"),
    ),
}


@pytest.fixture(scope="module")
def program() -> package.Program:
    return with_boxes()


def sample_of(program: package.Program) -> list[np.ndarray]:
    return [np.zeros(t["shape"], np.int8) for t in program.inputs]


def hang_of(program: package.Program, fault: Fault, host: str = "native") -> dict:
    with Simulation(program, host=host) as simulation:
        with pytest.raises(HardwareError) as raised:
            simulation.job(sample_of(program), timeout_ns=2_000_000, faults=[fault])
    return raised.value.detail["hang"]


@pytest.mark.parametrize("name", STREAMS)
def test_the_report_names_the_culprit(program: package.Program, name: str) -> None:
    fault, (queue, command, why) = STREAMS[name]
    hang = hang_of(program, fault)
    culprit = hang["culprit"]
    assert culprit["queue"] == queue and why in culprit["why"], culprit
    if command is not None:
        assert culprit["command"] == command
    assert hang["chain"][-1]["queue"] == queue
    for row in hang["queues"]:
        assert len(row["last"]) <= 16
        ends = [last["end"] for last in row["last"]]
        assert ends == sorted(ends)


def test_the_chain_of_waits_leads_to_the_culprit(program: package.Program) -> None:
    hang = hang_of(program, Fault("lost_doorbell", queue="dma0"))
    waits = {row["queue"]: row for row in hang["queues"]}
    unmet = [w for w in waits["dla"]["waits"] if not w["met"]]
    assert unmet[0]["signaller"]["queue"] == "dma0"
    assert unmet[0]["signaller"]["does"] == "has nothing to run"
    assert [link["queue"] for link in hang["chain"]] == ["dla", "dma0"]


@pytest.mark.parametrize("host", ["m33", "rv64"])
def test_a_core_says_where_it_is(program: package.Program, host: str) -> None:
    hang = hang_of(program, Fault("stuck", queue="dla", cycle=100_000), host)
    assert "WFI" in hang["core"] and "0x" in hang["core"] and "wait" in hang["core"], hang["core"]
    assert f"core: {hang['core']}" in hang_text(hang)


def test_text_and_image_say_the_same(program: package.Program) -> None:
    hang = hang_of(program, Fault("stuck", queue="dla", cycle=40_000))
    text, image = hang_text(hang), hang_svg(hang)
    assert text.startswith("culprit: dla command ")
    for row in hang["queues"]:
        assert f"\n{row['queue']}: {row['does']}; counter" in text
    root = xml.fromstring(image)
    words = " ".join("".join(node.itertext()) for node in root.iter() if node.text)
    for row in hang["queues"]:
        assert f"{row['queue']}: {row['does']}" in words


def test_a_run_keeps_its_hang_report(presil, digits: Path, tmp_path: Path) -> None:
    plan = tmp_path / "f.yaml"
    plan.write_text("faults: [{kind: stuck, queue: dla, cycle: 40000}]\n")
    ended = presil("run", digits, "--fault", plan, "--out", tmp_path / "run")
    assert ended.code == 3 and len(ended.err.strip().splitlines()) == 1
    failed = tmp_path / "run-failed"
    assert f"hang report: {failed / 'hang.txt'}" in ended.err
    assert {"hang.json", "hang.txt", "hang.svg"} <= {file.name for file in failed.iterdir()}
