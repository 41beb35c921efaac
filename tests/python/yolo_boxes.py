"""What YOLOv8's output tensor says: boxes in pixels of the photograph."""

from __future__ import annotations

from typing import Any

import numpy as np

LEAST_SCORE, MOST_OVERLAP = 0.25, 0.65


def overlap(box: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Intersection over union of x0, y0, x1, y1."""
    low, high = np.maximum(box[:2], others[:, :2]), np.minimum(box[2:], others[:, 2:])
    shared = np.maximum(high - low, 0).prod(1)
    areas = (others[:, 2:] - others[:, :2]).prod(1)
    return shared / ((box[2:] - box[:2]).prod() + areas - shared)


def candidates(
    output: np.ndarray, tensor: dict[str, Any], side: int, letterbox: dict[str, float]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """output: int8 [84, n], centre and size in 0..1 of the side, then 80 scores.

    Returns classes, scores and boxes of all that score enough."""
    real = (output.astype(np.float64) - tensor["zero_points"][0]) * tensor["scales"][0]
    classes, scores = real[4:].argmax(0), real[4:].max(0)
    centre, size = real[:2] * side, real[2:4] * side
    boxes = np.concatenate([centre - size / 2, centre + size / 2]).T
    boxes = (boxes - np.array([letterbox["left"], letterbox["top"]] * 2)) / letterbox["ratio"]
    enough = scores > LEAST_SCORE
    return classes[enough], scores[enough], boxes[enough]


def differences(
    classes: np.ndarray, scores: np.ndarray, boxes: np.ndarray, wanted: list[dict[str, Any]]
) -> list[str]:
    """Why `wanted` are not what suppression leaves of the candidates, class by class; empty: they
    are. Scores are stated to four places, boxes to a tenth of a pixel and inside the photograph;
    of candidates with one score either may be the one that stays."""
    kept = []
    for w in wanted:
        near = (classes == w["class_id"]) & (np.abs(scores - w["score"]) < 1e-4)
        near &= (np.abs(np.maximum(boxes, 0) - w["box_xyxy"]) < 0.11).all(1)
        if not near.any():
            return [f"no candidate is {w}"]
        kept.append(int(np.argmax(near)))
    told = []
    for i in range(len(scores)):
        others = [k for k in kept if k != i and classes[k] == classes[i] and scores[k] >= scores[i]]
        hidden = bool(others) and bool((overlap(boxes[i], boxes[others]) > MOST_OVERLAP).any())
        if hidden == (i in kept):
            told.append(f"class {classes[i]}, {scores[i]:.4f} at {boxes[i]} is kept: {i in kept}")
    return told


def in_photograph(detections: np.ndarray, letterbox: dict[str, float]) -> list[dict[str, Any]]:
    """Rows of the device's detections as the goldens have theirs, unrounded."""
    moved = detections[:, :4] - np.array([letterbox["left"], letterbox["top"]] * 2)
    return [
        {"class_id": int(row[5]), "score": float(row[4]), "box_xyxy": np.maximum(box, 0)}
        for row, box in zip(detections, moved / letterbox["ratio"])
    ]


def same(kept: list[dict[str, Any]], wanted: list[dict[str, Any]]) -> bool:
    """As many, each with its like; scores to 1e-4, edges to 0.1 pixel, as goldens state them."""
    if len(kept) != len(wanted):
        return False
    return all(any(alike(k, w) for k in kept) for w in wanted)


def alike(k: dict[str, Any], w: dict[str, Any]) -> bool:
    return (
        k["class_id"] == w["class_id"]
        and abs(k["score"] - w["score"]) < 1e-4
        and bool((np.abs(k["box_xyxy"] - w["box_xyxy"]) < 0.11).all())
    )


def near(kept: list[dict[str, Any]], wanted: list[dict[str, Any]]) -> bool:
    """Each of the device's has one of the goldens' of its class that overlaps it."""
    return all(
        any(
            k["class_id"] == w["class_id"]
            and overlap(k["box_xyxy"], np.array([w["box_xyxy"]]))[0] > MOST_OVERLAP
            for w in wanted
        )
        for k in kept
    )
