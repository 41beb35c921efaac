"""QLinearConv and its kin, of the standard and of onnxruntime: stored values as in float64."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import numpy as np
import presil
import pytest
from onnx_files import Model, node

UINT8, INT8 = 2, 3
NUMBER = {"uint8": UINT8, "int8": INT8}


class Stored:
    """Random stored values with their scale and zero point."""

    def __init__(self, random: Any, shape: tuple[int, ...], kind: str, scales: int = 1) -> None:
        limits = np.iinfo(kind)
        self.values = random.integers(limits.min, limits.max + 1, shape).astype(kind)
        self.scale = (random.uniform(0.01, 0.03, scales)).astype(np.float32)
        low = 100 if kind == "uint8" else -20
        self.zero = np.full(scales, random.integers(low, low + 40) if scales == 1 else 0, kind)

    def real(self, axis: int = 0) -> np.ndarray:
        shape = [1] * self.values.ndim
        if self.scale.size > 1:
            shape[axis] = -1
        steps = self.scale.astype(np.float64).reshape(shape)
        return (self.values.astype(np.float64) - self.zero.reshape(shape)) * steps

    def how(self, model: Model) -> list[str]:
        alone = self.scale.size == 1
        scale, zero = (self.scale[0], self.zero[0]) if alone else (self.scale, self.zero)
        return [model.constant(scale), model.constant(zero)]


def quantised(real: np.ndarray, y: Stored) -> np.ndarray:
    limits = np.iinfo(y.values.dtype)
    steps = np.rint(real / np.float64(y.scale[0])) + int(y.zero[0])
    return np.clip(steps, limits.min, limits.max).astype(y.values.dtype)


def check(
    op: str,
    inputs: list[Stored | np.ndarray | str],
    x: list[Stored],
    y: Stored,
    expected: np.ndarray,
    folder: Path,
    **attributes: Any,
) -> presil.Network:
    """Runs a node: of the inputs, those in `x` are the network's, the others constants; a text
    says where the scale and zero point of the result stand."""
    model = Model()
    names = []
    for one in inputs:
        if isinstance(one, str):
            names += y.how(model)
        elif isinstance(one, np.ndarray):
            names.append(model.constant(one))
        elif one in x:
            names.append(model.input(f"x{x.index(one)}", list(one.values.shape), kind_of(one)))
            names += one.how(model)
        else:
            names += [model.constant(one.values), *one.how(model)]
    made = node(op.rpartition(".")[2], names, "y", **attributes)
    made.domain = op.rpartition(".")[0]
    model.nodes.append(made)
    model.output("y", kind_of(y))
    net = presil.load(model.save(folder / "net.onnx"))
    run = presil.run(net, {f"x{i}": one.values for i, one in enumerate(x)}, check="layers")
    assert run.exact
    (got,) = run.outputs.values()
    assert got.dtype == y.values.dtype and got.shape == expected.shape
    off = np.abs(got.astype(int) - expected.astype(int))
    assert off.max() <= 1 and (off > 0).mean() <= 0.002, ((off > 0).mean(), off.max())
    assert "dequantize" not in net_text(net)
    return net


def kind_of(one: Stored) -> int:
    return NUMBER[str(one.values.dtype)]


def net_text(net: presil.Network) -> str:
    return " ".join(str(op["kind"]) for op in net.graph.ops)


CASES = list(itertools.product(["uint8", "int8"], ["per tensor", "per channel", "uint8 weights"]))


@pytest.mark.parametrize(("kind", "weights"), CASES)
def test_convolutions(kind: str, weights: str, tmp_path: Path) -> None:
    random = np.random.default_rng(len(weights))
    x, y = Stored(random, (1, 5, 9, 8), kind), Stored(random, (1,), kind)
    w = Stored(random, (6, 5, 3, 3), "uint8" if "uint8" in weights else "int8",
               6 if weights == "per channel" else 1)  # fmt: skip
    if weights == "per tensor":
        w.zero[:] = 0
    y.scale *= 20
    bias = random.integers(-2000, 2000, 6).astype(np.int32)
    real = x.real()
    padded = np.pad(real, ((0, 0), (0, 0), (1, 1), (1, 1)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), axis=(2, 3))
    sums = np.einsum("nchwij,ocij->nohw", windows, w.real())
    steps = np.broadcast_to(w.scale.astype(np.float64), 6) * np.float64(x.scale[0])
    expected = quantised(sums + (bias * steps)[None, :, None, None], y)
    net = check("QLinearConv", [x, w, "y", bias], [x], y, expected, tmp_path, pads=[1] * 4)
    assert net.graph.ops[-1]["name"] == "y"


@pytest.mark.parametrize("kind", ["uint8", "int8"])
def test_matrices(kind: str, tmp_path: Path) -> None:
    random = np.random.default_rng(5)
    a, y = Stored(random, (4, 24), kind), Stored(random, (1,), kind)
    y.scale *= 10
    b = Stored(random, (24, 10), "int8", 10)
    expected = quantised(a.real() @ b.real(axis=1), y)
    check("QLinearMatMul", [a, b, "y"], [a], y, expected, tmp_path)
    bias = random.integers(-900, 900, 10).astype(np.int32)
    real = a.real() @ b.real(axis=1) + bias * b.scale.astype(np.float64) * np.float64(a.scale[0])
    expected = quantised(real, y)
    check("com.microsoft.QGemm", [a, b, bias, "y"], [a], y, expected, tmp_path)


@pytest.mark.parametrize("kind", ["uint8", "int8"])
@pytest.mark.parametrize("op", ["QLinearAdd", "QLinearMul"])
def test_pairs(op: str, kind: str, tmp_path: Path) -> None:
    """XNNPACK's fixed point: a product of two steps, now and then one beside the other."""
    random = np.random.default_rng(6)
    a, b = Stored(random, (1, 6, 5, 4), kind), Stored(random, (1, 6, 5, 4), kind)
    y = Stored(random, (1,), kind)
    y.scale *= 2
    real = a.real() + b.real() if op == "QLinearAdd" else a.real() * b.real()
    check(f"com.microsoft.{op}", [a, b, "y"], [a, b], y, quantised(real, y), tmp_path)


@pytest.mark.parametrize(
    ("op", "function"),
    [
        ("QLinearSigmoid", lambda x: 1 / (1 + np.exp(-x))),
        ("QLinearLeakyRelu", lambda x: np.where(x > 0, x, 0.25 * x)),
        ("QLinearGlobalAveragePool", lambda x: x.mean(axis=(2, 3), keepdims=True)),
    ],
)
@pytest.mark.parametrize("kind", ["uint8", "int8"])
def test_functions(op: str, function: Any, kind: str, tmp_path: Path) -> None:
    random = np.random.default_rng(8)
    x, y = Stored(random, (1, 6, 5, 4), kind), Stored(random, (1,), kind)
    more = {"alpha": 0.25} if "Leaky" in op else {}
    expected = quantised(function(x.real()), y)
    net = Path(tmp_path)
    if op == "QLinearSigmoid" or "Leaky" in op:
        with_table(op, x, y, expected, net, **more)
    else:
        check(f"com.microsoft.{op}", [x, "y"], [x], y, expected, net)


def with_table(op: str, x: Stored, y: Stored, expected: Any, folder: Path, **more: Any) -> None:
    """Functions are of floats in the graph as it is imported: a pass makes a table of them."""
    model = Model()
    names = [model.input("x", list(x.values.shape), kind_of(x)), *x.how(model), *y.how(model)]
    made = node(op, names, "y", **more)
    made.domain = "com.microsoft"
    model.nodes.append(made)
    model.output("y", kind_of(y))
    run = presil.run(model.save(folder / "net.onnx"), {"x": x.values}, check="layers")
    assert run.exact
    np.testing.assert_array_equal(run.outputs["y"], expected)
    assert "host" not in {row["engine"] for row in run.record["layers"]}


def test_concatenations(tmp_path: Path) -> None:
    random = np.random.default_rng(9)
    a, b = Stored(random, (1, 3, 4, 4), "int8"), Stored(random, (1, 5, 4, 4), "int8")
    y = Stored(random, (1,), "int8")
    model = Model()
    parts = [y.how(model)]
    for i, one in enumerate((a, b)):
        parts.append([model.input(f"x{i}", list(one.values.shape), INT8), *one.how(model)])
    made = node("QLinearConcat", [name for part in parts for name in part], "y", axis=1)
    made.domain = "com.microsoft"
    model.nodes.append(made)
    model.output("y", INT8)
    run = presil.run(
        model.save(tmp_path / "net.onnx"), {"x0": a.values, "x1": b.values}, check="layers"
    )
    expected = quantised(np.concatenate([a.real(), b.real()], axis=1), y)
    assert run.exact
    np.testing.assert_array_equal(run.outputs["y"], expected)


@pytest.mark.parametrize(
    ("inputs", "attributes", "said"),
    [
        (3, {}, "it lacks inputs: each operand and the result has a scale"),
        (5, {"channels_last": 1}, "channels_last is 1, must be 0"),
        (-5, {}, "it has no result"),
    ],
)
def test_what_has_no_such_form_is_refused(
    inputs: int, attributes: dict[str, Any], said: str, tmp_path: Path
) -> None:
    model = Model()
    names = [model.input("x", [1, 3, 4, 4], UINT8)]
    names += [model.constant(np.float32(1)), model.constant(np.uint8(0))] * 2
    result = "y" if inputs > 0 else ""
    made = node(
        "QLinearAveragePool", names[: abs(inputs)], result, kernel_shape=[2, 2], **attributes
    )
    made.domain = "com.microsoft"
    model.nodes.append(made)
    model.output("y", UINT8)
    with pytest.raises(presil.Refusal) as refused:
        presil.load(model.save(tmp_path / "net.onnx"))
    assert said in str(refused.value)


@pytest.mark.parametrize(
    ("scale", "said"),
    [("s", "scales of its operands must be initializers"), ([1.0, 2.0], "of its x must be one")],
)
def test_a_bias_needs_the_steps_of_its_operands(scale: Any, said: str, tmp_path: Path) -> None:
    model = Model()
    x = model.input("x", [1, 3, 4, 4], INT8)
    steps = model.input("s", []) if scale == "s" else model.constant(np.array(scale, np.float32))
    zero, one = model.constant(np.int8(0)), model.constant(np.float32(1))
    w = model.constant(np.ones((2, 3, 1, 1), np.int8))
    bias = model.constant(np.zeros(2, np.int32))
    model.op("QLinearConv", [x, steps, zero, w, one, zero, one, zero, bias], "y")
    model.output("y", INT8)
    with pytest.raises(presil.Refusal) as refused:
        presil.load(model.save(tmp_path / "net.onnx"))
    assert said in str(refused.value)
