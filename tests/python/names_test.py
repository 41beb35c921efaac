"""Names of operators and layers of trained networks: those that people know, and always the same.

The rules themselves are tested as text, tests/compiler/partition_names_test.cpp.
"""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import presil
import pytest
from conftest import ROOT
from corpus import corpus
from presil.layers_table import COLUMNS
from presil.nets import networks

FILLER = re.compile(
    r"pseudo_|qconst|arith\.|tfl\.|StatefulPartitionedCall|PartitionedCall|Identity|^Const|[;:]"
    r"|ReadVariableOp|FusedBatchNorm|weights_quant|/read$"
)
NUMBERED = re.compile(r"#\d+$")


def layers_of(program: presil.Program) -> list[str]:
    return [layer["name"] for layer in program.info["layers"]]


def operators_of(program: presil.Program) -> list[str]:
    return [placement["name"] for placement in program.placement]


def test_names_of_the_corpus_are_known_unique_and_the_same_everywhere(
    shared: Path, everything: bool
) -> None:
    for net in corpus(shared, everything):
        program = presil.compile(net)
        operators, layers = operators_of(program), layers_of(program)
        for name in (*operators, *layers):
            assert not FILLER.search(name), f"{net.file}: {name}"
        assert len(set(operators)) == len(operators), net.file
        assert len(set(layers)) == len(layers), net.file
        assert {NUMBERED.sub("", name) for name in layers} <= {
            NUMBERED.sub("", name) for name in operators
        }, net.file
        for numerics, soc, dispatch in (("xnnpack", "edge", "sync"), ("tflite", "big", "host")):
            try:
                other = presil.load(net.file, numerics=numerics)
                elsewhere = presil.compile(other, soc, dispatch=dispatch)
            except presil.Refusal:  # rules that a file was not made for
                continue
            assert operators_of(elsewhere) == operators, (net.file, numerics, soc)


def test_names_that_a_network_is_known_by(shared: Path) -> None:
    for file, some in {
        "yolov8n-int8/yolov8n_full_integer_quant_224.tflite": "convolution_7 concat_3 dfl pool_1",
        "mobilenet-v2-int8/tf2_mobilenet_v2_1.0_224_ptq.tflite": "expanded_conv_3/expand softmax",
        "mlperf-tiny-resnet8/pretrainedResnet_quant.tflite": "conv2d_3 add_1 dense softmax",
        "lstm-mnist-int8/trained_lstm_int8.tflite": "lstm flatten output softmax",
        "ssd-mobilenet-v1-coco-uint8/ssd_mobilenet_v1_coco_quant.tflite": (
            "Conv2d_1_depthwise BoxPredictor_0/ClassPredictor concat_1"
        ),
    }.items():
        names = operators_of(presil.compile(presil.load(shared / "models" / file)))
        assert set(some.split()) <= set(names), names


def test_a_layer_on_another_engine_keeps_its_name() -> None:
    """On the DSP, on the host, or fused into others: the operators are called the same."""
    b = presil.Builder("places")
    x = b.input("x", (1, 8, 8, 16), scale=0.1)
    weights = np.ones((16, 1, 1, 16), np.int8)
    y = b.conv2d(x, weights, weights_scale=0.01, name="net/stem/Conv2D")
    y = b.softmax(b.reshape(y, (64, 16), name="net/flat/Reshape"), name="Identity")
    b.output(y)
    net = b.build()
    with_dsp = presil.compile(net)
    without = presil.compile(net, presil.load_soc("edge", ["dsp.units=0"]))
    assert operators_of(with_dsp) == operators_of(without) == ["stem", "flat", "softmax"]
    for program in (with_dsp, without):
        assert {"stem", "softmax"} <= set(layers_of(program)) <= {"stem", "flat", "softmax"}


def test_the_table_of_the_front_page_has_the_columns_and_layers_of_the_demo() -> None:
    page = (ROOT / "README.md").read_text(encoding="utf-8")
    lines = page[page.index("digits.tflite on edge, numerics tflite") :].splitlines()
    assert lines[2].split() == [column.title for column in COLUMNS]
    digits = networks()["digits"]
    net = presil.load(digits.file, numerics="tflite", post=digits.path("post"))
    layers = presil.compile(net).info["layers"]
    rows = [line.split()[:4] for line in lines[3 : lines.index("", 3)]]
    assert rows and rows == [
        [str(i), layers[i]["name"], layers[i]["op"], layers[i]["engine"]]
        for i in (int(row[0]) for row in rows)
    ]


@pytest.mark.parametrize("name", ["stem", "a b", "#2", "model.2.cv1"])
def test_a_name_that_a_person_gave_stays(name: str) -> None:
    b = presil.Builder("one")
    x = b.input("x", (1, 4, 4, 16), scale=0.1)
    b.output(b.relu(x, name=name))
    (operator,) = operators_of(presil.compile(b.build()))
    assert operator == name
