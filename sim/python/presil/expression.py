"""The little language of kernels.yaml: numbers and shapes of an operator's tensors.

`2 * x.shape[1]`, `x.dtype == 'int8' and y.shape[2] % 2 == 0`, `max(1, op.stride_h)`. Python's
syntax, of which only what is listed here means anything; nothing is ever run as a program.
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

MOST_CHARACTERS = 1000
MOST_DEPTH = 50
MOST_BITS = 64

FUNCTIONS: dict[str, Callable[..., Any]] = {
    "abs": abs,
    "ceil": math.ceil,
    "floor": math.floor,
    "len": len,
    "max": max,
    "min": min,
    "round": round,
    "sum": sum,
    "product": math.prod,
}
BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
}
COMPARED: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.In: lambda a, b: a in b,
    ast.NotIn: lambda a, b: a not in b,
}


class Wrong(ValueError):
    """An expression that does not parse, or has no value; the text says where."""


@dataclass(frozen=True)
class TensorView:
    """A tensor as an expression sees it."""

    name: str
    about: Mapping[str, Any]

    FIELDS = ("shape", "rank", "dtype", "scale", "zero_point", "elements", "bytes", "constant")

    def field(self, name: str) -> Any:
        if name not in self.FIELDS:
            raise Wrong(f"{self.name} has no '{name}', it has {', '.join(self.FIELDS)}")
        return getattr(self, name)

    @property
    def shape(self) -> list[int]:
        return list(self.about["shape"])

    @property
    def rank(self) -> int:
        return len(self.shape)

    @property
    def dtype(self) -> str:
        return str(self.about["dtype"])

    @property
    def constant(self) -> bool:
        return bool(self.about["constant"])

    @property
    def elements(self) -> int:
        return math.prod(self.shape)

    @property
    def bytes(self) -> int:
        return self.elements * (1 if self.dtype == "bool" else np.dtype(self.dtype).itemsize)

    def _only(self, key: str) -> Any:
        values = self.about[key]
        if len(values) != 1:
            raise Wrong(f"{self.name} has {len(values)} scales, so no one {key[:-1]}")
        return values[0]

    @property
    def scale(self) -> float:
        return float(self._only("scales"))

    @property
    def zero_point(self) -> int:
        return int(self._only("zero_points"))


def parse(text: str) -> ast.expr:
    """The tree of an expression; Wrong where it is none."""
    if len(text) > MOST_CHARACTERS:
        raise Wrong(f"{len(text)} characters, must be at most {MOST_CHARACTERS}")
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise Wrong("no expression such as 2 * x.shape[1]") from None
    if deeper(tree, MOST_DEPTH):
        raise Wrong(f"brackets and signs are nested more than {MOST_DEPTH} deep")
    for node in ast.walk(tree):
        if type(node) not in ALLOWED:
            raise Wrong(f"'{type(node).__name__}' means nothing here")
    return tree


def deeper(tree: ast.AST, depth: int) -> bool:
    """Level by level, for a deep tree is what a function that calls itself cannot walk."""
    level = [tree]
    for _ in range(depth):
        level = [child for node in level for child in ast.iter_child_nodes(node)]
    return bool(level)


def evaluate(tree: ast.expr, names: Mapping[str, Any]) -> Any:
    """Its value; `names`: tensors, and mappings of attributes."""
    try:
        return Evaluator(names).value(tree)
    except Wrong:
        raise
    except (ArithmeticError, TypeError, ValueError, IndexError, RecursionError) as error:
        raise Wrong(str(error)) from None


class Evaluator:
    """Walks a tree that `parse` let pass."""

    def __init__(self, names: Mapping[str, Any]) -> None:
        self.names = names

    def value(self, node: ast.expr) -> Any:
        result = getattr(self, "of_" + type(node).__name__.lower())(node)
        if isinstance(result, int) and result.bit_length() > MOST_BITS:
            raise Wrong(f"{ast.unparse(node)} has more than {MOST_BITS} bits")
        return result

    def of_constant(self, node: ast.Constant) -> Any:
        if not isinstance(node.value, (bool, int, float, str)):
            raise Wrong(f"{node.value!r} is no number and no text")
        return node.value

    def of_name(self, node: ast.Name) -> Any:
        if node.id not in self.names:
            raise Wrong(f"there is no '{node.id}', there are {', '.join(self.names)}")
        return self.names[node.id]

    def of_attribute(self, node: ast.Attribute) -> Any:
        owner = self.value(node.value)
        if isinstance(owner, TensorView):
            return owner.field(node.attr)
        if isinstance(owner, Mapping):
            if node.attr not in owner:
                has = ", ".join(map(str, owner)) or "nothing"
                raise Wrong(f"{ast.unparse(node.value)} has no '{node.attr}', it has {has}")
            return owner[node.attr]
        raise Wrong(f"{ast.unparse(node.value)} has no '{node.attr}'")

    def of_subscript(self, node: ast.Subscript) -> Any:
        values = self.value(node.value)
        if not isinstance(values, (list, tuple)):
            raise Wrong(f"{ast.unparse(node.value)} is no list")
        if isinstance(node.slice, ast.Slice):
            limits = (node.slice.lower, node.slice.upper, node.slice.step)
            return values[slice(*(None if n is None else self.value(n) for n in limits))]
        index = self.value(node.slice)
        if not isinstance(index, int) or not -len(values) <= index < len(values):
            raise Wrong(f"{ast.unparse(node.value)} has {len(values)} values, none is [{index}]")
        return values[index]

    def of_list(self, node: ast.List) -> list[Any]:
        return [self.value(item) for item in node.elts]

    of_tuple = of_list

    def of_binop(self, node: ast.BinOp) -> Any:
        a, b = self.value(node.left), self.value(node.right)
        lists = isinstance(a, list) and isinstance(b, list) and isinstance(node.op, ast.Add)
        numbers = all(isinstance(v, (bool, int, float)) for v in (a, b))
        if not lists and not numbers:
            raise Wrong(f"{ast.unparse(node)} requires numbers")
        if isinstance(node.op, ast.LShift) and not 0 <= b <= MOST_BITS:
            raise Wrong(f"{ast.unparse(node)} shifts too far")
        return BINARY[type(node.op)](a, b)

    def of_unaryop(self, node: ast.UnaryOp) -> Any:
        value = self.value(node.operand)
        return (not value) if isinstance(node.op, ast.Not) else -value

    def of_boolop(self, node: ast.BoolOp) -> bool:
        stop = isinstance(node.op, ast.Or)
        for item in node.values:
            if bool(self.value(item)) == stop:
                return stop
        return not stop

    def of_compare(self, node: ast.Compare) -> bool:
        left = self.value(node.left)
        for compare, other in zip(node.ops, node.comparators):
            right = self.value(other)
            if not COMPARED[type(compare)](left, right):
                return False
            left = right
        return True

    def of_ifexp(self, node: ast.IfExp) -> Any:
        return self.value(node.body if self.value(node.test) else node.orelse)

    def of_call(self, node: ast.Call) -> Any:
        if not isinstance(node.func, ast.Name) or node.func.id not in FUNCTIONS or node.keywords:
            raise Wrong(
                f"{ast.unparse(node.func)} is no function, there are {', '.join(FUNCTIONS)}"
            )
        return FUNCTIONS[node.func.id](*map(self.value, node.args))


def why_not(tree: ast.expr, names: Mapping[str, Any]) -> str:
    """Of a condition that does not hold: it, and the values on its sides; "": it holds."""
    if evaluate(tree, names):
        return ""
    text = ast.unparse(tree)
    if isinstance(tree, ast.Compare) and len(tree.ops) == 1:
        left, right = (evaluate(side, names) for side in (tree.left, tree.comparators[0]))
        return f"{text} does not hold, for they are {left} and {right}"
    return f"{text} does not hold"


ALLOWED = (
    {ast.Constant, ast.Name, ast.Attribute, ast.Subscript, ast.Slice, ast.List, ast.Tuple}
    | {ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.Call, ast.Load}
    | {ast.And, ast.Or, ast.Not, ast.USub}
    | set(BINARY)
    | set(COMPARED)
)
