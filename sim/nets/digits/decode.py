# SPDX-License-Identifier: Apache-2.0
"""Heads to boxes as `post.yaml` says, in float numpy: what training and evaluation measure with."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import yaml
from numpy.typing import NDArray
from presil.detection import iou

Array = NDArray[np.float32]
POST: dict[str, Any] = yaml.safe_load((Path(__file__).parent / "post.yaml").read_text())


def sigmoid(x: Array) -> Array:
    y: Array = 1 / (1 + np.exp(-x))
    return y


def candidates(heads: list[Array], post: dict[str, Any] = POST) -> Array:
    """Heads [rows, columns, anchors * (5 + classes)] of one image to boxes [n, 6].

    Order: head, row, column, anchor, class: every class of a box is a candidate of its own.
    """
    found = []
    for head in post["decode"]["heads"]:
        anchors = np.array(head["anchors"], np.float32)
        raw = heads[head["output"]]
        rows, columns, _ = raw.shape
        raw = raw.reshape(rows, columns, len(anchors), -1)
        corner = np.stack(np.meshgrid(np.arange(columns), np.arange(rows)), -1)[:, :, None]
        centre = (sigmoid(raw[..., 0:2]) + corner) * head["stride"]
        size = np.exp(raw[..., 2:4]) * anchors
        scores = sigmoid(raw[..., 4:5]) * sigmoid(raw[..., 5:])
        corners = np.concatenate([centre - size / 2, centre + size / 2], -1).reshape(-1, 4)
        classes = scores.shape[-1]
        found.append(
            np.column_stack(
                [
                    corners.repeat(classes, 0),
                    scores.reshape(-1),
                    np.tile(np.arange(classes), len(corners)),
                ]
            )
        )
    return np.concatenate(found).astype(np.float32)


def nms(boxes: Array, score: float, iou_above: float, most: int) -> Array:
    """Greedy, best score first, class by class; equal scores in the order given."""
    boxes = boxes[boxes[:, 4] > score]
    boxes = boxes[np.argsort(-boxes[:, 4], kind="stable")]
    overlap = iou(boxes[:, :4].astype(np.float64), boxes[:, :4].astype(np.float64))
    same_class = boxes[:, None, 5] == boxes[None, :, 5]
    alive = np.ones(len(boxes), bool)
    kept: list[int] = []
    for k in range(len(boxes)):
        if alive[k] and len(kept) < most:
            kept.append(k)
            alive &= ~((overlap[k] > iou_above) & same_class[k])
    return boxes[kept]


def detections(heads: list[Array], post: dict[str, Any] = POST) -> Array:
    """What the device reports for one image: [n, 6] of x0, y0, x1, y1, score, class."""
    limits = post["nms"]
    return nms(candidates(heads, post), limits["score"], limits["iou"], limits["max"])
