"""What people see of a compilation that takes a while: a bar at a terminal, else lines."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from .heartbeat import heartbeat

Told = Callable[[str, int, int], None]
"""Called now and then with a stage's name, how many are done, of how many (0: unknown)."""

UNITS = {"plan": "layers", "schedule": "layers", "waits": "commands", "order": "commands"}
"""What the stages of the compiler count."""

SHORT_S = 0.5
"""A compilation that ends before has no bar."""


@contextmanager
def compiling(enabled: bool = True) -> Iterator[Told]:
    """Shows the stages that it is called with."""
    at_terminal = sys.stderr.isatty() and not os.environ.get("CI")
    if enabled and at_terminal:
        with stage_bar() as told:
            yield told
        return
    with heartbeat("compiling", enabled) as beat:
        yield lambda stage, done, total: beat(stage, done, total, UNITS.get(stage, ""))


@contextmanager
def stage_bar() -> Iterator[Told]:
    from .console import console

    columns = (
        TextColumn("compiling: {task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    begin = time.monotonic()
    bars = Progress(*columns, console=console(stderr=True), transient=True)
    task = bars.add_task("", total=None)

    def told(stage: str, done: int, total: int) -> None:
        if time.monotonic() - begin < SHORT_S:
            return
        bars.start()  # does nothing where it has
        bars.update(task, description=stage, completed=done, total=total or None)

    try:
        yield told
    finally:
        bars.stop()
