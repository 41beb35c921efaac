"""Conversions between real numbers and stored ones."""

from __future__ import annotations

from dataclasses import replace

from .epilogue import limits_of, stored_act
from .nodes import Node
from .read_windows import image_of, pool_attributes
from .reader import Reader, reads, require, steps_of
from .values import LIMITS, Value


@reads("quantize")
def quantize(r: Reader, node: Node) -> Value:
    steps = steps_of(node, r.known_arg)
    require(steps is not None, "its scale or zero point is no constant number")
    assert steps is not None
    require(steps.single, "it has several scales: activations are quantised per tensor")
    require(steps.dtype in LIMITS, f"it gives {node.dtype}, must be int8, uint8 or int16")
    x = r.value(node.args[0])
    require(not x.known, "it quantises a constant")
    signed = steps.signed()
    unsigned = steps.dtype == "uint8"
    if x.quantized and x.steps == signed:
        return replace(x, quantized=False, unsigned=unsigned)  # what dequantize has read
    tensor = r.add("quantize", [r.tensor(x)], {}, signed.type())
    return replace(x, tensor=tensor, steps=signed, quantized=False, unsigned=unsigned)


@reads("dequantize")
def dequantize(r: Reader, node: Node) -> Value:
    steps = steps_of(node, r.known_arg)
    require(steps is not None, "its scale or zero point is no constant number")
    assert steps is not None
    require(steps.single, "it has several scales: activations are quantised per tensor")
    x = r.value(node.args[0])
    require(x.steps is not None, "x is no int8, uint8 or int16")
    assert x.steps is not None
    own = replace(steps, dtype="uint8" if x.unsigned else x.steps.dtype).signed()
    require(own == x.steps, "its scale or zero point is not that of x")
    return replace(x, quantized=True)


@reads("clip", "nn.relu6")
def clip(r: Reader, node: Node) -> Value:
    x = r.value(node.args[0])
    between = limits_of(r, node)
    assert between is not None
    low, high = between
    stored = x.steps is not None and not x.quantized and node.dtype in LIMITS
    if not stored:
        from .read_functions import limited

        return limited(r, node, x, low, high)
    assert x.steps is not None
    outside = replace(x.steps, dtype=node.dtype)
    if x.unsigned:
        outside = replace(outside, zero=(x.steps.zero[0] + 128,))
    act = stored_act(low, high, outside)
    require(act is not None, f"limits {low:g} and {high:g} of stored values are no activation's")
    if act == "none":
        return x
    return replace(x, tensor=r.add(str(act), [r.tensor(x)]))


@reads("astype")
def astype(r: Reader, node: Node) -> Value:
    """Of bytes to int32, their average and back: how TVM's importer of TFLite writes a pool."""
    x = r.value(node.args[0])
    pool = r.only_user(node.id)
    back = r.only_user(pool.id) if pool is not None else None
    whole = pool is not None and back is not None and pool.op == "nn.avg_pool2d"
    outside = "uint8" if x.unsigned else x.tensor.type.dtype if x.tensor else ""
    require(
        whole and back is not None and back.op == "astype" and back.dtype == outside,
        f"it converts x to {node.dtype}, which an average of bytes alone may",
    )
    assert pool is not None and back is not None
    image = image_of(r, x, pool.attrs["layout"])
    attributes = pool_attributes(pool, x.shape)
    if x.unsigned and r.ties_up:
        attributes["ties_up"] = True
    r.absorb([pool.id, back.id])
    tensor = r.add("average_pool2d", [r.tensor(image)], attributes)
    return replace(image, shape=back.shape, tensor=tensor)
