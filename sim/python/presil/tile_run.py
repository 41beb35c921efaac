"""Samples over the tiles of a SoC: each goes to the tile that is free first."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from .atomic import writing
from .interrupt import held_back
from .program import Program
from .samples import Sample
from .simulation import ALIGN, Simulation, memory_of
from .tiles import kind_of_tiles


@dataclass
class TileResults:
    """What the samples have given, each by its number."""

    outputs: list[Sample]
    kept: list[dict[int, np.ndarray]]
    """Tensors by their index in the loadable of the tile."""
    programs: list[Program]
    """By kind of tile."""
    kind_of: list[int]
    """By tile, which of them it runs."""
    account: dict[str, Any]

    def program(self, tile: int) -> Program:
        return self.programs[self.kind_of[tile]]


class SampleMemory:
    """Tensors of all samples in shared memory, those of one tensor one after another."""

    def __init__(self, samples: int) -> None:
        self.samples = samples
        self.bytes = 0
        self.memory: Any = None

    def of(self, tensor: dict[str, Any]) -> int:
        place = self.bytes
        self.bytes += -(-tensor["plain_bytes"] * self.samples // ALIGN) * ALIGN
        return place

    @contextmanager
    def shared(self) -> Iterator[str]:
        """Its name, while it is there."""
        with held_back():
            self.memory = memory_of(max(self.bytes, ALIGN))
        try:
            yield self.memory.name
        finally:
            with held_back():
                self.memory.close()
                self.memory.unlink()

    def array(self, tensor: dict[str, Any], place: int, sample: int) -> np.ndarray:
        at = place + sample * tensor["plain_bytes"]
        return np.ndarray(tensor["shape"], tensor["dtype"], self.memory.buf, at)


def run_over_tiles(
    simulation: Simulation,
    program: Program,
    samples: list[Sample],
    keep: bool,
    alone: list[int],
    in_flight: int,
    timeout_ns: int,
) -> TileResults:
    """program: with its `system` and `others`. keep: hand back every tensor that was kept.
    alone: samples that run once more before, on a tile of each kind while all others rest."""
    programs = program.kinds
    kinds = kind_of_tiles(program.system)
    order = list(dict.fromkeys(kinds))
    of_tile = [order.index(kind) for kind in kinds]
    places = SampleMemory(len(samples))
    inputs = [places.of(tensor) for tensor in program.inputs]
    outputs = [places.of(tensor) for tensor in program.outputs]
    kept = [
        [(i, places.of(t)) for i, t in enumerate(one.info["tensors"]) if keep and t["kept"]]
        for one in programs
    ]
    folder = tempfile.gettempdir()
    with places.shared() as memory, ExitStack() as files:
        for index, sample in enumerate(samples):
            for tensor, place, array in zip(program.inputs, inputs, sample, strict=True):
                places.array(tensor, place, index)[...] = array
        messages = []
        for one, tensors in zip(programs, kept, strict=True):
            with writing(folder):
                file = files.enter_context(
                    tempfile.NamedTemporaryFile(suffix=".presil", dir=folder)
                )
                file.write(one.loadable)
                file.flush()
            messages.append({"file": file.name, "kept": tensors})
        account = simulation.tiles(
            programs=messages,
            program_of_tile=of_tile,
            count=len(samples),
            alone=alone,
            in_flight=in_flight,
            timeout_ns=timeout_ns,
            memory=memory,
            inputs=inputs,
            outputs=outputs,
        )
        tile_of = {s: t for t, tile in enumerate(account["tiles"]) for s in tile["samples"]}
        results = TileResults([], [], programs, of_tile, account)
        for index in range(len(samples)):
            kind = of_tile[tile_of[index]]
            tensors = programs[kind].info["tensors"]
            results.outputs.append(
                [
                    places.array(tensor, place, index).copy()
                    for tensor, place in zip(program.outputs, outputs, strict=True)
                ]
            )
            results.kept.append(
                {i: places.array(tensors[i], at, index).copy() for i, at in kept[kind]}
            )
    return results
