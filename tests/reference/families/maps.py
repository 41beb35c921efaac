"""Segmentation and pose."""

from __future__ import annotations

import numpy as np
import tensorflow as tf
from layers import conv, deconv, depthwise, family, pool, up, w


@family((1, 32, 32, 3))
def unet_bilinear(x):
    a = conv(x, 8, 3, act=tf.nn.elu)
    b = conv(pool(a), 16, 3, act=tf.nn.elu)
    c = conv(tf.nn.avg_pool2d(b, 2, 2, "VALID"), 24, 3, act=tf.nn.elu)
    b = conv(tf.concat([up(c, "bilinear"), b], -1), 16, 3, act=tf.nn.elu)
    a = conv(tf.concat([up(b, "bilinear"), a], -1), 8, 3, act=tf.nn.elu)
    return tf.nn.softmax(conv(a, 4))


@family((1, 32, 32, 3))
def fcn(x):
    """Deconvolution of a large kernel, summed with a skip."""
    a = conv(x, 16, 3, 2, tf.nn.relu)
    b = conv(a, 24, 3, 2, tf.nn.relu)
    y = deconv(conv(b, 5), 5, 4, 2) + conv(a, 5)
    return deconv(y, 5, 4, 2)


@family((1, 48, 48, 3))
def movenet(x):
    x = conv(x, 16, 3, 2, tf.nn.relu6)
    x = conv(depthwise(x, 3, 2, tf.nn.relu6), 24, act=tf.nn.relu6)
    h, wd = x.shape[1:3]
    center = tf.sigmoid(conv(conv(x, 24, 3, act=tf.nn.relu), 1))
    maps = conv(conv(x, 24, 3, act=tf.nn.relu), 17)
    shifts = conv(conv(x, 24, 3, act=tf.nn.relu), 34)
    best = tf.argmax(tf.reshape(center, [1, -1]), 1, tf.int32)
    y, xx = best // wd, best % wd
    rows = tf.constant(np.arange(h).reshape(h, 1, 1), tf.float32)
    cols = tf.constant(np.arange(wd).reshape(1, wd, 1), tf.float32)
    near = tf.sqrt(
        tf.math.squared_difference(rows, tf.cast(y, tf.float32))
        + tf.math.squared_difference(cols, tf.cast(xx, tf.float32))
    )
    maps = tf.sigmoid(maps) / (near + 1.8)
    flat = tf.reshape(maps, [h * wd, 17])
    at = tf.argmax(flat, 0, tf.int32)
    ky, kx = at // wd, at % wd
    index = tf.stack([ky, kx, tf.range(17)], -1)
    off = tf.gather_nd(tf.reshape(shifts, [h, wd, 17, 2]), index)
    score = tf.gather_nd(tf.reshape(maps, [h, wd, 17]), index)
    yx = (tf.cast(tf.stack([ky, kx], -1), tf.float32) + off) * (1 / 12)
    return tf.concat([yx, score[:, None]], -1)


@family((1, 64, 64, 3))
def blazepose(x):
    def prelu(t):
        a = tf.constant(np.abs(w.rng.normal(0.2, 0.1, [1, 1, t.shape[-1]])), tf.float32)
        return tf.maximum(t, 0.0) - a * tf.nn.relu(-t)

    x = prelu(conv(x, 16, 3, 2))
    for out, s in ((16, 1), (24, 2), (24, 1), (32, 2)):
        y = conv(depthwise(x, 5, s), out)
        skip = pool(x) if s == 2 else x
        skip = tf.pad(skip, [[0, 0]] * 3 + [[0, out - skip.shape[-1]]])
        x = prelu(y + skip)
    return conv(x, 33 * 3, 8, padding="VALID"), tf.sigmoid(conv(x, 1, 8, padding="VALID"))
