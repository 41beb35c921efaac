"""Products of matrices."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..graph_builder import Type
from .epilogue import epilogue, integer_bias, real_epilogue, take
from .nodes import Node
from .read_windows import integer_epilogue, result_of
from .reader import Reader, moved, reads, require
from .values import Value


@reads("matmul")
def matmul(r: Reader, node: Node) -> Value:
    a, b = r.value(node.args[0]), r.value(node.args[1])
    if b.known and len(b.shape) == 2 and not a.known:
        return dense(r, node, r.plain(a), b)
    require(len(a.shape) >= 2 and len(b.shape) >= 2, "both operands must be matrices")
    a, b = r.plain(a), r.plain(b)
    stored = a.quantized and b.quantized and not a.known and not b.known
    found = epilogue(r, node, limits=False) if stored else None
    if found is not None and found.steps is not None and found.steps.signed().dtype == "int8":
        take(r, found)
        given = [r.tensor(a), r.tensor(b)]
        tensor = r.add("batch_matmul", given, {}, found.steps.signed().type())
        return result_of(r, found, tensor, node.shape, False)
    given = [r.tensor(r.real(a)), r.tensor(r.real(b))]
    return Value(node.shape, r.add("batch_matmul", given))


def dense(r: Reader, node: Node, x: Value, matrix: Value) -> Value:
    """Rows of x times a constant matrix [in, out]; a constant row added after it is its bias."""
    assert matrix.data is not None
    width = matrix.shape[1]
    steps = matrix.steps
    axis = None if steps is None else 1 - steps.axis % 2
    w = moved(matrix, matrix.data.T, axis)
    assert w is not None and w.data is not None
    found = integer_epilogue(r, node, x, w, width)
    if found is not None and found.steps is not None and x.steps is not None:
        data, weight_steps = w.stored()
        bias = integer_bias(found, x.steps, weight_steps, width)
        take(r, found)
        weights = r.tensor(replace(w, data=data, steps=weight_steps))
        given = [r.tensor(x), weights, None if bias is None else r.builder.constant(bias)]
        kind = found.steps.signed().type(node.shape)
        tensor = r.add("fully_connected", given, {"act": found.act}, kind)
        return result_of(r, found, tensor, node.shape, False)
    found = real_epilogue(r, node, width)
    take(r, found)
    real = r.real(x)
    weights = r.builder.constant(w.real().astype(np.float32))
    row = None if found.row is None else found.row.real().reshape(width).astype(np.float32)
    given = [r.tensor(real), weights, None if row is None else r.builder.constant(row)]
    kind = Type("float32", shape=node.shape)
    return Value(node.shape, r.add("fully_connected", given, {"act": found.act}, kind))
