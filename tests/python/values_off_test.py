"""Runs without values: the same cycles, nothing computed, and never called exact."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import presil
import pytest

SOCS = ("edge", "micro")


def network(head: bool) -> presil.Network:
    """Convolutions on the DLA; with head a softmax on the DSP besides."""
    b = presil.Builder("small")
    x = b.input("x", (1, 16, 16, 16), scale=0.05)
    weights = np.random.default_rng(1).integers(-90, 90, (32, 3, 3, 16)).astype(np.int8)
    y = b.conv2d(x, weights, np.zeros(32, np.int32), weights_scale=0.01, out=(0.1, 0))
    if head:
        y = b.softmax(b.reshape(y, (14 * 14, 32)))
    b.output(y)
    return b.build()


@pytest.mark.parametrize("soc", SOCS)
@pytest.mark.parametrize("head", [False, True])
def test_takes_the_cycles_of_a_run_with_values(soc: str, head: bool) -> None:
    program = presil.compile(network(head), soc)
    full, off = presil.run(program), presil.run(program, values=False)
    assert full.exact and not off.exact
    assert off.record["values"] == {"computed": False, "data_dependent": []}
    assert "values" not in full.record
    assert off.outputs == {} and off.record["outputs"] == []
    assert off.cycles == full.cycles
    for key in ("engines", "memory", "timeline"):
        assert off.record[key] == full.record[key], key
    assert [row["cycles"] for row in off.layers] == [row["cycles"] for row in full.layers]


def test_time_that_follows_the_data_is_that_of_the_data() -> None:
    program = presil.compile("digits")
    full, off = presil.run(program), presil.run(program, values=False)
    assert off.record["values"] == {"computed": True, "data_dependent": ["nms"]}
    assert off.cycles == full.cycles and off.outputs == {}


def test_samples_in_flight() -> None:
    given = np.zeros((3, 16, 16, 16), np.int8)
    full = presil.run(network(True), given, in_flight=2)
    off = presil.run(network(True), given, in_flight=2, values=False)
    assert off.cycles == full.cycles and not off.exact


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"check": "layers"}, "layers"),
        ({"goldens": [np.zeros(1)]}, "golden"),
        ({"host": "m33"}, "native"),
        ({"values": "off"}, "True or False"),
    ],
)
def test_what_needs_values_is_refused(options: dict[str, object], said: str) -> None:
    with pytest.raises(presil.Refusal, match=said):
        presil.run(network(False), **{"values": False, **options})


def test_command_line(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "presil", "run", "digits", "--values", "off", "--out", "off"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "values off: timing alone" in done.stdout and "EXACT" not in done.stdout
    record = json.loads((tmp_path / "off" / "run.json").read_text())
    assert record["values"]["computed"] and not record["check"]["exact"]
    assert "Values off" in (tmp_path / "off" / "report.html").read_text()
