"""The verb `serve`: several networks share a SoC."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from .atomic import check_file, write_file
from .console import console, progress_bar
from .record import as_json
from .refusal import EXIT_CHECK_FAILED
from .run_folder import HOME, OutputPath, folder_name
from .serve import serve
from .serve_load import load_of
from .serve_table import print_served, served_sentence


@click.command("serve")
@click.argument("load", metavar="LOAD.yaml")
@click.option("--soc", metavar="NAME|FILE", help="Preset or YAML file instead of the load's.")
@click.option(
    "--set", "overrides", multiple=True, metavar="NAME=VALUE", help="Override one parameter."
)
@click.option("--seed", type=click.IntRange(min=0), help="Instead of the load's.")
@click.option("--out", metavar="DIR", help="Default: presil-out/serve-<load>-<soc>.")
@click.option("--force", is_flag=True, help="Replace another load that is in the folder.")
@click.option(
    "--json",
    "json_file",
    is_flag=False,
    flag_value="-",
    metavar="[FILE]",
    help="The record on stdout, or in FILE.",
)
@click.option("--quiet", is_flag=True, help="Only the verdict.")
def serve_command(
    load: str,
    soc: str | None,
    overrides: tuple[str, ...],
    seed: int | None,
    out: str | None,
    force: bool,
    json_file: str | None,
    quiet: bool,
) -> None:
    """Several networks on one SoC: arrivals, priorities, latencies, deadlines."""
    asked = load_of(load, soc, overrides, seed)
    if out:
        target = OutputPath.of(out, force)
        target.check()
    else:
        name = folder_name(f"serve-{Path(load).stem}", asked.label)
        target = OutputPath(HOME / name, True, force)
    if json_file not in (None, "-"):
        check_file(Path(str(json_file)))
    with progress_bar("networks", not quiet) as progress:
        served = serve(asked, progress=progress)
    with target.claim(served.repeats) as folder:
        if folder.notice:
            console(stderr=True).print(folder.notice, markup=False, soft_wrap=True)
        saved = folder.commit(served.record, served.write, "serve.json")
    if json_file == "-":
        click.echo(as_json(served.record), nl=False)
    else:
        if json_file is not None:
            write_file(json_file, as_json(served.record))
        if quiet:
            console().print(served_sentence(served.record), markup=False, soft_wrap=True)
        else:
            print_served(console(), served.record)
            for what, file in (("timeline", "serve.html"), ("record", "serve.json")):
                console().print(f"{what}: {saved / file}", markup=False, soft_wrap=True)
    if not served.exact:
        sys.exit(EXIT_CHECK_FAILED)
