"""What stored values of variables mean, which Relax says only where they are converted."""

from __future__ import annotations

from dataclasses import replace

from .nodes import Body, Node, Ref, refs_of
from .values import LIMITS, Steps, Value

MOVES = (
    "reshape",
    "permute_dims",
    "squeeze",
    "expand_dims",
    "flatten",
    "concat",
    "split",
    "tuple_get",
    "strided_slice",
    "clip",
    "nn.max_pool2d",
    "image.resize2d",
)
"""Operators whose result has the steps of what they read, where they work on stored values."""


def steps_of_variables(body: Body) -> dict[int, Steps]:
    """By variable of int8, uint8 or int16; those that nothing says are left out."""
    from .reader import steps_of  # which knows this file

    def constant(arg: object) -> Value | None:
        return Value(arg.shape, data=arg) if hasattr(arg, "shape") else None  # type: ignore

    found: dict[int, Steps] = {}
    dtypes = {edge.id: edge.dtype for edge in body.params}
    dtypes.update({node.id: node.dtype for node in body.nodes})

    def say(id: int, steps: Steps | None) -> None:
        dtype = dtypes.get(id, "")
        if steps is not None and steps.single and dtype in (*LIMITS, ""):
            found.setdefault(id, replace(steps, dtype=dtype))

    for node in body.nodes:
        if node.op == "quantize":
            say(node.id, steps_of(node, constant))
        elif node.op in MOVES:
            for ref in first_operands(node):
                say(node.id, found.get(ref))
    for node in reversed(body.nodes):
        if node.op == "dequantize" and isinstance(node.args[0], Ref):
            say(node.args[0].id, steps_of(node, constant))
        elif node.op in MOVES:
            for ref in first_operands(node):
                say(ref, found.get(node.id))
    for node in body.nodes:  # what the end said of one, of what is made of it too
        if node.op in MOVES:
            for ref in first_operands(node):
                say(node.id, found.get(ref))
    return found


def first_operands(node: Node) -> list[int]:
    return list(refs_of(node.args[0])) if node.args else []
