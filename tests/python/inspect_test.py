"""`presil inspect` and `presil assemble`: programs as text, sentences, and back to bytes."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import presil
import pytest
from corpus import corpus
from presil import explain, paths

SOCS = ("edge", "micro")
Make = Callable[[presil.Builder], object]


def weights(*shape: int) -> np.ndarray:
    return np.ones(shape, np.int8)


def image(b: presil.Builder, *shape: int, scale: float = 0.5) -> presil.graph_builder.Tensor:
    return b.input("x", shape or (1, 40, 40, 8), scale=scale)


def conv(b: presil.Builder, *shape: int, of: tuple[int, ...] = (), **more: object) -> object:
    more = {"weights_scale": 0.5, "out": (1.0, 0), "name": "c"} | more
    return b.conv2d(image(b, *of), weights(*shape), **more)


def explained(make: Make, *overrides: str) -> list[str]:
    b = presil.Builder()
    made = make(b)
    b.output(*(made if isinstance(made, tuple) else (made,)))
    program = presil.compile(b.build(), presil.load_soc("edge", overrides))
    return [explain.sentence(p) for p in program.placement]


NOT = "runs on the host. The dla does not take it:"
TO = "To run it on the dla,"
REFUSALS: list[tuple[Make, str]] = [
    (
        lambda b: b.depthwise_conv2d(
            image(b), weights(1, 17, 3, 8), weights_scale=0.5, out=(1.0, 0), name="d"
        ),
        "depthwise_conv2d 'd' runs on the dsp: kernel depthwise_conv2d_i8 "
        "(dla: kernel height is 17, must be 1..16).",
    ),
    (
        lambda b: conv(b, 4, 3, 3, 8, of=(1, 60, 60, 8), dilation=20, padding=((40, 40), (0, 0))),
        f"conv2d 'c' {NOT} padding at the top is 40, must be 0..31. "
        f"{TO} widen the image by a pad of its own before it.",
    ),
    (
        lambda b: conv(b, 4, 2, 2, 8, dilation=(32, 1)),
        f"conv2d 'c' {NOT} row dilation is 32, must be 1..31. "
        f"{TO} split the kernel into its rows or columns and add their results.",
    ),
    (
        lambda b: b.transpose_conv2d(
            image(b, 1, 4, 4, 8), weights(4, 9, 9, 8), weights_scale=1, stride=9, name="t"
        ),
        f"transpose_conv2d 't' {NOT} row stride times column stride is 81, must be 1..64. "
        f"{TO} go in two steps of smaller strides.",
    ),
    (
        lambda b: b.batch_matmul(
            image(b, 1, 3, 8), b.input("z", (1, 2, 8, 8), scale=0.5), out=(1.0, 0)
        ),
        f"batch_matmul 'batch_matmul' {NOT} a is int8[1,3,8] q(0.5, 0) and b int8[1,2,8,8] "
        "q(0.5, 0), must be of as many matrices as y, and b of as many or one. "
        f"{TO} repeat the matrices before, so that there is one for each of y's.",
    ),
    (
        lambda b: b.max_pool2d(image(b, 1, 80, 80, 8), 70, name="m"),
        f"max_pool2d 'm' {NOT} kernel height is 70, must be 1..63. "
        f"{TO} pool in two steps of smaller windows and strides.",
    ),
    (
        lambda b: b.mean(image(b), (3,), name="m"),
        "mean 'm' runs on the dsp: kernel reduce (dla: mean over axes is [3] of int8[1,40,40,8] "
        "q(0.5, 0), must be over the two before the last, or over the last that stays as an axis "
        "of 1).",
    ),
    (
        lambda b: b.add(image(b), b.input("z", (1, 1, 40, 8), scale=0.5)),
        "add 'add' runs on the dsp: kernel add_i8 (dla: pair of operands is int8[1,40,40,8] "
        "q(0.5, 0) and int8[1,1,40,8] q(0.5, 0), must be one computed and of y's shape, the other "
        "of that shape, one pixel, or a constant).",
    ),
    (
        lambda b: b.resize_nearest(image(b), (120, 120), name="r"),
        "resize_nearest 'r' runs on the dsp: kernel resize_nearest (dla: y is int8[1,120,120,8] "
        "q(0.5, 0) from int8[1,40,40,8] q(0.5, 0), must be of exactly twice the rows and columns, "
        "corners not aligned).",
    ),
    (
        lambda b: b.pad(image(b, 1, 80, 80, 8), ((0, 0), (0, 0), (0, 0), (0, 3)), name="p"),
        "pad 'p' runs on the dsp: kernel pad (dla: a padded axis is 3 of int8[1,80,80,8] "
        "q(0.5, 0), must be that of rows or columns).",
    ),
    (
        lambda b: b.add(
            b.input("x", (1, 8), "int16", 0.5), b.input("z", (1, 8), "int16", 0.5), out=(1.0, 0)
        ),
        f"add 'add' {NOT} a is int16[1,8] q(0.5, 0), must be int8. The dsp does not take it: "
        "y is int16[1,8] q(1, 0), must be int8 or float32. "
        f"{TO} quantise the network to int8.",
    ),
    (
        lambda b: b.reshape(image(b), (1, -1), name="v"),
        "reshape 'v' runs on the dma: moved from memory to memory (y is an output of the graph, "
        "and x's bytes are the caller's already, must be one of the two, else they are copied).",
    ),
]


@pytest.mark.parametrize(
    ("make", "said"), REFUSALS, ids=[said.split("'")[0] for _, said in REFUSALS]
)
def test_why_an_operator_is_on_the_host_and_what_would_have_to_change(
    make: Make, said: str
) -> None:
    assert re.sub(r"(about|takes) \d+", r"\1 N", explained(make)[-1]) == said


def test_where_no_engine_computes_it_that_is_all() -> None:
    (said,) = explained(lambda b: b.softmax(image(b, 1, 10)), "dsp.units=0")
    assert said == "softmax 'softmax' runs on the host: the dla does not compute softmax."


def test_where_the_dsp_is_slower_both_figures_are_told() -> None:
    (said,) = explained(lambda b: b.softmax(image(b, 1, 10)))
    assert re.fullmatch(
        r"softmax 'softmax' runs on the host: the dla does not compute softmax\. "
        r"The dsp takes about \d+ cycles with transfers \(an image select for it alone: \d+\), the "
        r"host takes \d+\.",
        said,
    ), said


def test_what_does_not_fit_the_sram_is_told_with_both_sizes() -> None:
    (said,) = explained(lambda b: conv(b, 512, 8, 8, 16, of=(1, 8, 8, 16)), "sram.bytes=16384")
    assert said == (
        f"conv2d 'c' {NOT} needs 17568 bytes of SRAM even in the smallest tiles, sram.bytes is "
        f"16384. {TO} give the SoC more SRAM (sram.bytes)."
    )


def test_what_runs_on_the_dla_or_nowhere_is_a_sentence_too() -> None:
    def make(b: presil.Builder) -> object:
        y = b.conv2d(
            b.pad(image(b), ((0, 0), (1, 1), (1, 1), (0, 0))),
            weights(16, 3, 3, 8),
            weights_scale=0.5,
            out=(1.0, 0),
        )
        b.relu(y, out=(2.0, 0), name="unread")
        z = b.conv2d(y, weights(16, 1, 1, 16), weights_scale=0.5, out=(1.0, 0), name="z")
        return b.reshape(b.concat([b.add(z, y, out=(1.0, 0)), y], name="join"), (40, 40, 32))

    assert explained(make) == [
        "pad 'pad' runs on the dla: folded into conv2d 'conv2d'.",
        "conv2d 'conv2d' runs on the dla: within the dla's limits.",
        "relu 'unread' needs no engine: removed: nothing that is read depends on it, or it leaves "
        "its input as it is.",
        "conv2d 'z' runs on the dla: within the dla's limits.",
        "add 'add' runs on the dla: fused into conv2d 'z'.",
        "concat 'join' runs on the dla: no work: the inputs are written side by side.",
        "reshape 'reshape' needs no engine: a view: the same bytes under another shape.",
    ]


def test_every_limit_of_an_engine_says_what_helps() -> None:
    for row in paths.native().ops():
        for limit, change in zip(row["limits"], row["changes"], strict=True):
            assert change, f"{row['engine']} {row['op']}: '{limit}' does not say what helps"
            assert not change.endswith(".") and change[0].islower()


def test_inspect_shows_a_network_and_its_loadable_alike(
    presil, digits: Path, tmp_path: Path
) -> None:
    every = ("--section", "graph", "--section", "placement", "--section", "memory")
    every += ("--section", "streams")
    shown = presil("inspect", digits, "--soc", "micro", *every)
    assert presil("compile", digits, "-o", "net.presil", "--soc", "micro").code == 0
    again = presil("inspect", tmp_path / "net.presil", *every)
    assert shown.code == again.code == 0 and shown.out == again.out
    for part in (
        'graph "digits" tflite {',
        '"conv2d_1.weights" : int8[16,3,3,3] q([',
        " of 16], 0, axis=0) = bytes 432 0x",
        "\n# placement: of ",
        "\nconv2d 'conv2d_1' runs on the dla: within the dla's limits.\n",
        "\n# memory\nsram: ",
        "tensor leaky_re_lu_1\n",
        "\n# streams\n",
    ):
        assert part in shown.out, part
    lines = [line for line in shown.out.splitlines() if not line.startswith(("dla", "dma"))]
    assert max(map(len, lines)) < 400
    assert presil("compile", digits, "-o", "net.presil", "--strip").code == 0
    bare = presil("inspect", tmp_path / "net.presil", "--section", "graph")
    assert bare.code == 0 and "compiled with --strip, so its graph is not here" in bare.out


def test_streams_go_to_a_file_and_assemble_to_the_same_bytes(
    presil, digits: Path, tmp_path: Path
) -> None:
    assert presil("compile", digits, "-o", "net.presil").code == 0
    assert presil("inspect", "net.presil", "--streams", "s.txt").code == 0
    assert presil("inspect", "net.presil", "--streams", "-").out == (tmp_path / "s.txt").read_text()
    assert presil("assemble", "s.txt", "--into", "net.presil", "-o", "again.presil").code == 0
    assert (tmp_path / "again.presil").read_bytes() == (tmp_path / "net.presil").read_bytes()


@pytest.mark.parametrize("soc", SOCS)
def test_streams_of_every_network_assemble_to_the_same_bytes(
    shared: Path, soc: str, everything: bool
) -> None:
    for net in corpus(shared, everything):
        program = presil.compile(net, soc)
        again = presil.assemble(program.stream_text(), program)
        assert again.loadable == program.loadable, net.file


def test_an_edited_stream_is_what_runs(digits: Path) -> None:
    program = presil.compile(presil.load(digits))
    x = np.zeros((1, 96, 96, 3), np.int8)
    lines = program.stream_text().splitlines()
    last = max(i for i, line in enumerate(lines) if "act_max=127" in line)
    lines[last] = lines[last].replace("act_max=127", "act_max=-127")
    edited = presil.assemble("\n".join(lines), program)
    assert edited.loadable != program.loadable
    assert presil.run(program, [x]).exact and not presil.run(edited, [x]).exact


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (("kernel_h=3", "kernel_h=x"), "kernel_h is 'x', must be 1..63"),
        (("kernel_h=3", "kernel_h=64"), "kernel_h is '64', must be 1..63"),
        (("kernel_h=3", "kernel_h=0"), r"kernel_h is 0, must be 1..63 \(word "),
        (("kernel_h=3", "kernel=3"), "there is no field 'kernel', must be one of rtl/dla/dla_"),
        (("kernel_h=3", "kernel_h"), "got 'kernel_h', must be field=value"),
        ((": conv ", ": convolve "), "the operation is 'convolve', must be one of nop, conv, dwco"),
        (("lut_en=1", "lut_en=0"), "queue dla: the text has"),
    ],
)
def test_text_that_is_no_stream_is_refused_with_line_field_got_and_expected(
    presil, digits: Path, tmp_path: Path, edit: tuple[str, str], said: str
) -> None:
    assert presil("compile", digits, "-o", "net.presil").code == 0
    text = presil("inspect", "net.presil", "--streams", "-").out
    at = next(i for i, t in enumerate(text.splitlines()) if edit[0] in t and t.startswith("dla"))
    changed = text.replace(*edit, 1) if edit[0] != "lut_en=1" else ""
    (tmp_path / "s.txt").write_text(changed, encoding="utf-8")
    ended = presil("assemble", "s.txt", "--into", "net.presil", "-o", "out.presil")
    assert ended.code == 2 and len(ended.err.splitlines()) == 1
    where = "queue dla" if not changed else rf"line {at + 1}, dla \d+"
    assert re.search(where, ended.err), ended.err
    assert re.search(said, ended.err), ended.err
    assert not (tmp_path / "out.presil").exists()


def test_what_cannot_be_assembled_is_refused(presil, digits: Path, tmp_path: Path) -> None:
    (tmp_path / "s.txt").write_bytes(b"\xff\xfe")
    ended = presil("assemble", "s.txt", "--into", digits, "-o", "out.presil")
    assert ended.code == 2 and "assemble: 's.txt' is not text (" in ended.err
    (tmp_path / "s.txt").write_text("dla 0: nop\n", encoding="utf-8")
    ended = presil("assemble", "s.txt", "--into", digits, "-o", "out.presil")
    assert ended.code == 2 and "does not begin as a .presil file does" in ended.err
