"""Trained networks on every preset: all kept tensors equal the reference interpreter's, all outputs
equal goldens that other runtimes made (tflite: TFLite Micro, xnnpack: LiteRT with XNNPACK)."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import presil
import pytest
from conftest import presil as presil_cli
from detectors import CLOSE, detections, photographs, stored
from networks import GOLDENS, NETWORKS, Network, run_against_goldens
from presil.inputs import ImageOptions, read_image
from yolo_boxes import (
    LEAST_SCORE,
    MOST_OVERLAP,
    TENTH,
    decoded,
    from_rows,
    named,
    stable_order,
    suppressed,
    unstable_order,
)

SOCS = ("edge", "micro", "big", "duo")
#: Photographs whose best candidates of a class have one score: which of them stays is a matter of
#: their order, which in the goldens follows no rule (yolo_boxes.py).
TIED = {
    (224, "tflite"): ["dog.jpg"],
    (416, "tflite"): ["dog.jpg"],
    (416, "xnnpack"): ["dog.jpg"],
}
#: Goldens of one side.
YOLO = "yolov8n-int8/golden_{}"
CASES = [pytest.param(n, k, id=f"{n.name}-{k}") for n in NETWORKS for k in n.numerics]


def checked(
    shared: Path, network: Network, numerics: str, soc: str, blocks: str | None = None
) -> presil.Run:
    try:
        run = run_against_goldens(shared, network, numerics, soc, blocks)
    except FileNotFoundError as absent:
        pytest.skip(f"SKIPPED: no {absent.filename}")
    check = run.record["check"]
    assert check["exact"], check
    own = run.arrays[: network.outputs]
    assert check["golden"]["compared_bytes"] == sum(a.nbytes for a in own)
    return run


@pytest.mark.parametrize("soc", SOCS)
@pytest.mark.parametrize(("network", "numerics"), CASES)
def test_networks_equal_their_goldens(
    shared: Path, network: Network, numerics: str, soc: str, everything: bool
) -> None:
    if not everything and network.name.startswith("yolov8n") and soc != "edge":
        pytest.skip("SKIPPED: large networks on every SoC are for `presil test --all`")
    run = checked(shared, network, numerics, soc)
    assert [layer["engine"] for layer in run.layers].count("host") <= network.host
    if network.labels:
        best = run.arrays[0].reshape(run.record["samples"], -1).argmax(1)
        assert (best == network.classes(shared)).sum() == network.right[numerics]
    if network.name.startswith("yolov8n"):
        compare_detections(shared, run, numerics)


def compare_detections(shared: Path, run: presil.Run, numerics: str) -> None:
    """What the device leaves of the boxes, against the detections that Python's own decoding and
    suppression make of the golden outputs: the same boxes in the same order. So are the goldens',
    with equal scores in the order that is theirs; where that makes a difference is listed."""
    side = run.program.inputs[0]["shape"][1]
    expected = photographs(shared / "models" / YOLO.format(side), GOLDENS[numerics])
    assert len(expected) == run.record["samples"]
    tied = []
    for output, found, photograph in zip(run.arrays[0], detections(run), expected):
        letterbox, golden = photograph["letterbox"], named(photograph["detections"])
        boxes = decoded(output, run.program.outputs[0], side, letterbox)
        theirs, ours = (
            suppressed(boxes, order(boxes.scores)) for order in (unstable_order, stable_order)
        )
        assert not theirs.differences(golden, TENTH), photograph["image"]
        kept = from_rows(found, letterbox)
        assert not kept.differences(ours, CLOSE), photograph["image"]
        if ours.differences(golden, TENTH):
            tied.append(photograph["image"])
    assert tied == TIED.get((side, numerics), []), tied


@pytest.mark.parametrize("numerics", GOLDENS)
@pytest.mark.parametrize("side", [224, 416, 640])
def test_boxes_in_the_order_of_the_goldens_leave_the_goldens_detections_on_the_dsp(
    shared: Path, side: int, numerics: str
) -> None:
    """Golden outputs with their boxes moved so that equal scores stand as the goldens have them:
    decoding and suppression, all on the DSP, give every box of every photograph, in its order."""
    folder = shared / "models" / "yolov8n-int8"
    if not folder.is_dir():
        pytest.skip(f"SKIPPED: no {folder}")
    network = presil.load(folder / f"yolov8n_full_integer_quant_{side}.tflite", numerics)
    (tensor,) = network.outputs
    golden = shared / "models" / YOLO.format(side)
    expected = photographs(golden, GOLDENS[numerics])

    columns = []
    for output, photograph in zip(
        stored(golden / f"out0_{GOLDENS[numerics]}.bin", tensor), expected, strict=True
    ):
        first = unstable_order(decoded(output, tensor, side, photograph["letterbox"]).scores)
        rest = np.setdiff1d(np.arange(output.shape[1]), first)
        columns.append(output[:, np.concatenate([first, rest])])
    b = presil.Builder("boxes")
    (scale,), (zero_point,) = tensor["scales"], tensor["zero_points"]
    x = b.input("x", tensor["shape"], scale=scale, zero_point=zero_point)
    limits = {"score": LEAST_SCORE, "iou": MOST_OVERLAP, "max": 100}
    rows = b.box_decode(x, classes=80, width=side, height=side, out=presil.Type("float32"))
    types = [presil.Type("float32"), presil.Type("int32")]
    b.output(*b.nms(rows, **limits, labelled=True, out=types))
    run = presil.run(b.build(), [np.stack(columns)], "layers")
    assert run.exact, run.record["check"]
    assert {layer["engine"] for layer in run.layers} == {"dsp"}
    for found, photograph in zip(detections(run), expected):
        kept = from_rows(found, photograph["letterbox"])
        assert not kept.differences(named(photograph["detections"]), TENTH), photograph["image"]


@pytest.mark.parametrize("numerics", GOLDENS)
@pytest.mark.parametrize("soc", SOCS)
def test_toy_cars_have_their_scores(
    shared: Path, numerics: str, soc: str, everything: bool
) -> None:
    """Windows of five frames of a spectrogram; the score is the mean squared error of all."""
    folder = shared / "models" / "mlperf-tiny-autoencoder-ad"
    sounds = shared / "data" / "internal-test-only" / "ad01"
    if not sounds.is_dir():
        pytest.skip(f"SKIPPED: no {sounds}")
    net = presil.load(folder / "ad01_int8.tflite", numerics)
    (x,), (y,) = net.inputs, net.outputs
    program = presil.compile(net, soc)
    with (folder / "golden" / "scores.csv").open(encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    for row in rows if everything else rows[:1]:
        frames = np.fromfile(sounds / row["file"], np.float32)
        real = np.stack([frames[i : i + 640] for i in range(0, frames.size - 640 + 1, 128)])
        assert len(real) == int(row["windows"])
        stored = np.round(real / np.float32(x["scales"][0])) + x["zero_points"][0]
        run = presil.run(program, [np.clip(stored, -128, 127).astype(np.int8)], "layers")
        assert run.exact, run.record["check"]
        made = (run.arrays[0].astype(np.float64) - y["zero_points"][0]) * y["scales"][0]
        score = ((made - real) ** 2).mean()
        assert abs(score - float(row[f"mse_{GOLDENS[numerics]}"])) < 1e-4, row["file"]


@pytest.mark.usefixtures("simulator_with_rtl")
@pytest.mark.parametrize(("network", "numerics"), CASES)
def test_with_all_blocks_in_rtl_networks_equal_their_goldens(
    shared: Path, network: Network, numerics: str, everything: bool
) -> None:
    if not everything and network.name != "person-detect":
        pytest.skip("SKIPPED: all samples on RTL are for `presil test --all`")
    if network.long:
        pytest.skip("SKIPPED: minutes of RTL for each image")
    checked(shared, network, numerics, "edge", "dla=rtl,dma=rtl,sync=rtl")


@pytest.mark.parametrize("numerics", GOLDENS)
@pytest.mark.parametrize("soc", SOCS)
def test_the_detector_equals_its_goldens(digits: Path, soc: str, numerics: str) -> None:
    folder = digits.parent
    net = presil.load(digits, numerics, post=folder / "post.yaml")
    files = sorted((folder / "samples").glob("*.png"))
    scenes = [read_image(f, net.inputs[0], ImageOptions()) for f in files]
    goldens = [np.load(folder / "golden" / f"out{k}_{numerics}.npy") for k in (0, 1)]
    run = presil.run(presil.compile(net, soc), [np.concatenate(scenes)], "layers", goldens)
    assert run.record["check"]["exact"], run.record["check"]
    assert run.record["check"]["golden"]["compared_bytes"] == sum(g.nbytes for g in goldens)


def test_a_larger_soc_is_faster(digits: Path) -> None:
    net = presil.load(digits, post=digits.parent / "post.yaml")
    x = np.zeros((1, *net.inputs[0]["shape"][1:]), np.int8)
    seconds = []
    for name in ("micro", "edge", "big"):
        soc = presil.load_soc(name)
        seconds.append(presil.run(presil.compile(net, soc), [x]).cycles / soc.clock_mhz)
    assert seconds == sorted(seconds, reverse=True), seconds


def test_a_wrong_golden_is_found_and_located(digits: Path, tmp_path: Path) -> None:
    """The check can fail: one flipped bit of a golden is told by layer, tensor, index, values."""
    golden = np.load(digits.parent / "golden" / "out0_tflite.npy")[:1]
    golden[0, 3, 2, 1] ^= 1
    file = tmp_path / "golden.npy"
    np.save(file, golden)
    scene = digits.parent / "samples" / "00.png"
    ended = presil_cli("run", digits, "--input", scene, "--golden", file, "--json", cwd=tmp_path)
    assert ended.code == 1
    record = json.loads(ended.out)
    first = record["check"]["first"]
    assert not record["check"]["exact"] and first["index"] == [0, 3, 2, 1]
    assert first["got"] ^ first["wanted"] in (1, -1)
