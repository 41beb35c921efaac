# SPDX-License-Identifier: Apache-2.0
"""Measures digits.tflite on held-out scenes with both runtimes; adds it to training.json.

PYTHONPATH=sim/python python sim/nets/digits/evaluate.py
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

import numpy as np
from decode import detections
from numpy.typing import NDArray
from presil.detection import mean_average_precision
from runtimes import Run, runtime, scales, versions
from scenes import scenes

HERE = Path(__file__).parent
LEAST = 0.95


def int8_map(
    run: Run,
    steps: list[tuple[float, int]],
    images: NDArray[np.uint8],
    boxes: list[NDArray[np.float32]],
) -> float:
    found = []
    for image in images:
        heads = [
            np.float32(scale) * (out.astype(np.float32) - zero)
            for out, (scale, zero) in zip(run(image), steps, strict=True)
        ]
        found.append(detections(heads))
    return mean_average_precision(found, boxes)


def main() -> None:
    parser = argparse.ArgumentParser(description="measure the digit detector")
    parser.add_argument("--folder", type=Path, default=HERE, help="of the two files of train.py")
    folder = parser.parse_args().folder
    file = (folder / "digits.tflite").read_bytes()
    record = json.loads((folder / "training.json").read_text())
    plan = record["plan"]
    images, boxes = scenes(plan["held_out_scenes"], plan["scene_seed"], "held_out")
    for numerics in ("tflite", "xnnpack"):
        start = time.monotonic()
        measured = int8_map(runtime(numerics, file), scales(file), images, boxes)
        record["map50"][numerics] = round(measured, 4)
        seconds = time.monotonic() - start
        print(
            f"{numerics}: mAP50 {measured:.4f}, {len(images)} scenes, {seconds:.0f} s", flush=True
        )
    record["versions"] |= versions()
    (folder / "training.json").write_text(json.dumps(record, indent=1) + "\n")
    least = min(record["map50"][numerics] for numerics in ("tflite", "xnnpack"))
    if least < LEAST:
        raise SystemExit(f"digits: mAP50 is {least} on {len(images)} scenes, must be >= {LEAST}")


if __name__ == "__main__":
    main()
