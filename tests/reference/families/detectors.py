"""Detectors: blocks of YOLO v3, v5, v8, v10 and v11, CenterNet, EfficientDet."""

from __future__ import annotations

import numpy as np
import tensorflow as tf
from layers import conv, depthwise, family, pool, silu, up


def c3(x, out, n=1):
    a, b = conv(x, out // 2, act=silu), conv(x, out // 2, act=silu)
    for _ in range(n):
        a = a + conv(conv(a, out // 2, act=silu), out // 2, 3, act=silu)
    return conv(tf.concat([a, b], -1), out, act=silu)


def c2f(x, out, n=1, shortcut=True):
    parts = tf.split(conv(x, out, act=silu), 2, -1)
    for _ in range(n):
        y = conv(conv(parts[-1], out // 2, 3, act=silu), out // 2, 3, act=silu)
        parts.append(parts[-1] + y if shortcut else y)
    return conv(tf.concat(parts, -1), out, act=silu)


def sppf(x, out):
    x = conv(x, out // 2, act=silu)
    a = pool(x, 5, 1)
    b = pool(a, 5, 1)
    return conv(tf.concat([x, a, b, pool(b, 5, 1)], -1), out, act=silu)


@family((1, 64, 64, 3))
def yolo_v5(x):
    x = conv(x, 16, 6, 2, silu)
    p3 = c3(conv(x, 32, 3, 2, silu), 32)
    p4 = c3(conv(p3, 48, 3, 2, silu), 48)
    p5 = sppf(c3(conv(p4, 64, 3, 2, silu), 64), 64)
    t = conv(p5, 48, act=silu)
    u = c3(tf.concat([up(t), p4], -1), 48)
    d = c3(tf.concat([conv(u, 48, 3, 2, silu), t], -1), 64)
    rows = []
    for p, stride in ((u, 8), (d, 16)):
        h, wd = p.shape[1:3]
        y = tf.reshape(conv(p, 3 * 9), [1, h * wd, 3, 9])
        y = tf.sigmoid(tf.transpose(y, [0, 2, 1, 3]))
        grid = tf.reshape(tf.stack(tf.meshgrid(range(wd), range(h)), -1), [1, 1, h * wd, 2])
        xy = (y[..., 0:2] * 2 - 0.5 + tf.cast(grid, tf.float32)) * (stride / 64)
        wh = (y[..., 2:4] * 2) ** 2 * 0.2
        rows.append(tf.reshape(tf.concat([xy, wh, y[..., 4:]], -1), [1, -1, 9]))
    return tf.concat(rows, 1)


@family((1, 64, 64, 3))
def yolo_v8(x):
    x = conv(x, 16, 3, 2, silu)
    p3 = c2f(conv(x, 32, 3, 2, silu), 32)
    p4 = c2f(conv(p3, 48, 3, 2, silu), 48, 2)
    p5 = sppf(c2f(conv(p4, 64, 3, 2, silu), 64), 64)
    u = c2f(tf.concat([up(p5), p4], -1), 48, shortcut=False)
    heads = []
    for p in (u, p5):
        box = conv(conv(p, 16, 3, act=silu), 4 * 8)
        cls = conv(conv(p, 16, 3, act=silu), 5)
        heads.append(tf.reshape(tf.concat([box, cls], -1), [1, -1, 37]))
    y = tf.concat(heads, 1)
    box, cls = tf.split(y, [32, 5], -1)
    box = tf.nn.softmax(tf.reshape(box, [1, -1, 4, 8]))
    box = tf.reduce_sum(box * tf.constant(np.arange(8), tf.float32), -1)
    lt, rb = tf.split(box, 2, -1)
    anchors = tf.constant(np.random.default_rng(0).uniform(0, 8, (1, y.shape[1], 2)), tf.float32)
    x1, x2 = anchors - lt, anchors + rb
    box = tf.concat([(x1 + x2) / 2, x2 - x1], -1) / 16
    return tf.transpose(tf.concat([box, tf.sigmoid(cls)], -1), [0, 2, 1])


def psa(x, heads=2):
    """The attention block of v10 and v11."""
    a, b = tf.split(conv(x, x.shape[-1], act=silu), 2, -1)
    _, h, wd, c = b.shape
    dim, key = c // heads, c // heads // 2
    qkv = tf.reshape(conv(b, c + 2 * key * heads), [1, h * wd, heads, 2 * key + dim])
    q, k, v = tf.split(tf.transpose(qkv, [0, 2, 3, 1]), [key, key, dim], 2)
    s = tf.nn.softmax(tf.matmul(q, k, transpose_a=True) * key**-0.5)
    y = tf.matmul(v, s, transpose_b=True)

    def image(t):
        return tf.reshape(tf.transpose(tf.reshape(t, [1, c, h * wd]), [0, 2, 1]), [1, h, wd, c])

    b = b + conv(image(y) + depthwise(image(v)), c)
    b = b + conv(conv(b, 2 * c, act=silu), c)
    return conv(tf.concat([a, b], -1), x.shape[-1], act=silu)


@family((1, 64, 64, 3))
def yolo_v11(x):
    x = conv(x, 16, 3, 2, silu)
    p3 = c2f(conv(x, 32, 3, 2, silu), 32)
    p4 = c2f(conv(p3, 48, 3, 2, silu), 48)
    p5 = psa(sppf(conv(p4, 64, 3, 2, silu), 64))
    u = c2f(tf.concat([up(p5), p4], -1), 48)
    cls = depthwise(u, 3, act=silu)
    return conv(conv(u, 16, 3, act=silu), 32), tf.sigmoid(conv(conv(cls, 16, act=silu), 5))


@family((1, 64, 64, 3))
def yolo_v10(x):
    """One result for each object: the best of the scores instead of suppression."""
    x = conv(x, 16, 3, 2, silu)
    x = c2f(conv(x, 32, 3, 2, silu), 32)
    x = depthwise(conv(x, 48, act=silu), 3, 2)  # spatial and channel apart
    y = tf.reshape(conv(psa(x), 4 + 6), [1, 64, 10])
    boxes, scores = y[..., :4], tf.sigmoid(y[..., 4:])
    best, index = tf.math.top_k(tf.reduce_max(scores, -1), 10)
    boxes = tf.gather(boxes, index, batch_dims=1)
    scores = tf.gather(scores, index, batch_dims=1)
    best, index = tf.math.top_k(tf.reshape(scores, [1, -1]), 10)
    return boxes, best, index % 6, index // 6


@family((1, 64, 64, 3))
def yolo_v3_tiny(x):
    for c in (16, 32, 48):
        x = pool(conv(x, c, 3, act=tf.nn.leaky_relu))
    y = pool(conv(x, 64, 3, act=tf.nn.leaky_relu), 2, 1)
    u = up(conv(y, 32, act=lambda t: tf.nn.leaky_relu(t, 0.1)))
    return conv(y, 18), conv(tf.concat([u, up(x)], -1), 18)


@family((1, 64, 64, 3))
def centernet(x):
    """Peaks of a heat map: what equals its own maximum around."""
    x = conv(x, 16, 3, 2, tf.nn.relu)
    for _ in range(2):
        x = conv(depthwise(x, 3, 2, tf.nn.relu), 32, act=tf.nn.relu)
    h = tf.sigmoid(conv(x, 4))
    peak = tf.cast(tf.equal(pool(h, 3, 1), h), tf.float32)
    return h * peak, conv(x, 2)


@family((1, 64, 64, 3))
def efficientdet(x):
    """Weighted sums of levels."""
    p3 = conv(conv(x, 16, 3, 2, silu), 24, 3, 2, silu)
    p4 = conv(p3, 24, 3, 2, silu)
    p5 = pool(p4, 3, 2)

    def fused(parts):
        s = [0.3 + 0.2 * i for i in range(len(parts))]
        y = tf.add_n([p * (a / sum(s)) for p, a in zip(parts, s)])
        return conv(depthwise(silu(y)), 24)

    for _ in range(2):
        t4 = fused([p4, up(p5)])
        p3 = fused([p3, up(t4)])
        p4 = fused([p4, t4, pool(p3, 3, 2)])
        p5 = fused([p5, pool(p4, 3, 2)])
    rows = [tf.reshape(conv(depthwise(p), 12), [1, -1, 4]) for p in (p3, p4, p5)]
    return tf.sigmoid(tf.concat(rows, 1))
