#!/usr/bin/env python3
"""Networks through TVM against presil's own importers, as the table of sim/guides/tvm.md.

Runs in an environment with TVM (tests/tvm/requirements.txt):

PYTHONPATH=sim/python:tests/tvm PYTHON tests/bench/tvm_networks.py [NAME=FILE ...]

FILE: .tflite, .onnx, or the name of a network of the shape library; without, those of the table
that are there.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import numpy as np
import presil
import presil.tvm
import tvm
from modules import SHARED, arrays_for, called, imported
from tvm import relax

TABLE = {
    "ResNet-8": "mlperf-tiny-resnet8/pretrainedResnet_quant.tflite",
    "ResNet-large": "mlperf-tiny-resnet-large/pretrainedResnet_large_int8.tflite",
    "DS-CNN": "mlperf-tiny-dscnn-kws/kws_ref_model.tflite",
    "VWW": "mlperf-tiny-mobilenetv1-vww/vww_96_int8.tflite",
    "MobileNetV1, uint8": "mobilenet-v1-0.25-128-uint8/mobilenet_v1_0.25_128_quant.tflite",
    "MobileNetV2": "mobilenet-v2-int8/tf2_mobilenet_v2_1.0_224_ptq.tflite",
    "UltraFace, QDQ": "ultraface-rfb-320-qdq/version-RFB-320_qdq_int8.onnx",
    "Yolo-Fastest, float": "yolo-fastest-1.1/yolo-fastest-1.1.onnx",
    "YOLOX-nano, float": "yolox-nano/yolox_nano_416_heads.onnx",
    "YOLOv3-tiny": "yolo_v3_tiny",
    "YOLOv4-416": "yolo_v4",
}
COLUMNS = ("network", "MACs taken", "regions", "cycles", "of presil's importer", "equal")
COLUMNS += ("partition, code", "TVM's own")
HEAD = f"| {' | '.join(COLUMNS)} |\n|{'---|' * len(COLUMNS)}"


def file_of(name: str) -> Path:
    there = [Path(name), SHARED / name]
    return next((file for file in there if file.is_file()), None) or presil.nets.network_file(name)


def row(title: str, file: Path) -> str:
    numerics = "onnx" if file.suffix == ".onnx" else "tflite"
    own = presil.load(file)
    mod = imported(file)
    began = time.process_time()
    part = presil.tvm.partition_for_presil(mod, numerics=numerics)
    coded = relax.transform.RunCodegen()(part)
    took = time.process_time() - began
    taken = sum(network.graph.macs for network in presil.tvm.networks(part).values())
    vm = relax.VirtualMachine(relax.build(coded, "llvm"), tvm.cpu())
    given = arrays_for(own.inputs)
    expected = presil.run(own, given, soc="edge", check="none")
    with presil.tvm.on_board() as board:
        made = called(vm, *given)
    cycles = sum(call.cycles or 0 for call in board.calls)
    apart = cycles / expected.cycles - 1
    equal = all(np.array_equal(a, b) for a, b in zip(made, expected.arrays, strict=True))
    cells = (
        title,
        f"{taken / own.graph.macs:.1%}",
        str(len(board.calls)),
        f"{cycles:,}",
        f"{apart:+.2%}",
        "all" if equal else "no",
        f"{took:.2f} s",
        away(mod, given, made),
    )
    return f"| {' | '.join(cells)} |"


def away(mod: object, given: list[np.ndarray], made: list[np.ndarray]) -> str:
    """How far TVM's own code is: the most steps of integers, or part of the largest value."""
    alone = called(relax.VirtualMachine(relax.build(mod, "llvm"), tvm.cpu()), *given)
    worst = []
    for ours, theirs in zip(made, alone, strict=True):
        most = float(np.abs(ours.astype(np.float64) - theirs).max())
        real = ours.dtype == np.float32
        worst.append(most / max(1e-9, float(np.abs(theirs).max())) if real else most)
    unit = "of the largest" if made[0].dtype == np.float32 else "steps"
    return f"{max(worst):.2g} {unit}"


def main() -> int:
    named = dict(text.partition("=")[::2] for text in sys.argv[1:]) or TABLE
    print(HEAD, flush=True)
    for title, name in named.items():
        try:
            print(row(title, file_of(name)), flush=True)
        except presil.Refusal as refusal:
            print(f"{title}: {refusal}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
