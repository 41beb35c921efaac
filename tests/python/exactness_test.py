"""Whole networks through driver and models: every byte equals goldens that other runtimes made."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import presil
import pytest
from conftest import ROOT
from presil.inputs import ImageOptions, read_picture

GOLDENS = {"tflite": "tflm", "xnnpack": "xnnpack"}
NUMERICS = tuple(GOLDENS)
SAMPLES = 2


@pytest.mark.parametrize("numerics", NUMERICS)
def test_the_detector_equals_its_goldens(digits: Path, numerics: str, everything: bool) -> None:
    folder = digits.parent
    net = presil.load(digits, numerics, post=folder / "post.yaml")
    files = sorted((folder / "samples").glob("*.png"))[: None if everything else 4]
    scenes = [read_picture(f, net.inputs[0], ImageOptions()) for f in files]
    goldens = [np.load(folder / "golden" / f"out{k}_{numerics}.npy")[: len(files)] for k in (0, 1)]
    run = presil.run(presil.compile(net), [np.concatenate(scenes)], "layers", goldens)
    assert run.record["check"]["exact"], run.record["check"]
    assert run.record["check"]["golden"]["compared_bytes"] == sum(g.nbytes for g in goldens)


@pytest.mark.parametrize("numerics", NUMERICS)
@pytest.mark.parametrize(
    ("folder", "file"),
    [
        ("mlperf-tiny-resnet8", "pretrainedResnet_quant.tflite"),
        ("mlperf-tiny-resnet-large", "pretrainedResnet_large_int8.tflite"),
    ],
)
def test_resnets_equal_their_goldens(
    shared: Path, folder: str, file: str, numerics: str, everything: bool
) -> None:
    images = shared / "data" / "internal-test-only" / "ic01" / "images_u8_100x32x32x3.bin"
    if not images.is_file():
        pytest.skip(f"SKIPPED: no {images}")
    pixels = np.fromfile(images, np.uint8).reshape(-1, 32, 32, 3)
    inputs = (pixels.astype(np.int16) - 128).astype(np.int8)
    model = shared / "models" / folder
    golden = np.fromfile(model / "golden" / f"out0_{GOLDENS[numerics]}.bin", np.int8)
    golden = golden.reshape(len(inputs), -1)
    count = len(inputs) if everything else SAMPLES
    program = presil.compile(presil.load(model / file, numerics))
    run = presil.run(program, [inputs[:count]], "layers", [golden[:count]])
    assert run.record["check"]["exact"], run.record["check"]
    assert run.record["check"]["golden"]["compared_bytes"] == golden[:count].nbytes
    assert sum(layer["exact"] is True for layer in run.layers) >= 10


def test_a_run_repeats_itself_but_for_the_simulator(digits: Path) -> None:
    net = presil.load(digits, post=digits.parent / "post.yaml")
    x = np.random.default_rng(7).integers(-128, 128, (2, 96, 96, 3)).astype(np.int8)
    records = [presil.run(presil.compile(net), [x], "layers").record for _ in range(2)]
    for record in records:
        del record["simulator"]
    assert json.dumps(records[0]) == json.dumps(records[1])


def test_busy_stalls_and_idle_sum_to_the_cycles(digits: Path) -> None:
    net = presil.load(digits, post=digits.parent / "post.yaml")
    x = np.zeros((2, 96, 96, 3), np.int8)
    record = presil.run(presil.compile(net), [x]).record
    engines = record["engines"]
    parts = [engines["dla"], engines["dma"], engines["host"], *engines["dma"]["channels"]]
    for engine in parts:
        total = engine["busy"] + sum(engine["stall"].values()) + engine["idle"]
        assert total == record["cycles"], engine
        assert min([engine["busy"], engine["idle"], *engine["stall"].values()]) >= 0
    assert engines["dla"]["busy"] > 0 and engines["host"]["busy"] > 0
    assert record["cycles"] == sum(s["cycles"] for s in record["per_sample"])


def test_a_wrong_golden_is_found_and_located(presil_cli_run, digits: Path, tmp_path: Path) -> None:
    """The check can fail: one flipped bit of a golden is told by layer, tensor, index, values."""
    golden = np.load(digits.parent / "golden" / "out0_tflite.npy")[:1]
    golden[0, 3, 2, 1] ^= 1
    file = tmp_path / "golden.npy"
    np.save(file, golden)
    scene = digits.parent / "samples" / "00.png"
    ended = presil_cli_run("run", digits, "--input", scene, "--golden", file, "--json")
    assert ended.code == 1
    record = json.loads(ended.out)
    first = record["check"]["first"]
    assert not record["check"]["exact"] and first["index"] == [0, 3, 2, 1]
    assert first["got"] ^ first["wanted"] in (1, -1)


@pytest.fixture
def presil_cli_run(tmp_path: Path):  # noqa: ANN201
    from conftest import presil as call

    return lambda *arguments: call(*arguments, cwd=tmp_path)


def test_the_project_has_its_own_network() -> None:
    assert (ROOT / "sim" / "nets" / "digits" / "net.yaml").is_file()
