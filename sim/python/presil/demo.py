"""`presil demo`: the project's own trained detector, end to end."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console

from .answers import answer_of, save_image
from .detection import mean_average_precision
from .draw import as_png, as_text
from .inputs import ImageOptions, read_image
from .nets import BundledNet, networks
from .network import load
from .program import compile
from .refusal import Refusal
from .run import Run, run
from .run_folder import OutputPath, RunFolder
from .table import print_run

MOST_IMAGES = 12


@dataclass
class DemoResult:
    """What the demo shows."""

    run: Run
    folder: Path
    drawing: str
    found: list[str]
    image: Path
    map50: float
    scene: int

    @property
    def exact(self) -> bool:
        return self.run.exact

    def show(self, console: Console) -> None:
        print_run(console, self.run.record)
        console.print()
        console.print(self.drawing, markup=False, highlight=False)
        for line in self.found:
            console.print(line, markup=False, highlight=False)
        console.print(
            f"scene {self.scene} with its boxes: {self.image}\n"
            f"mAP50 on {self.run.record['samples']} scenes: {self.map50:.3f}\n"
            f"report: {self.folder / 'report.html'}\n"
            f"record: {self.folder / 'run.json'}",
            markup=False,
            highlight=False,
        )


def scenes_of(net: BundledNet) -> tuple[list[Path], list[np.ndarray]]:
    """Sample images and their true boxes, rows x0, y0, x1, y1, class."""
    samples = net.description["samples"]
    truths = json.loads((net.folder / samples["boxes"]).read_text(encoding="utf-8"))
    files = sorted(net.folder.glob(samples["images"]))
    boxes = [
        np.array([[*b["box"], b["class"]] for b in truths[f.name]], np.float64).reshape(-1, 5)
        for f in files
    ]
    return files, boxes


def is_demo(record: dict[str, Any]) -> bool:
    """What a demo may replace: another one, of whatever scene."""
    asked = record.get("asked")
    return asked["verb"] == "demo" if asked else "detection" in record


def demo(
    out: Path, scene: int, progress: Callable[[int, int], None] | None, force: bool = False
) -> DemoResult:
    """Runs every sample scene on `edge`, against reference interpreter and goldens."""
    target = OutputPath.of(out, force)
    target.check()
    with target.claim(is_demo) as folder:
        return demo_in(folder, scene, progress)


def demo_in(
    folder: RunFolder, scene: int, progress: Callable[[int, int], None] | None
) -> DemoResult:
    bundled = networks()["digits"]
    net = load(bundled.file, numerics="tflite", post=bundled.path("post"))
    program = compile(net)
    files, truths = scenes_of(bundled)
    if not 0 <= scene < len(files):
        raise Refusal(f"demo: scene is {scene}, must be 0..{len(files) - 1}")
    inputs = [read_image(f, program.inputs[0], ImageOptions()) for f in files]
    goldens = [np.load(bundled.folder / f) for f in bundled.description["golden"]["tflite"]]
    result = run(program, [np.concatenate(inputs)], "outputs", goldens, 10000, progress)
    detections, counts = result.arrays[-2:]
    found = [
        rows[:count] for rows, count in zip(detections.reshape(len(files), -1, 6), counts.ravel())
    ]
    result.record["detection"] = {"map50": mean_average_precision(found, truths)}
    result.record["input"]["source"] = (
        f"{bundled.description['samples']['images']} of {bundled.name}"
    )
    result.record["asked"] = {"verb": "demo", "scene": scene}
    result.record["pictures"] = [
        {
            **save_image((values[0] ^ -128).view(np.uint8), folder.path, f"{index:02d}"),
            **answer_of(program, result.arrays, index, net.classes),
        }
        for index, values in enumerate(inputs[:MOST_IMAGES])
    ]
    pixels = inputs[scene][0].astype(np.int32) + 128
    lines = [
        f"  {net.classes[int(c)]:<6} {score:.2f}  at {x0:.0f},{y0:.0f} .. {x1:.0f},{y1:.0f}"
        for x0, y0, x1, y1, score, c in found[scene]
    ]
    drawn = as_png(pixels, found[scene], net.classes, folder.path / f"scene{scene:02d}.png")
    saved = folder.commit(result.record, result.write)
    return DemoResult(
        result,
        saved,
        as_text(pixels, found[scene], net.classes),
        lines,
        saved / drawn.name,
        result.record["detection"]["map50"],
        scene,
    )
