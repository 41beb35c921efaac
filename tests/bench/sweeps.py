"""What the benches of the compiler's choices sweep over: networks and SoCs, and one measurement.

Half of the networks, and of the layers of single_layers.py, are for tuning. The others are held
out: they are measured last, to see whether what was tuned holds for them too.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "sim" / "python"))

import numpy as np  # noqa: E402
import presil  # noqa: E402
from presil import paths  # noqa: E402

DIGITS = "digits"
TUNED = {
    "resnet8": "mlperf-tiny-resnet8/pretrainedResnet_quant.tflite",
    "ds-cnn": "mlperf-tiny-dscnn-kws/kws_ref_model.tflite",
    "vww": "mlperf-tiny-mobilenetv1-vww/vww_96_int8.tflite",
    "resnet-large": "mlperf-tiny-resnet-large/pretrainedResnet_large_int8.tflite",
    "autoencoder": "mlperf-tiny-autoencoder-ad/ad01_int8.tflite",
    "mobilenet-v2": "mobilenet-v2-int8/tf2_mobilenet_v2_1.0_224_ptq.tflite",
}
HELD_OUT = {
    DIGITS: "",
    "person-detect": "tflm-person-detect/person_detect.tflite",
    "mobilenet-v1-0.25": "mobilenet-v1-0.25-128-uint8/mobilenet_v1_0.25_128_quant.tflite",
    "micro-speech": "tflm-micro-speech/micro_speech_quantized.tflite",
    "ssd": "ssd-mobilenet-v1-coco-uint8/ssd_mobilenet_v1_coco_quant.tflite",
    "yolov8n-224": "yolov8n-int8/yolov8n_full_integer_quant_224.tflite",
}
SLOW_TO_SIMULATE = {"mobilenet-v2", "ssd", "yolov8n-224"}


@dataclass(frozen=True)
class Soc:
    preset: str = "edge"
    overrides: tuple[str, ...] = ()

    def __str__(self) -> str:
        return " ".join([self.preset, *self.overrides])

    def load(self) -> presil.Soc:
        return presil.load_soc(self.preset, list(self.overrides))


@dataclass(frozen=True)
class Subject:
    """A network, or a network of one layer."""

    name: str
    network: presil.Network

    def inputs(self) -> list[np.ndarray]:
        types = {"int8": np.int8, "uint8": np.uint8, "int16": np.int16, "float32": np.float32}
        return [np.zeros((1, *t["shape"][1:]), types[t["dtype"]]) for t in self.network.inputs]


@dataclass(frozen=True)
class Measured:
    estimate: int
    cycles: int  # without the host's tasks at the end, which the estimate does not have
    whole: int  # with them


def measure(subject: Subject, soc: Soc) -> Measured:
    program = presil.compile(subject.network, soc.load())
    run = presil.run(program, subject.inputs(), "none")
    commands = [c for c in run.commands if c["queue"] != "host"]
    if not commands:
        return Measured(program.estimate or 0, 0, run.cycles)
    cycles = max(c["end"] for c in commands) - min(c["offered"] for c in commands)
    return Measured(program.estimate or 0, cycles, run.cycles)


def networks(held_out: bool, slow: bool) -> Iterator[Subject]:
    for name, file in (HELD_OUT if held_out else TUNED).items():
        if name in SLOW_TO_SIMULATE and not slow:
            continue
        path = ROOT / "sim/nets/digits/digits.tflite"
        if name != DIGITS:
            path = paths.shared() / "models" / file
        if path.is_file():
            yield Subject(name, presil.load(path))
        else:
            print(f"SKIPPED {path}: not there")
