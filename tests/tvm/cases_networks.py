"""Trained networks through TVM: everything is taken, values and cycles are those of presil's own
importers."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import presil
import presil.tvm
import pytest
from modules import SHARED, arrays_for, called, imported, machine

EVERYTHING = os.environ.get("PRESIL_ALL") == "1"
TRAINED = {
    "mlperf-tiny-resnet8/pretrainedResnet_quant.tflite": "tflite",
    "mlperf-tiny-dscnn-kws/kws_ref_model.tflite": "tflite",
    "mlperf-tiny-autoencoder-ad/ad01_int8.tflite": "tflite",
    "mlperf-tiny-mobilenetv1-vww/vww_96_int8.tflite": "xnnpack",
    "mobilenet-v1-0.25-128-uint8/mobilenet_v1_0.25_128_quant.tflite": "tflite",
    "ultraface-rfb-320-qdq/version-RFB-320_qdq_int8.onnx": "onnx",
}
LONG = {
    "mlperf-tiny-resnet-large/pretrainedResnet_large_int8.tflite": "tflite",
    "mobilenet-v2-int8/tf2_mobilenet_v2_1.0_224_ptq.tflite": "tflite",
    "yolo-fastest-1.1/yolo-fastest-1.1.onnx": "onnx",
    "yolox-nano/yolox_nano_416_heads.onnx": "onnx",
}
SHAPES = ("resnet18:resolution=64", "vit_tiny:resolution=64", "yolo_v4:resolution=64")
MOST_APART = 0.03
"""Of the cycles, from those of presil's own importer."""


def compare(file: Path, numerics: str) -> None:
    said = None if numerics == "tflite" or file.suffix == ".onnx" else numerics  # or by default
    mod = presil.tvm.partition_for_presil(imported(file), numerics=said)
    left = [row for row in presil.tvm.placement(mod) if row["engine"] == "tvm"]
    assert not left
    own = presil.load(file, None if numerics == "onnx" else numerics)
    given = arrays_for(own.inputs)
    expected = presil.run(own, given, soc="edge", check="outputs")
    with presil.tvm.on_board() as board:
        made = called(machine(mod), *given)
    (call,) = board.calls
    for ours, theirs in zip(made, expected.arrays, strict=True):
        assert np.array_equal(ours, theirs)
    assert expected.exact
    assert abs(call.cycles - expected.cycles) <= MOST_APART * expected.cycles


@pytest.mark.parametrize("name", TRAINED | LONG if EVERYTHING else TRAINED)
def test_a_trained_network_is_taken_whole_and_equals_presils_own(name: str) -> None:
    file = SHARED / name
    if not file.is_file():
        pytest.skip(f"SKIPPED: no {file}")
    compare(file, (TRAINED | LONG)[name])


@pytest.mark.parametrize("name", SHAPES if EVERYTHING else SHAPES[:1])
def test_a_network_of_the_shape_library_is_too(name: str) -> None:
    compare(presil.nets.network_file(name), "onnx")
