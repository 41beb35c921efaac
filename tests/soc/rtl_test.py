"""Blocks in RTL in the platform: the same loadables through the same driver, exact, in nearly the
models' cycles, whatever the clock of the Verilated block does inside the simulator."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import presil
import pytest
from presil import paths
from presil.inputs import ImageOptions, read_image
from presil.simulation import Simulation
from time_is_real_test import NETWORKS

DLA = {"dla": "rtl"}
ALL = {"dla": "rtl", "dma": "rtl", "sync": "rtl"}
"""Every block of which there is RTL."""
QUICK = ("resnet8", "ds-cnn")
WORST_PERCENT = 0.5  # of a network's cycles


pytestmark = pytest.mark.usefixtures("simulator_with_rtl")


@pytest.fixture(name="presil_command")
def presil_command_fixture(presil: Callable[..., Any]) -> Callable[..., Any]:
    """The command line; `presil` is the package here."""
    return presil


def pattern(tensor: dict) -> np.ndarray:
    """An input that uses all values of its type."""
    values = np.random.default_rng(1).integers(-128, 128, tensor["shape"])
    return values.astype(tensor["dtype"])


def error_percent(net: presil.Network, inputs: list[np.ndarray]) -> float:
    """Cycles of RTL against model, every kept tensor exact on both."""
    program = presil.compile(net)
    model = presil.run(program, inputs, "layers")
    rtl = presil.run(program, inputs, "layers", blocks=DLA)
    assert model.exact and rtl.exact, rtl.record["check"]
    assert rtl.record["blocks"]["dla"] == "rtl"
    assert rtl.record["check"]["compared_bytes"] == model.record["check"]["compared_bytes"]
    assert [o["sha256"] for o in rtl.record["outputs"]] == [
        o["sha256"] for o in model.record["outputs"]
    ]
    dla = rtl.record["engines"]["dla"]
    assert dla["busy"] + sum(dla["stall"].values()) + dla["idle"] == rtl.cycles
    return 100 * abs(rtl.cycles / model.cycles - 1)


def test_the_detector_on_the_dla_in_rtl_equals_its_goldens(digits: Path) -> None:
    folder = digits.parent
    net = presil.load(digits, post=folder / "post.yaml")
    scene = read_image(folder / "samples" / "00.png", net.inputs[0], ImageOptions())
    goldens = [np.load(folder / "golden" / f"out{k}_tflite.npy")[:1] for k in (0, 1)]
    run = presil.run(presil.compile(net), [scene], "layers", goldens, blocks="dla=rtl")
    assert run.exact, run.record["check"]
    assert error_percent(net, [scene]) <= WORST_PERCENT


@pytest.mark.parametrize("name", list(NETWORKS))
def test_networks_on_the_dla_in_rtl_are_exact_and_in_the_models_cycles(
    shared: Path, name: str, everything: bool
) -> None:
    if name not in QUICK and not everything:
        pytest.skip(f"SKIPPED: {name} on RTL is for `presil test --all`")
    net = presil.load(shared / "models" / NETWORKS[name])
    inputs = [pattern(tensor) for tensor in net.inputs]
    assert error_percent(net, inputs) <= WORST_PERCENT


def test_cycles_do_not_depend_on_how_many_are_ticked_at_once(digits: Path) -> None:
    program = presil.compile(presil.load(digits))
    inputs = [pattern(tensor) for tensor in program.inputs]
    accounts = []
    for batch in (1, 10, 1000, 0):
        with Simulation(program, blocks=ALL, rtl_batch=batch) as simulation:
            _, _, account = simulation.job(inputs, records=True)
        del account["cpu_s"]
        accounts.append(account)
    assert all(account == accounts[0] for account in accounts)


def test_state_that_reset_does_not_set_does_not_matter(digits: Path) -> None:
    program = presil.compile(presil.load(digits))
    inputs = [pattern(tensor) for tensor in program.inputs]
    records = [
        presil.run(program, inputs, blocks=ALL, rtl_seed=seed).record for seed in (1, 2, 3, 5, 8)
    ]
    assert [record["rtl_seed"] for record in records] == [1, 2, 3, 5, 8]
    for record in records:
        assert record["check"]["exact"]
        for key in ("cycles", "engines", "layers", "outputs"):
            assert record[key] == records[0][key]


@pytest.mark.parametrize("seed", ["0", "-3", "2147483648"])
def test_a_seed_of_rtl_is_a_positive_number(
    presil_command: Callable[..., Any], digits: Path, seed: str
) -> None:
    ended = presil_command("run", digits, "--block", "sync=rtl", "--rtl-seed", seed)
    assert ended.code == 2
    assert f"the seed of RTL's state is {seed}, must be 1 to 2147483647" in ended.err


@pytest.mark.parametrize("kind", ["rtl", "lockstep"])
def test_jobs_that_are_stopped_anywhere_leave_the_next_exact(
    digits: Path, everything: bool, kind: str
) -> None:
    """The driver aborts the queues of a job that does not end in time, wherever they are, and
    starts them again: 100 times with --all, in one and the same SoC."""
    program = presil.compile(presil.load(digits))
    random = np.random.default_rng(7)
    inputs = [pattern(tensor) for tensor in program.inputs]
    expected = paths.native().reference(program.graph, inputs)
    with Simulation(program, blocks=dict.fromkeys(ALL, kind)) as simulation:
        simulation.job(inputs)
        _, _, account = simulation.job(inputs)
        cycles = account["cycles"]
        whole_ns = round((account["end"] - account["begin"]) * 1e3 / program.soc.clock_mhz)
        for _ in range(100 if everything else 4):
            with pytest.raises(presil.HardwareError, match="did not end within"):
                simulation.job(inputs, timeout_ns=int(random.integers(1, whole_ns)))
            outputs, _, account = simulation.job(inputs)
            assert all(map(np.array_equal, outputs, expected)) and len(outputs) == len(expected)
            assert abs(account["cycles"] - cycles) <= cycles / 100


@pytest.mark.parametrize("engines", ["", "dla", "dla,dma"])
@pytest.mark.parametrize("name", ["digits", *QUICK])
def test_with_sync_in_rtl_every_command_is_in_the_cycles_of_the_model(
    digits: Path, shared: Path, name: str, engines: str
) -> None:
    net = presil.load(digits if name == "digits" else shared / "models" / NETWORKS[name])
    program = presil.compile(net)
    inputs = [pattern(tensor) for tensor in program.inputs]
    found = []
    in_rtl = {name: "rtl" for name in engines.split(",") if name}
    for sync in ("model", "rtl", "lockstep"):
        with Simulation(program, blocks={**in_rtl, "sync": sync}) as simulation:
            jobs = [simulation.job(inputs, records=True) for _ in range(2)]
        for _, _, account in jobs:
            del account["cpu_s"]
        found.append([(account, [o.tobytes() for o in outputs]) for outputs, _, account in jobs])
    assert found[0] == found[1] == found[2]


def test_a_dla_of_another_size_is_refused(digits: Path) -> None:
    program = presil.compile(presil.load(digits), presil.load_soc("edge", ["dla.macs_k=32"]))
    with pytest.raises(presil.Refusal, match="built with dla.macs_k = 16, this SoC requires 32"):
        presil.run(program, [pattern(t) for t in program.inputs], blocks=DLA)


def test_a_sync_of_another_size_is_refused(digits: Path) -> None:
    program = presil.compile(presil.load(digits), presil.load_soc("edge", ["sync.counters=50"]))
    with pytest.raises(presil.Refusal, match="built with sync.counters = 64, this SoC requires 50"):
        presil.run(program, [pattern(t) for t in program.inputs], blocks="sync=rtl")


def test_lockstep_finds_no_difference_and_changes_no_cycle(digits: Path) -> None:
    program = presil.compile(presil.load(digits))
    inputs = [pattern(tensor) for tensor in program.inputs]
    alone = presil.run(program, inputs, blocks=DLA)
    both = presil.cosim(program, inputs, ["dla"])
    assert both.record["cosim"]["exact"], both.record["cosim"]["first_divergence"]
    assert both.cycles == alone.cycles == both.record["cosim"]["rtl_cycles"]
    assert both.record["engines"] == alone.record["engines"]
    assert both.record["blocks"]["dla"] == "lockstep"


def test_a_core_as_the_host_drives_rtl_as_it_drives_models(digits: Path) -> None:
    both = presil.cosim(digits, None, ["dla"], host="m33")
    native = presil.cosim(digits, None, ["dla"])
    cosim = both.record["cosim"]
    assert cosim["exact"] and cosim["within_bands"], cosim["first_divergence"]
    assert both.record["host"]["kind"] == "m33" and both.cycles > native.cycles
    for name, array in native.outputs.items():
        np.testing.assert_array_equal(both.outputs[name], array)


def test_cosim_says_the_error_of_every_layer_and_of_the_network(
    presil_command: Callable[..., Any], digits: Path, tmp_path: Path
) -> None:
    ended = presil_command("cosim", digits, "--rtl", "dla", "--out", "out", "--json", "-")
    record = json.loads(ended.out)
    cosim = record["cosim"]
    assert ended.code == (0 if cosim["within_bands"] else 1)
    assert cosim["blocks"] == ["dla"] and cosim["first_divergence"] is None
    assert abs(cosim["error_percent"]) <= WORST_PERCENT
    error = 100 * (cosim["model_cycles"] - cosim["rtl_cycles"]) / cosim["rtl_cycles"]
    assert cosim["error_percent"] == pytest.approx(error, abs=1e-4)
    assert sum(cosim["causes"]["dla"].values()) == cosim["rtl_cycles"] - cosim["model_cycles"]
    assert len(cosim["layers"]) == len([la for la in record["layers"] if la["cycles"]])
    for layer in cosim["layers"]:
        apart = abs(layer["model_cycles"] - layer["rtl_cycles"])
        assert layer["within_band"] == (apart <= max(20, 0.02 * layer["rtl_cycles"]))
    assert "RTL against model" in (tmp_path / "out" / "report.html").read_text(encoding="utf-8")


def test_cosim_without_a_block_is_refused(digits: Path) -> None:
    with pytest.raises(presil.Refusal, match="there is no block to run in RTL; give at least one"):
        presil.cosim(presil.load(digits), [], [])
