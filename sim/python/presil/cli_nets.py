"""`presil nets`: the networks that there are without a file, and the making of some."""

from __future__ import annotations

from pathlib import Path

import click

from .atomic import check_file, write_file
from .network import load
from .shapes import SHAPES, file_of, named_with, shape

HELP = (
    "A network of the shape library is also taken wherever a network is, by its name: "
    "`presil run resnet18:width=0.5,resolution=128`."
)


@click.command("nets", epilog=HELP)
@click.option("--build", "name", metavar="NAME", help="Make one of the shape library.")
@click.option(
    "--set",
    "given",
    multiple=True,
    metavar="NAME=VALUE",
    help="A parameter of it, as width=0.5; repeatable.",
)
@click.option("--out", metavar="FILE", help="Of its ONNX file; default NAME.onnx.")
def nets_command(name: str | None, given: tuple[str, ...], out: str | None) -> None:
    """Networks by name: trained ones of the project, and shapes with random weights."""
    if name is None:
        if given or out is not None:
            raise click.UsageError("--set and --out belong to --build NAME")
        return list_networks()
    text = named_with(name, given)
    file = Path(out or f"{shape(text.partition(':')[0]).name}.onnx")
    check_file(file)
    write_file(file, file_of(text).read_bytes())
    net = load(file)
    click.echo(
        f"{file}: {len(net.graph.ops)} operators, {net.graph.macs / 1e6:,.2f} MMAC, "
        f"{net.graph.params:,} parameters; random weights: its answers mean nothing"
    )


def list_networks() -> None:
    from .nets import networks

    for net in networks().values():
        click.echo(f"{net.name}: {net.title} ({net.file})")
    click.echo("\nThe shape library, with random weights (--build NAME, or NAME:parameter=value):")
    for one in SHAPES.values():
        said = ", ".join(f"{key}={p.default:g}" for key, p in one.parameters.items())
        click.echo(f"{one.name}: {one.title} ({said})")
