"""Signs of life of long work for those who read a log: a line at least every 10 s.

with heartbeat("compiling", enabled=not quiet) as beat:
    beat("plan", 812, 2000, "layers")   # as often as you like; it only notes the state

prints `presil: compiling: plan, 812 of 2,000 layers, 20 s` on standard error, from the tenth second
on. Work that ends before then prints nothing, nor does any at a terminal (a bar is for that, see
`console.py`) or with `--quiet`. The lines come from a thread, so they come however rarely the state
is noted, as long as the work leaves Python's lock to others now and then.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

EVERY_S = 10.0
"""Seconds between lines, and before the first."""


class Heartbeat:
    """The latest state of some work, and the lines that tell it."""

    def __init__(self, what: str, every_s: float = EVERY_S, stream: TextIO | None = None) -> None:
        self.what = what
        self.state = ""
        self._every_s = every_s
        self._stream = stream
        self._begin = time.monotonic()
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._run, name="heartbeat", daemon=True)

    def __call__(self, stage: str = "", done: int = 0, total: int = 0, unit: str = "") -> None:
        """Notes how far the work is: stage, and `done` of `total` units where that is known."""
        count = f"{done:,} of {total:,} {unit}".rstrip() if total else ""
        self.state = ", ".join(filter(None, (stage, count)))

    def line(self) -> str:
        seconds = round(time.monotonic() - self._begin)
        what = ": ".join(filter(None, (self.what, self.state)))
        return f"presil: {what}, {seconds:,} s"

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """No line follows."""
        self._end.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._end.wait(self._every_s):
            # The stream of the moment: tests and pipes replace it.
            print(self.line(), file=self._stream or sys.stderr, flush=True)


@contextmanager
def heartbeat(
    what: str, enabled: bool = True, every_s: float = EVERY_S, stream: TextIO | None = None
) -> Iterator[Heartbeat]:
    """Around long work; call what it gives with the state. Silent at a terminal, or disabled."""
    beat = Heartbeat(what, every_s, stream)
    watched = (stream or sys.stderr).isatty() and not os.environ.get("CI")
    if not enabled or watched:
        yield beat
        return
    beat.start()
    try:
        yield beat
    finally:
        beat.stop()
