"""What people see of a run while it lasts: a console, and a bar."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn


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
