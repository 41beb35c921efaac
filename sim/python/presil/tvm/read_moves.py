"""Operators that move values without looking at them: they work on stored values too."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..graph_builder import Tensor, Type
from .epilogue import epilogue, take
from .nodes import Node, Ref, Shape
from .reader import DETECTED, Reader, Results, reads, require
from .values import Steps, Value, to_nhwc

DETECTIONS = "presil.detections"
OF_IMAGE = (0, 3, 1, 2)


def stored_axis(value: Value, axis: int) -> int:
    """Where an axis of Relax's lies in the tensor."""
    return OF_IMAGE[axis] if value.nhwc else axis


def stored_shape(value: Value, shape: Shape) -> Shape:
    return to_nhwc(shape) if value.nhwc else shape


@reads("reshape", "expand_dims", "squeeze", "flatten")
def reshape(r: Reader, node: Node) -> Value:
    x = r.plain(r.value(node.args[0]))
    require(x.tensor is not None, "x is a constant")
    assert x.tensor is not None
    tensor = r.add("reshape", [x.tensor], {}, replace(x.tensor.type, shape=node.shape))
    return replace(x, shape=node.shape, tensor=tensor)


@reads("permute_dims")
def permute_dims(r: Reader, node: Node) -> Value:
    x = r.value(node.args[0])
    rank = len(x.shape)
    axes = [int(a) % rank for a in node.attrs["axes"] or reversed(range(rank))]
    perm = [stored_axis(x, axis) for axis in axes]
    if perm == sorted(perm):  # the tensor is in that order already
        return replace(x, shape=node.shape, nhwc=False)
    tensor = r.add("transpose", [r.tensor(x)], {"perm": perm})
    return replace(x, shape=node.shape, tensor=tensor, nhwc=False)


@reads("call_dps_packed")
def call_dps_packed(r: Reader, node: Node) -> Results:
    """A function of another name, which a kernel of the user computes on the DSP."""
    name, operands = str(node.args[0]), node.args[1]
    if name == DETECTIONS:
        return detections(r, operands)
    require(node.dtype, "it has several results")
    require(name in r.customs, f"no kernel that was given computes '{name}'")
    given = [r.plain(r.value(arg)) for arg in operands]
    steps = r.steps.get(node.id)
    unsigned = steps is not None and steps.dtype == "uint8"
    require(not unsigned and not any(v.unsigned for v in given), "it is of uint8, must be int8")
    kind = Type(node.dtype) if steps is None else steps.type()
    how = {"code": name, "options": ""}
    tensor = r.add("custom", [r.tensor(v) for v in given], how, replace(kind, shape=node.shape))
    return Value(node.shape, tensor, steps=steps)


@reads("identity")
def identity(r: Reader, node: Node) -> Value:
    return r.value(node.args[0])


@reads("concat")
def concat(r: Reader, node: Node) -> Value:
    require(isinstance(node.args[0], tuple), "its operands are a tuple that is made elsewhere")
    values = [r.value(arg) for arg in node.args[0]]
    axis = int(node.attrs["axis"] or 0) % len(node.shape)
    images = len(node.shape) == 4 and any(value.nhwc for value in values)
    first = values[0]
    real = all(v.quantized and v.steps is not None for v in values)
    stored = real or all(not v.quantized and v.steps is not None for v in values)
    alike = stored and all(v.steps == first.steps for v in values)
    found = epilogue(r, node, limits=False) if real else None
    requantised = found is not None and found.steps is not None
    if found is not None and found.steps is not None:
        steps = found.steps.signed()
        require(steps.dtype == "int8" or alike, "it requantises other than bytes")
        take(r, found)
        values = [requantise(r, value, steps) for value in values]
    elif not alike:
        values = [r.real(value) for value in values]
    values = [r.image(value) if images else r.plain(value) for value in values]
    how = {"axis": stored_axis(values[0], axis)}
    tensor = r.add("concat", [r.tensor(value) for value in values], how)
    result = replace(values[0], shape=node.shape, tensor=tensor, data=None)
    if requantised and found is not None:
        return replace(result, quantized=False, unsigned=found.unsigned)
    return result


def requantise(r: Reader, value: Value, steps: Steps) -> Value:
    if value.steps is not None and value.steps.signed() == steps:
        return replace(value, quantized=False)
    source = value if r.integer_functions else r.real(value)
    tensor = r.add("quantize", [r.tensor(source)], {}, steps.type())
    return replace(value, tensor=tensor, data=None, steps=steps, quantized=False)


def sliced(r: Reader, x: Value, begin: list[int], size: list[int], step: list[int]) -> Tensor:
    """Elements of x; the lists are by Relax's axes."""
    assert x.tensor is not None

    def stored(given: list[int]) -> list[int]:
        order = list(given)
        for axis, value in enumerate(given):
            order[stored_axis(x, axis)] = value
        return order

    how = {"begin": stored(begin), "size": stored(size), "step": stored(step)}
    kind = replace(x.tensor.type, shape=tuple(stored(size)))
    return r.add("strided_slice", [x.tensor], how, kind)


@reads("strided_slice")
def strided_slice(r: Reader, node: Node) -> Value:
    x = r.value(node.args[0])
    require(x.tensor is not None, "x is a constant")
    rank = len(x.shape)
    axes, starts = (tuple(arg) for arg in node.args[1:3])  # where it ends says the result
    steps = tuple(node.args[4]) if len(node.args) > 4 else (1,) * len(axes)
    begin, step = [0] * rank, [1] * rank
    for axis, start, stride in zip(axes, starts, steps, strict=True):
        require(stride > 0, f"its stride is {stride}, must be above 0")
        extent = x.shape[axis % rank]
        begin[axis % rank] = min(max(start + extent if start < 0 else start, 0), extent)
        step[axis % rank] = stride
    require(all(node.shape), "it takes nothing")
    tensor = sliced(r, x, begin, list(node.shape), step)
    return replace(x, shape=node.shape, tensor=tensor)


@reads("split")
def split(r: Reader, node: Node) -> Results:
    x = r.value(node.args[0])
    require(x.tensor is not None, "x is a constant")
    axis = int(node.attrs["axis"]) % len(x.shape)
    given, extent = node.attrs["indices_or_sections"], x.shape[axis]
    if isinstance(given, int):
        each = -(-extent // given)
        given = tuple(range(each, extent, each))
    edges = [0, *(int(index) for index in given), extent]
    parts: list[Value] = []
    for first, last in zip(edges, edges[1:]):
        begin, size = [0] * len(x.shape), list(x.shape)
        begin[axis], size[axis] = first, last - first
        tensor = sliced(r, x, begin, size, [1] * len(size))
        parts.append(replace(x, shape=tuple(size), tensor=tensor))
    return parts


def is_detections(node: Node) -> bool:
    return node.op == "call_dps_packed" and node.args[0] == DETECTIONS


def detections(r: Reader, heads: tuple[Ref, ...]) -> Results:
    """Boxes out of the network's outputs, which are the graph's first ones."""
    require(r.post, "no post file says how boxes are decoded")
    inside = all(ref.id in r.values and ref.id not in r.inputs for ref in heads)
    require(
        inside, "boxes are decoded where the network's outputs are computed, which is elsewhere"
    )
    r.heads = [ref.id for ref in heads]
    return [Value(()) for _ in range(DETECTED)]


@reads("tuple_get")
def tuple_get(r: Reader, node: Node) -> Value:
    parts = r.values.get(node.args[0].id)
    producer = r.body.by_id.get(node.args[0].id)
    if producer is not None and is_detections(producer):
        r.detected[node.id] = node.attrs["index"]
    require(isinstance(parts, list), "its tuple is made elsewhere")
    assert isinstance(parts, list)
    return parts[node.attrs["index"]]


@reads("nn.pad")
def pad(r: Reader, node: Node) -> Value:
    x = r.value(node.args[0])
    require(x.tensor is not None, "x is a constant")
    mode = node.attrs.get("pad_mode", "constant")
    require(mode == "constant", f"its mode is {mode}, must be constant")
    widths = [int(n) for n in node.attrs["pad_width"]]
    value = float(node.attrs.get("pad_value", 0.0))
    steps = x.steps
    if x.quantized and value == 0 and steps is not None:
        filled = steps.zero[0]
    elif steps is not None and not x.quantized:
        filled = int(value) - (128 if x.unsigned else 0)
    else:
        x = r.real(x)
        filled = int(np.float32(value).view(np.int32))
    before, after = [0] * len(x.shape), [0] * len(x.shape)
    for axis in range(len(x.shape)):
        before[stored_axis(x, axis)], after[stored_axis(x, axis)] = widths[2 * axis : 2 * axis + 2]
    how = {"before": before, "after": after, "value": filled}
    return replace(x, shape=node.shape, tensor=r.add("pad", [r.tensor(x)], how))
