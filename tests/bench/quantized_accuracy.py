"""Accuracy of float networks and of what `presil quantize` makes of them, as a table in Markdown.

PYTHONPATH=sim/python /usr/bin/python3 tests/bench/quantized_accuracy.py

Networks and data are those of $PRESIL_SHARED; PRESIL_RUNTIMES names an environment with the
quantisers (sim/guides/quantize.md).
"""

from __future__ import annotations

import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import presil
from presil import paths
from presil.inputs import ImageOptions

MODELS, DATA = paths.shared() / "models", paths.shared() / "data"
INSIDE = DATA / "internal-test-only"


@dataclass
class Row:
    network: str
    data: Path
    metric: str
    options: dict[str, Any] = field(default_factory=dict)
    evaluation: dict[str, Any] = field(default_factory=dict)


def pixels(scale: float, mean: float = 0.0, letterbox: int | None = None) -> dict[str, Any]:
    return {"image": ImageOptions(letterbox=letterbox, mean=mean, scale=scale)}


TINY = "mlperf-tiny-"
ROWS = [
    Row(TINY + "resnet8/pretrainedResnet.tflite", INSIDE / "ic01", "top1"),
    Row(TINY + "resnet8/pretrainedResnet.tflite", INSIDE / "ic01", "top1",
        {"range": "percentile"}),
    Row(TINY + "resnet8/pretrainedResnet.tflite", INSIDE / "ic01", "top1",
        {"activations": "int16"}),
    Row(TINY + "mobilenetv1-vww/vww_96_float.tflite", INSIDE / "vww01", "top1", pixels(1 / 255)),
    Row(TINY + "autoencoder-ad/ad01_fp32.tflite", INSIDE / "ad01", "auc", {"window": 128}),
]  # fmt: skip


def line_of(row: Row) -> str:
    with tempfile.TemporaryDirectory() as folder:
        file = MODELS / row.network
        found = presil.quantize(
            file, Path(folder) / f"out{file.suffix}", data=row.data, metric=row.metric,
            sensitivity="none", evaluation=row.evaluation, **row.options
        )  # fmt: skip
    record, accuracy = found.record, found.record["accuracy"]
    how = [record["activations"], record["weights"], record["range"], *record["keep"]]
    runtime = accuracy.get("runtime")
    loss = 100 * (accuracy["quantized"] - accuracy["float"])
    cycles = record["cycles"]
    return (
        f"| {Path(row.network).stem} | {', '.join(how)} | {row.metric}, {accuracy['samples']} | "
        f"{accuracy['float']:.4f} | {accuracy['quantized']:.4f} | {loss:+.2f} | "
        f"{'–' if runtime is None else f'{runtime:.4f}'} | {cycles['float']:,} | "
        f"{cycles['quantized']:,} |"
    )


def main(names: list[str]) -> None:
    print("| network | quantised | metric, samples | float | `edge` | points | runtime | cycles, "
          "float | cycles |")  # fmt: skip
    print("|---|---|---|---|---|---|---|---|---|")
    for row in ROWS:
        if not names or any(name in row.network for name in names):
            print(line_of(row), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
