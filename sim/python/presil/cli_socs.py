"""The verb `socs`: presets, and the engines of a SoC."""

from __future__ import annotations

import json

import click
from rich.console import Console

from . import paths
from .console import console
from .fit import Cell, Column, print_table
from .layers_table import engine_text
from .options import change_options
from .soc import load_soc, presets

COLUMNS = (
    Column("engine"),
    Column("kind"),
    Column("queues", least=10),
    Column("registers", right=True),
    Column("parameters", least=24, wrap=True),
)


@click.command("socs")
@click.argument("soc", required=False, metavar="[NAME|FILE]")
@click.option("--json", "as_json", is_flag=True, help="Machine-readable.")
@change_options
def socs_command(
    soc: str | None, as_json: bool, overrides: tuple[str, ...], engines: tuple[str, ...]
) -> None:
    """The presets; of a preset or a YAML file, its engines."""
    if soc is None and not (as_json or overrides or engines):
        for name, file in presets().items():
            first = file.read_text(encoding="utf-8").splitlines()[0].lstrip("# ")
            click.echo(first if first.startswith(name) else f"{name}: {first}")
        return
    rows = paths.native().engines_of(load_soc(soc or "edge", overrides, engines))
    if as_json:
        click.echo(json.dumps(rows, indent=1))
        return
    print_engines(console(), rows)


def print_engines(out: Console, rows: list[dict[str, object]]) -> None:
    """Instances of a kind are alike: the parameters stand with the first."""
    cells: list[list[Cell]] = []
    for row in rows:
        parameters = row["parameters"] if row["instance"] == 0 else {}
        assert isinstance(parameters, dict)
        queues = row["queues"]
        assert isinstance(queues, list)
        cells.append(
            [
                engine_text(str(row["name"])),
                str(row["kind"]),
                [str(queue) for queue in queues],
                f"{row['registers']:#x}",
                ", ".join(f"{name} {value}" for name, value in parameters.items()),
            ]
        )
    print_table(out, COLUMNS, cells)
