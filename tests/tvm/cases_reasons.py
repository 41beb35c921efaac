"""Why presil does not take an operator, one sentence each; and what the runtime refuses."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import presil
import presil.tvm
import pytest
import tvm_ffi
from modules import Quantised
from presil.tvm.container import Part, pack, unpack
from presil.tvm.nodes import body_of
from presil.tvm.options import Options
from presil.tvm.read_windows import image_of, ordered
from presil.tvm.reader import NotTaken
from presil.tvm.runtime import open_regions
from presil.tvm.values import Value
from tvm import relax

op = relax.op
IMAGE = (1, 8, 8, 4)


def real(q: Quantised, x: Any) -> Any:
    return q.real(x)


def whole(x: Any, q: Quantised, dtype: str) -> Any:
    return q.emit(op.astype(x, dtype))


CASES: dict[str, tuple[str, Callable[[Quantised, Any], Any]]] = {
    "softmax": (
        "its axis is 1 of .*, not the last",
        lambda q, x: q.emit(op.nn.softmax(q.real(x), axis=1)),
    ),
    "softplus": (
        "its beta must be 1",
        lambda q, x: q.emit(op.nn.softplus(q.real(x), beta=2.0)),
    ),
    "int32 sum": (
        "both operands must be float32 or quantised",
        lambda q, x: q.emit(op.add(whole(x, q, "int32"), whole(x, q, "int32"))),
    ),
    "negative stride": (
        "its stride is -1, must be above 0",
        lambda q, x: q.emit(op.strided_slice(x, axes=[1], begin=[7], end=[0], strides=[-1])),
    ),
    "dequantize of int32": (
        "x is no int8, uint8 or int16",
        lambda q, x: q.real(whole(x, q, "int32")),
    ),
    "astype alone": (
        "it converts x to int32, which an average of bytes alone may",
        lambda q, x: whole(x, q, "int32"),
    ),
    "a row times a matrix": (
        "both operands must be matrices",
        lambda q, x: q.emit(op.matmul(q.real(x), q.emit(op.reshape(q.real(q.tail(x)), (4,))))),
    ),
    "pool with dilation": (
        "its dilation must be 1: a pool has none",
        lambda q, x: q.emit(op.nn.max_pool2d(x, 2, dilation=2, layout="NHWC")),
    ),
    "ceil_mode": (
        "ceil_mode is set where it adds pixels",
        lambda q, x: q.emit(op.nn.max_pool2d(x, 3, strides=2, ceil_mode=True, layout="NHWC")),
    ),
    "padding that counts": (
        "it counts what is padded",
        lambda q, x: q.emit(
            op.nn.avg_pool2d(q.real(x), 2, padding=1, count_include_pad=True, layout="NHWC")
        ),
    ),
    "an average of integers": (
        "x is no float32",
        lambda q, x: q.emit(op.nn.avg_pool2d(x, 2, strides=2, layout="NHWC")),
    ),
    "unlike steps of int16": (
        "it requantises other than bytes",
        lambda q, x: q.stored16(
            q.emit(op.concat([q.real(q.stored16(q.real(x), s), s) for s in (0.05, 0.1)], 3))
        ),
    ),
    "several results": (
        "it has several results",
        lambda q, x: q.emit(
            op.call_dps_packed(
                "mine",
                [x],
                [relax.TensorType(IMAGE, "int8"), relax.TensorType(IMAGE, "int8")],
            )
        )[0],
    ),
    "no kernel": (
        "no kernel that was given computes 'mine'",
        lambda q, x: q.emit(op.call_dps_packed("mine", [x], [relax.TensorType(IMAGE, "int8")])),
    ),
    "tuple of another's": (
        "its tuple is made elsewhere",
        lambda q, x: q.emit(q.emit(op.split(relax.const(np.ones(IMAGE, np.int8)), 2, 3))[0]),
    ),
}  # fmt: skip


def reasons(body: Callable[[Quantised, Any], Any]) -> str:
    q = Quantised(IMAGE)
    mod = presil.tvm.partition_for_presil(q.module(lambda x: body(q, x)))
    return "\n".join(row["reason"] for row in presil.tvm.placement(mod) if row["engine"] == "tvm")


@pytest.mark.parametrize("case", CASES)
def test_what_is_not_taken_has_a_reason(case: str) -> None:
    expected, body = CASES[case]
    import re

    assert re.search(expected, reasons(body)), reasons(body)


def test_a_bias_beyond_int32_is_not_taken() -> None:
    def body(q: Quantised, x: Any) -> Any:
        y = q.emit(
            op.nn.conv2d(
                q.real(x, 1e-6),
                q.emit(op.dequantize(relax.const(np.ones((1, 1, 4, 4), np.int8)), q.scale(1e-6),
                                     relax.const(0, "int32"))),
                data_layout="NHWC",
                kernel_layout="HWIO",
            )
        )  # fmt: skip
        return q.stored(q.emit(op.add(y, relax.const(np.full(4, 1e6, np.float32)))))

    assert "its bias is beyond int32" in reasons(body)


def test_boxes_are_decoded_where_the_network_is_or_not_at_all(tmp_path: Path) -> None:
    file = tmp_path / "post.yaml"
    file.write_text("nms: {score: 0.5, iou: 0.5, max: 3}\n")

    def after_a_stranger(q: Quantised, x: Any) -> Any:
        return q.emit(op.atan(q.real(x)))

    q = Quantised(IMAGE)
    mod = q.module(lambda x: after_a_stranger(q, x))
    with pytest.raises(presil.Refusal, match="which is elsewhere; TVM has no such decoding"):
        presil.tvm.partition_for_presil(mod, post=file)
    file.write_text("nms: 3\n")
    with pytest.raises(presil.Refusal, match="post file .* does not say nms: max"):
        presil.tvm.partition_for_presil(mod, post=file)
    q = Quantised(IMAGE)
    detections = [relax.TensorType((3, 6), "float32"), relax.TensorType((1,), "int32")]

    def without(x: Any) -> Any:
        return q.emit(q.emit(op.call_dps_packed("presil.detections", [x], detections))[0])

    with pytest.raises(presil.Refusal, match="no post file says how boxes are decoded"):
        presil.tvm.partition_for_presil(q.module(without))
    from presil.tvm.detections import Post, with_detections

    class Bare:
        """A function whose body has no dataflow block."""

        class body:  # noqa: N801
            blocks: tuple[Any, ...] = ()
            body = None

    with pytest.raises(presil.Refusal, match="must be in a dataflow block"):
        with_detections({"main": Bare}, Post("x", 3))  # type: ignore[arg-type]


def test_layouts_are_refused_by_their_name() -> None:
    with pytest.raises(NotTaken, match="its layout is HWNC, must be NHWC or NCHW"):
        image_of(None, Value((1, 2, 3, 4)), "HWNC")  # type: ignore[arg-type]
    weights = Value((1, 1, 1, 1), data=np.zeros((1, 1, 1, 1), np.int8))
    with pytest.raises(NotTaken, match="kernel layout OIHW4o is not supported"):
        ordered(weights, "OIHW4o", "OHWI")


def test_a_function_without_bindings_must_be_normalised() -> None:
    class Bare:
        params: tuple[Any, ...] = ()
        body = None

    with pytest.raises(presil.Refusal, match="must be normalised: relax.transform.Normalize"):
        body_of(Bare(), "main")  # type: ignore[arg-type]


def test_bytes_of_no_library_are_refused() -> None:
    with pytest.raises(presil.Refusal, match="holds no regions of presil; build it again"):
        unpack(b"none")
    with pytest.raises(presil.Refusal, match="the options of a region are not readable"):
        Options.parse("{}")


def region() -> Any:
    """A region's function: int8 [1, 8, 8, 4] to int8 [1, 8, 8, 8]."""
    builder = presil.Builder("region")
    x = builder.input("x", IMAGE, scale=0.05)
    weights = np.ones((8, 1, 1, 4), np.int8)
    builder.output(builder.conv2d(x, weights, weights_scale=0.1, out=(0.1, 0)))
    program = presil.compile(builder)
    options = Options(presil.load_soc())
    return open_regions(pack([Part("region", program, [0], [0], options)]))("region")


def test_a_region_is_called_with_its_tensors() -> None:
    call = region()
    x, y = np.full(IMAGE, 50, np.int8), np.zeros((1, 8, 8, 8), np.int8)
    call(tvm_ffi.from_dlpack(x), tvm_ffi.from_dlpack(y))
    assert (y == 10).all()  # four channels of 50 * 0.05 * 0.1, in steps of 0.1
    for tensors, said in (
        ((x,), "got 1 tensors, expected 1 inputs and 1 results"),
        ((x.astype(np.int16), y), "'x' got int16.*, expected int8"),
        ((x, y[:, :4]), "its result is int8"),
        ((x, np.zeros((1, 8, 8, 8), np.int8).transpose(0, 2, 1, 3)), "give a contiguous tensor"),
    ):
        with pytest.raises(Exception, match=said):
            call(*map(tvm_ffi.from_dlpack, tensors))


def test_without_a_compiler_the_runtime_says_so(tmp_path: Path) -> None:
    environment = {**os.environ, "PRESIL_CACHE": str(tmp_path), "CXX": "no-such-compiler"}
    done = subprocess.run(
        [sys.executable, "-c", "import presil.tvm"], env=environment, capture_output=True, text=True
    )
    assert "tvm: cannot call the compiler 'no-such-compiler'" in done.stderr
    done = subprocess.run(
        [sys.executable, "-c", "import presil.tvm"],
        env={**environment, "CXX": "false"},
        capture_output=True,
        text=True,
    )
    assert "cannot compile" in done.stderr


def test_other_versions_of_tvm_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from presil.tvm import versions

    monkeypatch.setattr(versions, "version", lambda package: "0.1.15")
    with pytest.raises(presil.Refusal, match="tvm: apache-tvm is 0.1.15, must be 0.27; `pip"):
        versions.check()
