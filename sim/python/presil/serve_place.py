"""Where the networks of a load lie in the SRAM, and how much each may use.

Networks that can be held for one another need SRAM of their own, so that what a held job keeps
there stays. Networks of one priority never hold each other and share theirs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .names import instance
from .network import network_of
from .program import Program, open_loadable
from .program import compile as compile_network
from .refusal import Refusal
from .serve_load import Load, LoadNetwork

PAGE = 4096


@dataclass
class Placed:
    """A network of the load, compiled."""

    load: LoadNetwork
    program: Program
    sram: int = 0
    """Where its part of the SRAM begins."""
    preemptible: bool = False
    """Whether it gives way at layer borders."""

    @property
    def sram_bytes(self) -> int:
        return int(self.program.info["sram_bytes"])


def placed(load: Load) -> list[Placed]:
    """Every network compiled and placed; compiled again for less SRAM where all do not fit."""
    networks = [Placed(n, program_of(load, n, n.sram_bytes)) for n in load.networks]
    priorities = sorted({n.load.priority for n in networks})
    if load.hold != "layers" or len(priorities) < 2:
        return networks
    groups = [[n for n in networks if n.load.priority == p] for p in priorities]
    room = load.soc.config["sram.bytes"] // PAGE * PAGE
    needed = [max(pages(n.sram_bytes) for n in group) for group in groups]
    for group, share in zip(groups, shares(needed, room), strict=True):
        for network in group:
            if network.sram_bytes > share:
                less(load, network, share, room)
    at = 0
    for group in groups:
        for network in group:
            network.sram = at
            network.preemptible = network.load.priority < priorities[-1]
        at += max(pages(n.sram_bytes) for n in group)
    return networks


def pages(size: int) -> int:
    return -(-size // PAGE) * PAGE


def shares(needed: list[int], room: int) -> list[int]:
    """What each gets: all that it needs where that is at most its equal part of what is left."""
    given = [0] * len(needed)
    left, count = room, len(needed)
    for index in sorted(range(len(needed)), key=lambda i: needed[i]):
        given[index] = min(needed[index], left // count // PAGE * PAGE)
        left, count = left - given[index], count - 1
    return given


def less(load: Load, network: Placed, share: int, room: int) -> None:
    """Compiles it for its share of the SRAM."""
    needed = network.sram_bytes
    remedy = (
        "give networks their parts by `sram_kib`, or let priorities act at the ends of jobs, "
        "`hold: jobs`, for which all share the SRAM"
    )
    fixed = isinstance(network.load.file, (str, Program)) and is_compiled(network.load.file)
    if fixed or network.load.sram_bytes:
        raise Refusal(
            f"load: network '{network.load.name}' uses {needed:,} bytes of SRAM, there are "
            f"{share:,} of {room:,} for it beside the others; {remedy}"
        )
    try:
        network.program = program_of(load, network.load, share)
    except Refusal as refusal:
        raise Refusal(
            f"load: network '{network.load.name}' has {share:,} of {room:,} bytes of SRAM beside "
            f"the others: {refusal}; {remedy}"
        ) from None


def is_compiled(file: Any) -> bool:
    return isinstance(file, Program) or str(file).endswith(".presil")


def program_of(load: Load, network: LoadNetwork, sram_bytes: int) -> Program:
    where = f"load: network '{network.name}'"
    if is_compiled(network.file):
        if network.options or network.sram_bytes:
            raise Refusal(
                f"{where}: is compiled already, must be a network for options or `sram_kib` to hold"
            )
        program = network.file
        if not isinstance(program, Program):
            program = open_loadable(program, load.soc)
    else:
        options = dict(network.options)
        if "fallback" in options:
            instance(options["fallback"], bool, f"{where}: fallback", "true or false")
        given = network_of(
            network.file,
            options.pop("numerics", None),
            options.pop("post", None),
            options.get("kernels", ()),
        )
        options.pop("kernels", None)
        program = compile_network(given, load.soc, sram_bytes=sram_bytes, **options)
    if program.graph is None:
        raise Refusal(f"{where}: was compiled with --strip, must have its graph to be checked")
    if program.graph.states:
        raise Refusal(
            f"{where}: keeps states from sample to sample, must be without: requests of several "
            "clients have no order"
        )
    return program
