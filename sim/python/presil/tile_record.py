"""What a run over several tiles says: of each tile, and of all together."""

from __future__ import annotations

from collections import Counter
from typing import Any

from .energy_counts import shares
from .program import Program
from .record import EngineTotals, RunTotals, commands_of
from .tile_run import TileResults


def span_of(account: dict[str, Any]) -> tuple[int, int]:
    """First command to last completion, of all tiles."""
    used = [tile for tile in account["tiles"] if tile["samples"]]
    return min(tile["begin"] for tile in used), max(tile["end"] for tile in used)


def shared_part(account: dict[str, Any]) -> dict[str, Any]:
    """What the account of one tile has not of its own."""
    return {**{key: account[key] for key in ("dram_actions", "dram_traffic")}, "trace": None}


class TileTotals(RunTotals):
    """Engines as the mean of the tiles, over the time from the first sample to the last: busy +
    stalls + idle = cycles, as of one tile."""

    def __init__(self, program: Program, account: dict[str, Any]) -> None:
        super().__init__(program.soc.dma_channels)
        begin, end = span_of(account)
        self.span = end - begin
        self.samples = sum(len(tile["samples"]) for tile in account["tiles"])
        self.tiles = len(account["tiles"])
        for tile in account["tiles"]:
            super().add({**tile, "cpu_s": 0.0, "dram_bursts": 0, "dram_row_hits": 0})
        self.per_sample = own_cycles(account)
        self.bursts, self.row_hits = account["dram_bursts"], account["dram_row_hits"]
        self.cpu_s = account["cpu_s"]
        for totals in (*self.totals.values(), *self.channels):
            mean_of(totals, self.span, self.tiles)

    @property
    def cycles(self) -> int:
        return self.span


def mean_of(totals: EngineTotals, span: int, tiles: int) -> None:
    """Of sums over the tiles, each idle where it had no sample: whole cycles that add up to
    `span`."""
    causes = list(totals.stall)
    known = totals.busy + totals.stall.total()
    weights = [totals.busy, *totals.stall.values(), span * tiles - known]
    totals.busy, *stall, totals.idle = shares(span, weights)
    totals.stall = Counter(dict(zip(causes, stall, strict=True)))


def tile_commands(results: TileResults) -> list[dict[str, Any]]:
    """Every command of the first sample of each tile, its queue as `1:dla`, its layer by its name
    in the program of tile 0 (-1: that has none)."""
    place = {layer["name"]: k for k, layer in enumerate(results.program(0).info["layers"])}
    commands = []
    for number, tile in enumerate(results.account["tiles"]):
        info = results.program(number).info
        for row in commands_of(info, tile):
            name = info["layers"][row["layer"]]["name"] if row["layer"] >= 0 else None
            row["queue"] = f"{number}:{row['queue']}"
            row["layer"] = place.get(name, -1)
            commands.append(row)
    return commands


def own_cycles(account: dict[str, Any]) -> list[int]:
    """Of each sample, from its first command to its end."""
    cycles = {}
    for tile in account["tiles"]:
        for sample, begin, end in zip(tile["samples"], tile["begins"], tile["ends"], strict=True):
            cycles[sample] = end - begin
    return [cycles[sample] for sample in sorted(cycles)]


def tiles_of(program: Program, results: TileResults, in_flight: int) -> dict[str, Any]:
    """The part `tiles` of a record."""
    account = results.account
    begin, end = span_of(account)
    span, samples = end - begin, len(results.outputs)
    clock_hz = program.soc.clock_mhz * 1e6
    alone = [round(sum(cycles) / len(cycles)) for cycles in account["alone"]]
    rows, of_sample = [], {}
    for number, tile in enumerate(account["tiles"]):
        rows.append(row_of(number, tile, alone[results.kind_of[number]], begin, span))
        of_sample.update(dict.fromkeys(tile["samples"], number))
    used = [row for row in rows if row["samples"]]
    alone_s = sum(row["alone_cycles"] * len(row["samples"]) for row in used) / samples
    reads = sum(row["dram"]["reads"] for row in rows)
    waited = sum(row["dram"]["waited_for_tiles"] for row in rows)
    own = sum(cycles for row in used for cycles in row["cycles"]) / samples
    best = min(alone)
    moved = sum(row["dram"]["read_bytes"] + row["dram"]["written_bytes"] for row in rows)
    return {
        "count": len(rows),
        "each": rows,
        "of_sample": [of_sample[index] for index in range(samples)],
        "in_flight": in_flight,
        "samples_per_s": round(samples * clock_hz / span, 3) if span else 0.0,
        "speed_up": round(best * samples / span, 4) if span else 0.0,
        "alone_cycles": best,
        "sample_cycles": round(own),
        "slow_down": round(own / alone_s, 4) if alone_s else 0.0,
        "dram": {
            "mb_per_s": round(moved * clock_hz / span / 1e6, 1) if span else 0.0,
            "wait_per_read": round(waited / reads, 3) if reads else 0.0,
        },
    }


def row_of(
    number: int, tile: dict[str, Any], alone: int, begin: int, span: int
) -> dict[str, Any]:
    """One tile; its engines over the time of the whole run."""
    dram = tile["dram"]
    engines = {}
    for name, engine in tile["engines"].items():
        totals = EngineTotals()
        if tile["samples"]:
            totals.add(engine)
        totals.idle = span - totals.busy - totals.stall.total()
        engines[name] = totals.record()
    used = bool(tile["samples"])
    spans = sorted(zip(tile["begins"], tile["ends"], strict=True))
    return {
        "tile": number,
        "samples": tile["samples"],
        "begins": [at - begin for at in tile["begins"]],
        "cycles": [end - at for at, end in zip(tile["begins"], tile["ends"], strict=True)],
        "busy_cycles": covered(spans) if used else 0,
        "alone_cycles": alone,
        "engines": engines,
        "dram": {
            "reads": dram["reads"],
            "read_bytes": dram["bytes_read"],
            "written_bytes": dram["bytes_written"],
            "waited_for_tiles": dram["waited_for_tiles"],
        },
    }


def covered(spans: list[tuple[int, int]]) -> int:
    """Cycles in at least one of them; in the order of their begins."""
    total, upto = 0, 0
    for begin, end in spans:
        total += max(0, end - max(begin, upto))
        upto = max(upto, end)
    return total


def merged_kernels(tiles: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What the DSPs of all tiles did, kernel by kernel."""
    every = [kernel for tile in tiles for kernel in tile["kernels"]]
    merged = {kernel["name"]: dict(kernel) for kernel in reversed(every)}
    for name, known in merged.items():
        same = [kernel for kernel in every if kernel["name"] == name]
        for key in ("calls", "cycles", "instructions", "elements"):
            known[key] = sum(k[key] for k in same)
        causes: Counter[str] = Counter()
        tags: dict[int, list[int]] = {}
        for k in same:
            causes.update(k["causes"])
            for tag, calls, cycles in k["tags"]:
                sums = tags.setdefault(tag, [0, 0])
                sums[0] += calls
                sums[1] += cycles
        known["causes"] = dict(causes)
        known["tags"] = [[tag, *sums] for tag, sums in tags.items()]
        known["profile"] = None
    return [merged[name] for name in dict.fromkeys(kernel["name"] for kernel in every)]
