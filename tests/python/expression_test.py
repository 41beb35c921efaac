"""The language of kernels.yaml: what it computes, and that nothing else runs."""

from __future__ import annotations

import pytest
from presil.expression import TensorView, Wrong, evaluate, parse, why_not

X = {"dtype": "int8", "shape": [1, 4, 6, 3], "scales": [0.5], "zero_points": [-7]}
W = {"dtype": "float32", "shape": [3], "scales": [], "zero_points": []}
NAMES = {
    "x": TensorView("x", {**X, "constant": False}),
    "w": TensorView("w", {**W, "constant": True}),
    "op": {"stride_h": 2, "act": "relu"},
    "options": {"taps": [1, 2, 3]},
}


def value(text: str) -> object:
    return evaluate(parse(text), NAMES)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2 * x.shape[1] - 1", 7),
        ("x.shape[:2] + [2 * x.shape[2], x.shape[-1]]", [1, 4, 12, 3]),
        ("x.elements, w.bytes, x.bytes, x.rank", [72, 12, 72, 4]),
        ("x.scale / 2 + x.zero_point", -6.75),
        ("x.dtype == 'int8' and not x.constant and w.constant", True),
        ("1 < x.shape[1] <= 4", True),
        ("x.rank in [3, 4] or 1 / 0", True),
        ("max(op.stride_h, ceil(7 / 2), -3)", 4),
        ("product(options.taps) << 3", 48),
        ("sum(x.shape) if op.act == 'relu' else 0", 14),
        ("-7 // 2 + 7 % 4 + (256 >> 4)", 15),
    ],
)
def test_an_expression_has_the_value_that_python_gives_it(text: str, expected: object) -> None:
    assert value(text) == expected


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x.shape[4]", "x.shape has 4 values, none is [4]"),
        ("x.shap", "x has no 'shap', it has shape, rank, dtype"),
        ("z.shape", "there is no 'z', there are x, w, op, options"),
        ("w.scale", "w has 0 scales, so no one scale"),
        ("op.padding", "op has no 'padding', it has stride_h, act"),
        ("1 / 0", "division by zero"),
        ("1 << 70", "1 << 70 shifts too far"),
        ("1 << 64 << 64", "has more than 64 bits"),
        ("[0] * 9999999999", "requires numbers"),
        ("'a' * 9999999999", "requires numbers"),
        ("2 +", "no expression such as"),
        ("2 ** 99", "'Pow' means nothing here"),
        ("lambda: 1", "'Lambda' means nothing here"),
        ("[n for n in x.shape]", "'ListComp' means nothing here"),
        ("f'{x}'", "means nothing here"),
        ("eval('1')", "eval is no function, there are abs"),
        ("x.__class__", "x has no '__class__'"),
        ("max.__self__", "there is no 'max'"),
        ("__import__('os').system('true')", "is no function"),
        ("len(1)", "has no len()"),
        ("(" * 600 + "1" + ")" * 600, "must be at most 1000"),
        ("-" * 300 + "1", "brackets and signs are nested more than 50 deep"),
        ("b'12'", "is no number and no text"),
    ],
)
def test_what_means_nothing_is_said(text: str, said: str) -> None:
    with pytest.raises(Wrong) as wrong:
        value(text)
    assert said in str(wrong.value)


def test_a_condition_that_does_not_hold_shows_its_sides() -> None:
    assert why_not(parse("x.rank == 4"), NAMES) == ""
    assert why_not(parse("x.shape[1] == 2 * x.shape[2]"), NAMES) == (
        "x.shape[1] == 2 * x.shape[2] does not hold, for they are 4 and 12"
    )
    assert why_not(parse("not x.rank"), NAMES) == "not x.rank does not hold"
