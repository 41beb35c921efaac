"""The verbs that show a program as text, and make one of text."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from .atomic import write_file
from .engines import load_engines
from .explain import memory_sentence
from .inspection import SECTIONS, Inspection
from .kernel_file import read_kernels
from .names import existing_file
from .network import load
from .options import is_loadable, network_options, program_of, soc_options
from .program import assemble, read_loadable
from .refusal import EXIT_CHECK_FAILED, Refusal
from .soc import load_soc
from .stages import STAGES, print_after, stage
from .states import STATES


@click.command("inspect")
@click.argument("network")
@click.option(
    "--section",
    "sections",
    multiple=True,
    type=click.Choice(SECTIONS),
    help="Show this whole, not the summary of all; repeatable.",
)
@click.option(
    "--stage",
    "name",
    type=click.Choice(STAGES),
    help="What this stage of the compiler hands on, as text; graphs and streams can be read again.",
)
@click.option(
    "--print-after",
    "after",
    metavar="PASS",
    help="The graph after each run of this pass that changes it.",
)
@click.option("--layer", metavar="NAME", help="Only what belongs to this layer.")
@click.option("--json", "to_json", is_flag=True, help="Machine-readable.")
@click.option(
    "--streams",
    metavar="FILE",
    help="Only the command streams, into FILE (-: stdout); `presil assemble` reads them.",
)
@click.option(
    "--check-memory",
    is_flag=True,
    help="Replay the streams: every byte is written before it is read, and kept until then.",
)
@soc_options
@network_options
def inspect_command(
    network: str,
    sections: tuple[str, ...],
    name: str | None,
    after: str | None,
    layer: str | None,
    to_json: bool,
    streams: str | None,
    check_memory: bool,
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
    """Graph, placement with its reasons, memory map and streams: a summary, or each as text."""
    if name is not None or after is not None:
        file = network_to_compile(network)
        net = load(file, numerics, post, read_kernels(kernels), batch, state or STATES[0])
        if after is not None:
            click.echo(print_after(net, after), nl=False)
        if name is not None:
            text = stage(
                net,
                name,
                load_soc(soc, overrides, engines),
                fallback=not no_fallback,
                dispatch=dispatch,
                effort=effort,
            )
            click.echo(text, nl=False)
        return
    if is_loadable(network, numerics, post, no_fallback, dispatch, effort, batch):
        load_engines(engines)
        program = read_loadable(network)
    else:
        config = load_soc(soc, overrides, engines)
        program = program_of(
            network,
            config,
            numerics,
            post,
            no_fallback,
            dispatch,
            kernels=kernels,
            effort=effort,
            batch=batch,
            state=state,
        )
    if check_memory:
        checked = program.check_memory()
        click.echo(memory_sentence(checked))
        if checked["wrong"]:
            sys.exit(EXIT_CHECK_FAILED)
        return
    inspection = Inspection(program, layer)
    if streams is None and to_json:
        click.echo(json.dumps(inspection.data(sections or SECTIONS), indent=1))
    elif streams is None and (sections or layer):
        click.echo(inspection.text(sections or SECTIONS), nl=False)
    elif streams is None:
        click.echo(inspection.summary())
    elif streams == "-":
        click.echo(program.streams, nl=False)
    else:
        write_file(streams, program.streams)


def network_to_compile(file: str) -> str:
    """Stages are shown by going through them again, which a loadable has passed."""
    if Path(file).suffix == ".presil":
        raise Refusal(
            f"inspect: '{file}' is a loadable, --stage and --print-after require the network it "
            "was made of; --section shows what a loadable holds"
        )
    return file


@click.command("assemble")
@click.argument("streams")
@click.option("--into", required=True, metavar="NET.presil", help="The loadable they belong to.")
@click.option("-o", "--output", required=True, metavar="OUT.presil", help="The loadable to write.")
def assemble_command(streams: str, into: str, output: str) -> None:
    """Streams as `inspect --streams` wrote them, edited or not, back into their loadable."""
    try:
        file = existing_file(streams, "assemble", "`presil inspect --streams` writes one")
        text = file.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise Refusal(f"assemble: '{streams}' is not text ({error})") from error
    assemble(text, read_loadable(into)).save(output)
