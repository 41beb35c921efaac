"""One colour for every name: engines, causes and limits, on every page and of every run.

Found by search: names that can stand in one plot (the causes of one engine, the limits, the
engines) are 0.085 or more apart in OKLab, for full colour vision and for protanopia, deuteranopia
and tritanopia; tests/python/palette_test.py measures it. Waits are drawn with stripes besides, so
that a print in grey shows them.
"""

from __future__ import annotations

import colorsys
import hashlib
from collections.abc import Iterable

from .. import contract

ENGINES = {
    "dla": "#3e69e3",
    "dsp": "#05bc95",
    "dma": "#834a82",
    "host": "#d97c03",
    "none": "#8d99a6",
}

# Of the contract, but for waits.
CAUSES = {
    "busy": "#3f3bc2",
    "feature_bank": "#71ae62",
    "weights": "#c27bd4",
    "post": "#f5ec80",
    "start": "#685657",
    "read_credit": "#d1551e",
    "dram_row": "#f9b33a",
    "dram_turnaround": "#780607",
    "dram_refresh": "#f0825a",
    "dram_busy": "#a92c07",
    "write_queue": "#501782",
    "sram_port": "#45e8ff",
    "drain": "#ad6edc",
    "load_use": "#f1cf3c",
    "branch": "#691f2e",
    "divide": "#5dd6ff",
    "far_load": "#dc9b0c",
    "vector_queue": "#36366b",
    "vector_result": "#ad83f8",
    "sram_bank": "#40a789",
    "own_dma": "#975ecb",
    "fetch": "#597d87",
}

# What limits a layer: the fine names, then the coarse word that is no name of anything else.
LIMITS = {
    "array": "#3c4ddc",
    "lanes": "#adadee",
    "fill": "#11126c",
    "dram": "#bf3e07",
    "dram_latency": "#8b1811",
    "sram": "#a3e7dc",
    "sync": "#907ab0",
    "compute": "#5275fb",
}

OTHER = "#bdbdbd"
"""What does not fit in a legend."""

WAITS = {"wait": 0.55, "wait_in": 0.3, "wait_weights": -0.25, "wait_out": -0.5}
"""How far from the colour of the engine that should signal: to white, or to black."""

RUNS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#777777", "#b8a900")
"""Runs side by side, in their order (Okabe and Ito)."""


def mixed(colour: str, share: float) -> str:
    """With white, or, where the share is negative, with black."""
    other = 255 if share > 0 else 0
    parts = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return "#" + "".join(f"{round(p + (other - p) * abs(share)):02x}" for p in parts)


def derived(name: str) -> str:
    """A colour that follows from a name's letters alone."""
    digest = hashlib.sha256(name.encode()).digest()
    hue, lightness, saturation = digest[0] / 256, 0.35 + digest[1] / 900, 0.45 + digest[2] / 800
    red, green, blue = colorsys.hls_to_rgb(hue, lightness, saturation)
    return "#" + "".join(f"{round(255 * part):02x}" for part in (red, green, blue))


# Engines, causes and groups of waits without a chosen colour have a derived one.
COLOURS = {
    **{engine: derived(engine) for engine in contract.ENGINES},
    **ENGINES,
    **{cause: derived(cause) for cause in contract.CAUSES if cause != "run"},
    **CAUSES,
    **LIMITS,
    **{
        f"{group}:{engine}": mixed(ENGINES.get(engine, derived(engine)), WAITS.get(group, 0.15))
        for group in contract.WAIT_GROUPS
        for engine in contract.ENGINES
    },
    "idle": "transparent",
    "other": OTHER,
}


def colour_of(name: str) -> str:
    """A name that no table has gets one that follows from its letters alone."""
    return COLOURS[name] if name in COLOURS else derived(name)


def table(names: Iterable[str]) -> dict[str, str]:
    """Every fixed name, and these."""
    return {**COLOURS, **{name: colour_of(name) for name in sorted(set(names))}}
