"""Detectors whose end, from decoding to suppression, is the DSP's, and whether their boxes are
those that others made of the same networks' outputs.

PYTHONPATH=sim/python:tests/python /usr/bin/python3 tests/python/detectors.py

prints the table of README.md.
"""

from __future__ import annotations

import functools
import importlib.util
import json
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import presil
from networks import GOLDENS, NETS
from presil import paths
from presil.inputs import ImageOptions, read_image
from yolo_boxes import TENTH, Boxes, from_rows, named

DIGITS = NETS / "digits"
#: From float32 to double, in pixels.
CLOSE = 0.001


@dataclass
class Detector:
    """A network, what follows it, what of it is the DSP's, and its boxes."""

    name: str
    file: Path
    post: Path | None
    kernels: list[str]
    #: All prepared inputs, of a network's only input.
    inputs: Callable[[dict[str, Any]], np.ndarray]
    #: A run's images and of how many of them the boxes are as expected; None: not known.
    right: Callable[[presil.Run, str], tuple[int, int] | None]

    def program(self, numerics: str, dispatch: str = "sync") -> presil.Program:
        return presil.compile(presil.load(self.file, numerics, self.post), dispatch=dispatch)


def commands(run: presil.Run) -> Counter[str]:
    """Of each queue, from the trace of the first sample."""
    timeline = run.record["timeline"]
    assert timeline["left_out"] == 0
    return Counter(row[timeline["columns"].index("queue")] for row in timeline["commands"])


def detections(run: presil.Run) -> list[np.ndarray]:
    """Rows that `nms` leaves, for each sample."""
    *_, rows, counts = run.arrays
    return [some[:n] for some, n in zip(rows.reshape(len(counts), -1, 6), counts)]


def stored(file: Path, tensor: dict[str, Any]) -> np.ndarray:
    return np.fromfile(file, tensor["dtype"]).reshape(-1, *tensor["shape"][1:])


def photographs(folder: Path, runtime: str) -> list[dict[str, Any]]:
    """What the goldens have of each input: `letterbox` and `detections`."""
    told = json.loads((folder / "detections.json").read_text())
    return [photograph for photograph in told if photograph["runtime"] == runtime]


def right_photographs(folder: Path, run: presil.Run, numerics: str) -> tuple[int, int]:
    expected = photographs(folder, GOLDENS[numerics])
    found = [from_rows(rows, p["letterbox"]) for rows, p in zip(detections(run), expected)]
    differ = [f.differences(named(p["detections"]), TENTH) for f, p in zip(found, expected)]
    return len(differ), differ.count("")


def decode_of_digits() -> ModuleType:
    """The decoding and suppression that the network was trained and evaluated with."""
    spec = importlib.util.spec_from_file_location("decode", DIGITS / "decode.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def boxes_of(rows: np.ndarray) -> Boxes:
    return Boxes(rows[:, 5], rows[:, 4], rows[:, :4])


def right_digits(run: presil.Run, numerics: str) -> tuple[int, int]:
    heads = []
    for k in range(2):
        (scale,), (zero_point,) = (run.program.outputs[k][q] for q in ("scales", "zero_points"))
        golden = np.load(DIGITS / "golden" / f"out{k}_{numerics}.npy")
        heads.append(np.float32(scale) * (golden.astype(np.float32) - zero_point))
    decode, differ = decode_of_digits(), []
    for found, *sample in zip(detections(run), *heads):
        differ.append(boxes_of(found).differences(boxes_of(decode.detections(sample)), CLOSE))
    return len(differ), differ.count("")


def right_bytes(files: Iterable[str], folder: Path, run: presil.Run, numerics: str) -> Any:
    """Of goldens that have the boxes themselves, as floats."""
    if not (folder / next(iter(files)).format(GOLDENS[numerics])).is_file():
        return None
    samples = run.record["samples"]
    same = np.ones(samples, bool)
    for file, array in zip(files, run.arrays):
        golden = np.fromfile(folder / file.format(GOLDENS[numerics]), array.dtype)
        same &= (golden.reshape(samples, -1) == array.reshape(samples, -1)).all(1)
    return samples, int(same.sum())


def detectors(shared: Path) -> list[Detector]:
    """Those whose file is there."""
    images = sorted((DIGITS / "samples").glob("*.png"))
    yolo = shared / "models" / "yolov8n-int8"
    ssd = shared / "models" / "ssd-mobilenet-v1-coco-uint8"
    every = [
        Detector(
            "digits",
            DIGITS / "digits.tflite",
            DIGITS / "post.yaml",
            ["yolo_decode", "yolo_decode", "nms"],
            lambda tensor: np.concatenate(
                [read_image(image, tensor, ImageOptions()) for image in images]
            ),
            right_digits,
        ),
        *(
            Detector(
                f"yolov8n-{side}",
                yolo / f"yolov8n_full_integer_quant_{side}.tflite",
                NETS / "yolov8_coco.yaml",
                ["softmax", "box_decode", "nms"],
                functools.partial(stored, yolo / f"golden_{side}" / "in_i8.bin"),
                functools.partial(right_photographs, yolo / f"golden_{side}"),
            )
            for side in (224, 416, 640)
        ),
        Detector(
            "ssd-mobilenet-v1",
            ssd / "ssd_mobilenet_v1_coco_quant.tflite",
            None,
            ["detection_post_process"],
            functools.partial(stored, ssd / "golden" / "in_u8.bin"),
            functools.partial(right_bytes, [f"out{k}_{{}}.bin" for k in range(4)], ssd / "golden"),
        ),
    ]
    return [detector for detector in every if detector.file.is_file()]


def main() -> None:
    print(
        "| network | numerics | cycles, `sync` | cycles, `host` | host's commands, `sync`, `host` "
        "| boxes equal, of images |\n|---|---|---|---|---|---|"
    )
    for detector in detectors(paths.shared()):
        for numerics in GOLDENS:
            program = detector.program(numerics)
            x = detector.inputs(program.inputs[0])
            run = presil.run(program, [x], "layers")
            other = presil.run(detector.program(numerics, "host"), [x[:1]], "layers")
            assert run.exact and other.exact
            right = detector.right(run, numerics)
            words = [
                detector.name,
                f"`{numerics}`",
                f"{run.record['per_sample'][0]['cycles']:,}",
                f"{other.cycles:,}",
                f"{commands(run)['host']}, {commands(other)['host']}",
                f"{right[1]} of {right[0]}" if right else "no golden",
            ]
            print(f"| {' | '.join(words)} |", flush=True)


if __name__ == "__main__":
    main()
