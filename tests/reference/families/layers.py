"""What the networks are made of, with random weights, the same in every call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf

Tensor = Any
#: By name: shapes of the inputs, float32, and what makes the results of them.
FAMILIES: dict[str, tuple[tuple[tuple[int, ...], ...], Callable[..., Any]]] = {}


def family(*shapes: tuple[int, ...]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Inputs are float32 of these shapes."""

    def joins(function: Callable[..., Any]) -> Callable[..., Any]:
        FAMILIES[function.__name__] = (shapes, function)
        return function

    return joins


class Weights:
    """Random constants, the same in every call."""

    def __init__(self) -> None:
        self.rng = np.random.default_rng(7)

    def __call__(self, *shape: int, fan: int = 0) -> Tensor:
        fan = fan or int(np.prod(shape[:-1]))
        return tf.constant(self.rng.normal(0, (2 / fan) ** 0.5, shape), tf.float32)

    def bias(self, n: int) -> Tensor:
        return tf.constant(self.rng.normal(0, 0.1, n), tf.float32)


w = Weights()


def conv(x, out, k=1, s=1, act=None, d=1, groups=1, padding="SAME"):
    k = (k, k) if isinstance(k, int) else k
    f = w(*k, x.shape[-1] // groups, out)
    y = tf.nn.bias_add(tf.nn.conv2d(x, f, s, padding, dilations=d), w.bias(out))
    return act(y) if act else y


def depthwise(x, k=3, s=1, act=None, d=1, padding="SAME"):
    f = w(k, k, x.shape[-1], 1, fan=k * k)
    y = tf.nn.depthwise_conv2d(x, f, [1, s, s, 1], padding, dilations=[d, d])
    y = tf.nn.bias_add(y, w.bias(x.shape[-1]))
    return act(y) if act else y


def dense(x, out, act=None):
    y = tf.matmul(x, w(x.shape[-1], out)) + w.bias(out)
    return act(y) if act else y


def deconv(x, out, k=2, s=2):
    f = w(k, k, out, x.shape[-1], fan=k * k * x.shape[-1] // s // s)
    shape = [x.shape[0], x.shape[1] * s, x.shape[2] * s, out]
    return tf.nn.bias_add(tf.nn.conv2d_transpose(x, f, shape, s), w.bias(out))


def pool(x, k=2, s=2, padding="SAME"):
    return tf.nn.max_pool2d(x, k, s, padding)


def silu(x):
    return x * tf.sigmoid(x)


def hswish(x):
    return x * tf.nn.relu6(x + 3) * (1 / 6)


def layer_norm(x, eps=1e-5):
    m = tf.reduce_mean(x, -1, keepdims=True)
    v = tf.reduce_mean(tf.math.squared_difference(x, m), -1, keepdims=True)
    g = 1 + 0.1 * w(x.shape[-1], fan=2)
    return (x - m) * tf.math.rsqrt(v + eps) * g + w.bias(x.shape[-1])


def attention(x, heads):
    b, n, c = x.shape
    q, k, v = (
        tf.transpose(tf.reshape(dense(x, c), [b, n, heads, c // heads]), [0, 2, 1, 3])
        for _ in range(3)
    )
    a = tf.nn.softmax(tf.matmul(q, k, transpose_b=True) * (c // heads) ** -0.5)
    y = tf.reshape(tf.transpose(tf.matmul(a, v), [0, 2, 1, 3]), [b, n, c])
    return dense(y, c)


def transformer(x, heads, act=tf.nn.gelu):
    x = x + attention(layer_norm(x), heads)
    return x + dense(dense(layer_norm(x), 2 * x.shape[-1], act), x.shape[-1])


def up(x, method="nearest", by=2):
    return tf.image.resize(x, [x.shape[1] * by, x.shape[2] * by], method)
