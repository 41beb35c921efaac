"""Layers whose time follows the data: counted and timed on the whole SoC, in record and report."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import numpy as np
import presil
import pytest
from presil.data_time import count_candidates

ROOT = Path(__file__).resolve().parents[2]
BOXES, CLASSES, LIMIT = 8400, 80, 0.25
FEW, MANY = (10, 100), (1000, 8400)


def suppression() -> presil.Network:
    b = presil.Builder("boxes")
    rows = b.input("rows", (BOXES, 6), dtype="float32")
    types = [presil.Type("float32"), presil.Type("int32")]
    b.output(*b.nms(rows, score=LIMIT, iou=0.5, max=300, labelled=True, out=types))
    return b.build()


def scene(candidates: int) -> np.ndarray:
    """Boxes in clusters all over an image of 640 x 640; so many have a score above the limit."""
    random = np.random.default_rng(candidates)
    centre = random.integers(0, 16, (BOXES, 2)) * 40 + random.normal(0, 2, (BOXES, 2))
    size = random.uniform(20, 40, (BOXES, 2))
    score = random.uniform(0, LIMIT, BOXES)
    above = random.choice(BOXES, candidates, replace=False)
    score[above] = random.uniform(LIMIT + 0.01, 1, candidates)
    label = random.integers(0, CLASSES, BOXES)
    rows = np.column_stack([centre - size / 2, centre + size / 2, score, label])
    return rows.astype(np.float32)


def test_suppression_takes_as_long_as_its_candidates_ask_for(everything: bool) -> None:
    """Each count is a sample of one run; at every one all that is kept equals the interpreter."""
    counts = FEW + MANY if everything else FEW + MANY[:1]
    run = presil.run(suppression(), [np.concatenate([scene(n) for n in counts])], "layers")
    assert run.exact, run.record["check"]
    (layer,) = run.record["data_time"]
    assert (layer["op"], layer["engine"]) == ("nms", "dsp")
    assert [s["candidates"] for s in layer["samples"]] == list(counts)
    assert [s["stayed"] for s in layer["samples"]] == run.arrays[1].tolist()
    cycles = [s["cycles"] for s in layer["samples"]]
    assert cycles == sorted(cycles) and cycles[-1] > 5 * cycles[0], cycles
    # The first sample's is what its layer did, waits left out.
    row = run.layers[layer["layer"]]
    waits = sum(n for cause, n in row["stall"].items() if cause.startswith("wait"))
    assert cycles[0] == row["busy"] + sum(row["stall"].values()) - waits


def test_candidates_of_rows_of_all_classes_are_pairs() -> None:
    rows = np.array([[0, 0, 1, 1, 0.5, 0.1], [0, 0, 1, 1, 0.25, 0.75]], np.float32)
    layer = {"op": "nms", "score": 0.25, "labelled": False}
    assert count_candidates(layer, [rows, rows[:1]]) == 3
    labelled = np.array([[0] * 4 + [0.5, k] for k in (0, 3, 1.5, -1, 65536)], np.float32)
    assert count_candidates({**layer, "labelled": True}, [labelled]) == 2


def test_candidates_of_detections_are_boxes_or_pairs() -> None:
    scores = np.array([[[100, 1, 2], [9, 40, 50], [9, 50, 4]]], np.int8)  # background in front
    layer = {"op": "detection_post_process", "score": 20.0, "classes": 2}
    layer["tensors"] = [{"scales": [0.5], "zero_points": [10]}]
    assert count_candidates({**layer, "regular": False}, [scores]) == 2
    assert count_candidates({**layer, "score": 15.0, "regular": True}, [scores]) == 3


def test_without_a_check_the_time_is_told_all_the_same(digits: Path) -> None:
    net = presil.load(digits, post=digits.parent / "post.yaml")
    x = np.zeros((2, *net.inputs[0]["shape"][1:]), np.int8)
    (layer,) = presil.run(net, [x], "none").record["data_time"]
    assert [s["candidates"] for s in layer["samples"]] == [0, 0]
    assert layer["score"] == pytest.approx(0.3)
    assert presil.run(presil.compile(net, strip=True), [x], "none").record["data_time"] == []


def test_limits_after_a_post_file_hold_instead_of_its_own(
    presil, digits: Path, tmp_path: Path
) -> None:
    post = digits.parent / "post.yaml"
    image = digits.parent / "samples" / "00.png"
    found = []
    for score in (0.05, 0.5):
        out = tmp_path / str(score)
        ended = presil(
            *("run", digits, "--post", f"{post},score={score},max=8"),
            *("--input", image, "--out", out, "--quiet"),
        )
        assert ended.code == 0, ended.err
        (layer,) = json.loads((out / "run.json").read_text())["data_time"]
        assert layer["score"] == pytest.approx(score) and layer["max"] == 8
        found.append(layer["samples"][0]["candidates"])
    assert found[0] > found[1] > 0
    for wrong, text in (
        (f"{post},skore=1", "'skore=1' after"),
        (f"{post},score=high", "must be score=S, iou=I or max=N"),
        (f"{post},score=2", "nms: score is 2"),
        ("none.yaml,score=1", "there is no file 'none.yaml'"),
    ):
        ended = presil("run", digits, "--post", wrong)
        assert ended.code == 2 and text in " ".join(ended.err.split()), ended.err


def test_the_commands_of_the_guide_make_a_page_of_both_runs(presil, tmp_path: Path) -> None:
    text = (ROOT / "sim" / "guides" / "run_folder.md").read_text(encoding="utf-8")
    section = text.partition("### Layers whose time follows the data")[2]
    block = re.search(r"```sh\n(.*?)```", section, re.S)
    assert block is not None
    lines = block[1].splitlines()
    assert len(lines) == 3
    for line in lines:
        words = [str(ROOT / w) if w.startswith("sim/nets/") else w for w in shlex.split(line)[1:]]
        ended = presil(*words)
        assert ended.code == 0, ended.err
    page = (tmp_path / "limits.html").read_text(encoding="utf-8")
    assert page.count('data-plot="limits"') == 1
