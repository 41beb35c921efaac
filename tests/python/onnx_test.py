"""ONNX files: quantised operators against real arithmetic, layouts, trained networks, refusals."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import presil
import pytest
from onnx_files import Model, node, onnx

Array = Any


def stored(x: Array, scale: float, zero: int, dtype: Any) -> Array:
    """QuantizeLinear as the standard words it: half to even, then the zero point, then limits."""
    info = np.iinfo(dtype)
    steps = np.rint(x.astype(np.float64) / scale) + zero
    return np.clip(steps, info.min, info.max).astype(dtype)


def real(q: Array, scale: float, zero: int) -> Array:
    return (q.astype(np.float64) - zero) * scale


def convolve(x: Array, w: Array, b: Array, stride: int, pad: int, groups: int) -> Array:
    """In float64, N, C, H, W."""
    n, c, h, wide = x.shape
    out, per_group, kh, kw = w.shape
    padded = np.pad(x, ((0, 0), (0, 0), (pad, pad), (pad, pad)))
    oh, ow = (h + 2 * pad - kh) // stride + 1, (wide + 2 * pad - kw) // stride + 1
    y = np.zeros((n, out, oh, ow))
    for o in range(out):
        first = o // (out // groups) * per_group
        for i in range(per_group):
            for dy in range(kh):
                for dx in range(kw):
                    rows = slice(dy, dy + stride * (oh - 1) + 1, stride)
                    columns = slice(dx, dx + stride * (ow - 1) + 1, stride)
                    y[:, o] += w[o, i, dy, dx] * padded[:, first + i, rows, columns]
        y[:, o] += b[o]
    return y


def of_graph(net: Any) -> list[str]:
    return [op["kind"] for op in net.graph.ops]


def near(got: Array, expected: Array, step: float) -> None:
    """Equal stored values, but for one in a thousand by one step: sums of float32 lie on ties."""
    away = np.rint(np.abs(got.astype(np.float64) - expected) / step)
    assert away.max() <= 1 and np.count_nonzero(away) <= max(1, got.size // 1000)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("unsigned", [False, True])
def test_a_quantised_convolution_is_one_integer_operator(
    seed: int, unsigned: bool, tmp_path: Path
) -> None:
    rng = np.random.default_rng(seed)
    groups = [1, 1, 2, 8, 8, 1][seed]
    channels, out = 8, [16, 5, 6, 8, 16, 3][seed]
    kernel, stride, pad = [3, 1, 3, 3, 5, 2][seed], 1 + seed % 2, [1, 0, 1, 1, 2, 0][seed]
    dtype = np.uint8 if unsigned else np.int8
    zero_x, zero_y = (int(rng.integers(100, 150)) - (0 if unsigned else 128) for _ in range(2))
    scale_x, scale_y = 0.05, 0.9
    w = rng.integers(-127, 128, (out, channels // groups, kernel, kernel)).astype(np.int8)
    scales = rng.uniform(0.005, 0.02, out).astype(np.float32)
    bias = rng.integers(-2000, 2000, out).astype(np.int32)
    relu = seed % 3 == 1
    m = Model()
    x = m.quantised(m.input("x", [1, channels, 9, 7]), scale_x, dtype(zero_x), "x")
    weights = m.stored(w, scales, "w")
    steps = np.float32(scale_x) * scales
    y = m.op("Conv", [x, weights, m.stored(bias, steps, "b")], "conv", kernel_shape=[kernel] * 2,
             strides=[stride] * 2, pads=[pad] * 4, group=groups)  # fmt: skip
    y = m.op("Relu", [y], "relu") if relu else y
    m.op("Identity", [m.quantised(y, scale_y, dtype(zero_y), "y")], "out")
    m.output("out")
    net = presil.load(m.save(tmp_path / "conv.onnx"))
    kind = "depthwise_conv2d" if groups == channels else "conv2d"
    kinds = of_graph(net)
    assert kinds.count(kind) == 1 and kinds.count("quantize") == kinds.count("dequantize") == 1
    data = rng.normal(0, 3, (1, channels, 9, 7)).astype(np.float32)
    run = presil.run(net, data, check="layers")
    assert run.exact
    inside = real(stored(data, scale_x, zero_x, dtype), scale_x, zero_x)
    per_channel = scales.astype(np.float64)
    found = convolve(inside, w * per_channel[:, None, None, None], bias * steps.astype(np.float64),
                     stride, pad, groups)  # fmt: skip
    found = np.maximum(found, 0) if relu else found
    expected = real(stored(found, scale_y, zero_y, dtype), scale_y, zero_y)
    near(run.arrays[0], expected, scale_y)
    (layer,) = [row for row in run.layers if row["macs"]]
    assert layer["engine"] == "dla"


def spread(x: Array, w: Array, stride: int, pad: int, more: int) -> Array:
    """A transposed convolution in float64: each pixel times the kernel, added where it lands."""
    n, c, h, wide = x.shape
    _, out, k, _ = w.shape
    y = np.zeros((n, out, (h - 1) * stride + k + more, (wide - 1) * stride + k + more))
    for row in range(h):
        for column in range(wide):
            part = np.einsum("nc,cokl->nokl", x[:, :, row, column], w)
            top, left = row * stride, column * stride
            y[:, :, top : top + k, left : left + k] += part
    return y[:, :, pad : y.shape[2] - pad, pad : y.shape[3] - pad]


@pytest.mark.parametrize(
    ("kernel", "stride", "pad", "more"), [(2, 2, 0, 0), (3, 2, 1, 1), (3, 1, 1, 0)]
)
@pytest.mark.parametrize("quantised", [False, True])
def test_transposed_convolutions(
    kernel: int, stride: int, pad: int, more: int, quantised: bool, tmp_path: Path
) -> None:
    rng = np.random.default_rng(kernel + stride)
    w = rng.integers(-127, 128, (6, 5, kernel, kernel)).astype(np.int8)
    scales = rng.uniform(0.005, 0.02, 5).astype(np.float32)
    real_w = w * scales.astype(np.float64)[:, None, None]
    m = Model()
    x = m.input("x", [1, 6, 5, 4])
    x = m.quantised(x, 0.05, np.int8(3), "x") if quantised else x
    weights = m.stored(w, scales, "w", axis=1) if quantised else m.constant(real_w.astype("f4"))
    y = m.op("ConvTranspose", [x, weights], "y", strides=[stride] * 2, pads=[pad] * 4,
             output_padding=[more] * 2)  # fmt: skip
    m.op("Identity", [m.quantised(y, 0.4, np.int8(-7), "y") if quantised else y], "out")
    m.output("out")
    net = presil.load(m.save(tmp_path / "spread.onnx"))
    assert of_graph(net).count("transpose_conv2d") == 1
    assert of_graph(net).count("dequantize") == int(quantised)
    data = rng.normal(0, 2, (1, 6, 5, 4)).astype(np.float32)
    run = presil.run(net, data, check="layers")
    assert run.exact
    if not quantised:
        expected = spread(data, real_w, stride, pad, more)
        return np.testing.assert_allclose(run.arrays[0], expected, atol=1e-4)
    step, fine = np.float32(0.4), np.float32(0.05)
    inside = real(stored(data, fine, 3, np.int8), fine, 3)
    expected = real(stored(spread(inside, real_w, stride, pad, more), step, -7, np.int8), step, -7)
    near(run.arrays[0], expected, 0.4)


def two(m: Model, kind: str, **attributes: Any) -> None:
    a = m.quantised(m.input("a", [1, 4, 5, 6]), 0.0513, np.int8(3), "a")
    b = m.quantised(m.input("b", [1, 4, 5, 6]), 0.0297, np.int8(-20), "b")
    y = m.quantised(m.op(kind, [a, b], "y", **attributes), 0.0831, np.int8(-5), "y")
    m.op("Identity", [y], "out")
    m.output("out")


@pytest.mark.parametrize(
    ("kind", "function", "operator"),
    [
        ("Add", np.add, "add"),
        ("Mul", np.multiply, "mul"),
        ("Sub", np.subtract, "sub"),
        ("Concat", lambda p, q: np.concatenate([p, q], 1), "concat"),
    ],
)
def test_quantised_pairs_are_one_integer_operator(
    kind: str, function: Any, operator: str, tmp_path: Path
) -> None:
    m = Model()
    two(m, kind, **({"axis": 1} if kind == "Concat" else {}))
    net = presil.load(m.save(tmp_path / "pair.onnx"))
    # Concat: each operand in steps of the result's, which the compiler makes a table.
    dequantised = 3 if kind == "Concat" else 1
    assert of_graph(net).count(operator) == 1
    assert of_graph(net).count("dequantize") == dequantised
    rng = np.random.default_rng(11)
    a, b = (rng.normal(0, 2, (1, 4, 5, 6)).astype(np.float32) for _ in range(2))
    run = presil.run(net, {"a": a, "b": b}, check="layers")
    assert run.exact
    inside = [
        real(stored(v, s, z, np.int8), s, z)
        for v, s, z in ((a, np.float32(0.0513), 3), (b, np.float32(0.0297), -20))
    ]
    expected = real(
        stored(function(*inside), np.float32(0.0831), -5, np.int8), np.float32(0.0831), -5
    )
    away = np.rint(np.abs(run.arrays[0] - expected) / 0.0831)
    assert away.max() <= 1 and np.count_nonzero(away) <= away.size // 50


@pytest.mark.parametrize("transposed", [0, 1])
def test_a_quantised_product_of_matrices(transposed: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    w = rng.integers(-127, 128, (20, 12)).astype(np.int8)
    m = Model()
    x = m.quantised(m.input("x", [4, 20]), 0.1, np.int8(5), "x")
    weights = m.stored(w.T.copy() if transposed else w, [0.02], "w")
    bias = m.constant(rng.normal(0, 1, 12).astype(np.float32))
    y = m.op("Gemm", [x, weights, bias], "y", transB=transposed)
    m.op("Identity", [m.quantised(y, 0.5, np.int8(0), "y")], "out")
    m.output("out")
    net = presil.load(m.save(tmp_path / "gemm.onnx"))
    assert of_graph(net) == ["quantize", "fully_connected", "dequantize"]
    data = rng.normal(0, 3, (4, 20)).astype(np.float32)
    got = presil.run(net, data).arrays[0]
    inside = real(stored(data, np.float32(0.1), 5, np.int8), np.float32(0.1), 5)
    b = onnx.numpy_helper.to_array(next(c for c in m.constants if c.name == bias))
    step = np.float32(0.5)
    expected = real(stored(inside @ (w * float(np.float32(0.02))) + b, step, 0, np.int8), step, 0)
    away = np.rint(np.abs(got - expected) / 0.5)  # the bias is rounded to the sum's steps
    assert away.max() <= 1 and np.count_nonzero(away) <= 1


def test_images_stay_in_one_layout(tmp_path: Path) -> None:
    """Between the transposes at the edges none is left, whatever the operators say of axes."""
    rng = np.random.default_rng(4)
    m = Model()
    x = m.input("x", [1, 3, 8, 8])
    w = m.constant(rng.normal(0, 0.2, (8, 3, 3, 3)).astype(np.float32))
    y = m.op("Conv", [x, w], "conv", kernel_shape=[3, 3], pads=[1, 1, 1, 1])
    y = m.op("LeakyRelu", [y], "leaky", alpha=0.1)
    y = m.op("Mul", [y, m.constant(rng.normal(1, 0.1, (8, 1, 1)).astype(np.float32))], "scaled")
    pooled = m.op("MaxPool", [y], "pooled", kernel_shape=[2, 2], strides=[2, 2])
    scales = m.constant(np.array([1, 1, 2, 2], np.float32))
    empty = m.constant(np.zeros(0, np.float32))
    up = m.op("Resize", [pooled, empty, scales], "up", mode="nearest",
              coordinate_transformation_mode="asymmetric", nearest_mode="floor")  # fmt: skip
    both = m.op("Concat", [y, up], "both", axis=1)
    bounds = [m.constant(np.array([v], np.int64)) for v in (2, 14, 1)]
    cut = m.op("Slice", [both, *bounds], "cut")
    rows = m.op("Transpose", [cut], "rows", perm=[0, 2, 3, 1])
    m.op("Reshape", [rows, m.constant(np.array([1, -1, 12], np.int64))], "out")
    m.output("out")
    net = presil.load(m.save(tmp_path / "layout.onnx"))
    assert of_graph(net).count("transpose") == 1  # of the input
    data = rng.normal(0, 1, (1, 3, 8, 8)).astype(np.float32)
    constants = {c.name: onnx.numpy_helper.to_array(c) for c in m.constants}
    y = convolve(data, constants["c0"], np.zeros(8), 1, 1, 1)
    y = np.where(y < 0, 0.1 * y, y) * constants["c1"]
    up = y.reshape(1, 8, 4, 2, 4, 2).max((3, 5)).repeat(2, 2).repeat(2, 3)
    expected = np.concatenate([y, up], 1)[:, 2:14].transpose(0, 2, 3, 1).reshape(1, -1, 12)
    run = presil.run(net, data, check="layers")
    assert run.exact and np.allclose(run.arrays[0], expected, atol=1e-5)


def test_shapes_are_computed_when_it_is_imported(tmp_path: Path) -> None:
    """Rows of an image, its channels normalised, as exporters write it: Shape, Gather, Concat."""
    rng = np.random.default_rng(6)
    m = Model()
    x = m.input("x", [2, 5, 4, 6])
    kinds = [rng.uniform(0.5, 2, 5).astype(np.float32) for _ in range(4)]
    y = m.op("BatchNormalization", [x, *map(m.constant, kinds)], "normal", epsilon=1e-3)
    y = m.op("Pad", [y, m.constant(np.array([0, 0, 1, 0, 0, 0, 0, 2], np.int64))], "padded")
    m.nodes.append(node("Split", [y, m.constant(np.array([2, 3], np.int64))], "first", axis=1))
    m.nodes[-1].output.append("second")
    mean = m.op("ReduceMean", ["second"], "mean", axes=[2, 3], keepdims=1)
    y = m.op("Sub", ["second", mean], "centred")
    shape = m.op("Shape", [y], "shape")
    batch = m.op("Gather", [shape, m.constant(np.array([0], np.int64))], "batch")
    target = m.op("Concat", [batch, m.constant(np.array([-1], np.int64))], "target", axis=0)
    m.op("Reshape", [y, target], "out")
    m.output("out")
    net = presil.load(m.save(tmp_path / "shapes.onnx"))
    assert not {"gather", "cast"} & set(of_graph(net))
    data = rng.normal(0, 1, (2, 5, 4, 6)).astype(np.float32)
    a, b, middle, spread = (k.astype(np.float64)[:, None, None] for k in kinds)
    y = (data - middle) / np.sqrt(spread + 1e-3) * a + b
    y = np.pad(y, ((0, 0), (0, 0), (1, 0), (0, 2)))[:, 2:]
    expected = (y - y.mean((2, 3), keepdims=True)).reshape(2, -1)
    run = presil.run(net, data, check="layers")
    assert run.exact and np.allclose(run.arrays[0], expected, atol=1e-5)


SHARED = Path(os.environ.get("PRESIL_SHARED", Path(__file__).resolve().parents[3] / "shared"))


def model(name: str) -> Path:
    file = SHARED / "models" / name
    if not file.is_file():
        pytest.skip(f"SKIPPED: no {file}")
    return file


def pixels(file: str, side: tuple[int, int]) -> Array:
    raw = np.frombuffer(model(file).read_bytes(), np.uint8)[: side[0] * side[1] * 3]
    return raw.reshape(1, *side, 3).astype(np.float32)


def nchw(x: Array) -> Array:
    return np.ascontiguousarray(x.transpose(0, 3, 1, 2).astype(np.float32))


def test_quantised_faces_are_found_as_the_golden_says() -> None:
    folder = "ultraface-rfb-320-qdq/"
    image = pixels(folder + "golden/face_in_u8_rgb_240x320.bin", (240, 320))
    net = presil.load(model(folder + "version-RFB-320_qdq_int8.onnx"))
    run = presil.run(net, nchw((image - 127) / 128), check="layers")
    assert run.exact
    raw = model(folder + "golden/face_scores_f32.bin").read_bytes()
    scores = np.frombuffer(raw, np.float32)[: 4420 * 2].reshape(4420, 2)[:, 1]
    found = run.outputs["scores"][0, :, 1]
    assert set(np.flatnonzero(scores > 0.7)) == set(np.flatnonzero(found > 0.7)) != set()
    assert np.abs(scores - found).max() < 0.05
    macs = {engine: 0 for engine in ("dla", "dsp", "dma", "host", "none")}
    for row in run.layers:
        macs[row["engine"]] += row["macs"]
    assert macs["dla"] == sum(macs.values()) > 1e8


FLOATS = [
    ("ultraface-rfb-320/version-RFB-320_simplified.onnx", "face_in_u8_rgb_240x320.bin", (240, 320),
     127, 128, ["face_scores", "face_boxes"]),
    ("yolo-fastest-1.1/yolo-fastest-1.1.onnx", "dog_in_u8_rgb_320.bin", (320, 320),
     0, 255, ["dog_head10", "dog_head20"]),
    ("yolo-fastest-1.1-xl/yolo-fastest-1.1-xl.onnx", "dog_in_u8_rgb_320.bin", (320, 320),
     0, 255, ["dog_head10", "dog_head20"]),
    ("yolox-nano/yolox_nano_416_heads.onnx", "dog_in_u8_rgb_416.bin", (416, 416),
     np.array([0.485, 0.456, 0.406]) * 255, np.array([0.229, 0.224, 0.225]) * 255,
     ["dog_head8", "dog_head16", "dog_head32"]),
]  # fmt: skip


@pytest.mark.parametrize("case", FLOATS, ids=lambda case: case[0].split("/")[0])
def test_float_networks_equal_their_goldens(case: Any) -> None:
    """By the reference interpreter, which a run must equal in every byte."""
    name, image, side, mean, scale, goldens = case
    folder = name.split("/")[0] + "/golden/"
    net = presil.load(model(name))
    data = nchw((pixels(folder + image, side) - mean) / scale)
    found = presil.reference(net, data)
    for (output, array), golden in zip(found.items(), goldens, strict=True):
        raw = np.frombuffer(model(f"{folder}{golden}_f32.bin").read_bytes(), np.float32)
        expected = raw[: array.size].reshape(array.shape)
        assert np.abs(array - expected).max() <= 5e-5 * np.abs(expected).max(), output
    if os.environ.get("PRESIL_ALL"):
        assert presil.run(net, data).exact
