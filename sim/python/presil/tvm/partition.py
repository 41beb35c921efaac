"""`partition_for_presil`: what of a Relax module goes to presil."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from tvm import ir, relax

from ..names import described, number
from ..network import Network
from ..program import DISPATCHES, USUAL_EFFORT
from ..refusal import Refusal
from ..soc_parameters import Overrides
from .codegen import read, remember
from .container import Part
from .detections import Post, with_detections
from .nodes import body_of
from .options import Options
from .outline import outlined
from .prepare import numerics_of, prepared
from .read_moves import is_detections
from .regions import FREE, Decision, decide, symbol_of

NONE: Mapping[str, Any] = MappingProxyType({})
HOST_CYCLES = 8.0
"""Of an element that TVM's code reads or writes: a load or store, its address, an operation and its
share of a loop on a core that issues one instruction a cycle."""
PLACEMENT = "presil.placement"
TVM = "tvm"
"""In a placement: what TVM's own code computes."""


def partition_for_presil(
    mod: ir.IRModule,
    params: Any = None,
    soc: Any = "edge",
    *,
    set: Overrides = (),  # noqa: A002  as the command line has it
    numerics: str | None = None,
    effort: int = USUAL_EFFORT,
    kernels: Any = "",
    engines: Any = (),
    post: Any = None,
    dispatch: str = DISPATCHES[0],
    decisions: Mapping[str, Any] = NONE,
    fallback: bool = True,
) -> ir.IRModule:
    """Moves what presil's engines take into functions with `Codegen` "presil", as few as possible.

    mod: of Relax, with fixed shapes. params: constants by parameter, as importers give them, bound
      here; also by function, {"main": {...}}.
    soc, set, engines, effort, dispatch: as of `presil.compile`; kernels: a YAML file of
      the user's kernels.
    numerics: 'onnx', real numbers between dequantize and quantize as Relax says; 'tflite' and
      'xnnpack', the integer operators of TFLite that TVM's importer has written so. None: 'tflite'
      for what that importer has made (its zero points are int32), else 'onnx'.
    post: YAML of box decoding and suppression, as of `presil.load`: 'main' then gives `detections`
      and `count` besides, computed where the network is.
    decisions: by symbol of a region what `presil.tune` has found for it (`networks`).
    fallback: whether TVM may keep operators that no engine takes; `placement` lists them.
    Then `relax.transform.RunCodegen()` makes code of the functions, `relax.build` the rest.
    Raises Refusal: open shapes, constants that are not bound, a symbol that is there already,
    without fallback operators that no engine takes.
    """
    if not isinstance(mod, ir.IRModule):
        raise Refusal(f"tvm: got {described(mod)}, expected an IRModule of Relax")
    if mod.attrs is not None and PLACEMENT in mod.attrs:
        raise Refusal(
            "tvm: this module was partitioned before; partition the one that the importer gave"
        )
    follows = Post.of(post)
    more = follows.text, dispatch, decisions, fallback
    numerics = numerics_of(mod) if numerics is None else numerics
    options = Options.of(soc, set, numerics, effort, kernels, engines, *more)
    rows: list[dict[str, Any]] = []
    for name, given in bound(params, mod).items():
        mod = relax.transform.BindParams(name, given)(mod)
    mod = prepared(mod, options.customs)
    if follows.text:
        mod = with_detections(mod, follows)
    for target, function in list(mod.functions_items()):
        name = target.name_hint
        if not isinstance(function, relax.Function) or taken_already(function):
            continue
        check_bound(function, name)
        decision = decide(body_of(function, name), options)
        check_detections(decision)
        rows += rows_of(decision, name)
        if not fallback:
            refuse_host(decision, name)
        if decision.compiled:
            mod = with_regions(mod, name, decision, options)
    mod = relax.transform.Normalize()(mod)
    return mod.with_attr(PLACEMENT, json.dumps(rows))


def taken_already(function: relax.Function) -> bool:
    return function.attrs is not None and "Codegen" in function.attrs


def bound(params: Any, mod: ir.IRModule) -> dict[str, dict[Any, Any]]:
    """Constants by function and parameter."""
    if not params:
        return {}
    names = {target.name_hint for target, _ in mod.functions_items()}
    if not all(isinstance(key, str) and key in names for key in params):
        return {"main": params}
    found: dict[str, dict[Any, Any]] = {}
    for name, given in params.items():
        if given and not isinstance(given, Mapping):  # in the order of the last parameters
            given = dict(zip(list(mod[name].params)[-len(given) :], given, strict=True))
        if given:
            found[name] = dict(given)
    return found


def check_bound(function: relax.Function, name: str) -> None:
    """Importers say how many parameters are inputs; those after them are constants."""
    count = function.attrs.get("num_input") if function.attrs is not None else None
    if count is None or len(function.params) <= int(count):
        return
    rest = [var.name for var in function.params[int(count) :]]
    shown = ", ".join(f"'{one}'" for one in rest[:3]) + (", ..." if len(rest) > 3 else "")
    raise Refusal(
        f"tvm: '{name}' has {len(rest)} parameters beside its {count} inputs that are not bound "
        f"({shown}); presil folds constants into its programs: give params, as the importer has "
        "detached them, or relax.transform.BindParams"
    )


def with_regions(mod: ir.IRModule, name: str, decision: Decision, options: Options) -> ir.IRModule:
    names = {target.name_hint for target, _ in mod.functions_items()}
    for symbol in (symbol_of(decision.body, k) for k in range(len(decision.compiled))):
        if symbol in names:
            raise Refusal(
                f"tvm: the module has a function '{symbol}' already: rename it, or partition the "
                "module as the importer gave it"
            )
    mod, symbols = outlined(mod, name, decision, options)
    for symbol, one in zip(symbols, decision.compiled, strict=True):
        inputs = list(range(len(one.region.inputs)))
        outputs = [k for k, id in enumerate(one.region.outputs) if id is not None]
        remember(mod[symbol], Part(symbol, one.program, inputs, outputs, options))
    return mod


def check_detections(decision: Decision) -> None:
    for id, why in decision.host.items():
        node = decision.body.by_id[id]
        if is_detections(node):
            raise Refusal(f"tvm: post: {why}; TVM has no such decoding")


def rows_of(decision: Decision, name: str) -> list[dict[str, Any]]:
    """Of each node of the function that computes: where it runs, and why."""
    rows = []
    for region, one in enumerate(decision.compiled):
        engines = {row["name"]: row for row in one.program.placement}
        where: dict[int, dict[str, Any]] = {}
        for op, nodes in one.region.sources.items():
            for id in nodes:
                if op in engines:
                    where.setdefault(id, engines[op])
        for id in one.nodes:
            node = decision.body.by_id[id]
            row = where.get(id)
            engine = row["engine"] if row else "none"
            reason = row["reason"] if row else "read with what follows it"
            rows.append(row_of(name, node, engine, reason, region))
        for attached in one.program.placement:  # what decodes boxes is no node of Relax
            if attached["name"] not in one.region.sources:
                keys = ("name", "op", "engine", "reason")
                said = {key: attached[key] for key in keys}
                rows.append({"function": name, **said, "region": region})
    for id, why in decision.host.items():
        node = decision.body.by_id[id]
        if node.op not in FREE:
            row = row_of(name, node, TVM, why, None)
            rows.append({**row, "elements": elements_of(decision, node)})
    return rows


def elements_of(decision: Decision, node: Any) -> int:
    """That an operator reads and writes."""
    shapes = {edge.id: edge.shape for edge in decision.body.params}
    shapes.update({one.id: one.shape for one in decision.body.nodes})
    return sum(math.prod(shapes[id]) for id in (node.id, *node.refs()))


def row_of(function: str, node: Any, engine: str, reason: str, region: Any) -> dict[str, Any]:
    return {
        "function": function,
        "name": node.name,
        "op": node.op,
        "engine": engine,
        "reason": reason,
        "region": region,
    }


def refuse_host(decision: Decision, name: str) -> None:
    left = [
        f"{node.op} '{node.name}': {why}"
        for id, why in decision.host.items()
        if (node := decision.body.by_id[id]).op not in FREE
    ]
    if left:
        raise Refusal(
            f"tvm: {len(left)} operators of '{name}' would stay on the host, which fallback=False "
            f"forbids: {'; '.join(left)}"
        )


def networks(mod: ir.IRModule) -> dict[str, Network]:
    """The regions of a partitioned module by symbol, as `presil.tune`, `presil.run` and the others
    take them."""
    found: dict[str, Network] = {}
    for _, function in mod.functions_items():
        if isinstance(function, relax.Function) and taken_already(function):
            symbol, _, region = read(function)
            assert region.network is not None
            found[symbol] = region.network
    return found


def host_price(mod: ir.IRModule, host_cycles: float = HOST_CYCLES) -> dict[str, Any]:
    """What TVM's own code would take on the chip's host, at a stated price: `host_cycles` for each
    element that an operator reads or writes. `cycles` of all, and `rows` of each operator."""
    number(host_cycles, 0, 1e9, "tvm: host_cycles", ", must be cycles of an element, from 0 on")
    rows = []
    for row in placement(mod):
        if row["engine"] == TVM:
            cycles = round(row["elements"] * host_cycles)
            rows.append({"op": row["op"], "name": row["name"], "cycles": cycles})
    return {"cycles": sum(row["cycles"] for row in rows), "host_cycles": host_cycles, "rows": rows}


def placement(mod: ir.IRModule) -> list[dict[str, Any]]:
    """Of a partitioned module: `function`, `name` and `op` of Relax, `engine` ('tvm': its own code;
    'host': presil's, inside of a region), `reason`, and the number of the `region`."""
    if mod.attrs is None or PLACEMENT not in mod.attrs:
        raise Refusal("tvm: this module was not partitioned; partition_for_presil does that")
    return list(json.loads(str(mod.attrs[PLACEMENT])))
