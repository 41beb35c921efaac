# SPDX-License-Identifier: Apache-2.0
"""Writes samples/ (32 held-out scenes with their boxes) and golden/ (outputs of both runtimes).

PYTHONPATH=sim/python python sim/nets/digits/make_goldens.py           # write
PYTHONPATH=sim/python python sim/nets/digits/make_goldens.py --check   # compare, write nothing
"""

from __future__ import annotations

import argparse
import hashlib
import json
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from runtimes import FILE, OUTPUTS, runtime, versions
from scenes import scenes

HERE = Path(__file__).parent
SAMPLES = 32


def write_samples() -> None:
    """The first 32 of the held-out scenes that evaluate.py measures on."""
    plan = json.loads((HERE / "training.json").read_text())["plan"]
    images, boxes = scenes(SAMPLES, plan["scene_seed"], "held_out")
    (HERE / "samples").mkdir(exist_ok=True)
    truth: dict[str, list[dict[str, object]]] = {}
    for k, (image, here) in enumerate(zip(images, boxes, strict=True)):
        name = f"{k:02}.png"
        Image.fromarray(image).save(HERE / "samples" / name, optimize=True)
        truth[name] = [{"class": int(b[4]), "box": [int(v) for v in b[:4]]} for b in here]
    lines = ",\n".join(f"  {json.dumps(name)}: {json.dumps(rows)}" for name, rows in truth.items())
    (HERE / "samples" / "boxes.json").write_text("{\n" + lines + "\n}\n")


def read_samples() -> list[NDArray[np.uint8]]:
    return [np.asarray(Image.open(HERE / "samples" / f"{k:02}.png")) for k in range(SAMPLES)]


def outputs(numerics: str, file: bytes, images: list[NDArray[np.uint8]]) -> list[NDArray[np.int8]]:
    run = runtime(numerics, file)
    per_image = [run(image) for image in images]
    return [np.stack([outs[k] for outs in per_image]) for k in range(len(OUTPUTS))]


def main() -> None:
    parser = argparse.ArgumentParser(description="samples and goldens of the digit detector")
    parser.add_argument("--check", action="store_true", help="compare with golden/, write nothing")
    check: bool = parser.parse_args().check
    file = FILE.read_bytes()
    golden = HERE / "golden"
    made_by: dict[str, str] = versions() | {"digits.tflite": hashlib.sha256(file).hexdigest()}
    if check:
        recorded = json.loads((golden / "versions.json").read_text())
        for name in recorded | made_by:
            if recorded.get(name) != made_by.get(name):
                print(f"note: {name} is {made_by.get(name)}, goldens are of {recorded.get(name)}")
    else:
        write_samples()
        golden.mkdir(exist_ok=True)
        (golden / "versions.json").write_text(json.dumps(made_by, indent=1) + "\n")
    images = read_samples()
    for numerics in ("tflite", "xnnpack"):
        for k, values in enumerate(outputs(numerics, file, images)):
            path = golden / f"out{k}_{numerics}.npy"
            if not check:
                np.save(path, values)
                continue
            wrong = int((np.load(path) != values).sum())
            if wrong:
                raise SystemExit(f"digits: {wrong} of {values.size} bytes of {path.name} differ")
            print(f"{path.name}: equal, {values.size} bytes")


if __name__ == "__main__":
    main()
