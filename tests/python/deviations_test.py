"""Known deviations from the runtimes: where the table has one, every verdict says so."""

from __future__ import annotations

import re

import numpy as np
import presil
import pytest
from conftest import ROOT
from presil.deviations import RUNTIMES, TABLE, deviations_of, exact_word, rows
from presil.report.html import run_view
from presil.run_text import run_text
from presil.table import check_sentence, verdict


def pool(act: str, numerics: str = "xnnpack", kernel: int = 1) -> presil.Network:
    b = presil.Builder("pool", numerics)
    x = b.input("x", (1, 2, 2, 4), "int8", 0.5)
    b.output(b.max_pool2d(x, kernel=kernel, act=act, name="y"))
    return b.build()


def kinds(net: presil.Network) -> list[str]:
    return [one["operator"] for one in deviations_of(net.graph)]


def test_an_operator_that_deviates_is_in_the_verdict() -> None:
    run = presil.run(pool("relu6"), np.zeros((1, 2, 2, 4), np.int8))
    (found,) = run.record["check"]["deviations"]
    assert (found["runtime"], found["version"]) == RUNTIMES["xnnpack"]
    assert found["ops"] == ["y"]
    word = "EXACT to the reference; differs from LiteRT 2.3 in MAX_POOL_2D, AVERAGE_POOL_2D"
    assert verdict(run.record, check_sentence(run.record)).plain.startswith(f"{word}  outputs")
    assert word in run_text(run.record)
    assert run_view(run.record, ROOT, "")["word"] == word.replace("EXACT", "Exact", 1)


def test_what_does_not_deviate_is_exact() -> None:
    for net in (pool("none"), pool("relu6", "tflite"), pool("relu6", kernel=2)):
        assert kinds(net) == []
    run = presil.run(pool("none"))
    assert run.record["check"]["deviations"] == []
    assert verdict(run.record, "x").plain == "EXACT  x"


def test_a_difference_is_told_before_a_deviation() -> None:
    run = presil.run(pool("relu6"), np.zeros((1, 2, 2, 4), np.int8))
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
