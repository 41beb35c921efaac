"""What people see: a console, and a bar or lines of progress while a run lasts."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from .heartbeat import heartbeat
from .program import Program

UNLIMITED = 1_000_000
"""Width where there is no terminal: every line is whole."""


def width_of(terminal: bool) -> int | None:
    """COLUMNS, else the terminal's own (None); without one, and in CI, no limit."""
    columns = os.environ.get("COLUMNS", "")
    if columns.isdecimal() and int(columns) > 0:
        return int(columns)
    return None if terminal else UNLIMITED


def console(stderr: bool = False) -> Console:
    """Colours and bars only at a terminal and not in CI."""
    plain = bool(os.environ.get("CI"))
    stream = sys.stderr if stderr else sys.stdout
    width = width_of(stream.isatty() and not plain)
    terminal = False if plain else None  # None: as it is
    return Console(stderr=stderr, force_terminal=terminal, width=width, highlight=False)


@contextmanager
def progress_bar(what: str, enabled: bool) -> Iterator[Callable[[int, int], None] | None]:
    """A bar for samples at a terminal, elsewhere a line now and then."""
    if not enabled:
        yield None
        return
    if os.environ.get("CI") or not sys.stderr.isatty():
        with heartbeat("simulating") as beat:
            yield lambda done, total: beat("", done, total, what)
        return
    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console(stderr=True), transient=True) as bars:
        task = bars.add_task(what, total=None)
        yield lambda done, total: bars.update(task, completed=done, total=total)


def print_unused_kernels(out: Console, program: Program) -> None:
    for sentence in program.unused_kernels:
        out.print(sentence, markup=False, soft_wrap=True)
