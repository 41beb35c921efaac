"""What a network says about a picture: boxes where it detects, best classes where it classifies."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from .program import Program
from .refusal import Refusal

MOST_CLASSES = 5
MOST_PNG_PIXELS = 300_000
"""Larger pictures are saved as JPEG: a report with one stays below 3 MB."""


def read_labels(file: str | Path) -> list[str]:
    """Names of classes, one a line, from class 0 on."""
    path = Path(file)
    if not path.is_file():
        raise Refusal(f"labels: there is no file '{file}'; wants a text file, a class a line")
    try:
        return path.read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError as error:
        raise Refusal(f"labels: '{file}' is not text ({error}); wants a class a line") from error


def label_of(labels: list[str], number: int) -> str:
    return labels[number] if 0 <= number < len(labels) else str(number)


def answer_of(
    program: Program, arrays: list[np.ndarray], sample: int, labels: list[str]
) -> dict[str, Any]:
    """`boxes` of the network's NMS, else `top` classes of its first output that is one row of at
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
    """What an NMS on the device kept; None for a network without one."""
    info = program.info
    for placement in program.placement:
        if placement["op"] != "nms":
            continue
        made = info["layers"][placement["layer"]]["outputs"]
        ends = [k for k, tensor in enumerate(info["outputs"]) if tensor in made]
        if len(ends) != 2:
            continue
        rows, count = ends  # in this order: compiler_bridge/import/post.h
        most = info["tensors"][info["outputs"][rows]]["shape"][-2]
        kept = arrays[rows].reshape(-1, most, 6)[sample][: int(arrays[count].ravel()[sample])]
        return [
            {
                "box": [round(float(v), 2) for v in row[:4]],
                "score": round(float(row[4]), 4),
                "class": int(row[5]),
            }
            for row in kept
        ]
    return None


def best_classes(row: np.ndarray, tensor: dict[str, Any]) -> list[dict[str, Any]]:
    """The largest numbers with their places, as real values; equal ones in the order of classes."""
    values = row.astype(np.float64)
    if tensor["scales"]:
        values = (values - tensor["zero_points"][0]) * tensor["scales"][0]
    order = np.argsort(-values, kind="stable")[:MOST_CLASSES]
    return [{"class": int(i), "score": round(float(values[i]), 4)} for i in order]


def save_picture(pixels: np.ndarray, folder: Path, name: str) -> dict[str, Any]:
    """pixels: [height, width, 1 or 3], as the network got them. @return the record's entry"""
    from PIL import Image

    height, width = pixels.shape[:2]
    file = f"pictures/{name}.{'png' if height * width <= MOST_PNG_PIXELS else 'jpg'}"
    (folder / "pictures").mkdir(parents=True, exist_ok=True)
    Image.fromarray(pixels.squeeze(2) if pixels.shape[2] == 1 else pixels).save(folder / file)
    return {"file": file, "width": width, "height": height}


def sentence(answer: dict[str, Any]) -> str:
    """An answer in one line."""
    found = answer.get("boxes", answer.get("top"))
    if found is None:
        return ""
    return ", ".join(f"{a['label']} {a['score']:.2f}" for a in found) or "nothing found"
