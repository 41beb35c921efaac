"""Random whole networks and the trained ones in lock-step: nothing differs where the RTL alone is
exact; a part by default, 30 networks and the corpus under every setting with PRESIL_ALL=1."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import cycle_error
import numpy as np
import presil
import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "testbench" / "lockstep" / "random_networks.py"
sys.path.insert(0, str(SCRIPT.parent))
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
FOUND = [(10, "real"), (38, "real"), (45, "real")]
"""What runs in RTL once failed on: a DMA that fell asleep in the cycle in which its wait was met;
the last word of a local copy, granted in the cycle of its end, missed by lock-step and by the copy
of a tensor."""
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
    expected = {
        "concat",
        "strided_slice",
        "batch_matmul",
        "conv2d",
        "depthwise_conv2d",
        "add",
        "pad",
    }
    assert expected <= set(kinds), kinds
    assert {"dla", "dma", "dsp"} <= set(engines)
    assert local >= 30 and tiled >= 3, (local, tiled)


@with_rtl
def test_the_command_of_the_readme_prints_a_line_for_each_network() -> None:
    readme = (SCRIPT.parent / "README.md").read_text(encoding="utf-8")
    command = re.search(r"^python3 (testbench/lockstep/random_networks.py .*)$", readme, re.M)
    assert command is not None
    words = command[1].split()
    done = subprocess.run(
        [sys.executable, *words], cwd=ROOT, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr
    first, count = int(words[1]), int(words[2])
    lines = done.stdout.splitlines()
    assert [li.split(": ")[0] for li in lines] == [
        f"{seed}-{THEMES[seed % len(THEMES)].name}, {words[3]}"
        for seed in range(first, first + count)
    ]
    assert all(": exact, " in li for li in lines)


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
