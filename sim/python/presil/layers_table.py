"""The layers of a run for people: all, or of many the costliest and what they sum up to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rich.console import Console
from rich.text import Text

from .fit import Cell, Column, print_table

ENGINE_STYLES = {"dla": "cyan", "host": "yellow", "dma": "magenta"}

MANY = 30
"""Layers, or operators, of which a screen still shows every one."""
COSTLIEST = 10
"""How many of more are shown."""
MOST_KINDS = 12
"""Operators with a total of their own."""

# From the right: what explains goes first, what the run is about stays.
COLUMNS = (
    Column("#", right=True, style="dim"),
    Column("layer", least=16),
    Column("op", least=12, between="+", drop=1),
    Column("engine", drop=2),
    Column("cycles", right=True),
    Column("bound", drop=3),
    Column("exact", drop=4),
    Column("MAC/cycle", right=True, drop=5),
    Column("DRAM", right=True, drop=6),
    Column("stalls", least=16, drop=7),
)
LEFT_OUT = ", ".join(c.title for c in sorted(COLUMNS, key=lambda c: -c.drop) if c.drop)
"""Titles in the order in which a narrow terminal loses them."""

HELP = (
    "Numbers are never cut: a terminal (or COLUMNS) too narrow for the table of layers loses its "
    f"columns in the order {LEFT_OUT}. Of more than {MANY} layers the {COSTLIEST} costliest are "
    "shown, with totals; --layers shows all."
)


def number(value: int) -> str:
    return f"{value:,}"


def size(count: int) -> str:
    """Bytes for people."""
    if count < 10_000:
        return f"{count} B"
    if count < 10_000_000:
        return f"{count / 1024:.0f} KiB"
    return f"{count / 1048576:.1f} MiB"


def stall_items(causes: dict[str, int], total: int, most: int = 3) -> list[str]:
    """The largest causes with their share of the layer's cycles."""
    ranked = sorted(causes.items(), key=lambda item: -item[1])
    shown = [f"{c.replace('_', ' ')} {100 * n / total:.0f}%" for c, n in ranked if 100 * n >= total]
    return shown[:most]


def stalls(causes: dict[str, int], total: int, most: int = 3) -> str:
    return ", ".join(stall_items(causes, total, most))


def mark(exact: bool | None) -> Text:
    if exact is None:
        return Text("–", style="dim")
    return Text("✓", style="green") if exact else Text("✗", style="bold red")


def engine_text(engine: str) -> Text:
    return Text(engine, style=ENGINE_STYLES.get(engine, ""))


def bound_text(layer: dict[str, Any]) -> str:
    """ "compute: lanes"; the group alone where that is all there is to say."""
    bound, detail = layer["bound"], layer.get("bound_detail")
    if not detail or detail == bound:
        return str(bound)
    return f"{bound}: {str(detail).removeprefix(f'{bound}_').replace('_', ' ')}"


def layer_row(layer: dict[str, Any]) -> list[Cell]:
    cycles = layer["cycles"]
    moved = layer["read_bytes"] + layer["written_bytes"]
    total = layer["busy"] + sum(layer["stall"].values())
    return [
        str(layer["index"]),
        layer["name"],
        layer["op"].split("+"),
        engine_text(layer["engine"]),
        number(cycles),
        bound_text(layer),
        mark(layer["exact"]),
        f"{layer['macs'] / cycles:.0f}" if layer["macs"] and cycles else "",
        size(moved) if moved else "",
        stall_items(layer["stall"], total) if total else "",
    ]


def layers_that_ran(record: dict[str, Any]) -> list[dict[str, Any]]:
    return [layer for layer in record["layers"] if layer["cycles"] or layer["commands"]]


def totals_of(
    layers: Sequence[dict[str, Any]], key: Callable[[dict[str, Any]], str], most: int
) -> list[tuple[str, int, int]]:
    """What, how many layers, their cycles: the costliest first, the rest as one."""
    found: dict[str, tuple[int, int]] = {}
    for layer in layers:
        count, cycles = found.get(key(layer), (0, 0))
        found[key(layer)] = (count + 1, cycles + layer["cycles"])
    ranked = sorted(found.items(), key=lambda item: -item[1][1])
    rows = [(what, *sums) for what, sums in ranked]
    rest = rows[most:]
    if len(rest) > 1:
        others = (f"{len(rest)} others", sum(r[1] for r in rest), sum(r[2] for r in rest))
        rows = [*rows[:most], others]
    return rows


TOTALS = (
    ("operator", lambda layer: layer["op"].split("+")[0]),
    ("engine", lambda layer: layer["engine"]),
    ("bound", bound_text),
)


def print_totals(out: Console, layers: Sequence[dict[str, Any]]) -> None:
    whole = sum(layer["cycles"] for layer in layers) or 1
    columns = (
        Column("by", style="dim"),
        Column("", least=12),
        Column("layers", right=True),
        Column("cycles", right=True),
        Column("share", right=True),
    )
    rows: list[list[Cell]] = []
    for title, key in TOTALS:
        for what, count, cycles in totals_of(layers, key, MOST_KINDS):
            share = f"{100 * cycles / whole:.1f}%"
            rows.append([title, what, str(count), number(cycles), share])
            title = ""
    print_table(out, columns, rows)


def print_layers(out: Console, record: dict[str, Any], every: bool = False) -> None:
    """every: also of a network of many."""
    layers = layers_that_ran(record)
    if every or len(layers) <= MANY:
        print_table(out, COLUMNS, [layer_row(layer) for layer in layers])
        return
    ranked = sorted(layers, key=lambda layer: -layer["cycles"])[:COSTLIEST]
    whole = sum(layer["cycles"] for layer in layers) or 1
    share = 100 * sum(layer["cycles"] for layer in ranked) / whole
    print_table(out, COLUMNS, [layer_row(layer) for layer in ranked])
    out.print()
    out.print(
        f"the {len(ranked)} costliest of {len(layers)} layers, {share:.0f}% of the cycles of all "
        "(layers overlap in time); --layers shows every one"
    )
    out.print()
    print_totals(out, layers)
