"""Mistyped names are guessed, a folder is called one, and networks of the project go by name."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from presil import Builder, Kernel, Refusal
from presil.names import hint


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("rum", "digits"), "No such command 'rum' (did you mean 'run'?); verbs are compile, run"),
        (("rn",), "No such command 'rn' (did you mean 'run'?)"),
        (("run", "digits", "--verbos"), "--verbose"),
        (
            ("run", "digit"),
            "import: there is no file 'digit' (did you mean 'digits'?); give a .tfl",
        ),
        (
            ("run", "digits", "--soc", "egde"),
            "file 'egde' (did you mean 'edge'?); presets are am62a, big",
        ),
        (
            ("run", "digits", "--set", "dla.mac_k=3"),
            "soc: there is no parameter 'dla.mac_k' (did you mean 'dla.macs_k'?); sim/socs/edge",
        ),
        (
            ("run", "digits", "--set", "macs_k=32"),
            "there is no parameter 'macs_k' (did you mean 'dla.macs_k'?)",
        ),
        (
            ("run", "digits", "--trace", "dsp", "--trace-window", "layer=decode2"),
            "no layer 'decode2' runs on the DSP (did you mean 'decode",
        ),
    ],
)
def test_what_is_mistyped_is_guessed(presil: Any, arguments: tuple[str, ...], said: str) -> None:
    ended = presil(*arguments)
    assert ended.code == 2 and said in ended.err, ended.err
    assert len(ended.err.splitlines()) == 1


def test_operators_and_kernels_are_guessed() -> None:
    with pytest.raises(Refusal, match=r"no operator of presil \(did you mean 'softmax'\?\)"):
        Kernel("k.elf", "k", op="sofmax")
    with pytest.raises(Refusal, match=r"no operator 'leaky_rulu' \(did you mean 'leaky_relu'\?\)"):
        Builder().op("leaky_rulu", [])


def test_what_is_far_from_all_is_not_guessed() -> None:
    assert hint("frobnicate", ["run", "report"]) == ""
    assert hint("EDGE", ["edge", "big"]) == " (did you mean 'edge'?)"
    assert hint("x", []) == ""


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("run", "empty"), "import: 'empty' is a folder; give a .tflite or .onnx file, or a name"),
        (("run", "held"), "import: 'held' is a folder; it is a run's: give 'held/net.presil', or"),
        (("inspect", "empty"), "import: 'empty' is a folder"),
        (("compile", "empty", "-o", "x"), "import: 'empty' is a folder"),
        (("compile", "digits", "-o", "empty"), "is a folder"),
        (("run", "digits", "--input", "empty"), "input: 'empty' is a folder; give a .npy file or"),
        (("run", "digits", "--golden", "empty"), "golden: 'empty' is a folder; give a .npy file"),
        (
            ("run", "digits", "--soc", "empty"),
            "no file 'empty'; it is a folder; presets are am62a, big",
        ),
        (("run", "digits", "--post", "empty"), "post: 'empty' is a folder; sim/nets/README.md has"),
        (("run", "digits", "--kernels", "empty"), "kernels: 'empty' is a folder; driver/kernels"),
        (
            ("run", "digits", "--labels", "empty"),
            "labels: 'empty' is a folder; expected a text file",
        ),
        (("assemble", "empty", "--into", "digits", "-o", "x"), "assemble: 'empty' is a folder; `"),
        (("assemble", "none", "--into", "digits", "-o", "x"), "assemble: there is no file 'none'"),
        (
            ("report", "empty"),
            "report: 'empty' is no recorded run: it is a folder without run.json",
        ),
        (("diff", "empty", "empty"), "diff: 'empty' is no recorded run: it is a folder without"),
    ],
)
def test_a_folder_is_called_a_folder(
    presil: Any, tmp_path: Path, arguments: tuple[str, ...], said: str
) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "held").mkdir()
    (tmp_path / "held" / "net.presil").write_bytes(b"")
    ended = presil(*arguments)
    assert ended.code == 2 and said in ended.err, ended.err
    assert len(ended.err.splitlines()) == 1


def test_a_network_of_the_project_runs_by_its_name_with_all_it_has(
    presil: Any, tmp_path: Path
) -> None:
    ended = presil("run", "digits", "--out", "out", "--check", "layers")
    assert ended.code == 0, ended.err
    assert "EXACT" in ended.out and "samples/00.png" in ended.out and "three" in ended.out
    record = json.loads((tmp_path / "out" / "run.json").read_text(encoding="utf-8"))
    assert record["network"]["file"].endswith("digits.tflite") and record["pictures"]
    assert {layer["op"] for layer in record["layers"]} >= {"nms", "yolo_decode"}


def test_an_input_of_ones_own_takes_the_place_of_the_sample(presil: Any, tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", np.zeros((1, 96, 96, 3), np.int8))
    ended = presil("run", "digits", "--input", "x.npy", "--json", "--out", "out")
    assert ended.code == 0 and json.loads(ended.out)["input"]["source"] == "x.npy", ended.err


def test_a_file_of_the_name_wins(presil: Any, tmp_path: Path) -> None:
    (tmp_path / "digits").write_bytes(b"no network")
    ended = presil("run", "digits")
    assert ended.code == 2 and "import: " in ended.err and "is a folder" not in ended.err
