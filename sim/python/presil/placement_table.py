"""Where operators run and why, for people: all, or of many those of equal reason together."""

from __future__ import annotations

from typing import Any

from rich.console import Console

from .fit import Cell, Column, print_table
from .layers_table import MANY, engine_text
from .table import names_text

EACH = (
    Column("op", least=12),
    Column("engine"),
    Column("name", least=16),
    Column("why", least=20, wrap=True),
)
TOGETHER = (
    Column("ops", right=True),
    Column("op", least=12),
    Column("engine"),
    Column("why", least=30, wrap=True),
    Column("names", least=24, wrap=True, drop=1),
)


def reason_of(placement: dict[str, Any]) -> str:
    """Without the name of the layer that it is part of, by which equal reasons differ."""
    return str(placement["reason"]).replace(f" '{placement.get('into_layer', '')}'", "")


def print_placement(out: Console, placement: list[dict[str, Any]], every: bool = False) -> None:
    """every: a row each also of a network of many operators."""
    if every or len(placement) <= MANY:
        rows: list[list[Cell]] = [
            [p["op"], engine_text(p["engine"]), p["name"], p["reason"]] for p in placement
        ]
        print_table(out, EACH, rows)
        return
    groups: dict[tuple[str, str, str], list[str]] = {}
    for p in placement:
        groups.setdefault((p["engine"], p["op"], reason_of(p)), []).append(p["name"])
    ranked = sorted(groups.items(), key=lambda item: (item[0][0], -len(item[1])))
    together: list[list[Cell]] = [
        [str(len(names)), op, engine_text(engine), why, names_text(names)]
        for (engine, op, why), names in ranked
    ]
    print_table(out, TOGETHER, together)
    out.print()
    out.print(f"{len(placement)} operators, those of equal reason together; --layers shows all")
