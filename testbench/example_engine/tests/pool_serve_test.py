"""Beside a network of higher priority: on an engine from outside a network is not held."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from presil import paths

OUTSIDE = """
import sys
import presil

builder = presil.Builder("up", "tflite")
x = builder.input("x", (1, 24, 24, 16), scale=0.5, zero_point=-3)
builder.output(builder.resize_bilinear(x, size=(40, 40)))
low = {"name": "low", "file": builder.build(), "arrival": {"kind": "trace", "times_ms": [0]}}
high = {**low, "name": "high", "file": "digits", "priority": 1}
load = {"engines": [sys.argv[1]], "networks": [high, low]}
try:
    presil.serve(load)
except presil.Refusal as refusal:
    print(refusal)
served = presil.serve({**load, "hold": "jobs"})
print(served.exact, *(engine["engine"] for engine in served.record["engines"]))
"""


@pytest.mark.skipif(
    not (paths.BUILD / "testbench/example_engine/engine_pool.json").is_file(),
    reason="SKIPPED: the example engine is not built",
)
def test_a_network_on_an_engine_from_outside_runs_whole() -> None:
    """In a process of its own: an engine that has joined stays."""
    folder = Path(__file__).resolve().parents[3]
    done = subprocess.run(
        [sys.executable, "-c", OUTSIDE, str(folder / "testbench/example_engine")],
        env={**os.environ, "PYTHONPATH": str(folder / "sim/python")},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    refusal, result = done.stdout.splitlines()
    assert refusal == (
        "serve: network 'low': driver: the network cannot be cut at its layers: an engine from "
        "outside may keep what an earlier command has left; with `hold: jobs` priorities act "
        "between jobs"
    )
    assert result.startswith("True dla ") and "pool" in result
