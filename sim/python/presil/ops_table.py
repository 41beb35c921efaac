"""What each engine takes, for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.console import Console

from .fit import Cell, Column, print_table
from .layers_table import engine_text

COLUMNS = (
    Column("op"),
    Column("engine"),
    Column("dtypes", least=10, wrap=True),
    Column("limits", least=24, wrap=True),
    Column("kernels", least=16, wrap=True, drop=1),
)


def print_ops(out: Console, rows: Sequence[dict[str, Any]]) -> None:
    cells: list[list[Cell]] = [
        [
            row["op"],
            engine_text(row["engine"]),
            ", ".join(row["dtypes"]),
            "; ".join(row["limits"]),
            ", ".join(row["kernels"]),
        ]
        for row in rows
    ]
    print_table(out, COLUMNS, cells)
