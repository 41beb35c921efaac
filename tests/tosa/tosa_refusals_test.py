"""TOSA files that are refused: damaged ones, other versions, operators and operands."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import presil
import pytest
from tosa_file import TosaFile

Make = Callable[[TosaFile], str]


def refused(make: Make, folder: Path, change: Callable[[TosaFile], None] | None = None) -> str:
    net = TosaFile()
    net.outputs = [make(net)]
    if change is not None:
        change(net)
    file = folder / "net.tosa"
    file.write_bytes(net.bytes())
    with pytest.raises(presil.Refusal) as caught:
        presil.load(file)
    return str(caught.value)


def plain(net: TosaFile) -> str:
    inputs = [net.input([2, 3], "INT32"), net.input([2, 3], "INT32")]
    return net.made("ADD", inputs, [2, 3], "INT32")


def conv(
    net: TosaFile, x: str = "INT8", zero: str = "INT8", pad: tuple[int, ...] = (0, 0, 0, 0),
    weights: tuple[int, ...] = (4, 1, 1, 3), bias: int = 4, in_channels: int = 3, **more: Any,
) -> str:  # fmt: skip
    attributes: dict[str, Any] = {"pad": pad, "stride": [1, 1], "dilation": [1, 1]} | more
    return net.made(
        "CONV2D",
        [
            net.input([1, 4, 4, in_channels], x),
            net.constant(np.ones(weights), "FP32" if x == "FP32" else "INT8"),
            net.constant(np.zeros(bias), "FP32" if x == "FP32" else "INT32"),
            net.constant([0], zero), net.constant([0], "INT8"),
        ],
        [1, 4, 4, 4], "FP32" if x == "FP32" else "INT32", **attributes,
    )  # fmt: skip


def rescale(net: TosaFile, x: str = "INT32", wide: str = "INT32", m: Any = 1, t: Any = 30,
            out: str = "INT8", **more: Any) -> str:  # fmt: skip
    attributes = {"scale32": True, "rounding_mode": "SINGLE_ROUND"} | more
    return net.made(
        "RESCALE",
        [
            net.input([2, 3], x), net.constant(np.atleast_1d(m), wide),
            net.constant(np.atleast_1d(t), "INT8"), net.constant([0], x), net.constant([0], out),
        ],
        [2, 3], out, **attributes,
    )  # fmt: skip


def pool(net: TosaFile, kind: str = "MAX_POOL2D", x: str = "INT8", **more: Any) -> str:
    attributes: dict[str, Any] = {"kernel": [2, 2], "stride": [2, 2], "pad": [0, 0, 0, 0]}
    inputs = [net.input([1, 4, 4, 3], x)]
    if kind == "AVG_POOL2D":
        inputs += [net.constant([0], x), net.constant([0], x)]
    return net.made(kind, inputs, [1, 2, 2, 3], x, **(attributes | more))


def resize(net: TosaFile, x: str = "INT8", scale: Any = (4, 2, 4, 2), **more: Any) -> str:
    inputs = [net.input([1, 4, 4, 3], x), net.numbers(list(scale)), net.numbers([0, 0])]
    inputs.append(net.numbers(more.pop("border", [2, 2])))
    attributes = {"mode": "NEAREST"} | more
    return net.made("RESIZE", inputs, [1, 8, 8, 3], x, **attributes)


def slice_of(net: TosaFile, start: list[int], size: list[int]) -> str:
    inputs = [net.input([2, 3], "INT8"), net.numbers(start), net.numbers(size)]
    return net.made("SLICE", inputs, size, "INT8")


def pad(net: TosaFile, padding: list[int], value: Any = (0,)) -> str:
    inputs = [net.input([2, 3], "INT8"), net.numbers(padding), net.constant(value, "INT8")]
    return net.made("PAD", inputs, [4, 3], "INT8")


def reshape(net: TosaFile, shape: list[int]) -> str:
    return net.made("RESHAPE", [net.input([2, 3], "INT8"), net.numbers(shape)], [6], "INT8")


def table(net: TosaFile, x: str, entries: int, of: str) -> str:
    constant = net.constant(np.zeros(entries), of)
    return net.made("TABLE", [net.input([2, 3], x), constant], [2, 3], "INT32")


def clamp(net: TosaFile, x: str, low: list[int], high: list[int], **more: Any) -> str:
    attributes = {"min_val": low, "max_val": high} | more
    return net.made("CLAMP", [net.input([2, 3], x)], [2, 3], x, **attributes)


def with_nan(kind: str, mode: str = "IGNORE", **more: Any) -> Make:
    def make(net: TosaFile) -> str:
        inputs = [net.input([2, 3], "FP32")]
        if kind in ("MAXIMUM", "MINIMUM"):
            inputs.append(net.input([2, 3], "FP32"))
        return net.made(kind, inputs, [2, 3], "FP32", nan_mode=mode, **more)

    return make


def one(kind: str, dtype: str, shape: list[int], *more: str) -> Make:
    return lambda net: net.made(kind, [net.input(shape, dtype), *more], shape, dtype)


def mul(net: TosaFile, shift: Any) -> str:
    inputs = [net.input([2], "INT32"), net.input([2], "INT32"), net.constant(shift, "INT8")]
    return net.made("MUL", inputs, [2], "INT32")


def gather(net: TosaFile) -> str:
    return net.made("GATHER", [net.input([2, 3], "INT8"), net.input([2], "INT32")], [2, 3], "INT8")


def scatter(net: TosaFile) -> str:
    inputs = [net.input([2, 3, 4], "INT8"), net.input([2, 2], "INT32")]
    return net.made("SCATTER", [*inputs, net.input([2, 3, 4], "INT8")], [2, 3, 4], "INT8")


def matmul(net: TosaFile) -> str:
    inputs = [net.input([1, 2, 3], "INT8"), net.input([1, 4, 5], "INT8")]
    zeros = [net.constant([0], "INT8"), net.constant([0], "INT8")]
    return net.made("MATMUL", inputs + zeros, [1, 2, 5], "INT32")


def computed_shape(net: TosaFile) -> str:
    return net.made("TILE", [net.input([2, 3], "INT8"), net.input([2], "INT32")], [2, 3], "INT8")


def zero_points(net: TosaFile) -> str:
    inputs = [net.input([2], "INT8"), net.constant([0, 1], "INT8"), net.constant([0], "INT8")]
    return net.made("NEGATE", inputs, [2], "INT8")


def transposed(net: TosaFile, out_pad: list[int]) -> str:
    return net.made(
        "TRANSPOSE_CONV2D",
        [
            net.input([1, 2, 2, 3], "INT8"), net.constant(np.ones([4, 2, 2, 3]), "INT8"),
            net.constant([0], "INT32"), net.constant([0], "INT8"), net.constant([0], "INT8"),
        ],
        [1, 1, 1, 4], "INT32", out_pad=out_pad, stride=[1, 1],
    )  # fmt: skip


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda n: conv(n, x="INT32", zero="INT32"), "must be INT8, INT16 or FP32"),
        (lambda n: conv(n, pad=(0, 0)), "pad has 2 numbers, must have 4"),
        (lambda n: conv(n, pad=(-1, 1, 0, 0)), "pad is negative"),
        (lambda n: conv(n, stride=[0, 1]), "dilation 1, must be at least 1"),
        (lambda n: conv(n, weights=(4, 9, 9, 3)), "with dilation 1 requires more"),
        (lambda n: conv(n, in_channels=5), "5 and 3 input channels, must be as many"),
        (lambda n: conv(n, bias=2), "bias is [2], must be [1] or [4]"),
        (lambda n: conv(n, x="FP32", weights=(4, 3)), "weights must have 4 axes"),
        (lambda n: transposed(n, [-2, -2, 0, 0]), "rows, must have some"),
        (lambda n: rescale(n, rounding_mode="UNKNOWN"), "must be SINGLE_ROUND, INEXACT_ROUND or"),
        (lambda n: rescale(n, scale32=False), "must be int32 with it and int16 without"),
        (lambda n: rescale(n, wide="INT16", scale32=False, rounding_mode="DOUBLE_ROUND"),
         "DOUBLE_ROUND requires scale32"),
        (lambda n: rescale(n, m=[1, 2]), "multiplier has 2 entries, must have 1"),
        (lambda n: rescale(n, m=-5), "multiplier 0 is -5, must not be negative"),
        (lambda n: rescale(n, t=63), "shift 0 is 63, must be 2..62"),
        (lambda n: rescale(n, x="INT48"), "of 48 bits it must be int16"),
        (lambda n: rescale(n, x="BOOL"), "x is bool[2,3], must be int8 or int16 or int32 or int64"),
        (lambda n: pool(n, pad=[-1, 1, 0, 0]), "pad is negative"),
        (lambda n: pool(n, x="FP32", nan_mode="IGNORE"), "nan_mode is IGNORE, must be PROPAGATE"),
        (lambda n: pool(n, "AVG_POOL2D", kernel=[0, 2]), "its kernel is empty"),
        (lambda n: pool(n, "AVG_POOL2D", pad=[2, 0, 0, 0]), "its padding is as large as its"),
        (lambda n: resize(n, mode="UNKNOWN"), "must be NEAREST or BILINEAR"),
        (lambda n: resize(n, x="FP32"), "it is of FP32, must be of integers"),
        (lambda n: resize(n, scale=(4, 2, 4, 0)), "must be within 1..2048 / 1..32768"),
        (lambda n: resize(n, border=[-99, 0]), "offset and border leave no rows"),
        (lambda n: resize(n, scale=(4, 2)), "scale has 2 entries, must have 4"),
        (lambda n: slice_of(n, [0, 2], [1, 2]), "must lie inside [2, 3]"),
        (lambda n: pad(n, [-1, 0, 0, 0]), "padding is negative"),
        (lambda n: pad(n, [1, 1]), "padding is [1, 1], must have 4 numbers"),
        (lambda n: pad(n, [1, 1, 0, 0], (0, 0)), "pad_const must be one constant of the input's"),
        (lambda n: reshape(n, [0, 6]), "must have extents of at least 1"),
        (lambda n: reshape(n, [1 << 20, 1 << 20]), "must have fewer than 2^31 elements"),
        (lambda n: reshape(n, [5, 1 << 62]), "must have fewer than 2^31 elements"),
        (lambda n: table(n, "INT32", 256, "INT8"), "its input must be INT8 or INT16"),
        (lambda n: table(n, "INT8", 255, "INT8"), "table has 255 entries, must have 256"),
        (lambda n: table(n, "INT16", 500, "INT16"), "table has 500 entries, must have 513"),
        (lambda n: clamp(n, "INT8", [5], [3]), "min_val is more than max_val"),
        (lambda n: clamp(n, "INT16", [5], [3]), "_val has 1 bytes, must have 2..8"),
        (lambda n: clamp(n, "INT32", [5] * 4, [6] * 4), "int32, must be INT8, INT16 or FP32"),
        (lambda n: clamp(n, "FP32", [0] * 4, [0] * 4, nan_mode="IGNORE"), "must be PROPAGATE"),
        (with_nan("MAXIMUM"), "nan_mode is IGNORE, must be PROPAGATE"),
        (with_nan("REDUCE_MAX", axis=0), "nan_mode is IGNORE, must be PROPAGATE"),
        (with_nan("ARGMAX", axis=0), "nan_mode is IGNORE, must be PROPAGATE"),
        (with_nan("REDUCE_MAX", "PROPAGATE", axis=7), "axis is 7, must be 0..1"),
        (lambda n: n.made("NEGATE", [n.input([2], "INT48"), n.constant([0], "INT48"),
                                     n.constant([0], "INT48")], [2], "INT48"),
         "its input is int64, must be INT8, INT16, INT32 or FP32"),
        (one("EXP", "INT8", [2, 3]), "its input is no FP32, must be"),
        (lambda n: n.made("CLZ", [n.input([2, 3], "INT8")], [2, 3], "INT32"),
         "x is int8[2,3] q(1, 0), must be int32"),
        (lambda n: mul(n, [64]), "shift is 64, must be 0..63"),
        (gather, "values must have 3 axes and indices 2"),
        (scatter, "must be [n, k, c], [n, w], [n, w, c]"),
        (matmul, "must be [n, h, k] and [n, k, w]"),
        (computed_shape, "multiples is computed by the network, must be a constant"),
        (zero_points, "input1_zp has 2 values, must have 1"),
        (one("ERF", "FP32", [2]), "the operator is not taken; `presil ops --tosa` lists those"),
        (one("ADD", "INT32", [2]), "it has 1 inputs, must have 2"),
    ],
)  # fmt: skip
def test_an_operator_is_refused(make: Make, words: str, tmp_path: Path) -> None:
    assert words in refused(make, tmp_path)


def tensor_of(net: TosaFile, name: str) -> dict[str, Any]:
    return next(tensor for tensor in net.tensors if tensor["name"] == name)


def set_tensor(name: str, **changes: Any) -> Callable[[TosaFile], None]:
    return lambda net: tensor_of(net, name).update(changes)


def set_operator(**changes: Any) -> Callable[[TosaFile], None]:
    return lambda net: net.operators[-1].update(changes)


def cyclic(net: TosaFile) -> None:
    """The operator reads what the one after it makes of its result."""
    net.made("ADD", [net.outputs[0], "in0"], [2, 3], "INT32")
    net.operators[-2]["inputs"] = [net.operators[-1]["outputs"][0], "in1"]


def short_shape(net: TosaFile) -> None:
    net.numbers([1, 2])
    net.shapes[-1]["rank"] = 3


def short_constant(net: TosaFile) -> None:
    net.constant([1, 2, 3], "INT32")
    net.tensors[-1]["data"] = [0] * 5


def far_constant(net: TosaFile) -> None:
    net.constant([1, 2, 3], "INT32")
    del net.tensors[-1]["data"]
    net.tensors[-1] |= {"offset": 4096, "size": 12}


def twice(net: TosaFile) -> None:
    net.operators.append(net.operators[-1])


def no_tensor(net: TosaFile) -> None:
    net.op("CONST", [], "nothing")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda n: n.version.update(major=2), "it is of TOSA 2.0.0, must be of 1.0 or 1.1"),
        (lambda n: n.version.update(major=0, minor=80), "it is of TOSA 0.80.0"),
        (lambda n: n.outputs.clear(), "it has no outputs, must have at least one"),
        (lambda n: n.outputs.append("gone"), '"gone" is an output that no operator makes'),
        (lambda n: n.inputs.append("gone"), 'input "gone" is no tensor of the file'),
        (lambda n: n.inputs.append("in0"), 'input "in0" is there twice'),
        (set_tensor("in0", type="BF16"), "is of type BF16, must be BOOL, INT8"),
        (set_tensor("in0", is_unranked=True), "has no rank; export the network with fixed shapes"),
        (set_tensor("in0", shape=[1] * 7), "has 7 axes, must have at most 6"),
        (set_tensor("in0", shape=[2, 0]), "its axis 1 has extent 0, must be at least 1"),
        (set_tensor("in0", shape=[1 << 20, 1 << 20]), "has 2^31 elements or more, must have fewer"),
        (set_tensor("t2", type="INT8"), "its result is int8 in the file, it makes int32"),
        (set_tensor("t2", shape=[9]), "its result is [9] in the file, it makes [2,3]"),
        (set_operator(outputs=["t2", "t3"]), "it has 2 results, must have 1"),
        (set_operator(attribute_type="Erf", attribute={}, op="ARGMAX", inputs=["in0"]),
         "its attributes are missing, or of another operator"),
        (cyclic, "which no earlier operator makes: it is missing, out of order or part of a cycle"),
        (short_shape, "of rank 3 holds 16 bytes, must be 8 for each of at most 64 numbers"),
        (short_constant, "holds 5 bytes, its type and shape require 12"),
        (far_constant, "has its data outside of the FlatBuffer, which is not read"),
        (twice, "its result has been made before"),
        (no_tensor, "its result is no tensor of the file"),
    ],
)  # fmt: skip
def test_a_file_is_refused(
    change: Callable[[TosaFile], None], words: str, tmp_path: Path
) -> None:
    assert words in refused(plain, tmp_path, change)


def test_no_block_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    net = TosaFile()
    monkeypatch.setattr(net, "json", lambda: {"version": net.version, "regions": []})
    (tmp_path / "net.tosa").write_bytes(net.bytes())
    with pytest.raises(presil.Refusal, match="it has no block of operators"):
        presil.load(tmp_path / "net.tosa")


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    net = TosaFile()
    net.outputs = [plain(net)]
    file = tmp_path / "net.tosa"
    file.write_bytes(net.bytes()[:200])
    with pytest.raises(presil.Refusal, match="the FlatBuffers verifier finds offsets outside"):
        presil.load(file)
    file.write_bytes(b"nothing at all")
    with pytest.raises(presil.Refusal, match='bytes are no TOSA file: bytes 4 to 7 must be "TOSA"'):
        presil.load(file)


def test_no_known_format_is_refused(tmp_path: Path) -> None:
    (tmp_path / "net.bin").write_bytes(b"nothing at all")
    with pytest.raises(presil.Refusal, match="the file is of no format that is known, or damaged"):
        presil.load(tmp_path / "net.bin")


def test_mlir_says_what_it_needs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "net.mlir"
    file.write_text("module {}")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(presil.Refusal, match="in PATH: install the package tosa-tools, or run"):
        presil.load(file)
    tool = tmp_path / "tosa-opt"
    tool.write_text("#!/bin/sh\necho that is no TOSA >&2\nexit 1\n")
    tool.chmod(0o755)
    with pytest.raises(presil.Refusal, match="makes no .tosa file of it: that is no TOSA; export"):
        presil.load(file)
    tool.write_text("#!/no/such/shell\n")
    with pytest.raises(presil.Refusal, match="does not run: "):
        presil.load(file)
