"""The verbs `retime` and `whatif`: other SoCs timed without values."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from .atomic import check_file, write_file
from .console import console
from .fit import Cell, Column, print_table
from .retime import recorded, retime
from .run import run
from .run_expected import MOST_JOBS
from .soc import load_soc
from .whatif import program_of_run, whatif

SHOWN = 3
"""Parameters of a change, in a table."""
COLUMNS = (
    Column("what if", least=20),
    Column("cycles", right=True),
    Column("saves", right=True),
    Column("", right=True),
    Column("same program", right=True, drop=2),
    Column("--set", least=20, drop=1),
)


def json_option(command: Any) -> Any:
    return click.option(
        "--json", "json_file", is_flag=False, flag_value="-", metavar="[FILE]", help="As data."
    )(command)


def write(data: dict[str, Any], file: str | None) -> bool:
    """@return whether standard output is free for people"""
    if file == "-":
        click.echo(json.dumps(data, indent=1))
    elif file is not None:
        write_file(file, json.dumps(data, indent=1) + "\n")
    return file != "-"


@click.command("retime")
@click.argument("folder", metavar="RUN")
@click.option(
    "--set", "overrides", multiple=True, metavar="NAME=VALUE", help="Override one parameter."
)
@click.option("--recompile", is_flag=True, help="Compile the network for that SoC.")
@json_option
def retime_command(
    folder: str, overrides: tuple[str, ...], recompile: bool, json_file: str | None
) -> None:
    """A recorded run with other times of its SoC, without values."""
    if json_file not in (None, "-"):
        check_file(str(json_file))
    _, record = recorded(folder)
    if recompile:
        program, _ = program_of_run(Path(folder))
        now = run(program.network, soc=load_soc(program.soc, overrides), values=False)
    else:
        now = retime(folder, overrides)
    before = record["cycles"] // record["samples"]
    data = {
        "run": folder,
        "change": " ".join(overrides),
        "recompiled": recompile,
        "cycles_before": before,
        "cycles": now.cycles,
    }
    if write(data, json_file):
        click.echo(f"{now.cycles:,} cycles on {now.record['soc']['label']}, {before:,} in the run")


@click.command("whatif")
@click.argument("net", metavar="RUN|NET")
@click.option("--soc", metavar="NAME|FILE", help="Of a network: preset or YAML file.")
@click.option(
    "--set", "overrides", multiple=True, metavar="NAME=VALUE", help="Override one parameter."
)
@click.option(
    "--retime", "retime_only", is_flag=True, help="The same program, timed again: much faster."
)
@click.option(
    "--jobs", type=click.IntRange(1, MOST_JOBS), metavar="N", help="Default: all processors."
)
@json_option
def whatif_command(
    net: str,
    soc: str | None,
    overrides: tuple[str, ...],
    retime_only: bool,
    jobs: int | None,
    json_file: str | None,
) -> None:
    """What to change first in the SoC, and what it buys."""
    if json_file not in (None, "-"):
        check_file(str(json_file))
    found = whatif(net, soc, overrides, anew=not retime_only, jobs=jobs)
    if write(found, json_file):
        print_items(console(), found)


def short(change: str | None) -> str:
    """The first parameters, and how many more: `--json` has all of them."""
    every = (change or "").split()
    more = len(every) - SHOWN
    return " ".join(every if more <= 0 else [*every[:SHOWN], f"and {more} more"])


def print_items(out: Console, found: dict[str, Any]) -> None:
    """A line for each change, those that buy most first."""
    now = found["cycles_now"]
    out.print(f"{found['network']} on {found['soc']}: {now:,} cycles", markup=False)
    rows: list[list[Cell]] = []
    for item in found["items"]:
        same = item["cycles_same_program"]
        share = f"{100 * item['saves'] / max(1, now):.1f}%"
        numbers = [f"{item['cycles_predicted']:,}", f"{item['saves']:,}", share]
        rows.append(
            [item["what"], *numbers, "" if same is None else f"{same:,}", short(item["change"])]
        )
    print_table(out, COLUMNS, rows)
    for item in found["refused"]:
        out.print(f"not timed: {item['what']}: {item['refused']}", markup=False, soft_wrap=True)
