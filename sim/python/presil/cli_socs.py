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
from .tiles import kind_of_tiles

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
    config = load_soc(soc or "edge", overrides, engines)
    kinds = kind_of_tiles(config)
    rows = {
        kind: paths.native().engines_of(config.tile(kind)) for kind in dict.fromkeys(kinds)
    }
    alike = {kind: [t for t, like in enumerate(kinds) if like == kind] for kind in rows}
    if as_json:
        every = [
            {**row, "tiles": alike[kind]} if config.tiles > 1 else row
            for kind, engines_of in rows.items()
            for row in engines_of
        ]
        click.echo(json.dumps(every, indent=1))
        return
    for kind, engines_of in rows.items():
        if config.tiles > 1:
            click.echo(tiles_sentence(alike[kind]))
        print_engines(console(), engines_of)


def tiles_sentence(numbers: list[int]) -> str:
    """Above the engines of tiles that are alike."""
    bases = ", ".join(f"{number << 26:#x}" for number in numbers)
    if len(numbers) == 1:
        return f"tile {numbers[0]}, whose registers begin at {bases}:"
    listed = ", ".join(map(str, numbers))
    return f"tiles {listed}, alike, each with; their registers begin at {bases}:"


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
