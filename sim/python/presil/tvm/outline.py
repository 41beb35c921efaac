"""Regions as functions of their own, which the function calls."""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from typing import Any

from tvm import ir, relax
from tvm.relax.utils import copy_with_new_vars

from .nodes import Body
from .options import Options
from .regions import Compiled, Decision, symbol_of

TARGET = "presil"
OPTIONS = "presil.options"


def with_known(body: Body, known: set[int], nodes: Iterable[int]) -> list[int]:
    """The nodes, and those of constants that they read, in the function's order."""
    needed = set(nodes)
    queue = list(needed)
    while queue:
        for ref in body.by_id[queue.pop()].refs():
            if ref in known and ref not in needed:
                needed.add(ref)
                queue.append(ref)
    return [node.id for node in body.nodes if node.id in needed]


def bindings_of(body: Body, nodes: Iterable[int]) -> list[Any]:
    """Each once: copies of a conversion share theirs."""
    found: dict[Any, Any] = {}
    for id in nodes:
        binding = body.by_id[id].binding
        found.setdefault(binding.var, binding)
    return list(found.values())


def variables(body: Body, params: list[Any]) -> dict[int, Any]:
    by_id = {edge.id: var for edge, var in zip(body.params, params, strict=True)}
    by_id.update({node.id: node.binding.var for node in body.nodes})
    return by_id


def region_function(
    decision: Decision, compiled: Compiled, params: list[Any], symbol: str, options: Options
) -> relax.Function:
    body = decision.body
    by_id = variables(body, params)
    inside = with_known(body, decision.known, compiled.nodes)
    inputs = [by_id[id] for id in compiled.region.inputs]
    outputs = [by_id[id] for id in compiled.region.outputs if id is not None]
    ends = [relax.Var(f"out{k}", var.ty) for k, var in enumerate(outputs)]
    bindings = bindings_of(body, inside)
    bindings += [relax.VarBinding(end, var) for end, var in zip(ends, outputs, strict=True)]
    result = ends[0] if len(ends) == 1 else ir.Tuple(ends)
    sequence = relax.SeqExpr([relax.DataflowBlock(bindings)], result)
    function = relax.Function(inputs, sequence, result_type([var.ty for var in outputs]))
    attrs = {"Codegen": TARGET, "global_symbol": symbol, OPTIONS: options.text()}
    return copy_with_new_vars(function).with_attrs(attrs)


def result_type(types: list[Any]) -> Any:
    return types[0] if len(types) == 1 else relax.TupleType(types)


def outlined(
    mod: ir.IRModule, name: str, decision: Decision, options: Options
) -> tuple[ir.IRModule, list[str]]:
    """The module with the function's regions as functions; and their symbols."""
    function = mod[name]
    body = decision.body
    by_id = variables(body, list(function.params))
    builder = relax.BlockBuilder(mod)
    calls: dict[int, list[Any]] = {}
    symbols = []
    for number, compiled in enumerate(decision.compiled):
        symbol = symbol_of(body, number)
        made = region_function(decision, compiled, list(function.params), symbol, options)
        target = builder.add_func(made, symbol)
        outputs = [by_id[id] for id in compiled.region.outputs if id is not None]
        types = result_type([var.ty for var in outputs])
        given = [by_id[id] for id in compiled.region.inputs]
        call = ir.Call(target, given, ret_ty=types)
        if len(outputs) == 1:
            calls[number] = [relax.VarBinding(outputs[0], call)]
        else:
            whole = relax.DataflowVar(f"presil{number}", types)
            parts = [
                relax.VarBinding(var, ir.TupleGetItem(whole, k)) for k, var in enumerate(outputs)
            ]
            calls[number] = [relax.VarBinding(whole, call), *parts]
        symbols.append(symbol)
    blocks = rebuilt(decision, function, calls)
    sequence = relax.SeqExpr(blocks, function.body.body)
    main = relax.Function(
        list(function.params), sequence, function.ret_ty, function.is_pure, function.attrs
    )
    builder.update_func(mod.get_global_var(name), main)
    return builder.finalize(), symbols


def rebuilt(decision: Decision, function: Any, calls: dict[int, list[Any]]) -> list[Any]:
    """The function's blocks with calls in place of the regions, in an order that the data allow."""
    body = decision.body
    of_region = {id: k for k, one in enumerate(decision.compiled) for id in one.nodes}
    place = {node.id: k for k, node in enumerate(body.nodes)}
    kept = with_known(body, decision.known, decision.host)
    blocks = []
    for number, block in enumerate(function.body.blocks):
        if not isinstance(block, relax.DataflowBlock):
            blocks.append(block)
            continue
        nodes = [id for id in kept if body.by_id[id].block == number]
        regions = [
            k for k, one in enumerate(decision.compiled) if body.by_id[one.nodes[0]].block == number
        ]
        units: list[tuple[int, list[int], list[Any]]] = [
            (place[id], [id], [body.by_id[id].binding]) for id in nodes
        ]
        units += [
            (place[decision.compiled[k].nodes[0]], decision.compiled[k].nodes, calls[k])
            for k in regions
        ]
        blocks.append(relax.DataflowBlock(in_order(body, units, of_region)))
    return blocks


def in_order(
    body: Body, units: list[tuple[int, list[int], list[Any]]], of_region: dict[int, int]
) -> list[Any]:
    """Bindings of units, each after those that it reads, else as they stood."""
    unit_of = {id: u for u, (_, nodes, _) in enumerate(units) for id in nodes}
    waits = [
        {unit_of[r] for id in nodes for r in body.by_id[id].refs() if r in unit_of} - {u}
        for u, (_, nodes, _) in enumerate(units)
    ]
    readers: dict[int, list[int]] = {}
    for u, before in enumerate(waits):
        for one in before:
            readers.setdefault(one, []).append(u)
    ready = [(units[u][0], u) for u, before in enumerate(waits) if not before]
    heapq.heapify(ready)
    bindings: dict[Any, Any] = {}
    while ready:
        _, u = heapq.heappop(ready)
        for binding in units[u][2]:
            bindings.setdefault(binding.var, binding)
        for reader in readers.get(u, []):
            waits[reader].discard(u)
            if not waits[reader]:
                heapq.heappush(ready, (units[reader][0], reader))
    return list(bindings.values())
