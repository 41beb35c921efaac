"""Detections of quantised ONNX networks on photographs, presil's beside onnxruntime's: a table.

PYTHONPATH=sim/python /usr/bin/python3 tests/bench/photo_detections.py [NETWORK ..] [--run]

Both run the same quantised file: one from $PRESIL_SHARED, or what `presil quantize` makes of a
float one with those photographs. Heads of both are decoded and suppressed by the same lines here,
so that what differs is what the networks gave. onnxruntime is asked twice: as it comes, where it
makes integer operators of most QDQ groups, and without optimisations, with sums of float32, whose
order the standard leaves open: of 300,000 values one falls to the other side of a half, and deep
networks make more of it. So both are compared with each other too. presil's are the interpreter's,
which a SoC equals in every byte; with --run those of `edge`. PRESIL_RUNTIMES names an environment
with onnx and onnxruntime.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import presil
from PIL import Image
from presil import paths
from presil.validate_source import runtime_python

MODELS, PHOTOS = paths.shared() / "models", paths.shared() / "data" / "photos"
Array = np.ndarray
RUNTIME = """
import sys, numpy, onnxruntime
options = onnxruntime.SessionOptions()
options.log_severity_level = 3
if sys.argv[4] == "plain":
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
session = onnxruntime.InferenceSession(sys.argv[1], options, ["CPUExecutionProvider"])
name, given = session.get_inputs()[0].name, numpy.load(sys.argv[2])
numpy.savez(sys.argv[3], *[
    numpy.concatenate(all) for all in zip(*(session.run(None, {name: x[None]}) for x in given))
])
"""


def sigmoid(x: Array) -> Array:
    return 1 / (1 + np.exp(-x))


def cells(head: Array, anchors: int) -> tuple[Array, Array]:
    """[rows, columns, anchors, numbers] of a head [channels, rows, columns]; each cell's x, y."""
    t = head.astype(np.float64).transpose(1, 2, 0)
    t = t.reshape(*t.shape[:2], anchors, -1)
    y, x = np.mgrid[: t.shape[0], : t.shape[1]]
    return t, np.stack([x, y], -1)[:, :, None]


def corners(centre: Array, size: Array) -> Array:
    return np.concatenate([centre - size / 2, centre + size / 2], -1).reshape(-1, 4)


def fastest(heads: list[Array]) -> tuple[Array, Array]:
    """YOLOv3's: boxes in pixels of the input, and scores of all classes."""
    sizes = {10: [(115, 73), (119, 199), (242, 238)], 20: [(12, 18), (37, 49), (52, 132)]}
    boxes, scores = [], []
    for head in heads:
        side = head.shape[1]
        t, at = cells(head, 3)
        size = np.exp(t[..., 2:4]) * np.array(sizes[side])
        boxes.append(corners((sigmoid(t[..., :2]) + at) * (320 / side), size))
        scores.append((sigmoid(t[..., 4:5]) * sigmoid(t[..., 5:])).reshape(-1, 80))
    return np.concatenate(boxes), np.concatenate(scores)


def yolox(heads: list[Array]) -> tuple[Array, Array]:
    boxes, scores = [], []
    for head in heads:
        stride = 416 / head.shape[1]
        t, at = cells(head, 1)
        boxes.append(corners((t[..., :2] + at) * stride, np.exp(t[..., 2:4]) * stride))
        scores.append((sigmoid(t[..., 4:5]) * sigmoid(t[..., 5:])).reshape(-1, 80))
    return np.concatenate(boxes), np.concatenate(scores)


def faces(heads: list[Array]) -> tuple[Array, Array]:
    """Of 4,420 priors [score of nothing, of a face] and offsets of centre and size."""
    scores, offsets = sorted(heads, key=lambda head: head.shape[-1])
    sizes = {8: (10, 16, 24), 16: (32, 48), 32: (64, 96), 64: (128, 192, 256)}
    priors = [
        ((x + 0.5) * stride, (y + 0.5) * stride, size, size)
        for stride, some in sizes.items()
        for y in range(-(-240 // stride))
        for x in range(-(-320 // stride))
        for size in some
    ]
    prior, t = np.array(priors, np.float64), offsets.astype(np.float64)
    centre = prior[:, :2] + t[:, :2] * 0.1 * prior[:, 2:]
    return corners(centre, np.exp(t[:, 2:] * 0.2) * prior[:, 2:]), scores[:, 1:]


@dataclass
class Network:
    file: str
    size: tuple[int, int]  #: height, width
    mean: Array
    spread: Array
    letterbox: bool
    decode: Callable[[list[Array]], tuple[Array, Array]]
    score: float
    iou: float

    def input(self, photo: Path | Image.Image) -> tuple[Array, Array]:
        """What the network sees, and pixels of the photograph for one of its own, x and y."""
        image = (photo if isinstance(photo, Image.Image) else Image.open(photo)).convert("RGB")
        height, width = self.size
        ratio = np.array([width / image.width, height / image.height])
        if self.letterbox:
            ratio[:] = ratio.min()
        small = np.round(np.array(image.size) * ratio).astype(int)
        pixels = np.full((height, width, 3), 114, np.float32)
        scaled = image.resize((int(small[0]), int(small[1])), Image.Resampling.BILINEAR)
        pixels[: small[1], : small[0]] = np.asarray(scaled)
        return ((pixels - self.mean) / self.spread).astype(np.float32).transpose(2, 0, 1), 1 / ratio

    def detections(self, heads: list[Array], factor: Array) -> list[tuple[int, float, Array]]:
        """Class, score, x0, y0, x1, y1 in the photograph; best first."""
        boxes, scores = self.decode(heads)
        label, best = scores.argmax(1), scores.max(1)
        kept: list[int] = []
        for i in np.argsort(-best, kind="stable"):
            if best[i] <= self.score:
                break
            if all(label[k] != label[i] or overlap(boxes[i], boxes[k]) <= self.iou for k in kept):
                kept.append(int(i))
        return [(int(label[k]), float(best[k]), boxes[k] * np.tile(factor, 2)) for k in kept]


def overlap(a: Array, b: Array) -> float:
    both = np.maximum(np.minimum(a[2:], b[2:]) - np.maximum(a[:2], b[:2]), 0).prod()
    return float(both / ((a[2:] - a[:2]).prod() + (b[2:] - b[:2]).prod() - both))


ZERO, COLOURS = np.zeros(3), np.array([0.485, 0.456, 0.406]) * 255
FACE = ((240, 320), np.full(3, 127.0), np.full(3, 128.0), False, faces, 0.6, 0.3)
YOLO = ((320, 320), ZERO, np.full(3, 255.0), False, fastest, 0.25, 0.45)
NETWORKS = [
    Network("ultraface-rfb-320-qdq/version-RFB-320_qdq_int8.onnx", *FACE),
    Network("ultraface-rfb-320/version-RFB-320_simplified.onnx", *FACE),
    Network("yolo-fastest-1.1/yolo-fastest-1.1.onnx", *YOLO),
    Network("yolo-fastest-1.1-xl/yolo-fastest-1.1-xl.onnx", *YOLO),
    Network("yolox-nano/yolox_nano_416_heads.onnx", (416, 416), COLOURS,
            np.array([0.229, 0.224, 0.225]) * 255, True, yolox, 0.25, 0.65),
]  # fmt: skip


def of_runtime(file: Path, x: Array, folder: Path, how: str) -> list[Array]:
    np.save(folder / "x.npy", x)
    command = [runtime_python(), "-c", RUNTIME, file, folder / "x.npy", folder / "heads.npz", how]
    subprocess.run([str(word) for word in command], check=True)
    with np.load(folder / "heads.npz") as heads:
        return [heads[f"arr_{k}"] for k in range(len(heads.files))]


@dataclass
class Beside:
    """Detections beside those expected, over photographs."""

    same: int = 0
    edges: float = 0.0  #: of photographs with the same classes, pixels
    heads: float = 0.0  #: root mean square of what is apart, of the largest value

    def add(self, network: Network, mine: list[Array], theirs: list[Array], factor: Array) -> int:
        for a, b in zip(mine, theirs):
            apart = float(np.sqrt(((a - b) ** 2).mean()))
            self.heads = max(self.heads, apart / float(np.abs(b).max()))
        got, expected = network.detections(mine, factor), network.detections(theirs, factor)
        if sorted(row[0] for row in got) == sorted(row[0] for row in expected):
            self.same += 1
            for row in expected:
                away = [np.abs(row[2] - other[2]).max() for other in got if other[0] == row[0]]
                self.edges = max(self.edges, float(min(away)))
        return len(expected)

    def __str__(self) -> str:
        return f"{self.same} | {self.edges:.1f} | {self.heads:.4f}"


def line_of(network: Network, on_soc: bool, folder: Path) -> str:
    photos = sorted(p for p in PHOTOS.iterdir() if p.suffix in (".jpg", ".bmp"))
    inputs = [network.input(photo) for photo in photos]
    x = np.stack([image for image, _ in inputs])
    file = MODELS / network.file
    if "qdq" not in network.file:
        np.save(folder / "calibration.npy", x)
        made = folder / "int8.onnx"
        presil.quantize(file, made, folder / "calibration.npy", sensitivity="none", cycles=False)
        file = made
    plain, fast = (of_runtime(file, x, folder, how) for how in ("plain", "optimised"))
    net = presil.load(file)
    program = presil.compile(net) if on_soc else None
    optimised, floats, control, found = Beside(), Beside(), Beside(), 0
    for k, (image, factor) in enumerate(inputs):
        if program is None:
            heads = list(presil.reference(net, image[None]).values())
        else:
            run = presil.run(program, image[None])
            assert run.exact, run.record["check"]
            heads = run.arrays
        mine = [head[0] for head in heads]
        integers, reals = ([head[k] for head in both] for both in (fast, plain))
        found += optimised.add(network, mine, integers, factor)
        floats.add(network, mine, reals, factor)
        control.add(network, integers, reals, factor)
    name = Path(network.file).stem
    return f"| {name} | {len(photos)} | {found} | {optimised} | {floats} | {control} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("networks", nargs="*", help="parts of their files' names")
    parser.add_argument("--run", action="store_true", help="on `edge`, not by the interpreter")
    args = parser.parse_args()
    beside = " same classes | edges apart, pixels | heads, rms |"
    print(
        f"| network | photographs | detections | presil, onnxruntime:{beside} "
        f"presil, without optimisations:{beside} onnxruntime, both:{beside}\n|{'---|' * 12}"
    )
    for network in NETWORKS:
        if not args.networks or any(name in network.file for name in args.networks):
            with tempfile.TemporaryDirectory() as folder:
                print(line_of(network, args.run, Path(folder)), flush=True)


if __name__ == "__main__":
    main()
