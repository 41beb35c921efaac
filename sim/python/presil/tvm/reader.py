"""Relax operators to a presil graph: the reader that conversions of operators work with."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np

from ..builder import Builder
from ..graph_builder import Tensor, Type
from ..network import Network
from ..refusal import Refusal
from .nodes import Arg, Body, Edge, Node, Ref, Shape
from .steps_of import steps_of_variables
from .values import LIMITS, Steps, Value, moves_nothing, to_nhwc

Results = Value | list[Value]
Conversion = Callable[["Reader", Node], Results]
CONVERSIONS: dict[str, Conversion] = {}
"""By Relax operator: what it becomes."""
NUMERICS = ("onnx", "tflite", "xnnpack")
DETECTED = 2
"""Results of decoding: detections, count."""


class NotTaken(Exception):
    """Why presil does not take an operator, a part of a sentence."""


def reads(*ops: str) -> Callable[[Conversion], Conversion]:
    """Registers the conversion of operators."""

    def register(conversion: Conversion) -> Conversion:
        CONVERSIONS.update(dict.fromkeys(ops, conversion))
        return conversion

    return register


def require(holds: Any, why: str) -> None:
    if not holds:
        raise NotTaken(why)


@dataclass
class Region:
    """What a reader has made: the network, which nodes each of its operators computes, and nodes
    that it could not take, with the reason."""

    network: Network | None
    sources: dict[str, list[int]]
    inputs: list[int]
    outputs: list[int | None]
    """Of the network, by variable; None: nothing reads it."""
    refused: dict[int, str]


class Asked(Protocol):
    """What a reader is told (options.Options). customs: functions of other names that kernels of
    the user compute; post: what decodes boxes, or empty."""

    @property
    def numerics(self) -> str: ...
    @property
    def customs(self) -> Collection[str]: ...
    @property
    def post(self) -> str: ...


class Reader:
    """Reads nodes of a function into one graph.

    taken: the nodes that are to be read; what others make is an input of the graph, what they or
      the function's end read is an output.
    options: what was asked; `numerics`: 'onnx', real numbers between dequantize and quantize as
      Relax says, rounded half to even; 'tflite' and 'xnnpack', where TFLite has an integer operator
      it is that.
    known: what `known_values` has found in the function; None: it is asked here.
    """

    def __init__(
        self,
        body: Body,
        taken: Collection[int],
        options: Asked,
        name: str,
        known: dict[int, Value] | None = None,
    ) -> None:
        self.body = body
        self.customs = options.customs
        self.post = options.post
        self.heads: list[int] = []
        """What boxes are decoded from: variables that are the first outputs."""
        self.detected: dict[int, int] = {}
        """Variables of what is decoded: the position after the other outputs."""
        self.taken = set(taken)
        self.integer_functions = options.numerics != "onnx"
        self.ties_up = options.numerics == "tflite"
        self.builder = Builder(name, "tflite" if self.ties_up else "xnnpack")
        self.values: dict[int, Results] = {}
        self.refused: dict[int, str] = {}
        self.sources: dict[str, list[int]] = {}
        self.inputs: list[int] = []
        self.done: set[int] = set()
        """Nodes that another has taken with it."""
        self.node: Node | None = None
        self.with_node: list[int] = []
        """Further nodes that what is added now computes."""
        self.steps = steps_of_variables(body)
        self.edges = {edge.id: edge for edge in body.params}
        self._plain: dict[int, Value] = {}
        self._image: dict[int, Value] = {}
        self._real: dict[int, Value] = {}
        self._constants = known_values(body) if known is None else known

    # ---- what a conversion asks

    def value(self, arg: Arg) -> Value:
        """An operand: a tensor of the graph, or a known array."""
        if isinstance(arg, np.ndarray):
            return Value(arg.shape, data=arg)
        if isinstance(arg, (int, float)) and not isinstance(arg, bool):
            return Value((), data=np.float32(arg).reshape(()))
        assert isinstance(arg, Ref)
        found = self.values.get(arg.id)
        if found is None:
            found = self._constants.get(arg.id)
            if found is not None:
                self.with_node.append(arg.id)
        if found is None:
            found = self._input(arg.id)
        assert isinstance(found, Value)
        return found

    def known(self, arg: Arg, what: str) -> Value:
        value = self.value(arg)
        require(value.known, f"{what} must be constants")
        return value

    def known_arg(self, arg: Arg) -> Value | None:
        """A constant operand; None: it is computed."""
        if isinstance(arg, np.ndarray):
            return Value(arg.shape, data=arg)
        return self._constants.get(arg.id) if isinstance(arg, Ref) else None

    def plain(self, value: Value) -> Value:
        """With its axes in Relax's order."""
        if not value.nhwc:
            return value
        assert value.tensor is not None
        made = self._plain.get(value.tensor.id)
        if made is None:
            made = self._turned(value, (0, 3, 1, 2), value.shape)
            self._plain[value.tensor.id] = made
            self._image[made.tensor.id] = value
        return replace(made, quantized=value.quantized)

    def image(self, value: Value) -> Value:
        """Of four axes N, C, H, W: as N, H, W, C."""
        if value.nhwc:
            return value
        if value.data is not None:
            turned = np.ascontiguousarray(value.data.transpose(0, 2, 3, 1))
            return replace(value, data=turned, nhwc=True)
        assert value.tensor is not None
        made = self._image.get(value.tensor.id)
        if made is None:
            made = self._turned(value, (0, 2, 3, 1), to_nhwc(value.shape))
            self._image[value.tensor.id] = made
            self._plain[made.tensor.id] = value
        return replace(made, quantized=value.quantized)

    def real(self, value: Value) -> Value:
        """As real numbers, where it is stored values."""
        if not value.quantized:
            return value
        if value.data is not None:
            return Value(value.shape, data=value.real(), nhwc=value.nhwc)
        assert value.tensor is not None
        made = self._real.get(value.tensor.id)
        if made is None:
            tensor = self.add("dequantize", [value.tensor], {}, Type("float32"))
            made = replace(value, tensor=tensor, steps=None, quantized=False, unsigned=False)
            self._real[value.tensor.id] = made
        return made

    def tensor(self, value: Value) -> Tensor:
        """Of the graph; a known value becomes a constant."""
        if value.tensor is not None:
            return value.tensor
        assert value.data is not None
        if value.quantized:
            data, steps = value.stored()
            zero = steps.zero[0] if steps.single else list(steps.zero)
            scale = steps.scale[0] if steps.single else steps.scale
            return self.builder.constant(data, scale, zero, steps.axis)
        return self.builder.constant(value.data)

    def only_user(self, id: int) -> Node | None:
        """The one node that reads a variable, if it is taken here and nothing else sees it."""
        users = self.body.users.get(id, [])
        if len(users) != 1 or users[0] not in self.taken or id in self.body.outputs:
            return None
        return self.body.by_id[users[0]]

    def add(
        self,
        kind: str,
        inputs: Iterable[Tensor | np.ndarray | None],
        attributes: dict[str, Any] | None = None,
        out: Type | None = None,
    ) -> Tensor:
        """Adds an operator that computes the node being read."""
        assert self.node is not None
        base = self.node.name
        name, k = base, 1
        while name in self.builder._names:
            k += 1
            name = f"{base}.{k}"
        made = self.builder.op(kind, list(inputs), attributes or {}, out, name)
        self.sources[name] = [self.node.id, *self.with_node]
        return made

    def absorb(self, nodes: Iterable[int]) -> None:
        """Takes further nodes with the one being read."""
        for node in nodes:
            self.with_node.append(node)
            self.done.add(node)

    # ---- the whole

    def read(self) -> Region:
        """Every taken node, or why it cannot be; then the outputs."""
        for node in self.body.nodes:
            if node.id not in self.taken or node.id in self.done or node.id in self._constants:
                continue
            try:
                self._read(node)
            except (NotTaken, Refusal) as why:
                self.refused[node.id] = str(why)
                self.taken.discard(node.id)
        return self._finish()

    def _read(self, node: Node) -> None:
        conversion = CONVERSIONS.get(node.op)
        require(conversion is not None, "presil has no such operator")
        done = set(self.done)
        self.node, self.with_node = node, []
        results: Results | None = None
        try:
            results = conversion(self, node)
        finally:
            if results is None:
                self.done = done
        last = next((n for n in reversed(self.with_node) if n in self.done), node.id)
        self.values[last] = results
        self.node = None

    def _input(self, id: int) -> Value:
        """A value from outside of the graph."""
        edge = self.edges.get(id)
        if edge is None:
            node = self.body.by_id[id]
            edge = Edge(id, node.name, node.shape, node.dtype)
        steps = self.steps.get(id)
        scale, zero = (steps.scale[0], steps.zero[0]) if steps else (None, 0)
        tensor = self.builder.input(edge.name, edge.shape, edge.dtype, scale, zero)
        value = Value(edge.shape, tensor, steps=steps)
        if edge.dtype == "uint8" and steps is not None:
            signed = steps.signed()
            name = f"{edge.name}/int8"
            tensor = self.builder.op("quantize", [tensor], {}, signed.type(), name)
            value = replace(value, tensor=tensor, steps=signed, unsigned=True)
            self.sources[name] = []
        self.inputs.append(id)
        self.values[id] = value
        return value

    def _finish(self) -> Region:
        outputs: list[int | None] = []
        used: set[int] = set()
        rest = [id for id in self.body.by_id if id not in self.heads and self._seen_outside(id)]
        for id in [*self.heads, *rest]:
            value = self.values.get(id)
            if value is None or id in self.inputs or id in self.detected:
                continue
            assert isinstance(value, Value)
            self.node, self.with_node = self.body.by_id[id], []
            tensor = self._output(value)
            if tensor.id in used:
                tensor = self.add("reshape", [tensor], {}, replace(tensor.type))
            used.add(tensor.id)
            outputs.append(id)
            self.builder.output(tensor)
        network = self.builder.build() if outputs else None
        if network is not None and self.heads:
            network.classes = network.graph.attach_post(self.post)
            made = {position: id for id, position in self.detected.items()}
            outputs += [made.get(position) for position in range(DETECTED)]
        return Region(network, self.sources, self.inputs, outputs, self.refused)

    def _seen_outside(self, id: int) -> bool:
        users = self.body.users.get(id, [])
        return id in self.body.outputs or any(user not in self.taken for user in users)

    def _output(self, value: Value) -> Tensor:
        value = self.real(self.plain(value))
        tensor = self.tensor(value)
        if value.unsigned and value.steps is not None:
            signed = value.steps
            unsigned = Type("uint8", signed.scale[0], signed.zero[0] + 128)
            tensor = self.add("quantize", [tensor], {}, unsigned)
        made_here = tensor.name in self.sources and self.sources[tensor.name] != []
        if not made_here:
            tensor = self.add("reshape", [tensor], {}, tensor.type)
        return tensor

    def _turned(self, value: Value, perm: Shape, shape: Shape) -> Value:
        assert value.tensor is not None
        if moves_nothing(value.shape):
            kind = replace(value.tensor.type, shape=shape)
            tensor = self.add("reshape", [value.tensor], {}, kind)
        else:
            tensor = self.add("transpose", [value.tensor], {"perm": list(perm)})
        return replace(value, tensor=tensor, nhwc=perm == (0, 2, 3, 1))


def known_values(body: Body) -> dict[int, Value]:
    """Nodes whose operands are constants, computed here: moves of stored weights keep them so."""
    known: dict[int, Value] = {}

    def of(arg: Arg) -> Value | None:
        if isinstance(arg, np.ndarray):
            return Value(arg.shape, data=arg)
        if isinstance(arg, float):
            return Value((), data=np.asarray(arg, np.float32))
        return known.get(arg.id) if isinstance(arg, Ref) else None

    for node in body.nodes:
        compute = KNOWN.get(node.op)
        x = of(node.args[0]) if node.args and compute else None
        if compute is not None and x is not None:
            value = compute(x, node, of)
            if value is not None:
                known[node.id] = value
    return known


def moved(x: Value, data: np.ndarray, axis: int | None) -> Value | None:
    """A known value with its elements elsewhere; axis: where that of its scales lies now."""
    steps = x.steps
    if steps is not None and not steps.single:
        if axis is None:
            return None
        steps = replace(steps, axis=axis)
    return replace(x, shape=data.shape, data=np.ascontiguousarray(data), steps=steps)


def _reshape(x: Value, node: Node, _: Any) -> Value | None:
    assert x.data is not None
    axis = None
    if x.steps is not None and not x.steps.single:
        axis = axis_after_reshape(x.shape, node.shape, x.steps.axis)
    return moved(x, x.data.reshape(node.shape), axis)


def axis_after_reshape(before: Shape, after: Shape, axis: int) -> int | None:
    """The axis that holds the same elements after a reshape; None: there is none."""
    axis %= len(before)
    in_front = int(np.prod(before[:axis], initial=1))
    for k, extent in enumerate(after):
        if extent == before[axis] and int(np.prod(after[:k], initial=1)) == in_front:
            return k
    return None


def _permute(x: Value, node: Node, _: Any) -> Value | None:
    assert x.data is not None
    axes = node.attrs.get("axes") or tuple(reversed(range(len(x.shape))))
    axis = None if x.steps is None else list(axes).index(x.steps.axis % len(x.shape))
    return moved(x, x.data.transpose(axes), axis)


def _dequantize(x: Value, node: Node, of: Any) -> Value | None:
    steps = steps_of(node, of)
    if steps is None or x.data is None:
        return None
    return replace(x, steps=replace(steps, dtype=str(x.data.dtype)), quantized=True)


def steps_of(node: Node, of: Callable[[Arg], Value | None]) -> Steps | None:
    """Of a quantize or dequantize; None: they are computed, or no number that steps can be."""
    scale, zero = of(node.args[1]), of(node.args[2])
    if scale is None or zero is None or scale.data is None or zero.data is None:
        return None
    scales = tuple(float(s) for s in np.atleast_1d(scale.data).ravel())
    zeros = tuple(int(z) for z in np.atleast_1d(zero.data).ravel())
    if len(zeros) == 1:
        zeros = zeros * len(scales)
    if len(zeros) != len(scales) or not all(0 < s < float("inf") for s in scales):
        return None
    dtype = node.dtype if node.dtype in LIMITS else ""
    axis = int(node.attrs.get("axis", -1)) if len(scales) > 1 else -1
    return Steps(dtype, scales, zeros, axis)


def _isnan(x: Value, node: Node, _: Any) -> Value | None:
    return Value(x.shape, data=np.isnan(x.real()))


def _where(x: Value, node: Node, of: Any) -> Value | None:
    a, b = of(node.args[1]), of(node.args[2])
    if a is None or b is None or x.data is None:
        return None
    data = np.where(x.data, a.real(), b.real())
    return Value(data.shape, data=data)


def _folded(compute: Callable[..., Any]) -> Callable[[Value, Node, Any], Value | None]:
    """Arithmetic of real constants, as a normalisation's is."""

    def fold(x: Value, node: Node, of: Any) -> Value | None:
        others = [of(arg) for arg in node.args[1:]]
        if any(other is None for other in others) or x.real().dtype != np.float32:
            return None
        data = compute(x.real(), *(other.real() for other in others)).astype(np.float32)
        return Value(data.shape, data=data)

    return fold


KNOWN: dict[str, Callable[[Value, Node, Any], Value | None]] = {
    "reshape": _reshape,
    "expand_dims": _reshape,
    "squeeze": _reshape,
    "permute_dims": _permute,
    "dequantize": _dequantize,
    "constant": lambda x, node, of: x,
    "isnan": _isnan,
    "where": _where,
    "add": _folded(np.add),
    "subtract": _folded(np.subtract),
    "multiply": _folded(np.multiply),
    "divide": _folded(np.divide),
    "sqrt": _folded(np.sqrt),
    "rsqrt": _folded(lambda x: 1 / np.sqrt(x)),
    "negative": _folded(np.negative),
}
