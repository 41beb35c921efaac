"""What limits a layer: what would shorten its own time.

A layer's own time runs from the cycle in which its first operands could have been there to its end.
It is split along the critical path: from the layer's last command back, each time to what that
command waited for last. The rules in words are in models/common/README.md, "What limits a layer".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple


class Limit(NamedTuple):
    """A name of `limits`, the word of `bound` that stands for it, and what it says."""

    name: str
    group: str
    sentence: str


LIMITS: tuple[Limit, ...] = (
    Limit("array", "compute", "multiply-accumulate units at work"),
    Limit("lanes", "compute", "array cycles lost to lanes without a channel or pixel"),
    Limit("fill", "compute", "start-up and drain of the array"),
    Limit("post", "compute", "post-processing: requantisation and element-wise operands"),
    Limit("dram", "dram", "bandwidth of the DRAM"),
    Limit("dram_latency", "dram", "latency of the DRAM, with the read bursts that may be outstanding"),
    Limit("dram_row", "dram", "rows closed and opened, turnarounds and refresh of the DRAM"),
    Limit("sram", "sram", "ports and banks of the SRAM"),
    Limit("dma", "dma", "the DMA itself: issue, margins, its ports"),
    Limit("dsp", "dsp", "the DSP at work"),
    Limit("host", "host", "the host at work"),
    Limit("sync", "sync", "handshakes, fetch of commands, producers of other layers"),
)
NAMES = tuple(limit.name for limit in LIMITS)
GROUPS = {limit.name: limit.group for limit in LIMITS}

QUEUES = ("dla", "dsp", "host", "dma0", "dma1", "dma2", "dma3", "dma4", "dma5", "dma6", "dma7")
ENGINES = tuple(queue.rstrip("01234567") for queue in QUEUES)

CYCLES_COMPLETE_TO_MET = 2
"""From the end of a command to the wait that its signal meets (models/sync)."""

DLA_WAITS = ("wait_in", "wait_weights", "wait_out")

# What an engine's own causes say; those of the DMA are in of_dma.
CAUSES: dict[str, dict[str, str]] = {
    "dla": {
        "run": "array",  # split off: lanes
        "start": "fill",
        "post": "post",
        "feature_bank": "sram",
        "weights": "sram",
    },
    "dsp": {"far_load": "sram", "sram_bank": "sram"},
    "host": {},
}
REST = {"dla": "sync", "dsp": "dsp", "host": "host"}
DMA_ROWS = ("dram_row", "dram_turnaround", "dram_refresh")


def of_dma(record: Mapping[str, Any]) -> Counter[str]:
    """A DMA command's cycles without its waits: what the DMA did, or waited for."""
    limits: Counter[str] = Counter()
    paced = record.get("dram_paced", {})
    for cause, cycles in record["causes"].items():
        if cause.startswith("wait:"):
            continue
        by_bus = paced.get(cause, 0)
        rest = "dram_row" if cause in DMA_ROWS else "dma"
        if cause == "read_credit":
            rest = "dram_latency"
        limits["dram"] += by_bus
        limits[rest] += cycles - by_bus
    return limits


def of_engine(record: Mapping[str, Any], engine: str) -> Counter[str]:
    """A command of the DLA, the DSP or the host, without its waits."""
    limits: Counter[str] = Counter()
    for cause, cycles in record["causes"].items():
        if ":" in cause:
            continue
        limits[CAUSES[engine].get(cause, REST[engine])] += cycles
    return limits


def scaled(limits: Counter[str], cycles: int) -> Counter[str]:
    """The same shares of fewer cycles, whole ones that add up exactly."""
    total = limits.total()
    if total == cycles:
        return limits
    floors = Counter({name: n * cycles // total for name, n in limits.items()})
    by_rest = sorted(limits, key=lambda name: (-(limits[name] * cycles % total), name))
    for name in by_rest[: cycles - floors.total()]:
        floors[name] += 1
    return floors


@dataclass
class Own:
    """A layer's own time."""

    start: int = 0
    cycles: int = 0
    limits: Counter[str] | None = None

    def record(self) -> dict[str, Any]:
        limits = {name: self.limits[name] for name in NAMES if self.limits and self.limits[name]}
        detail = max(limits, key=lambda name: limits[name], default="sync")
        return {
            "own_cycles": self.cycles,
            "limits": limits,
            "bound_detail": detail,
            "bound": GROUPS[detail],
        }


class CriticalPath:
    """The commands of one job with their times, and who waited for whom."""

    def __init__(
        self,
        records: Iterable[Mapping[str, Any]],
        waits: Sequence[Sequence[int]],
        layer_of: Mapping[int, int] | Sequence[int],
        begin: int,
    ) -> None:
        """records: in the order of their ends. waits: by tag, for each wait the tag that meets it or
        -1. layer_of: by tag. begin: of the job."""
        self._waits, self._layer_of, self._begin = waits, layer_of, begin
        self._record: dict[int, Mapping[str, Any]] = {}
        self._before: dict[int, int | None] = {}
        last: dict[int, int] = {}
        for record in records:
            tag, queue = record["tag"], record["queue"]
            self._record[tag] = record
            self._before[tag] = last.get(queue)
            last[queue] = tag

    def own(self, layer: int, engine: str, commands: Sequence[Mapping[str, Any]]) -> Own:
        """commands: the layer's on its engine, in the order of their ends."""
        if not commands:
            return Own()
        last = max(commands, key=lambda record: record["end"])
        start = min(self._could_begin(command["tag"]) for command in self._firsts(commands))
        limits = self._walk(last, start, layer, engine)
        return Own(start, last["end"] - start, limits)

    @staticmethod
    def _firsts(commands: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
        """The first of each queue; there are several where the engine is the DMA."""
        firsts: dict[int, Mapping[str, Any]] = {}
        for command in commands:
            firsts.setdefault(command["queue"], command)
        return list(firsts.values())

    def _could_begin(self, tag: int) -> int:
        """Its queue is free, and the engines that make its operands are done: what the DMA does
        between them and this command is this layer's time."""
        before = self._before[tag]
        start = self._begin if before is None else max(self._begin, self._record[before]["end"])
        seen, left = {tag}, [tag]
        while left:
            for producer in self._producers(left.pop()):
                if producer in seen:
                    continue
                seen.add(producer)
                record = self._record[producer]
                if ENGINES[record["queue"]] == "dma":
                    left.append(producer)
                else:
                    start = max(start, record["end"])
        return min(start, self._record[tag]["end"])

    def _producers(self, tag: int) -> list[int]:
        waits = self._waits[tag] if tag < len(self._waits) else ()
        return [producer for producer in waits if producer in self._record]

    def _waited_for(self, tag: int) -> list[int]:
        """Of its producers those that it has stood still for."""
        record = self._record[tag]
        causes, engine = record["causes"], ENGINES[record["queue"]]
        held = []
        for wait, producer in enumerate(self._waits[tag] if tag < len(self._waits) else ()):
            if producer not in self._record:
                continue
            group = DLA_WAITS[wait] if engine == "dla" else "wait"
            if causes.get(f"{group}:{ENGINES[self._record[producer]['queue']]}"):
                held.append(producer)
        return held

    def _walk(
        self, last: Mapping[str, Any], start: int, layer: int, engine: str
    ) -> Counter[str]:
        limits: Counter[str] = Counter()
        at: Mapping[str, Any] | None = last
        now = last["end"]
        while at is not None and now > start:
            tag = at["tag"]
            before = self._before[tag]
            held = self._waited_for(tag)
            candidates = ([] if before is None else [before]) + held
            cause = max(candidates, key=lambda t: self._record[t]["end"], default=None)
            since = self._begin if cause is None else self._record[cause]["end"]
            handshake = CYCLES_COMPLETE_TO_MET if cause in held else 0
            handshake = max(handshake, at["offered"] - since)
            self._add(limits, at, layer, engine, max(since, start), now, since + handshake)
            now, at = min(now, since), None if cause is None else self._record[cause]
        limits["sync"] += max(0, now - start)
        return limits

    def _add(
        self,
        limits: Counter[str],
        record: Mapping[str, Any],
        layer: int,
        engine: str,
        since: int,
        until: int,
        working: int,
    ) -> None:
        """Cycles since .. until of the path, spent on one command, which works from `working` on."""
        if until <= since:
            return
        queue = ENGINES[record["queue"]]
        own = queue == engine and self._layer_of[record["tag"]] == layer
        if queue == "dma":
            work = of_dma(record)
        elif own:
            work = of_engine(record, queue)
        else:
            work = Counter()
        cycles = min(until - max(since, working), work.total())
        if cycles > 0:
            limits.update(scaled(work, cycles))
            limits["sync"] += until - since - cycles
        else:
            limits["sync"] += until - since


def split_lanes(own: Own, run: int, macs: int, peak: int) -> None:
    """Of the array's cycles those that its work would take with every lane at work stay `array`.

    run: cycles in which the array took a step, of the whole layer; peak: MACs per cycle."""
    if not own.limits or not run or not macs or not peak:
        return
    array = own.limits["array"]
    lanes = array - min(array, round(array * macs / (run * peak)))
    own.limits["array"] -= lanes
    own.limits["lanes"] += lanes
