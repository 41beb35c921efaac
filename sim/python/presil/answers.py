"""What a network says about an image: boxes where it detects, best classes where it classifies."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from .atomic import write_file, writing
from .names import existing_file
from .program import Program
from .refusal import Refusal

MOST_CLASSES = 5
MOST_PNG_PIXELS = 300_000
"""Larger images are saved as JPEG: a report with one stays below 3 MB."""


def read_labels(file: str | Path) -> list[str]:
    """Names of classes, one a line, from class 0 on."""
    path = existing_file(file, "labels", "expected a text file, a class a line")
    try:
        return path.read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError as error:
        raise Refusal(f"labels: '{file}' is not text ({error}); expected a class a line") from error


def label_of(labels: list[str], number: int) -> str:
    return labels[number] if 0 <= number < len(labels) else str(number)


def answer_of(
    program: Program, arrays: list[np.ndarray], sample: int, labels: list[str]
) -> dict[str, Any]:
    """`boxes` of a detector, else `top` classes of its first output that is one row of at
    least two numbers, else nothing. Boxes are in pixels of the network's input."""
    boxes = boxes_of(program, arrays, sample)
    if boxes is not None:
        return {"boxes": [{**box, "label": label_of(labels, box["class"])} for box in boxes]}
    for tensor, array in zip(program.outputs, arrays, strict=True):
        if sorted(tensor["shape"])[:-1] == [1] * (len(tensor["shape"]) - 1) and array.size > 1:
            row = array.reshape(-1, max(tensor["shape"]))[sample]
            top = best_classes(row, tensor)
            return {"top": [{**one, "label": label_of(labels, one["class"])} for one in top]}
    return {}


def boxes_of(
    program: Program, arrays: list[np.ndarray], sample: int
) -> list[dict[str, Any]] | None:
    """What the end of a detector kept; None for a network without one."""
    info = program.info
    for placement in program.placement:
        results, rows_of = ENDS.get(placement["op"], (0, None))
        if rows_of is None:
            continue
        made = info["layers"][placement["layer"]]["outputs"]  # on the host with its scratch
        ends = [info["outputs"].index(tensor) for tensor in made if tensor in info["outputs"]]
        if len(ends) != results:
            continue
        shapes = [program.outputs[k]["shape"] for k in ends]
        parts = [arrays[k].reshape(-1, *s)[sample] for k, s in zip(ends, shapes)]
        return [
            {
                "box": [round(float(v), 2) for v in row[:4]],
                "score": round(float(row[4]), 4),
                "class": int(row[5]),
            }
            for row in rows_of(program, *parts)
        ]
    return None


def rows_of_nms(_: Program, rows: np.ndarray, count: np.ndarray) -> np.ndarray:
    return rows.reshape(-1, 6)[: int(count.ravel()[0])]


def rows_of_detections(
    program: Program, boxes: np.ndarray, classes: np.ndarray, scores: np.ndarray, _: np.ndarray
) -> np.ndarray:
    """Of y0, x0, y1, x1 in parts of the image; unused ones have no score."""
    height, width = program.inputs[0]["shape"][1:3]
    corners = boxes.reshape(-1, 4)[:, [1, 0, 3, 2]] * np.array([width, height] * 2)
    rows = np.column_stack([corners, scores.ravel(), classes.ravel()])
    return rows[scores.ravel() > 0]


#: Operators that detectors end in, how many results they have, and rows x0, y0, x1, y1, score,
#: class of these in their order.
ENDS: dict[str, tuple[int, Callable[..., np.ndarray]]] = {
    "nms": (2, rows_of_nms),
    "detection_post_process": (4, rows_of_detections),
}


def best_classes(row: np.ndarray, tensor: dict[str, Any]) -> list[dict[str, Any]]:
    """The largest numbers with their indices, as real values; equal ones by class."""
    values = row.astype(np.float64)
    if tensor["scales"]:
        values = (values - tensor["zero_points"][0]) * tensor["scales"][0]
    order = np.argsort(-values, kind="stable")[:MOST_CLASSES]
    return [{"class": int(i), "score": round(float(values[i]), 4)} for i in order]


def save_image(pixels: np.ndarray, folder: Path, name: str) -> dict[str, Any]:
    """pixels: [height, width, 1 or 3], as the network got them. @return the record's entry"""
    from PIL import Image

    height, width = pixels.shape[:2]
    file = f"pictures/{name}.{'png' if height * width <= MOST_PNG_PIXELS else 'jpg'}"
    data = io.BytesIO()
    shown = Image.fromarray(pixels.squeeze(2) if pixels.shape[2] == 1 else pixels)
    shown.save(data, "PNG" if file.endswith("png") else "JPEG")
    with writing(folder / file):
        (folder / "pictures").mkdir(parents=True, exist_ok=True)
    write_file(folder / file, data.getbuffer())
    return {"file": file, "width": width, "height": height}


def sentence(answer: dict[str, Any]) -> str:
    """An answer in one line."""
    found = answer.get("boxes", answer.get("top"))
    if found is None:
        return ""
    return ", ".join(f"{a['label']} {a['score']:.2f}" for a in found) or "nothing found"
