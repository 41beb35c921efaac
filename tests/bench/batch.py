"""Cycles of networks at several images at a time, over those of one image: a Markdown file.

    PYTHONPATH=sim/python /usr/bin/python3 tests/bench/batch.py \\
        --to compiler_bridge/passes/batch_measured.md

Every run is compared with the reference interpreter, every kept tensor too. Needs the shared models
(PRESIL_SHARED) and a built presil.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "sim" / "python"))

import presil  # noqa: E402
from presil import paths  # noqa: E402

NETWORKS = {
    "ResNet-8": "mlperf-tiny-resnet8/pretrainedResnet_quant.tflite",
    "MobileNetV2": "mobilenet-v2-int8/tf2_mobilenet_v2_1.0_224_ptq.tflite",
    "YOLOv8n, 224 x 224": "yolov8n-int8/yolov8n_full_integer_quant_224.tflite",
    "DS-CNN": "mlperf-tiny-dscnn-kws/kws_ref_model.tflite",
    "MobileNetV1-0.25-96 (VWW)": "mlperf-tiny-mobilenetv1-vww/vww_96_int8.tflite",
    "MobileNetV1-0.25-128, uint8": "mobilenet-v1-0.25-128-uint8/mobilenet_v1_0.25_128_quant.tflite",
    "resnet-large": "mlperf-tiny-resnet-large/pretrainedResnet_large_int8.tflite",
    "autoencoder": "mlperf-tiny-autoencoder-ad/ad01_int8.tflite",
}
BATCHES = (2, 4, 8)
SOCS = ("edge", "micro", "big")
HEAD = """# Batches: measured

Cycles of N images at a time over N times those of one, random input, tflite rules. Written by
`tests/bench/batch.py --to compiler_bridge/passes/batch_measured.md`.
Every kept tensor of every run is exact.

| network | SoC | 1 image, cycles | 2 | 4 | 8 | bytes of DRAM an image, 1 | 8 |
|---|---|---:|---:|---:|---:|---:|---:|
"""


def measured(file: Path, batch: int, soc: str) -> tuple[int, float]:
    """Cycles, and bytes of the DRAM for each image."""
    run = presil.run(presil.load(file, batch=batch), soc=soc, check="layers")
    if not run.exact:
        raise SystemExit(f"{file} of batch {batch} on {soc} differs: {run.record['check']}")
    dram = run.record["memory"]["dram"]
    return int(run.cycles), (dram["read_bytes"] + dram["written_bytes"]) / batch


def row(name: str, file: Path, soc: str) -> str:
    one, alone = measured(file, 1, soc)
    more = [measured(file, batch, soc) for batch in BATCHES]
    ratios = [cycles / (batch * one) for batch, (cycles, _) in zip(BATCHES, more)]
    text = " | ".join(f"{ratio:.3f}" for ratio in ratios)
    return f"| {name} | {soc} | {one:,} | {text} | {alone:,.0f} | {more[-1][1]:,.0f} |\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--to", type=Path, required=True, help="the file that is written")
    options = parser.parse_args()
    text = HEAD
    for name, file in NETWORKS.items():
        for soc in SOCS:
            text += row(name, paths.shared() / "models" / file, soc)
            print(text.splitlines()[-1], flush=True)
    options.to.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
