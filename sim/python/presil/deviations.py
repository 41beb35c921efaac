"""Where presil is known not to compute what a runtime does: this table knows, and nothing else.

The verdict of a run, run.json, the report and the interpreter's README print it. `RUNTIMES` are
those that tests/reference/oracle compares with.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

RUNTIMES = {
    "tflite": ("TFLite Micro", "2026-10-23"),
    "xnnpack": ("LiteRT", "2.3"),
    "onnx": ("onnxruntime", "1.32"),
}
"""By numerics the runtime that defines them, and the version that was compared."""

Op = dict[str, Any]


@dataclass(frozen=True)
class Deviation:
    """Operators of a network whose values a runtime computes otherwise."""

    operator: str
    """As a TFLite file names it."""
    numerics: tuple[str, ...]
    when: str
    found: str
    """How many values of the comparison differed, and by how much."""
    presil: str
    runtime: str
    """What each of them computes."""
    holds: Callable[[Op], bool]

    def record(self, numerics: str, ops: list[str]) -> dict[str, Any]:
        runtime, version = RUNTIMES[numerics]
        return {
            "operator": self.operator,
            "when": self.when,
            "runtime": runtime,
            "version": version,
            "found": self.found,
            "ops": ops,
        }


def coarse_hard_swish(op: Op) -> bool:
    return op["kind"] == "hard_swish" and scale(op["outputs"]) > 2**15 * scale(op["inputs"]) > 0


def coarse_sum(op: Op) -> bool:
    if op["kind"] not in ("add", "sub") or op["outputs"][0]["dtype"] != "int8":
        return False
    larger = max(scale(op["inputs"]), scale(op["inputs"][1:]))
    return larger >= 2**8 * scale(op["outputs"]) > 0


def narrow_bias(op: Op) -> bool:
    """Beside int16; conv2d alone, other operators have kernels for it."""
    inputs = op["inputs"]
    bias = inputs[2] if len(inputs) > 2 else None
    wide = op["kind"] == "conv2d" and inputs[0]["dtype"] == "int16"
    return bool(wide and bias and bias["dtype"] == "int32")


def sigmoid_in_fixed_point(op: Op) -> bool:
    steps = {"logistic": (-12,), "tanh": (-12, -11)}.get(op["kind"], ())
    x = op["inputs"][0]
    if x is None or x["dtype"] != "int16":
        return False
    power = math.log2(scale(op["inputs"]))
    return abs(power - round(power)) < 1e-3 and round(power) in steps


def past_the_last_pixel(op: Op) -> bool:
    """Do steps in 1/1024, rounded, lead from the first pixel past the last one?"""
    if op["kind"] != "resize_bilinear" or op["outputs"][0]["dtype"] not in ("int8", "int16"):
        return False
    a = op["attributes"]
    for n, out in zip(op["inputs"][0]["shape"][1:3], op["outputs"][0]["shape"][1:3], strict=True):
        less = 1 if a["align_corners"] and out > 1 else 0
        step = (1024 * (n - less) + (out - less) // 2) // (out - less)
        last = (out - 1) * step + (step // 2 - 512 if a["half_pixel_centers"] else 0)
        if last >= 1024 * n:
            return True
    return False


def float_exponential(op: Op) -> bool:
    return op["kind"] == "exp" and op["outputs"][0]["dtype"] == "float32"


def scale(tensors: list[dict[str, Any]]) -> float:
    """Of the first; 0 where it has none."""
    scales = tensors[0]["scales"]
    return float(scales[0]) if scales else 0.0


INEXACT = frozenset(
    "conv2d depthwise_conv2d transpose_conv2d fully_connected batch_matmul mean sum reduce_prod "
    "average_pool2d resize_bilinear softmax log_softmax l2_normalize layer_norm logistic tanh elu "
    "gelu exp log sqrt rsqrt sin cos pow div hard_swish".split()
)
"""Kinds that, of float32, runtimes add up or approximate in ways of their own."""


def inexact_float(op: Op) -> bool:
    floats = op["kind"] in INEXACT and op["outputs"][0]["dtype"] == "float32"
    dynamic = len(op["inputs"]) > 1 and op["inputs"][1] and op["inputs"][1]["dtype"] == "int8"
    return floats and not dynamic  # dynamic range equals LiteRT in every bit


TABLE = (
    Deviation(
        "QUANTIZE",
        ("xnnpack",),
        "between int8 and uint8, with scales that differ",
        "1,308 of 12,759 values, by 1",
        "as between two int8",
        "TFLite's own kernel for vectors, whose halves below 0 go up, but the last few values of a "
        "tensor like TFLite's definition",
        lambda op: op["kind"] == "quantize" and bool(op["attributes"]["unlike_signs"]),
    ),
    Deviation(
        "QUANTIZE",
        ("xnnpack",),
        "of float32 to int16, the last values after a multiple of 8",
        "0 of 53,266 random values; of values midway between two steps a third, by 1",
        "as the others",
        "another rounding of what lies midway",
        lambda op: (
            op["kind"] == "quantize"
            and op["inputs"][0]["dtype"] == "float32"
            and op["outputs"][0]["dtype"] == "int16"
        ),
    ),
    Deviation(
        "ADD, SUB",
        ("xnnpack",),
        "of int8 or uint8 with an operand 2^8 times as coarse as the result or more",
        "3 of 13,842 values, by 1, of sums within 16 bits; others not compared",
        "the rule of tflite",
        "TFLite's kernel for vectors: 16 bits of a sum in steps of y, operands rounded in another "
        "way; from 2^19 on it does not run",
        coarse_sum,
    ),
    Deviation(
        "CONV_2D",
        ("xnnpack",),
        "of int16 with a bias of int32",
        "every value whose channel has another bias then",
        "the bias",
        "the bytes of the bias as if they were int64",
        narrow_bias,
    ),
    Deviation(
        "LOGISTIC, TANH",
        ("xnnpack",),
        "of int16 with x in steps of 2^-12, TANH in steps of 2^-11 too",
        "5,441 of 9,000 values, by 12 at most",
        "the table of TFLite Micro",
        "polynomials in fixed point",
        sigmoid_in_fixed_point,
    ),
    Deviation(
        "SOFTMAX",
        ("xnnpack",),
        "of int16",
        "42 of 288,000 values, by 1",
        "the tables of TFLite Micro",
        "tables whose entries are rounded in another way here and there",
        lambda op: op["kind"] == "softmax" and op["outputs"][0]["dtype"] == "int16",
    ),
    Deviation(
        "RESIZE_BILINEAR",
        ("tflite",),
        "over so many pixels that rounded steps of 1/1024 pass the last one",
        "not compared there",
        "the last pixel",
        "what stands after the row or image in memory",
        past_the_last_pixel,
    ),
    Deviation(
        "EXP",
        ("xnnpack",),
        "of float32, from 88.3763 to 88.7228, below -87.3365, and of what is no number",
        "all values there",
        "exp(x), 0 below -87.3; what is no number",
        "infinity; 0; 0",
        float_exponential,
    ),
    Deviation(
        "HARD_SWISH",
        ("tflite", "xnnpack"),
        "with a result more than 2^15 times as coarse as x",
        "not compared",
        "the fixed point in words, without overflow",
        "its 16 bits overflow",
        coarse_hard_swish,
    ),
    Deviation(
        "float32 sums and functions",
        ("tflite", "xnnpack", "onnx"),
        "but functions of one operation of IEEE 754",
        "within 5e-5 of the largest value of an operator (LOGISTIC of TFLite Micro: 1.3e-4)",
        "one order, stated for each operator",
        "an order, and approximations, of its own",
        inexact_float,
    ),
)


def deviations_of(graph: Any) -> list[dict[str, Any]]:
    """What of a graph the runtime of its numerics is known to compute otherwise, for the record."""
    if graph is None:
        return []
    numerics, ops = graph.numerics, graph.ops
    found = []
    for deviation in TABLE:
        if numerics not in deviation.numerics:
            continue
        names = [op["name"] for op in ops if deviation.holds(op)]
        if names:
            found.append(deviation.record(numerics, names))
    return found


def differs_from(check: dict[str, Any]) -> str:
    """`LiteRT 2.3 in QUANTIZE`, of the `check` of a record; empty: nothing is known to differ."""
    found = check.get("deviations") or []
    if not found:
        return ""
    first = found[0]
    operators = ", ".join(one["operator"] for one in found)
    return f"{first['runtime']} {first['version']} in {operators}"


def exact_word(check: dict[str, Any]) -> str:
    """The verdict on values that are all equal to the reference interpreter's."""
    other = differs_from(check)
    return f"EXACT to the reference; differs from {other}" if other else "EXACT"


def rows() -> list[str]:
    """The table as Markdown."""
    lines = ["| operator | found | presil | the runtime |", "|---|---|---|---|"]
    for one in TABLE:
        rules = ", ".join(f"`{n}`" for n in one.numerics)
        where = f"{one.operator}, {one.when}; {rules}"
        lines.append(f"| {where} | {one.found} | {one.presil} | {one.runtime} |")
    return lines
