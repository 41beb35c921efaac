"""The record of a run: run.json, from which every other view is made."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from . import __version__, paths
from .bound import CriticalPaths, Filled
from .contract import ENGINES as DESCRIBED
from .engines import engine_names, queue_engines, queue_names

SCHEMA = "1.6"
MOST_COMMANDS = 20_000
COLUMNS = ("queue", "layer", "tile", "start", "end", "busy", "dram_bytes", "stall")
FEW_NUMBERS = 32
SRAM_COLUMNS = ("what", "layer", "offset", "bytes", "start", "end")
ALWAYS_SHOWN = ("dla", "dma", "host")  # keys of schema 1; other engines only where they worked


def commands_of(info: dict[str, Any], account: dict[str, Any]) -> list[dict[str, Any]]:
    """Every command with its queue's name, and its layer and tile from the debug map."""
    rows, queues = [], queue_names()
    for record in account["records"]:
        _, _, layer, tile = info["commands"][record["tag"]]
        rows.append({**record, "queue": queues[record["queue"]], "layer": layer, "tile": tile})
    return rows


def timeline_of(commands: list[dict[str, Any]]) -> dict[str, Any]:
    """The first sample's commands in rows as COLUMNS; queue by queue, in the order of time.

    A queue's time is cut among its commands: start + busy + all of stall = end, waits first, so
    the rows of a queue never overlap. Of very many commands the shortest are left out and counted.
    """
    rows = []
    for c in commands:
        stall = {cause: n for cause, n in c["causes"].items() if cause != "run" and n}
        busy = c["causes"].get("run", 0)
        start = c["end"] - busy - sum(stall.values())
        moved = c["dram_read"] + c["dram_written"]
        rows.append([c["queue"], c["layer"], c["tile"], start, c["end"], busy, moved, stall])
    kept = sorted(rows, key=lambda row: row[3] - row[4])[:MOST_COMMANDS]
    kept.sort(key=lambda row: (row[0], row[4]))
    return {"columns": list(COLUMNS), "commands": kept, "left_out": len(rows) - len(kept)}


def sram_of(info: dict[str, Any], account: dict[str, Any]) -> dict[str, Any]:
    """What the SRAM held during the first sample, in rows as SRAM_COLUMNS: a buffer of the
    compiler's plan, from the first cycle of work to the end of the commands that touch it, with
    the layer of the first of them. Which commands touch it is in the loadable."""
    record_of = {record["tag"]: record for record in account["records"]}
    rows = []
    for buffer in info["buffers"]:
        touching = [record_of[tag] for tag in buffer["commands"] if tag in record_of]
        if not touching:
            continue
        layer = info["commands"][touching[0]["tag"]][2]
        start, end = min(r["start"] for r in touching), max(r["end"] for r in touching)
        rows.append([buffer["what"], layer, buffer["offset"], buffer["bytes"], start, end])
    rows.sort(key=lambda row: (row[4], row[2]))
    return {"columns": list(SRAM_COLUMNS), "buffers": rows}


def digest(arrays: Sequence[np.ndarray]) -> str:
    """SHA-256 over types, shapes and bytes."""
    sha = hashlib.sha256()
    for array in arrays:
        sha.update(f"{array.dtype.str}{list(array.shape)}".encode())
        sha.update(np.ascontiguousarray(array).tobytes())
    return sha.hexdigest()


def as_json(record: dict[str, Any]) -> str:
    """The record as text: indented for people, but a line for each row of the long lists (timeline,
    SRAM) and one for all numbers of a long list (DRAM traffic)."""
    folded: list[str] = []

    def line(value: Any) -> str:
        return json.dumps(value, separators=(",", ":"))

    def fold(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: fold(v) for key, v in value.items()}
        if not isinstance(value, list):
            return value
        if value and isinstance(value[0], list):
            folded.append("[\n   " + ",\n   ".join(map(line, value)) + "\n  ]")
        elif len(value) > FEW_NUMBERS and isinstance(value[0], int):
            folded.append(line(value))
        else:
            return [fold(v) for v in value]
        return f"\0{len(folded) - 1}"

    text = json.dumps(fold(record), indent=1)
    return re.sub(r'"\\u0000(\d+)"', lambda mark: folded[int(mark[1])], text) + "\n"


def lanes_filled(
    info: dict[str, Any], by_layer: dict[int, list[dict[str, Any]]], peak: int
) -> dict[int, Filled]:
    """By layer of the DLA, which share of its multipliers works while the array takes steps."""
    filled: dict[int, Filled] = {}
    engines = queue_engines()
    for index, layer in enumerate(info["layers"]):
        records = [r for r in by_layer.get(index, []) if engines[r["queue"]] == "dla"]
        run = sum(record["causes"].get("run", 0) for record in records)
        if layer["macs"] and run and peak:
            filled[index] = min(layer["macs"], run * peak), run * peak
    return filled


Span = tuple[list[dict[str, Any]], int, int]
"""Commands of a layer on its own engine, first and last work of them."""


def by_layer(info: dict[str, Any], account: dict[str, Any]) -> dict[int, list[dict[str, Any]]]:
    """The first sample's commands."""
    found: dict[int, list[dict[str, Any]]] = {}
    for record in account["records"]:
        found.setdefault(info["commands"][record["tag"]][2], []).append(record)
    return found


def layer_spans(info: dict[str, Any], account: dict[str, Any]) -> list[Span]:
    """Of each layer."""
    engines, commands = queue_engines(), by_layer(info, account)
    spans = []
    for index, layer in enumerate(info["layers"]):
        records = commands.get(index, [])
        own = [r for r in records if engines[r["queue"]] == layer["engine"]]
        start = min((r["start"] for r in own or records), default=0)
        end = max((r["end"] for r in own or records), default=0)
        spans.append((own, start, end))
    return spans


def layers_of(
    info: dict[str, Any],
    account: dict[str, Any],
    waits: Sequence[Sequence[int]] = (),
    peak: int = 0,
) -> list[dict[str, Any]]:
    """One row a layer, from the first sample's commands.

    waits: by tag, what meets each wait of a command (Program.waits). peak: MACs per cycle of one
    array."""
    rows = []
    layer_of = [command[2] for command in info["commands"]]
    commands = by_layer(info, account)
    filled = lanes_filled(info, commands, peak)
    paths_of = CriticalPaths(account["records"], waits, account["begin"], layer_of, filled)
    spans = layer_spans(info, account)
    for index, (layer, (own, start, end)) in enumerate(zip(info["layers"], spans, strict=True)):
        records = commands.get(index, [])
        causes: Counter[str] = Counter()
        for record in own:
            causes.update(record["causes"])
        time = paths_of.own(layer["engine"], own)
        rows.append(
            {
                "index": index,
                "name": layer["name"],
                "op": layer["op"],
                "engine": layer["engine"],
                "source_ops": layer["source_ops"],
                "macs": layer["macs"],
                "start": start,
                "end": end,
                "cycles": end - start,
                "commands": len(own),
                "busy": causes.get("run", 0),
                "stall": {c: n for c, n in sorted(causes.items()) if c != "run" and n},
                "read_bytes": sum(r["dram_read"] for r in records),
                "written_bytes": sum(r["dram_written"] for r in records),
                **time.record(),
                "exact": None,
            }
        )
    return rows


class EngineTotals:
    """Sums an engine's cycles over samples: busy + stalls + idle = cycles, exactly."""

    def __init__(self) -> None:
        self.busy = 0
        self.idle = 0
        self.stall: Counter[str] = Counter()

    def add(self, queue: dict[str, Any]) -> None:
        self.busy += queue["causes"].get("run", 0)
        self.idle += queue["idle"]
        self.stall.update({c: n for c, n in queue["causes"].items() if c != "run"})

    @property
    def used(self) -> bool:
        return self.busy > 0 or self.stall.total() > 0

    def record(self) -> dict[str, Any]:
        stall = {cause: cycles for cause, cycles in sorted(self.stall.items()) if cycles}
        return {"busy": self.busy, "stall": stall, "idle": self.idle}


class RunTotals:
    """Adds up the accounts of all samples."""

    def __init__(self, channels: int) -> None:
        self.per_sample: list[int] = []
        self.totals = {name: EngineTotals() for name in DESCRIBED}
        self.queues = queue_names()
        self.channels = [EngineTotals() for _ in range(channels)]
        self.read_bytes = self.written_bytes = 0
        self.bursts = self.row_hits = 0
        self.cpu_s = 0.0

    def add(self, account: dict[str, Any]) -> None:
        self.per_sample.append(account["cycles"])
        for name, engine in account["engines"].items():
            self.totals.setdefault(name, EngineTotals()).add(engine)
        for name, totals in zip(DESCRIBED["dma"].queues, self.channels, strict=False):
            totals.add(account["queues"][self.queues.index(name)])
        self.read_bytes += account["dram_read"]
        self.written_bytes += account["dram_written"]
        self.bursts += account["dram_bursts"]
        self.row_hits += account["dram_row_hits"]
        self.cpu_s += account["cpu_s"]

    @property
    def cycles(self) -> int:
        return sum(self.per_sample)

    @property
    def row_hit_rate(self) -> float | None:
        """Of the bursts at the DRAM, those that found their row open."""
        return round(self.row_hits / self.bursts, 6) if self.bursts else None

    def engines(self, macs: int, peak: int) -> dict[str, Any]:
        """macs: of one sample; peak: MACs per cycle."""
        work = macs * len(self.per_sample)
        utilisation = round(work / (peak * self.cycles), 6) if self.cycles else 0.0
        kinds = engine_names()

        def place(name: str) -> tuple[int, int, str]:  # a second DLA, dla1, comes after the first
            return kinds.index(kind_of(name, kinds)), len(name), name

        named = sorted(self.totals.items(), key=lambda item: place(item[0]))
        engines: dict[str, Any] = {
            name: totals.record() if totals.used or name in ALWAYS_SHOWN else None
            for name, totals in named
        }
        engines["dla"]["utilisation"] = utilisation
        engines["dma"]["channels"] = [c.record() for c in self.channels]
        return engines


def kind_of(name: str, kinds: Sequence[str]) -> str:
    """Of an engine by its name: dla1 is a dla."""
    if name in kinds:
        return name
    numbered = [k for k in kinds if name.startswith(k) and name[len(k) :].isdigit()]
    return max(numbered, key=len)


def header() -> dict[str, Any]:
    return {"schema": SCHEMA, "presil": {"version": __version__, "commit": paths.commit()}}
