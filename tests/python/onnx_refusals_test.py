"""ONNX files that are refused: damaged ones, operators and operands, each with a sentence."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import presil
import pytest
from conftest import presil as called
from onnx_files import Model, node, onnx

Array = Any


def plain(kind: str, inputs: list[str], opset: int = 13, **attributes: Any) -> Model:
    m = Model(opset)
    m.input("x", [1, 4, 6, 6])
    m.op(kind, inputs, "y", **attributes)
    m.output("y")
    return m


def bad(change: Callable[[Any], None]) -> Callable[[Path], Path]:
    """A file as made, changed."""

    def make(file: Path) -> Path:
        made = onnx.load(str(plain("Relu", ["x"]).save(file)))
        change(made)
        onnx.save(made, str(file))
        return file

    return make


def external(made: Any) -> None:
    tensor = onnx.numpy_helper.from_array(np.zeros(4, np.float32), "w")
    tensor.external_data.add(key="location", value="../../secret.bin")
    tensor.ClearField("raw_data")
    tensor.data_location = 1
    made.graph.initializer.append(tensor)


def huge(made: Any) -> None:
    made.graph.initializer.append(onnx.TensorProto(name="w", data_type=1, dims=[1 << 20, 1 << 20]))


def short(made: Any) -> None:
    made.graph.initializer.append(
        onnx.TensorProto(name="w", data_type=1, dims=[4], raw_data=b"\0" * 12)
    )


def few(made: Any) -> None:
    made.graph.initializer.append(
        onnx.TensorProto(name="w", data_type=1, dims=[4], float_data=[1.0])
    )


def double(made: Any) -> None:
    made.graph.initializer.append(onnx.numpy_helper.from_array(np.zeros(4), "w"))


def twice(made: Any) -> None:
    for _ in range(2):
        made.graph.initializer.append(onnx.numpy_helper.from_array(np.zeros(4, np.int64), "w"))


def cycle(made: Any) -> None:
    made.graph.node[0].input[0] = "y"


def unmade(made: Any) -> None:
    made.graph.output[0].name = "z"


def again(made: Any) -> None:
    made.graph.node.append(node("Relu", ["x"], "y"))


def loop(made: Any) -> None:
    made.graph.node.append(node("Loop", ["x"], "z"))
    inside = made.graph.node[-1].attribute.add(name="body")
    inside.g.name = "body"


def of_strings(made: Any) -> None:
    made.graph.input[0].type.tensor_type.elem_type = 8


def old(made: Any) -> None:
    made.opset_import[0].version = 5


def no_outputs(made: Any) -> None:
    del made.graph.output[:]


BAD: list[tuple[Callable[[Any], None], str]] = [
    (external, 'lies in the file "../../secret.bin", which must be in the folder of the model'),
    (huge, 'initializer "w" has an extent of 1048576, must be of less than 2 GiB'),
    (short, 'initializer "w" has 12 bytes, must have 16'),
    (few, 'initializer "w" has 1 values, must have 4'),
    (double, 'initializer "w" has elements of type number 11, must be float32, float16, int8'),
    (twice, 'two initializers are called "w"'),
    (cycle, 'its input "y" is made by no operator before it, and is no constant'),
    (unmade, 'output "z" is made by no operator'),
    (again, 'its result "y" is made twice'),
    (loop, "has a graph inside, which is not supported: unroll loops"),
    (of_strings, 'input "x" has elements of type number 8, must be float32, int8'),
    (old, "its operator set is 5, must be 7..23"),
    (no_outputs, "it has no outputs"),
]


@pytest.mark.parametrize(("change", "said"), BAD, ids=lambda v: getattr(v, "__name__", ""))
def test_bad_files_are_refused(change: Callable[[Any], None], said: str, tmp_path: Path) -> None:
    with pytest.raises(presil.Refusal) as refused:
        presil.load(bad(change)(tmp_path / "bad.onnx"))
    assert said in str(refused.value)


def test_damaged_files_are_refused(tmp_path: Path) -> None:
    whole = plain("Relu", ["x"]).save(tmp_path / "x.onnx").read_bytes()
    for length in range(4, len(whole) - 1, 7):
        (tmp_path / "cut.onnx").write_bytes(whole[:length])
        with pytest.raises(presil.Refusal):
            presil.load(tmp_path / "cut.onnx")
    nested = b"\x08\x08" + b"\x3a\x7f" * 200
    (tmp_path / "nested.onnx").write_bytes(nested)
    ended = called("run", tmp_path / "nested.onnx")
    assert ended.code == 2 and "this is no ONNX file, or it is damaged" in ended.err


def resized(scales: list[float], **attributes: Any) -> Model:
    m = Model()
    m.input("x", [1, 4, 6, 6])
    empty = m.constant(np.zeros(0, np.float32))
    m.op("Resize", ["x", empty, m.constant(np.array(scales, np.float32))], "y", **attributes)
    m.output("y")
    return m


OPERATORS: list[tuple[Model, str]] = [
    (plain("Einsum", ["x"]), 'op 0, Einsum "y": this operator cannot be imported; `presil ops'),
    (plain("Relu", [""]), "its input 0 is missing"),
    (plain("MaxPool", ["x"]), "kernel_shape must have 2 numbers: images alone"),
    (plain("MaxPool", ["x"], kernel_shape=[2, 2], dilations=[2, 2]), "its dilations must be 1"),
    (plain("MaxPool", ["x"], kernel_shape=[2, 2], strides=[3]),
     "strides has 1 numbers, must have 2: images alone"),
    (plain("MaxPool", ["x"], kernel_shape=[2, 2], pads=[1]), "pads has 1 numbers, must have 4"),
    (plain("MaxPool", ["x"], kernel_shape=[2, 2], strides=[0, 1]), "stride is 0, must be 1..65535"),
    (plain("MaxPool", ["x"], kernel_shape=[2, 2], auto_pad="MOST"), 'auto_pad is "MOST", must be'),
    (plain("MaxPool", ["x"], kernel_shape=[3, 3], strides=[2, 2], ceil_mode=1), "ceil_mode is 1"),
    (plain("AveragePool", ["x"], kernel_shape=[3, 3], pads=[1] * 4, count_include_pad=1),
     "count_include_pad is 1 and there is padding, must be 0"),
    (plain("Softmax", ["x"], axis=2), "its axis is 2 of [1,4,6,6], must be the last"),
    (plain("Softmax", ["x"], axis=9), "axis is 9, must be -4..3"),
    (plain("Celu", ["x"], alpha=-1.0), "its alpha is -1.000000, must be above 0"),
    (plain("Clip", ["x", "x"]), "a limit must be a constant: one number of float32"),
    (plain("Transpose", ["x"], perm=[0, 1, 1, 2]), "perm must name each axis of [1,4,6,6] once"),
    (plain("Reshape", ["x", "x"]), "its shape must be a constant of int64 or int32"),
    (plain("Conv", ["x", "x"]), "computed weights are not supported, must be constants"),
    (resized([1, 1, 0.6, 1]),
     "its scale 0.600000 of 6 pixels gives a part of one, or too many; give sizes"),
    (resized([1, 1, 1e30, 1]), "of 6 pixels gives a part of one, or too many; give sizes"),
    (resized([1, 2, 1, 1]), "y is [1,8,6,6], must have images and channels of x"),
    (resized([1, 1, 2]), "scales must have 4 numbers: an image"),
    (resized([1, 1, 2, 2], mode="cubic"), 'mode is "cubic" by "half_pixel", must be nearest, or'),
    (resized([1, 1, 2, 2], nearest_mode="ceil"), 'nearest by "half_pixel" and "ceil", must be'),
    (plain("Gemm", ["x", "x"], transA=1), "transA must be 0"),
    (plain("Gemm", ["x", "x"], alpha=2.0), "alpha and beta must be 1"),
    (plain("Flatten", ["x"], axis=7), "axis is 7, must be within the rank of x"),
    (plain("Constant", [], value_float=1.0), "it must have its value as a tensor"),
]  # fmt: skip


@pytest.mark.parametrize(("made", "said"), OPERATORS, ids=[said[:30] for _, said in OPERATORS])
def test_operators_are_refused(made: Model, said: str, tmp_path: Path) -> None:
    with pytest.raises(presil.Refusal) as refused:
        presil.load(made.save(tmp_path / "op.onnx"))
    assert said in str(refused.value)


def ones(*shape: int) -> Array:
    return np.ones(shape, np.float32)


def whole(*values: int) -> Array:
    return np.array(values, np.int64)


def bytes_in(shape: list[int], steps: Callable[[Model], Any]) -> Model:
    """Input x of int8, result y of int32."""
    m = Model()
    m.input("x", shape, 3)
    steps(m)
    m.output("y", 6)
    return m


def sums(shape: list[int], op: str, w: Array, *zeros: Array) -> Model:
    return bytes_in(
        shape, lambda m: m.op(op, ["x", m.constant(w), *(m.constant(z) for z in zeros)], "y")
    )


IMAGE, ZERO = [1, 2, 4, 4], np.int8(0)
SUMS: list[tuple[Model, str]] = [
    (sums(IMAGE, "ConvInteger", np.ones((2, 2), np.int8)),
     "w [2,2], must be an image and constant weights of 4 axes"),
    (sums(IMAGE, "ConvInteger", np.ones((2, 2, 1, 1), np.int8), ones(1)),
     "x must be a constant of int8 or uint8"),
    (sums(IMAGE, "ConvInteger", np.ones((2, 2, 1, 1), np.int8), ZERO, np.array([1, 2], np.int8)),
     "w has several values, must have one: quantise per tensor"),
    (sums(IMAGE, "ConvInteger", np.ones((2, 1, 1, 1), np.int8)),
     "in 1 groups; groups must be 1, or one for each channel"),
    (sums(IMAGE, "ConvInteger", ones(2, 2, 1, 1)), "w is float32[2,2,1,1], must be int8 or uint8"),
    (sums([3, 4], "MatMulInteger", np.ones((5, 2), np.int8)),
     "a is [3,4], b [5,2], must be matrices that fit, b one for all or as many as a"),
    (sums([3, 4], "MatMulInteger", np.ones((4, 0), np.int8)),
     "its operands are empty, must have values"),
]  # fmt: skip


@pytest.mark.parametrize(("made", "said"), SUMS, ids=[said[:30] for _, said in SUMS])
def test_sums_of_bytes_are_refused(made: Model, said: str, tmp_path: Path) -> None:
    with pytest.raises(presil.Refusal) as refused:
        presil.load(made.save(tmp_path / "op.onnx"))
    assert said in str(refused.value)


def made_of(steps: Callable[[Model], None], opset: int = 13) -> Model:
    """Input x of 4 channels of 6 x 6, result y."""
    m = Model(opset)
    m.input("x", [1, 4, 6, 6])
    steps(m)
    m.output("y")
    return m


def unlike(m: Model) -> None:
    stored_x = m.op("QuantizeLinear", ["x", m.constant(np.float32(1)), m.constant(np.int8(0))], "q")
    m.op("DequantizeLinear", [stored_x, m.constant(np.float32(2)), m.constant(np.int8(0))], "y")


def spread(m: Model, **attributes: Any) -> str:
    return m.op("ConvTranspose", ["x", m.constant(ones(4, 2, 2, 2))], "y", **attributes)


def split_in_two(m: Model, first: int, second: int) -> str:
    y = m.op("Split", ["x", m.constant(whole(first, second))], "y", axis=1)
    m.nodes[-1].output.append("z")
    return y


def normalised(m: Model, channels: int, **attributes: Any) -> str:
    values = [m.constant(ones(channels)) for _ in range(4)]
    return m.op("BatchNormalization", ["x", *values], "y", **attributes)


STEPS: list[tuple[Callable[[Model], Any], str]] = [
    (lambda m: m.op("Clip", ["x", m.constant(ones(2))], "y"), "must be a constant: one number"),
    (lambda m: m.op("Clip", ["x", "x"], "y"), "a limit must be a constant: one number of float32"),
    (lambda m: m.op("Add", ["x", m.constant(ones(5))], "y"),
     "b [5], must fit each other"),
    (lambda m: m.op("Add", ["x", m.constant(whole(5))], "y"),
     "an operand is int64[1], must be float32 or quantised"),
    (unlike, "its scale or zero point is not that of x, which is int8"),
    (lambda m: m.op("Reshape", ["x", m.constant(whole(5, 5))], "y"),
     "[5,5], must have as many el"),
    (lambda m: m.op("Reshape", ["x", m.constant(whole(1 << 40, 1 << 40))], "y"),
     "must be of fewer elements"),
    (lambda m: m.op("Reshape", ["x", m.constant(whole(-1, -1))], "y"),
     "[-1,-1], must have one -1 at"),
    (lambda m: m.op("Reshape", ["x", m.constant(whole(-1, 7))], "y"),
     "[-1,7], does not divide [1,4"),
    (lambda m: m.op("Concat", [], "y", axis=1),
     "it has no inputs"),
    (lambda m: m.op("Concat", ["x", m.constant(ones(3))], "y", axis=1),
     "its inputs must have as many"),
    (lambda m: m.op("MatMul", ["x", m.constant(ones(5, 2))], "y"),
     "[5,2], do not fit each other"),
    (lambda m: m.op("MatMul", ["x", m.constant(ones(6))], "y"),
     "b [6], both must be matrices"),
    (lambda m: m.op("Gemm", ["x", m.constant(ones(6, 2)), m.constant(ones(3))], "y"),
     "its bias must be a constant of 2 values"),
    (lambda m: m.op("Conv", ["x", m.constant(ones(4, 4))], "y"),
     "weights [4,4], both must have 4"),
    (lambda m: m.op("Conv", ["x", m.constant(ones(4, 3, 1, 1))], "y"),
     "x has 4 channels, weights [4"),
    (lambda m: m.op("Dropout", ["x", "", m.constant(np.bool_(True))], "y"),
     "training_mode must be a"),
    (lambda m: m.op("Slice", ["x", m.constant(whole(1)), m.constant(whole(1))], "y"),
     "it takes nothing of axis 0 of [1,4,6,6]"),
    (lambda m: m.op("Slice", ["x", *(m.constant(whole(v)) for v in (5, 0, 2, -1))], "y"),
     "step is -1, must be above 0"),
    (lambda m: m.op("Slice", ["x", m.constant(whole(1)), m.constant(whole(1, 2))], "y"),
     "starts, ends, axes and steps must be as many"),
    (lambda m: m.op("Squeeze", ["x", m.constant(whole(1))], "y"), "axis 1 of [1,4,6,6] must be 1"),
    (lambda m: m.op("QuantizeLinear", ["x", "x"], "y"),
     "its scale and zero point must be constants"),
    (lambda m: m.op("QuantizeLinear", ["x", m.constant(ones(4)), m.constant(np.zeros(4, np.int8))],
                    "y"), "it has several scales, must have one: activations"),
    (lambda m: m.stored(np.ones((4, 3), np.int8), np.ones(2), "y", axis=1),
     "it has 2 scales, its axis 1 has an extent of 3"),
    (lambda m: m.op("BatchNormalization", ["x"] * 5, "y"),
     "its scale must be a constant of float32"),
    (lambda m: m.op("QuantizeLinear", [m.constant(ones(4)), m.constant(np.float32(1))], "y"),
     "it quantises a constant; quantise it in the file"),
    (lambda m: m.op("DequantizeLinear", ["x", m.constant(np.float32(1))], "y"),
     "x is float32[1,4,6,6], must be int8, uint8 or int16"),
    (lambda m: m.op("ConvTranspose", ["x", m.constant(ones(3, 2, 1, 1))], "y"),
     "weights [3,2,1,1], must be an image and its channels' weights"),
    (lambda m: spread(m, group=2), "its groups must be 1"),
    (lambda m: spread(m, output_shape=[9, 9]), "output_shape and auto_pad are not supported; give"),
    (lambda m: spread(m, dilations=[2, 2]), "it is dilated, must have dilations of 1"),
    (lambda m: spread(m, output_padding=[1, 0]), "output_padding must be two numbers, each less"),
    (lambda m: m.op("Split", ["x", m.constant(whole(1, 9))], "y", axis=1),
     "its parts must add up to 4"),
    (lambda m: split_in_two(m, 1 << 62, 1 << 62), "its parts must add up to 4"),
    (lambda m: m.op("Pad", ["x", m.constant(whole(*[1] * 8))], "y", mode="reflect"),
     'its mode is "reflect", must be constant, over all axes'),
    (lambda m: m.op("Pad", ["x", m.constant(whole(1, 1))], "y"), "its pads must be 8 numbers from"),
    (lambda m: m.op("Pad", ["x", m.constant(whole(*[1 << 62] * 8))], "y"), "from 0 to 2^31 - 1"),
    (lambda m: m.op("DepthToSpace", ["x"], "y", blocksize=0), "blocksize is 0 of [1,4,6,6]"),
    (lambda m: m.op("DepthToSpace", ["x"], "y", blocksize=2, mode="CRD"),
     "its mode is CRD, must be DCR"),
    (lambda m: m.op("Gather", ["x", m.constant(whole(9))], "y", axis=3), "it gathers at 9 of 6"),
    (lambda m: m.op("Max", ["x"], "y"), "it must have two inputs"),
    (lambda m: m.op("Pow", ["x", m.constant(whole(2))], "y"),
     "it has an operand int64[1], both must be float32"),
    (lambda m: normalised(m, 4, training_mode=1), "it is in training mode, must normalise by"),
    (lambda m: normalised(m, 3), "it must have 4 values of each kind"),
    (lambda m: m.op("LayerNormalization", ["x", m.constant(ones(6))], "y", axis=1),
     "its axis must be the last: it normalises rows"),
    (lambda m: m.op("LayerNormalization", ["x", m.constant(ones(5))], "y"),
     "scale and bias must have 6 values"),
    (lambda m: m.op("Gather", [m.op("Shape", ["x"], "s"), m.constant(whole(9))], "y"),
     "index 9 is outside of 4 numbers"),
    (lambda m: m.op("ConstantOfShape", [m.constant(whole(1 << 20, 2))], "y"),
     "y is [1048576,2], must have at most 1048576 elements"),
    (lambda m: m.op("Cast", ["x"], "y", to=6), "it casts an operand, must cast whole numbers"),
    (lambda m: m.op("Reshape", ["x", m.op("Add", [m.constant(whole(1)), m.constant(whole())], "s")],
                    "y"), "an operand is int64[1], must be float32 or quantised"),
    (lambda m: m.op("Identity", [m.constant(ones(4))], "y"),
     'output "y" is a constant, must be comp'),
]  # fmt: skip


@pytest.mark.parametrize(("steps", "said"), STEPS, ids=[said[:30] for _, said in STEPS])
def test_operands_are_refused(steps: Callable[[Model], Any], said: str, tmp_path: Path) -> None:
    with pytest.raises(presil.Refusal) as refused:
        presil.load(made_of(steps).save(tmp_path / "op.onnx"))
    assert said in str(refused.value)


def several(kind: str, inputs: list[str]) -> Model:
    """More results than inference has."""

    def steps(m: Model) -> None:
        m.op(kind, [name or m.constant(ones(6)) for name in inputs], "y")
        m.nodes[-1].output.append("more")

    return made_of(steps)


def channels_alone() -> Model:
    m = Model()
    m.input("x", [4])
    normalised(m, 4)
    m.output("y")
    return m


def value_of_two(m: Model) -> None:
    m.op("ConstantOfShape", [m.constant(whole(2))], "y")
    value = m.nodes[-1].attribute.add(name="value", type=onnx.AttributeProto.TENSOR)
    value.t.CopyFrom(onnx.numpy_helper.from_array(ones(2), "two"))


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (several("LayerNormalization", ["x", ""]), "its mean and deviation are asked for, which"),
        (several("MaxPool", ["x"]), "kernel_shape must have 2"),
        (several("Dropout", ["x"]), "its mask is asked for, which training alone needs"),
        (channels_alone(), "x is [4], must have channels on its second axis"),
        (made_of(value_of_two), "its value must be one number"),
    ],
)
def test_results_are_refused(made: Model, said: str, tmp_path: Path) -> None:
    with pytest.raises(presil.Refusal) as refused:
        presil.load(made.save(tmp_path / "op.onnx"))
    assert said in str(refused.value)


def test_pools_of_rows_are_refused(tmp_path: Path) -> None:
    m = Model()
    m.input("x", [4, 6])
    m.op("GlobalAveragePool", ["x"], "y")
    m.output("y")
    with pytest.raises(presil.Refusal, match=r"x is \[4,6\], must have 4 axes: an image"):
        presil.load(m.save(tmp_path / "rows.onnx"))


def test_the_guide_runs(tmp_path: Path) -> None:
    """Its commands and its Python, on a network of one operator."""
    plain("Relu", ["x"]).save(tmp_path / "NET.onnx")
    np.save(tmp_path / "x.npy", np.ones((1, 4, 6, 6), np.float32))
    guide = Path(__file__).resolve().parents[2] / "sim" / "guides" / "onnx.md"
    text = guide.read_text(encoding="utf-8")
    for line in re.findall(r"^sim/presil (.*)$", text, re.MULTILINE):
        ended = called(*line.split("#")[0].split(), cwd=tmp_path)
        assert ended.code == 0, f"{line}: {ended.err}"
    (code,) = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    names = {"x": np.ones((1, 4, 6, 6), np.float32)}
    exec(code.replace("net.onnx", str(tmp_path / "NET.onnx")), names)
    assert names["run"].exact  # type: ignore[attr-defined]


def test_the_contents_say_what_a_file_is(tmp_path: Path) -> None:
    file = plain("Relu", ["x"]).save(tmp_path / "no_suffix")
    assert presil.load(file).inputs[0]["shape"] == [1, 4, 6, 6]
    ended = called("ops", "--onnx")
    assert "QuantizeLinear" in ended.out.splitlines()
