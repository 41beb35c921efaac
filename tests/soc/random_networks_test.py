"""Random whole networks and the trained ones in lock-step: nothing differs where the RTL alone is
exact; a part by default, 30 networks and the corpus under every setting with PRESIL_ALL=1."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import cycle_error
import numpy as np
import presil
import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "testbench" / "lockstep"))
from random_networks import (  # noqa: E402
    BLOCKS,
    SETTINGS,
    THEMES,
    line,
    lockstep,
    network,
    rtl_alone_is_exact,
)

with_rtl = pytest.mark.usefixtures("simulator_with_rtl")

QUICK = [(12, "ideal"), (13, "real"), (14, "contended"), (15, "real")]
"""One for each of the small themes."""
FOUND: list[tuple[int, str]] = []
"""Networks that lock-step or the RTL's surroundings once failed on, and what it was."""
MANY = range(600, 630)


def test_settings_are_those_of_the_measured_document() -> None:
    assert SETTINGS == cycle_error.SETTINGS


def test_a_number_makes_one_network() -> None:
    texts = {network(seed).graph.to_bytes() for seed in (3, 4, 3)}
    assert len(texts) == 2


def test_the_networks_have_what_they_are_for() -> None:
    """Of those that are run: every kind of operator, copies inside the SRAM, images
    that are cut into tiles, every engine."""
    kinds: Counter[str] = Counter()
    engines: Counter[str] = Counter()
    local = tiled = 0
    for seed in MANY:
        program = presil.compile(network(seed))
        for layer in program.info["layers"]:
            engines[layer["engine"]] += 1
            kinds.update(layer["op"].split("+"))
        copies = [c for c in program.streams.splitlines() if c.startswith("dma") and "copy" in c]
        local += sum("_space=system" not in copy for copy in copies)
        tiled += " tile 1 " in program.streams
    assert {THEMES[seed % len(THEMES)].name for seed in MANY} == {theme.name for theme in THEMES}
    wanted = {"concat", "strided_slice", "batch_matmul", "conv2d", "depthwise_conv2d", "add", "pad"}
    assert wanted <= set(kinds), kinds
    assert {"dla", "dma", "dsp"} <= set(engines)
    assert local >= 30 and tiled >= 3, (local, tiled)


def expect_no_difference(seed: int, setting: str) -> None:
    found = lockstep(seed, setting)
    assert found["exact"] or not rtl_alone_is_exact(seed, setting), line(seed, setting, found)


@with_rtl
@pytest.mark.parametrize(("seed", "setting"), QUICK)
def test_a_random_network_in_lockstep_differs_in_nothing(seed: int, setting: str) -> None:
    expect_no_difference(seed, setting)


@with_rtl
@pytest.mark.parametrize(("seed", "setting"), FOUND)
def test_a_network_that_was_blamed_wrongly_is_exact_with_every_kept_tensor(
    seed: int, setting: str
) -> None:
    assert lockstep(seed, setting)["exact"]
    assert rtl_alone_is_exact(seed, setting)


@with_rtl
@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize("seed", MANY)
def test_thirty_networks_in_lockstep_differ_in_nothing(
    seed: int, setting: str, everything: bool
) -> None:
    if not everything:
        pytest.skip("SKIPPED: 30 networks under every setting are for `presil test --all`")
    expect_no_difference(seed, setting)


# ---- trained networks


def any_values(tensor: dict) -> np.ndarray:
    """Of whatever type."""
    dice, dtype = np.random.default_rng(1), np.dtype(tensor["dtype"])
    if dtype.kind == "f":
        return dice.standard_normal(tensor["shape"]).astype(dtype)
    if dtype.kind == "b":
        return dice.integers(0, 2, tensor["shape"]).astype(dtype)
    limits = np.iinfo(dtype)
    low, high = max(limits.min, -(2**15)), min(limits.max, 2**15 - 1)
    return dice.integers(low, high + 1, tensor["shape"]).astype(dtype)


@with_rtl
@pytest.mark.parametrize("setting", SETTINGS)
def test_the_trained_networks_in_lockstep_differ_in_nothing(
    shared: Path, setting: str, everything: bool
) -> None:
    if not everything:
        pytest.skip("SKIPPED: the corpus in lock-step is for `presil test --all`")
    taken = 0
    files = (f for f in (shared / "models").rglob("*") if f.suffix in (".tflite", ".onnx"))
    for file in sorted(files):
        try:
            program = presil.compile(presil.load(file), presil.load_soc("edge", SETTINGS[setting]))
        except presil.Refusal as refusal:  # which other tests look at
            assert str(refusal).startswith(("import: ", "compile: ")), refusal
            continue
        inputs = [any_values(tensor) for tensor in program.inputs]
        found = presil.cosim(program, inputs, BLOCKS).record["cosim"]
        assert found["first_divergence"] is None, (file, found["first_divergence"])
        taken += 1
    assert taken >= 20, f"only {taken} networks in {shared}"
