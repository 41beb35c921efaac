"""Sound and other sequences."""

from __future__ import annotations

import tensorflow as tf
from layers import attention, conv, dense, depthwise, family, layer_norm, w


@family((1, 49, 10))
def kwt(x):
    x = dense(x, 32)
    x = tf.concat([tf.reshape(w(1, 32), [1, 1, 32]), x], 1)
    x = layer_norm(x + attention(x, 2))
    x = layer_norm(x + dense(dense(x, 64, tf.nn.gelu), 32))
    return tf.nn.softmax(dense(x[:, 0], 12))


@family((1, 96, 64, 1))
def yamnet(x):
    x = conv(x, 8, 3, 2, tf.nn.relu)
    for c, s in ((16, 1), (24, 2), (32, 2)):
        x = conv(depthwise(x, 3, s, tf.nn.relu), c, act=tf.nn.relu)
    return tf.sigmoid(dense(tf.reduce_mean(x, [1, 2]), 30))


@family((1, 6, 12))
def lstm_unrolled(x):
    h = c = tf.zeros([1, 8])
    k, b = w(20, 32), w.bias(32)
    for t in range(x.shape[1]):
        i, f, g, o = tf.split(tf.matmul(tf.concat([x[:, t], h], -1), k) + b, 4, -1)
        c = tf.sigmoid(f) * c + tf.sigmoid(i) * tf.tanh(g)
        h = tf.sigmoid(o) * tf.tanh(c)
    return dense(h, 5)
