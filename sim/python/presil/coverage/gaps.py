"""What is missing, and what would show it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .bins import GROUPS, KINDS, Bin, bins_of, engines_with_bins
from .hits import Hits


@dataclass(frozen=True)
class Gap:
    """A bin that nothing has shown. kind: how the engine would have to run."""

    bin: Bin
    kind: str

    def record(self) -> dict[str, Any]:
        bin = self.bin
        return {
            "engine": bin.engine,
            "kind": self.kind,
            "group": bin.group,
            "subject": bin.subject,
            "value": bin.value,
            "meaning": bin.meaning,
            "stimulus": bin.stimulus,
        }


@dataclass(frozen=True)
class Row:
    """A group of an engine's bins: how many need be seen, and how many were."""

    engine: str
    group: str
    kind: str
    bins: int
    seen: int
    excused: int


def rows(hits: Hits, kinds: tuple[str, ...] = KINDS) -> list[Row]:
    found = []
    for engine in engines_with_bins():
        for kind in kinds:
            for group in GROUPS:
                every = [bin for bin in bins_of(engine) if bin.group == group]
                needed = [bin for bin in every if bin.needed(kind)]
                seen = sum(hits.seen(engine, bin.name, kind) > 0 for bin in needed)
                if needed:
                    excused = len(every) - len(needed)
                    found.append(Row(engine, group, kind, len(needed), seen, excused))
    return found


def percent(hits: Hits, kinds: tuple[str, ...] = KINDS) -> float:
    """Of the bins that need be seen, those that were."""
    every = rows(hits, kinds)
    needed = sum(row.bins for row in every)
    return 100 * sum(row.seen for row in every) / needed if needed else 100.0


def gaps(hits: Hits, kinds: tuple[str, ...] = KINDS) -> list[Gap]:
    """In the order of engines and groups."""
    return [
        Gap(bin, kind)
        for engine in engines_with_bins()
        for kind in kinds
        for bin in bins_of(engine)
        if bin.needed(kind) and not hits.seen(engine, bin.name, kind)
    ]
