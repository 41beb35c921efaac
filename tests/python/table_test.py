"""The console view of a hand-made record, as plain text without a terminal."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from presil.console import UNLIMITED
from presil.layers_table import mark, size, stalls
from presil.table import (
    check_sentence,
    file_name,
    print_run,
    summary_lines,
    verdict,
)
from records import record
from rich.console import Console


def shown(what: dict[str, Any]) -> list[str]:
    out = io.StringIO()
    print_run(Console(file=out, width=UNLIMITED, no_color=True, highlight=False), what)
    text = out.getvalue()
    assert "\x1b" not in text
    return text.splitlines()


def rows_of(lines: list[str], first: str, last: str = "") -> list[str]:
    """The lines of a table: after the one that begins with `first`, to the next empty one."""
    begin = next(i for i, line in enumerate(lines) if line.split()[:1] == [first]) + 1
    end = next(i for i in range(begin, len(lines)) if lines[i].strip() == last)
    return lines[begin:end]


def test_every_layer_is_a_row_with_its_mark() -> None:
    rows = rows_of(shown(record()), "#")
    assert [row.split()[0] for row in rows] == ["0", "1", "2"]
    exact = [next(mark for mark in "✓✗–" if f" {mark} " in row) for row in rows]
    assert exact == ["✓", "✗", "–"]


def test_a_row_says_cycles_rate_traffic_bound_and_stalls() -> None:
    row = rows_of(shown(record()), "#")[0]
    # 64000 MAC / 1000 cycles = 64; 4000 + 8000 B = 11.7 KiB; 600 of 1000 cycles wait
    assert row.split() == ("0 stem conv2d+relu dla 1,000 dram ✓ 64 12 KiB wait in:dma 60%".split())


def test_layers_that_did_nothing_are_left_out() -> None:
    what = record()
    what["layers"][1].update(cycles=0, commands=0)
    assert len(rows_of(shown(what), "#")) == 2


def test_an_engine_that_the_soc_lacks_has_no_row() -> None:
    rows = rows_of(shown(record()), "engine")
    assert [row.split()[0] for row in rows] == ["dla", "dma", "host"]
    # dla: 1158 / 3000 busy, 1240 stalled, 602 idle
    assert rows[0].split()[1:4] == ["38.6%", "41.3%", "20.1%"]


def test_the_summary_is_per_sample() -> None:
    lines = summary_lines(record())
    assert lines[0] == "1,500 cycles a sample = 0.002 ms at 1000 MHz, mean of 2 samples"
    assert lines[1] == ("0.09 MMAC, DLA utilisation 23.3%, DRAM 35 KiB a sample, SRAM peak 64 KiB")
    assert lines[2] == "on the host: softmax 'last' (dla: no exponentials)"
    assert len(lines) == 3


def test_the_last_line_is_the_verdict() -> None:
    last = shown(record())[-1]
    assert last.startswith(
        "DIFFERS  every kept tensor against the reference interpreter: 1 of 12,345"
    )
    what = record()
    what["check"].update(exact=True, different_bytes=0, first=None, level="outputs")
    assert shown(what)[-1] == (
        "EXACT  outputs against the reference interpreter: 0 of 12,345 bytes differ"
    )
    what["check"]["level"] = "none"
    assert shown(what)[-1] == "not checked (--check none)"


def test_the_sentence_locates_the_first_difference() -> None:
    assert check_sentence(record()).endswith(
        "first difference in layer 'body', tensor 'y' at [0, 1, 2]: got 3, expected 4"
    )


def test_a_golden_is_named_beside_the_reference() -> None:
    what = record()
    what["check"]["golden"] = {"exact": True, "compared_bytes": 10, "different_bytes": 0}
    assert "against the golden files: 0 of 10 bytes differ" in check_sentence(what)
    what["check"]["level"] = "none"
    assert check_sentence(what).startswith("against the golden files")
    assert verdict(what, "x").plain == "DIFFERS  x"


@pytest.mark.parametrize("name", ["block[/0]", "block[bold]", "a:one:b"])
def test_names_are_shown_as_they_are(name: str) -> None:
    what = record()
    what["layers"][0]["name"] = what["layers"][0]["op"] = name
    what["placement"][1].update(name=name, reason=name)
    what["check"]["first"].update(layer=name, tensor=name)
    lines = shown(what)
    assert rows_of(lines, "#")[0].split()[1:3] == [name, name]
    assert f"on the host: softmax '{name}' ({name})" in lines
    assert f"layer '{name}', tensor '{name}'" in lines[-1]


def test_bytes_are_for_people() -> None:
    assert size(9999) == "9999 B"
    assert size(10_000) == "10 KiB"
    assert size(9_999_999) == "9766 KiB"
    assert size(10_485_760) == "10.0 MiB"


def test_only_the_largest_causes_of_a_percent_and_more_are_shown() -> None:
    causes = {"a": 9, "fetch_b": 500, "c": 300, "d": 100, "e": 20}
    assert stalls(causes, 1000) == "fetch b 50%, c 30%, d 10%"
    assert stalls({"a": 9, "b": 10}, 1000) == "b 1%"
    assert stalls({}, 1000) == ""


def test_marks() -> None:
    assert [mark(value).plain for value in (True, False, None)] == ["✓", "✗", "–"]


def test_a_file_in_the_current_folder_is_named_from_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert file_name(str(tmp_path / "nets" / "a.tflite")) == "nets/a.tflite"
    assert file_name("/elsewhere/a.tflite") == "/elsewhere/a.tflite"
    assert file_name("a.tflite") == "a.tflite"
