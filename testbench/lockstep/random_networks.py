"""Random whole networks in lock-step: inverted residuals, slices, concatenations, copies inside the
SRAM, pads, pools, transposed and reshaped images, matrix products, layers of a few cycles; odd
sizes, and images that do not fit in the SRAM.

    python3 testbench/lockstep/random_networks.py FIRST COUNT [SETTING...]

runs the networks FIRST, FIRST + 1, ... under settings of the memory (default: all), prints a line
for each, and ends with 1 where lock-step names a difference.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "sim" / "python"))

import presil  # noqa: E402
from network_steps import STEPS, Grower  # noqa: E402
from presil import Refusal  # noqa: E402

BLOCKS = ("dla", "dma", "sync")
SETTINGS = {
    "ideal": ["dram.setting=ideal"],
    "real": [],
    "contended": ["dram.setting=contended", "dram.background_mb_per_s=6400"],
}
"""Of the memory, on the SoC `edge`: those of cycle_error.md."""


@dataclass
class Theme:
    """What a network consists of: weights of the dice, layers, and how large its images begin."""

    name: str
    steps: dict[str, int]
    layers: tuple[int, int]
    sides: tuple[int, int]
    channels: tuple[int, int]
    values: int = 60_000  # of one tensor, at most


THEMES = (
    Theme(
        "mobile",
        {"inverted": 6, "conv": 1, "concat": 1, "slice": 1, "pool": 1, "add": 1},
        (4, 8),
        (20, 80),
        (3, 8),
    ),
    Theme(
        "shuffle",
        {"slice": 5, "concat": 5, "pointwise": 3, "depthwise": 2, "transpose": 2, "reshape": 2},
        (8, 16),
        (8, 40),
        (8, 48),
    ),
    Theme(
        "matmul",
        {"matmul": 5, "dense": 4, "transpose": 2, "reshape": 2, "add": 2, "slice": 2, "concat": 2},
        (6, 14),
        (4, 24),
        (8, 64),
    ),
    Theme(
        "short",
        {"pointwise": 3, "depthwise": 3, "add": 3, "pool": 1, "slice": 3, "concat": 3, "pad": 2},
        (12, 24),
        (1, 9),
        (1, 40),
    ),
    Theme(
        "mixed",
        {
            name: 1
            for name in (
                "conv pointwise depthwise inverted add mul concat slice pad pool resize transpose "
                "reshape matmul dense curve strided"
            ).split()
        },
        (6, 18),
        (4, 48),
        (1, 40),
    ),
    Theme(
        "large",
        {"depthwise": 2, "slice": 3, "concat": 3, "pool": 2, "pad": 1, "add": 2, "pointwise": 1},
        (3, 6),
        (96, 160),
        (8, 24),
        800_000,
    ),
)


def network(seed: int) -> presil.Network:
    """The network of that number."""
    theme = THEMES[seed % len(THEMES)]
    builder = presil.Builder(f"random-{seed}-{theme.name}")
    g = Grower(np.random.default_rng(seed), builder, theme.values)
    inputs = g.between(1, 2)
    for i in range(inputs):
        shape = (1, g.between(*theme.sides), g.between(*theme.sides), g.between(*theme.channels))
        x = builder.input(f"x{i}", shape, scale=g.scale(), zero_point=g.between(-9, 9))
        g.tensors.append(x)
    names, weights = list(theme.steps), np.array(list(theme.steps.values()), float)
    left, tries = g.between(*theme.layers), 200
    while left > 0 and tries > 0:
        tries -= 1
        name = names[int(g.dice.choice(len(names), p=weights / weights.sum()))]
        try:
            made = STEPS[name](g)
        except Refusal:
            continue
        if made is not None and 0 < np.prod(made.shape) <= theme.values:
            g.tensors.append(made)
            left -= 1
    for tensor in g.tensors[inputs:]:
        if tensor.id not in g.used:
            builder.output(tensor)
    return builder.build()


def inputs_of(program: presil.Program, seed: int) -> list[np.ndarray]:
    """All values of the type."""
    dice = np.random.default_rng(seed)
    return [dice.integers(-128, 128, tensor["shape"], np.int8) for tensor in program.inputs]


def lockstep(seed: int, setting: str) -> dict[str, Any]:
    """The record's `cosim` of a network under a setting."""
    program = presil.compile(network(seed), presil.load_soc("edge", SETTINGS[setting]))
    return dict(presil.cosim(program, inputs_of(program, seed), BLOCKS).record["cosim"])


def rtl_alone_is_exact(seed: int, setting: str) -> bool:
    """Without lock-step, every kept tensor compared: whose fault a difference is."""
    program = presil.compile(network(seed), presil.load_soc("edge", SETTINGS[setting]))
    blocks = dict.fromkeys(BLOCKS, "rtl")
    return presil.run(program, inputs_of(program, seed), "layers", blocks=blocks).exact


def line(seed: int, setting: str, found: dict[str, Any]) -> str:
    """A run in one line."""
    name = f"{seed}-{THEMES[seed % len(THEMES)].name}, {setting}"
    if found["first_divergence"]:
        alone = "exact" if rtl_alone_is_exact(seed, setting) else "wrong too"
        return f"{name}: {found['first_divergence']['text']}; RTL alone is {alone}"
    outside = [layer["name"] for layer in found["layers"] if not layer["within_band"]]
    return (
        f"{name}: {'exact' if found['exact'] else 'WRONG'}, "
        f"{found['model_cycles']:,} for {found['rtl_cycles']:,} cycles, "
        f"{found['error_percent']:+.3f} %"
        + (f", {len(outside)} of {len(found['layers'])} layers outside their band" * bool(outside))
    )


def main(arguments: list[str]) -> int:
    first, count = int(arguments[0]), int(arguments[1])
    wrong = 0
    for seed in range(first, first + count):
        for setting in arguments[2:] or SETTINGS:
            found = lockstep(seed, setting)
            wrong += not found["exact"]
            print(line(seed, setting, found), flush=True)
    return min(wrong, 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
