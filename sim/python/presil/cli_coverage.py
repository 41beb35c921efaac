"""The verb `coverage`: what runs and tests have shown of the contracts, and what is missing."""

from __future__ import annotations

import sys
from itertools import groupby
from pathlib import Path

import click
from rich.console import Console

from .atomic import check_file, write_file
from .blocks import block_kinds
from .console import console
from .contract import ENGINES
from .coverage import (
    Gap,
    Hits,
    bins_of,
    coverage_of,
    engines_with_bins,
    gaps,
    hits_of_run,
    merged_hits,
    percent,
    read_hits,
)
from .coverage.bins import KINDS, has_rtl, stated
from .coverage.collect import unknown_bins
from .coverage.gaps import rows
from .fit import Cell, Column, print_table
from .options import soc_options
from .record import as_json
from .refusal import EXIT_CHECK_FAILED, Refusal
from .run import run

SHOWN = 12
"""Subjects of which the console says what is missing."""
COLUMNS = (
    Column("engine"),
    Column("runs as"),
    Column("bins of"),
    Column("seen", right=True),
    Column("of", right=True),
    Column("", right=True),
    Column("need not be seen", right=True, drop=1),
)


@click.command("coverage")
@click.argument("given", metavar="RUN|NET|FILE...", nargs=-1, required=True)
@click.option("--json", "json_file", metavar="FILE", help="All that was seen, to be merged again.")
@click.option("--missing", metavar="FILE", help="Every bin that was not seen, as JSON; -: stdout.")
@click.option("--least", type=click.FloatRange(0, 100), metavar="PERCENT", help="Or exit code 1.")
@click.option("--kind", type=click.Choice((*KINDS, "all")), default="all", show_default=True)
@click.option("--numerics", metavar="RULES", help="Of networks that are run here.")
@click.option("--block", "blocks", multiple=True, metavar="NAME=KIND", help="How blocks run here.")
@click.option("--every", is_flag=True, help="List all that is missing, and what need not be seen.")
@soc_options
def coverage_command(
    given: tuple[str, ...],
    json_file: str | None,
    missing: str | None,
    least: float | None,
    kind: str,
    numerics: str | None,
    blocks: tuple[str, ...],
    every: bool,
    soc: str,
    overrides: tuple[str, ...],
    engines: tuple[str, ...],
) -> None:
    """What runs, tests and networks have shown of the engines' contracts."""
    for file in (json_file, missing):
        if file not in (None, "-"):
            check_file(Path(str(file)))
    block_kinds(blocks)
    found = []
    for name in given:
        path = Path(name)
        if path.is_dir():
            found.append(hits_of_run(path))
        elif path.suffix == ".json":
            found.append(read_hits(path))
        else:
            ran = run(
                name,
                check="none",
                soc=soc,
                set=overrides,
                engines=engines,
                numerics=numerics,
                blocks=blocks,
            )
            found.append(coverage_of(ran.program, ran.record, name))
    hits = merged_hits(found)
    if strange := unknown_bins(hits):
        raise Refusal(
            f"coverage: '{strange[0]}' is no bin of this presil, and {len(strange) - 1} more are "
            "none; collect the coverage again"
        )
    kinds = KINDS if kind == "all" else (kind,)
    if json_file is not None:
        write_file(json_file, as_json(hits.record()))
    lacking = gaps(hits, kinds)
    if missing == "-":
        click.echo(as_json({"missing": [gap.record() for gap in lacking]}), nl=False)
    elif missing is not None:
        write_file(missing, as_json({"missing": [gap.record() for gap in lacking]}))
    if missing != "-":
        show(console(), hits, kinds, lacking, every)
    if least is not None and percent(hits, kinds) < least:
        console(stderr=True).print(
            f"coverage: {percent(hits, kinds):.1f} %, must be at least {least:g} %",
            markup=False,
        )
        sys.exit(EXIT_CHECK_FAILED)


def show(out: Console, hits: Hits, kinds: tuple[str, ...], lacking: list[Gap], every: bool) -> None:
    table: list[list[Cell]] = [
        [
            row.engine,
            row.kind,
            row.group,
            str(row.seen),
            str(row.bins),
            f"{100 * row.seen / row.bins:.0f}%",
            str(row.excused or ""),
        ]
        for row in rows(hits, kinds)
    ]
    print_table(out, COLUMNS, table)
    many = len(hits.sources)
    out.print(
        f"{percent(hits, kinds):.1f} % of the bins seen, {len(lacking)} missing, by {many} "
        f"source{'' if many == 1 else 's'}",
        markup=False,
    )
    lines = missing_lines(lacking)
    shown = lines if every else lines[:SHOWN]
    for line in shown:
        out.print(line, markup=False, highlight=False, soft_wrap=True)
    if len(shown) < len(lines):
        out.print(f"and of {len(lines) - len(shown)} more (--every)", markup=False)
    for line in excused_lines(kinds) if every else []:
        out.print(line, markup=False, highlight=False, soft_wrap=True)


def missing_lines(lacking: list[Gap]) -> list[str]:
    """A line for each engine, kind and subject: the values, and what would show them."""
    lines = []
    for (engine, kind, group, subject), found in groupby(
        lacking, lambda gap: (gap.bin.engine, gap.kind, gap.bin.group, gap.bin.subject)
    ):
        bins = [gap.bin for gap in found]
        values = ", ".join(bin.value for bin in bins)
        said = "" if group in ("stalls", "waits") and values == "seen" else f" {values}"
        how = bins[0].stimulus or bins[0].meaning
        lines.append(f"missing  {engine} {kind}: {subject}{said}; {how}")
    return lines


def excused_lines(kinds: tuple[str, ...]) -> list[str]:
    """What need not be seen, by reason: bins, and fields that have none."""
    found: dict[tuple[str, str], list[str]] = {}
    for engine in engines_with_bins():
        about = stated(engine)
        for name, why in about.not_covered.items():
            if name in ENGINES[engine].fields:
                found.setdefault((engine, why), []).append(name)
        for bin in bins_of(engine):
            for kind in kinds:
                if not bin.needed(kind) and (kind == "model" or has_rtl(ENGINES[engine])):
                    reason = bin.why[KINDS.index(kind)]
                    what = f"{bin.subject} {bin.value}"
                    found.setdefault((f"{engine} {kind}", reason), []).append(what)
    return [
        f"need not  {engine}: {', '.join(names)}; {why}" for (engine, why), names in found.items()
    ]
