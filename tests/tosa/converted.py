"""Trained networks through `tosa-converter-for-tflite`, beside their TFLite files: the table of
sim/guides/tosa.md.

usage: PATH=$PATH:FOLDER PRESIL_BUILD=build PYTHONPATH=sim/python python3 tests/tosa/converted.py

FOLDER holds `tosa-converter-for-tflite` and, of the package tosa-tools, `tosa-opt` and
`tosa_reference_model`. One sample of random data on `edge`. Outputs must be the reference model's
and the TFLite path's, every kept tensor the interpreter's.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import presil
from presil import mlir, paths

CONVERTER, MODEL = "tosa-converter-for-tflite", "tosa_reference_model"
TOOLS = (CONVERTER, MODEL, mlir.TOOL)
NETWORKS = {
    "autoencoder (anomaly detection)": "mlperf-tiny-autoencoder-ad/ad01_int8.tflite",
    "ResNet, large": "mlperf-tiny-resnet-large/pretrainedResnet_large_int8.tflite",
    "ResNet-8": "mlperf-tiny-resnet8/pretrainedResnet_quant.tflite",
    "MobileNetV1 0.25 (wake words)": "mlperf-tiny-mobilenetv1-vww/vww_96_int8.tflite",
    "person detection": "tflm-person-detect/person_detect.tflite",
    "DS-CNN (keywords)": "mlperf-tiny-dscnn-kws/kws_ref_model.tflite",
    "micro speech": "tflm-micro-speech/micro_speech_quantized.tflite",
    "YOLOv8n 224": "yolov8n-int8/yolov8n_full_integer_quant_224.tflite",
    "MobileNetV2 224, 1001 classes": "mobilenet-v2-int8/tf2_mobilenet_v2_1.0_224_ptq.tflite",
    "MobileNetV1 0.25 128, 1001 classes": (
        "mobilenet-v1-0.25-128-uint8/mobilenet_v1_0.25_128_quant.tflite"
    ),
}
OPEN_BATCH = r"(?<=tensor<)\?(?=x)|(?<=\{values = dense<\[)-1(?=, .*: tensor<\dxindex>)"
"""In types of tensors, and in shapes that are constants."""


def missing() -> list[str]:
    """Tools that are not in PATH."""
    return [tool for tool in TOOLS if shutil.which(tool) is None]


def converted(file: Path, folder: Path) -> Path:
    """The .tosa file of a TFLite one, batch 1."""
    text = folder / f"{file.stem}.mlir"
    command = [CONVERTER, str(file), "--text", "-o", str(text)]
    subprocess.run(command, check=True, capture_output=True)
    text.write_text(re.sub(OPEN_BATCH, "1", text.read_text()))
    net = folder / f"{file.stem}.tosa"
    net.write_bytes(mlir.serialized(text))
    return net


def of_reference_model(
    net: Path, names: tuple[str, str], values: np.ndarray, folder: Path
) -> np.ndarray:
    """What TOSA's reference model gives for the one input. @param names  of input and output"""
    np.save(folder / "in.npy", values)
    command = [
        MODEL, f"--tosa_file={net}", f"--flatbuffer_dir={folder}", f"--output_dir={folder}",
        f"--ifm_name={names[0]}", "--ifm_file=in.npy",
        f"--ofm_name={names[1]}", "--ofm_file=out.npy",
    ]  # fmt: skip
    subprocess.run(command, check=True, capture_output=True)
    return np.asarray(np.load(folder / "out.npy"))


@dataclass
class Row:
    cycles: int
    cycles_tflite: int
    exact: bool
    """Every kept tensor is the interpreter's."""
    of_model: bool
    """Outputs are those of the reference model."""
    of_tflite: bool
    """Outputs are those of the TFLite path."""

    @property
    def longer(self) -> float:
        return self.cycles / self.cycles_tflite - 1


def row(file: Path, folder: Path, check: str = "layers") -> Row:
    net = presil.load(converted(file, folder))
    x = net.inputs[0]
    rng = np.random.default_rng(1)
    limits = np.iinfo(x["dtype"])
    values = rng.integers(limits.min, limits.max + 1, x["shape"]).astype(x["dtype"])
    run = presil.run(net, [values], check=check)
    other = presil.run(file, [values])
    (got,), (expected,) = run.outputs.values(), other.outputs.values()
    names = (x["name"], net.outputs[0]["name"])
    model = of_reference_model(folder / f"{file.stem}.tosa", names, values, folder)
    return Row(
        run.cycles,
        other.cycles,
        bool(run.exact),
        got.tobytes() == model.tobytes(),
        got.tobytes() == expected.tobytes(),
    )


def main() -> int:
    if missing():
        print(f"not in PATH: {', '.join(missing())}", file=sys.stderr)
        return 2
    wrong = 0
    print("| network | cycles, TOSA | cycles, TFLite | |\n|---|---|---|---|")
    for name, file in NETWORKS.items():
        with tempfile.TemporaryDirectory() as folder:
            r = row(paths.shared() / "models" / file, Path(folder))
        more = round(100 * r.longer, 1) + 0.0  # not -0.0
        print(f"| {name} | {r.cycles:,} | {r.cycles_tflite:,} | {more:.1f} % |")
        if not (r.exact and r.of_model and r.of_tflite):
            wrong += 1
            print(f"{name}: {r}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
