"""What engines and DRAM have done, counted: from the simulator's account to the record.

Counts are whole numbers, so that sums over layers, engines and bins of time agree exactly.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from .engines import queue_engines, queue_names

BINS = 64
"""Of the first sample's time, at most."""

Counts = Counter[tuple[str, str]]
"""By component and action."""


def of_command(actions: dict[str, int], engine: str, macs_k: int) -> Counts:
    """Of one command, or of all of a queue. macs_k: accumulators that a step of the array uses."""
    counts: Counts = Counter()
    busy = actions.get("busy", 0)

    def add(component: str, action: str, count: int) -> None:
        if count:
            counts[component, action] += count

    add("array", "macs", actions.get("macs", 0))
    add("array", "wide_macs", actions.get("wide_macs", 0))
    if engine == "dla":
        add("array", "accumulations", busy * macs_k)
    add("sram", "read", actions.get("sram_read", 0))
    add("sram", "written", actions.get("sram_written", 0))
    add("noc", "bytes", actions.get("dram_read", 0) + actions.get("dram_written", 0))
    add("dsp", "instructions", actions.get("instructions", 0))
    add("dsp", "elements", actions.get("elements", 0))
    if engine not in ("dla", "dma", "dsp"):
        add(engine, "busy_cycles", busy)
    return counts


def counted(counts: Counts) -> dict[str, dict[str, int]]:
    """As a record has them."""
    found: dict[str, dict[str, int]] = {}
    for (component, action), count in sorted(counts.items()):
        if count:
            found.setdefault(component, {})[action] = count
    return found


def counts_of(recorded: dict[str, dict[str, int]]) -> Counts:
    """The other way round."""
    return Counter({(c, a): n for c, row in recorded.items() for a, n in row.items()})


def shares(total: int, weights: list[int]) -> list[int]:
    """A whole number cut in proportion; the parts add up to it. Where all weigh nothing, the last
    has it."""
    if not weights:
        return []
    parts, before, seen, every = [], 0, 0, sum(weights)
    for i, weight in enumerate(weights):
        seen += weight
        upto = total * seen // every if every else (total if i + 1 == len(weights) else 0)
        parts.append(upto - before)
        before = upto
    return parts


class ActionTotals:
    """Counts of all samples by engine, and of the DRAM."""

    def __init__(self, macs_k: int = 16) -> None:
        self.macs_k = macs_k
        self.engines: dict[str, Counts] = {}
        self.dram: Counts = Counter()

    def add(self, account: dict[str, Any]) -> None:
        self.add_tile(account, self.macs_k)
        self.add_dram(account)

    def add_tile(self, account: dict[str, Any], macs_k: int) -> None:
        """What its engines did."""
        engines = queue_engines()
        for number, actions in account["actions"].items():
            queue = int(number)
            found = of_command(actions, engines[queue], macs_k)
            if found:
                self.engines.setdefault(engines[queue], Counter()).update(found)

    def add_dram(self, account: dict[str, Any]) -> None:
        self.dram.update({("dram", name): n for name, n in account["dram_actions"].items()})

    def record(self) -> dict[str, Any]:
        engines = {name: counted(counts) for name, counts in sorted(self.engines.items())}
        return {"engines": engines, "dram": counted(self.dram).get("dram", {})}


def first_sample(
    commands: list[dict[str, Any]], layers: int, account: dict[str, Any], macs_k: int
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """By layer, and over time, of the first sample.

    What the DRAM did is shared out in proportion to the bytes that layers and bins moved over it;
    its refreshes in proportion to time alone, so no layer has them.
    """
    names, engines = queue_names(), queue_engines()
    engine_of = dict(zip(names, engines, strict=True))
    by_layer: list[Counts] = [Counter() for _ in range(layers)]
    begin, end = account["begin"], max(account["end"], account["begin"] + 1)
    width = -(-(end - begin) // BINS)
    bins: list[Counts] = [Counter() for _ in range(-(-(end - begin) // width))]
    for command in commands:
        engine = engine_of[command["queue"]]
        counts = of_command(command["actions"], engine, macs_k)
        by_layer[command["layer"]].update(counts)
        first = max(command["start"], begin) - begin
        last = max(min(command["end"], end) - begin, first + 1)
        touched = range(first // width, min((last - 1) // width, len(bins) - 1) + 1)
        weights = [min(last, (b + 1) * width) - max(first, b * width) for b in touched]
        for key, count in counts.items():
            for b, part in zip(touched, shares(count, weights)):
                bins[b][key] += part
    dram = account["dram_actions"]
    for places in (by_layer, bins):
        moved = [counts["noc", "bytes"] for counts in places]
        for action in ("activates", "bytes_read", "bytes_written"):
            for counts, part in zip(places, shares(dram[action], moved)):
                counts["dram", action] += part
    for counts, part in zip(bins, shares(dram["refreshes"], [width] * len(bins))):
        counts["dram", "refreshes"] += part
    over_time = {
        "begin": begin,
        "cycles": end - begin,
        "bin_cycles": width,
        "bins": [counted(counts) for counts in bins],
    }
    return [counted(counts) for counts in by_layer], over_time
