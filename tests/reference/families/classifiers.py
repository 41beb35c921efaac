"""Classifiers, transformers among them; images from images."""

from __future__ import annotations

import tensorflow as tf
from layers import (
    conv,
    dense,
    family,
    layer_norm,
    pool,
    silu,
    transformer,
    up,
    w,
)


@family((1, 32, 32, 3))
def mobilevit(x):
    x = conv(conv(x, 16, 3, 2, silu), 24, 3, 2, silu)
    y = conv(x, 32)
    _, h, wd, c = y.shape
    y = tf.transpose(tf.reshape(y, [h // 2, 2, wd // 2, 2 * c]), [0, 2, 1, 3])
    y = tf.transpose(tf.reshape(y, [1, h * wd // 4, 4, c]), [0, 2, 1, 3])
    y = transformer(tf.reshape(y, [4, h * wd // 4, c]), 2, silu)
    y = tf.transpose(tf.reshape(y, [1, 4, h * wd // 4, c]), [0, 2, 1, 3])
    y = tf.transpose(tf.reshape(y, [h // 2, wd // 2, 2, 2 * c]), [0, 2, 1, 3])
    y = conv(tf.reshape(y, [1, h, wd, c]), 24, act=silu)
    return dense(tf.reduce_mean(conv(tf.concat([x, y], -1), 32, 3, act=silu), [1, 2]), 10)


@family((1, 16, 16, 3))
def swin(x):
    """Windows, shifted by a roll."""
    x = conv(x, 24, 2, 2, padding="VALID")
    for shift in (0, 2):
        y = tf.roll(x, [-shift, -shift], [1, 2]) if shift else x
        y = tf.transpose(tf.reshape(y, [1, 2, 4, 2, 4, 24]), [0, 1, 3, 2, 4, 5])
        y = transformer(tf.reshape(y, [4, 16, 24]), 2)
        y = tf.transpose(tf.reshape(y, [1, 2, 2, 4, 4, 24]), [0, 1, 3, 2, 4, 5])
        y = tf.reshape(y, [1, 8, 8, 24])
        x = tf.roll(y, [shift, shift], [1, 2]) if shift else y
    return dense(tf.reduce_mean(x, [1, 2]), 10)


@family((1, 32, 32, 3))
def vit(x):
    x = tf.reshape(conv(x, 32, 8, 8, padding="VALID"), [1, 16, 32])
    token = tf.reshape(w(1, 32), [1, 1, 32])
    x = tf.concat([token, x], 1) + tf.reshape(w(17, 32), [1, 17, 32])
    x = transformer(transformer(x, 4), 4)
    return dense(layer_norm(x)[:, 0], 10)


@family((1, 3, 32, 32))
def channels_first(x):
    """As converters of networks with channels first leave them."""

    def first(t):
        return tf.transpose(t, [0, 3, 1, 2])

    def last(t):
        return tf.transpose(t, [0, 2, 3, 1])

    x = first(conv(last(x), 16, 3, 2))
    x = tf.nn.relu(x)
    y = first(conv(last(x), 16, 3))
    x = tf.nn.relu(x + y)
    a, b = tf.split(x, 2, 1)
    x = tf.concat([a, b * tf.sigmoid(b), first(pool(last(conv_first(x)), 3, 1))], 1)
    x = first(up(last(x)))
    x = tf.reduce_mean(x * w.bias(x.shape[1])[None, :, None, None], [2, 3])
    return dense(x, 10)


def conv_first(x):
    return tf.transpose(conv(tf.transpose(x, [0, 2, 3, 1]), 8, 1), [0, 3, 1, 2])


@family((1, 32, 32, 3))
def style(x):
    """Instance normalisation and reflected borders."""
    x = tf.pad(x, [[0, 0], [4, 4], [4, 4], [0, 0]], "REFLECT")
    x = conv(x, 12, 9, padding="VALID")
    m = tf.reduce_mean(x, [1, 2], keepdims=True)
    v = tf.reduce_mean(tf.square(x - m), [1, 2], keepdims=True)
    x = tf.nn.relu((x - m) / tf.sqrt(v + 1e-3))
    return tf.tanh(conv(x, 3, 3)) * 150 + 127
