"""Raw heads of trained detectors, as bytes, decoded and suppressed on the DSP by a post.yaml.
Python's own decoding makes the goldens' boxes of the goldens' heads; of the same heads as bytes it
makes the device's."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import presil
import pytest
from detectors import CLOSE, boxes_of, detections
from PIL import Image
from yolo_boxes import TENTH, Boxes, named, overlap, stable_order, suppressed

CLASSES, BEST = 80, 0.25
#: Steps of the heads as bytes: what is below scores nothing.
LOWEST, HIGHEST = -9.0, 6.0

Function = Callable[[np.ndarray], np.ndarray]


def sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


@dataclass
class Detector:
    """A network's heads, from its folder, and what their numbers mean."""

    folder: str
    type: str
    heads: list[tuple[str, int, list[tuple[float, float]]]]  # file, stride, anchors
    side: int
    centre: Function
    size: Function
    score: Function
    iou: float
    #: Pixels of the photograph for one of the network's.
    scale: tuple[float, float]

    def values(self, shared: Path) -> list[np.ndarray]:
        """Of the golden's photograph, [rows, columns, anchors * (5 + classes)]."""
        found = []
        for file, stride, anchors in self.heads:
            path = shared / "models" / self.folder / "golden" / file
            if not path.is_file():
                pytest.skip(f"SKIPPED: no {path}")
            cells = self.side // stride
            channels = len(anchors) * (5 + CLASSES)
            planes = np.fromfile(path, np.float32).reshape(channels, cells, cells)
            found.append(planes.transpose(1, 2, 0))
        return found

    def rows(self, heads: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
        """Corners in pixels of the network's input, and the scores of all classes."""
        corners, scores = [], []
        for values, (_, stride, anchors) in zip(heads, self.heads):
            t = values.astype(np.float64).reshape(*values.shape[:2], len(anchors), 5 + CLASSES)
            y, x = np.mgrid[: t.shape[0], : t.shape[1]]
            centre = (self.centre(t[..., :2]) + np.stack([x, y], -1)[:, :, None]) * stride
            size = self.size(t[..., 2:4]) * np.array(anchors)
            box = np.concatenate([centre - size / 2, centre + size / 2], -1)
            corners.append(box.reshape(-1, 4))
            scores.append((self.score(t[..., 4:5]) * self.score(t[..., 5:])).reshape(-1, CLASSES))
        return np.concatenate(corners), np.concatenate(scores)

    def goldens(self, shared: Path) -> Boxes:
        told = json.loads((shared / "models" / self.folder / "golden/detections.json").read_text())
        (photograph,) = [p for p in told if p["image"] == "dog.jpg"]
        return named(photograph["detections"])

    def post(self, decode: dict[str, Any] | None = None) -> str:
        """A post.yaml: JSON is YAML."""
        heads: list[dict[str, Any]] = [
            {"output": k, "stride": stride} | ({"anchors": anchors} if self.type != "yolox" else {})
            for k, (_, stride, anchors) in enumerate(self.heads)
        ]
        named_so = {"type": self.type, "classes": [str(k) for k in range(CLASSES)]}
        limits = {"score": BEST, "iou": self.iou, "max": 100}
        return json.dumps({"decode": named_so | (decode or {"heads": heads}), "nms": limits})


FASTEST = Detector(
    "yolo-fastest-1.1",
    "yolov3",
    [
        ("dog_head20_f32.bin", 16, [(12, 18), (37, 49), (52, 132)]),
        ("dog_head10_f32.bin", 32, [(115, 73), (119, 199), (242, 238)]),
    ],
    *(320, sigmoid, np.exp, sigmoid, 0.45, (768 / 320, 576 / 320)),
)
YOLOX = Detector(
    "yolox-nano",
    "yolox",
    [(f"dog_head{stride}_f32.bin", stride, [(stride, stride)]) for stride in (8, 16, 32)],
    *(416, lambda x: x, np.exp, sigmoid, 0.65, (768 / 416, 768 / 416)),
)
#: No golden has such heads: YOLO-Fastest's numbers, taken as YOLOv5's.
YOLOV5 = Detector(
    FASTEST.folder,
    "yolov5",
    FASTEST.heads,
    *(320, lambda x: 2 * sigmoid(x) - 0.5, lambda x: (2 * sigmoid(x)) ** 2, sigmoid, 0.45, (1, 1)),
)


def candidates(corners: np.ndarray, scores: np.ndarray) -> Boxes:
    """presil's: each box with each of its classes."""
    box, label = np.nonzero(scores > 0.01)
    return Boxes(label, scores[box, label], corners[box])


def left(boxes: Boxes, iou: float) -> Boxes:
    return suppressed(boxes, stable_order(boxes.scores), iou)


def as_bytes(values: np.ndarray, lowest: float, highest: float) -> tuple[np.ndarray, float, int]:
    scale = np.float32((highest - lowest) / 255)
    zero_point = int(np.round(-128 - lowest / scale))
    q = np.clip(np.round(values / scale) + zero_point, -128, 127).astype(np.int8)
    return q, float(scale), zero_point


def run_of(
    tensors: list[tuple[np.ndarray, float, int]], side: int, post: str, soc: str = "edge"
) -> presil.Run:
    """A network that hands its inputs on, the first of which is an image, and what follows it."""
    b = presil.Builder("heads")
    image = b.input("image", (1, side, side, 3), scale=1.0, zero_point=0)
    inputs = [
        b.input(f"x{k}", (1, *q.shape), scale=scale, zero_point=zero_point)
        for k, (q, scale, zero_point) in enumerate(tensors)
    ]
    b.output(*(b.maximum(x, x) for x in inputs))
    net = b.build()
    net.classes = net.graph.attach_post(post)
    assert image is not None
    pixels = np.zeros((1, side, side, 3), np.int8)
    run = presil.run(
        presil.compile(net, soc), [pixels, *(q[None] for q, _, _ in tensors)], "layers"
    )
    assert run.exact, run.record["check"]
    return run


def engines(run: presil.Run) -> list[str]:
    """Of decoding and suppression."""
    ends = ("yolo_decode", "box_decode", "nms")
    return [layer["engine"] for layer in run.layers if layer["op"] in ends]


@pytest.mark.parametrize("detector", [FASTEST, YOLOX], ids=lambda d: d.folder)
def test_goldens_are_what_their_heads_say(shared: Path, detector: Detector) -> None:
    corners, scores = detector.rows(detector.values(shared))
    boxes = Boxes(scores.argmax(1), scores.max(1), corners * (detector.scale * 2))
    golden = detector.goldens(shared)
    found = left(boxes, detector.iou)
    found = found[found.scores >= golden.scores.min() - 1e-4]
    assert not found.differences(golden, TENTH)


@pytest.mark.parametrize("detector", [FASTEST, YOLOX, YOLOV5], ids=lambda d: d.type)
def test_heads_of_bytes_are_decoded_on_the_dsp(shared: Path, detector: Detector) -> None:
    tensors = [as_bytes(v, LOWEST, HIGHEST) for v in detector.values(shared)]
    # 52 x 52 boxes with the scores of 80 classes have no room in the SRAM of `edge`.
    run = run_of(tensors, detector.side, detector.post(), "big" if detector is YOLOX else "edge")
    assert engines(run) == ["dsp"] * (len(tensors) + 1)
    (found,) = detections(run)
    real = [(q.astype(np.float64) - zero) * scale for q, scale, zero in tensors]
    expected = left(candidates(*detector.rows(real)), detector.iou)
    assert len(found) > 0 and not boxes_of(found).differences(expected, CLOSE)
    if detector is YOLOV5:
        return
    # A step of a side is an eighth of what it takes to be another box.
    golden = detector.goldens(shared)
    device = boxes_of(found)
    for k in np.flatnonzero(golden.scores > 0.4):
        near = device[device.classes == golden.classes[k]]
        ious = overlap(golden.corners[k], near.corners * (detector.scale * 2))
        assert ious.max() > 0.85 and abs(near.scores[ious.argmax()] - golden.scores[k]) < 0.06


def test_cells_of_yolox_in_a_row_are_decoded_on_the_dsp(shared: Path) -> None:
    """As its export has them: boxes raw, scores made."""
    heads = [v.reshape(-1, 5 + CLASSES).copy() for v in YOLOX.values(shared)]
    for values in heads:
        values[:, 4:] = sigmoid(values[:, 4:])
    q, scale, zero = as_bytes(np.concatenate(heads), -3.2, 4.7)
    decode = {"output": 0, "strides": [8, 16, 32]}
    run = run_of([(q, scale, zero)], YOLOX.side, YOLOX.post(decode))
    assert engines(run) == ["dsp"] * 5
    real = np.split((q.astype(np.float64) - zero) * scale, np.cumsum([52 * 52, 26 * 26]))
    cells = [v.reshape(s, s, -1) for v, s in zip(real, (52, 26, 13))]
    made = Detector(**{**vars(YOLOX), "score": lambda x: x})
    corners, scores = made.rows(cells)  # a box stands for its best class
    expected = left(Boxes(scores.argmax(1), scores.max(1), corners), YOLOX.iou)
    (found,) = detections(run)
    assert len(found) > 2 and not boxes_of(found).differences(expected, CLOSE)


ULTRAFACE = "ultraface-rfb-320"
PRIORS = {
    8: [(10, 10), (16, 16), (24, 24)],
    16: [(32, 32), (48, 48)],
    32: [(64, 64), (96, 96)],
    64: [(128, 128), (192, 192), (256, 256)],
}
HEIGHT, WIDTH = 240, 320


def faces(shared: Path) -> tuple[np.ndarray, np.ndarray, Boxes, tuple[int, int]]:
    """UltraFace's offsets and scores of a photograph, its faces, and the photograph's size."""
    folder = shared / "models" / ULTRAFACE / "golden"
    if not folder.is_dir():
        pytest.skip(f"SKIPPED: no {folder}")
    offsets = np.fromfile(folder / "face_boxes_f32.bin", np.float32).reshape(1, -1, 4)
    scores = np.fromfile(folder / "face_scores_f32.bin", np.float32).reshape(1, -1, 2)
    (told,) = [p for p in json.loads((folder / "faces.json").read_text()) if "jpg" in p["image"]]
    found = [face | {"class_id": 0} for face in told["faces"]]
    with Image.open(shared / "data" / "photos" / told["image"]) as photograph:
        return offsets, scores, named(found), photograph.size


def run_of_priors(
    offsets: np.ndarray, scores: np.ndarray, of_offsets: dict[str, Any], of_scores: dict[str, Any]
) -> presil.Run:
    priors = [{"stride": stride, "sizes": sizes} for stride, sizes in PRIORS.items()]
    decode = {"type": "ssd", "classes": ["face"], "boxes": 0, "scores": 1, "priors": priors}
    decode |= {"variances": [0.1, 0.2], "order": "xywh"}
    b = presil.Builder("faces")
    b.input("image", (1, HEIGHT, WIDTH, 3), scale=1.0, zero_point=0)
    x = b.input("x", offsets.shape, **of_offsets)
    y = b.input("y", scores.shape, **of_scores)
    b.output(b.maximum(x, x), b.maximum(y, y))
    net = b.build()
    limits = {"score": 0.6, "iou": 0.3, "max": 50}
    net.classes = net.graph.attach_post(json.dumps({"decode": decode, "nms": limits}))
    image = np.zeros((1, HEIGHT, WIDTH, 3), np.int8)
    run = presil.run(net, [image, offsets, scores], "layers")
    assert run.exact, run.record["check"]
    return run


def faces_of(run: presil.Run, size: tuple[int, int]) -> Boxes:
    """In pixels of the photograph."""
    corners, classes, scores, count = run.arrays[2:]
    n = int(count[0])
    boxes = corners.reshape(-1, 4)[:n, [1, 0, 3, 2]] * (size * 2)
    return Boxes(classes.ravel()[:n].astype(int), scores.ravel()[:n], boxes)


def test_faces_of_priors_in_floats_are_the_goldens(shared: Path) -> None:
    offsets, scores, golden, size = faces(shared)
    floats = {"dtype": "float32"}
    run = run_of_priors(offsets, scores, floats, floats)
    assert not faces_of(run, size).differences(golden, TENTH)


def test_faces_of_priors_in_bytes_are_near_the_goldens(shared: Path) -> None:
    offsets, scores, golden, size = faces(shared)
    q, scale, zero = as_bytes(offsets, offsets.min(), offsets.max())
    p, step, none = as_bytes(scores, 0.0, 1.0)
    of_q, of_p = {"scale": scale, "zero_point": zero}, {"scale": step, "zero_point": none}
    run = run_of_priors(q, p, of_q, of_p)
    # The same numbers as floats give the same results, bit by bit.
    real = [
        (v.astype(np.float32) - np.float32(zero_of)) * np.float32(of)
        for v, zero_of, of in ((q, zero, scale), (p, none, step))
    ]
    again = run_of_priors(*real, {"dtype": "float32"}, {"dtype": "float32"})
    for one, other in zip(run.arrays[2:], again.arrays[2:], strict=True):
        np.testing.assert_array_equal(one, other)
    # Of the scores near 1, which have become equal, another may stay.
    found = faces_of(run, size)
    assert len(found.scores) == len(golden.scores)
    for k, corners in enumerate(golden.corners):
        assert overlap(corners, found.corners).max() > 0.85, k
