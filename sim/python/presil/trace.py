"""Waveforms of blocks in RTL: which cycles, and the run that writes them.

Runs are deterministic. So the run itself writes none; when it is over, or has failed, its record or
its first divergence says which cycles to record, and the same samples run again up to their end.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console

from . import paths
from .atomic import writing
from .fst import is_whole
from .names import hint, instance, path_of
from .program import Program
from .refusal import Diverged, HardwareError, Refusal
from .simulation import MODEL, RTL_SEED, Simulation

BEFORE, AFTER = 200, 50
"""Cycles around the first divergence."""
FOR_EVER = 1 << 62


@dataclass(frozen=True)
class Trace:
    """Waveforms (FST) of every block in RTL, for `run` and `cosim`.

    folder: gets BLOCK.fst.
    window: "layer=NAME", a layer of the first sample; "cycles=A:B", from cycle A up to, but not
      with, B, as run.json counts them; empty: the first sample whole, or, where a block runs in
      lock-step, what is around its first divergence.
    """

    folder: str | Path
    window: str = ""


def window_of(text: str) -> tuple[str, tuple[int, int]]:
    """The name of a layer, or first cycle and end."""
    instance(text, str, "trace: the window", "a text: layer=NAME or cycles=A:B")
    key, equals, value = text.partition("=")
    if key == "layer" and value:
        return value, (0, 0)
    first, colon, end = value.partition(":")
    if key != "cycles" or not (equals and colon and first.isdecimal() and end.isdecimal()):
        raise Refusal(
            f"trace: the window is '{text}', expected layer=NAME or cycles=A:B, or kernel=NAME of "
            "dsp"
        )
    if int(first) >= int(end) or int(end) > FOR_EVER:
        raise Refusal(f"trace: the window {text} is empty, requires A < B, B up to {FOR_EVER}")
    return "", (int(first), int(end))


class Waves:
    """The waveforms of one run."""

    def __init__(
        self, trace: Trace, program: Program, kinds: Mapping[str, str], rtl_seed: int = RTL_SEED
    ) -> None:
        """Refuses what can be told before the run."""
        self._folder = path_of(trace.folder, "trace", "a folder for the waveforms")
        self._program = program
        self._rtl_seed = rtl_seed
        self._blocks = {name: "rtl" for name, kind in kinds.items() if kind != MODEL}
        self._lockstep = "lockstep" in kinds.values()
        self._layer, self._window = window_of(trace.window) if trace.window else ("", (0, 0))
        if not self._blocks:
            raise Refusal(
                "trace: fst shows blocks in RTL, here all are models; add e.g. --block dla=rtl"
            )
        names = [layer["name"] for layer in program.info["layers"]]
        if self._layer and self._layer not in names:
            raise Refusal(
                f"trace: there is no layer '{self._layer}'{hint(self._layer, names)}, expected one "
                f"of {', '.join(names)}"
            )

    def _instances(self) -> list[str]:
        """Of an engine that is there more than once, each has a waveform of its own."""
        engines = paths.native().engines_of(self._program.soc)
        names = [
            (block, [e["name"] for e in engines if e["kind"] == block]) for block in self._blocks
        ]
        return [name for block, instances in names for name in instances or [block]]

    def of_run(
        self, record: Mapping[str, Any], samples: Iterable[list[np.ndarray]], timeout_ms: float
    ) -> list[dict[str, Any]]:
        """After a run that has come to its end: what run.json says of its waveforms."""
        first, end = self._window
        if self._layer:
            row = next(row for row in record["layers"] if row["name"] == self._layer)
            first, end = row["start"], row["end"] + 1
        elif not end:
            if self._lockstep:
                return []
            end, samples = FOR_EVER, list(samples)[:1]
        return self._write(first, end, samples, timeout_ms)

    def of_failure(
        self, error: HardwareError, samples: Iterable[list[np.ndarray]], timeout_ms: float
    ) -> HardwareError:
        """The error with what there is to see of it: the cycles asked for, or around it."""
        first, end = self._window
        if not end and isinstance(error, Diverged):
            cycles = (error.detail.get(side) for side in ("rtl_cycle", "model_cycle"))
            at = next((cycle for cycle in cycles if cycle is not None), None)
            if at is not None:
                first, end = max(at - BEFORE, 0), at + AFTER + 1
        if not end:
            return error
        waveforms = self._write(first, end, samples, timeout_ms)
        text = "; ".join([str(error), *map(sentence, waveforms)])
        if isinstance(error, Diverged):
            return Diverged(text, {**error.detail, "waveforms": waveforms})
        return HardwareError(text, error.detail)

    def _write(
        self, first: int, end: int, samples: Iterable[list[np.ndarray]], timeout_ms: float
    ) -> list[dict[str, Any]]:
        with writing(self._folder):
            self._folder.mkdir(parents=True, exist_ok=True)
        files = {name: self._folder / f"{name}.fst" for name in self._instances()}
        for file in files.values():
            file.unlink(missing_ok=True)
        nanoseconds = [timeout_ms * 1e6, end * 1e3 / self._program.soc.clock_mhz]
        timeout = math.ceil(min(ns for ns in nanoseconds if ns))
        window = {"folder": str(self._folder.resolve()), "first": first, "end": end}
        with Simulation(
            self._program, blocks=self._blocks, rtl_seed=self._rtl_seed, trace=window
        ) as simulation:
            for sample in samples:
                try:
                    _, _, account = simulation.job(sample, timeout_ns=timeout)
                except HardwareError:  # the window ends before the job, or it has failed before
                    break
                if account["end"] >= end:
                    break
        for file in files.values():
            if file.is_file() and not is_whole(file):
                raise Refusal(
                    f"trace: the waveform '{file}' is not whole, its disk is full; free some room, "
                    "choose another folder, or a smaller --trace-window"
                )
        return [
            {"block": block, "file": str(file) if file.is_file() else None, "cycles": [first, end]}
            for block, file in files.items()
        ]


def sentence(waveform: Mapping[str, Any]) -> str:
    first, end = waveform["cycles"]
    span = "the first sample" if end == FOR_EVER else f"cycles {first} to {end - 1}"
    if waveform["file"] is None:
        return f"waveform: none, {waveform['block']} is not clocked in {span}"
    return f"waveform: {waveform['file']}, {span}"


def print_waveforms(out: Console, record: dict[str, Any]) -> None:
    for waveform in record.get("waveforms", []):
        out.print(sentence(waveform), markup=False, soft_wrap=True)
    if record.get("waveforms") == []:
        out.print("waveform: none, RTL and models do not differ; --trace-window asks for one")
