"""The verb `validate`: every tensor beside another runtime's."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from .atomic import check_file, check_folder, write_file
from .console import console
from .fit import Cell, Column, print_table
from .inputs import ImageOptions, parse_samples, read_inputs
from .network import NUMERICS, load
from .record import as_json
from .refusal import EXIT_CHECK_FAILED
from .report.validate_html import validate_page
from .validate import SHARE, STEPS, Validated, validate
from .validate_compare import map_of

SHOWN = 20
COLUMNS = (
    Column("tensor", least=16),
    Column("layer", least=16, drop=2),
    Column("type", drop=1),
    Column("different", right=True),
    Column("of", right=True),
    Column("largest", right=True),
    Column("RMS", right=True, drop=3),
)


@click.command("validate")
@click.argument("network", metavar="NET")
@click.option(
    "--against",
    required=True,
    metavar="tflite-micro|litert|onnxruntime|FOLDER",
    help="With what.",
)
@click.option("--input", "inputs", multiple=True, metavar="FILE", help="One per network input.")
@click.option("--sample", type=click.IntRange(min=0), default=0, help="Of the input file.")
@click.option("--soc", default="edge", metavar="NAME|FILE", help="Preset or YAML file.")
@click.option("--set", "overrides", multiple=True, metavar="NAME=VALUE", help="One parameter.")
@click.option("--numerics", type=click.Choice(NUMERICS), help="Default: those of the runtime.")
@click.option("--seed", default=0, help="Of random data, where no input is given.")
@click.option("--steps", default=STEPS, help="What integers may be away.")
@click.option("--share", default=SHARE, help="What floats may be, of their tensor's largest.")
@click.option("--json", "json_file", metavar="FILE", help="The record; -: stdout.")
@click.option("--html", "page", metavar="FILE", help="A page with distribution and image.")
@click.option("--dump", metavar="DIR", help="Write what the SoC has computed, as FOLDER above.")
def validate_command(
    network: str,
    against: str,
    inputs: tuple[str, ...],
    sample: int,
    soc: str,
    overrides: tuple[str, ...],
    numerics: str | None,
    seed: int,
    steps: int,
    share: float,
    json_file: str | None,
    page: str | None,
    dump: str | None,
) -> None:
    """Every tensor that the SoC hands back, beside what another runtime computes."""
    for file in (json_file, page):
        if file not in (None, "-"):
            check_file(Path(str(file)))
    if dump is not None:
        check_folder(Path(dump))
    arrays: Any = None
    if inputs:
        tensors = load(network).inputs
        chosen = parse_samples(str(sample))
        arrays, _, _ = read_inputs(list(inputs), tensors, chosen, ImageOptions(), seed)
    found = validate(
        network,
        against,
        arrays,
        soc=soc,
        set=overrides,
        numerics=numerics,
        seed=seed,
        steps=steps,
        share=share,
    )
    if inputs:
        found.record["input"] = ", ".join(inputs)
    word, sentence = verdict_of(found.record)
    if dump is not None:
        found.dump(Path(dump))
    if page is not None:
        plane = map_of(*found.drawn) if found.drawn else None
        write_file(page, validate_page(found.record, word, sentence, plane))
    if json_file == "-":
        click.echo(as_json(found.record), nl=False)
    else:
        if json_file is not None:
            write_file(json_file, as_json(found.record))
        print_validated(console(), found, word, sentence)
    if not found.within:
        sys.exit(EXIT_CHECK_FAILED)


def verdict_of(record: dict[str, Any]) -> tuple[str, str]:
    """The word, and what is said after it."""
    other = " ".join(filter(None, (record["against"]["name"], record["against"]["version"])))
    tensors = f"{len(record['tensors']):,} tensors, {record['compared']:,} values"
    if record["exact"]:
        return "EXACT", f"{tensors} as of {other}"
    differ = f"{record['different']:,} of {record['compared']:,} values differ from {other}"
    allowed = record["allowed"]
    if record["within"]:
        limits = f"{allowed['steps']} steps, {allowed['share']:g} of the largest float"
        return "WITHIN", f"{tensors}: {differ}, none by more than {limits}"
    first = record["first"]
    return "DIFFERS", (
        f"first in layer '{first['layer']}', tensor '{first['tensor']}', index {first['index']}: "
        f"got {first['got']}, {record['against']['name']} has {first['expected']}; {differ}"
    )


def print_validated(out: Console, found: Validated, word: str, sentence: str) -> None:
    """Tensors that differ, in the order of the layers, and the verdict."""
    record = found.record
    differing = [row for row in record["tensors"] if row["different"]]
    rows: list[list[Cell]] = [
        [
            row["tensor"],
            row["layer"],
            row["dtype"],
            f"{row['different']:,}",
            f"{row['elements']:,}",
            str(row["largest"]) if isinstance(row["largest"], str) else f"{row['largest']:.3g}",
            f"{row['rms']:.3g}",
        ]
        for row in differing[:SHOWN]
    ]
    if rows:
        print_table(out, COLUMNS, rows)
    if len(differing) > SHOWN:
        out.print(f"and {len(differing) - SHOWN:,} tensors more; --json and --html have every one")
    reasons: dict[str, list[str]] = {}
    for row in record["not_compared"]:
        reasons.setdefault(row["why"], []).append(row["tensor"])
    for why, names in reasons.items():
        said = ", ".join(names[:3]) + (f" and {len(names) - 3:,} more" if len(names) > 3 else "")
        out.print(f"not compared: {said}: {why}", markup=False, soft_wrap=True)
    out.print(f"{word}: {sentence}", markup=False, soft_wrap=True)
