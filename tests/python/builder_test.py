"""Graphs by hand: presil.Builder."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import presil
import pytest
from conftest import ROOT
from presil import paths

RANDOM = np.random.default_rng(11)


def int8(*shape: int) -> np.ndarray:
    return RANDOM.integers(-127, 128, shape, np.int8)


def int32(count: int) -> np.ndarray:
    return RANDOM.integers(-500, 500, count, np.int32)


def exact_on_the_soc(b: presil.Builder) -> presil.Run:
    net = b.build()
    x = [RANDOM.integers(-128, 128, t["shape"], np.int8) for t in net.inputs]
    run = presil.run(net, x, check="layers")
    assert run.exact
    for name, array in presil.reference(net, x).items():
        np.testing.assert_array_equal(run.outputs[name], array)
    return run


def test_the_example_of_the_readme_runs() -> None:
    page = (ROOT / "sim" / "guides" / "python.md").read_text(encoding="utf-8")
    example = next(c for c in re.findall(r"```python\n(.*?)```", page, re.S) if "Builder" in c)
    names: dict[str, object] = {}
    exec(compile(example, "sim/guides/python.md", "exec"), names)  # noqa: S102
    assert names["run"].exact and names["run"].outputs["softmax"].shape == (1, 10)


def test_every_operator_of_the_graph_can_be_built_by_its_name() -> None:
    listed = (ROOT / "compiler_bridge" / "ir" / "op_kinds.h").read_text(encoding="utf-8")
    kinds = re.findall(r"^  X\(\w+, (\w+), ", listed, re.MULTILINE)
    operators = presil.Builder.operators()
    assert list(operators) == kinds and len(kinds) > 30
    for kind, row in operators.items():
        b = presil.Builder()
        x = b.input("x", (1, 4, 4, 8), scale=0.5)
        assert kind in dir(b)
        with pytest.raises(
            presil.Refusal, match=f"builder: {kind} '{kind}' got 0 inputs, expected"
        ):
            b.op(kind, [])
        some = [x] * row["required"]
        with pytest.raises(presil.Refusal, match=f"{kind} '{kind}' has no attribute 'colour', it"):
            b.op(kind, some, {"colour": 1})
        for name, default in row["attributes"].items():
            with pytest.raises(presil.Refusal, match=f"'{kind}': {name} is .*, expected "):
                b.op(kind, some, {name: {"not": default}})


def test_operators_by_name_make_the_graph_that_the_text_says() -> None:
    b = presil.Builder("small", "xnnpack")
    x = b.input("x", (1, 4, 4, 3), scale=0.5, zero_point=-1)
    w = b.constant(np.arange(54, dtype=np.int8).reshape(2, 3, 3, 3), [0.1, 0.2], name="w")
    y = b.conv2d(
        x, w, np.array([100, -7], np.int32), padding="same", act="relu6", out=(0.25, 3), name="y"
    )
    b.output(b.leaky_relu(y, alpha=0.1, name="z"))
    text = b.build().graph.text(payload=True)
    values = "".join(f"{v:02x}" for v in range(54))
    expected = paths.native().parse_graph(f"""graph "small" xnnpack {{
      input %x : int8[1,4,4,3] q(0.5, -1)
      const %w : int8[2,3,3,3] q([0.1, 0.2], 0, axis=0) = hex "{values}"
      const %3 "y/bias" : int32[2] = [100, -7]
      %y = conv2d(%x, %w, %3) {{pad_top=1, pad_bottom=1, pad_left=1, pad_right=1, act=relu6}}
        from [0] : int8[1,4,4,2] q(0.25, 3)
      %z = leaky_relu(%y) {{alpha=0.1}} from [1] : int8[1,4,4,2] q(0.25, 3)
      output %z
    }}""")
    assert text == expected.text(payload=True).replace('"3"', '"y/bias"')


@pytest.mark.parametrize("numerics", ["tflite", "xnnpack"])
def test_convolutions_of_every_form_are_exact_on_the_soc(numerics: str) -> None:
    b = presil.Builder("forms", numerics)
    x = b.input("x", (1, 9, 12, 8), scale=0.1, zero_point=4)
    out = (0.2, -5)
    y = b.conv2d(
        x, int8(16, 3, 3, 4), int32(16), weights_scale=0.01, groups=2, padding="same", out=out
    )
    d = b.depthwise_conv2d(
        y,
        int8(1, 3, 5, 32),
        weights_scale=np.linspace(0.01, 0.05, 32),
        stride=(2, 1),
        padding=((1, 1), (2, 2)),
        dilation=1,
        out=out,
    )
    assert d.shape == (1, 5, 12, 32)
    t = b.transpose_conv2d(d, int8(8, 2, 2, 32), weights_scale=0.02, stride=2, padding="same")
    assert t.shape == (1, 10, 24, 8)
    c = b.concat([b.max_pool2d(t, 2), b.average_pool2d(t, (2, 2))])
    assert c.shape == (1, 5, 12, 16)
    up = b.resize_nearest(b.pad(c, ((0, 0), (1, 0), (0, 0), (0, 0))), (12, 24))
    small = b.slice(up, (0, 0, 0, 0), (1, 6, 6, 16), (1, 2, 4, 1))
    rows = b.reshape(b.transpose(small, (0, 2, 1, 3)), (36, -1))
    b.output(b.fully_connected(rows, int8(5, 16), int32(5), weights_scale=0.03, act="relu"))
    b.output(b.mean(up, keep_dims=True), b.tanh(c, out=(1 / 128, 0)))
    exact_on_the_soc(b)


def test_operators_of_several_results_give_a_tuple() -> None:
    b = presil.Builder("boxes")
    rows = b.input("rows", (20, 7), "float32")
    found, count = b.nms(rows, score=0.3, max=4, out=[presil.Type("float32"), presil.Type("int32")])
    assert found.shape == (4, 6) and count.shape == (1,)
    b.output(found, count)
    x = RANDOM.random((20, 7)).astype(np.float32)
    assert set(presil.reference(b.build(), [x])) == {"nms", "nms.count"}


def image(b: presil.Builder) -> presil.graph_builder.Tensor:
    return b.input("x", (1, 8, 8, 3), scale=0.5)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda b, x: b.op("conv3d", [x]), "there is no operator 'conv3d' .did you mean 'conv2d'"),
        (lambda b, x: b.add(x, None), "add 'add': its input b is None, which only an optional"),
        (lambda b, x: b.conv2d(x, int8(4, 3, 3, 3)), "values say nothing without weights_scale"),
        (
            lambda b, x: b.conv2d(x, b.constant(int8(4, 3, 3, 3), 1.0), weights_scale=1),
            "weights are a tensor with a type of their own; leave",
        ),
        (
            lambda b, x: b.conv2d(x, int8(4, 3, 3, 3), weights_scale=1, padding="full"),
            r"padding is 'full', expected 'valid', 'same' \(for an image of 4 axes\)",
        ),
        (
            lambda b, x: b.conv2d(x, int8(4, 3, 3, 3), weights_scale=[1, 2]),
            'tensor %0 "conv2d/weights" has 2 scales along axis 0',
        ),
        (
            lambda b, x: b.relu(x, out=(0.0, 0)),
            'tensor %0 "relu" has scale 0, must be a normal number above 0',
        ),
        (
            lambda b, x: b.relu(x, out=3),
            "relu 'relu': out is 3, expected .scale, zero_point., a dt",
        ),
        (lambda b, x: b.relu(x, out=[None, None]), "relu 'relu' got 2 types, its results are y"),
        (
            lambda b, x: b.relu(x, out="int4"),
            "there is no type 'int4', expected one of int8, uint8",
        ),
        (
            lambda b, x: b.add(x, x, out=presil.Type(scale=1.0, shape=(1, 2))),
            r"y is said to be \[1,2\], its inputs make it \[1,8,8,3\]; leave the shape out",
        ),
        (lambda b, x: b.relu(x, name="x"), "there is a tensor 'x' already; name this one else"),
        (
            lambda b, x: b.relu(image(presil.Builder())),
            "'x' is of another builder, expected a tens",
        ),
        (lambda b, x: b.build(), "builder: 'net' has no output; name one by b.output"),
        (
            lambda b, x: presil.Builder("n", "tvm"),
            "builder: numerics is 'tvm', expected one of tflit",
        ),
        (lambda b, x: b.op("relu", [x], {"act": 1}), "has no attribute 'act', it has: none"),
    ],
)
def test_what_does_not_fit_is_refused_where_it_is_added(
    wrong: Callable[[presil.Builder, presil.graph_builder.Tensor], object], said: str
) -> None:
    b = presil.Builder()
    x = image(b)
    with pytest.raises(presil.Refusal, match=said):
        wrong(b, x)


def test_what_is_refused_leaves_the_builder_as_it_was() -> None:
    b = presil.Builder()
    x = image(b)
    for scale in (-1.0, 0.5):
        try:
            y = b.conv2d(
                x, int8(4, 3, 3, 3), int32(4), weights_scale=0.1, out=(scale, 0), name="stem"
            )
        except presil.Refusal:
            assert scale < 0
    b.output(y)
    assert [line.split('"')[1] for line in b.build().graph.text().splitlines() if '"' in line] == [
        "net",
        "x",
        "stem/weights",
        "stem/bias",
        "stem",
    ]


def test_a_method_that_is_no_operator_is_told() -> None:
    with pytest.raises(AttributeError, match="'Builder' object has no attribute 'convolve'"):
        presil.Builder().convolve()
