"""RequantShift: networks of whole numbers that are float32 in the file, by their stated formula."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import presil
import pytest
from onnx_files import Model, node, onnx

Array = np.ndarray


def scaled(x: Array, mul: Array, add: Array, shift: int, signed: bool) -> Array:
    y = (x.astype(np.int64) * mul + add + (1 << shift - 1)) >> shift
    return np.clip(y, -128, 127) if signed else np.clip(y, 0, 255)


def convolved(x: Array, w: Array, pad: int, groups: int) -> Array:
    x = np.pad(x.astype(np.int64), ((0, 0), (0, 0), (pad, pad), (pad, pad)))
    side = w.shape[2]
    windows = np.lib.stride_tricks.sliding_window_view(x, (side, side), axis=(2, 3))
    parts = [
        np.einsum("nchwij,ocij->nohw", a, b)
        for a, b in zip(np.split(windows, groups, 1), np.split(w.astype(np.int64), groups, 0))
    ]
    return np.concatenate(parts, 1)


class Whole(Model):
    def whole(self, values: Array) -> str:
        return self.constant(np.asarray(values, np.float32))

    def requant(
        self, x: str, name: str, mul: Array, add: Array, shift: int, signed: bool, levels: int = 256
    ) -> str:
        made = node("RequantShift", [x, self.whole(mul), self.whole(add)], name)
        for key, value in (("div", 1 << shift), ("n_levels_out", levels), ("signed", signed)):
            tensor = onnx.numpy_helper.from_array(np.array([value], np.float32))
            one = made.attribute.add(name=key, type=onnx.AttributeProto.TENSOR)
            one.t.CopyFrom(tensor)
        self.nodes.append(made)
        return name


@pytest.mark.parametrize("signed", [True, False])
@pytest.mark.parametrize("seed", range(3))
def test_networks_of_whole_numbers(seed: int, signed: bool, tmp_path: Path) -> None:
    """Convolutions, a residual sum, a pool and rows; `add` is a multiple of each channel's mul."""
    rng = np.random.default_rng(seed)
    x = rng.integers(0, 256, (1, 3, 9, 9))
    w0, w1 = rng.integers(-128, 128, (8, 3, 3, 3)), rng.integers(-60, 60, (8, 1, 3, 3))
    w2, bias = rng.integers(-20, 20, (5, 8)), rng.integers(-900, 900, 5)
    mul = rng.integers(200, 900, (8, 1, 1))
    add = mul * rng.integers(-50, 50, (8, 1, 1))
    m = Whole()
    m.input("x", [1, 3, 9, 9])
    c = m.op("Conv", ["x", m.whole(w0)], "c", pads=[1] * 4)
    a = m.requant(c, "a", mul, add, 17, False)
    d = m.op("Conv", [a, m.whole(w1)], "d", pads=[1] * 4, group=8)
    b = m.requant(d, "b", np.array(257), np.array(0), 14, True)
    half = m.requant(a, "half", np.array(1 << 15), np.array(0), 16, True)
    s = m.requant(m.op("Add", [half, b], "s"), "sum", np.array(3 << 15), np.array(0), 16, signed)
    p = m.op("MaxPool", [s], "p", kernel_shape=[9, 9], strides=[9, 9])
    f = m.op("Flatten", [p], "f", axis=1)
    g = m.op("Gemm", [f, m.whole(w2), m.whole(bias)], "g", transB=1)
    m.requant(g, "y", np.array(77), np.array(0), 13, signed)
    m.output("y")

    values = scaled(convolved(x, w0, 1, 1), mul, add, 17, False)
    right = scaled(convolved(values, w1, 1, 8), 257, 0, 14, True)
    values = scaled(scaled(values, 1 << 15, 0, 16, True) + right, 3 << 15, 0, 16, signed)
    expected = scaled(values.max((2, 3)) @ w2.T + bias, 77, 0, 13, signed)
    run = presil.run(m.save(tmp_path / "net.onnx"), x.astype(np.float32), check="layers")
    assert run.exact and np.array_equal(run.arrays[0], expected)
    convolutions = [row for row in run.record["placement"] if "conv" in row["into"]]
    assert len(convolutions) >= 3 and {row["engine"] for row in convolutions} == {"dla"}


@pytest.mark.parametrize(
    ("name", "more"),
    [
        ("ImageClassification", ""),
        ("KeywordSpotting", ""),
        ("AnomalyDetection", ""),
        ("ICCT", ":inputs=signed"),
    ],
)
def test_trained_networks_equal_their_goldens(name: str, more: str, shared: Path) -> None:
    folder = shared / "models" / "deeploy-integer-onnx" / name
    if not folder.is_dir():
        pytest.skip(f"SKIPPED: no {folder}")
    (x,) = np.load(folder / "inputs.npz").values()
    (expected,) = np.load(folder / "outputs.npz").values()
    run = presil.run(f"{folder / 'network.onnx'}{more}", x.astype(np.float32), check="layers")
    assert run.exact and np.array_equal(run.arrays[0], expected)


def of_bytes(m: Whole, shape: list[int]) -> str:
    c = m.op("Conv", [m.input("x", shape), m.whole(np.ones((2, shape[1], 1, 1)))], "c")
    return m.requant(c, "b", np.array(5), np.array(0), 9, True)


def rows(m: Whole) -> None:
    m.input("x", [1, 4])
    g = m.op("Gemm", ["x", m.whole(np.ones((4, 3)))], "g", alpha=2.0)
    m.requant(g, "y", np.array(5), np.array(0), 9, True)


def unlike(m: Whole) -> None:
    b = of_bytes(m, [1, 2, 4, 4])
    p = m.op("MaxPool", [b], "p", kernel_shape=[2, 2])
    m.requant(m.op("Add", [b, p], "s"), "y", np.array(5), np.array(0), 9, True)


def channels(m: Whole) -> None:
    c = m.op("Conv", [m.input("x", [1, 2, 4, 4]), m.whole(np.ones((2, 2, 1, 1)))], "c")
    m.requant(c, "y", np.full((3, 1, 1), 5), np.array(0), 9, True)


def of_channels(m: Whole) -> None:
    b = of_bytes(m, [1, 2, 4, 4])
    m.requant(b, "y", np.array(5), np.array([[[5]], [[10]]]), 9, True)


def reals(m: Whole) -> None:
    r = m.op("Exp", [m.input("x", [1, 2, 4, 4])], "e")
    m.requant(r, "y", np.array(5), np.array(0), 9, True)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (rows, "alpha and beta must be 1, transA 0"),
        (unlike, "must be of one shape"),
        (channels, "mul or add has 3 values, must have 1 or 2, one for each channel"),
        (of_channels, "of bytes add must be one small number for all channels"),
        (reals, "must be bytes that a RequantShift makes, or an input"),
    ],
)
def test_operands_are_refused(make: Any, said: str, tmp_path: Path) -> None:
    m = Whole()
    make(m)
    m.output("y")
    with pytest.raises(presil.Refusal, match=said):
        presil.load(m.save(tmp_path / "net.onnx"))


@pytest.mark.parametrize(
    ("mul", "add", "shift", "levels", "said"),
    [
        (-10, 25, 16, 256, "must be a multiple of mul, which is -10, or mul 0..2^29"),
        (10, 25, 21, 256, "must be a multiple of mul, which is 10, or mul 0..2^29, add"),
        (10, 0, 1, 256, "must be a power of two, 4..2^62"),
        (10.5, 0, 16, 256, "must be whole"),
        (10, 0, 16, 16, "must be 256"),
    ],
)
def test_what_is_refused(
    mul: float, add: int, shift: int, levels: int, said: str, tmp_path: Path
) -> None:
    m = Whole()
    c = m.op("Conv", [m.input("x", [1, 2, 4, 4]), m.whole(np.ones((2, 2, 1, 1)))], "c")
    m.requant(c, "y", np.array(mul), np.array(add), shift, True, levels)
    m.output("y")
    with pytest.raises(presil.Refusal, match="RequantShift.*" + said.replace("^", r"\^")):
        presil.load(m.save(tmp_path / "net.onnx"))
