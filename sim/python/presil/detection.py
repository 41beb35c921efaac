# SPDX-License-Identifier: Apache-2.0
"""How good detections are: mean average precision at IoU 0.5.

Boxes are x0, y0, x1, y1 in pixels, x1 and y1 exclusive; a box of no area overlaps nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def iou(boxes: Array, others: Array) -> Array:
    """Intersection over union of every box [n, 4] with every other [m, 4]: [n, m]."""
    low = np.maximum(boxes[:, None, :2], others[None, :, :2])
    high = np.minimum(boxes[:, None, 2:4], others[None, :, 2:4])
    shared = np.maximum(high - low, 0).prod(2)
    areas = [np.maximum(b[:, 2:4] - b[:, :2], 0).prod(1) for b in (boxes, others)]
    union = areas[0][:, None] + areas[1][None, :] - shared
    overlap: Array = np.divide(shared, union, out=np.zeros_like(shared), where=union > 0)
    return overlap


def _hits(found: Array, truth: Array, least_iou: float) -> list[bool]:
    """For one image and one class, best score first: does each detection find a box of its own?

    A detection claims the box it overlaps most among those not claimed yet; every further
    detection of a claimed box is a false one.
    """
    overlap = iou(found[:, :4], truth[:, :4])
    hits = []
    for row in overlap:
        best = int(row.argmax()) if row.size else 0
        hit = bool(row.size) and bool(row[best] >= least_iou)
        if hit:
            overlap[:, best] = -1.0
        hits.append(hit)
    return hits


def average_precision(scores: Array, hits: NDArray[np.bool_], truths: int) -> float:
    """Area under precision over recall, read at recall 0, 0.01, ... 1 (COCO's 101 points).

    Precision at a recall is the best precision at that recall or any higher one; 0 where the
    recall is never reached. Equal scores keep the order in which they were given.
    """
    if truths <= 0:
        raise ValueError(f"average_precision: {truths} true boxes, must be at least 1")
    right = np.cumsum(hits[np.argsort(-scores, kind="stable")])
    recall = right / truths
    precision = right / np.arange(1, len(right) + 1)
    precision = np.append(np.maximum.accumulate(precision[::-1])[::-1], 0.0)
    # 1e-9: 101 points in binary must not miss a recall that equals them on paper
    return float(precision[np.searchsorted(recall, np.linspace(0, 1, 101) - 1e-9)].mean())


def average_precisions(
    detections: Sequence[NDArray[np.floating]],
    truths: Sequence[NDArray[np.floating]],
    least_iou: float = 0.5,
) -> dict[float, float]:
    """Of each class that occurs in `truths` its average precision, 0 to 1.

    @param detections per image [n, 6]: x0, y0, x1, y1, score, class
    @param truths per image [m, 5]: x0, y0, x1, y1, class
    """
    if len(detections) != len(truths):
        raise ValueError(
            f"mean_average_precision: detections of {len(detections)} images, "
            f"true boxes of {len(truths)}; expected the same images, in the same order"
        )
    found = [np.asarray(d, np.float64).reshape(-1, 6) for d in detections]
    boxes = [np.asarray(t, np.float64).reshape(-1, 5) for t in truths]
    classes = sorted({float(c) for b in boxes for c in b[:, 4]})
    if not classes:
        raise ValueError(
            "mean_average_precision: no true box in any image; at least one is required"
        )
    precisions = {}
    for kind in classes:
        scores: list[float] = []
        hits: list[bool] = []
        for d, b in zip(found, boxes, strict=True):
            mine = d[d[:, 5] == kind]
            mine = mine[np.argsort(-mine[:, 4], kind="stable")]
            scores += mine[:, 4].tolist()
            hits += _hits(mine, b[b[:, 4] == kind], least_iou)
        count = sum(int((b[:, 4] == kind).sum()) for b in boxes)
        precisions[kind] = average_precision(np.array(scores), np.array(hits, bool), count)
    return precisions


def mean_average_precision(
    detections: Sequence[NDArray[np.floating]],
    truths: Sequence[NDArray[np.floating]],
    least_iou: float = 0.5,
) -> float:
    """Mean over the classes that occur in `truths` of their average precision, 0 to 1."""
    return float(np.mean(list(average_precisions(detections, truths, least_iou).values())))
