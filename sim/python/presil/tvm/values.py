"""Values of a Relax function while it becomes a presil graph.

Relax computes quantised networks in real numbers between `dequantize` and `quantize`. A value that
`dequantize` has made is kept as the stored one until an operator asks for real numbers. An image
that Relax has as N, C, H, W is N, H, W, C in the graph: a value knows which its tensor is.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..graph_builder import Tensor, Type
from .nodes import Shape

OFFSET = 128
"""Of bytes: the graph has int8 where Relax has uint8, so many less."""
LIMITS = {"int8": (-128, 127), "uint8": (0, 255), "int16": (-32768, 32767)}
"""Least and greatest stored value."""


@dataclass(frozen=True)
class Steps:
    """What stored values mean: scale * (value - zero), one of each, or one per index of `axis`."""

    dtype: str
    scale: tuple[float, ...]
    zero: tuple[int, ...]
    axis: int = -1

    @property
    def single(self) -> bool:
        return len(self.scale) == 1

    def signed(self) -> Steps:
        """The same of int8, where it is of uint8."""
        if self.dtype != "uint8":
            return self
        return replace(self, dtype="int8", zero=tuple(z - OFFSET for z in self.zero))

    def type(self, shape: Shape | None = None) -> Type:
        """As the graph has it."""
        if self.single:
            return Type(self.dtype, self.scale[0], self.zero[0], shape)
        return Type(self.dtype, self.scale, list(self.zero), shape, self.axis)


@dataclass(frozen=True, eq=False)
class Value:
    """A value of Relax: a tensor of the graph, or an array that is known."""

    shape: Shape
    """As in Relax."""
    tensor: Tensor | None = None
    data: np.ndarray | None = None
    steps: Steps | None = None
    """Of `data`, and of a tensor of stored values."""
    nhwc: bool = False
    """The tensor is N, H, W, C of `shape`, which is N, C, H, W."""
    quantized: bool = False
    """Real numbers in Relax, stored values in `tensor` or `data`."""
    unsigned: bool = False
    """uint8 in Relax, int8 in the graph."""

    @property
    def known(self) -> bool:
        return self.data is not None

    def real(self) -> np.ndarray:
        """The numbers of a known value."""
        assert self.data is not None
        if not self.quantized or self.steps is None:
            return self.data
        along = [1] * self.data.ndim
        if not self.steps.single:
            along[self.steps.axis] = -1
        zero = np.asarray(self.steps.zero, np.int32).reshape(along)
        scale = np.asarray(self.steps.scale, np.float32).reshape(along)
        return ((self.data.astype(np.int32) - zero) * scale).astype(np.float32)

    def stored(self) -> tuple[np.ndarray, Steps]:
        """Stored values of a known value, int8 where they are uint8."""
        assert self.data is not None and self.steps is not None
        data = self.data
        if data.dtype == np.uint8:
            data = (data.astype(np.int16) - OFFSET).astype(np.int8)
        return data, self.steps.signed()


def to_nhwc(shape: Shape) -> Shape:
    return (shape[0], shape[2], shape[3], shape[1])


def moves_nothing(nchw: Shape) -> bool:
    """Whether N, C, H, W and N, H, W, C of that shape are the same bytes."""
    return nchw[1] == 1 or nchw[2] * nchw[3] == 1
