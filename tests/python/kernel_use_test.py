"""A kernel that was registered and computes nothing: the user is told so, and why."""

from __future__ import annotations

from pathlib import Path

import presil as api
import pytest

ROOT = Path(__file__).resolve().parents[2]
ELF = ROOT / "driver" / "kernels" / "dsp" / "prebuilt" / "integers.elf"
RESIZE = [
    "uint32 align = op.align_corners",
    "uint32 half = op.half_pixel_centers",
    "int32 no = 0",
    "int32 part[4] = [0, 0, 0, 0]",
]
SUBJECT = "kernel resize_nearest of integers.elf computes nothing here: "


def network() -> api.Network:
    b = api.Builder("wide")
    x = b.input("x", (1, 4, 6, 16), scale=0.5)
    for name in ("wider", "widest"):
        x = b.resize_nearest(x, (4, 2 * x.type.shape[2]), name=name)
    b.output(x)
    return b.build()


def kernel(**more: object) -> api.Kernel:
    named = {"elf": ELF, "kernel": "resize_nearest", "op": "resize_nearest", "params": RESIZE}
    return api.Kernel(**{**named, **more})  # type: ignore[arg-type]


def unused(*kernels: api.Kernel, soc: str = "edge") -> list[str]:
    return api.compile(network(), soc, kernels=kernels).unused_kernels


def test_a_kernel_that_computes_something_is_not_named() -> None:
    assert unused(kernel(prefer=True)) == []
    assert unused(kernel(prefer=True, rule="any", when="y.shape[2] == 12")) == []


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"op": "resize_bilinear"}, "the network has no resize_bilinear"),
        ({"custom": "Mine", "op": ""}, "the network has no Mine"),
        (
            {"when": "x.dtype == 'int16'"},
            "resize_nearest 'wider': it does not take it: x.dtype == 'int16' does not hold, for "
            "they are int8 and int16; so for 1 more",
        ),
        (
            {"when": "x.rank == 3", "rule": "rank 3"},
            "resize_nearest 'wider': it requires rank 3; x.rank == 3 does not hold, for they are 4 "
            "and 3; so for 1 more",
        ),
        (
            {"prefer": True, "rows": 2},
            "resize_nearest 'wider': it cannot be called: axis 2 of",
        ),
    ],
)
def test_why_a_kernel_computes_nothing_is_said(more: dict[str, object], said: str) -> None:
    (sentence,) = unused(kernel(**more))
    assert sentence.startswith(SUBJECT + said), sentence


def test_a_slower_kernel_says_both_costs_and_a_later_one_which_was_first() -> None:
    (sentence,) = unused(kernel(cycles=10**9))
    assert "'wider': it takes about 100" in sentence and "cycles with tr" in sentence, sentence
    assert unused(kernel(prefer=True), kernel(prefer=True, elf=ELF)) == []  # one and the same
    other = kernel(prefer=True, kernel="table_i8", params=())
    (sentence,) = unused(kernel(prefer=True), other)
    assert sentence == (
        "kernel table_i8 of integers.elf computes nothing here: kernels registered before it take "
        "every resize_nearest"
    )


def test_without_a_dsp_that_is_the_reason() -> None:
    (sentence,) = unused(kernel(prefer=True), soc="micro")
    assert "'wider': it has no DSP to run on (dsp.units)" in sentence


def test_the_command_line_says_it(presil, tmp_path: Path) -> None:
    entry = f"- {{elf: {ELF}, kernel: table_i8, op: arg_max}}"
    (tmp_path / "k.yaml").write_text(entry, encoding="utf-8")
    digits = ROOT / "sim" / "nets" / "digits" / "digits.tflite"
    said = "kernel table_i8 of integers.elf computes nothing here: the network has no arg_max"
    for verb in (("run", "--check", "none"), ("compile", "-o", "digits.presil")):
        ended = presil(verb[0], digits, *verb[1:], "--kernels", "k.yaml")
        assert ended.code == 0 and said in ended.out, ended.out + ended.err


def test_a_key_that_comes_twice_is_refused(presil, tmp_path: Path) -> None:
    text = "- elf: k.elf\n  kernel: k\n  op: softmax\n  op: conv2d\n"
    (tmp_path / "k.yaml").write_text(text, encoding="utf-8")
    ended = presil("ops", "--kernels", "k.yaml")
    assert ended.code == 2 and "'k.yaml' is no YAML: 'op' comes twice" in ended.err, ended.err
    assert "line 4" in ended.err
