"""Trained networks on every preset: all kept tensors equal the reference interpreter's, all outputs
equal goldens that other runtimes made (tflite: TFLite Micro, xnnpack: LiteRT with XNNPACK)."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import presil
import pytest
from conftest import presil as presil_cli
from presil.inputs import ImageOptions, read_picture

GOLDENS = {"tflite": "tflm", "xnnpack": "xnnpack"}
SOCS = ("edge", "micro", "big")


def pixels(file: str) -> Callable[[Path, Path], np.ndarray]:
    """uint8 pictures of the data folder, moved to int8."""

    def read(shared: Path, _model: Path) -> np.ndarray:
        return (np.fromfile(shared / "data" / file, np.uint8) ^ 0x80).view(np.int8)

    return read


def prepared(file: str) -> Callable[[Path, Path], np.ndarray]:
    """Inputs that lie beside the goldens, in the type that their names say."""
    dtype = np.uint8 if file.endswith("u8.bin") else np.int8
    return lambda _shared, model: np.fromfile(model / "golden" / file, dtype)


@dataclass
class Network:
    """A network of the shared folder, its inputs and where its goldens lie."""

    name: str
    file: str
    inputs: Callable[[Path, Path], np.ndarray]
    golden: str = "out{k}_{runtime}.bin"
    numerics: tuple[str, ...] = ("tflite", "xnnpack")
    host: int = 1  # layers left to the host: the softmax at the end
    outputs: int = 1


TOY = "anomaly_id_01_00000003_hist_librosa"
CIFAR = pixels("internal-test-only/ic01/images_u8_100x32x32x3.bin")
NETWORKS = (
    Network("resnet8", "mlperf-tiny-resnet8/pretrainedResnet_quant.tflite", CIFAR),
    Network("resnet-large", "mlperf-tiny-resnet-large/pretrainedResnet_large_int8.tflite", CIFAR),
    Network(
        "ds-cnn",
        "mlperf-tiny-dscnn-kws/kws_ref_model.tflite",
        lambda shared, _: np.fromfile(shared / "data/kws01/mfcc_i8_500x49x10.bin", np.int8),
    ),
    Network(
        "vww",
        "mlperf-tiny-mobilenetv1-vww/vww_96_int8.tflite",
        pixels("internal-test-only/vww01/images_u8_80x96x96x3.bin"),
    ),
    Network(
        "autoencoder",
        "mlperf-tiny-autoencoder-ad/ad01_int8.tflite",
        prepared(f"{TOY}_in_i8.bin"),
        f"{TOY}_out{{k}}_{{runtime}}.bin",
    ),
    Network(
        "person-detect",
        "tflm-person-detect/person_detect.tflite",
        prepared("in_i8.bin"),
        numerics=("tflite",),
    ),
    Network(
        "lstm",
        "lstm-mnist-int8/trained_lstm_int8.tflite",
        pixels("mnist10/images_u8_10x28x28.bin"),
        numerics=("tflite",),
        host=2,
    ),
    # Weights with zero points; uint8 becomes int8 and back around what the DLA does.
    Network(
        "mobilenet-v1-uint8",
        "mobilenet-v1-0.25-128-uint8/mobilenet_v1_0.25_128_quant.tflite",
        prepared("in_u8.bin"),
        numerics=("xnnpack",),
    ),
    # A detector: concatenations of unlike bytes, and its end in floats, which are equal too.
    Network(
        "ssd-mobilenet-v1-uint8",
        "ssd-mobilenet-v1-coco-uint8/ssd_mobilenet_v1_coco_quant.tflite",
        prepared("in_u8.bin"),
        numerics=("xnnpack",),
        outputs=4,
    ),
    # uint8 at both ends only.
    Network(
        "mobilenet-v2",
        "mobilenet-v2-int8/tf2_mobilenet_v2_1.0_224_ptq.tflite",
        prepared("in_u8.bin"),
    ),
)


CASES = [pytest.param(n, k, id=f"{n.name}-{k}") for n in NETWORKS for k in n.numerics]


def run_against_goldens(
    shared: Path, network: Network, numerics: str, soc: str, blocks: str | None = None
) -> presil.Run:
    """All samples, every kept tensor and every golden byte compared."""
    file = shared / "models" / network.file
    net = presil.load(file, numerics)
    try:
        values = network.inputs(shared, file.parent)
    except FileNotFoundError as absent:
        pytest.skip(f"SKIPPED: no {absent.filename}")
    inputs = values.reshape(-1, *net.inputs[0]["shape"][1:])
    goldens = [
        np.fromfile(
            file.parent / "golden" / network.golden.format(k=k, runtime=GOLDENS[numerics]),
            net.outputs[k]["dtype"],
        ).reshape(len(inputs), -1)
        for k in range(network.outputs)
    ]
    run = presil.run(presil.compile(net, soc), [inputs], "layers", goldens, blocks=blocks)
    assert run.record["check"]["exact"], run.record["check"]
    assert run.record["check"]["golden"]["compared_bytes"] == sum(g.nbytes for g in goldens)
    return run


@pytest.mark.parametrize("soc", SOCS)
@pytest.mark.parametrize(("network", "numerics"), CASES)
def test_networks_equal_their_goldens(
    shared: Path, network: Network, numerics: str, soc: str
) -> None:
    run = run_against_goldens(shared, network, numerics, soc)
    assert [layer["engine"] for layer in run.layers].count("host") <= network.host


@pytest.mark.usefixtures("simulator_with_rtl")
@pytest.mark.parametrize(("network", "numerics"), CASES)
def test_with_all_blocks_in_rtl_networks_equal_their_goldens(
    shared: Path, network: Network, numerics: str, everything: bool
) -> None:
    if not everything and network.name != "person-detect":
        pytest.skip("SKIPPED: all samples on RTL are for `presil test --all`")
    run_against_goldens(shared, network, numerics, "edge", "dla=rtl,dma=rtl,sync=rtl")


@pytest.mark.parametrize("numerics", GOLDENS)
@pytest.mark.parametrize("soc", SOCS)
def test_the_detector_equals_its_goldens(digits: Path, soc: str, numerics: str) -> None:
    folder = digits.parent
    net = presil.load(digits, numerics, post=folder / "post.yaml")
    files = sorted((folder / "samples").glob("*.png"))
    scenes = [read_picture(f, net.inputs[0], ImageOptions()) for f in files]
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
