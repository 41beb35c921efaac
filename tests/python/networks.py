"""Trained networks of the shared folder: inputs, goldens that other runtimes made, labels."""

from __future__ import annotations

import csv
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import presil

NETS = Path(__file__).resolve().parents[2] / "sim" / "nets"
GOLDENS = {"tflite": "tflm", "xnnpack": "xnnpack"}


def pixels(file: str) -> Callable[[Path, Path], np.ndarray]:
    """uint8 images of the data folder, moved to int8."""

    def read(shared: Path, _model: Path) -> np.ndarray:
        return (np.fromfile(shared / "data" / file, np.uint8) ^ 0x80).view(np.int8)

    return read


def prepared(file: str) -> Callable[[Path, Path], np.ndarray]:
    """Inputs that lie beside the goldens, in the type that their names say."""
    dtype = np.uint8 if file.endswith("u8.bin") else np.int8
    return lambda _shared, model: np.fromfile(model / file, dtype)


@dataclass
class Network:
    """A network, its inputs and where its goldens lie."""

    name: str
    file: str
    inputs: Callable[[Path, Path], np.ndarray]
    golden: str = "golden/out{k}_{runtime}.bin"
    numerics: tuple[str, ...] = ("tflite", "xnnpack")
    host: int = 1  # layers left to the host: the softmax at the end
    outputs: int = 1
    #: The file of its inputs' classes, their column, and how many the network gets right.
    labels: str = ""
    column: str = "class_id"
    right: dict[str, int] = field(default_factory=dict)
    #: Only with `presil test --all`.
    long: bool = False
    #: What follows it on the device.
    post: Path | None = None

    def classes(self, shared: Path) -> list[int]:
        with (shared / "data" / self.labels).open(encoding="utf-8") as lines:
            return [int(row[self.column]) for row in csv.DictReader(lines)]


TOY = "anomaly_id_01_00000003_hist_librosa"
CIFAR = pixels("internal-test-only/ic01/images_u8_100x32x32x3.bin")
NETWORKS = (
    Network(
        "resnet8",
        "mlperf-tiny-resnet8/pretrainedResnet_quant.tflite",
        CIFAR,
        labels="internal-test-only/ic01/labels.csv",
        right={"tflite": 88, "xnnpack": 88},
    ),
    Network(
        "resnet-large",
        "mlperf-tiny-resnet-large/pretrainedResnet_large_int8.tflite",
        CIFAR,
        labels="internal-test-only/ic01/labels.csv",
        right={"tflite": 92, "xnnpack": 92},
    ),
    Network(
        "ds-cnn",
        "mlperf-tiny-dscnn-kws/kws_ref_model.tflite",
        lambda shared, _: np.fromfile(shared / "data/kws01/mfcc_i8_500x49x10.bin", np.int8),
        labels="kws01/labels.csv",
        right={"tflite": 452, "xnnpack": 453},
    ),
    Network(
        "vww",
        "mlperf-tiny-mobilenetv1-vww/vww_96_int8.tflite",
        pixels("internal-test-only/vww01/images_u8_80x96x96x3.bin"),
        labels="internal-test-only/vww01/labels.csv",
        right={"tflite": 65, "xnnpack": 65},
    ),
    Network(
        "autoencoder",
        "mlperf-tiny-autoencoder-ad/ad01_int8.tflite",
        prepared(f"golden/{TOY}_in_i8.bin"),
        f"golden/{TOY}_out{{k}}_{{runtime}}.bin",
    ),
    Network(
        "person-detect",
        "tflm-person-detect/person_detect.tflite",
        prepared("golden/in_i8.bin"),
        numerics=("tflite",),
    ),
    Network(
        "lstm",
        "lstm-mnist-int8/trained_lstm_int8.tflite",
        pixels("mnist10/images_u8_10x28x28.bin"),
        numerics=("tflite",),
        host=2,
        labels="mnist10/labels.csv",
        column="digit",
        right={"tflite": 10},
    ),
    # Weights with zero points; uint8 becomes int8 and back around what the DLA does.
    Network(
        "mobilenet-v1-uint8",
        "mobilenet-v1-0.25-128-uint8/mobilenet_v1_0.25_128_quant.tflite",
        prepared("golden/in_u8.bin"),
        numerics=("xnnpack",),
    ),
    # A detector: concatenations of unlike bytes, and its end in floats, which are equal too.
    Network(
        "ssd-mobilenet-v1-uint8",
        "ssd-mobilenet-v1-coco-uint8/ssd_mobilenet_v1_coco_quant.tflite",
        prepared("golden/in_u8.bin"),
        numerics=("xnnpack",),
        outputs=4,
    ),
    # uint8 at both ends only.
    Network(
        "mobilenet-v2",
        "mobilenet-v2-int8/tf2_mobilenet_v2_1.0_224_ptq.tflite",
        prepared("golden/in_u8.bin"),
    ),
    *(
        Network(
            f"yolov8n-{side}",
            f"yolov8n-int8/yolov8n_full_integer_quant_{side}.tflite",
            prepared(f"golden_{side}/in_i8.bin"),
            f"golden_{side}/out{{k}}_{{runtime}}.bin",
            host=16,
            long=side > 224,
            post=NETS / "yolov8_coco.yaml",
        )
        for side in (224, 416, 640)
    ),
)


def run_against_goldens(
    shared: Path,
    network: Network,
    numerics: str,
    soc: str,
    blocks: str | None = None,
    samples: int | None = None,
) -> presil.Run:
    """Every kept tensor of every sample against the interpreter, every output against its golden.

    samples: the first ones only.
    @throws FileNotFoundError where the data are not there
    """
    file = shared / "models" / network.file
    net = presil.load(file, numerics, network.post)
    inputs = network.inputs(shared, file.parent).reshape(-1, *net.inputs[0]["shape"][1:])
    goldens = [
        np.fromfile(
            file.parent / network.golden.format(k=k, runtime=GOLDENS[numerics]),
            net.outputs[k]["dtype"],
        ).reshape(len(inputs), *net.outputs[k]["shape"])[:samples]
        for k in range(network.outputs)
    ]
    program = presil.compile(net, soc)
    return presil.run(program, [inputs[:samples]], "layers", goldens, blocks=blocks)
