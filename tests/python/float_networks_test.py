"""Trained networks of float32: all kept tensors equal the reference interpreter's in every bit, and
as many labels are right as LiteRT has right on the same samples."""

from __future__ import annotations

import csv
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import presil
import pytest

FEW = 4


def images(file: str, scale: float) -> Callable[[Path], np.ndarray]:
    return lambda shared: np.fromfile(shared / "data" / file, np.uint8) / np.float32(scale)


def spectra(shared: Path) -> np.ndarray:
    """What the int8 network of the same task reads, in its real values."""
    stored = np.fromfile(shared / "data/kws01/mfcc_i8_500x49x10.bin", np.int8)
    return (stored.astype(np.float32) - 83) * np.float32(0.5847029)


@dataclass
class Network:
    file: str
    inputs: Callable[[Path], np.ndarray]
    labels: str
    right: int  #: of all samples, by LiteRT without its delegate as by the interpreter


IC, VWW = "internal-test-only/ic01", "internal-test-only/vww01"
NETWORKS = {
    "resnet8": Network(
        "mlperf-tiny-resnet8/pretrainedResnet.tflite",
        images(f"{IC}/images_u8_100x32x32x3.bin", 1),
        f"{IC}/labels.csv",
        87,
    ),
    "vww": Network(
        "mlperf-tiny-mobilenetv1-vww/vww_96_float.tflite",
        images(f"{VWW}/images_u8_80x96x96x3.bin", 255),
        f"{VWW}/labels.csv",
        65,
    ),
    # Dynamic range: weights of int8 beside activations of float32.
    "ds-cnn": Network(
        "mlperf-tiny-dscnn-kws/kws_ref_model_float32.tflite", spectra, "kws01/labels.csv", 454
    ),
}


def samples(shared: Path, network: Network) -> tuple[presil.Network, np.ndarray, list[int]]:
    net = presil.load(shared / "models" / network.file)
    try:
        values = network.inputs(shared)
        text = (shared / "data" / network.labels).read_text(encoding="utf-8")
    except FileNotFoundError as absent:
        pytest.skip(f"SKIPPED: no {absent.filename}")
    labels = [int(row["class_id"]) for row in csv.DictReader(text.splitlines())]
    return net, values.reshape(-1, *net.inputs[0]["shape"][1:]), labels


@pytest.mark.parametrize("name", NETWORKS)
def test_float_networks_are_exact_in_every_bit(shared: Path, name: str) -> None:
    net, inputs, _ = samples(shared, NETWORKS[name])
    run = presil.run(presil.compile(net, "edge"), [inputs[:FEW]], "layers")
    assert run.record["check"]["exact"], run.record["check"]
    of_bytes = {layer["op"] for layer in run.layers if layer["engine"] == "dla"}
    assert of_bytes == ({"conv2d"} if name == "ds-cnn" else set())


#: Float32 alone, and operators that stay with the host.
ON_THE_DSP = {
    "mlperf-tiny-resnet8/pretrainedResnet.tflite": {"softmax"},
    "mlperf-tiny-mobilenetv1-vww/vww_96_float.tflite": {"softmax"},
    "mlperf-tiny-autoencoder-ad/ad01_fp32.tflite": set(),
    "kwt1-keyword-transformer-float/kwt1_non_stream.tflite": set(),
}


@pytest.mark.parametrize("file", ON_THE_DSP)
def test_products_of_float_networks_are_the_dsp_s(shared: Path, file: str) -> None:
    path = shared / "models" / file
    if not path.is_file():
        pytest.skip(f"SKIPPED: no {path}")
    program = presil.compile(presil.load(path), "edge")
    assert not program.check_memory()["wrong"]
    random = np.random.default_rng(7)
    inputs = [
        random.standard_normal((1, *t["shape"][1:])).astype(np.dtype(t["dtype"]))
        for t in program.inputs
    ]
    run = presil.run(program, inputs, "layers")
    assert run.exact, run.record["check"]
    host = [layer for layer in run.layers if layer["engine"] == "host"]
    assert {layer["op"] for layer in host} == ON_THE_DSP[file]
    assert sum(layer["cycles"] for layer in host) < 0.2 * run.record["cycles"]


@pytest.mark.parametrize("kib", [128, 192])
def test_float_images_in_little_sram_come_in_tiles(shared: Path, kib: int) -> None:
    net, inputs, _ = samples(shared, NETWORKS["resnet8"])
    program = presil.compile(net, presil.load_soc("edge", [f"sram.bytes={kib << 10}"]))
    assert not program.check_memory()["wrong"]
    run = presil.run(program, [inputs[:1]], "layers")
    assert run.exact, run.record["check"]
    assert max(layer["commands"] for layer in run.layers if layer["engine"] == "dsp") > 1


@pytest.mark.parametrize("name", NETWORKS)
def test_float_networks_recognise_what_they_do_elsewhere(
    shared: Path, name: str, everything: bool
) -> None:
    if not everything:
        pytest.skip("SKIPPED: all samples are for `presil test --all`")
    net, inputs, labels = samples(shared, NETWORKS[name])
    outputs = [next(iter(presil.reference(net, [x[None]]).values())) for x in inputs]
    right = [int(y.argmax()) == label for y, label in zip(outputs, labels, strict=True)]
    assert sum(right) == NETWORKS[name].right
