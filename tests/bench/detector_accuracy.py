"""Mean average precision of float detectors and of what `presil quantize` makes of them: a table.

PYTHONPATH=sim/python /usr/bin/python3 tests/bench/detector_accuracy.py [NETWORK ..] [--run]

Networks, and the labelled photographs with their true boxes, are those of $PRESIL_SHARED; ranges
come from its other photographs. Heads are decoded by photo_detections.py, of onnxruntime's outputs
and of presil's alike: the interpreter's, which a SoC equals in every byte; with --run those of
`edge`, each compared. Eight photographs are few, and a box more or less a point: each is seen six
times, also mirrored and with a margin around it. Candidates down to a score of 0.01 count, as in
COCO's measure. The runtime computes the same quantised file as it comes, where it makes integer
operators of most groups, and without optimisations. PRESIL_RUNTIMES names an environment with the
quantiser.
"""

from __future__ import annotations

import argparse
import dataclasses
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import photo_detections
import presil
from photo_detections import MODELS, NETWORKS, PHOTOS, Array, Network, of_runtime
from PIL import Image, ImageOps
from presil import paths
from presil.detection import average_precisions
from presil.evaluation.dataset import read_dataset

LABELLED = paths.shared() / "data" / "internal-test-only" / "coco"
LEAST_SCORE = 0.01
MARGINS = (0.0, 0.125, 0.25)  #: of the longer side
HOW: dict[str, dict[str, Any]] = {
    "int8, min-max": {},
    "int8, percentile 99.99": {"range": "percentile", "percentile": 99.99},
    "int16, min-max": {"activations": "int16"},
}


def views(photo: Path, boxes: Array) -> list[tuple[Image.Image, Array]]:
    """A photograph and its boxes [n, 5] x0, y0, x1, y1, class: with a margin, mirrored."""
    plain = Image.open(photo).convert("RGB")
    seen = []
    for margin in MARGINS:
        border = round(margin * max(plain.size))
        image = ImageOps.expand(plain, border, (114, 114, 114))
        at = boxes.copy()
        at[:, :4] += border
        turned = at.copy()
        turned[:, [0, 2]] = image.width - at[:, [2, 0]]
        seen += [(image, at), (ImageOps.mirror(image), turned)]
    return seen


def with_boxes(network: Network, heads: list[Array], factor: Array) -> Array:
    """[n, 6]: x0, y0, x1, y1 in the photograph, score, class."""
    found = network.detections(heads, factor)
    return np.array([[*box, score, kind] for kind, score, box in found]).reshape(-1, 6)


def precision(found: list[Array], truths: list[Array]) -> float:
    return float(np.mean(list(average_precisions(found, truths).values())))


def of_presil(file: Path, x: Array, on_soc: bool) -> list[Array]:
    """Of each output all photographs."""
    net = presil.load(file)
    program = presil.compile(net) if on_soc else None
    every = []
    for image in x:
        if program is None:
            every.append(list(presil.reference(net, image[None]).values()))
        else:
            run = presil.run(program, image[None])
            assert run.exact, run.record["check"]
            every.append(run.arrays)
    return [np.concatenate(heads) for heads in zip(*every, strict=True)]


def line_of(network: Network, how: str, on_soc: bool, folder: Path) -> str:
    items = read_dataset(LABELLED, boxes=True).items
    seen = [
        view
        for item in items
        for view in views(Path(item.file), np.array(item.boxes, np.float64).reshape(-1, 5))
    ]
    truths = [boxes for _, boxes in seen]
    inputs = [network.input(image) for image, _ in seen]
    x = np.stack([image for image, _ in inputs])
    others = sorted(p for p in PHOTOS.iterdir() if p.suffix in (".jpg", ".bmp"))
    np.save(folder / "calibration.npy", np.stack([network.input(p)[0] for p in others]))
    float_file, made = MODELS / network.file, folder / "quantized.onnx"
    presil.quantize(
        float_file, made, folder / "calibration.npy", sensitivity="none", cycles=False, **HOW[how]
    )
    outputs = [
        of_runtime(float_file, x, folder, "plain"),
        of_presil(made, x, on_soc),
        of_runtime(made, x, folder, "optimised"),
        of_runtime(made, x, folder, "plain"),
    ]
    in_float, mine, fast, plain = (
        precision(
            [
                with_boxes(network, [head[k] for head in heads], factor)
                for k, (_, factor) in enumerate(inputs)
            ],
            truths,
        )
        for heads in outputs
    )
    return (
        f"| {Path(network.file).stem} | {how} | map50, {len(seen)} | {in_float:.4f} | "
        f"{mine:.4f} | {100 * (mine - in_float):+.2f} | {fast:.4f} | {plain:.4f} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("networks", nargs="*", help="parts of their files' names")
    parser.add_argument("--run", action="store_true", help="on `edge`, not by the interpreter")
    args = parser.parse_args()
    print("| network | quantised | metric, photographs | float | presil | points | runtime | "
          f"runtime, plain |\n|{'---|' * 8}")  # fmt: skip
    for network in NETWORKS:
        chosen = not args.networks or any(name in network.file for name in args.networks)
        if chosen and network.decode is not photo_detections.faces:  # no true boxes of faces
            low = dataclasses.replace(network, score=LEAST_SCORE)
            for how in HOW:
                with tempfile.TemporaryDirectory() as folder:
                    print(line_of(low, how, args.run, Path(folder)), flush=True)


if __name__ == "__main__":
    main()
