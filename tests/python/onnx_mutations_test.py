"""ONNX files that are nearly sound: each is taken or refused with a sentence that names the part;
what is taken holds together and, where it is small, the interpreter computes it."""

from __future__ import annotations

import os
import random
from collections import Counter
from typing import Any

import numpy as np
import pytest
from onnx_files import Model, onnx
from presil import paths

COUNT = 100_000 if os.environ.get("PRESIL_ALL") else 4_000
ODD = (0, 1, -1, 2, 3, 7, 255, 65535, 65536, 1 << 31, -(1 << 31), (1 << 63) - 1, -(1 << 63))
KINDS = (0, 1, 2, 3, 5, 6, 7, 9, 10, 11, 99)


def quantised() -> Model:
    rng = np.random.default_rng(1)
    m = Model()
    x = m.quantised(m.input("x", [1, 8, 6, 6]), 0.1, np.uint8(128), "x")
    w = m.stored(rng.integers(-9, 9, (8, 1, 3, 3)).astype(np.int8), np.full(8, 0.02), "w")
    b = m.stored(np.arange(8, dtype=np.int32), np.full(8, 0.002), "b")
    y = m.op("Conv", [x, w, b], "conv", kernel_shape=[3, 3], pads=[1] * 4, strides=[1, 1], group=8)
    y = m.quantised(m.op("Relu", [y], "relu"), 0.05, np.uint8(0), "y")
    p = m.op("MaxPool", [y], "pool", kernel_shape=[2, 2], strides=[2, 2])
    g = m.quantised(m.op("GlobalAveragePool", [p], "gap"), 0.04, np.uint8(3), "g")
    f = m.op("Flatten", [g], "flat", axis=1)
    v = m.stored(rng.integers(-9, 9, (8, 3)).astype(np.int8), 0.02, "v")
    z = m.op("Gemm", [f, v, m.constant(np.ones(3, np.float32))], "gemm")
    m.op("Softmax", [m.quantised(z, 0.1, np.int8(0), "z")], "out", axis=1)
    m.output("out")
    return m


def moves() -> Model:
    m = Model()
    x = m.input("x", [2, 4, 6, 6])
    y = m.op("LeakyRelu", [x], "leaky", alpha=0.1)
    scales = m.constant(np.array([1, 1, 2, 2], np.float32))
    up = m.op("Resize", [y, m.constant(np.zeros(0, np.float32)), scales], "up", mode="nearest",
              coordinate_transformation_mode="asymmetric", nearest_mode="floor")  # fmt: skip
    two = [m.constant(np.array([n], np.int64)) for n in (1, 9, 2, 1)]
    cut = m.op("Slice", [up, *two], "cut")
    pad = m.op("Pad", [cut, m.constant(np.array([0, 0, 1, 0, 0, 0, 0, 1], np.int64))], "pad")
    s = m.op("ReduceMean", [pad], "mean", axes=[2, 3], keepdims=1)
    c = m.op("Concat", [m.op("Sub", [pad, s], "sub"), pad], "both", axis=1)
    t = m.op("Transpose", [c], "turned", perm=[0, 2, 3, 1])
    shape = m.op("Gather", [m.op("Shape", [x], "s"), m.constant(np.array([0], np.int64))], "n")
    to = m.op("Concat", [shape, m.constant(np.array([-1], np.int64))], "to", axis=0)
    m.op("Reshape", [t, to], "out")
    m.output("out")
    return m


def proto(made: Model, tmp: Any) -> Any:
    return onnx.load(str(made.save(tmp / "seed.onnx")))


def change(model: Any, r: random.Random) -> None:
    """One change of one field."""
    graph = model.graph
    node = r.choice(graph.node) if graph.node else None
    tensor = r.choice(graph.initializer)
    names = (
        [t.name for t in graph.initializer] + [o for n in graph.node for o in n.output] + ["x", ""]
    )
    what = r.randrange(12)
    if what == 0 and node and node.input:
        node.input[r.randrange(len(node.input))] = r.choice(names)
    elif what == 1 and node and node.attribute:
        a = r.choice(node.attribute)
        if a.ints:
            a.ints[r.randrange(len(a.ints))] = r.choice(ODD)
        else:
            a.i, a.f = r.choice(ODD), r.choice((0.0, -1.0, float("nan"), float("inf"), 1e-45))
    elif what == 2 and node and node.attribute:
        a = r.choice(node.attribute)
        a.ints.extend([r.choice(ODD)]) if r.random() < 0.5 else a.ClearField("ints")
    elif what == 3 and tensor.dims:
        tensor.dims[r.randrange(len(tensor.dims))] = r.choice(ODD)
    elif what == 4:
        tensor.data_type = r.choice(KINDS)
    elif what == 5 and tensor.raw_data:
        raw = bytearray(tensor.raw_data)
        raw[r.randrange(len(raw))] = r.choice((0, 1, 127, 128, 255))
        tensor.raw_data = bytes(raw)
    elif what == 6 and tensor.raw_data:
        tensor.raw_data = tensor.raw_data[: r.randrange(len(tensor.raw_data))]
    elif what == 7 and node:
        node.op_type = r.choice(paths.native().onnx_operators())
    elif what == 8 and node:
        graph.node.remove(node)
    elif what == 9 and node:
        del node.input[r.randrange(len(node.input) + 1) :]
    elif what == 10:
        dims = r.choice([*graph.input]).type.tensor_type.shape.dim
        if dims:
            r.choice([*dims]).dim_value = r.choice(ODD)
    else:
        model.opset_import[0].version = r.choice((7, 9, 10, 11, 13, 18, 23))


@pytest.mark.parametrize("seed", [quantised, moves], ids=["quantised", "moves"])
def test_files_that_are_nearly_sound(seed: Any, tmp_path: Any) -> None:
    native = paths.native()
    sound = proto(seed(), tmp_path).SerializeToString()
    native.import_onnx(sound, "sound")
    counts: Counter[str] = Counter()
    for number in range(COUNT):
        r = random.Random(number)
        model = onnx.ModelProto()
        model.ParseFromString(sound)
        for _ in range(r.choice((1, 1, 2, 3))):
            change(model, r)
        try:
            graph = native.import_onnx(model.SerializeToString(), "changed")
        except Exception as refused:
            counts["refused"] += 1
            said = str(refused)
            assert said.startswith(("import: ", "ir: ")), (number, said)
            continue
        counts["taken"] += 1
        tensors = [*graph.inputs, *(t for op in graph.ops for t in op["outputs"])]
        sizes = [np.prod(t["shape"], dtype=float) for t in tensors]
        if number % 20 == 0 and max(sizes, default=0) < 1e5:
            inputs = [np.ones(t["shape"], t["dtype"]) for t in graph.inputs]
            native.reference(graph, inputs)
    assert counts["taken"] > COUNT // 50 and counts["refused"] > COUNT // 50, counts
