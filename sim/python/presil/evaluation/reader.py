"""Samples of a data set as a network's input: images, pixels and arrays, real values, windows."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from ..fitting import fitted
from ..inputs import ImageOptions, is_image, quantise, read_image
from ..refusal import Refusal
from .arrays import array_of
from .boxes import size_of
from .dataset import Item


@dataclass(frozen=True)
class Reader:
    """How files become the input `tensor`.

    dtype: of raw files whose names say none; empty: the input's own. window: a sample is longer
    than the input, which sees it in windows that many values apart; 0: it is not.
    """

    tensor: dict[str, Any]
    image: ImageOptions
    dtype: str = ""
    window: int = 0

    def read(self, item: Item) -> np.ndarray:
        """The inputs of a sample, [n, ...]: one, or as many as it has windows."""
        if is_image(item.file):
            return read_image(Path(item.file), self.tensor, self.image)
        return self.converted(self.values(item), item)

    def real(self, item: Item, given: np.ndarray) -> np.ndarray:
        """The same as real values: those of a file of floats, else what `given` stands for."""
        values = None if is_image(item.file) else self.values(item)
        if values is not None and values.dtype.kind == "f":
            return values.astype(np.float64).reshape([len(given), -1])
        values = given.astype(np.float64).reshape([len(given), -1])
        if self.tensor["scales"]:
            values = (values - self.tensor["zero_points"][0]) * self.tensor["scales"][0]
        return values

    def values(self, item: Item) -> np.ndarray:
        """What its array file holds of a sample, in windows if it is seen so."""
        array = array_of(item.file, self.dtype or self.tensor["dtype"])
        if item.index is not None:
            if item.index >= len(array):
                raise Refusal(
                    f"eval: '{item.file}' holds {len(array)} samples, index {item.index} is beyond"
                )
            array = array[item.index]
        return self.windows(array, item) if self.window else array

    def windows(self, array: np.ndarray, item: Item) -> np.ndarray:
        shape = self.tensor["shape"]
        length, values = math.prod(shape), array.reshape(-1)
        if len(values) < length:
            raise Refusal(
                f"eval: '{item.name}' has {len(values)} values, must have {length} for a window"
            )
        cut = np.lib.stride_tricks.sliding_window_view(values, length)[:: self.window]
        return cut.reshape([-1, *shape[1:]])

    def converted(self, array: np.ndarray, item: Item) -> np.ndarray:
        """As the input's type: of uint8 pixels, of floats the quantised values."""
        tensor, options = self.tensor, self.image
        dtype = np.dtype(tensor["dtype"])
        if array.dtype == np.uint8 and (dtype != np.uint8 or options.scale is not None):
            array = quantise(self.as_input(array), tensor, options)
        elif array.dtype.kind == "f" and dtype.kind in "iu" and tensor["scales"]:
            real = array.astype(np.float64) / tensor["scales"][0]
            limits = np.iinfo(dtype)
            array = np.clip(np.rint(real) + tensor["zero_points"][0], limits.min, limits.max)
            array = array.astype(dtype)
        elif array.dtype.kind == "f" and dtype.kind == "f":
            array = array.astype(dtype)
        return fitted(self.as_input(array), tensor, "eval", f"'{item.name}'")

    def as_input(self, array: np.ndarray) -> np.ndarray:
        """Pixels N, H, W, C for an input N, C, H, W; a row of values in the input's shape."""
        shape = list(self.tensor["shape"])
        if len(shape) == 4 and self.image.layout == "nchw":
            here = [shape[2], shape[3], shape[1]]
            if list(array.shape[-3:]) == here and here != shape[1:]:
                return np.moveaxis(array, -1, -3)
        if array.size == math.prod(shape):
            bare = [n for n in array.shape if n != 1]
            if array.ndim == 1 or bare == [n for n in shape if n != 1]:
                return array.reshape(shape)
        return array

    def original(self, item: Item, rows: np.ndarray) -> np.ndarray:
        """Boxes [n, 6] in pixels of the input, in pixels of the image as it was."""
        if not is_image(item.file) or not len(rows):
            return rows
        shape = self.tensor["shape"]
        height, width = shape[2:] if self.image.layout == "nchw" else shape[1:3]
        own_width, own_height = size_of(item.file)
        left = top = 0
        seen_width, seen_height = width, height
        if self.image.letterbox is not None:
            ratio = min(width / own_width, height / own_height)
            seen_width = max(1, round(own_width * ratio))
            seen_height = max(1, round(own_height * ratio))
            left, top = (width - seen_width) // 2, (height - seen_height) // 2
        moved = rows.astype(np.float64)
        moved[:, [0, 2]] = (moved[:, [0, 2]] - left) * own_width / seen_width
        moved[:, [1, 3]] = (moved[:, [1, 3]] - top) * own_height / seen_height
        return moved


def reader_of(inputs: list[dict[str, Any]], image: ImageOptions, dtype: str, window: int) -> Reader:
    """For a network of one input. An input N, C, H, W is told by its second axis of 1 or 3."""
    if len(inputs) != 1:
        names = ", ".join(f"'{t['name']}'" for t in inputs)
        raise Refusal(f"eval: the network has {len(inputs)} inputs ({names}), must have one")
    tensor = inputs[0]
    shape = tensor["shape"]
    if len(shape) == 4 and shape[1] in (1, 3) and shape[3] not in (1, 3):
        image = replace(image, layout="nchw")
    return Reader(tensor, image, checked_type(dtype), window)


def checked_type(dtype: str) -> str:
    if not dtype:
        return ""
    try:
        kind = str(np.dtype(dtype).kind)
    except TypeError:
        kind = ""
    if kind not in ("i", "u", "f"):
        raise Refusal(f"eval: --dtype is '{dtype}', expected a type of numbers, such as float32")
    return str(np.dtype(dtype))
