"""The verb `chips`: published figures beside presil's models of those chips."""

from __future__ import annotations

import json
from pathlib import Path

import click
from rich.console import Console

from . import paths
from .atomic import write_file
from .chips import TABLE, Compared, as_record, compared, errors_sentence, markdown, published
from .console import console
from .fit import Cell, Column, print_table
from .names import one_of
from .refusal import Refusal

COLUMNS = (
    Column("row", least=16, wrap=True),
    Column("published", right=True),
    Column("simulated", right=True),
    Column("error", right=True),
    Column("fitted", least=12, wrap=True, drop=1),
)


@click.command("chips")
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option("--rows", metavar="FILE", help="Other rows than those that come with presil.")
@click.option("--write", is_flag=True, help=f"Write sim/socs/{TABLE}, of all chips.")
@click.option("--json", "json_file", metavar="FILE", help="The same as JSON.")
def chips_command(names: tuple[str, ...], rows: str | None, write: bool, json_file: str) -> None:
    """Published chips beside presil's models: each row run, its error, what was fitted."""
    chips = published(Path(rows) if rows else None)
    known = [chip.name for chip in chips]
    for name in names:
        one_of(name, known, "chips: name")
    if write and (names or rows):
        raise Refusal("chips: --write is of all chips and their own rows; leave names, --rows out")
    out, done = console(), []
    for one in compared(chip for chip in chips if not names or chip.name in names):
        print_chip(out, one)
        done.append(one)
    if json_file:
        write_file(Path(json_file), json.dumps(as_record(done), indent=1) + "\n")
    if write:
        file = paths.SOCS / TABLE
        write_file(file, markdown(done))
        out.print(f"written: {file}")


def print_chip(out: Console, c: Compared) -> None:
    out.print(f"[bold]{c.chip.name}[/bold], preset {c.chip.soc}. {c.chip.figures}")
    cells: list[list[Cell]] = [
        [
            r.row.title,
            f"{r.published:,.0f}",
            f"{r.simulated:,.0f}",
            f"{r.error:+.1f} %",
            ", ".join(r.row.fits),
        ]
        for r in c.results
    ]
    print_table(out, COLUMNS, cells)
    out.print(errors_sentence(c))
    out.print(f"not modelled: {c.chip.lacks}\n")
