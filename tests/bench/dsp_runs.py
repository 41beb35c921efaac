"""Cycles of the DSP's commands, of one operator each, on DSPs of many widths."""

from __future__ import annotations

import re
from collections.abc import Iterator
from multiprocessing import Pool
from typing import Any, NamedTuple

import presil
from dsp_operators import Make, Shape, network, operators, shapes

#: VLEN, DLEN, sequencers for arithmetic.
Dsp = tuple[int, int, int]
DSPS: list[Dsp] = [
    *[
        (vlen, dlen, 1)
        for vlen in (128, 256, 512, 1024)
        for dlen in (64, 128, 256, 512)
        if dlen <= vlen
    ],
    *[(vlen, vlen // 2, 2) for vlen in (128, 256, 512, 1024)],
]
SLOW_HOST = {"host.cycles_call": 1_000_000}
START = 40  # compiler_bridge/plan/dsp_plan.cpp: from a command's waits to its first instruction


class Ran(NamedTuple):
    function: str  #: of driver/kernels/dsp/cost.h
    arguments: list[int]
    rows: list[int]  #: of each command
    dsp: Dsp
    cycles: int  #: of all commands


def _layer(graph: Any) -> tuple[str, list[int], int, bool] | None:
    """Function, arguments and rows of the layer, where it is one of the DSP; whether by row."""
    text = presil.stage(graph, "layers", set=SLOW_HOST)
    cost = re.findall(r'cost={function="(\w+)", arguments=\[([\d, -]*)\]}', text)
    rows = re.findall(r"\brows=(\d+),", text)
    if len(cost) != 1 or len(re.findall(r"^layer ", text, re.M)) != 1 or "padding=" in text:
        return None
    arguments = [int(x) for x in cost[0][1].split(",")]
    return cost[0][0], arguments, int(rows[0]) if rows else 1, "by_row=true" in text


def _ran(graph: Any, dsp: Dsp) -> tuple[int, int]:
    """Cycles of the kernel in all commands, and their number."""
    given = {"dsp.vlen": dsp[0], "dsp.dlen": dsp[1], "dsp.arithmetic_sequencers": dsp[2]}
    run = presil.run(presil.compile(graph, set={**given, **SLOW_HOST}), check="none", seed=1)
    own = [c for c in run.commands if c["queue"] == "dsp" and c["layer"] == 0]
    return sum(c["end"] - c["start"] - START for c in own), len(own)


def measured(case: tuple[str, str, Make, Shape]) -> list[Ran]:
    kind, numerics, make, shape = case
    try:
        graph = network(kind, shape, make, numerics)
    except presil.Refusal:
        return []  # types that the numerics do not have
    layer = _layer(graph)
    if layer is None:
        return []
    function, arguments, rows, by_row = layer
    done = []
    for dsp in DSPS:
        cycles, commands = _ran(graph, dsp)
        if commands == 0:
            continue  # another engine is still faster
        of_tile = -(-rows // commands)
        tiles = [min(of_tile, rows - i * of_tile) for i in range(commands)]
        if min(tiles) > 0 and (not by_row or of_tile == 1):
            done.append(Ran(function, arguments, tiles, dsp, cycles))
    return done


def _cases(seed: int, count: int, only: list[str]) -> Iterator[tuple[int, int, int, str]]:
    for index, (name, _, _) in enumerate(operators()):
        if only and not name.startswith(tuple(only)):
            continue
        for numerics in ("tflite", "xnnpack") if "int8" in name or "quant" in name else ("tflite",):
            for shape in range(count):
                yield index, seed, shape, numerics


def _by_number(case: tuple[int, int, int, str]) -> list[Ran]:
    index, seed, shape, numerics = case
    name, kind, make = list(operators())[index]
    return measured((kind, numerics, make, shapes(name, seed + index, shape + 1)[shape]))


def all_runs(seed: int, count: int, processes: int, only: list[str]) -> list[Ran]:
    """Of `count` shapes of each operator, or of those whose names begin with one of `only`."""
    cases = list(_cases(seed, count, only))
    with Pool(processes) as pool:
        return [r for some in pool.imap(_by_number, cases, 8) for r in some]
