"""Width, colours and progress: a terminal, a pipe, CI."""

from __future__ import annotations

import functools
import io
import re
import time

import pytest
from presil import console as module
from presil.console import UNLIMITED, console, progress_bar, width_of
from presil.fit import Column, shortened, table
from presil.heartbeat import heartbeat


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def nothing_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("CI", "COLUMNS", "NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setattr(module, "heartbeat", functools.partial(heartbeat, every_s=0.03))


def written(monkeypatch: pytest.MonkeyPatch, stream: io.StringIO, enabled: bool = True) -> str:
    """On standard error while ten samples run, one of them after the other."""
    monkeypatch.setattr("sys.stderr", stream)
    with progress_bar("samples", enabled) as progress:
        for done in range(1, 11):
            time.sleep(0.02)
            if progress is not None:
                progress(done, 10)
    return stream.getvalue()


def test_without_a_terminal_progress_is_lines_and_short_work_has_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lines = written(monkeypatch, io.StringIO()).splitlines()
    assert len(lines) >= 3
    for line in lines:
        assert re.fullmatch(r"presil: simulating(: \d+ of 10 samples)?, \d+ s", line), line
    monkeypatch.setattr(module, "heartbeat", heartbeat)
    assert written(monkeypatch, io.StringIO()) == ""
    assert written(monkeypatch, io.StringIO(), enabled=False) == ""


def test_in_ci_there_is_no_bar_and_no_colour_also_at_a_terminal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert "\x1b" in written(monkeypatch, Terminal())
    monkeypatch.setenv("CI", "true")
    text = written(monkeypatch, Terminal())
    assert "\x1b" not in text and "presil: simulating: " in text
    monkeypatch.setattr("sys.stdout", Terminal())
    out = console()
    out.print("[bold red]x[/]")
    assert out.file.getvalue() == "x\n"


def test_the_width_is_that_of_columns_else_the_terminal_s_else_unlimited(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert width_of(True) is None and width_of(False) == UNLIMITED
    monkeypatch.setenv("COLUMNS", "72")
    assert width_of(True) == width_of(False) == 72
    for nothing in ("0", "wide", "-5", ""):
        monkeypatch.setenv("COLUMNS", nothing)
        assert width_of(False) == UNLIMITED


@pytest.mark.parametrize("width", range(16, 40))
def test_a_name_is_shortened_in_the_middle_and_keeps_its_end(width: int) -> None:
    name = "kws_transformer/transformer_block_1/dense_11"
    short = shortened(name, width)
    assert len(short) == width and short.count("…") == 1
    begin, end = short.split("…")
    assert name.startswith(begin) and name.endswith(end) and len(end) > len(begin) >= 5
    assert shortened(name, 44) == name


def test_wide_characters_count_twice() -> None:
    columns = (Column("name", least=6), Column("n", right=True))
    lines = [text.plain for text in table(columns, [["層層層層層層", "1"], ["a", "22"]], 12)]
    assert lines == ["name       n", "層…層層    1", "a         22"]
