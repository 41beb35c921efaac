"""An array is samples of a tensor as it is, or is refused: nothing is reshaped or converted that
that was not asked for. A scrambled image would be computed exactly, and mean nothing."""

from __future__ import annotations

from typing import Any

import numpy as np

from .refusal import Refusal

LAYOUTS = ("nhwc", "nchw")


def fitted(
    array: np.ndarray, tensor: dict[str, Any], what: str, source: str, layout: str = "nhwc"
) -> np.ndarray:
    """Samples on the first axis, which is a multiple of the tensor's.

    Taken are the tensor's type and shape; several samples on the first axis, or on one more in
    front; without a first axis of one; of a scalar, a vector of samples. layout: 'nchw' turns
    N, C, H, W into a tensor of four axes.
    what, source: component and array, as a refusal names them.
    """
    dtype, shape = np.dtype(tensor["dtype"]), list(tensor["shape"])
    if array.dtype != dtype:
        raise Refusal(
            f"{what}: {source} holds {array.dtype}, expected {dtype} for '{tensor['name']}'; "
            f"{as_type(array.dtype, tensor)}"
        )
    turned = layout == "nchw" and len(shape) == 4
    expected = [shape[0], shape[3], shape[1], shape[2]] if turned else shape
    samples = stacked(array, expected)
    if samples is None:
        raise Refusal(
            f"{what}: {source} has shape {list(array.shape)}, expected {expected} for "
            f"'{tensor['name']}', or a multiple of its first axis for several samples; "
            + other_layout(array, shape, turned)
        )
    return np.ascontiguousarray(samples.transpose(0, 2, 3, 1) if turned else samples)


def stacked(array: np.ndarray, shape: list[int]) -> np.ndarray | None:
    """With the samples on the first axis; None: the array holds no samples of this shape."""
    got = list(array.shape)
    if not array.size:
        return None
    if not shape:  # a scalar: the samples are the first axis
        return array.reshape(-1) if array.ndim <= 1 else None
    if got[1:] == shape[1:] and len(got) == len(shape) and got[0] % shape[0] == 0:
        return array
    if shape[0] == 1 and got == shape[1:]:
        return array[np.newaxis]
    if got[1:] == shape:
        return array.reshape([-1, *shape[1:]])
    return None


def other_layout(array: np.ndarray, shape: list[int], turned: bool) -> str:
    """The end of a refusal: what to do about a shape."""
    if turned:
        return "--layout nchw says that its axes are N, C, H, W; leave it out where they are not"
    if len(shape) == 4 and stacked(array, [shape[0], shape[3], shape[1], shape[2]]) is not None:
        return (
            "where its axes are N, C, H, W, give --layout nchw, or in Python "
            f"x{'' if array.ndim == 4 else '[None]'}.transpose(0, 2, 3, 1)"
        )
    return "axes are neither exchanged nor cut; bring it into this shape"


def as_type(got: np.dtype, tensor: dict[str, Any]) -> str:
    """The end of a refusal: how values of another type become the tensor's."""
    dtype = np.dtype(tensor["dtype"])
    whole = dtype.kind in "iu"
    if whole and got.kind == "f" and tensor.get("scales"):
        low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
        step, zero = tensor["scales"][0], tensor["zero_points"][0]
        return (
            f"quantise it by the tensor's scale and zero point: np.clip(np.rint(x / {step:.9g}) "
            f"{'-' if zero < 0 else '+'} {abs(zero)}, {low}, {high}).astype('{dtype}')"
        )
    if dtype == np.int8 and got == np.uint8:
        return (
            "pixels 0..255 become it by (x.astype('int16') - 128).astype('int8'), values up to 127 "
            "by x.astype('int8')"
        )
    return f"where its values are meant so, convert it: x.astype('{dtype}')"
