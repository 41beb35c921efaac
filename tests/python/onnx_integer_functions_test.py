"""Functions of networks of whole numbers, as Deeploy's kernels define them, beside numpy."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import presil
import pytest
from onnx_files import node
from onnx_requant_shift_test import Array, Whole, scaled


def towards_zero(a: Array, b: Any) -> Array:
    return np.sign(a) * np.sign(b) * (np.abs(a) // np.abs(b))


def layer_norm(x: Array, weight: Array, bias: Array, places: int) -> Array:
    n = x.shape[-1]
    q = x - towards_zero(x.sum(-1, keepdims=True), n)
    variance = (q * q).sum(-1, keepdims=True) // n + 1
    root = np.floor(np.sqrt(variance)).astype(np.int64)  # exact: of far less than 2^52
    return np.clip((towards_zero(q * weight, root) + bias) >> places, -128, 127)


def ita_max(x: Array) -> Array:
    shift = (x.max(-1, keepdims=True) - x + 16) >> 5
    return (255 * 256 // (256 >> shift).sum(-1, keepdims=True)) >> shift


def gelu(x: Array, b: int, one: int) -> Array:
    d = np.minimum(np.abs(x), -b) + b
    return x * ((one + np.sign(x) * (one - d * d)) >> 1)


class Functions(Whole):
    def function(self, op: str, inputs: list[str], out: str, **numbers: int) -> str:
        self.nodes.append(node(op, inputs, out, **numbers))
        return out


def answer(m: Functions, x: Array, path: Path, more: str = "") -> Array:
    m.output("y")
    run = presil.run(f"{m.save(path / 'net.onnx')}{more}", x.astype(np.float32), check="layers")
    assert run.exact
    return run.arrays[0]


@pytest.mark.parametrize("seed", range(4))
def test_layer_norm(seed: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(seed)
    n = (128, 40, 1, 7)[seed]
    x = rng.integers(*((-128, 128), (0, 2), (-128, 128), (120, 128))[seed], (1, 6, n))
    x[0, 0] = np.where(np.arange(n) < n // 2, -128, 127)  # as far apart as bytes are
    weight, bias = rng.integers(-300_000, 300_000, n), rng.integers(-20_000, 20_000, n)
    m = Functions()
    m.input("x", [1, 6, n])
    m.function("iLayerNorm", ["x", m.whole(weight), m.whole(bias)], "l", D=1 << 14, n_levels=256)
    m.requant("l", "y", np.array(1 << 14), np.array(0), 14, True)
    expected = layer_norm(x, weight, bias, 14)
    assert np.array_equal(answer(m, x, tmp_path, ":inputs=signed"), expected)


@pytest.mark.parametrize("signed", [True, False])
def test_ita_max_times_a_computed_matrix(signed: bool, tmp_path: Path) -> None:
    """Of signed and of unsigned bytes; products of two computed operands."""
    rng = np.random.default_rng(5)
    x = rng.integers(-128, 128, (1, 2, 9, 20)) + (0 if signed else 128)
    x[0, 0, 0] = x[0, 0, 0, 0]  # a row of equal ones
    m = Functions()
    m.input("x", [1, 2, 9, 20])
    b = m.requant("x", "b", np.array(1 << 14), np.array(0), 14, signed)
    p = m.function("ITAMax", [b], "p", n_levels=256)
    t = m.op("Transpose", [b], "t", perm=[0, 1, 3, 2])
    m.requant(m.op("MatMul", [p, t], "s"), "y", np.array(37), np.array(0), 12, True)
    expected = scaled(ita_max(x) @ x.transpose(0, 1, 3, 2), 37, 0, 12, True)
    assert np.array_equal(answer(m, x, tmp_path, ":inputs=signed" if signed else ""), expected)


@pytest.mark.parametrize("to_signed", [True, False])
def test_gelu_is_a_table(to_signed: bool, tmp_path: Path) -> None:
    x = np.arange(-128, 128).reshape(1, 256)
    m = Functions()
    m.input("x", [1, 256])
    g = m.function("iGELU", ["x"], "g", b=-40, one=1743)
    m.requant(g, "y", np.array(13), np.array(77), 14, to_signed)
    got = answer(m, x, tmp_path, ":inputs=signed")
    assert np.array_equal(got, scaled(gelu(x, -40, 1743), 13, 77, 14, to_signed))


@pytest.mark.parametrize("keep", [0, 1])
def test_mean_to_the_nearest(keep: int, tmp_path: Path) -> None:
    x = np.random.default_rng(3).integers(0, 256, (1, 4, 33))
    x[0, :, 0] = [3, 3, 4, 4]  # 3.5: halves go up
    x[0, :, 1] = [0, 0, 1, 1]
    m = Functions()
    m.input("x", [1, 4, 33])
    a = m.function("IntegerMean", ["x"], "a", axes=[1], keepdims=keep)
    m.requant(a, "y", np.array(1 << 14), np.array(0), 14, False)
    expected = np.floor(x.mean(1, keepdims=bool(keep)) + 0.5)
    assert np.array_equal(answer(m, x, tmp_path), expected)


@pytest.mark.parametrize("places", [14, 20])
@pytest.mark.parametrize("signed", [True, False])
def test_what_is_added_need_not_be_a_multiple(signed: bool, places: int, tmp_path: Path) -> None:
    """Large sums, whose products have more than 32 bits, are limited first."""
    rng = np.random.default_rng(8)
    x, w = rng.integers(0, 256, (1, 5, 300)), rng.integers(-128, 128, (300, 8))
    w[:, 0], w[:, 1] = 127, -128
    mul, add = rng.integers(300, 40_000, 8), rng.integers(-(1 << 27), 1 << 27, 8)
    m = Functions()
    m.input("x", [1, 5, 300])
    p = m.op("MatMul", ["x", m.whole(w)], "p")
    m.requant(p, "y", mul, add, places, signed)
    assert np.any(add % mul != 0)
    assert np.array_equal(answer(m, x, tmp_path), scaled(x @ w, mul, add, places, signed))


def test_a_row_is_added_to_sums_on_the_dla(tmp_path: Path) -> None:
    rng = np.random.default_rng(9)
    x, w = rng.integers(0, 256, (1, 64, 128)), rng.integers(-99, 99, (128, 64))
    bias = 1000 * np.arange(64)
    m = Functions()
    m.input("x", [1, 64, 128])
    s = m.op("Add", [m.whole(bias), m.op("MatMul", ["x", m.whole(w)], "p")], "s")
    m.requant(s, "y", np.array(50), np.array(0), 17, True)
    m.output("y")
    run = presil.run(m.save(tmp_path / "net.onnx"), x.astype(np.float32), check="layers")
    assert run.exact and np.array_equal(run.arrays[0], scaled(x @ w + bias, 50, 0, 17, True))
    assert run.record["engines"]["dla"]["busy"] >= 64 * 128 * 64 / 256
    sums = [r for r in run.record["placement"] if r["op"] in ("conv_sums", "add")]
    assert "host" not in {r["engine"] for r in sums}


def test_padding_that_no_window_reaches_across(tmp_path: Path) -> None:
    rng = np.random.default_rng(10)
    x, w = rng.integers(-128, 128, (1, 3, 5, 5)), rng.integers(-99, 99, (4, 3, 2, 2))
    m = Functions()
    m.input("x", [1, 3, 5, 5])
    c = m.op("Conv", ["x", m.whole(w)], "c", pads=[3, 0, 2, 4])
    m.requant(c, "y", np.array(50), np.array(0), 14, True)
    wide = np.pad(x, ((0, 0), (0, 0), (3, 2), (0, 4)))
    windows = np.lib.stride_tricks.sliding_window_view(wide, (2, 2), axis=(2, 3))
    expected = scaled(np.einsum("nchwij,ocij->nohw", windows, w), 50, 0, 14, True)
    assert np.array_equal(answer(m, x, tmp_path, ":inputs=signed"), expected)


def gelu_alone(m: Functions) -> None:
    m.function("iGELU", [m.input("x", [1, 8])], "y", b=-40, one=1743)


def wide_weights(m: Functions) -> None:
    x = m.input("x", [1, 8])
    weights = [m.whole(np.full(8, 1 << 24)), m.whole(np.zeros(8))]
    m.function("iLayerNorm", [x, *weights], "y", D=1 << 14, n_levels=256)


def few_weights(m: Functions) -> None:
    x = m.input("x", [1, 8])
    weights = [m.whole(np.ones(7)), m.whole(np.zeros(8))]
    m.function("iLayerNorm", [x, *weights], "y", D=1 << 14, n_levels=256)


def long_rows(m: Functions) -> None:
    m.function("ITAMax", [m.input("x", [1, (1 << 20) + 1])], "y", n_levels=256)


def many_values(m: Functions) -> None:
    m.function("IntegerMean", [m.input("x", [1, (1 << 20) + 1, 1])], "y", axes=[1])


def few_levels(m: Functions) -> None:
    m.function("ITAMax", [m.input("x", [1, 8])], "y", n_levels=128)


def two_axes(m: Functions) -> None:
    m.function("IntegerMean", [m.input("x", [1, 8, 8])], "y", axes=[1, 2])


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (gelu_alone, "must go to one RequantShift alone"),
        (wide_weights, "weight has the value 16777216"),
        (few_weights, "weight or bias has 7 values, must have 8"),
        (long_rows, "a row has 1048577 values, must have 1048576 at most"),
        (many_values, "the mean is of 1048577 values, must be of 1..2\\^20"),
        (few_levels, "n_levels is 128.*must be 256"),
        (two_axes, "axes must be one axis"),
    ],
)
def test_what_is_refused(make: Any, said: str, tmp_path: Path) -> None:
    m = Functions()
    make(m)
    m.output("y")
    with pytest.raises(presil.Refusal, match=said):
        presil.load(m.save(tmp_path / "net.onnx"))


def test_signs_that_mean_nothing_are_refused(tmp_path: Path) -> None:
    m = Functions()
    m.op("Relu", [m.input("x", [1, 8])], "y")
    m.output("y")
    with pytest.raises(presil.Refusal, match="leave out :inputs=signed"):
        presil.load(f"{m.save(tmp_path / 'net.onnx')}:inputs=signed")


def test_a_sweep_reads_inputs_as_its_network_says(tmp_path: Path) -> None:
    rng = np.random.default_rng(9)
    m = Functions()
    m.input("x", [1, 6, 40])
    m.function(
        "iLayerNorm",
        ["x", m.whole(rng.integers(-99, 99, 40)), m.whole(rng.integers(-99, 99, 40))],
        "y",
        D=1 << 14,
        n_levels=256,
    )
    m.output("y")
    file = m.save(tmp_path / "net.onnx")
    store = tmp_path / "explored"
    for name in ("net.onnx", "net.onnx:inputs=signed", f"{file}:inputs=signed"):
        sweep = tmp_path / "sweep.yaml"
        sweep.write_text(f"network: '{name}'\nset: {{dram.peak_mb_per_s: [12800]}}\n")
        explored = presil.explore(sweep, store, jobs=1)
        (point,) = explored.points
        assert point["exact"] and point["network"].endswith(name)
    with pytest.raises(presil.Refusal, match=r"there is no file '.*none.onnx'"):
        presil.explore(
            {"network": "none.onnx:inputs=signed", "set": {"sram.bytes": [1 << 20]}}, jobs=1
        )
