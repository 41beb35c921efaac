"""Networks whose operators run on the vector DSP: exact, handed from engine to engine by counters,
and by the host for comparison."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import presil
import pytest
from detectors import commands, detectors

YOLO = "yolov8n-int8/yolov8n_full_integer_quant_224.tflite"
MOBILENET = "mobilenet-v2-int8/tf2_mobilenet_v2_1.0_224_ptq.tflite"
#: Bytes of a softmax besides its tensors: a KiB of exponentials, argument block, region table.
ARGUMENTS = 1024 + 1000


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


@pytest.mark.parametrize("numerics", ["tflite", "xnnpack"])
@pytest.mark.parametrize(
    "name", ["digits", "yolov8n-224", "yolov8n-416", "yolov8n-640", "ssd-mobilenet-v1"]
)
def test_a_detector_runs_without_the_host_from_doorbell_to_interrupt(
    shared: Path, name: str, numerics: str
) -> None:
    """All post-processing is the DSP's; the host's commands are counted in the trace: none."""
    (detector,) = [d for d in detectors(shared) if d.name == name] or [None]
    if detector is None:
        pytest.skip(f"SKIPPED: no {name} in {shared / 'models'}")
    program = detector.program(numerics)
    assert not program.check_memory()["wrong"]
    run = presil.run(program, [detector.inputs(program.inputs[0])[:1]], "layers")
    assert run.exact, run.record["check"]
    count = commands(run)
    assert count["host"] == 0 and count["dla"] > 0, count
    assert count["dsp"] > len(detector.kernels), count  # selects
    assert run.record["engines"]["host"]["busy"] == 0
    assert [layer["op"] for layer in run.layers if layer["engine"] == "dsp"] == detector.kernels
    assert not [layer for layer in run.layers if layer["engine"] == "host"]
    (data,) = run.record["data_time"]
    assert data["engine"] == "dsp" and data["samples"][0]["stayed"] > 0


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


def between_convolutions(channels: int, rows: int = 8, columns: int = 40) -> presil.Network:
    """Convolution, softmax along channels, convolution."""
    random = np.random.default_rng(channels)
    b = presil.Builder("handed")
    x = b.input("x", (1, rows, columns, 8), scale=0.05, zero_point=-3)
    weights = [
        random.integers(-127, 128, shape, np.int8)
        for shape in ((channels, 1, 1, 8), (12, 3, 3, channels))
    ]
    a = b.conv2d(x, weights[0], weights_scale=0.02, out=(0.1, 9), name="a")
    p = b.softmax(a, name="p")
    b.output(b.conv2d(p, weights[1], weights_scale=0.01, padding="same", out=(0.01, 0), name="y"))
    return b.build()


def moved_around(run: presil.Run) -> list[dict[str, object]]:
    """Commands of the DMA for the DSP's layer that bring no constants ahead of it, and all that run
    from the last command of the DLA before the DSP's to the first one after it, but those of the
    layer after it that have ended before the DSP has made anything: its constants."""
    timeline = run.record["timeline"]
    rows = [dict(zip(timeline["columns"], row)) for row in timeline["commands"]]
    names = [layer["name"] for layer in run.layers]
    dsp = [r for r in rows if r["queue"] == "dsp" and r["layer"] == names.index("p")]
    before = max(r["end"] for r in rows if r["queue"] == "dla" and r["layer"] < dsp[0]["layer"])
    after = min(r["end"] for r in rows if r["queue"] == "dla" and r["layer"] > dsp[0]["layer"])
    made = min(r["end"] for r in dsp)
    copies = [r for r in rows if r["queue"].startswith("dma")]
    copies = [r for r in copies if r["layer"] <= dsp[0]["layer"] or r["end"] > made]
    return [r for r in copies if before <= r["end"] and r["end"] - r["busy"] < after]


@pytest.mark.parametrize("dispatch", ["sync", "host"])
@pytest.mark.parametrize("channels", [1, 10, 16])
def test_rows_of_up_to_16_channels_pass_from_engine_to_engine_with_no_copy_between(
    channels: int, dispatch: str
) -> None:
    program = presil.compile(between_convolutions(channels), dispatch=dispatch)
    assert not program.check_memory()["wrong"]
    run = run_of(program, "layers")
    assert run.exact, run.record["check"]
    assert [layer["engine"] for layer in run.layers] == ["dla", "dsp", "dla"]
    assert not moved_around(run)
    assert run.layers[1]["read_bytes"] < ARGUMENTS and run.layers[1]["written_bytes"] == 0


@pytest.mark.parametrize("dispatch", ["sync", "host"])
@pytest.mark.parametrize("channels", [20, 33])
def test_rows_of_more_channels_are_copied_to_be_dense_within_the_sram(
    channels: int, dispatch: str
) -> None:
    program = presil.compile(between_convolutions(channels), dispatch=dispatch)
    assert not program.check_memory()["wrong"]
    run = run_of(program, "layers")
    assert run.exact, run.record["check"]
    assert [layer["engine"] for layer in run.layers] == ["dla", "dsp", "dla"]
    assert moved_around(run)
    assert run.layers[1]["read_bytes"] < ARGUMENTS and run.layers[1]["written_bytes"] == 0


def chain() -> presil.Network:
    """Thrice the size, a softmax of 20 channels, a third: all of it the DSP's."""
    b = presil.Builder("chain")
    x = b.input("x", (1, 8, 30, 20), scale=0.05, zero_point=-3)
    up = b.resize_bilinear(x, (24, 90), name="up")
    p = b.softmax(up, name="p")
    b.output(b.resize_bilinear(p, (8, 30), name="y"))
    return b.build()


@pytest.mark.parametrize("dispatch", ["sync", "host"])
def test_from_kernel_to_kernel_nothing_leaves_the_sram(dispatch: str) -> None:
    program = presil.compile(chain(), dispatch=dispatch)
    assert not program.check_memory()["wrong"]
    run = run_of(program, "layers")
    assert run.exact, run.record["check"]
    assert [layer["engine"] for layer in run.layers] == ["dsp", "dsp", "dsp"]
    assert [t["name"] for t in program.info["tensors"] if t["space"] == "sram"] == ["up", "p"]
    first, middle, last = run.layers
    assert first["written_bytes"] == 0 and last["read_bytes"] < 1000
    assert middle["read_bytes"] < ARGUMENTS and middle["written_bytes"] == 0


@pytest.mark.parametrize("kib", [16, 32])
def test_what_has_no_room_as_a_whole_passes_in_tiles(kib: int) -> None:
    soc = presil.load_soc("edge", [f"sram.bytes={kib << 10}"])
    program = presil.compile(between_convolutions(16, 20, 60), soc)
    assert not program.check_memory()["wrong"]
    run = run_of(program, "layers")
    assert run.exact, run.record["check"]
    assert run.layers[1]["engine"] == "dsp" and run.layers[1]["commands"] > 1
    assert moved_around(run)


def test_dispatch_has_two_values(shared: Path) -> None:
    with pytest.raises(presil.Refusal, match="dispatch: got 'arm', expected sync or host"):
        program_of(shared, MOBILENET, "arm")
