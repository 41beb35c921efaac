"""`presil tvm-rpc`: the simulated board at a port, as TVM's own tools reach a real one.

python -m presil.tvm.serve --port 9090

A client uploads a library that it has built with presil's regions, and runs it there:

remote = tvm.rpc.connect("127.0.0.1", 9090)
remote.upload("net.so")
vm = tvm.relax.VirtualMachine(remote.load_module("net.so"), remote.cpu())
"""

from __future__ import annotations

import time

from ..names import number
from ..refusal import Refusal
from . import versions  # noqa: F401  first: what follows imports tvm

# isort: split
from tvm import rpc

MOST_PORT = 65535


def with_presil() -> None:
    """In the server's own process: TVM there knows modules of presil."""
    import presil.tvm  # noqa: F401


def server(host: str = "127.0.0.1", port: int = 9090) -> rpc.Server:
    """A server in a process of its own; `port` of it is where it listens, the first free one from
    `port` on. Raises Refusal: none is free."""
    number(port, 1, MOST_PORT, "tvm-rpc: the port", f", must be 1 to {MOST_PORT}", whole=True)
    try:
        return rpc.Server(
            host, port, min(MOST_PORT, port + 9), server_init_callback=with_presil, silent=True
        )
    except (ValueError, RuntimeError, OSError) as error:
        said = str(error).strip().splitlines()
        raise Refusal(
            f"tvm-rpc: no server at {host}:{port} ({said[-1] if said else 'no reason'}); choose "
            "another --port, or --host"
        ) from error


def serve(host: str, port: int) -> None:
    """Until it is interrupted."""
    running = server(host, port)
    print(f"presil: TVM's RPC server listens at {host}:{running.port}", flush=True)
    try:
        while True:
            time.sleep(3600)
    finally:
        running.terminate()
