#!/usr/bin/env python3
"""Cycles of suppression on the whole SoC `edge` over its candidates, and of YOLOv8n's end over the
score limit: the tables of sim/MEASURED.md. --out DIR: one report of all runs, DIR/report.html.
The second requires the trained network of PRESIL_SHARED."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "sim" / "python"), str(ROOT / "tests" / "python")]

import presil  # noqa: E402
from data_time_test import scene, suppression  # noqa: E402
from networks import GOLDENS, NETS, NETWORKS  # noqa: E402
from presil import paths  # noqa: E402
from presil.report import write_report  # noqa: E402

COUNTS = (10, 100, 1000, 8400)
LIMITS = (0.01, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6)


def rows_of(run: presil.Run) -> list[tuple[float, dict[str, int]]]:
    (layer,) = run.record["data_time"]
    return [(layer["score"], sample) for sample in layer["samples"]]


def sweep(side: int, numerics: str) -> list[presil.Run]:
    network = next(n for n in NETWORKS if n.name == f"yolov8n-{side}")
    file = paths.shared() / "models" / network.file
    runs = []
    for limit in LIMITS:
        net = presil.load(file, numerics, f"{NETS / 'yolov8_coco.yaml'},score={limit}")
        x = network.inputs(paths.shared(), file.parent).reshape(-1, *net.inputs[0]["shape"][1:])
        runs.append(presil.run(net, [x]))
    return runs


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path)
    parser.add_argument("--side", type=int, default=224, choices=(224, 416, 640))
    parser.add_argument("--numerics", choices=tuple(GOLDENS), default="tflite")
    args = parser.parse_args()
    boxes = presil.run(suppression(), [np.concatenate([scene(n) for n in COUNTS])], "layers")
    print("| candidates of 8,400 boxes | kept | cycles |\n|---|---|---|")
    for _, sample in rows_of(boxes):
        print(f"| {sample['candidates']:,} | {sample['stayed']} | {sample['cycles']:,} |")
    limits = sweep(args.side, args.numerics)
    print("\n| score limit | candidates, each image | cycles of nms | cycles of an image |")
    print("|---|---|---|---|")
    for run in limits:
        rows = rows_of(run)
        found = ", ".join(f"{sample['candidates']}" for _, sample in rows)
        cycles = ", ".join(f"{sample['cycles']:,}" for _, sample in rows)
        whole = run.cycles / run.record["samples"]
        print(f"| {rows[0][0]:g} | {found} | {cycles} | {whole:,.0f} |")
    inexact = [run for run in (boxes, *limits) if not run.exact]
    if args.out:
        runs = [(run.record, args.out) for run in (boxes, *limits)]
        args.out.mkdir(parents=True, exist_ok=True)
        print(f"\n{write_report(runs, args.out / 'report.html')}")
    sys.exit(f"{len(inexact)} runs differ from the reference interpreter" if inexact else 0)


if __name__ == "__main__":
    main()
