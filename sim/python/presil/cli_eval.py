"""The verb `eval`: accuracy over a folder of labelled samples, cycles as a distribution."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from .atomic import check_file, write_file
from .console import console, progress_bar
from .evaluation import evaluate
from .evaluation.evaluate import MOST_JOBS, ON
from .evaluation.metric import METRICS
from .fit import Cell, Column, print_table
from .inputs import ImageOptions
from .kernel_file import read_kernels
from .network import NUMERICS
from .options import change_options
from .record import as_json
from .refusal import EXIT_CHECK_FAILED

SHOWN = 12
WORDS = {"top1": "top-1", "map50": "mAP50", "auc": "AUC"}


@click.command("eval")
@click.argument("network", metavar="NET|LOADABLE")
@click.option("--data", required=True, metavar="FOLDER", help="Samples with labels or boxes.")
@click.option("--metric", required=True, type=click.Choice(METRICS))
@click.option("--on", type=click.Choice(ON), default=ON[0], show_default=True, help="What runs it.")
@click.option("--soc", metavar="NAME|FILE", help="Preset or YAML file; default edge.")
@change_options
@click.option("--numerics", type=click.Choice(NUMERICS), help="Integer rules.")
@click.option("--post", metavar="FILE.yaml[,score=S]", help="Box decoding and NMS.")
@click.option("--kernels", metavar="FILE.yaml", help="Kernels of your own on the DSP.")
@click.option("--samples", metavar="A:B", help="Of the folder's; default all.")
@click.option("--check", type=click.Choice(("none", "outputs")), default="outputs",
              show_default=True)  # fmt: skip
@click.option("--letterbox", type=click.IntRange(0, 255), metavar="V", help="As of run.")
@click.option("--mean", type=float, default=0.0, help="Of pixels, before --scale.")
@click.option("--scale", type=float, help="Real value of a pixel step.")
@click.option("--bgr", is_flag=True, help="Channels in the order blue, green, red.")
@click.option("--labels", metavar="FILE", help="Names of the network's classes, one a line.")
@click.option("--output", type=click.IntRange(min=0), metavar="K", help="Which holds the answer.")
@click.option("--score", metavar="K|error", help="Of auc: a class's value, or the error.")
@click.option("--dtype", default="", metavar="TYPE", help="Of raw files; default the input's.")
@click.option("--window", type=click.IntRange(min=0), default=0, metavar="N",
              help="A sample is seen in windows, N values apart.")  # fmt: skip
@click.option("--timeout-ms", type=float, default=10000, help="Simulated time for a sample.")
@click.option("--least", type=click.FloatRange(0, 1), metavar="V", help="Exit code 1 below it.")
@click.option("--jobs", type=click.IntRange(1, MOST_JOBS), metavar="N",
              help="Default: all processors.")  # fmt: skip
@click.option("--json", "json_file", is_flag=False, flag_value="-", metavar="[FILE]",
              help="The record on stdout or in FILE.")  # fmt: skip
@click.option("--quiet", is_flag=True, help="Only the last lines.")
def eval_command(
    network: str,
    data: str,
    metric: str,
    overrides: tuple[str, ...],
    kernels: str | None,
    letterbox: int | None,
    mean: float,
    scale: float | None,
    bgr: bool,
    least: float | None,
    json_file: str | None,
    quiet: bool,
    **options: Any,
) -> None:
    """How often a network is right about the samples of a folder, and how long each takes."""
    if json_file not in (None, "-"):
        check_file(Path(str(json_file)))
    image = ImageOptions(letterbox=letterbox, mean=mean, scale=scale, bgr=bgr)
    with progress_bar("samples", not quiet) as progress:
        found = evaluate(
            network,
            data,
            metric,
            set=overrides,
            kernels=read_kernels(kernels),
            image=image,
            progress=progress,
            **options,
        )
    if json_file == "-":
        click.echo(as_json(found.record), nl=False)
    else:
        if json_file is not None:
            write_file(json_file, as_json(found.record))
        print_evaluated(console(), found.record, quiet)
    short = least is not None and found.value < least
    if short:
        said = f"eval: {WORDS[metric]} is {found.value:.4f}, must be at least {least:g}"
        click.echo(said, err=True)
    if short or not found.exact:
        sys.exit(EXIT_CHECK_FAILED)


def print_evaluated(out: Console, record: dict[str, Any], quiet: bool) -> None:
    metric, data = record["metric"], record["data"]
    rules = f", numerics {record['numerics']}" if record["numerics"] else ""
    out.print(
        f"{record['network']['file']} on {record['soc'] or record['on']}{rules}; "
        f"{data['samples']:,} samples of {data['folder']} ({data['form']})",
        markup=False,
        soft_wrap=True,
    )
    if not quiet:
        print_classes(out, metric)
    cycles = record["cycles"]
    if cycles is not None:
        out.print(
            f"cycles a sample: mean {cycles['mean']:,.0f} ({cycles['mean_ms']:.3f} ms), least "
            f"{cycles['least']:,}, half below {cycles['p50']:,.0f}, 90 % {cycles['p90']:,.0f}, "
            f"99 % {cycles['p99']:,.0f}, most {cycles['most']:,}",
            soft_wrap=True,
        )
    if record["energy_uj"] is not None:
        out.print(f"energy a sample: {record['energy_uj']:,.2f} uJ, estimated")
    if (check := record["check"]) is not None:
        word = "DIFFERS" if check["different_bytes"] else "EXACT"
        out.print(
            f"{word}  outputs against the reference interpreter: {check['different_bytes']:,} of "
            f"{check['compared_bytes']:,} bytes differ",
            soft_wrap=True,
        )
    out.print(f"{WORDS[metric['name']]} {metric['value']:.4f}  {told(metric)}", soft_wrap=True)


def told(metric: dict[str, Any]) -> str:
    if metric["name"] == "top1":
        samples = sum(row["samples"] for row in metric["classes"])
        return f"{metric['right']:,} of {samples:,} right, {metric['top5']:.4f} among the first 5"
    if metric["name"] == "map50":
        return f"{metric['detections']:,} detections, {metric['boxes']:,} true boxes"
    return f"{metric['positive']:,} samples of class 1 and up, {metric['negative']:,} of class 0"


def print_classes(out: Console, metric: dict[str, Any]) -> None:
    """The classes that cost most."""
    rows = metric.get("classes", [])
    if not rows:
        return
    boxes = metric["name"] == "map50"
    counted = "boxes" if boxes else "samples"

    def share(row: dict[str, Any]) -> float:
        return float(row["average_precision"] if boxes else row["right"] / row["samples"])

    lost = sorted(rows, key=lambda row: (share(row) - 1) * row[counted])[:SHOWN]
    cells: list[list[Cell]] = [
        [str(row.get("name", row["class"])), f"{row[counted]:,}", f"{share(row):.4f}"]
        for row in lost
    ]
    third = Column("AP50" if boxes else "right", right=True)
    print_table(out, (Column("class"), Column(counted, right=True), third), cells)
    if len(rows) > SHOWN:
        out.print(f"the {SHOWN} classes that cost most of {len(rows):,}; --json has all")
