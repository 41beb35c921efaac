"""Where presil is known not to compute what a runtime does: this table knows, and nothing else.

The verdict of a run, run.json, the report and the interpreter's README print it. `RUNTIMES` are
those that tests/reference/oracle compares with.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

RUNTIMES = {"tflite": ("TFLite Micro", "2026-10-23"), "xnnpack": ("LiteRT", "2.3")}
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


def clamped_pixel(op: Op) -> bool:
    a = op["attributes"]
    pool = op["kind"] in ("max_pool2d", "average_pool2d") and op["outputs"][0]["dtype"] == "int8"
    return pool and a["kernel_h"] == a["kernel_w"] == 1 and a["act"] != "none"


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
        "MAX_POOL_2D, AVERAGE_POOL_2D",
        ("xnnpack",),
        "of one value by one, with a fused clamp",
        "310 of 12,811 values, by 1, of scales with which 6 lies midway between two stored values",
        "the clamp of XNNPACK",
        "that of TFLite's own kernel",
        clamped_pixel,
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
        ("tflite", "xnnpack"),
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
