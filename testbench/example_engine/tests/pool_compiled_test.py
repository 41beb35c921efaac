"""Networks compiled for a SoC that has the engine: exact in every layer, faster where the engine is
chosen, the same as without it where it is not, and in lock-step with its RTL."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import presil
import pytest
from presil import paths

FOLDER = Path(__file__).resolve().parents[1]
BUILD = paths.BUILD / "testbench" / "example_engine"

pytestmark = pytest.mark.skipif(
    not (BUILD / "engine_pool.json").is_file(), reason="SKIPPED: the example engine is not built"
)


def network(numerics: str, seed: int, depth: int = 4) -> presil.Graph:
    """Convolutions with windows and resizes between them, of random sizes."""
    r = np.random.default_rng(seed)
    b = presil.Builder(f"mixed{seed}", numerics)
    channels = int(r.integers(3, 40))
    size = r.integers(9, 40, 2)
    y = b.input("x", (1, int(size[0]), int(size[1]), channels), scale=0.5, zero_point=-3)
    for _ in range(depth):
        kind = r.choice(["conv", "max", "average", "nearest", "bilinear"])
        if kind == "conv":
            out = int(r.integers(3, 40))
            weights = r.integers(-127, 128, (out, 3, 3, channels)).astype(np.int8)
            bias = r.integers(-900, 900, out).astype(np.int32)
            y = b.conv2d(
                y, weights, bias, weights_scale=0.01, padding="same", out=(0.5, -3), act="relu"
            )
            channels = out
        elif kind in ("max", "average"):
            pool = b.max_pool2d if kind == "max" else b.average_pool2d
            kernel = int(r.integers(2, 5))
            pad = int(r.integers(0, 2))
            y = pool(
                y, kernel=kernel, stride=int(r.integers(1, 3)), padding=((pad, pad), (pad, pad))
            )
        else:
            resize = b.resize_nearest if kind == "nearest" else b.resize_bilinear
            y = resize(
                y,
                size=(int(r.integers(5, 70)), int(r.integers(5, 70))),
                half_pixel_centers=bool(r.integers(0, 2)),
            )
    b.output(y)
    return b.build()


def upscaler() -> presil.Graph:
    r = np.random.default_rng(5)
    b = presil.Builder("upscaler", "tflite")
    y = b.input("x", (1, 48, 48, 16), scale=0.5, zero_point=-3)
    for size in ((24, 24), (40, 40), (72, 72)):
        weights = r.integers(-90, 90, (16, 3, 3, 16)).astype(np.int8)
        bias = r.integers(-500, 500, 16).astype(np.int32)
        y = b.conv2d(y, weights, bias, weights_scale=0.01, padding="same", out=(0.5, -3))
        y = b.max_pool2d(y, kernel=2) if size == (24, 24) else b.resize_bilinear(y, size=size)
    b.output(y)
    return b.build()


def with_engine(graph: presil.Graph, soc: str = "edge", **set_: object) -> presil.Program:
    return presil.compile(graph, soc=soc, set=set_, engines=[FOLDER])


@pytest.mark.parametrize("numerics", ["tflite", "xnnpack"])
@pytest.mark.parametrize("seed", range(6))
def test_every_layer_is_exact(seed: int, numerics: str) -> None:
    sram = (32, 64, 256, 1024)[seed % 4] << 10
    soc = ("edge", "big", "duo")[seed % 3]
    program = with_engine(network(numerics, seed), soc, **{"sram.bytes": sram})
    assert presil.run(program, seed=seed, check="layers", engines=[FOLDER]).exact


def test_it_is_chosen_somewhere() -> None:
    engines = [
        place["engine"]
        for seed in range(12)
        for place in with_engine(network("tflite", seed)).placement
    ]
    assert "pool" in engines and "dla" in engines


def test_resizes_are_faster_on_it() -> None:
    graph = upscaler()
    alone = presil.run(graph, check="layers")
    beside = presil.run(graph, check="layers", engines=[FOLDER])
    assert alone.exact and beside.exact
    assert beside.record["engines"]["pool"]["busy"] > 0
    assert beside.cycles < alone.cycles * 0.8


def test_what_the_dla_does_faster_stays_there_and_says_so() -> None:
    program = with_engine(upscaler())
    (place,) = [p for p in program.placement if p["op"] == "max_pool2d"]
    assert place["engine"] == "dla"
    (verdict,) = [v for v in place["verdicts"] if v["engine"] == "pool"]
    assert verdict["kind"] == "cost" and verdict["chosen"] == "dla"
    assert verdict["cycles"] > verdict["chosen_cycles"] > 0


def test_its_layers_in_lockstep_with_its_rtl() -> None:
    if not list(BUILD.glob("libengine_pool_rtl*")):
        pytest.skip("SKIPPED: the engine's RTL is not built")
    try:
        compared = presil.cosim(upscaler(), rtl=["pool"], engines=[FOLDER])
    except presil.Refusal as refusal:
        if "Verilated blocks" in str(refusal):
            pytest.skip(f"SKIPPED: {refusal}")
        raise
    cosim = compared.record["cosim"]
    assert compared.exact and cosim["first_divergence"] is None
    assert cosim["rtl_cycles"] == pytest.approx(cosim["model_cycles"], rel=0.005)
