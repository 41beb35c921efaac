"""`relax.ext.presil`: what RunCodegen calls with the functions that are presil's."""

from __future__ import annotations

from typing import Any

import tvm_ffi

from ..refusal import Refusal
from .container import Part, pack
from .nodes import Body, body_of
from .options import Options
from .outline import OPTIONS
from .reader import Reader, Region
from .regions import final, on_host_alone, split_conversions

_compiled: dict[tuple[str, str, int], Part] = {}
"""What the partition has compiled already, by symbol, options and the function itself."""


def remember(function: Any, part: Part) -> None:
    """Keeps a region's program until code is made of its function."""
    _compiled[key_of(function)] = part


def key_of(function: Any) -> tuple[str, str, int]:
    attrs = function.attrs
    number = int(tvm_ffi.structural_hash(function, map_free_vars=True))
    return str(attrs["global_symbol"]), str(attrs[OPTIONS]), number


def read(function: Any) -> tuple[str, Body, Region]:
    """A region's function: its symbol, its nodes, and the network that they are."""
    symbol = str(function.attrs["global_symbol"])
    if OPTIONS not in function.attrs:
        raise Refusal(
            f"tvm: function '{symbol}' says Codegen presil, and not how it is to be compiled; "
            "presil.tvm.partition_for_presil makes such functions"
        )
    options = Options.parse(str(function.attrs[OPTIONS]))
    body = split_conversions(body_of(function, symbol))
    nodes = [node.id for node in body.nodes if node.op != "tuple"]
    region = Reader(body, nodes, options, symbol).read()
    if region.refused or region.network is None:
        why = "; ".join(f"'{body.by_id[id].name}': {text}" for id, text in region.refused.items())
        raise Refusal(f"tvm: function '{symbol}' claims more than presil takes: {why}")
    return symbol, body, region


def part_of(function: Any) -> Part:
    """A region's function as a program."""
    symbol, body, region = read(function)
    options = Options.parse(str(function.attrs[OPTIONS]))
    program = final(region, options.compile(region.network), options)
    on_host = [row for row in program.placement if on_host_alone(row)]
    on_host = [row for row in on_host if row["name"] in region.sources]
    if on_host:
        rows = "; ".join(f"'{row['name']}': {row['reason']}" for row in on_host)
        raise Refusal(f"tvm: function '{symbol}' claims more than an engine takes: {rows}")
    place = {edge.id: k for k, edge in enumerate(body.params)}
    return Part(
        symbol,
        program,
        [place[id] for id in region.inputs],
        [region.outputs.index(id) for id in body.outputs],
        options,
    )


def codegen(functions: Any, options: Any, names: Any) -> list[Any]:
    """One module with the programs of all functions."""
    parts: dict[str, Part] = {}
    for function in functions:
        part = _compiled.pop(key_of(function), None) or part_of(function)
        if part.symbol in parts:
            raise Refusal(f"tvm: two functions have the symbol '{part.symbol}'; rename one")
        parts[part.symbol] = part
    return [tvm_ffi.get_global_func("presil.tvm.module")(pack(list(parts.values())))]


tvm_ffi.register_global_func("relax.ext.presil", codegen, override=True)
