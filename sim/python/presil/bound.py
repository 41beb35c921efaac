"""What limits a layer: what would shorten its own time.

A layer's own time runs from the cycle in which its first operands could have been there to its end.
Both are ends of commands, and each has a critical path: from the command back, always to what it
waited for last. What the path to the end holds more than the path to the start is where the own
time went. The rules in words are in models/common/README.md, "What limits a layer".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from . import contract
from .engines import engine_waits, queue_engines, signaller_of


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
    Limit("dram_latency", "dram", "latency of the DRAM, as few reads are outstanding"),
    Limit("dram_row", "dram", "rows closed and opened, turnarounds and refresh of the DRAM"),
    Limit("sram", "sram", "ports and banks of the SRAM"),
    Limit("dma", "dma", "the DMA itself: issue, margins, its ports"),
    Limit("dsp", "dsp", "the DSP at work"),
    Limit("host", "host", "the host at work"),
    Limit("engine", "engine", "an engine from outside at work"),
    Limit("sync", "sync", "handshakes, fetch of commands, producers of other layers"),
)
NAMES = tuple(limit.name for limit in LIMITS)
GROUPS = {limit.name: limit.group for limit in LIMITS}

CYCLES_COMPLETE_TO_MET = 2
"""From the end of a command to the wait that its signal meets (models/sync)."""

# What an engine's own causes say; those of the DMA are in of_dma.
CAUSES: dict[str, dict[str, str]] = {
    "dla": {
        "run": "array",  # and lanes
        "start": "fill",
        "post": "post",
        "feature_bank": "sram",
        "weights": "sram",
    },
    "dsp": {"far_load": "sram", "sram_bank": "sram"},
    "host": {},
}
OUTSIDE = {"sram_bank": "sram", "sram_port": "sram", "fetch": "sync"}
REST = {"dla": "sync", "dsp": "dsp", "host": "host"}
# Engines whose layers may have a limit of an engine's own work.
ENGINE_LIMITS = {
    **dict.fromkeys(("array", "lanes", "fill", "post"), ("dla",)),
    "sram": ("dla", "dsp"),
    "dsp": ("dsp",),
    "host": ("host",),
    "engine": (),
}
OF_OUTSIDE = ("sram", "engine")
"""Those that layers of an engine from outside may have."""
DMA_CAUSES = {
    **dict.fromkeys(("dram_row", "dram_turnaround", "dram_refresh"), "dram_row"),
    "read_credit": "dram_latency",
}

Filled = tuple[int, int]
"""Of a layer's lanes those that work: as many of so many."""


Cycles = dict[str, int]
"""By the name of a limit."""


def of_dma(record: Mapping[str, Any]) -> Cycles:
    """A DMA command's cycles without its waits: what the DMA did, or waited for."""
    limits: Cycles = {}
    paced = record.get("dram_paced", {})
    for cause, cycles in record["causes"].items():
        if ":" in cause:
            continue
        by_bus = paced.get(cause, 0)
        rest = DMA_CAUSES.get(cause, "dma")
        if by_bus:
            limits["dram"] = limits.get("dram", 0) + by_bus
        if cycles > by_bus:
            limits[rest] = limits.get(rest, 0) + cycles - by_bus
    return limits


def of_engine(record: Mapping[str, Any], engine: str, filled: Filled) -> Cycles:
    """A command of any engine but the DMA, without its waits. filled: lanes that work."""
    limits: Cycles = {}
    own, other = CAUSES.get(engine, OUTSIDE), REST.get(engine, "engine")
    for cause, cycles in record["causes"].items():
        if ":" not in cause:
            limit = own.get(cause, other)
            if cause == "own_dma" and record["dram_read"] + record["dram_written"]:
                limit = "dram"  # a program's own copies
            limits[limit] = limits.get(limit, 0) + cycles
    if "array" in limits:
        run = limits["array"]
        limits["array"] = run * filled[0] // filled[1]
        limits["lanes"] = run - limits["array"]
    return limits


def scaled(limits: Cycles, cycles: int) -> Cycles:
    """The same shares of fewer cycles, whole ones that add up exactly."""
    total = sum(limits.values())
    if total == cycles:
        return limits
    shares = {name: n * cycles // total for name, n in limits.items()}
    by_rest = sorted(limits, key=lambda name: (-(limits[name] * cycles % total), name))
    for name in by_rest[: cycles - sum(shares.values())]:
        shares[name] += 1
    return shares


class Own(NamedTuple):
    """A layer's own time."""

    start: int = 0
    cycles: int = 0
    limits: Mapping[str, int] = {}

    def record(self) -> dict[str, Any]:
        limits = {name: self.limits[name] for name in NAMES if self.limits.get(name)}
        detail = max(limits, key=lambda name: limits[name], default="sync")
        return {
            "own_cycles": self.cycles,
            "limits": limits,
            "bound_detail": detail,
            "bound": GROUPS[detail],
        }


class CriticalPaths:
    """The commands of one job with their times, their waits, and by that the path to the
    end of each: how many cycles since the job's begin each limit has on it."""

    def __init__(
        self,
        records: Iterable[Mapping[str, Any]],
        waits: Sequence[Sequence[int]],
        begin: int,
        layer_of: Sequence[int] = (),
        filled: Mapping[int, Filled] | None = None,
    ) -> None:
        """records: in the order of their ends. waits: by tag, for each wait the tag that meets it,
        -1 for none. begin: of the job. layer_of: by tag. filled: by layer, the share of the DLA's
        lanes that work."""
        self._waits, self._begin, self._engines = waits, begin, queue_engines()
        self._record: dict[int, Mapping[str, Any]] = {}
        self._before: dict[int, int | None] = {}
        self._path: dict[int | None, Cycles] = {None: {}}
        filled = filled or {}
        last: dict[int, int] = {}
        for record in records:
            tag, queue = record["tag"], record["queue"]
            self._record[tag] = record
            self._before[tag] = last.get(queue)
            last[queue] = tag
            of_layer = filled.get(layer_of[tag] if layer_of else -1, (1, 1))
            self._path[tag] = self._to_end(record, of_layer)

    def own(self, engine: str, commands: Sequence[Mapping[str, Any]]) -> Own:
        """commands: a layer's on its engine, in the order of their ends."""
        if not commands:
            return Own()
        last = max(commands, key=lambda record: record["end"])
        firsts: dict[int, int] = {}  # of each queue: there are several where the engine is the DMA
        for command in commands:
            firsts.setdefault(command["queue"], command["tag"])
        start = min((self._could_begin(tag) for tag in firsts.values()), key=self._end)
        cycles = last["end"] - self._end(start)
        more = dict(self._path[last["tag"]])
        for name, n in self._path[start].items():
            more[name] = more.get(name, 0) - n
        own = OF_OUTSIDE if engine not in contract.ENGINES else ()
        for name, engines in ENGINE_LIMITS.items():
            if engine not in engines and name not in own:  # another engine's work is a producer's
                more["sync"] = more.get("sync", 0) + more.pop(name, 0)
        more = {name: n for name, n in more.items() if n > 0}
        return Own(self._end(start), cycles, scaled(more, cycles))

    def _end(self, tag: int | None) -> int:
        """None: the job's begin."""
        return self._begin if tag is None else max(self._begin, self._record[tag]["end"])

    def _could_begin(self, tag: int) -> int | None:
        """The command whose end this one had to wait for at least: the last of its queue, or of
        the engines that make its operands. What the DMA does between them and this command is
        this layer's time."""
        start = self._before[tag]
        seen, left = {tag}, [tag]
        while left:
            for producer in self._producers(left.pop()):
                if producer in seen:
                    continue
                seen.add(producer)
                if self._engines[self._record[producer]["queue"]] == "dma":
                    left.append(producer)
                else:
                    start = max(start, producer, key=self._end)
        return start

    def _producers(self, tag: int) -> list[int]:
        """Those that are over when the command ends."""
        waits = self._waits[tag] if tag < len(self._waits) else ()
        return [producer for producer in waits if producer in self._record]

    def _waited_for(self, record: Mapping[str, Any]) -> list[int]:
        """Of its producers those that it has stood still for."""
        tag, causes, engine = record["tag"], record["causes"], self._engines[record["queue"]]
        held: list[int] = []
        if not any(":" in cause for cause in causes):
            return held
        for wait, producer in enumerate(self._waits[tag] if tag < len(self._waits) else ()):
            if producer not in self._path:
                continue
            field = engine_waits(engine)[wait]
            group = field if field in contract.WAIT_GROUPS else "wait"
            by = signaller_of(self._engines[self._record[producer]["queue"]])
            if causes.get(f"{group}:{by}"):
                held.append(producer)
        return held

    def _to_end(self, record: Mapping[str, Any], filled: Filled) -> Cycles:
        """The path to what the command waited for last, and its own cycles since then."""
        engine = self._engines[record["queue"]]
        held = self._waited_for(record)
        cause = max([self._before[record["tag"]], *held], key=self._end)
        since = self._end(cause)
        idle = max(record["offered"] - since, CYCLES_COMPLETE_TO_MET if cause in held else 0)
        cycles = record["end"] - since
        work = of_dma(record) if engine == "dma" else of_engine(record, engine, filled)
        worked = min(max(0, cycles - idle), sum(work.values()))
        path = self._path[cause].copy()
        for name, n in scaled(work, worked).items():
            path[name] = path.get(name, 0) + n
        rest = cycles - worked
        if engine == "host" and rest > idle:  # it is told by an interrupt, which is its own time
            path["host"] = path.get("host", 0) + rest - idle
            rest = idle
        path["sync"] = path.get("sync", 0) + rest
        return path
