"""A Relax function as plain nodes: what the reader sees of TVM's IR."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from tvm import ir, relax

from ..refusal import Refusal

Shape = tuple[int, ...]


@dataclass(frozen=True)
class Ref:
    """A variable, by its number in the function."""

    id: int


Arg = Any
"""A Ref, a numpy array (a constant), or what it is told: numbers, texts, tuples of args."""


@dataclass
class Node:
    """One binding: the call of an operator, or an item of a tuple."""

    id: int
    name: str
    op: str
    """As Relax names it, without `relax.`; `tuple_get`; empty for what presil cannot look into."""
    args: tuple[Arg, ...]
    attrs: dict[str, Any]
    shape: Shape
    dtype: str
    block: int = 0
    """Of the function's, in which it stands."""
    fixed: str = ""
    """Why it must stay with TVM, whatever it computes."""
    binding: Any = field(default=None, repr=False)

    def refs(self) -> Iterator[int]:
        """The variables that it reads."""
        yield from refs_of(self.args)


@dataclass
class Edge:
    """A parameter."""

    id: int
    name: str
    shape: Shape
    dtype: str


@dataclass
class Body:
    """A function: parameters, nodes in order, the variables that it returns."""

    name: str
    params: list[Edge]
    nodes: list[Node]
    outputs: list[int]
    users: dict[int, list[int]] = field(default_factory=dict)
    """By variable, the nodes that read it, once for each time."""

    def __post_init__(self) -> None:
        for node in self.nodes:
            for ref in node.refs():
                self.users.setdefault(ref, []).append(node.id)
        self.by_id = {node.id: node for node in self.nodes}


def refs_of(arg: Arg) -> Iterator[int]:
    if isinstance(arg, Ref):
        yield arg.id
    elif isinstance(arg, tuple):
        for one in arg:
            yield from refs_of(one)


def shape_of(expr: Any, subject: str) -> tuple[Shape, str]:
    """Shape and type of a tensor; ((), "") of a tuple. Refuses open extents."""
    info = expr.ty
    if not isinstance(info, relax.TensorType):
        return (), ""
    if info.ndim < 0 or info.shape is None:
        raise Refusal(f"tvm: {subject} has a shape that is not known; {HOW_TO_FIX_SHAPES}")
    values = info.shape.values if isinstance(info.shape, relax.ShapeExpr) else ()
    if len(values) != info.ndim or not all(isinstance(n, ir.prim.IntImm) for n in values):
        raise Refusal(
            f"tvm: {subject} is {info.shape}, its extents must be numbers: presil compiles for "
            f"fixed shapes; {HOW_TO_FIX_SHAPES}"
        )
    return tuple(int(n) for n in values), str(info.dtype)


def dtype_and_shape(expr: Any) -> tuple[str, Any]:
    """Of a tensor's expression."""
    return str(expr.ty.dtype), expr.ty.shape


HOW_TO_FIX_SHAPES = (
    "give shape_dict to the importer, or bind them by relax.transform.BindSymbolicVars"
)


class Numbering:
    """Variables of one function by their number."""

    def __init__(self) -> None:
        self.ids: dict[Any, int] = {}

    def new(self, var: Any) -> int:
        self.ids[var] = len(self.ids)
        return self.ids[var]

    def arg(self, expr: Any) -> Arg:
        if isinstance(expr, ir.Var):
            return Ref(self.ids[expr]) if expr in self.ids else expr
        if isinstance(expr, relax.ExternFunc):
            return str(expr.global_symbol)
        if isinstance(expr, ir.GenericConst):
            return expr.value.numpy()
        if isinstance(expr, ir.Tuple):
            return tuple(self.arg(one) for one in expr.fields)
        return plain(expr)


def plain(value: Any) -> Any:
    """What an operator is told, as Python has it."""
    if isinstance(value, relax.ShapeExpr):
        return tuple(plain(n) for n in value.values)
    if isinstance(value, (ir.prim.IntImm, ir.prim.FloatImm, ir.StringImm)):
        return value.value
    if isinstance(value, Sequence) and not isinstance(value, str):
        return tuple(plain(one) for one in value)
    return value


def fields_of(attrs: Any) -> dict[str, Any]:
    """Attributes of a call by their names."""
    if attrs is None:
        return {}
    names = [field.name for field in type(attrs).__tvm_ffi_type_info__.fields]
    return {name: plain(getattr(attrs, name)) for name in names}


def body_of(function: relax.Function, name: str) -> Body:
    """Refuses a function whose shapes are open, or whose body is no list of bindings."""
    numbers = Numbering()
    params = []
    for var in function.params:
        shape, dtype = shape_of(var, f"parameter '{var.name}' of '{name}'")
        params.append(Edge(numbers.new(var), var.name, shape, dtype))
    if not isinstance(function.body, relax.SeqExpr):
        raise Refusal(f"tvm: '{name}' must be normalised: relax.transform.Normalize() does it")
    nodes = []
    for number, block in enumerate(function.body.blocks):
        fixed = "" if isinstance(block, relax.DataflowBlock) else "it is in no dataflow block"
        for binding in block.bindings:
            node = node_of(binding, numbers, name)
            node.block, node.fixed = number, fixed
            nodes.append(node)
    last = function.body.body
    ends = list(last.fields) if isinstance(last, ir.Tuple) else [last]
    return Body(name, params, nodes, [numbers.ids[end] for end in ends if end in numbers.ids])


def node_of(binding: Any, numbers: Numbering, function: str) -> Node:
    var, value = binding.var, binding.value
    shape, dtype = shape_of(var, f"'{var.name}' of '{function}'")
    op, attrs, args = "", {}, ()
    if isinstance(value, ir.Call) and isinstance(value.op, ir.Op):
        op = value.op.name.removeprefix("relax.")
        args = tuple(numbers.arg(one) for one in value.args)
        attrs = fields_of(value.attrs)
    elif isinstance(value, ir.TupleGetItem):
        op, args, attrs = "tuple_get", (numbers.arg(value.tuple_value),), {"index": value.index}
    elif isinstance(value, ir.Tuple):
        op, args = "tuple", tuple(numbers.arg(one) for one in value.fields)
    elif isinstance(value, ir.Var):
        op, args = "identity", (numbers.arg(value),)
    elif isinstance(value, ir.GenericConst):
        op, args = "constant", (value.value.numpy(),)
    else:
        args = tuple(numbers.arg(v) for v in relax.analysis.free_vars(value))
    id = numbers.new(var)
    return Node(id, var.name, op, args, attrs, shape, dtype, binding=binding)
