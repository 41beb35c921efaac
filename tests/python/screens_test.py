"""Screens of 80, 120 and 200 columns, of a network of 10 layers and one of 200, as golden texts.

After a expected change: `PYTHONPATH=sim/python python3 tests/python/screens/make_screens.py`, and a
look at the difference; with `--records` the records too, which only has a point when their format
or the names in them changed.
"""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT

sys.path.insert(0, str(Path(__file__).parent / "screens"))
from make_screens import (  # noqa: E402
    NETWORKS,
    WIDTHS,
    file_of,
    golden_file,
    golden_of,
    network,
    record_of,
    screen,
    slower,
    views_of,
)
from presil.fit import table  # noqa: E402
from presil.layers_table import (  # noqa: E402
    COLUMNS,
    COSTLIEST,
    LEFT_OUT,
    MANY,
    bound_text,
    layer_row,
)

ANSI = re.compile(r"\x1b\[[0-9;]*m")
NUMBERS = re.compile(r"[\d,.]+")


def words_of(line: str) -> list[str]:
    return line.split()


def rows_of(text: str) -> list[str]:
    """Of the table of layers."""
    lines = text.splitlines()
    begin = next(i for i, line in enumerate(lines) if line.split()[:1] == ["#"]) + 1
    return lines[begin : lines.index("", begin)]


def by_cost(record: dict[str, Any]) -> list[dict[str, Any]]:
    return sorted(record["layers"], key=lambda layer: -layer["cycles"])


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", NETWORKS)
def test_screens_are_as_they_were(name: str, width: int) -> None:
    assert golden_of(name, width) == golden_file(name, width).read_text(encoding="utf-8")


@pytest.mark.parametrize("width", [60, *WIDTHS])
@pytest.mark.parametrize("name", NETWORKS)
def test_nothing_is_wider_than_the_screen(name: str, width: int) -> None:
    for view in views_of(name):
        long = [line for line in screen(view, name, width).splitlines() if len(line) > width]
        assert not long, (view, long[:3])


@pytest.mark.parametrize("width", [40, 60, *WIDTHS])
def test_no_number_of_a_layer_is_cut(width: int) -> None:
    """Index and cycles of every row; where their columns are there also the others."""
    for name, view in (("ten", "run"), ("two_hundred", "layers"), ("two_hundred", "run")):
        record = record_of(name)
        layers = record["layers"] if view != "run" or name == "ten" else by_cost(record)[:COSTLIEST]
        text = screen(view, name, width)
        titles = next(line for line in text.splitlines() if line.split()[:1] == ["#"])
        rows = rows_of(text)
        assert len(rows) == len(layers)
        for layer, row in zip(layers, rows):
            words = row.split()
            assert words[0] == str(layer["index"])
            assert f"{layer['cycles']:,}" in words
            if "engine" in titles.split():
                assert layer["engine"] in words
            if "MAC/cycle" in titles and layer["macs"]:
                assert f"{layer['macs'] / layer['cycles']:.0f}" in words
            for share in re.findall(r"\S*\d\S*$", row) if "stalls" in titles else ():
                assert share.endswith(("%", "B", "✓")) or share.isdecimal(), row


def test_every_layer_of_few_and_ten_with_totals_of_many() -> None:
    few, many = record_of("ten")["layers"], record_of("two_hundred")["layers"]
    assert len(few) == 10 <= MANY and len(many) == 200 > MANY
    assert len(rows_of(screen("run", "ten", 80))) == 10
    text = screen("run", "two_hundred", 80)
    assert "the 10 costliest of 200 layers" in text and "--layers shows every one" in text
    whole = sum(layer["cycles"] for layer in many)
    engines, bounds = [layer["engine"] for layer in many], [bound_text(layer) for layer in many]
    assert len(set(engines)) > 1 and len(set(bounds)) > 1
    for keys in (engines, bounds):
        for what in set(keys):
            of = [layer for layer, key in zip(many, keys) if key == what]
            cycles = sum(layer["cycles"] for layer in of)
            row = [*what.split(), str(len(of)), f"{cycles:,}", f"{100 * cycles / whole:.1f}%"]
            assert any(line.split()[-len(row) :] == row for line in text.splitlines()), row
    assert len(rows_of(screen("layers", "two_hundred", 80))) == 200


def test_columns_go_from_the_right_in_the_order_that_the_help_states(presil) -> None:
    gone: list[str] = []
    for width in range(200, 30, -1):
        shown = next(
            line for line in screen("run", "ten", width).splitlines() if line.split()[:1] == ["#"]
        ).split()
        now = [column.title for column in COLUMNS if column.title not in shown]
        assert set(gone) <= set(now), f"a column is back at {width}"
        gone += [title for title in now if title not in gone]
    assert gone == LEFT_OUT.split(", ")[: len(gone)] and len(gone) >= 6
    guide = (ROOT / "sim" / "guides" / "command_line.md").read_text(encoding="utf-8")
    assert LEFT_OUT in " ".join(guide.split())
    for verb in ("run", "cosim", "report"):
        assert LEFT_OUT in " ".join(presil(verb, "--help").out.split())


def test_operators_on_the_host_of_one_reason_are_one_line() -> None:
    text = " ".join(screen("run", "two_hundred", 80).split())
    assert "on the host: 49 prelu 'block_0/prelu', 'block_1/prelu', 'block_2/prelu' and 46" in text
    assert text.count("on the host:") == 2


def test_the_bound_says_what_of_it() -> None:
    assert bound_text({"bound": "compute", "bound_detail": "lanes"}) == "compute: lanes"
    assert bound_text({"bound": "dram", "bound_detail": "dram_row"}) == "dram: row"
    assert bound_text({"bound": "host", "bound_detail": "host"}) == "host"
    assert bound_text({"bound": "sync"}) == "sync"


def test_80_columns_have_room_for_the_bound_with_what_of_it_and_the_mark() -> None:
    """Seven digits of cycles, three of the index, names of any length."""
    layer = {**record_of("ten")["layers"][2], "bound": "compute", "bound_detail": "lanes"}
    layer.update(index=123, name="model/" * 20, op="depthwise_conv2d+relu+add", cycles=9_999_999)
    titles, row = (line.plain for line in table(COLUMNS, [layer_row(layer)], 80))
    assert titles.split() == ["#", "layer", "op", "engine", "cycles", "bound", "exact"]
    assert row.startswith("123  ") and row.split()[-4:] == ["9,999,999", "compute:", "lanes", "✓"]


def test_names_of_the_records_are_those_that_the_compiler_gives() -> None:
    import presil

    for name, blocks in NETWORKS.items():
        program = presil.compile(network(name, blocks))
        expected = [layer["name"] for layer in program.info["layers"]]
        assert [layer["name"] for layer in record_of(name)["layers"]] == expected


def in_terminal(arguments: list[str], columns: int, **environment: str) -> str:
    """What the command line writes to a terminal of that many columns."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    kept = {k: v for k, v in os.environ.items() if k not in ("CI", "COLUMNS", "NO_COLOR")}
    env = {**kept, "TERM": "xterm-256color", "PYTHONPATH": str(ROOT / "sim" / "python")}
    command = [sys.executable, "-m", "presil", *arguments]
    with subprocess.Popen(
        command, stdin=slave, stdout=slave, stderr=slave, env={**env, **environment}
    ) as process:
        os.close(slave)
        written = b""
        while True:
            try:
                part = os.read(master, 65536)
            except OSError:  # Linux's way to say that the other end is closed
                break
            if not part:
                break
            written += part
        assert process.wait(60) == 0, written.decode()
    os.close(master)
    return written.decode().replace("\r\n", "\n")


def view_lines(text: str) -> str:
    return "".join(line.rstrip() + "\n" for line in text.splitlines())


@pytest.mark.parametrize("width", [80, 120])
def test_a_terminal_gets_its_own_width_and_colours(width: int) -> None:
    text = in_terminal(["report", str(file_of("ten"))], width)
    assert ANSI.search(text)
    assert view_lines(ANSI.sub("", text)) == screen("run", "ten", width)


def test_columns_are_honoured_and_ci_gets_plain_whole_lines(presil, monkeypatch) -> None:
    file = str(file_of("ten"))
    assert view_lines(ANSI.sub("", in_terminal(["report", file], 200, COLUMNS="80"))) == screen(
        "run", "ten", 80
    )
    whole = screen("run", "ten")
    assert view_lines(in_terminal(["report", file], 80, CI="true")) == whole
    monkeypatch.delenv("COLUMNS", raising=False)
    assert view_lines(presil("report", file).out) == whole
    for layer in record_of("ten")["layers"]:
        assert layer["name"] in whole and "…" not in whole


def test_two_runs_of_many_layers_show_those_that_changed_most() -> None:
    record = record_of("two_hundred")
    text = screen("diff", "two_hundred", 80)
    assert "the 10 of 200 layers that changed most; --json has every one" in text
    most = by_cost(record)[0]
    changed = next(x for x in slower(record)["layers"] if x["index"] == most["index"])
    row = next(line for line in text.splitlines() if line.startswith(most["name"]))
    assert NUMBERS.findall(row)[-1] and f"{changed['cycles']:,}" in row.split()
