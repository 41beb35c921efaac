"""What there is to decide in a network's plan: the search space of `presil tune`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from .decisions import Decisions

AHEAD = (0, 1, 2, 4, 8, 16)
MOST_PARTS = 8
"""A layer's rows, columns or blocks are cut into so many parts at most, or into single ones."""
AUTO = None
"""The planner's own choice."""
Choice = Any


@dataclass(frozen=True)
class Space:
    """By parameter its choices, AUTO first. A parameter is ("prefetch", ""), ("tilings", layer) or
    ("kept", buffer)."""

    choices: dict[tuple[str, str], list[Choice]]

    def decisions(self, chosen: dict[tuple[str, str], int]) -> Decisions:
        """Of indices of choices; what is left out is the planner's."""
        made: Decisions = {"tilings": {}, "kept": {}}
        for (kind, name), index in chosen.items():
            value = self.choices[kind, name][index]
            if value is AUTO:
                continue
            if kind == "prefetch":
                made[kind] = value
            else:
                made[kind][name] = value
        return made

    @property
    def size(self) -> int:
        """Combinations."""
        total = 1
        for values in self.choices.values():
            total *= len(values)
        return total

    def all(self) -> Iterator[dict[tuple[str, str], int]]:
        """Every combination."""
        keys = list(self.choices)

        def rest(k: int) -> Iterator[dict[tuple[str, str], int]]:
            if k == len(keys):
                yield {}
                return
            for tail in rest(k + 1):
                for index in range(len(self.choices[keys[k]])):
                    yield {keys[k]: index, **tail}

        yield from rest(0)


def space_of(decided: Decisions, layers: list[str]) -> Space:
    """Of a plan (`Program.decisions`): prefetch, the tilings of the given layers, and where their
    buffers are."""
    most = len(decided["tilings"])
    ahead = [n for n in AHEAD if n <= most and n != decided["prefetch"]]
    choices: dict[tuple[str, str], list[Choice]] = {("prefetch", ""): [AUTO, *ahead]}
    for name in layers:
        if name in decided["tilings"]:
            own = decided["tilings"][name]
            others = [t for t in tilings(decided["extents"][name], own) if t != own]
            choices["tilings", name] = [AUTO, *others]
        for buffer in (name, f"{name}/input"):
            if buffer in decided["kept"]:
                choices["kept", buffer] = [AUTO, not decided["kept"][buffer]]
    return Space(choices)


def tilings(extents: dict[str, int], own: dict[str, Any]) -> list[dict[str, Any]]:
    """Tilings that a layer may have; the compiler refuses those that it does not."""
    columns = sorted({own["columns"], *sizes(own["columns"], 4)}, reverse=True)
    inner = [0, *sizes(extents["in_blocks"], 4)[1:]]
    return [
        {
            "rows": rows,
            "columns": wide,
            "blocks": blocks,
            "blocks_outer": outer,
            "depth": depth,
            "in_blocks": part,
        }
        for part in inner
        for rows in sizes(extents["rows"])
        for wide in columns
        for blocks in sizes(extents["blocks"])
        for outer in (True, False)
        for depth in (2, 1)
        if part == 0 or rows == 1 or wide == columns[0]
    ]


def sizes(whole: int, most: int = MOST_PARTS) -> list[int]:
    """The largest part where it is cut into 1, 2, .. `most` nearly equal ones, and 1."""
    found = [-(-whole // parts) for parts in range(1, most + 1)]
    return sorted({*found, 1}, reverse=True)
