"""`presil tvm-rpc`."""

from __future__ import annotations

import click


@click.command("tvm-rpc")
@click.option("--host", default="127.0.0.1", show_default=True, help="Where to listen.")
@click.option("--port", default=9090, show_default=True, help="The first that is tried; ten are.")
def tvm_rpc_command(host: str, port: int) -> None:
    """The simulated board for TVM's remote procedure calls (needs TVM)."""
    from .tvm.serve import serve

    serve(host, port)
