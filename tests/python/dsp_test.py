"""Networks whose operators run on the vector DSP: exact, handed from engine to engine by counters,
and by the host for comparison."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import presil
import pytest

YOLO = "yolov8n-int8/yolov8n_full_integer_quant_224.tflite"
SSD = "ssd-mobilenet-v1-coco-uint8/ssd_mobilenet_v1_coco_quant.tflite"
MOBILENET = "mobilenet-v2-int8/tf2_mobilenet_v2_1.0_224_ptq.tflite"


def program_of(shared: Path, file: str, dispatch: str = "sync") -> presil.Program:
    path = shared / "models" / file
    if not path.is_file():
        pytest.skip(f"SKIPPED: no {path}")
    return presil.compile(presil.load(path), dispatch=dispatch)


def run_of(program: presil.Program, check: str = "outputs") -> presil.Run:
    random = np.random.default_rng(5)
    inputs = []
    for tensor in program.inputs:
        kind = np.dtype(tensor["dtype"])
        low, high = np.iinfo(kind).min, np.iinfo(kind).max + 1
        inputs.append(random.integers(low, high, (1, *tensor["shape"][1:])).astype(kind))
    return presil.run(program, inputs, check)


def commands(run: presil.Run) -> Counter[str]:
    """Of each queue, from the trace of the first sample."""
    timeline = run.record["timeline"]
    assert timeline["left_out"] == 0
    return Counter(row[timeline["columns"].index("queue")] for row in timeline["commands"])


@pytest.mark.parametrize(("file", "kernel"), [(YOLO, "softmax"), (SSD, "detection_post_process")])
def test_a_detector_runs_without_the_host_from_doorbell_to_interrupt(
    shared: Path, file: str, kernel: str
) -> None:
    program = program_of(shared, file)
    assert not program.check_memory()["wrong"]
    run = run_of(program, "layers")
    assert run.exact, run.record["check"]
    count = commands(run)
    assert count["host"] == 0 and count["dla"] > 0 and count["dsp"] > 1, count  # select, run
    assert run.record["engines"]["host"]["busy"] == 0
    assert [layer["op"] for layer in run.layers if layer["engine"] == "dsp"] == [kernel]
    assert not [layer for layer in run.layers if layer["engine"] == "host"]


@pytest.mark.parametrize("file", [YOLO, MOBILENET])
def test_dispatch_by_the_host_gives_the_same_values_later(shared: Path, file: str) -> None:
    sync, host = (run_of(program_of(shared, file, by)) for by in ("sync", "host"))
    assert sync.exact and host.exact
    for a, b in zip(sync.arrays, host.arrays):
        np.testing.assert_array_equal(a, b)
    steps = len([layer for layer in host.layers if layer["commands"] > 0])
    assert commands(sync)["host"] == 0 and commands(host)["host"] == steps - 1
    assert host.record["engines"]["host"]["busy"] > 0
    # An interrupt and a store for each step, of which less than one in ten hides.
    assert host.record["cycles"] - sync.record["cycles"] > 180 * (steps - 1)


def test_dispatch_has_two_values(shared: Path) -> None:
    with pytest.raises(presil.Refusal, match="dispatch: got 'arm', wants sync or host"):
        program_of(shared, MOBILENET, "arm")
