"""Topologies of matrices and of sequences."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .sketch import Sketch, Value


def vit(channels: int, heads: int, depth: int = 12) -> Callable[[Sketch, Value, int, float], None]:
    """A. Dosovitskiy et al., An image is worth 16x16 words, 2020; the tiny sizes are of H. Touvron
    et al., Training data-efficient image transformers, 2020. The average of the tokens is what is
    classified."""

    def block(s: Sketch, x: Value, count: int) -> Value:
        tokens, wide = x.shape[1], x.channels
        y = s.normalise(x)
        # Products of queries and keys have variance 1: as if divided by the root of the width.
        gain = (wide // count) ** -0.25
        q = s.heads(s.dense(y, wide, name="query", gain=gain), count)
        k = s.heads(s.dense(y, wide, name="key", gain=gain), count)
        v = s.heads(s.dense(y, wide, name="value"), count)
        shares = s.softmax(s.matmul(q, k, turned=True, spread=1.0, name="scores"))
        mixed = s.matmul(shares, v, turned=False, spread=np.e / tokens, name="mixed")
        x = s.add(x, s.dense(s.merged(mixed), wide, name="projection"))
        y = s.dense(s.normalise(x), 4 * wide, act="gelu", name="mlp1")
        return s.add(x, s.dense(y, wide, name="mlp2"))

    def make(s: Sketch, x: Value, classes: int, width: float) -> None:
        count = max(1, round(heads * width))
        x = s.conv(x, channels // heads * count, 16, 16, 0, name="patches")
        x = s.offset(s.tokens(x), "positions")
        for i in range(depth):
            with s.scope(f"block{i}"):
                x = block(s, x, count)
        s.output(s.dense(s.token_average(s.normalise(x)), classes, name="classifier"))

    return make


def gemm(s: Sketch, n: int, k: int, m: int) -> None:
    """m rows of k values times a matrix of k x n."""
    s.output(s.dense(s.input(m, k, name="rows"), n, name="gemm"))


def lstm(s: Sketch, steps: int, features: int, units: int) -> None:
    """S. Hochreiter and J. Schmidhuber, Long short-term memory, 1997: one layer, unrolled; the
    states before it are inputs, the last hidden state is the answer."""
    x = s.input(steps * features, name="sequence")
    hidden = s.input(units, name="hidden")
    cell = s.input(units, name="cell")
    weights = None
    for t in range(steps):
        with s.scope(f"step{t}"):
            joined = s.concat([s.slice(x, t * features, features), hidden])
            gates = s.dense(joined, 4 * units, name="gates", weights=weights)
            weights = s.layers[-1].how["weights"]
            forget, enter, leave, fresh = (s.slice(gates, i * units, units) for i in range(4))
            kept = s.multiply(cell, s.activation(forget, "sigmoid"))
            new = s.multiply(s.activation(enter, "sigmoid"), s.activation(fresh, "tanh"))
            cell = s.add(kept, new)
            hidden = s.multiply(s.activation(leave, "sigmoid"), s.activation(cell, "tanh"))
    s.output(hidden)
