"""Counters of jobs and layers, as the driver reads them from registers: they are those that the
models count by themselves."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import presil
import pytest


def column(record: dict[str, Any], name: str) -> list[int]:
    counters = record["counters"]
    at = counters["names"].index(name)
    return [row["values"][at] for row in counters["rows"]]


@pytest.mark.parametrize("by", ["job", "layers"])
def test_busy_cycles_are_those_of_the_models(by: str) -> None:
    run = presil.run("digits", counters=by)
    assert run.exact
    record = run.record
    assert record["counters"]["by"] == by
    assert sum(column(record, "dla.run")) == record["engines"]["dla"]["busy"]
    for queue in {command["queue"] for command in run.commands} - {"dsp", "host"}:
        own = sum(command["queue"] == queue for command in run.commands)
        assert sum(column(record, f"{queue}.commands")) == own > 0


def test_every_cycle_of_a_row_has_one_cause() -> None:
    counters = presil.run("digits", counters="layers").record["counters"]
    no_causes = {"cycles", "commands", "steps"}
    of_dla = [name.removeprefix("dla.") for name in counters["names"] if name.startswith("dla.")]
    for row in counters["rows"]:
        values = dict(zip(of_dla, row["values"]))  # the DLA's are the first
        causes = sum(n for name, n in values.items() if name not in no_causes)
        assert causes == values["cycles"] > 0


def test_each_layer_has_a_row_with_its_own_cycles() -> None:
    run = presil.run("digits", counters="layers", check="layers")
    assert run.exact
    record = run.record
    rows = record["counters"]["rows"]
    busy = {row["layer"]: n for row, n in zip(rows, column(record, "dla.run"), strict=True)}
    of_dla = [layer for layer in record["layers"] if layer["engine"] == "dla" and layer["cycles"]]
    assert len(of_dla) > 5
    for layer in of_dla:
        assert busy[layer["index"]] == layer["busy"], layer["name"]
    assert [r["name"] for r in rows] == [record["layers"][r["layer"]]["name"] for r in rows]


def test_counting_a_whole_job_changes_only_when_it_begins() -> None:
    """It meets other refreshes of the DRAM."""
    plain, counted = presil.run("digits"), presil.run("digits", counters="job")
    assert counted.record["cycles"] == pytest.approx(plain.record["cycles"], 0.01)
    assert plain.record["engines"]["dla"]["busy"] == counted.record["engines"]["dla"]["busy"]


def test_the_command_line_shows_them(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "presil", "run", "digits", "--counters", "layers"]
    done = subprocess.run([*words, "--out", tmp_path / "a"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "counters, as the driver has read them (a row for each layer in " in done.stdout
    assert "  dla: " in done.stdout and "run " in done.stdout
    record = json.loads((tmp_path / "a" / "run.json").read_text())
    assert len(record["counters"]["rows"]) > 10


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"counters": "tiles"}, "run: counters"),
        ({"counters": "job", "host": "m33"}, "of one job at a time; run with host 'native'"),
        ({"counters": "job", "in_flight": 2}, "run with in_flight 1"),
        ({"counters": "job", "fault": [{"kind": "stuck"}]}, "leave --fault out"),
    ],
)
def test_what_they_do_not_go_with_is_refused(options: dict[str, Any], said: str) -> None:
    with pytest.raises(presil.Refusal) as refused:
        presil.run("digits", **options)
    assert said in str(refused.value)
