"""Networks that the engine computes, its RTL in lock-step with its model: exact, in the bands of
`presil cosim`; RTL that there is not is refused."""

from __future__ import annotations

from pathlib import Path

import presil
import pytest
from presil import paths
from presil.cosim import LAYER_CYCLES, LAYER_PERCENT, NETWORK_PERCENT

FOLDER = Path(__file__).resolve().parents[1]
BUILT = paths.BUILD / "testbench" / "example_engine"


@pytest.fixture(scope="module", autouse=True)
def built() -> None:
    for file in (BUILT / "libengine_pool_rtl.so", paths.RTL_SIMULATOR):
        if not file.is_file():
            pytest.skip(f"SKIPPED: {file} is not built")


def network(numerics: str = "tflite") -> presil.Network:
    """Windows and resizes of several blocks of channels, one after another."""
    b = presil.Builder("chain", numerics=numerics)
    x = b.input("x", (1, 40, 36, 40), scale=0.5, zero_point=-3)
    a = b.max_pool2d(x, 3, stride=2)
    c = b.resize_bilinear(a, (50, 44), half_pixel_centers=True)
    d = b.average_pool2d(c, (2, 2))
    b.output(b.resize_nearest(d, (60, 64)))
    return b.build()


@pytest.mark.parametrize("numerics", ["tflite", "xnnpack"])
def test_its_rtl_is_exact_and_in_the_bands(numerics: str) -> None:
    run = presil.cosim(network(numerics), rtl=["pool"], engines=[FOLDER])
    cosim = run.record["cosim"]
    assert cosim["first_divergence"] is None
    assert cosim["exact"] and cosim["within_bands"]
    assert cosim["bands"]["network_percent"] == NETWORK_PERCENT
    assert run.record["blocks"]["pool"] == "lockstep"
    assert run.record["engines"]["pool"]["busy"] > 0
    rows = [layer for layer in cosim["layers"] if layer["engine"] == "pool"]
    assert len(rows) >= 2, "the engine computes what it is faster at"
    for layer in rows:
        error = abs(layer["model_cycles"] - layer["rtl_cycles"])
        assert error <= max(LAYER_CYCLES, LAYER_PERCENT / 100 * layer["rtl_cycles"])


def test_rtl_alone_gives_the_same_outputs() -> None:
    model = presil.run(network(), engines=[FOLDER])
    rtl = presil.run(network(), engines=[FOLDER], blocks="pool=rtl", rtl_seed=5)
    assert model.exact and rtl.exact
    assert [o["sha256"] for o in rtl.record["outputs"]] == [
        o["sha256"] for o in model.record["outputs"]
    ]


def test_rtl_of_another_size_is_refused_with_both_values() -> None:
    with pytest.raises(
        presil.Refusal,
        match="pool=rtl is built with sram.bytes = 1048576, this SoC requires 524288; run with "
        "--block pool=model, or build the engine with -DPRESIL_ENGINE_SRAM_BYTES=524288",
    ):
        presil.run(
            network(), soc="edge", set=["sram.bytes=524288"], engines=[FOLDER], blocks="pool=rtl"
        )
