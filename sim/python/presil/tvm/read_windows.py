"""Operators that move a window over an image."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from .epilogue import Epilogue, epilogue, integer_bias, real_epilogue, take
from .nodes import Node, Shape
from .reader import Reader, reads, require
from .values import Value


def image_of(r: Reader, value: Value, layout: str) -> Value:
    """The value as N, H, W, C; layout: what Relax calls its axes."""
    require(layout in ("NHWC", "NCHW"), f"its layout is {layout}, must be NHWC or NCHW")
    require(len(value.shape) == 4, "x must have 4 axes: an image")
    return r.image(value) if layout == "NCHW" else r.plain(value)


def window(node: Node, attrs: dict[str, Any]) -> dict[str, int]:
    top, left, bottom, right = attrs["padding"]
    return {
        "stride_h": attrs["strides"][0],
        "stride_w": attrs["strides"][1],
        "pad_top": top,
        "pad_left": left,
        "pad_bottom": bottom,
        "pad_right": right,
    }


def ordered(weights: Value, layout: str, order: str) -> Value:
    """Weights with their axes in another order, as "OHWI"."""
    require(sorted(layout) == sorted(order), f"kernel layout {layout} is not supported")
    assert weights.data is not None
    perm = [layout.index(axis) for axis in order]
    steps = weights.steps
    if steps is not None and not steps.single:
        steps = replace(steps, axis=perm.index(steps.axis % 4))
    data = np.ascontiguousarray(weights.data.transpose(perm))
    return replace(weights, shape=data.shape, data=data, steps=steps)


@reads("nn.conv2d")
def conv2d(r: Reader, node: Node) -> Value:
    a = node.attrs
    x, w = r.value(node.args[0]), r.known(node.args[1], "its weights")
    require(a["out_layout"] in ("", a["data_layout"]), "its result has another layout than x")
    image = image_of(r, x, a["data_layout"])
    weights = ordered(w, a["kernel_layout"], "OHWI")
    out, height, width, inner = weights.shape
    channels = x.shape[a["data_layout"].index("C")]
    groups = int(a["groups"])
    fits = inner * groups == channels and out % groups == 0
    require(fits, "x has other channels than weights of its groups")
    attributes = window(node, a)
    attributes.update(dilation_h=a["dilation"][0], dilation_w=a["dilation"][1])
    kind = "conv2d"
    if groups == channels and groups > 1:
        kind, weights = "depthwise_conv2d", ordered(weights, "OHWI", "IHWO")
        attributes["multiplier"] = out // channels
    else:
        attributes["groups"] = groups
    return weighted(r, node, kind, image, weights, attributes, out)


@reads("nn.conv2d_transpose")
def conv2d_transpose(r: Reader, node: Node) -> Value:
    a = node.attrs
    x, w = r.value(node.args[0]), r.known(node.args[1], "its weights")
    require(a["groups"] == 1, "its groups must be 1")
    require(tuple(a["dilation"]) == (1, 1), "it is dilated")
    image = image_of(r, x, a["data_layout"])
    weights = ordered(w, a["kernel_layout"], "OHWI")
    attributes = window(node, a)
    more = a["output_padding"]
    attributes["pad_bottom"] -= more[0]
    attributes["pad_right"] -= more[1]
    return weighted(r, node, "transpose_conv2d", image, weights, attributes, weights.shape[0])


def weighted(
    r: Reader, node: Node, kind: str, x: Value, w: Value, attributes: dict[str, Any], width: int
) -> Value:
    """The operator on stored values, with what follows it; on real numbers where it is not so."""
    nhwc = x.nhwc
    found = integer_epilogue(r, node, x, w, width)
    if found is not None and found.steps is not None:
        assert x.steps is not None
        data, steps = w.stored()
        bias = integer_bias(found, x.steps, steps, width)
        weights = r.tensor(replace(w, data=data, steps=steps))
        take(r, found)
        given = [r.tensor(x), weights, None if bias is None else r.builder.constant(bias)]
        tensor = r.add(kind, given, {**attributes, "act": found.act}, found.steps.signed().type())
        return result_of(r, found, tensor, node.shape, nhwc)
    found = real_epilogue(r, node, width)
    take(r, found)
    bias = None if found.row is None else found.row.real().reshape(width).astype(np.float32)
    real = r.real(x)
    weights = r.builder.constant(w.real().astype(np.float32))
    given = [r.tensor(real), weights, None if bias is None else r.builder.constant(bias)]
    return Value(node.shape, r.add(kind, given, {**attributes, "act": found.act}), nhwc=nhwc)


def integer_epilogue(r: Reader, node: Node, x: Value, w: Value, width: int) -> Epilogue | None:
    """What follows an operator whose operands are stored values of bytes; None: they are not."""
    if not (x.quantized and w.quantized and x.steps is not None and w.steps is not None):
        return None
    found = epilogue(r, node, width)
    if found is None or found.steps is None or w.data is None:
        return None
    if found.steps.signed().dtype != x.steps.signed().dtype or w.data.dtype not in BYTES:
        return None
    if not w.steps.single and any(z != 0 for z in w.stored()[1].zero):
        return None
    return found


BYTES = (np.int8, np.uint8)


def result_of(r: Reader, found: Epilogue, tensor: Any, shape: Shape, nhwc: bool) -> Value:
    assert found.steps is not None
    steps = found.steps.signed()
    return Value(shape, tensor, steps=steps, nhwc=nhwc, unsigned=found.unsigned)


def pool_attributes(node: Node, x: Shape) -> dict[str, Any]:
    """x: the shape of what is read, as Relax has it."""
    a = node.attrs
    require(tuple(a["dilation"]) == (1, 1), "its dilation must be 1: a pool has none")
    if a["ceil_mode"]:
        extents = [x[a["layout"].index(axis)] for axis in "HW"]
        for k, extent in enumerate(extents):
            padded = extent + a["padding"][k] + a["padding"][k + 2] - a["pool_size"][k]
            require(padded % a["strides"][k] == 0, "ceil_mode is set where it adds pixels")
    return {"kernel_h": a["pool_size"][0], "kernel_w": a["pool_size"][1], **window(node, a)}


@reads("nn.max_pool2d")
def max_pool2d(r: Reader, node: Node) -> Value:
    x = r.value(node.args[0])
    image = image_of(r, x, node.attrs["layout"])
    tensor = r.add("max_pool2d", [r.tensor(image)], pool_attributes(node, x.shape))
    return replace(image, shape=node.shape, tensor=tensor)


@reads("nn.avg_pool2d")
def avg_pool2d(r: Reader, node: Node) -> Value:
    x = r.value(node.args[0])
    padded = any(node.attrs["padding"])
    require(not padded or not node.attrs["count_include_pad"], "it counts what is padded")
    found = epilogue(r, node) if x.quantized and r.integer_functions else None
    if found is not None and found.steps is not None and found.steps.signed() == x.steps:
        image = image_of(r, x, node.attrs["layout"])
        take(r, found)
        attributes = {**pool_attributes(node, x.shape), "act": found.act}
        tensor = r.add("average_pool2d", [r.tensor(image)], attributes)
        return result_of(r, found, tensor, node.shape, image.nhwc)
    image = image_of(r, r.real(x), node.attrs["layout"])
    require(image.tensor is not None and image.tensor.type.dtype == "float32", "x is no float32")
    tensor = r.add("average_pool2d", [r.tensor(image)], pool_attributes(node, x.shape))
    return replace(image, shape=node.shape, tensor=tensor)


@reads("nn.adaptive_avg_pool2d")
def adaptive_avg_pool2d(r: Reader, node: Node) -> Value:
    layout = node.attrs["layout"]
    size = [node.shape[layout.index(axis)] for axis in "HW"]
    require(size == [1, 1], "it gives more than one pixel, must be the mean of all")
    x = r.value(node.args[0])
    found = epilogue(r, node) if x.quantized else None
    whole = found is not None and found.steps is not None and found.act == "none"
    image = image_of(r, x if whole else r.real(x), layout)
    how = {"axes": [1, 2], "keep_dims": True}
    if found is not None and found.steps is not None and whole:
        take(r, found)
        tensor = r.add("mean", [r.tensor(image)], how, found.steps.signed().type())
        return result_of(r, found, tensor, node.shape, image.nhwc)
    return replace(image, shape=node.shape, tensor=r.add("mean", [r.tensor(image)], how))


@reads("image.resize2d")
def resize2d(r: Reader, node: Node) -> Value:
    a = node.attrs
    x = r.value(node.args[0])
    layout = a["layout"]
    sizes = [(x.shape[layout.index(axis)], node.shape[layout.index(axis)]) for axis in "HW"]
    place, method = a["coordinate_transformation_mode"], a["method"]
    how = {"half_pixel_centers": place == "half_pixel", "align_corners": place == "align_corners"}
    if method == "nearest_neighbor":
        whole = all(after % before == 0 for before, after in sizes)
        corner = place == "asymmetric" and a["rounding_method"] in ("floor", "")
        by_pixel = place == "half_pixel" and a["rounding_method"].startswith("round") and whole
        require(corner or by_pixel, f"nearest by {place} and {a['rounding_method']}")
        image = image_of(r, x, layout)
        how = {"half_pixel_centers": False, "align_corners": False}
        return resized(r, node, image, "resize_nearest", how)
    known = ("half_pixel", "align_corners", "asymmetric")
    require(method == "linear" and place in known, f"method is {method} by {place}")
    return resized(r, node, image_of(r, r.real(x), layout), "resize_bilinear", how)


def resized(r: Reader, node: Node, image: Value, kind: str, how: dict[str, bool]) -> Value:
    assert image.tensor is not None
    layout = node.attrs["layout"]
    shape = tuple(node.shape[layout.index(axis)] for axis in "NHWC")
    tensor = r.add(kind, [image.tensor], how, replace(image.tensor.type, shape=shape))
    return replace(image, shape=node.shape, tensor=tensor)
