"""What follows an operator and is computed with it: a constant row, limits, `quantize`."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from .nodes import Node
from .reader import NotTaken, Reader, require, steps_of
from .values import LIMITS, Steps, Value

INF = math.inf
NAMED = {(-INF, INF): "none", (0, INF): "relu", (0, 6): "relu6", (-1, 1): "relu_n1_to_1"}
"""Limits of real numbers, as the graph calls them."""


@dataclass
class Epilogue:
    """row: added to the result; steps: of the stored result, None: it stays real; act: the limits,
    as the graph names them; nodes: those that are taken with the operator."""

    row: Value | None = None
    steps: Steps | None = None
    act: str = "none"
    nodes: list[int] = field(default_factory=list)
    constants: list[int] = field(default_factory=list)

    @property
    def unsigned(self) -> bool:
        return self.steps is not None and self.steps.dtype == "uint8"


def epilogue(r: Reader, node: Node, width: int = 0, limits: bool = True) -> Epilogue | None:
    """Up to a `quantize` that alone reads the result; None: there is none.

    width: of a constant row that may be added before, 0: none may.
    limits: whether relu and clip may stand between.
    """
    found = row_after(r, node, width) if width else Epilogue()
    low, high, id = -INF, INF, found.nodes[-1] if found.nodes else node.id
    while True:
        user = r.only_user(id)
        if user is None:
            return None
        found.nodes.append(user.id)
        if user.op == "quantize":
            found.steps = steps_of(user, r.known_arg)
            if found.steps is None or not found.steps.single or not found.steps.dtype:
                return None
            act = act_of(low, high, found.steps)
            if act is None:
                return None
            found.act = act
            stored_limits(r, user, found)
            return found
        between = limits_of(r, user) if limits else None
        if between is None:
            return None
        least, most = between
        low, high, id = max(low, least), min(high, most), user.id


def row_after(r: Reader, node: Node, width: int) -> Epilogue:
    """A constant row of `width` values that is added next, where that alone reads the result."""
    user = r.only_user(node.id)
    if user is None or user.op != "add":
        return Epilogue()
    other = [arg for arg in user.args if getattr(arg, "id", None) != node.id]
    row = r.known_arg(other[0]) if len(other) == 1 else None
    if row is None or row.data is None or row.data.size != width or user.shape != node.shape:
        return Epilogue()
    if sorted(row.shape, reverse=True)[:1] != [width]:
        return Epilogue()
    constants = [other[0].id] if hasattr(other[0], "id") else []
    return Epilogue(row, nodes=[user.id], constants=constants)


def real_epilogue(r: Reader, node: Node, width: int) -> Epilogue:
    """Of real numbers: a constant row, and limits that the graph has a name for."""
    found = row_after(r, node, width)
    user = r.only_user(found.nodes[-1] if found.nodes else node.id)
    between = limits_of(r, user) if user is not None else None
    if user is not None and between in NAMED:
        found.act = NAMED[between]
        found.nodes.append(user.id)
    return found


def limits_of(r: Reader, node: Node) -> tuple[float, float] | None:
    """The least and the greatest that an operator lets through; None: it does something else."""
    if node.op == "nn.relu":
        return 0.0, INF
    if node.op == "nn.relu6":
        return 0.0, 6.0
    if node.op == "clip":
        low, high = (float(limit) for limit in node.args[1:3])
        most = float(np.finfo(np.float32).max)
        return (-INF if low <= -most else low), (INF if high >= most else high)
    if node.op in ("maximum", "minimum"):
        known = [r.known_arg(arg) for arg in node.args]
        one = next((v for v in known if v is not None and v.data is not None), None)
        if one is not None and one.data is not None and one.data.size == 1 and None in known:
            limit = float(one.real().ravel()[0])
            return (limit, INF) if node.op == "maximum" else (-INF, limit)
    return None


def act_of(low: float, high: float, steps: Steps) -> str | None:
    """Limits of real numbers as those of stored ones; None: an operator has no such."""
    if (low, high) in NAMED:
        return NAMED[(low, high)]
    least, most = ((limit - steps.zero[0]) * steps.scale[0] for limit in LIMITS[steps.dtype])
    if most > high:
        return None
    if least >= low:
        return "none"
    return "relu" if low == 0 else None


def stored_limits(r: Reader, quantize: Node, found: Epilogue) -> None:
    """A clip of stored values that follows, as TVM's importer of TFLite writes activations."""
    user = r.only_user(quantize.id)
    if user is None or user.op != "clip" or found.steps is None:
        return
    between = limits_of(r, user)
    assert between is not None
    act = stored_act(*between, found.steps)
    if act is None or (act != "none" and found.act not in ("none", act)):
        return
    found.nodes.append(user.id)
    if act != "none":
        found.act = act


def stored_act(low: float, high: float, steps: Steps) -> str | None:
    """Limits of stored values as the graph names them."""
    least, most = LIMITS[steps.dtype]
    if low <= least and high >= most:
        return "none"

    def stored(real: float) -> float:
        return min(most, max(least, steps.zero[0] + round(real / steps.scale[0])))

    for name, bottom, top in (("relu", 0, INF), ("relu6", 0, 6), ("relu_n1_to_1", -1, 1)):
        upper = most if top == INF else stored(top)
        if max(low, least) == stored(bottom) and min(high, most) == upper:
            return name
    return None


def take(r: Reader, found: Epilogue) -> None:
    """Says that the operator being read computes what follows it."""
    r.with_node.extend(found.constants)
    r.absorb(found.nodes)


def integer_bias(found: Epilogue, x: Steps, weights: Steps, width: int) -> np.ndarray | None:
    """The row as int32 in steps of x's scale times the weights'; refused where it is in others."""
    if found.row is None or found.row.data is None:
        return None
    scales = np.broadcast_to(np.asarray(weights.scale, np.float64) * x.scale[0], (width,))
    row = found.row
    if row.quantized and row.steps is not None and row.data.dtype == np.int32:
        own = np.broadcast_to(np.asarray(row.steps.scale, np.float64), (width,))
        if any(row.steps.zero) or np.any(np.abs(own - scales) > 1e-4 * scales):
            raise NotTaken("its bias is in other steps than those of x times the weights")
        return row.data.reshape(width)
    steps = np.rint(row.real().reshape(width).astype(np.float64) / scales)
    require(np.all(np.abs(steps) < 2**31 - 1), "its bias is beyond int32")
    return steps.astype(np.int32)
