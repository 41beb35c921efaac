"""The end of a detector: TFLite's custom operator, its options as a map of FlexBuffers."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np

from .model import Array, Model


def flexbuffer(values: dict[str, bool | int | float]) -> bytes:
    """A map of scalars: keys, the sorted offsets to them, values of 32 bits with their types."""
    out = bytearray()
    at = {}
    for key in sorted(values):
        at[key] = len(out)
        out += key.encode() + b"\0"
    out += bytes(-len(out) % 4)
    out += struct.pack("<I", len(values))
    keys = len(out)
    for key in sorted(values):
        out += struct.pack("<I", len(out) - at[key])
    out += struct.pack("<III", len(out) - keys, 4, len(values))
    start = len(out)
    types = bytearray()
    for _, value in sorted(values.items()):
        kind = 26 if isinstance(value, bool) else 1 if isinstance(value, int) else 3
        out += struct.pack("<f" if kind == 3 else "<i", value)
        types.append(kind << 2 | 2)
    out += types
    size = len(out) - start
    return bytes(out) + struct.pack("<BBB", size, 9 << 2 | 2, 1)


def post_process(m: Model) -> None:
    r = m.rng
    n, classes = m.number(1, 60), m.number(1, 7)
    columns = classes + int(r.integers(0, 2))
    floats = m.kind == "Float32"
    options: dict[str, Any] = {
        "max_detections": m.number(1, 12),
        # Ties of several classes of one box are left open: one class a box where scores are bytes.
        "max_classes_per_detection": m.number(1, 3) if floats else 1,
        "detections_per_class": m.number(1, 12),
        "use_regular_nms": floats and m.chance(0.5),
        "nms_score_threshold": float(r.uniform(0, 0.6)),
        "nms_iou_threshold": float(r.uniform(0.05, 0.9)),
        "num_classes": classes,
        "y_scale": 10.0,
        "x_scale": 10.0,
        "h_scale": 5.0,
        "w_scale": 5.0,
    }
    if floats:
        box_values = r.normal(0, 3, (1, n, 4)).astype(np.float32)
        boxes = m.plain_input([1, n, 4], "Float32", box_values)
        score_values = r.uniform(0, 1, (1, n, columns)).astype(np.float32)
        scores = m.plain_input([1, n, columns], "Float32", score_values)
        anchors = m.constant(r.uniform(0, 1, (n, 4)).astype(np.float32))
    else:
        boxes = m.input([1, n, 4], 0.08)
        scores = m.input([1, n, columns], 1 / 256, 0)
        anchors = m.constant(r.integers(0, 256, (n, 4)).astype(np.uint8), 0.005)
    outputs = [m.tensor([], "Float32") for _ in range(4)]
    m.op("CUSTOM", [boxes, scores, anchors], outputs)
    m.codes[-1]["custom_code"] = "TFLite_Detection_PostProcess"
    m.ops[-1]["custom_options"] = list(flexbuffer(options))
    per_box = int(options["max_classes_per_detection"])

    def defined(expected: list[Array]) -> list[Any]:
        """Rows of boxes that are kept; TFLite leaves the others open."""
        count = int(expected[3].reshape(-1)[0])
        rows = list(range(count))
        if not options["use_regular_nms"]:
            shown = min(per_box, classes)
            rows = [box * per_box + k for box in rows for k in range(shown)]
        return [(slice(None), rows)] * 3 + [...]

    m.defined = defined
