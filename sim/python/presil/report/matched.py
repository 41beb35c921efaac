"""The same layer in several runs."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

Row = dict[str, Any]
Slot = list[Row | None]


def worked(layers: list[Row]) -> list[Row]:
    """Without those that are no work, views of others' bytes."""
    return [layer for layer in layers if layer["cycles"] or layer["commands"]]


def matched(runs: list[list[Row]]) -> list[Slot]:
    """A slot for every layer, with its row in each run; None: the run has no such layer.

    First by name, where equal names stay in their order, then by the operators of the network that
    it computes. Slots are in the order of the first run; what it lacks follows in the order of the
    run that has it.
    """
    slots: list[Slot] = []
    for at, rows in enumerate(runs):
        left = list(rows)
        for key in (name_of, source_of):
            left = join(slots, left, at, key)
        for row in left:
            slots.append([None] * at + [row])
        for slot in slots:
            slot.extend([None] * (at + 1 - len(slot)))
    return slots


def name_of(row: Row) -> Hashable:
    return row["name"]


def source_of(row: Row) -> Hashable:
    """None, which matches nothing: a layer of no operator of the file."""
    return tuple(row["source_ops"]) or None


def join(slots: list[Slot], rows: list[Row], at: int, key: Callable[[Row], Hashable]) -> list[Row]:
    """Puts rows into the first free slot of their key; returns those that found none."""
    free: dict[Hashable, list[Slot]] = {}
    for slot in slots:
        if len(slot) == at:
            for known in dict.fromkeys(key(row) for row in slot if row is not None):
                free.setdefault(known, []).append(slot)
    left = []
    for row in rows:
        places = [s for s in free.get(key(row), ()) if len(s) == at] if key(row) else []
        if places:
            places[0].append(row)
        else:
            left.append(row)
    return left
