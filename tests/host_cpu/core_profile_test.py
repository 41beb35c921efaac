"""Where the time of a host's core goes: functions and spans add up to what the core did."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path

import presil
import pytest
from host_cores import without
from presil.report.trace import trace_events

CORES = ["m33", "m4", "rv64"]


@pytest.mark.parametrize("host", CORES)
def test_functions_and_spans_add_up_and_no_cycle_changes(host: str) -> None:
    plain = presil.run("digits", host=host)
    record = presil.run("digits", host=host, host_profile=True).record
    core = record["host"]
    assert core["cycles"] == plain.record["host"]["cycles"]
    functions = {f["name"]: f for f in core["functions"]}
    asleep = functions.pop("asleep (WFI)")
    spans = core["spans"]
    assert spans[0][0] <= record["timeline"]["commands"][0][3] and core["spans_left_out"] == 0
    assert all(end == begin for (_, end, _), (begin, _, _) in zip(spans, spans[1:]))
    whole = spans[-1][1] - spans[0][0]
    assert core["cycles"] - 200 <= whole  # `cycles` are the driver's: without copies of tensors
    assert asleep["instructions"] == 0
    assert sum(f["cycles"] for f in core["functions"]) == whole
    assert asleep["cycles"] == pytest.approx(core["cycles"] - core["busy_cycles"], abs=200)
    assert sum(f["instructions"] for f in functions.values()) >= core["instructions"] - 40
    assert {"main", "presil_job_wait", "presil_dispatch", "crc_of"} <= set(functions)


@pytest.mark.parametrize("host", [*CORES, pytest.param("aarch64", marks=without)])
def test_a_trace_has_a_track_for_the_core(host: str) -> None:
    record = presil.run("digits", host=host, host_profile=True).record
    events = trace_events(record)
    (track,) = [e for e in events if e["name"] == "thread_name" and "core" in e["args"]["name"]]
    assert track["args"]["name"] == f"core {host}"
    slices = [e for e in events if e.get("cat") == "core"]
    assert all(e["tid"] == track["tid"] for e in slices)
    assert any(e["name"] == "asleep (WFI)" for e in slices)
    assert len(slices) == len(record["host"]["spans"])


def test_the_program_of_an_image_has_one(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "presil"]
    image, out = tmp_path / "fw.elf", tmp_path / "out"
    subprocess.run([*words, "firmware", "digits", "-o", image, "--quiet"], check=True)
    run = [*words, "run", image, "--profile", "--trace", "perfetto", "--out", out]
    done = subprocess.run(run, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "cycles awake in the first sample, most of them in" in done.stdout
    host = json.loads((out / "run.json").read_text())["host"]
    assert sum(f["cycles"] for f in host["functions"]) == pytest.approx(host["cycles"], abs=200)
    trace = json.loads(gzip.decompress((out / "trace.json.gz").read_bytes()))
    assert any(event.get("cat") == "core" for event in trace["traceEvents"])


def test_a_native_host_has_none() -> None:
    assert "host" not in presil.run("digits", host_profile=True).record
