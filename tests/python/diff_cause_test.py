"""`presil diff` says first what made two runs differ: prepared pairs, each with its cause."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import presil
import pytest
from conftest import presil as called
from presil.report import compare_runs
from presil.report.cause import cause_sentence

NETWORK = "sim/nets/digits/digits.tflite"
ROOT = Path(__file__).resolve().parents[2]


def record(network: Any = None, samples: Any = None, **more: Any) -> dict[str, Any]:
    compiled = {k: more.pop(k) for k in ("fallback", "effort", "dispatch") if k in more}
    given = str(ROOT / NETWORK) if network is None else network
    if not compiled:
        return presil.run(given, samples, **more).record
    program = presil.compile(given, more.pop("soc", "edge"), **compiled)
    return presil.run(program, samples, **more).record


@pytest.fixture(scope="module", name="base")
def base_fixture() -> dict[str, Any]:
    return record()


def first(a: dict[str, Any], b: dict[str, Any]) -> str:
    return cause_sentence(compare_runs(a, b))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"set": {"dla.macs_k": 32}}, "cause: parameter: dla.macs_k 16 to 32"),
        ({"set": {"dram.peak_mb_per_s": 6400}}, "cause: parameter: dram.peak_mb_per_s "),
        ({"set": {"sram.bytes": 524288}}, "cause: parameter: sram.bytes "),
        ({"soc": "micro"}, "cause: parameter: "),
        ({"numerics": "xnnpack"}, "cause: numerics: tflite to xnnpack"),
        ({"network": "digits"}, "cause: network: "),
        ({"seed": 3}, "cause: input: sha256 "),
        ({"effort": 0}, "cause: decision: layer "),
        ({"host": "m33"}, "cause: host: "),
    ],
)
def test_the_first_line_names_what_was_changed(
    change: dict[str, Any], said: str, base: dict[str, Any]
) -> None:
    assert first(base, record(**change)).startswith(said)


def test_another_build_and_another_place_are_causes(base: dict[str, Any]) -> None:
    built = copy.deepcopy(base)
    built["presil"]["commit"] = "0123abcd"
    built["layers"][0]["cycles"] += 7
    assert first(base, built).startswith("cause: compiler: presil ")
    moved = copy.deepcopy(base)
    moved["placement"][0]["engine"] = "host"
    moved["layers"][0]["engine"] = "host"
    assert first(base, moved).startswith("cause: placement: ")
    both = copy.deepcopy(built)
    both["soc"]["config"]["dla.macs_k"] = 32
    assert first(base, both).endswith("dla.macs_k 16 to 32; also compiler")


def test_nothing_changed_is_said(base: dict[str, Any], tmp_path: Path) -> None:
    assert first(base, record()) == "cause: none, nothing changed"
    called("run", "digits", "--out", "a", "--quiet", cwd=tmp_path)
    shown = called("diff", "a", "a", cwd=tmp_path).out.splitlines()
    assert shown[0] == "cause: none, nothing changed"
