"""Ctrl-C on the command line: one sentence at any moment, exit code 130, and no files left.

While modules are imported there is nothing to clean up: `early` says the sentence and ends. Then
`listening` raises Interrupted once, which unwinds what there is; where that takes longer than
GRACE_S, because native code works and hears nothing, a thread ends the process.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

INTERRUPTED = "interrupted"
SENTENCE = f"presil: {INTERRUPTED}\n"
EXIT_INTERRUPTED = 130
GRACE_S = 1.0
SHOW_CURSOR = "\x1b[?25h"


class Interrupted(BaseException):
    """Not KeyboardInterrupt, about which libraries have something to say."""


_state = {"held": 0, "pending": 0}
_cleaners: list[Callable[[], None]] = []


def started_as_a_command() -> bool:
    """Whether this process is `python -m presil` or the script `presil`."""
    words = sys.orig_argv
    module = words[words.index("-m") + 1 :][:1] if "-m" in words else []
    return module == ["presil"] or os.path.basename(sys.argv[0] if sys.argv else "") == "presil"


def early() -> None:
    """From the first line of the package on. The launcher blocks the signal until then."""
    signal.signal(signal.SIGINT, lambda *_: end())
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def deaf() -> None:
    """While the interpreter shuts down: all has been said."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def end() -> None:
    """Says it and ends the process here."""
    for clean in _cleaners:
        with suppress(Exception, Interrupted):  # the process ends, whatever they say
            clean()
    shown = SHOW_CURSOR if os.isatty(2) else ""
    os.write(2, f"{shown}{SENTENCE}".encode())
    os._exit(EXIT_INTERRUPTED)


def at_end(clean: Callable[[], None]) -> None:
    """Also done where nothing unwinds."""
    _cleaners.append(clean)


@contextmanager
def held_back() -> Iterator[None]:
    """Around a few lines that must not be cut in two: a Ctrl-C comes after them."""
    _state["held"] += 1
    try:
        yield
    finally:
        _state["held"] -= 1
        if _state["pending"] and not _state["held"]:
            _state["pending"] = 0
            raise Interrupted


def heard(*_: object) -> None:
    deaf()  # one is enough: what follows is cleaning up
    if _state["held"]:
        _state["pending"] = 1
        return
    raise Interrupted


@contextmanager
def listening() -> Iterator[None]:
    """Around a verb."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    ended = threading.Event()
    before = signal.signal(signal.SIGINT, heard)
    wakeup = signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    watcher = threading.Thread(target=watch, args=(reader, ended), daemon=True)
    watcher.start()
    try:
        yield
    finally:
        ended.set()
        signal.set_wakeup_fd(wakeup)
        os.close(writer)
        watcher.join()
        signal.signal(signal.SIGINT, before)
        _state.update(held=0, pending=0)


def watch(reader: int, ended: threading.Event) -> None:
    """Waits for the signal, then for the end of what it has interrupted."""
    try:
        while byte := os.read(reader, 1):
            if byte[0] == signal.SIGINT and not ended.wait(GRACE_S):
                end()
    finally:
        os.close(reader)
