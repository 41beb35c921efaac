"""Published chips: what their makers or users have measured, beside what presil's models of them
take. Rows are data (sim/socs/published.yaml); the simulated figures come from runs."""

from __future__ import annotations

import statistics
import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from . import paths
from .builder import Builder
from .program import compile as compile_network
from .refusal import Refusal
from .run import Run, run
from .soc import load_soc

FILE = "published/rows.yaml"
TABLE = "PUBLISHED.md"
COLUMNS = 138
INTRODUCTION = (
    "Written by `presil chips --write`: every simulated figure is of a run on the preset. Cycles "
    "of the engine's clock; rows come from [published/rows.yaml](published/rows.yaml). A row that "
    "fitted a parameter proves nothing about it; the others do."
)
UNITS = ("cycles", "ms", "fps")
SCALE, WEIGHTS_SCALE = 0.1, 0.01
"""Of a layer alone, whose values mean nothing."""


@dataclass(frozen=True)
class Row:
    """One published figure."""

    id: str
    network: str
    """Of the shape library; empty: a layer alone."""
    layer: dict[str, int]
    """A convolution alone: c, k, r, s, stride, oh, ow; a matrix product has r = s = ow = 1."""
    set: dict[str, Any]
    """Parameters of this row's configuration beside the preset's."""
    value: float
    unit: str
    source: str
    fits: tuple[str, ...] = ()
    """Parameters of the preset that were fitted to it."""

    @property
    def title(self) -> str:
        if self.network:
            more = ", ".join(f"{k}={v}" for k, v in self.set.items())
            return self.network + (f" ({more})" if more else "")
        n = self.layer
        return f"{n['c']} to {n['k']}, {n['r']}x{n['s']}/{n['stride']}, {n['oh']}x{n['ow']}"

    def cycles(self, clock_mhz: float) -> float:
        """The published figure in cycles of the engine's clock."""
        if self.unit == "cycles":
            return self.value
        seconds = self.value / 1e3 if self.unit == "ms" else 1 / self.value
        return seconds * clock_mhz * 1e6


@dataclass(frozen=True)
class Chip:
    name: str
    soc: str
    figures: str
    """Source, and how it was obtained."""
    counts: str
    """Of a network what is counted."""
    lacks: str
    """The mechanism that is not modelled, in a sentence."""
    without: tuple[str, ...]
    """Layers of a network that do not run on the engine there."""
    rows: tuple[Row, ...]


@dataclass
class Result:
    row: Row
    published: float
    simulated: float

    @property
    def error(self) -> float:
        """In percent of the published figure."""
        return 100 * (self.simulated / self.published - 1)


@dataclass
class Compared:
    chip: Chip
    results: list[Result] = field(default_factory=list)

    def errors(self, fitted: bool) -> list[float]:
        """Sizes of the errors of the rows that have fitted something, or of the others."""
        return [abs(r.error) for r in self.results if bool(r.row.fits) == fitted]


def field_of(given: dict[str, Any], key: str, where: str) -> Any:
    if key not in given:
        raise Refusal(f"chips: {where} has no '{key}', which every one needs")
    return given[key]


def row_of(given: dict[str, Any], where: str) -> Row:
    row = Row(
        str(field_of(given, "id", where)),
        str(given.get("network", "")),
        dict(given.get("layer", {})),
        dict(given.get("set", {})),
        float(field_of(given, "value", where)),
        str(field_of(given, "unit", where)),
        str(given.get("source", "")),
        tuple(given.get("fits", ())),
    )
    if bool(row.network) == bool(row.layer):
        raise Refusal(f"chips: row {row.id} must have either a 'network' or a 'layer'")
    if row.unit not in UNITS:
        raise Refusal(f"chips: unit of row {row.id} is '{row.unit}', must be {', '.join(UNITS)}")
    if row.value <= 0:
        raise Refusal(f"chips: value of row {row.id} is {row.value:g}, must be above 0")
    return row


def published(file: Path | None = None) -> list[Chip]:
    """The chips of a file, by default of those that come with presil.

    @raises Refusal: a file that cannot be read, or lacks something"""
    file = file or paths.SOCS / FILE
    try:
        chips = yaml.safe_load(file.read_text(encoding="utf-8"))["chips"]
        items = list(chips.items())
    except (OSError, yaml.YAMLError, KeyError, TypeError, AttributeError) as error:
        raise Refusal(f"chips: '{file}' has no published figures: {error}") from None
    return [
        Chip(
            name,
            str(field_of(given, "soc", name)),
            str(field_of(given, "figures", name)),
            str(given.get("counts", "")),
            str(field_of(given, "lacks", name)),
            tuple(given.get("without", ())),
            tuple(row_of(row, name) for row in field_of(given, "rows", name)),
        )
        for name, given in items
    ]


def layer_alone(layer: dict[str, int]) -> Builder:
    """A convolution without padding: its input is as large as it has to be."""
    n = layer
    b = Builder("layer")
    high, wide = (n["oh"] - 1) * n["stride"] + n["r"], (n["ow"] - 1) * n["stride"] + n["s"]
    x = b.input("x", (1, high, wide, n["c"]), "int8", SCALE)
    weights = np.zeros((n["k"], n["r"], n["s"], n["c"]), np.int8)
    bias = np.zeros(n["k"], np.int32)
    y = b.conv2d(
        x, weights, bias, weights_scale=WEIGHTS_SCALE, stride=n["stride"], out=(SCALE, 0)
    )
    b.output(y)
    return b


def began(command: dict[str, Any]) -> int:
    """Where a command's waits for others are over: its set-up belongs to it."""
    own = sum(n for cause, n in command["causes"].items() if not cause.startswith("wait"))
    return int(command["end"] - own)


def engine_cycles(made: Run, without: Iterable[str]) -> int:
    """Cycles in which the engine or the DMA works for it: for layers of the engine, and for what
    the DMA joins. Layers that run elsewhere there are left out by name; what the host does here,
    and conversions of the network's edges, are no layers of the chip's engine."""
    left_out = tuple(without)
    counted = {
        layer["index"]
        for layer in made.layers
        if (layer["engine"] == "dla" or layer["op"] == "concat")
        and not any(layer["name"].split("#")[0] == name for name in left_out)
    }
    worked = sorted(
        (began(c), c["end"])
        for c in made.commands
        if c["layer"] in counted and c["queue"].startswith(("dla", "dma"))
    )
    cycles, until = 0, 0
    for start, end in worked:
        cycles += max(0, end - max(start, until))
        until = max(until, end)
    return cycles


def simulated(chip: Chip, row: Row) -> tuple[float, float]:
    """Cycles of a row by a run without values, and the clock in MHz."""
    soc = load_soc(chip.soc, row.set)
    network = row.network or layer_alone(row.layer)
    made = run(compile_network(network, soc), check="none", values=False)
    cycles = made.cycles if row.layer else engine_cycles(made, chip.without)
    return float(cycles), float(soc.clock_mhz)


def compared(chips: Iterable[Chip]) -> Iterator[Compared]:
    """Each chip with its rows run."""
    for chip in chips:
        result = Compared(chip)
        for row in chip.rows:
            cycles, clock = simulated(chip, row)
            result.results.append(Result(row, row.cycles(clock), cycles))
        yield result


def errors_sentence(c: Compared) -> str:
    said = []
    for fitted, name in ((False, "rows not fitted"), (True, "rows that fitted a parameter")):
        errors = c.errors(fitted)
        if errors:
            said.append(
                f"{name} ({len(errors)}): median {statistics.median(errors):.1f} %, "
                f"worst {max(errors):.1f} %"
            )
    return "; ".join(said)


def wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, COLUMNS, break_long_words=False, break_on_hyphens=False)


def markdown(chips: list[Compared]) -> str:
    """sim/socs/PUBLISHED.md."""
    lines = ["# Published chips beside presil's models", "", *wrapped(INTRODUCTION)]
    for c in chips:
        lines += ["", f"## {c.chip.name}", ""]
        said = (f"Preset [{c.chip.soc}]({c.chip.soc}.yaml).", c.chip.figures, c.chip.counts)
        lines += wrapped(" ".join(filter(None, said)))
        lines += ["", "| row | published | simulated | error | fitted |", "|---|---|---|---|---|"]
        lines += [
            f"| {r.row.title} | {r.published:,.0f} | {r.simulated:,.0f} | {r.error:+.1f} % | "
            f"{', '.join(f'`{p}`' for p in r.row.fits)} |"
            for r in c.results
        ]
        lines += ["", *wrapped(errors_sentence(c) + ".")]
        lines += ["", *wrapped(f"Not modelled: {c.chip.lacks}")]
    return "\n".join(lines) + "\n"


def as_record(chips: list[Compared]) -> dict[str, Any]:
    return {
        "schema": "1.0",
        "chips": {
            c.chip.name: {
                "soc": c.chip.soc,
                "not_modelled": c.chip.lacks,
                "rows": [
                    {
                        "id": r.row.id,
                        "row": r.row.title,
                        "published_cycles": r.published,
                        "simulated_cycles": r.simulated,
                        "error_percent": round(r.error, 3),
                        "fits": list(r.row.fits),
                    }
                    for r in c.results
                ],
            }
            for c in chips
        },
    }
