"""Several runs as one comparison: what was asked differently, what came out, layer by layer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..layers_table import size
from .diff import percent
from .matched import matched, worked
from .palette import RUNS

Record = dict[str, Any]
Runs = list[tuple[Record, Path]]
MOST_PARAMETERS = 2
"""That a run's label names."""


def soc_label(record: Record) -> str:
    """With the parameters that were set, where the record says so."""
    return str(record["soc"].get("label") or record["soc"]["name"])


def labels_of(runs: Runs) -> list[str]:
    """A name for each run, unlike those of the others: the SoC; the network, where there are
    several; then whatever else tells apart runs that would be called the same."""
    several = len({Path(record["network"]["file"]).name for record, _ in runs}) > 1
    names = [
        f"{Path(r['network']['file']).stem} on {soc_label(r)}" if several else soc_label(r)
        for r, _ in runs
    ]
    tells: tuple[Callable[[Record, Path], str], ...] = (
        lambda record, folder: f", {record['numerics']}",
        lambda record, folder: f", {record['samples']} samples",
        lambda record, folder: f" ({folder.resolve().name})",
    )
    names = told_apart(names, parameters_of(names, [record for record, _ in runs]))
    for tell in tells:
        names = told_apart(names, [tell(record, folder) for record, folder in runs])
    seen = Counter(names)
    return [n if seen[n] == 1 else f"{n}, run {i}" for i, n in enumerate(names, 1)]


def told_apart(names: list[str], endings: list[str]) -> list[str]:
    """With the ending, where runs of the same name have different ones."""
    endings_of: dict[str, set[str]] = {}
    for name, ending in zip(names, endings, strict=True):
        endings_of.setdefault(name, set()).add(ending)
    return [n + e if len(endings_of[n]) > 1 else n for n, e in zip(names, endings, strict=True)]


def parameters_of(names: list[str], records: list[Record]) -> list[str]:
    """For each run the parameters of its SoC by which it differs from others of its name, where
    they are few enough for a name."""
    endings = []
    for name, record in zip(names, records, strict=True):
        alike = [r["soc"]["config"] for n, r in zip(names, records, strict=True) if n == name]
        rows = differing(alike)
        own = record["soc"]["config"]
        set_to = [f" {row['name']}={own.get(row['name'])}" for row in rows]
        endings.append("".join(set_to) if len(set_to) <= MOST_PARAMETERS else "")
    return endings


def asked(record: Record) -> dict[str, Any]:
    """All that decides what a run does, by name."""
    known = {
        "network": Path(record["network"]["file"]).name,
        "network sha256": (record["network"]["sha256"] or "")[:12],
        "numerics": record["numerics"],
        "samples": record["samples"],
        "input": (record.get("input") or {}).get("source"),
        "check": record["check"]["level"],
        "presil": record["presil"]["commit"],
        **{f"block {name}": kind for name, kind in (record.get("blocks") or {}).items()},
        **{f"option {name}": v for name, v in (record.get("options") or {}).items()},
        "SoC": record["soc"]["name"],
        "clock_mhz": record["soc"]["clock_mhz"],
    }
    return {**known, **record["soc"]["config"]}


def differing(runs: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Rows of what is not the same in all of them, a value for each."""
    names = dict.fromkeys(name for run in runs for name in run)
    rows = [{"name": n, "values": [run.get(n) for run in runs]} for n in names]
    return [row for row in rows if any(value != row["values"][0] for value in row["values"])]


@dataclass
class Figure:
    key: str
    title: str
    of: Callable[[Record], float]
    text: Callable[[float], str]
    better: int
    """+1: the more the better; -1: the less; 0: neither."""


def moved(record: Record) -> int:
    dram = record["memory"]["dram"]
    return int(dram["read_bytes"] + dram["written_bytes"])


def bytes_text(value: float) -> str:
    return size(int(value))


def inferences_per_s(record: Record) -> float:
    """Samples one after another, each alone on the SoC."""
    return 1e3 * record["samples"] / record["time_ms"] if record["time_ms"] else 0.0


def per_sample(record: Record) -> float:
    return float(record["cycles"] / record["samples"])


def utilisation(record: Record) -> float:
    return float(record["engines"]["dla"]["utilisation"])


FIGURES = (
    Figure("per_sample", "cycles a sample", per_sample, "{:,.0f}".format, -1),
    Figure("ms", "ms a sample", lambda r: r["time_ms"] / r["samples"], "{:,.3f}".format, -1),
    Figure("inferences_per_s", "inferences a second", inferences_per_s, "{:,.1f}".format, 1),
    Figure("utilisation", "of the MAC array used", utilisation, "{:.1%}".format, 1),
    Figure("dram", "through DRAM a sample", lambda r: moved(r) / r["samples"], bytes_text, -1),
    Figure("sram", "peak of SRAM", lambda r: r["memory"]["sram"]["peak_bytes"], bytes_text, 0),
    Figure("macs", "MACs a sample", lambda r: r["network"]["macs"], "{:,.0f}".format, 0),
)


def delta(first: float, value: float, better: int = -1) -> dict[str, Any]:
    """What became of a figure: `text`, and whether that is `good` or `bad`."""
    share = percent(first, value)
    if value == first or share is None:
        return {"text": "" if share is None else "=", "state": "", "percent": share}
    good = (value > first) == (better > 0)
    text = f"{share:+,.1f} %" if abs(share) < 1000 else f"x {value / first:,.1f}"
    return {"text": text, "state": ("good" if good else "bad") if better else "", "percent": share}


def figure_rows(records: list[Record]) -> list[dict[str, Any]]:
    rows = []
    for figure in FIGURES:
        values = [figure.of(record) for record in records]
        cells = [
            {"value": v, "text": figure.text(v), "delta": delta(values[0], v, figure.better)}
            for v in values
        ]
        rows.append({"key": figure.key, "title": figure.title, "cells": cells})
    return rows


def cost(layer: Record) -> int:
    """Cycles of a layer's own time, where the record has them; else from its start to its end."""
    own = layer.get("own_cycles")
    return int(layer["cycles"] if own is None else own)


def layer_rows(records: list[Record]) -> list[dict[str, Any]]:
    """A row for each layer that any of them has, in cycles and in microseconds."""
    clocks = [record["soc"]["clock_mhz"] for record in records]
    rows = []
    for slot in matched([worked(record["layers"]) for record in records]):
        there = [layer for layer in slot if layer is not None]
        first = slot[0]
        cells: list[dict[str, Any] | None] = []
        for layer, clock in zip(slot, clocks, strict=True):
            if layer is None:
                cells.append(None)
                continue
            cell = {
                "cycles": cost(layer),
                "us": cost(layer) / clock,
                "bound": layer.get("bound_detail") or layer["bound"],
            }
            if first is not None:
                cell["delta"] = delta(cost(first), cell["cycles"])
                cell["delta_us"] = delta(cost(first) / clocks[0], cell["us"])
            cells.append(cell)
        rows.append(
            {
                "name": there[0]["name"],
                "op": there[0]["op"],
                "engines": list(dict.fromkeys(layer["engine"] for layer in there)),
                "cells": cells,
                "whole": len(there) == len(records),
            }
        )
    return rows


def comparison(runs: Runs) -> Record:
    """All that the page says of the runs together."""
    records = [record for record, _ in runs]
    labels = labels_of(runs)
    layers = layer_rows(records)
    for row in layers:
        row["only"] = [n for n, cell in zip(labels, row["cells"], strict=True) if cell is not None]
    return {
        "networks": list(dict.fromkeys(Path(r["network"]["file"]).name for r in records)),
        "runs": [{"label": label, "colour": RUNS[i % len(RUNS)]} for i, label in enumerate(labels)],
        "several_clocks": len({r["soc"]["clock_mhz"] for r in records}) > 1,
        "asked": differing([asked(r) for r in records]),
        "figures": figure_rows(records),
        "layers": layers,
        "unmatched": [row for row in layers if not row["whole"]],
    }
