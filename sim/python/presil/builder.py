"""Graphs by hand, from numpy constants.

b = presil.Builder("net")
x = b.input("x", (1, 8, 8, 3), scale=0.5, zero_point=-1)
y = b.conv2d(x, weights, bias, weights_scale=0.02, padding="same", act="relu", out=(0.1, -128))
b.output(y)
net = b.build()  # for presil.compile, presil.run, presil.reference

Every operator is a method: those below with helpful arguments, each other one with its inputs and
attributes, as `b.leaky_relu(x, alpha=0.1, out=(0.05, 3))` (builder_operators.py), or in words,
`b.op("leaky_relu", [x], {"alpha": 0.1})`. `Builder.operators()` lists inputs, results, attributes.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from .builder_operators import Operators
from .graph_builder import Out, Scale, Tensor, whole
from .refusal import Refusal

Padding = str | Sequence[Sequence[int]]
Pair = int | tuple[int, int]


def pair(value: Pair) -> tuple[int, int]:
    return (value, value) if isinstance(value, int) else (int(value[0]), int(value[1]))


class Builder(Operators):
    """Builds a network operator by operator; each is checked as it is added.

    numerics: the integer rules, 'tflite', 'xnnpack' or 'onnx'.
    out, of every operator: the type of the result, as (scale, zero_point) with the first input's
      dtype, as a dtype that is not quantised, or as a `presil.Type`; left out: as the first input.
    name, of every operator: of the operator and its result; left out: its kind, numbered.
    """

    @whole
    def conv2d(
        self,
        x: Tensor,
        weights: Tensor | np.ndarray,
        bias: Tensor | np.ndarray | None = None,
        *,
        weights_scale: Scale | None = None,
        weights_zero_point: int = 0,
        stride: Pair = 1,
        padding: Padding = "valid",
        dilation: Pair = 1,
        groups: int = 1,
        act: str = "none",
        out: Out = None,
        name: str | None = None,
    ) -> Tensor:
        """Convolution. x [n, h, w, c], weights int8 [out, kernel h, kernel w, c / groups], bias
        int32 [out] in steps of x's scale times weights_scale.

        weights_scale: one, or one per output channel; required where weights are an array.
        padding: 'valid', 'same' as TFLite has it, or ((top, bottom), (left, right)).
        """
        label = name or self._numbered("conv2d")
        w = self._weights(weights, weights_scale, weights_zero_point, 0, label)
        attributes = {
            **self._window(x, w.shape[1:3], stride, padding, dilation, label),
            "groups": groups,
            "act": act,
        }
        return self.op("conv2d", [x, w, self._bias(bias, label)], attributes, out, label)

    @whole
    def depthwise_conv2d(
        self,
        x: Tensor,
        weights: Tensor | np.ndarray,
        bias: Tensor | np.ndarray | None = None,
        *,
        weights_scale: Scale | None = None,
        weights_zero_point: int = 0,
        stride: Pair = 1,
        padding: Padding = "valid",
        dilation: Pair = 1,
        act: str = "none",
        out: Out = None,
        name: str | None = None,
    ) -> Tensor:
        """A convolution of each channel by itself: weights int8 [1, kernel h, kernel w, c * m],
        whose channel i reads channel i // m of x. Else as conv2d."""
        label = name or self._numbered("depthwise_conv2d")
        w = self._weights(weights, weights_scale, weights_zero_point, 3, label)
        attributes = {
            **self._window(x, w.shape[1:3], stride, padding, dilation, label),
            "multiplier": w.shape[-1] // max(1, x.shape[-1]) if w.shape and x.shape else 1,
            "act": act,
        }
        return self.op("depthwise_conv2d", [x, w, self._bias(bias, label)], attributes, out, label)

    @whole
    def transpose_conv2d(
        self,
        x: Tensor,
        weights: Tensor | np.ndarray,
        bias: Tensor | np.ndarray | None = None,
        *,
        weights_scale: Scale | None = None,
        stride: Pair = 1,
        padding: Padding = "valid",
        act: str = "none",
        out: Out = None,
        name: str | None = None,
    ) -> Tensor:
        """A transposed convolution, weights int8 [out, kernel h, kernel w, c]; 'same' makes as many
        rows and columns as x has, times the stride."""
        label = name or self._numbered("transpose_conv2d")
        w = self._weights(weights, weights_scale, 0, 0, label)
        steps = pair(stride)
        if padding == "same":
            totals = [k - s for k, s in zip(w.shape[1:3], steps)]
            padding = [(max(0, t) // 2, t - max(0, t) // 2) for t in totals]
        (top, bottom), (left, right) = self._sides(padding, label)
        attributes = {
            "stride_h": steps[0],
            "stride_w": steps[1],
            "pad_top": top,
            "pad_bottom": bottom,
            "pad_left": left,
            "pad_right": right,
            "act": act,
        }
        return self.op("transpose_conv2d", [x, w, self._bias(bias, label)], attributes, out, label)

    @whole
    def fully_connected(
        self,
        x: Tensor,
        weights: Tensor | np.ndarray,
        bias: Tensor | np.ndarray | None = None,
        *,
        weights_scale: Scale | None = None,
        weights_zero_point: int = 0,
        act: str = "none",
        asymmetric_inputs: bool = False,
        out: Out = None,
        name: str | None = None,
    ) -> Tensor:
        """Rows of x times weights int8 [out, in], bias int32 [out]. asymmetric_inputs: x of
        float32 is quantised with a zero point (numerics tflite)."""
        label = name or self._numbered("fully_connected")
        w = self._weights(weights, weights_scale, weights_zero_point, 0, label)
        whole = x.shape[-1:] == w.shape[1:]
        rows = x.shape[:-1] if whole else (int(np.prod(x.shape)) // max(1, w.shape[-1]),)
        shaped = self._typed(x, out, (*rows, w.shape[0]), f"fully_connected '{label}'")
        attributes = {"act": act, "asymmetric_inputs": asymmetric_inputs}
        return self.op(
            "fully_connected", [x, w, self._bias(bias, label)], attributes, shaped, label
        )

    @whole
    def max_pool2d(
        self,
        x: Tensor,
        kernel: Pair,
        *,
        stride: Pair | None = None,
        padding: Padding = "valid",
        act: str = "none",
        out: Out = None,
        name: str | None = None,
    ) -> Tensor:
        """The largest value of each window; stride: default the kernel."""
        return self._pool("max_pool2d", x, kernel, stride, padding, act, out, name)

    @whole
    def average_pool2d(
        self,
        x: Tensor,
        kernel: Pair,
        *,
        stride: Pair | None = None,
        padding: Padding = "valid",
        act: str = "none",
        out: Out = None,
        name: str | None = None,
    ) -> Tensor:
        """The mean of each window's values inside the image; stride: default the kernel."""
        return self._pool("average_pool2d", x, kernel, stride, padding, act, out, name)

    @whole
    def mean(
        self,
        x: Tensor,
        axes: Sequence[int] = (1, 2),
        *,
        keep_dims: bool = False,
        out: Out = None,
        name: str | None = None,
    ) -> Tensor:
        """The mean over axes."""
        attributes = {"axes": sorted(a % len(x.shape) for a in axes), "keep_dims": keep_dims}
        return self.op("mean", [x], attributes, out, name)

    @whole
    def softmax(
        self, x: Tensor, *, beta: float = 1.0, out: Out = (1 / 256, -128), name: str | None = None
    ) -> Tensor:
        """Probabilities over the last axis, in steps of 1/256 from -128 on."""
        return self.op("softmax", [x], {"beta": beta}, out, name)

    @whole
    def concat(
        self,
        tensors: Sequence[Tensor | np.ndarray],
        axis: int = -1,
        *,
        act: str = "none",
        out: Out = None,
        name: str | None = None,
    ) -> Tensor:
        """Tensors one after the other along an axis."""
        rank = max(1, np.ndim(tensors[0]) or len(getattr(tensors[0], "shape", ())))
        return self.op("concat", tensors, {"axis": axis % rank, "act": act}, out, name)

    @whole
    def reshape(self, x: Tensor, shape: Sequence[int], name: str | None = None) -> Tensor:
        """The same values under another shape; one extent may be -1."""
        sizes = [int(n) for n in shape]
        if sizes.count(-1) == 1:
            rest = -int(np.prod(sizes))
            sizes[sizes.index(-1)] = int(np.prod(x.shape)) // max(1, rest)
        return self.op("reshape", [x], {}, self._typed(x, None, sizes), name)

    @whole
    def transpose(self, x: Tensor, perm: Sequence[int], name: str | None = None) -> Tensor:
        """Axis i of the result is axis perm[i] of x."""
        return self.op("transpose", [x], {"perm": [int(p) for p in perm]}, None, name)

    @whole
    def pad(
        self,
        x: Tensor,
        widths: Sequence[Sequence[int]],
        value: int | None = None,
        name: str | None = None,
    ) -> Tensor:
        """Wider by (before, after) of each axis; value: as stored, default x's zero point."""
        attributes = {
            "before": [int(before) for before, _ in widths],
            "after": [int(after) for _, after in widths],
            "value": x.type.zero_point if value is None else value,
        }
        return self.op("pad", [x], attributes, None, name)

    @whole
    def slice(
        self,
        x: Tensor,
        begin: Sequence[int],
        size: Sequence[int],
        step: Sequence[int] | None = None,
        name: str | None = None,
    ) -> Tensor:
        """size[i] values of each axis from begin[i] on, every step[i]."""
        attributes = {
            "begin": list(begin),
            "size": list(size),
            "step": list(step or [1] * len(size)),
        }
        return self.op("strided_slice", [x], attributes, self._typed(x, None, size), name)

    @whole
    def resize_nearest(
        self,
        x: Tensor,
        size: tuple[int, int],
        *,
        align_corners: bool = False,
        half_pixel_centers: bool = False,
        name: str | None = None,
    ) -> Tensor:
        """An image of `size` rows and columns, each pixel the nearest of x."""
        return self._resize("resize_nearest", x, size, align_corners, half_pixel_centers, name)

    @whole
    def resize_bilinear(
        self,
        x: Tensor,
        size: tuple[int, int],
        *,
        align_corners: bool = False,
        half_pixel_centers: bool = False,
        name: str | None = None,
    ) -> Tensor:
        """An image of `size` rows and columns, interpolated."""
        return self._resize("resize_bilinear", x, size, align_corners, half_pixel_centers, name)

    @whole
    def custom(
        self,
        op: str,
        inputs: Sequence[Tensor | np.ndarray],
        out: Sequence[Out] = (None,),
        *,
        options: dict[str, Any] | None = None,
        name: str | None = None,
    ) -> Any:
        """An operator that presil does not know and a presil.Kernel(custom=op) computes.

        out: a type for each result; one without shape is of the first input's.
        options: what kernels and references see as `options`.
        """
        first = next((x for x in inputs if isinstance(x, Tensor)), None)
        if first is None:
            raise Refusal(f"builder: custom '{op}' requires a tensor that this builder made")
        types = [self._typed(first, one, first.shape, f"custom '{op}'") for one in out]
        text = json.dumps(options) if options else ""
        return self.op("custom", inputs, {"code": op, "options": text}, types, name)

    def _pool(
        self,
        kind: str,
        x: Tensor,
        kernel: Pair,
        stride: Pair | None,
        padding: Padding,
        act: str,
        out: Out,
        name: str | None,
    ) -> Tensor:
        label = name or self._numbered(kind)
        height, width = pair(kernel)
        window = self._window(
            x, (height, width), kernel if stride is None else stride, padding, 1, label
        )
        del window["dilation_h"], window["dilation_w"]
        attributes = {"kernel_h": height, "kernel_w": width, **window, "act": act}
        return self.op(kind, [x], attributes, out, label)

    def _resize(
        self,
        kind: str,
        x: Tensor,
        size: tuple[int, int],
        align_corners: bool,
        half_pixel_centers: bool,
        name: str | None,
    ) -> Tensor:
        shape = [x.shape[0], *size, x.shape[-1]]
        attributes = {"align_corners": align_corners, "half_pixel_centers": half_pixel_centers}
        return self.op(kind, [x], attributes, self._typed(x, None, shape), name)

    def _window(
        self,
        x: Tensor,
        kernel: Sequence[int],
        stride: Pair,
        padding: Padding,
        dilation: Pair,
        label: str,
    ) -> dict[str, int]:
        """Stride, dilation and padding as attributes name them."""
        steps, holes = pair(stride), pair(dilation)
        if padding == "same" and len(x.shape) == 4 and len(kernel) == 2:
            padding = []
            for extent, k, s, d in zip(x.shape[1:3], kernel, steps, holes):
                total = max(0, (-(-extent // max(1, s)) - 1) * s + (k - 1) * d + 1 - extent)
                padding.append((total // 2, total - total // 2))
        (top, bottom), (left, right) = self._sides(padding, label)
        return {
            "stride_h": steps[0],
            "stride_w": steps[1],
            "dilation_h": holes[0],
            "dilation_w": holes[1],
            "pad_top": top,
            "pad_bottom": bottom,
            "pad_left": left,
            "pad_right": right,
        }

    @staticmethod
    def _sides(padding: Padding, label: str) -> list[tuple[int, int]]:
        if padding == "valid":
            return [(0, 0), (0, 0)]
        try:
            (top, bottom), (left, right) = padding
            return [(int(top), int(bottom)), (int(left), int(right))]
        except (TypeError, ValueError):
            raise Refusal(
                f"builder: '{label}': padding is {padding!r}, expected 'valid', 'same' (for an "
                "image of 4 axes) or ((top, bottom), (left, right))"
            ) from None

    def _weights(
        self,
        weights: Tensor | np.ndarray,
        scale: Scale | None,
        zero_point: int,
        axis: int,
        label: str,
    ) -> Tensor:
        if isinstance(weights, Tensor):
            if scale is not None or zero_point:
                raise Refusal(
                    f"builder: '{label}': weights are a tensor with a type of their own; leave "
                    "weights_scale and weights_zero_point out"
                )
            return self._own(weights)
        if scale is None:
            raise Refusal(
                f"builder: '{label}': weights are an array, whose values say nothing without "
                "weights_scale: give one number, or one per output channel"
            )
        return self.constant(weights, scale, zero_point, axis, f"{label}/weights")

    def _bias(self, bias: Tensor | np.ndarray | None, label: str) -> Tensor | None:
        if bias is None or isinstance(bias, Tensor):
            return bias
        return self.constant(bias, name=f"{label}/bias")
