"""Known deviations from the runtimes: where the table has one, every verdict says so."""

from __future__ import annotations

import re

import numpy as np
import presil
import pytest
from conftest import ROOT
from presil import paths
from presil.deviations import RUNTIMES, TABLE, deviations_of, exact_word, rows
from presil.report.html import run_view
from presil.run_text import run_text
from presil.table import check_sentence, verdict


def doubled(scale: float = 256.0, numerics: str = "xnnpack") -> presil.Network:
    """x + x in steps of 1."""
    b = presil.Builder("sum", numerics)
    x = b.input("x", (1, 2, 2, 4), "int8", scale)
    b.output(b.add(x, x, out=(1.0, 0), name="y"))
    return b.build()


def kinds(net: presil.Network) -> list[str]:
    return [one["operator"] for one in deviations_of(net.graph)]


def test_an_operator_that_deviates_is_in_the_verdict() -> None:
    run = presil.run(doubled(), np.zeros((1, 2, 2, 4), np.int8))
    (found,) = run.record["check"]["deviations"]
    assert (found["runtime"], found["version"]) == RUNTIMES["xnnpack"]
    assert found["ops"] == ["y"]
    word = "EXACT to the reference; differs from LiteRT 2.3 in ADD, SUB"
    assert verdict(run.record, check_sentence(run.record)).plain.startswith(f"{word}  outputs")
    assert word in run_text(run.record)
    assert run_view(run.record, ROOT, "")["word"] == word.replace("EXACT", "Exact", 1)


def test_what_does_not_deviate_is_exact() -> None:
    for net in (doubled(255.0), doubled(numerics="tflite")):
        assert kinds(net) == []
    run = presil.run(doubled(1.0))
    assert run.record["check"]["deviations"] == []
    assert verdict(run.record, "x").plain == "EXACT  x"


def test_a_difference_is_told_before_a_deviation() -> None:
    run = presil.run(doubled(), np.zeros((1, 2, 2, 4), np.int8))
    run.record["check"]["exact"] = False
    assert verdict(run.record, "x").plain == "DIFFERS  x"


def test_records_without_the_key_are_read() -> None:
    assert exact_word({"exact": True}) == "EXACT"


def test_floats_deviate_but_single_operations_and_dynamic_range_do_not() -> None:
    b = presil.Builder("floats", "xnnpack")
    x = b.input("x", (1, 4), "float32")
    b.output(b.floor(b.relu(x)))
    assert kinds(b.build()) == []
    b = presil.Builder("floats", "xnnpack")
    b.output(b.softmax(b.input("x", (1, 4), "float32")))
    assert kinds(b.build()) == ["float32 sums and functions"]


@pytest.mark.parametrize(("bias", "deviates"), (("int32", True), ("int64", False)))
def test_a_convolution_of_int16_deviates_with_a_bias_of_int32(bias: str, deviates: bool) -> None:
    graph = f"""graph "g" xnnpack {{
      input %x : int16[1,1,1,1] q(1, 0)
      const %w : int8[1,1,1,1] q(1, 0) = [1]
      const %b : {bias}[1] = [1]
      %y = conv2d(%x, %w, %b) : int16[1,1,1,1] q(1, 0)
      output %y
    }}"""
    found = deviations_of(paths.native().parse_graph(graph))
    assert [one["operator"] for one in found] == (["CONV_2D"] if deviates else [])


@pytest.mark.parametrize(
    ("op", "power", "deviates"),
    (("tanh", -11, True), ("tanh", -12, True), ("tanh", -13, False), ("logistic", -11, False)),
)
def test_sigmoids_of_int16_deviate_at_powers_of_two(op: str, power: int, deviates: bool) -> None:
    b = presil.Builder("s", "xnnpack")
    x = b.input("x", (1, 4), "int16", 2.0**power)
    b.output(getattr(b, op)(x, out=(2.0**-15, 0)))
    assert kinds(b.build()) == (["LOGISTIC, TANH"] if deviates else [])


@pytest.mark.parametrize(("kind", "deviates"), (("int16", True), ("int8", False)))
def test_a_softmax_of_int16_deviates(kind: str, deviates: bool) -> None:
    b = presil.Builder("s", "xnnpack")
    x = b.input("x", (1, 4), kind, 2.0**-10)
    out = (2.0**-15, 0) if kind == "int16" else (2.0**-8, -128)
    b.output(b.softmax(x, out=out))
    assert kinds(b.build()) == (["SOFTMAX"] if deviates else [])


# 1024 * 1225 / 2226 is 563.52, 2226 of 564 are 1226.04 rows of 1226; 2225 rows: 564 * 2224 / 1024
# is 1224.9.
@pytest.mark.parametrize(("rows", "deviates"), ((2227, True), (2225, False)))
def test_a_resize_past_the_last_row_deviates(rows: int, deviates: bool) -> None:
    b = presil.Builder("far")
    x = b.input("x", (1, 1226, 1, 1), "int8", 1.0)
    b.output(b.resize_bilinear(x, size=(rows, 1), align_corners=True))
    assert kinds(b.build()) == (["RESIZE_BILINEAR"] if deviates else [])


def test_an_exponential_of_floats_deviates_near_its_ends() -> None:
    for numerics in ("tflite", "xnnpack"):
        b = presil.Builder("e", numerics)
        b.output(b.exp(b.input("x", (1, 4), "float32")))
        assert ("EXP" in kinds(b.build())) == (numerics == "xnnpack")


@pytest.mark.parametrize(("step", "deviates"), ((2.0**5, True), (2.0**-3, False)))
def test_a_coarse_hard_swish_deviates(step: float, deviates: bool) -> None:
    b = presil.Builder("swish")
    b.output(b.hard_swish(b.input("x", (1, 4), "int8", 2.0**-11), out=(step, 0)))
    assert kinds(b.build()) == (["HARD_SWISH"] if deviates else [])


def test_the_versions_are_those_of_the_comparison() -> None:
    text = (ROOT / "tests/reference/oracle/requirements.txt").read_text(encoding="utf-8")
    (litert,) = re.findall(r"ai-edge-litert==(\d+\.\d+)", text)
    (day,) = re.findall(r"tflite-micro==0\.dev(\d{8})", text)
    assert RUNTIMES["xnnpack"] == ("LiteRT", litert)
    assert RUNTIMES["tflite"] == ("TFLite Micro", f"{day[:4]}-{day[4:6]}-{day[6:]}")


def test_the_readme_has_the_table() -> None:
    """Stale: run sim/python/print_operators.py."""
    text = (ROOT / "compiler_bridge/reference/README.md").read_text(encoding="utf-8")
    assert "\n".join(rows()) in text
    assert len(rows()) == len(TABLE) + 2
