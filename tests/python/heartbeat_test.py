"""Lines of life on standard error where no bar is shown."""

from __future__ import annotations

import io
import re
import time

import pytest
from presil.heartbeat import EVERY_S, heartbeat


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def beat_for(seconds: float, stream: io.StringIO, enabled: bool = True) -> list[str]:
    with heartbeat("compiling", enabled, 0.05, stream) as beat:
        beat("plan", 812, 2000, "layers")
        time.sleep(seconds)
    return stream.getvalue().splitlines()


def test_long_work_says_where_it_is_and_for_how_long() -> None:
    lines = beat_for(0.4, io.StringIO())
    assert len(lines) >= 2
    for line in lines:
        assert re.fullmatch(r"presil: compiling: plan, 812 of 2,000 layers, \d+ s", line)


def test_a_line_has_only_what_is_known() -> None:
    stream = io.StringIO()
    with heartbeat("simulating", True, 0.02, stream) as beat:
        time.sleep(0.1)
        beat("sample 3")
        time.sleep(0.1)
    lines = stream.getvalue().splitlines()
    assert lines[0] == "presil: simulating, 0 s"
    assert lines[-1] == "presil: simulating: sample 3, 0 s"


def test_short_work_and_terminals_and_quiet_ones_get_no_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert beat_for(0.0, io.StringIO()) == []
    monkeypatch.setenv("CI", "true")
    assert beat_for(0.2, Terminal()) != []
    monkeypatch.delenv("CI")
    assert beat_for(0.2, Terminal()) == []
    assert beat_for(0.2, io.StringIO(), enabled=False) == []
    assert EVERY_S <= 10


def test_no_line_follows_the_end_even_of_work_that_fails() -> None:
    stream = io.StringIO()
    try:
        with heartbeat("compiling", True, 0.02, stream):
            time.sleep(0.05)
            raise ValueError
    except ValueError:
        pass
    count = len(stream.getvalue())
    time.sleep(0.1)
    assert len(stream.getvalue()) == count
