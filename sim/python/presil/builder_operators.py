# Printed by sim/python/print_operators.py from the table of operators; do not edit.
# ruff: noqa: E501
# fmt: off
"""A method for each operator of the graph that presil.Builder has no better one for."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .graph_builder import GraphBuilder, Out, Tensor

Given = Tensor | np.ndarray
"""An input: a tensor of the builder, or an array, which becomes a constant."""


class Operators(GraphBuilder):
    """Inputs in order, attributes by name; `out` and `name` as presil.Builder says."""

    def batch_matmul(
        self,
        a: Given,
        b: Given,
        *,
        transpose_a: bool = False,
        transpose_b: bool = False,
        fixed: Sequence[float] = (),
        out: Out = None,
        name: str | None = None,
    ) -> Tensor:
        """y = batch_matmul(a, b). Attributes: transpose_a (default False), transpose_b (default
        False), fixed (default ())."""
        return self.op(
            "batch_matmul",
            [a, b],
            {"transpose_a": transpose_a, "transpose_b": transpose_b, "fixed": fixed},
            out,
            name,
        )

    def lstm(
        self,
        x: Given,
        w_input: Given,
        w_forget: Given,
        w_cell: Given,
        w_output: Given,
        r_input: Given,
        r_forget: Given,
        r_cell: Given,
        r_output: Given,
        b_input: Given,
        b_forget: Given,
        b_cell: Given,
        b_output: Given,
        h: Given | None = None,
        c: Given | None = None,
        *,
        time_major: bool = False,
        cell_clip: float = 0.0,
        out: Out | Sequence[Out] = None,
        name: str | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """y, h_last, c_last = lstm(x, w_input, w_forget, w_cell, w_output, r_input, r_forget,
        r_cell, r_output, b_input, b_forget, b_cell, b_output, h, c). Attributes: time_major
        (default False), cell_clip (default 0.0)."""
        return self.op(
            "lstm",
            [x, w_input, w_forget, w_cell, w_output, r_input, r_forget, r_cell, r_output, b_input, b_forget, b_cell, b_output, h, c],
            {"time_major": time_major, "cell_clip": cell_clip},
            out,
            name,
        )

    def svdf(
        self,
        x: Given,
        feature_weights: Given,
        time_weights: Given,
        bias: Given | None = None,
        state: Given | None = None,
        *,
        rank: int = 1,
        out: Out | Sequence[Out] = None,
        name: str | None = None,
    ) -> tuple[Tensor, Tensor]:
        """y, last_state = svdf(x, feature_weights, time_weights, bias, state). Attributes: rank
        (default 1)."""
        return self.op(
            "svdf",
            [x, feature_weights, time_weights, bias, state],
            {"rank": rank},
            out,
            name,
        )

    def add(
        self,
        a: Given,
        b: Given,
        *,
        act: str = "none",
        fixed: Sequence[float] = (),
        out: Out = None,
        name: str | None = None,
    ) -> Tensor:
        """y = add(a, b). Attributes: act (default "none"), fixed (default ())."""
        return self.op("add", [a, b], {"act": act, "fixed": fixed}, out, name)

    def sub(
        self,
        a: Given,
        b: Given,
        *,
        act: str = "none",
        fixed: Sequence[float] = (),
        out: Out = None,
        name: str | None = None,
    ) -> Tensor:
        """y = sub(a, b). Attributes: act (default "none"), fixed (default ())."""
        return self.op("sub", [a, b], {"act": act, "fixed": fixed}, out, name)

    def mul(
        self,
        a: Given,
        b: Given,
        *,
        act: str = "none",
        fixed: Sequence[float] = (),
        out: Out = None,
        name: str | None = None,
    ) -> Tensor:
        """y = mul(a, b). Attributes: act (default "none"), fixed (default ())."""
        return self.op("mul", [a, b], {"act": act, "fixed": fixed}, out, name)

    def squared_difference(
        self, a: Given, b: Given, *, out: Out = None, name: str | None = None
    ) -> Tensor:
        """y = squared_difference(a, b)."""
        return self.op("squared_difference", [a, b], {}, out, name)

    def maximum(self, a: Given, b: Given, *, out: Out = None, name: str | None = None) -> Tensor:
        """y = maximum(a, b)."""
        return self.op("maximum", [a, b], {}, out, name)

    def minimum(self, a: Given, b: Given, *, out: Out = None, name: str | None = None) -> Tensor:
        """y = minimum(a, b)."""
        return self.op("minimum", [a, b], {}, out, name)

    def floor_div(self, a: Given, b: Given, *, out: Out = None, name: str | None = None) -> Tensor:
        """y = floor_div(a, b)."""
        return self.op("floor_div", [a, b], {}, out, name)

    def floor_mod(self, a: Given, b: Given, *, out: Out = None, name: str | None = None) -> Tensor:
        """y = floor_mod(a, b)."""
        return self.op("floor_mod", [a, b], {}, out, name)

    def equal(self, a: Given, b: Given, *, out: Out = None, name: str | None = None) -> Tensor:
        """y = equal(a, b)."""
        return self.op("equal", [a, b], {}, out, name)

    def not_equal(self, a: Given, b: Given, *, out: Out = None, name: str | None = None) -> Tensor:
        """y = not_equal(a, b)."""
        return self.op("not_equal", [a, b], {}, out, name)

    def greater(self, a: Given, b: Given, *, out: Out = None, name: str | None = None) -> Tensor:
        """y = greater(a, b)."""
        return self.op("greater", [a, b], {}, out, name)

    def greater_equal(
        self, a: Given, b: Given, *, out: Out = None, name: str | None = None
    ) -> Tensor:
        """y = greater_equal(a, b)."""
        return self.op("greater_equal", [a, b], {}, out, name)

    def less(self, a: Given, b: Given, *, out: Out = None, name: str | None = None) -> Tensor:
        """y = less(a, b)."""
        return self.op("less", [a, b], {}, out, name)

    def less_equal(self, a: Given, b: Given, *, out: Out = None, name: str | None = None) -> Tensor:
        """y = less_equal(a, b)."""
        return self.op("less_equal", [a, b], {}, out, name)

    def logical_and(
        self, a: Given, b: Given, *, out: Out = None, name: str | None = None
    ) -> Tensor:
        """y = logical_and(a, b)."""
        return self.op("logical_and", [a, b], {}, out, name)

    def logical_or(self, a: Given, b: Given, *, out: Out = None, name: str | None = None) -> Tensor:
        """y = logical_or(a, b)."""
        return self.op("logical_or", [a, b], {}, out, name)

    def logical_not(self, x: Given, *, out: Out = None, name: str | None = None) -> Tensor:
        """y = logical_not(x)."""
        return self.op("logical_not", [x], {}, out, name)

    def top_k(
        self, x: Given, *, out: Out | Sequence[Out] = None, name: str | None = None
    ) -> tuple[Tensor, Tensor]:
        """y, indices = top_k(x)."""
        return self.op("top_k", [x], {}, out, name)

    def cumsum(
        self,
        x: Given,
        *,
        axis: int = 0,
        exclusive: bool = False,
        reverse: bool = False,
        out: Out = None,
        name: str | None = None,
    ) -> Tensor:
        """y = cumsum(x). Attributes: axis (default 0), exclusive (default False), reverse (default
        False)."""
        return self.op(
            "cumsum",
            [x],
            {"axis": axis, "exclusive": exclusive, "reverse": reverse},
            out,
            name,
        )

    def sum(
        self,
        x: Given,
        *,
        axes: Sequence[float] = (),
        keep_dims: bool = False,
        fixed: Sequence[float] = (),
        out: Out = None,
        name: str | None = None,
    ) -> Tensor:
        """y = sum(x). Attributes: axes (default ()), keep_dims (default False), fixed (default
        ())."""
        return self.op(
            "sum",
            [x],
            {"axes": axes, "keep_dims": keep_dims, "fixed": fixed},
            out,
            name,
        )

    def reduce_max(
        self,
        x: Given,
        *,
        axes: Sequence[float] = (),
        keep_dims: bool = False,
        fixed: Sequence[float] = (),
        out: Out = None,
        name: str | None = None,
    ) -> Tensor:
        """y = reduce_max(x). Attributes: axes (default ()), keep_dims (default False), fixed
        (default ())."""
        return self.op(
            "reduce_max",
            [x],
            {"axes": axes, "keep_dims": keep_dims, "fixed": fixed},
            out,
            name,
        )

    def reduce_min(
        self,
        x: Given,
        *,
        axes: Sequence[float] = (),
        keep_dims: bool = False,
        fixed: Sequence[float] = (),
        out: Out = None,
        name: str | None = None,
    ) -> Tensor:
        """y = reduce_min(x). Attributes: axes (default ()), keep_dims (default False), fixed
        (default ())."""
        return self.op(
            "reduce_min",
            [x],
            {"axes": axes, "keep_dims": keep_dims, "fixed": fixed},
            out,
            name,
        )

    def reduce_prod(
        self,
        x: Given,
        *,
        axes: Sequence[float] = (),
        keep_dims: bool = False,
        fixed: Sequence[float] = (),
        out: Out = None,
        name: str | None = None,
    ) -> Tensor:
        """y = reduce_prod(x). Attributes: axes (default ()), keep_dims (default False), fixed
        (default ())."""
        return self.op(
            "reduce_prod",
            [x],
            {"axes": axes, "keep_dims": keep_dims, "fixed": fixed},
            out,
            name,
        )

    def arg_max(
        self, x: Given, *, axis: int = 0, out: Out = None, name: str | None = None
    ) -> Tensor:
        """y = arg_max(x). Attributes: axis (default 0)."""
        return self.op("arg_max", [x], {"axis": axis}, out, name)

    def arg_min(
        self, x: Given, *, axis: int = 0, out: Out = None, name: str | None = None
    ) -> Tensor:
        """y = arg_min(x). Attributes: axis (default 0)."""
        return self.op("arg_min", [x], {"axis": axis}, out, name)

    def relu(self, x: Given, *, out: Out = None, name: str | None = None) -> Tensor:
        """y = relu(x)."""
        return self.op("relu", [x], {}, out, name)

    def relu6(self, x: Given, *, out: Out = None, name: str | None = None) -> Tensor:
        """y = relu6(x)."""
        return self.op("relu6", [x], {}, out, name)

    def leaky_relu(
        self, x: Given, *, alpha: float = 0.0, out: Out = None, name: str | None = None
    ) -> Tensor:
        """y = leaky_relu(x). Attributes: alpha (default 0.0)."""
        return self.op("leaky_relu", [x], {"alpha": alpha}, out, name)

    def hard_swish(self, x: Given, *, out: Out = None, name: str | None = None) -> Tensor:
        """y = hard_swish(x)."""
        return self.op("hard_swish", [x], {}, out, name)

    def logistic(self, x: Given, *, out: Out = None, name: str | None = None) -> Tensor:
        """y = logistic(x)."""
        return self.op("logistic", [x], {}, out, name)

    def tanh(self, x: Given, *, out: Out = None, name: str | None = None) -> Tensor:
        """y = tanh(x)."""
        return self.op("tanh", [x], {}, out, name)

    def div(
        self,
        a: Given,
        b: Given,
        *,
        act: str = "none",
        fixed: Sequence[float] = (),
        out: Out = None,
        name: str | None = None,
    ) -> Tensor:
        """y = div(a, b). Attributes: act (default "none"), fixed (default ())."""
        return self.op("div", [a, b], {"act": act, "fixed": fixed}, out, name)

    def pow(self, a: Given, b: Given, *, out: Out = None, name: str | None = None) -> Tensor:
        """y = pow(a, b)."""
        return self.op("pow", [a, b], {}, out, name)

    def prelu(self, x: Given, alpha: Given, *, out: Out = None, name: str | None = None) -> Tensor:
        """y = prelu(x, alpha)."""
        return self.op("prelu", [x, alpha], {}, out, name)

    def elu(self, x: Given, *, out: Out = None, name: str | None = None) -> Tensor:
        """y = elu(x)."""
        return self.op("elu", [x], {}, out, name)

    def exp(self, x: Given, *, out: Out = None, name: str | None = None) -> Tensor:
        """y = exp(x)."""
        return self.op("exp", [x], {}, out, name)

    def log(self, x: Given, *, out: Out = None, name: str | None = None) -> Tensor:
        """y = log(x)."""
        return self.op("log", [x], {}, out, name)

    def sqrt(self, x: Given, *, out: Out = None, name: str | None = None) -> Tensor:
        """y = sqrt(x)."""
        return self.op("sqrt", [x], {}, out, name)

    def rsqrt(self, x: Given, *, out: Out = None, name: str | None = None) -> Tensor:
        """y = rsqrt(x)."""
        return self.op("rsqrt", [x], {}, out, name)

    def abs(self, x: Given, *, out: Out = None, name: str | None = None) -> Tensor:
        """y = abs(x)."""
        return self.op("abs", [x], {}, out, name)

    def neg(self, x: Given, *, out: Out = None, name: str | None = None) -> Tensor:
        """y = neg(x)."""
        return self.op("neg", [x], {}, out, name)

    def square(self, x: Given, *, out: Out = None, name: str | None = None) -> Tensor:
        """y = square(x)."""
        return self.op("square", [x], {}, out, name)

    def sin(self, x: Given, *, out: Out = None, name: str | None = None) -> Tensor:
        """y = sin(x)."""
        return self.op("sin", [x], {}, out, name)

    def cos(self, x: Given, *, out: Out = None, name: str | None = None) -> Tensor:
        """y = cos(x)."""
        return self.op("cos", [x], {}, out, name)

    def floor(self, x: Given, *, out: Out = None, name: str | None = None) -> Tensor:
        """y = floor(x)."""
        return self.op("floor", [x], {}, out, name)

    def ceil(self, x: Given, *, out: Out = None, name: str | None = None) -> Tensor:
        """y = ceil(x)."""
        return self.op("ceil", [x], {}, out, name)

    def round(self, x: Given, *, out: Out = None, name: str | None = None) -> Tensor:
        """y = round(x)."""
        return self.op("round", [x], {}, out, name)

    def sign(self, x: Given, *, out: Out = None, name: str | None = None) -> Tensor:
        """y = sign(x)."""
        return self.op("sign", [x], {}, out, name)

    def relu_n1_to_1(self, x: Given, *, out: Out = None, name: str | None = None) -> Tensor:
        """y = relu_n1_to_1(x)."""
        return self.op("relu_n1_to_1", [x], {}, out, name)

    def gelu(
        self, x: Given, *, approximate: bool = False, out: Out = None, name: str | None = None
    ) -> Tensor:
        """y = gelu(x). Attributes: approximate (default False)."""
        return self.op("gelu", [x], {"approximate": approximate}, out, name)

    def log_softmax(self, x: Given, *, out: Out = None, name: str | None = None) -> Tensor:
        """y = log_softmax(x)."""
        return self.op("log_softmax", [x], {}, out, name)

    def l2_normalize(
        self,
        x: Given,
        *,
        act: str = "none",
        fixed: Sequence[float] = (),
        out: Out = None,
        name: str | None = None,
    ) -> Tensor:
        """y = l2_normalize(x). Attributes: act (default "none"), fixed (default ())."""
        return self.op("l2_normalize", [x], {"act": act, "fixed": fixed}, out, name)

    def layer_norm(
        self,
        x: Given,
        gamma: Given,
        beta: Given,
        *,
        epsilon: float = 0.001,
        out: Out = None,
        name: str | None = None,
    ) -> Tensor:
        """y = layer_norm(x, gamma, beta). Attributes: epsilon (default 0.001)."""
        return self.op("layer_norm", [x, gamma, beta], {"epsilon": epsilon}, out, name)

    def relu_0_to_1(self, x: Given, *, out: Out = None, name: str | None = None) -> Tensor:
        """y = relu_0_to_1(x)."""
        return self.op("relu_0_to_1", [x], {}, out, name)

    def lut(self, x: Given, table: Given, *, out: Out = None, name: str | None = None) -> Tensor:
        """y = lut(x, table)."""
        return self.op("lut", [x, table], {}, out, name)

    def quantize(
        self, x: Given, *, unlike_signs: bool = False, out: Out = None, name: str | None = None
    ) -> Tensor:
        """y = quantize(x). Attributes: unlike_signs (default False)."""
        return self.op("quantize", [x], {"unlike_signs": unlike_signs}, out, name)

    def dequantize(self, x: Given, *, out: Out = None, name: str | None = None) -> Tensor:
        """y = dequantize(x)."""
        return self.op("dequantize", [x], {}, out, name)

    def interleave(
        self,
        *x: Given,
        stride_h: int = 1,
        stride_w: int = 1,
        out: Out = None,
        name: str | None = None,
    ) -> Tensor:
        """y = interleave(x, ...). Attributes: stride_h (default 1), stride_w (default 1)."""
        return self.op("interleave", [*x], {"stride_h": stride_h, "stride_w": stride_w}, out, name)

    def strided_slice(
        self,
        x: Given,
        *,
        begin: Sequence[float] = (),
        size: Sequence[float] = (),
        step: Sequence[float] = (),
        out: Out = None,
        name: str | None = None,
    ) -> Tensor:
        """y = strided_slice(x). Attributes: begin (default ()), size (default ()), step (default
        ())."""
        return self.op(
            "strided_slice",
            [x],
            {"begin": begin, "size": size, "step": step},
            out,
            name,
        )

    def space_to_depth(
        self, x: Given, *, block: int = 1, out: Out = None, name: str | None = None
    ) -> Tensor:
        """y = space_to_depth(x). Attributes: block (default 1)."""
        return self.op("space_to_depth", [x], {"block": block}, out, name)

    def depth_to_space(
        self, x: Given, *, block: int = 1, out: Out = None, name: str | None = None
    ) -> Tensor:
        """y = depth_to_space(x). Attributes: block (default 1)."""
        return self.op("depth_to_space", [x], {"block": block}, out, name)

    def space_to_batch(
        self,
        x: Given,
        *,
        block: Sequence[float] = (),
        before: Sequence[float] = (),
        after: Sequence[float] = (),
        out: Out = None,
        name: str | None = None,
    ) -> Tensor:
        """y = space_to_batch(x). Attributes: block (default ()), before (default ()), after
        (default ())."""
        return self.op(
            "space_to_batch",
            [x],
            {"block": block, "before": before, "after": after},
            out,
            name,
        )

    def batch_to_space(
        self,
        x: Given,
        *,
        block: Sequence[float] = (),
        before: Sequence[float] = (),
        after: Sequence[float] = (),
        out: Out = None,
        name: str | None = None,
    ) -> Tensor:
        """y = batch_to_space(x). Attributes: block (default ()), before (default ()), after
        (default ())."""
        return self.op(
            "batch_to_space",
            [x],
            {"block": block, "before": before, "after": after},
            out,
            name,
        )

    def tile(
        self, x: Given, *, multiples: Sequence[float] = (), out: Out = None, name: str | None = None
    ) -> Tensor:
        """y = tile(x). Attributes: multiples (default ())."""
        return self.op("tile", [x], {"multiples": multiples}, out, name)

    def mirror_pad(
        self,
        x: Given,
        *,
        before: Sequence[float] = (),
        after: Sequence[float] = (),
        symmetric: bool = False,
        out: Out = None,
        name: str | None = None,
    ) -> Tensor:
        """y = mirror_pad(x). Attributes: before (default ()), after (default ()), symmetric
        (default False)."""
        return self.op(
            "mirror_pad",
            [x],
            {"before": before, "after": after, "symmetric": symmetric},
            out,
            name,
        )

    def gather(
        self,
        x: Given,
        indices: Given,
        *,
        axis: int = 0,
        batch_dims: int = 0,
        out: Out = None,
        name: str | None = None,
    ) -> Tensor:
        """y = gather(x, indices). Attributes: axis (default 0), batch_dims (default 0)."""
        return self.op("gather", [x, indices], {"axis": axis, "batch_dims": batch_dims}, out, name)

    def gather_nd(
        self, x: Given, indices: Given, *, out: Out = None, name: str | None = None
    ) -> Tensor:
        """y = gather_nd(x, indices)."""
        return self.op("gather_nd", [x, indices], {}, out, name)

    def reverse_sequence(
        self,
        x: Given,
        lengths: Given,
        *,
        axis: int = 0,
        batch_axis: int = 0,
        out: Out = None,
        name: str | None = None,
    ) -> Tensor:
        """y = reverse_sequence(x, lengths). Attributes: axis (default 0), batch_axis (default
        0)."""
        return self.op(
            "reverse_sequence",
            [x, lengths],
            {"axis": axis, "batch_axis": batch_axis},
            out,
            name,
        )

    def select(
        self, condition: Given, a: Given, b: Given, *, out: Out = None, name: str | None = None
    ) -> Tensor:
        """y = select(condition, a, b)."""
        return self.op("select", [condition, a, b], {}, out, name)

    def one_hot(
        self,
        indices: Given,
        on: Given,
        off: Given,
        *,
        axis: int = 0,
        out: Out = None,
        name: str | None = None,
    ) -> Tensor:
        """y = one_hot(indices, on, off). Attributes: axis (default 0)."""
        return self.op("one_hot", [indices, on, off], {"axis": axis}, out, name)

    def cast(self, x: Given, *, out: Out = None, name: str | None = None) -> Tensor:
        """y = cast(x)."""
        return self.op("cast", [x], {}, out, name)

    def yolo_decode(
        self,
        head: Given,
        sigmoid_table: Given,
        exp_table: Given,
        *,
        stride: int = 1,
        classes: int = 1,
        anchors: Sequence[float] = (),
        out: Out = None,
        name: str | None = None,
    ) -> Tensor:
        """rows = yolo_decode(head, sigmoid_table, exp_table). Attributes: stride (default 1),
        classes (default 1), anchors (default ())."""
        return self.op(
            "yolo_decode",
            [head, sigmoid_table, exp_table],
            {"stride": stride, "classes": classes, "anchors": anchors},
            out,
            name,
        )

    def nms(
        self,
        *rows: Given,
        score: float = 0.0,
        iou: float = 0.5,
        max: int = 1,
        labelled: bool = False,
        out: Out | Sequence[Out] = None,
        name: str | None = None,
    ) -> tuple[Tensor, Tensor]:
        """detections, count = nms(rows, ...). Attributes: score (default 0.0), iou (default 0.5),
        max (default 1), labelled (default False)."""
        return self.op(
            "nms",
            [*rows],
            {"score": score, "iou": iou, "max": max, "labelled": labelled},
            out,
            name,
        )

    def detection_post_process(
        self,
        boxes: Given,
        scores: Given,
        anchors: Given,
        *,
        max: int = 1,
        classes: int = 1,
        classes_per_box: int = 1,
        boxes_per_class: int = 100,
        regular: bool = False,
        score: float = 0.0,
        iou: float = 0.5,
        y_scale: float = 1.0,
        x_scale: float = 1.0,
        h_scale: float = 1.0,
        w_scale: float = 1.0,
        out: Out | Sequence[Out] = None,
        name: str | None = None,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """y, y_classes, y_scores, count = detection_post_process(boxes, scores, anchors).
        Attributes: max (default 1), classes (default 1), classes_per_box (default 1),
        boxes_per_class (default 100), regular (default False), score (default 0.0), iou (default
        0.5), y_scale (default 1.0), x_scale (default 1.0), h_scale (default 1.0), w_scale (default
        1.0)."""
        return self.op(
            "detection_post_process",
            [boxes, scores, anchors],
            {"max": max, "classes": classes, "classes_per_box": classes_per_box, "boxes_per_class": boxes_per_class, "regular": regular, "score": score, "iou": iou, "y_scale": y_scale, "x_scale": x_scale, "h_scale": h_scale, "w_scale": w_scale},
            out,
            name,
        )

    def box_decode(
        self,
        x: Given,
        *,
        classes: int = 1,
        objectness: bool = False,
        channels_last: bool = False,
        width: float = 1.0,
        height: float = 1.0,
        out: Out = None,
        name: str | None = None,
    ) -> Tensor:
        """rows = box_decode(x). Attributes: classes (default 1), objectness (default False),
        channels_last (default False), width (default 1.0), height (default 1.0)."""
        return self.op(
            "box_decode",
            [x],
            {"classes": classes, "objectness": objectness, "channels_last": channels_last, "width": width, "height": height},
            out,
            name,
        )

    def rescale(
        self,
        x: Given,
        multiplier: Given,
        shift: Given,
        *,
        in_zero: int = 0,
        out_zero: int = 0,
        round_twice: bool = False,
        in_unsigned: bool = False,
        out_unsigned: bool = False,
        out: Out = None,
        name: str | None = None,
    ) -> Tensor:
        """y = rescale(x, multiplier, shift). Attributes: in_zero (default 0), out_zero (default 0),
        round_twice (default False), in_unsigned (default False), out_unsigned (default False)."""
        return self.op(
            "rescale",
            [x, multiplier, shift],
            {"in_zero": in_zero, "out_zero": out_zero, "round_twice": round_twice, "in_unsigned": in_unsigned, "out_unsigned": out_unsigned},
            out,
            name,
        )

    def conv_sums(
        self,
        x: Given,
        weights: Given,
        bias: Given,
        *,
        stride: Sequence[float] = (),
        dilation: Sequence[float] = (),
        before: Sequence[float] = (),
        after: Sequence[float] = (),
        in_zero: int = 0,
        weight_zero: int = 0,
        depthwise: bool = False,
        transposed: bool = False,
        out: Out = None,
        name: str | None = None,
    ) -> Tensor:
        """y = conv_sums(x, weights, bias). Attributes: stride (default ()), dilation (default ()),
        before (default ()), after (default ()), in_zero (default 0), weight_zero (default 0),
        depthwise (default False), transposed (default False)."""
        return self.op(
            "conv_sums",
            [x, weights, bias],
            {"stride": stride, "dilation": dilation, "before": before, "after": after, "in_zero": in_zero, "weight_zero": weight_zero, "depthwise": depthwise, "transposed": transposed},
            out,
            name,
        )

    def matmul_sums(
        self,
        a: Given,
        b: Given,
        *,
        a_zero: int = 0,
        b_zero: int = 0,
        out: Out = None,
        name: str | None = None,
    ) -> Tensor:
        """y = matmul_sums(a, b). Attributes: a_zero (default 0), b_zero (default 0)."""
        return self.op("matmul_sums", [a, b], {"a_zero": a_zero, "b_zero": b_zero}, out, name)

    def mean_pool(
        self,
        x: Given,
        *,
        kernel_h: int = 1,
        kernel_w: int = 1,
        stride_h: int = 1,
        stride_w: int = 1,
        pad_top: int = 0,
        pad_left: int = 0,
        pad_bottom: int = 0,
        pad_right: int = 0,
        in_zero: int = 0,
        out_zero: int = 0,
        out: Out = None,
        name: str | None = None,
    ) -> Tensor:
        """y = mean_pool(x). Attributes: kernel_h (default 1), kernel_w (default 1), stride_h
        (default 1), stride_w (default 1), pad_top (default 0), pad_left (default 0), pad_bottom
        (default 0), pad_right (default 0), in_zero (default 0), out_zero (default 0)."""
        return self.op(
            "mean_pool",
            [x],
            {"kernel_h": kernel_h, "kernel_w": kernel_w, "stride_h": stride_h, "stride_w": stride_w, "pad_top": pad_top, "pad_left": pad_left, "pad_bottom": pad_bottom, "pad_right": pad_right, "in_zero": in_zero, "out_zero": out_zero},
            out,
            name,
        )

    def resize_by_ratio(
        self,
        x: Given,
        *,
        scale: Sequence[float] = (),
        offset: Sequence[float] = (),
        border: Sequence[float] = (),
        nearest: bool = False,
        out: Out = None,
        name: str | None = None,
    ) -> Tensor:
        """y = resize_by_ratio(x). Attributes: scale (default ()), offset (default ()), border
        (default ()), nearest (default False)."""
        return self.op(
            "resize_by_ratio",
            [x],
            {"scale": scale, "offset": offset, "border": border, "nearest": nearest},
            out,
            name,
        )

    def table_between(
        self, x: Given, table: Given, *, out: Out = None, name: str | None = None
    ) -> Tensor:
        """y = table_between(x, table)."""
        return self.op("table_between", [x, table], {}, out, name)

    def scatter(
        self, x: Given, indices: Given, updates: Given, *, out: Out = None, name: str | None = None
    ) -> Tensor:
        """y = scatter(x, indices, updates)."""
        return self.op("scatter", [x, indices, updates], {}, out, name)

    def bitwise_and(
        self, a: Given, b: Given, *, out: Out = None, name: str | None = None
    ) -> Tensor:
        """y = bitwise_and(a, b)."""
        return self.op("bitwise_and", [a, b], {}, out, name)

    def bitwise_or(self, a: Given, b: Given, *, out: Out = None, name: str | None = None) -> Tensor:
        """y = bitwise_or(a, b)."""
        return self.op("bitwise_or", [a, b], {}, out, name)

    def bitwise_xor(
        self, a: Given, b: Given, *, out: Out = None, name: str | None = None
    ) -> Tensor:
        """y = bitwise_xor(a, b)."""
        return self.op("bitwise_xor", [a, b], {}, out, name)

    def shift_left(self, a: Given, b: Given, *, out: Out = None, name: str | None = None) -> Tensor:
        """y = shift_left(a, b)."""
        return self.op("shift_left", [a, b], {}, out, name)

    def shift_right(
        self, a: Given, b: Given, *, round: bool = False, out: Out = None, name: str | None = None
    ) -> Tensor:
        """y = shift_right(a, b). Attributes: round (default False)."""
        return self.op("shift_right", [a, b], {"round": round}, out, name)

    def shift_right_logical(
        self, a: Given, b: Given, *, out: Out = None, name: str | None = None
    ) -> Tensor:
        """y = shift_right_logical(a, b)."""
        return self.op("shift_right_logical", [a, b], {}, out, name)

    def int_div(self, a: Given, b: Given, *, out: Out = None, name: str | None = None) -> Tensor:
        """y = int_div(a, b)."""
        return self.op("int_div", [a, b], {}, out, name)

    def mul_shift(
        self, a: Given, b: Given, *, shift: int = 1, out: Out = None, name: str | None = None
    ) -> Tensor:
        """y = mul_shift(a, b). Attributes: shift (default 1)."""
        return self.op("mul_shift", [a, b], {"shift": shift}, out, name)

    def leading_zeros(self, x: Given, *, out: Out = None, name: str | None = None) -> Tensor:
        """y = leading_zeros(x)."""
        return self.op("leading_zeros", [x], {}, out, name)
