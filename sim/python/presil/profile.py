"""What the programs on the DSP did: kernels in a run's record, and the order of a trace."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .atomic import writing
from .names import hint, instance, path_of
from .program import Program
from .refusal import Refusal
from .trace import FOR_EVER, window_of

LINES = 100_000
"""Of a trace, where no limit is given."""
MOST_LINES = 1_000_000_000
ROWS = ("address", "count", "cycles", "stall", "beats", "elements", "instruction")
BLOCKS = ("first", "last", "passes", "cycles")
FUNCTIONS = ("name", "address", "bytes")


def kernels_of(info: dict[str, Any], kernels: list[dict[str, Any]]) -> dict[str, Any] | None:
    """The record's `dsp` from the simulator's account; None where no program has run.

    Of each kernel, over all samples: calls, cycles from the first to the last instruction = busy +
    all of stall, instructions, elements of vector instructions, the layers that call it.
    """
    if not kernels:
        return None
    rows = []
    for kernel in kernels:
        layers: dict[int, Counter[str]] = {}
        for tag, calls, cycles in kernel["tags"]:
            layer = layers.setdefault(info["commands"][tag][2], Counter())
            layer.update(calls=calls, cycles=cycles)
        causes = kernel["causes"]
        rows.append(
            {
                "name": kernel["name"],
                "calls": kernel["calls"],
                "cycles": kernel["cycles"],
                "instructions": kernel["instructions"],
                "elements": kernel["elements"],
                "busy": causes.get("run", 0),
                "stall": {c: n for c, n in sorted(causes.items()) if c != "run" and n},
                "layers": [{"layer": i, **layer} for i, layer in sorted(layers.items())],
                "profile": profile_of(kernel["profile"]),
            }
        )
    rows.sort(key=lambda row: -row["cycles"])
    return {"kernels": rows}


def profile_of(profile: dict[str, Any] | None) -> dict[str, Any] | None:
    """Tables: a row for every pc; basic blocks, the ones with most cycles first; functions."""
    if profile is None:
        return None
    return {
        "columns": list(ROWS),
        "instructions": profile["instructions"],
        "block_columns": list(BLOCKS),
        "blocks": sorted(profile["blocks"], key=lambda block: -block[3]),
        "function_columns": list(FUNCTIONS),
        "functions": profile["functions"],
    }


@dataclass(frozen=True)
class DspTrace:
    """The instructions that the DSP executes in the first sample, a line each, for `run`.

    window: "layer=NAME", "kernel=NAME", or "cycles=A:B", from cycle A up to, but not with, B;
      empty: all. tile: of a layer's commands only those of this tile. lines: what follows them
      is counted, and left out.
    """

    file: str | Path
    window: str = ""
    tile: int | None = None
    lines: int = LINES

    def order(self, program: Program) -> dict[str, Any]:
        """What the simulator is asked for. Refuses what this program does not have."""
        instance(self.window, str, "trace: the window", "a text: layer=NAME or cycles=A:B")
        instance(self.tile, (int, type(None)), "trace: the tile", "a number from 0 on")
        if not isinstance(self.lines, int) or not 1 <= self.lines <= MOST_LINES:
            raise Refusal(f"trace: got {self.lines} lines, expected 1 to {MOST_LINES}")
        info = program.info
        runs: Mapping[int, str] = info["kernels"]
        if not runs:
            raise Refusal("trace: this network runs nothing on the DSP, so there is no dsp trace")
        tags, (first, end) = set(runs), (0, FOR_EVER)
        if self.window.startswith("kernel="):
            kernel = self.window.partition("=")[2]
            tags = {tag for tag in runs if runs[tag] == kernel}
            if not tags:
                have = sorted(set(runs.values()))
                raise Refusal(
                    f"trace: there is no kernel '{kernel}'{hint(kernel, have)}, expected one of "
                    + ", ".join(have)
                )
        elif self.window:
            layer, cycles = window_of(self.window)
            if layer:
                tags = {t for t in runs if info["layers"][info["commands"][t][2]]["name"] == layer}
                if not tags:
                    have = sorted({info["commands"][tag][2] for tag in runs})
                    names = [info["layers"][index]["name"] for index in have]
                    raise Refusal(
                        f"trace: no layer '{layer}' runs on the DSP{hint(layer, names)}, expected "
                        f"one of {', '.join(names)}"
                    )
            else:
                first, end = cycles
        if self.tile is not None:
            tiles = sorted({info["commands"][tag][3] for tag in tags})
            tags = {tag for tag in tags if info["commands"][tag][3] == self.tile}
            if not tags:
                raise Refusal(
                    f"trace: there is no tile {self.tile}, must be {tiles[0]} to {tiles[-1]}"
                )
        file = path_of(self.file, "trace", "a file for the instructions").resolve()
        with writing(file):
            file.parent.mkdir(parents=True, exist_ok=True)
        return {
            "file": str(file),
            "tags": sorted(tags),
            "first": first,
            "end": end,
            "most": self.lines,
        }


def trace_sentence(trace: Mapping[str, Any]) -> str:
    """Where a trace of the DSP's instructions lies, and whether it is whole."""
    said = f"instructions of the DSP: {trace['file']}, {trace['lines']:,} lines"
    if not trace["left_out"]:
        return said
    return (
        f"{said}; cut, {trace['left_out']:,} instructions after them are left out "
        "(--trace-lines, --trace-window)"
    )
