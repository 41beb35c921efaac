"""Faults of the hardware: a job ends exact or with an error that names queue, command or address,
and the job after it is exact."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import presil as package
import pytest
from fault_campaign import NIGHT, Campaign, with_boxes, with_host
from presil import paths
from presil.faults import KINDS, Fault, faults_of, random_faults
from presil.refusal import HardwareError, Refusal
from presil.simulation import Simulation

DAY = ((with_boxes, "native", 140), (with_host, "native", 70), (with_boxes, "m33", 42))


@pytest.mark.parametrize("which", range(len(DAY)))
def test_random_faults_are_survived(which: int, everything: bool) -> None:
    make, host, count = (NIGHT if everything else DAY)[which]
    tally = Campaign(make(), host, 7).run(count, 100 + which)
    print(f"\n{host}, {make.__name__}\n{tally.table()}")
    assert not tally.wrong, "\n".join(tally.wrong[:10])
    assert tally.count == count
    met = sum(tally.reported.values()) + sum((tally.exact - tally.idle).values())
    assert met > count // 2  # the others came too late, or where nothing is read
    kinds = {kind for kind in KINDS if tally.exact[kind] + tally.reported[kind]}
    assert kinds == set(KINDS)


def test_random_faults_are_survived_by_firmware_on_rv64(everything: bool) -> None:
    count = 1400 if everything else 28
    tally = Campaign(with_boxes(), "rv64", 7).run(count, 103)
    assert not tally.wrong, "\n".join(tally.wrong[:10])
    assert tally.count == count
    assert sum(tally.reported.values()) + sum((tally.exact - tally.idle).values()) > count // 2


@pytest.fixture(scope="module")
def program() -> package.Program:
    return with_boxes()


@pytest.fixture(scope="module")
def simulation(program: package.Program):
    with Simulation(program) as simulation:
        yield simulation


def sample_of(program: package.Program, seed: int = 1) -> list[np.ndarray]:
    random = np.random.default_rng(seed)
    return [random.integers(-128, 128, t["shape"], np.int8) for t in program.inputs]


def assert_exact(program: package.Program, outputs: list[np.ndarray], seed: int) -> None:
    expected = paths.native().reference(program.graph, sample_of(program, seed))
    assert all(map(np.array_equal, outputs, expected)) and len(outputs) == len(expected)


ENDS = [
    (Fault("bus_error", queue="dma0", access="read"), r"^dma0 command \d+ \(layer .*bus error"),
    (Fault("bus_error", queue="dla"), r"^dla: .*bus error .* in the job entry"),
    (Fault("wrong_order", queue="dma1", access="read"), r"^dma1 command \d+ .*bus error"),
    (Fault("ecc_double", memory="constants", address=256 * 200), r"cannot correct .*address 0x"),
    (Fault("stuck", queue="dla", cycle=30_000), r"dla command \d+ \(layer .*does not end"),
    (Fault("clock_stop", queue="dla", cycle=30_000), r"an engine did not stop"),
    (Fault("lost_doorbell", queue="dma0"), r"dma0 has nothing to run"),
    (Fault("corrupt_command", queue="dma0", command=9, word=8), r"^dma0 command 9 .*CRC"),
    (Fault("corrupt_job", queue="dla", word=3), r"^dla: .*CRC.* in the job entry"),
    (Fault("reset", cycle=20_000), r"the SoC has been reset"),
    (Fault("power_loss", cycle=20_000), r"the SoC has been reset|CRC"),
]


@pytest.mark.parametrize("fault, text", ENDS, ids=[f"{f.kind}-{f.queue}" for f, _ in ENDS])
def test_an_error_names_its_place(program, simulation: Simulation, fault: Fault, text: str) -> None:
    with pytest.raises(HardwareError, match=text) as raised:
        simulation.job(sample_of(program), faults=[fault])
    assert raised.value.detail["faults"][0]["times"] >= 1
    simulation.reset()
    outputs, _, _ = simulation.job(sample_of(program, 2))
    assert_exact(program, outputs, 2)


SURVIVED = [
    Fault("late_answer", queue="dma0", access="read", cycles=5_000),
    Fault("ecc_single", memory="constants", address=256 * 200),
    Fault("stuck", queue="dla", cycle=30_000, cycles=1_000),
    Fault("clock_stop", queue="dma1", cycle=30_000, cycles=1_000),
    Fault("lost_interrupt", line="sync"),
    Fault("spurious_interrupt", line="dla", cycle=1_000, cycles=10_000),
]


@pytest.mark.parametrize("fault", SURVIVED, ids=[f.kind for f in SURVIVED])
def test_a_job_survives(program, simulation: Simulation, fault: Fault) -> None:
    outputs, _, account = simulation.job(sample_of(program), faults=[fault])
    assert account["faults"][0]["times"] >= 1
    assert_exact(program, outputs, 1)


def test_a_run_without_faults_takes_the_same_cycles_as_before_one(simulation, program) -> None:
    before = simulation.job(sample_of(program))[2]["cycles"]
    with pytest.raises(HardwareError):
        simulation.job(sample_of(program), faults=[Fault("bus_error", queue="dla", after=3)])
    simulation.reset()
    # rows of the DRAM are open where they were, so not to the cycle
    assert abs(simulation.job(sample_of(program))[2]["cycles"] - before) < before // 100


def test_the_same_seed_gives_the_same_faults(program: package.Program) -> None:
    def some(seed: int) -> list[Fault]:
        faults = random_faults(program, seed, 100_000)
        return [next(faults) for _ in range(50)]

    assert some(3) == some(3) != some(4)


def test_the_record_says_what_has_happened(presil, digits: Path, tmp_path: Path) -> None:
    plan = tmp_path / "f.yaml"
    plan.write_text("faults:\n  - {kind: ecc_single, memory: constants, address: 51200}\n")
    ended = presil("run", digits, "--fault", plan, "--out", tmp_path / "run")
    assert ended.code == 0, ended.err
    record = json.loads((tmp_path / "run" / "run.json").read_text())
    assert record["faults"] == [
        {
            "kind": "ecc_single",
            "memory": "constants",
            "address": 51200,
            "cycle": 0,
            "sample": 0,
            "happened": 1,
            "at": record["faults"][0]["at"],
        }
    ]


BAD = [
    ("faults: 3", ": faults is "),
    ("- 3", "must be a mapping with `kind`"),
    ("faults: [{kind: rust}]", "kind"),
    (
        "faults: [{kind: reset, queue: dla}]",
        "has a key 'queue', must be one of cycle, sample; sim/faults/README.md lists them",
    ),
    ("faults: [{kind: stuck, queue: dma9}]", "queue"),
    ("faults: [{kind: stuck, cycle: -1}]", "cycle"),
    ("faults: [{kind: stuck, cycle: 1.5}]", "cycle"),
    ("faults: [{kind: late_answer}]", "cycles is 0, must be how late"),
    ("faults: [{kind: corrupt_command, new_crc: 2}]", "new_crc"),
    ("errors: []", "has a key 'errors', must be `faults` or `random`"),
    ("random: {number: 3}", "random must be a mapping with count, seed, kinds, cycles"),
    ("random: {kinds: []}", "kinds must be a list"),
    ("{", "is no YAML"),
]


@pytest.mark.parametrize("text, why", BAD)
def test_a_bad_plan_is_refused(presil, digits: Path, tmp_path: Path, text: str, why: str) -> None:
    plan = tmp_path / "f.yaml"
    plan.write_text(text + "\n")
    ended = presil("run", digits, "--fault", plan)
    assert ended.code == 2 and "fault" in ended.err and why in ended.err, ended.err
    assert len(ended.err.strip().splitlines()) == 1


def test_a_command_that_there_is_not_is_refused(presil, digits: Path, tmp_path: Path) -> None:
    plan = tmp_path / "f.yaml"
    plan.write_text("faults: [{kind: corrupt_command, queue: dla, command: 9999}]\n")
    ended = presil("run", digits, "--fault", plan)
    assert ended.code == 2 and "of command 9999" in ended.err, ended.err


def test_faults_need_models(program: package.Program) -> None:
    with pytest.raises(Refusal, match="must all be models"):
        package.run(program, fault=[{"kind": "reset"}], blocks="dla=rtl")


def test_a_plan_comes_from_files_lists_and_mappings(program, tmp_path: Path) -> None:
    entry = {"kind": "stuck", "queue": "dla", "cycle": 7}
    plan = tmp_path / "f.yaml"
    plan.write_text(json.dumps({"faults": [entry]}))
    one = faults_of([entry], program)
    assert one == faults_of({"faults": [entry]}, program) == faults_of(plan, program)
    assert one.faults == (Fault("stuck", queue="dla", cycle=7),)
    several = faults_of({"random": {"count": 5, "kinds": ["reset"]}}, program)
    assert [fault.kind for fault in several.faults] == ["reset"] * 5
