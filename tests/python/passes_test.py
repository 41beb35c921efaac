"""`--verify-passes`: the reference interpreter around every pass of the compiler."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import presil
import pytest
from conftest import ROOT
from corpus import corpus
from presil import cli, passes, paths

BROKEN = {
    "applied": [("fold_relu", 1)],
    "compared": 3,
    "broken": {
        "pass": "fold_pad",
        "run": 2,
        "sentence": "changes tensor 'conv2d_1' at [0,3,1,2]: 5 before, 7 after",
        "tensor": 9,
        "name": "conv2d_1",
        "index": [0, 3, 1, 2],
        "before": "5",
        "after": "7",
    },
}


@pytest.fixture(name="wrong_pass")
def wrong_pass_fixture(monkeypatch: pytest.MonkeyPatch) -> None:
    """The native module finds a pass that changes a value (tests/compiler/verify_passes_test.cpp
    has one that does)."""
    native = paths.native()

    class Native:
        def __getattr__(self, name: str) -> Any:
            return getattr(native, name)

        @staticmethod
        def verify_passes(_graph: object, _inputs: object, _custom: object) -> dict[str, Any]:
            return dict(BROKEN)

    monkeypatch.setattr(paths, "native", Native)


@pytest.mark.parametrize("numerics", ["tflite", "xnnpack"])
def test_no_pass_changes_a_value_of_a_trained_network(
    shared: Path, digits: Path, numerics: str, everything: bool
) -> None:
    rewrites = 0
    for net in (presil.load(digits), *corpus(shared, everything)):
        try:
            net.graph.numerics = numerics
        except presil.Refusal:  # int16 and LSTM have rules of one kind only
            continue
        found = passes.verify_passes(net)
        assert found["compared"] >= len(found["applied"]), net.file
        rewrites += sum(count for _, count in found["applied"])
    assert rewrites > 5


def test_compile_verifies_passes_when_asked(presil, digits: Path) -> None:
    ended = presil("compile", digits, "-o", "net.presil", "--verify-passes", "--seed", "3")
    assert ended.code == 0, ended.err
    assert ended.out.startswith("passes: ") and ", none changed (seeded random data, seed 3)" in (
        ended.out
    )


def test_run_verifies_them_on_its_input_and_records_it(
    presil, digits: Path, tmp_path: Path
) -> None:
    scene = ROOT / "sim" / "nets" / "digits" / "samples" / "00.png"
    ended = presil("run", digits, "--input", scene, "--verify-passes", "--json", "run.json")
    assert ended.code == 0, ended.err
    assert "tensors compared with the reference interpreter's, none changed" in ended.out
    record = json.loads((tmp_path / "run.json").read_text(encoding="utf-8"))
    assert record["passes"]["compared"] > 0
    assert {name for name, _ in record["passes"]["applied"]} >= {"lower_activation_to_lut"}


@pytest.mark.usefixtures("wrong_pass")
def test_the_first_pass_that_changes_a_value_is_named_with_exit_code_1(
    digits: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = (
        "passes: fold_pad, run 2 of the passes that changed something, changes tensor 'conv2d_1' "
        "at [0,3,1,2]: 5 before, 7 after"
    )
    out = tmp_path / "net.presil"
    assert cli.main(["compile", str(digits), "-o", str(out), "--verify-passes"]) == 1
    assert capsys.readouterr().err == f"presil: {said}\n" and not out.exists()
    net = presil.load(digits)
    for inputs in (True, [np.zeros((1, 96, 96, 3), np.int8)]):
        with pytest.raises(presil.PassBroken) as caught:
            presil.compile(net, verify_passes=inputs)
        assert str(caught.value) == said and caught.value.detail["index"] == [0, 3, 1, 2]


def test_a_loadable_has_no_passes_left_to_verify(presil, digits: Path) -> None:
    assert presil("compile", digits, "-o", "net.presil", "--quiet").code == 0
    for verb in (("compile", "-o", "again.presil"), ("run",)):
        ended = presil(*verb, "net.presil", "--verify-passes")
        assert ended.code == 2 and "a loadable is what comes out of the passes" in ended.err
