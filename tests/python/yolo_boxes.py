"""What YOLOv8's output tensor says: boxes in pixels of the photograph, and which of them stay.

Goldens state their limits, not what becomes of candidates with one score, of which int8 has many.
All fourteen lists of boxes, and the order in them, come out if the candidates above 0.1 are put in
order by numpy 1.24's quicksort, last to first (`unstable_order`), and those above 0.25 are listed.
Which of equal ones comes first is then up to the pivots: no rule of two candidates says it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

LEAST_SCORE, MOST_OVERLAP = 0.25, 0.65
LEAST_SORTED = 0.1
FEW = 16
#: Edges in goldens end at a tenth of a pixel: half of one away at most.
TENTH = 0.051


@dataclass
class Boxes:
    """One class, score and x0, y0, x1, y1 for each."""

    classes: np.ndarray
    scores: np.ndarray
    corners: np.ndarray

    def __getitem__(self, which: Any) -> Boxes:
        return Boxes(self.classes[which], self.scores[which], self.corners[which])

    def differences(self, others: Boxes, pixels: float) -> str:
        """Why these are not the same in the same order; empty: they are. Goldens state scores to
        four places, and no edge below 0."""
        if list(self.classes) != list(others.classes):
            return f"classes {self.classes}, expected {others.classes}"
        if not np.allclose(self.scores, others.scores, rtol=0, atol=0.51e-4):
            return f"scores {self.scores}, expected {others.scores}"
        mine, expected = (np.maximum(b.corners, 0) for b in (self, others))
        if not np.allclose(mine, expected, rtol=0, atol=pixels):
            return f"boxes {self.corners}, expected {others.corners}"
        return ""


def decoded(
    output: np.ndarray, tensor: dict[str, Any], side: int, letterbox: dict[str, float]
) -> Boxes:
    """output: int8 [84, n], centre and size in 0..1 of the side, then 80 scores."""
    real = (output.astype(np.float64) - tensor["zero_points"][0]) * tensor["scales"][0]
    centre, size = real[:2] * side, real[2:4] * side
    corners = np.concatenate([centre - size / 2, centre + size / 2]).T
    return Boxes(real[4:].argmax(0), real[4:].max(0), in_photograph(corners, letterbox))


def in_photograph(corners: np.ndarray, letterbox: dict[str, float]) -> np.ndarray:
    return (corners - np.array([letterbox["left"], letterbox["top"]] * 2)) / letterbox["ratio"]


def stable_order(scores: np.ndarray) -> np.ndarray:
    """Best first, equal ones as they stand: presil's."""
    return np.argsort(-scores, kind="stable")


def unstable_order(scores: np.ndarray) -> np.ndarray:
    """Those above LEAST_SORTED, best first, as the goldens have them: ascending by quicksort, the
    pivot the median of first, middle and last, up to 16 by insertion; then from the last on."""
    above = np.flatnonzero(scores > LEAST_SORTED)
    order = list(range(len(above)))
    key = scores[above]

    def swap(i: int, j: int) -> None:
        order[i], order[j] = order[j], order[i]

    def sort(low: int, high: int) -> None:
        if high - low < FEW:
            order[low : high + 1] = sorted(order[low : high + 1], key=key.__getitem__)
            return
        middle = (low + high) // 2
        for a, b in ((low, middle), (middle, high), (low, middle)):
            if key[order[b]] < key[order[a]]:
                swap(a, b)
        pivot = key[order[middle]]
        swap(middle, high - 1)
        i, j = low, high - 1
        while True:
            i, j = i + 1, j - 1
            while key[order[i]] < pivot:
                i += 1
            while pivot < key[order[j]]:
                j -= 1
            if i >= j:
                break
            swap(i, j)
        swap(i, high - 1)
        sort(low, i - 1)
        sort(i + 1, high)

    sort(0, len(order) - 1)
    return above[order[::-1]]


def overlap(box: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Intersection over union of x0, y0, x1, y1."""
    low, high = np.maximum(box[:2], others[:, :2]), np.minimum(box[2:], others[:, 2:])
    shared = np.maximum(high - low, 0).prod(1)
    areas = (others[:, 2:] - others[:, :2]).prod(1)
    return shared / ((box[2:] - box[:2]).prod() + areas - shared)


def suppressed(boxes: Boxes, order: np.ndarray, iou: float = MOST_OVERLAP) -> Boxes:
    """What suppression, class by class, leaves of the boxes in this order."""
    kept: list[int] = []
    for i in order[boxes.scores[order] > LEAST_SCORE]:
        of_class = [k for k in kept if boxes.classes[k] == boxes.classes[i]]
        if not (overlap(boxes.corners[i], boxes.corners[of_class]) > iou).any():
            kept.append(int(i))
    return boxes[kept]


def named(detections: list[dict[str, Any]]) -> Boxes:
    """The goldens'."""
    return Boxes(
        np.array([d["class_id"] for d in detections]),
        np.array([d["score"] for d in detections]),
        np.array([d["box_xyxy"] for d in detections]),
    )


def from_rows(rows: np.ndarray, letterbox: dict[str, float]) -> Boxes:
    """The device's detections."""
    return Boxes(rows[:, 5].astype(int), rows[:, 4], in_photograph(rows[:, :4], letterbox))
