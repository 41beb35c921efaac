# SPDX-License-Identifier: Apache-2.0
"""What the networks' own files say about each other holds."""

from __future__ import annotations

import hashlib
import importlib.util
import json
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
import yaml
from PIL import Image
from presil.detection import mean_average_precision

NETS = sorted((Path(__file__).parents[2] / "sim" / "nets").glob("*/net.yaml"))
DIGITS = Path(__file__).parents[2] / "sim" / "nets" / "digits"


def described(path: Path) -> dict[str, Any]:
    net: dict[str, Any] = yaml.safe_load(path.read_text())
    return net


def module(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


@pytest.mark.parametrize("path", NETS, ids=lambda p: p.parent.name)
def test_file_has_the_digest_that_net_yaml_states(path: Path) -> None:
    net = described(path)
    assert net["name"] == path.parent.name
    assert hashlib.sha256((path.parent / net["file"]).read_bytes()).hexdigest() == net["sha256"]


@pytest.mark.parametrize("path", NETS, ids=lambda p: p.parent.name)
def test_samples_have_the_size_of_the_input_and_boxes_inside(path: Path) -> None:
    net = described(path)
    images = sorted(path.parent.glob(net["samples"]["images"]))
    boxes = json.loads((path.parent / net["samples"]["boxes"]).read_text())
    assert [image.name for image in images] == sorted(boxes)
    width, height = net["input"]["size"]
    for image in images:
        with Image.open(image) as opened:
            assert (opened.size, opened.mode) == ((width, height), "RGB")
        for row in boxes[image.name]:
            x0, y0, x1, y1 = row["box"]
            assert 0 <= x0 < x1 <= width and 0 <= y0 < y1 <= height
            assert 0 <= row["class"] < len(net["classes"])


@pytest.mark.parametrize("path", NETS, ids=lambda p: p.parent.name)
def test_every_output_has_a_golden_for_every_sample(path: Path) -> None:
    net = described(path)
    count = len(sorted(path.parent.glob(net["samples"]["images"])))
    for goldens in net["golden"].values():
        shapes = [np.load(path.parent / golden).shape for golden in goldens]
        assert shapes == [(count, *out["shape"][1:]) for out in net["outputs"]]


@pytest.mark.parametrize("numerics", ["tflite", "xnnpack"])
def test_goldens_of_the_digit_detector_decode_to_the_boxes_of_its_samples(numerics: str) -> None:
    net = described(DIGITS / "net.yaml")
    decode = module(DIGITS / "decode.py")
    goldens = [np.load(DIGITS / golden) for golden in net["golden"][numerics]]
    heads = [
        np.float32(out["scale"]) * (golden.astype(np.float32) - out["zero_point"])
        for golden, out in zip(goldens, net["outputs"], strict=True)
    ]
    boxes = json.loads((DIGITS / net["samples"]["boxes"]).read_text())
    truths = [np.array([[*r["box"], r["class"]] for r in boxes[name]]) for name in sorted(boxes)]
    found = [decode.detections([head[k] for head in heads]) for k in range(len(truths))]
    assert mean_average_precision(found, truths) > 0.9
