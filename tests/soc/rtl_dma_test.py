"""The DMA in RTL in the platform, alone and beside the DLA: exact, in the models' cycles in every
layer, in lock-step without a difference."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import presil
import pytest
from presil.cosim import LAYER_CYCLES, LAYER_PERCENT, NETWORK_PERCENT
from presil.simulation import Simulation
from rtl_test import pattern
from time_is_real_test import NETWORKS

pytestmark = pytest.mark.usefixtures("simulator_with_rtl")

DMA = {"dma": "rtl"}
BOTH = {"dla": "rtl", "dma": "rtl"}
ALL = NETWORKS | {"person-detect": "tflm-person-detect/person_detect.tflite"}
QUICK = {("resnet8", "dma"), ("ds-cnn", "dla,dma")}


def account(record: dict, name: str) -> int:
    engine = record["engines"][name]
    return engine["busy"] + sum(engine["stall"].values()) + engine["idle"]


def compare(net: presil.Network, inputs: list[np.ndarray], blocks: dict[str, str]) -> None:
    """On the models and with blocks in RTL: bytes, cycles of network and layers, traffic."""
    program = presil.compile(net)
    model = presil.run(program, inputs, "layers")
    rtl = presil.run(program, inputs, "layers", blocks=blocks)
    assert model.exact and rtl.exact, rtl.record["check"]
    assert rtl.record["blocks"]["dma"] == "rtl"
    assert rtl.record["check"]["compared_bytes"] == model.record["check"]["compared_bytes"]
    assert 100 * abs(rtl.cycles / model.cycles - 1) <= NETWORK_PERCENT
    for ours, theirs in zip(model.record["layers"], rtl.record["layers"], strict=True):
        apart = abs(ours["cycles"] - theirs["cycles"])
        band = max(LAYER_CYCLES, LAYER_PERCENT / 100 * theirs["cycles"])
        assert apart <= band, (ours["name"], ours["cycles"], theirs["cycles"])
    assert account(rtl.record, "dma") == rtl.cycles
    for key in ("read_bytes", "written_bytes"):
        assert rtl.record["memory"]["dram"][key] == model.record["memory"]["dram"][key]


def test_the_detector_on_the_dma_in_rtl_is_exact_and_in_the_models_cycles(digits: Path) -> None:
    net = presil.load(digits)
    compare(net, [pattern(t) for t in net.inputs], DMA)


@pytest.mark.parametrize("blocks", ["dma", "dla,dma"])
@pytest.mark.parametrize("name", list(ALL))
def test_networks_on_the_dma_in_rtl_are_exact_and_in_the_models_cycles(
    shared: Path, name: str, blocks: str, everything: bool
) -> None:
    if (name, blocks) not in QUICK and not everything:
        pytest.skip(f"SKIPPED: {name} on {blocks} in RTL is for `presil test --all`")
    net = presil.load(shared / "models" / ALL[name])
    compare(net, [pattern(t) for t in net.inputs], dict.fromkeys(blocks.split(","), "rtl"))


def test_cycles_do_not_depend_on_how_many_are_ticked_at_once(digits: Path) -> None:
    program = presil.compile(presil.load(digits))
    inputs = [pattern(tensor) for tensor in program.inputs]
    for blocks in (DMA, BOTH):
        accounts = []
        for batch in (1, 10, 1000, 0):
            with Simulation(program, blocks=blocks, rtl_batch=batch) as simulation:
                _, _, found = simulation.job(inputs, records=True)
            del found["cpu_s"]
            accounts.append(found)
        assert all(found == accounts[0] for found in accounts)


@pytest.mark.parametrize("seed", [2, 3])
def test_state_that_reset_does_not_set_does_not_matter(digits: Path, seed: int) -> None:
    program = presil.compile(presil.load(digits))
    inputs = [pattern(tensor) for tensor in program.inputs]
    found = []
    for s in (1, seed):
        with Simulation(program, blocks=DMA, rtl_seed=s) as simulation:
            outputs, _, job = simulation.job(inputs)
        found.append((job["cycles"], [o.tobytes() for o in outputs]))
    assert found[0] == found[1]


def test_a_dma_of_another_size_is_refused(digits: Path) -> None:
    program = presil.compile(presil.load(digits), presil.load_soc("edge", ["dma.bursts_total=8"]))
    with pytest.raises(
        presil.Refusal, match="built with dma.bursts_total = 16, this SoC requires 8"
    ):
        presil.run(program, [pattern(t) for t in program.inputs], blocks=DMA)


def test_lockstep_finds_no_difference_and_changes_no_cycle(digits: Path) -> None:
    program = presil.compile(presil.load(digits))
    inputs = [pattern(tensor) for tensor in program.inputs]
    alone = presil.run(program, inputs, blocks=BOTH)
    both = presil.cosim(program, inputs, ["dla", "dma"])
    assert both.record["cosim"]["exact"], both.record["cosim"]["first_divergence"]
    assert both.record["cosim"]["within_bands"]
    assert both.cycles == alone.cycles == both.record["cosim"]["rtl_cycles"]
    assert both.record["engines"] == alone.record["engines"]
