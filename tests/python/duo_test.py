"""Several DLAs at one SRAM: shared work, exact results, refusals."""

from __future__ import annotations

from typing import Any

import numpy as np
import presil
import pytest
from networks import NETS

DIGITS = NETS / "digits" / "digits.tflite"


def run_of(units: int, network: Any = DIGITS, **parameters: Any) -> presil.Run:
    program = presil.compile(network, soc={"name": "edge", "dla.units": units, **parameters})
    generator = np.random.default_rng(3)
    inputs = [
        generator.integers(-128, 128, tensor["shape"]).astype(np.int8) for tensor in program.inputs
    ]
    run = presil.run(program, inputs, "layers")
    assert run.exact, run.record["check"]
    return run


@pytest.mark.parametrize(("units", "faster"), [(2, 1.7), (3, 2.1), (4, 2.4)])
def test_every_dla_computes_and_the_network_gets_faster(units: int, faster: float) -> None:
    alone, shared = run_of(1), run_of(units)
    names = ["dla", *(f"dla{i}" for i in range(1, units))]
    engines = shared.record["engines"]
    assert [name for name in engines if name.startswith("dla")] == names
    busy = [engines[name]["busy"] for name in names]
    assert sum(busy) == alone.record["engines"]["dla"]["busy"], "the same steps of the array"
    assert min(busy) > 0.5 * max(busy)
    assert shared.record["cycles"] < alone.record["cycles"] / faster
    for name in names:
        cycles = (
            engines[name]["busy"] + engines[name]["idle"] + sum(engines[name]["stall"].values())
        )
        assert cycles == shared.record["cycles"], name
    assert [a.tobytes() for a in alone.arrays] == [a.tobytes() for a in shared.arrays]


def test_utilisation_is_of_all_arrays() -> None:
    run = run_of(2)
    macs = sum(layer["macs"] for layer in run.record["layers"])
    assert run.program.soc.macs_per_cycle == 2 * run.program.soc.array_macs == 512
    assert run.record["engines"]["dla"]["utilisation"] == pytest.approx(
        macs / (512 * run.record["cycles"]), abs=1e-6
    )


def test_dlas_meet_at_the_banks_of_the_sram() -> None:
    """Twice the banks, half the meetings."""
    lost = []
    for banks in (16, 32):
        engines = run_of(2, **{"sram.banks": banks}).record["engines"]
        lost.append(sum(engines[name]["stall"].get("feature_bank", 0) for name in ("dla", "dla1")))
    alone = run_of(1).record["engines"]["dla"]["stall"].get("feature_bank", 0)
    assert lost[0] - alone == pytest.approx(2 * (lost[1] - alone), rel=0.15), (lost, alone)


def test_the_preset_is_edge_with_two() -> None:
    duo, edge = (presil.load_soc(*soc).config for soc in (("duo",), ("edge", ["dla.units=2"])))
    assert duo == edge


def dense(outputs: int) -> presil.Network:
    """One layer whose weights come from memory while it runs."""
    b = presil.Builder("dense")
    x = b.input("x", (1, 512), scale=0.1)
    weights = np.random.default_rng(1).integers(-127, 128, (outputs, 512), np.int8)
    b.output(b.fully_connected(x, b.constant(weights, 0.01), out=(1.0, 0), name="y"))
    return b.build()


def test_a_layer_that_waits_for_memory_gets_no_slower() -> None:
    network = dense(640)
    alone, shared = (run_of(units, network).record["cycles"] for units in (1, 2))
    assert shared <= 1.03 * alone, (alone, shared)  # they meet at the SRAM's banks


@pytest.mark.usefixtures("simulator_with_rtl")
@pytest.mark.parametrize("block", ["dla", "sync"])
def test_rtl_is_refused_with_its_reason(block: str) -> None:
    program = presil.compile(DIGITS, soc="duo")
    with pytest.raises(presil.Refusal, match=f"{block} in RTL: dla.units is 2, must be 1"):
        presil.run(program, blocks={block: "rtl"})


@pytest.mark.parametrize("units", ["0", "5", "1.5"])
def test_numbers_of_dlas_that_no_tile_has_are_refused(units: str) -> None:
    with pytest.raises(presil.Refusal, match=r"dla\.units is '.*', must be"):
        presil.load_soc("edge", {"dla.units": units})
