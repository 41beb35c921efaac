"""The verb `quantize`: a float network to integers, with what that costs and saves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from rich.console import Console

from .atomic import check_file, write_file
from .console import console, progress_bar
from .evaluation.metric import METRICS
from .fit import Cell, Column, print_table
from .inputs import ImageOptions
from .quantizing import quantize
from .quantizing.quantize import ACTIVATIONS, MOST_SAMPLES, RANGES, SENSITIVITY, WEIGHTS
from .record import as_json
from .report.quantize_html import quantize_page

SHOWN = 8
WORDS = {"top1": "top-1", "map50": "mAP50", "auc": "AUC"}
COLUMNS = (
    Column("layer", least=16),
    Column("op", drop=2),
    Column("signal to noise", right=True),
    Column("outputs, it alone", right=True),
)


@click.command("quantize")
@click.argument("network", metavar="NET")
@click.option("-o", "--output", "out", required=True, metavar="FILE", help="The integer network.")
@click.option("--calibrate", metavar="FOLDER|FILE.npy", help="Samples; default --data.")
@click.option("--weights", type=click.Choice(WEIGHTS), default=WEIGHTS[0], show_default=True)
@click.option(
    "--activations", type=click.Choice(ACTIVATIONS), default=ACTIVATIONS[0], show_default=True
)
@click.option("--keep", multiple=True, metavar="LAYER", help="Stays in float; * and ? stand.")
@click.option("--range", type=click.Choice(RANGES), default=RANGES[0], show_default=True,
              help="How ranges follow from the samples.")  # fmt: skip
@click.option("--percentile", default=99.99, show_default=True, help="Of --range percentile.")
@click.option("--samples", default=MOST_SAMPLES, show_default=True, help="At most so many.")
@click.option("--sensitivity", type=click.Choice(SENSITIVITY), default=SENSITIVITY[0],
              show_default=True, help="Layers that are quantised alone, for the page.")  # fmt: skip
@click.option("--data", metavar="FOLDER", help="Labelled samples, as of eval.")
@click.option("--metric", type=click.Choice(METRICS))
@click.option("--post", metavar="FILE.yaml", help="Box decoding and NMS, of map50.")
@click.option("--letterbox", type=click.IntRange(0, 255), metavar="V", help="As of run.")
@click.option("--mean", type=float, default=0.0, help="Of pixels, before --scale.")
@click.option("--scale", type=float, help="Real value of a pixel step.")
@click.option("--bgr", is_flag=True, help="Channels in the order blue, green, red.")
@click.option("--labels", metavar="FILE", help="As of eval.")
@click.option("--score", metavar="K|error", help="As of eval.")
@click.option("--dtype", default="", metavar="TYPE", help="As of eval.")
@click.option("--window", type=click.IntRange(min=0), default=0, metavar="N", help="As of eval.")
@click.option("--soc", default="edge", metavar="NAME|FILE", help="Preset or YAML file.")
@click.option("--set", "overrides", multiple=True, metavar="NAME=VALUE", help="One parameter.")
@click.option("--jobs", type=click.IntRange(min=1), metavar="N", help="Workers of --data.")
@click.option("--html", "page", metavar="FILE", help="A page.")
@click.option("--json", "json_file", is_flag=False, flag_value="-", metavar="[FILE]",
              help="The record on stdout or in FILE.")  # fmt: skip
def quantize_command(
    network: str,
    out: str,
    calibrate: str | None,
    data: str | None,
    metric: str | None,
    letterbox: int | None,
    mean: float,
    scale: float | None,
    bgr: bool,
    overrides: tuple[str, ...],
    page: str | None,
    json_file: str | None,
    post: str | None,
    labels: str | None,
    score: str | None,
    jobs: int | None,
    **options: Any,
) -> None:
    """A float network to integers by its format's quantiser, and what that costs and saves."""
    for file in (json_file, page):
        if file not in (None, "-"):
            check_file(Path(str(file)))
    image = ImageOptions(letterbox=letterbox, mean=mean, scale=scale, bgr=bgr)
    evaluation = {"post": post, "labels": labels, "score": score, "jobs": jobs}
    with progress_bar("samples", True) as progress:
        found = quantize(
            network,
            out,
            calibrate,
            image=image,
            data=data,
            metric=metric,
            evaluation=evaluation,
            set=overrides,
            progress=progress,
            **options,
        )
    if page is not None:
        write_file(page, quantize_page(found.record))
    if json_file == "-":
        click.echo(as_json(found.record), nl=False)
        return
    if json_file is not None:
        write_file(json_file, as_json(found.record))
    print_quantized(console(), found.record)


def decibels(value: float | None) -> str:
    return "–" if value is None else f"{value:.1f} dB"


def print_quantized(out: Console, record: dict[str, Any]) -> None:
    """The layers that cost most, then what the whole does."""
    layers = record["layers"]
    alone = [row for row in layers if row["alone_decibels"] is not None]
    shown = sorted(alone, key=lambda row: row["alone_decibels"])[:SHOWN] or sorted(
        (row for row in layers if row["decibels"] is not None), key=lambda row: row["decibels"]
    )[:SHOWN]
    cells: list[list[Cell]] = [
        [row["name"], row["op"], decibels(row["decibels"]), decibels(row["alone_decibels"])]
        for row in shown
    ]
    if cells:
        print_table(out, COLUMNS, cells)
    for sentence in sentences(record):
        out.print(sentence, markup=False, soft_wrap=True)


def sentences(record: dict[str, Any]) -> list[str]:
    """What console and page say of the whole."""
    size, library, calibration = record["bytes"], record["library"], record["calibration"]
    kept = sum(row["kept"] for row in record["layers"])
    said = [
        f"{record['quantized']}: {size['quantized']:,} bytes, float has {size['float']:,}; "
        f"{library['name']} {library['version']}, weights {record['weights']}, activations "
        f"{record['activations']}, ranges by {record['range']} of {calibration['samples']:,} "
        f"samples of {calibration['source']}" + (f"; {kept} layers in float" if kept else "")
    ]
    if record["hurts_most"] is not None:
        said.append(f"hurts most: {record['hurts_most']} (--keep leaves it in float)")
    if record["output_decibels"] is not None:
        said.append(f"outputs: {record['output_decibels']:.1f} dB of signal to noise")
    if (cycles := record["cycles"]) is not None:
        ratio = cycles["float"] / cycles["quantized"]
        energy = record["energy_uj"]
        said.append(
            f"cycles on {record['soc']}: {cycles['quantized']:,}, float {cycles['float']:,} "
            f"({ratio:.1f} times); energy {energy['quantized']:,.1f} uJ, float "
            f"{energy['float']:,.1f} uJ, estimated"
        )
    if (accuracy := record["accuracy"]) is not None:
        runtime = accuracy.get("runtime")
        beside = "" if runtime is None else f", {accuracy['float_on']} {runtime:.4f}"
        said.append(
            f"{WORDS[accuracy['metric']]} of {accuracy['samples']:,} samples: "
            f"{accuracy['quantized']:.4f} (numerics {accuracy['numerics']}{beside}), float "
            f"{accuracy['float']:.4f}: {100 * (accuracy['quantized'] - accuracy['float']):+.2f} "
            "points"
        )
    return said
