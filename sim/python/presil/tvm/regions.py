"""Which nodes presil takes, by asking its compiler; and the regions that they form."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ..program import Program
from ..refusal import Refusal
from .nodes import Arg, Body, Node, Ref
from .options import Options
from .reader import CONVERSIONS, Reader, Region, known_values
from .values import Value

CONVERSION = "dequantize"
ALIAS = "identity"
FREE = ("tuple", "constant", ALIAS, "")
"""Bindings that compute nothing, or that presil cannot look into."""


MOVERS = ("none", "host", "dma")
"""Where nothing is computed that would be worth a way to the SoC."""


@dataclass
class Compiled:
    """A region: its nodes, what they became, and the program."""

    nodes: list[int]
    region: Region
    program: Program


@dataclass
class Decision:
    """body: with conversions of their own for each reader. host: of each node that presil does not
    take, why."""

    body: Body
    compiled: list[Compiled]
    host: dict[int, str] = field(default_factory=dict)
    known: set[int] = field(default_factory=set)
    """Nodes of constants alone, which every region that reads them computes when it is compiled."""


def split_conversions(body: Body) -> Body:
    """A `dequantize` that several read becomes one for each: what one reader may keep as stored
    values another may need as real ones."""
    body = without_aliases(body)
    more = max([node.id for node in body.nodes] + [edge.id for edge in body.params] + [0]) + 1
    nodes: list[Node] = []
    copies: dict[int, Iterator[int]] = {}
    for node in body.nodes:
        node = renamed(node, lambda id: next(copies[id]) if id in copies else id)
        nodes.append(node)
        uses = len(body.users.get(node.id, [])) + (node.id in body.outputs)
        if node.op != CONVERSION or uses < 2:
            continue
        ids = [node.id, *range(more, more + uses - 1)]
        more += uses - 1
        nodes += [replace(node, id=id) for id in ids[1:]]
        # The function's end reads the first, which has the variable's own number.
        copies[node.id] = iter(ids[1:] if node.id in body.outputs else ids)
    return Body(body.name, body.params, nodes, body.outputs)


def without_aliases(body: Body) -> Body:
    """Nodes read what a second name stands for; the name stays for the function's end."""
    alias: dict[int, int] = {}
    nodes = []
    for node in body.nodes:
        nodes.append(renamed(node, lambda id: alias.get(id, id)))
        if node.op == ALIAS:
            (source,) = nodes[-1].refs()
            alias[node.id] = source
    outputs = [alias.get(id, id) for id in body.outputs]
    return Body(body.name, body.params, nodes, outputs)


def renamed(node: Node, name: Callable[[int], int]) -> Node:
    """With other variables as its operands."""

    def of(arg: Arg) -> Arg:
        if isinstance(arg, Ref):
            return Ref(name(arg.id))
        return tuple(of(one) for one in arg) if isinstance(arg, tuple) else arg

    return replace(node, args=of(node.args))


def levels(body: Body, taken: set[int], known: set[int]) -> list[list[int]]:
    """Maximal regions without a way out and in again: nodes with as many changes from presil to
    the host before them, in one block."""
    level: dict[int, int] = {}
    for node in body.nodes:
        own = node.id in taken
        before = 0
        for ref in node.refs():
            from_presil = ref in taken
            before = max(before, level.get(ref, 0) + (from_presil and not own))
        level[node.id] = before
    regions: dict[tuple[int, int], list[int]] = {}
    for node in body.nodes:
        if node.id in taken and node.id not in known:
            regions.setdefault((node.block, level[node.id]), []).append(node.id)
    return list(regions.values())


def decide(body: Body, options: Options) -> Decision:
    """Asks the compiler until everything in a region runs on an engine."""
    body = split_conversions(body)
    values = known_values(body)
    known = set(values)
    host: dict[int, str] = {}
    taken: set[int] = set()
    for node in body.nodes:
        if node.id in known:
            continue
        if node.fixed or node.op in FREE or node.op not in CONVERSIONS:
            host[node.id] = node.fixed or f"presil has no operator {node.op}"
        else:
            taken.add(node.id)
    while True:
        with_its_neighbour(body, taken, host)
        compiled: list[Compiled] = []
        before = len(host)
        for number, nodes in enumerate(levels(body, taken, known)):
            said = ask(body, nodes, values, options, symbol_of(body, number))
            if isinstance(said, Compiled):
                compiled.append(said)
            else:
                host.update({id: why for id, why in said.items() if id not in host})
        if len(host) == before:
            return Decision(body, compiled, host, known)
        taken -= host.keys()


def symbol_of(body: Body, number: int) -> str:
    return f"{body.name}_presil_{number}"


def ask(
    body: Body, nodes: list[int], known: dict[int, Value], options: Options, symbol: str
) -> Compiled | dict[int, str]:
    """The program of a region, or of its nodes those that no engine takes, and why."""
    taken = [*nodes, *known]
    region = Reader(body, taken, options, symbol, known).read()
    if region.refused or region.network is None:
        unused = {} if region.refused else dict.fromkeys(nodes, "nothing reads its result")
        return {**region.refused, **unused}
    if not region.inputs:
        return dict.fromkeys(nodes, "it reads constants alone")
    try:
        program = options.compile(region.network)
    except Refusal as refusal:
        return dict.fromkeys(nodes, f"its region is refused: {refusal}")
    refused: dict[int, str] = {}
    working = False
    for row in program.placement:
        working = working or row["engine"] not in MOVERS
        if on_host_alone(row) and row["name"] in region.sources:
            sources = [id for id in region.sources[row["name"]] if id not in known]
            refused.update(dict.fromkeys(sources, str(row["reason"])))
            if not sources:
                refused.update(dict.fromkeys(nodes, str(row["reason"])))
    if refused:
        return refused
    if not working:
        return dict.fromkeys(nodes, "no engine would have work: its bytes stay as they are")
    return Compiled(nodes, region, final(region, program, options))


def final(region: Region, program: Program, options: Options) -> Program:
    """Without presil's host, where that was forbidden."""
    if options.fallback or all(row["engine"] != "host" for row in program.placement):
        return program
    return options.compile(region.network, fallback=False)


def on_host_alone(row: Mapping[str, Any]) -> bool:
    """Whether no engine takes an operator. One that an engine would take more slowly than presil's
    own host stays in the program, as in any network of presil's."""
    by_cost = any(verdict["kind"] == "cost" for verdict in row["verdicts"])
    return row["engine"] == "host" and not by_cost


def with_its_neighbour(body: Body, taken: set[int], host: dict[int, str]) -> None:
    """Conversions that only lead to a node of the host's, or come from one, go with it."""
    changed = True
    while changed:
        changed = False
        for id in sorted(taken):
            node = body.by_id[id]
            users = body.users.get(id, [])
            if node.op == CONVERSION and users and all(user in host for user in users):
                neighbour = users[0]
            elif node.op == "quantize" and any(ref in host for ref in node.refs()):
                neighbour = next(ref for ref in node.refs() if ref in host)
            else:
                continue
            if body.by_id[neighbour].op in FREE:
                continue
            host[id] = f"it goes with '{body.by_id[neighbour].name}'"
            taken.discard(id)
            changed = True
