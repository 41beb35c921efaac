"""The verb `firmware`: an image that a core boots, with driver, network and a `main` to change."""

from __future__ import annotations

from pathlib import Path

import click
import numpy as np

from .atomic import check_file, write_file
from .image import expected_of, pieces_for, prebuilt
from .image_elf import CORES, with_pieces
from .image_sources import write_sources
from .inputs import ImageOptions, read_inputs
from .nets import bundled
from .options import network_options, program_of, soc_options
from .soc import load_soc
from .states import States
from .tiles import one_tile


@click.command("firmware")
@click.argument("network", metavar="NETWORK|NAME|LOADABLE")
@click.option("-o", "--output", required=True, metavar="FW.elf", help="The image to write.")
@click.option(
    "--host", type=click.Choice(CORES), default=CORES[0], show_default=True, help="The core."
)
@click.option(
    "--input", "inputs", multiple=True, metavar="FILE", help="The sample in it: one per input."
)
@click.option("--seed", type=click.IntRange(min=0), default=0, help="Of a random sample.")
@click.option(
    "--sources", metavar="DIR", help="main.c, driver, linker script and build.sh that make it too."
)
@click.option("--quiet", is_flag=True, help="Print nothing.")
@soc_options
@network_options
def firmware_command(
    network: str,
    output: str,
    host: str,
    inputs: tuple[str, ...],
    seed: int,
    sources: str | None,
    quiet: bool,
    soc: str,
    overrides: tuple[str, ...],
    engines: tuple[str, ...],
    numerics: str | None,
    post: str | None,
    no_fallback: bool,
    dispatch: str,
    kernels: str | None,
    effort: int,
    batch: int,
    state: str | None,
) -> None:
    """An image for a core: driver, network, a sample, and a main that runs and compares it.

    `presil run FW.elf` runs it; --sources has all that makes it, to be changed."""
    check_file(output)
    config = load_soc(soc, overrides, engines)
    one_tile(config, "firmware", "an image drives one tile")
    given = numerics, post, no_fallback, dispatch
    program = program_of(network, config, *given, False, kernels, effort, quiet, batch, state)
    own = bundled(network)
    if own is not None and own.sample is not None and batch == 1 and not inputs:
        inputs = (str(own.sample),)
    tensors = States.of(program.graph, state != "reset").given(program.inputs)
    options = ImageOptions(None, 0.0, None, "nhwc", False)
    arrays, source, _ = read_inputs(list(inputs), tensors, slice(0, 1), options, seed)
    shaped = [np.asarray(a).reshape(t["shape"]) for a, t in zip(arrays, program.inputs)]
    pieces = pieces_for(program, host, shaped, expected_of(program, shaped))
    write_file(output, with_pieces(prebuilt(host).read_bytes(), pieces))
    if sources:
        write_sources(Path(sources), host, pieces)
    if quiet:
        return
    size = Path(output).stat().st_size
    click.echo(f"{output}: {size:,} bytes for {host} on {config.label}; sample: {source}")
    if sources:
        click.echo(f"{sources}: main.c is yours to change; {sources}/build.sh makes fw.elf of it")
    click.echo(f"presil run {output} runs it")
