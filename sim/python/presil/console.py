"""What people see: a console, a bar while a run lasts, where operators run."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from .program import Program


def console(stderr: bool = False) -> Console:
    """Colours and bars only at a terminal and not in CI."""
    plain = bool(os.environ.get("CI"))
    width = None if (sys.stdout.isatty() and not plain) else 160
    return Console(stderr=stderr, no_color=plain or None, width=width, highlight=False)


@contextmanager
def progress_bar(what: str, enabled: bool) -> Iterator[Callable[[int, int], None] | None]:
    """A bar for samples; nothing where nobody watches."""
    if not enabled or os.environ.get("CI") or not sys.stderr.isatty():
        yield None
        return
    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console(stderr=True), transient=True) as bars:
        task = bars.add_task(what, total=None)
        yield lambda done, total: bars.update(task, completed=done, total=total)


def print_placement(out: Console, program: Program) -> None:
    table = Table(box=None, header_style="bold", pad_edge=False)
    for title in ("op", "name", "engine", "why"):
        table.add_column(
            title,
            no_wrap=title != "why",
            overflow="ellipsis",
            max_width=40 if title == "name" else None,
        )
    for p in program.placement:
        table.add_row(*(Text(p[key]) for key in ("op", "name", "engine", "reason")))
    out.print(table)


def print_unused_kernels(out: Console, program: Program) -> None:
    for sentence in program.unused_kernels:
        out.print(sentence, markup=False, soft_wrap=True)
