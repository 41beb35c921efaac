"""The verb `remote`: a simulated SoC for a driver in another process."""

from __future__ import annotations

import click

from .options import soc_options
from .remote import MEMORY_BYTES, TIMEOUT_MS, RemoteSoc


@click.command("remote")
@click.argument("name")
@click.option(
    "--memory",
    "memory_bytes",
    type=click.IntRange(min=1 << 16),
    default=MEMORY_BYTES,
    show_default=True,
    help="Bytes of all buffers together.",
)
@click.option(
    "--timeout-ms",
    type=click.IntRange(min=0),
    default=TIMEOUT_MS,
    show_default=True,
    help="For the program to come; 0: without end.",
)
@soc_options
def remote_command(
    name: str,
    memory_bytes: int,
    timeout_ms: int,
    soc: str,
    overrides: tuple[str, ...],
    engines: tuple[str, ...],
) -> None:
    """A SoC that a program of yours opens by this NAME: presil_remote_open."""
    with RemoteSoc(soc, overrides, engines, name, memory_bytes, timeout_ms) as served:
        click.echo(f"{served.name}: {soc}, until its program closes it", err=True)
        served.wait()
