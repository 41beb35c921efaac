"""Networks of the size that is used, by their papers and published configurations."""

from __future__ import annotations

import numpy as np
import tensorflow as tf
from detectors import psa, sppf
from layers import conv, dense, depthwise, family, silu, up

relu6 = tf.nn.relu6


def inverted(x, out, kernel=3, stride=1, expand=6):
    """MobileNetV2's block: wide inside, narrow between blocks."""
    y = conv(x, expand * x.shape[-1], act=relu6) if expand > 1 else x
    y = conv(depthwise(y, kernel, stride, relu6), out)
    return x + y if stride == 1 and x.shape[-1] == out else y


@family((1, 176, 176, 3))
def mcunet(x):
    """Lin et al., MCUNet, 2020: blocks of 3x3, 5x5 and 7x7 for 320 KB of memory."""
    x = inverted(conv(x, 16, 3, 2, relu6), 8, expand=1)
    stages = (
        (16, ((7, 2, 3), (5, 1, 3), (7, 1, 5))),
        (24, ((7, 2, 4), (5, 1, 5), (5, 1, 4))),
        (40, ((5, 2, 5), (7, 1, 5), (5, 1, 4), (7, 1, 4))),
        (48, ((3, 1, 5), (5, 1, 4), (7, 1, 4))),
        (96, ((3, 2, 6), (7, 1, 5), (3, 1, 4))),
        (160, ((5, 1, 5),)),
    )
    for out, blocks in stages:
        for kernel, stride, expand in blocks:
            x = inverted(x, out, kernel, stride, expand)
    return dense(tf.reduce_mean(x, [1, 2]), 1000)


def mobilenet_v2_stages(x):
    """After a quarter, an 8th, a 16th and a 32nd of the pixels of a side."""
    x = inverted(conv(x, 32, 3, 2, relu6), 16, expand=1)
    kept = []
    for out, count, stride in ((24, 2, 2), (32, 3, 2), (64, 4, 2), (96, 3, 1), (160, 3, 2)):
        if stride == 2:
            kept.append(x)
        for i in range(count):
            x = inverted(x, out, 3, stride if i == 0 else 1)
    return [*kept[1:], inverted(x, 320)]


def decoded(center, maps, shifts, offsets):
    """The best pose: shifts from the centre's best, then the peaks near where they point."""
    h, wd, points = maps.shape[1:]
    best = tf.argmax(tf.reshape(center, [1, -1]), 1, tf.int32)
    flat = tf.reshape(shifts, [h * wd, 2 * points])
    seen = tf.reshape(tf.gather(flat, best), [2, points])
    rows = tf.constant(np.arange(h).reshape(h, 1, 1), tf.float32)
    cols = tf.constant(np.arange(wd).reshape(1, wd, 1), tf.float32)
    to_row = rows - (seen[0] + tf.cast(best // wd, tf.float32))
    to_col = cols - (seen[1] + tf.cast(best % wd, tf.float32))
    near = tf.sqrt(to_row * to_row + to_col * to_col) + 1.8
    scores = tf.reshape(tf.sigmoid(maps)[0] / near, [h * wd, points])
    at = tf.argmax(scores, 0, tf.int32)
    index = tf.stack([at // wd, at % wd, tf.range(points)], -1)
    moved = tf.gather_nd(tf.reshape(offsets, [h, wd, points, 2]), index)
    sure = tf.gather_nd(tf.sigmoid(maps)[0], index)
    place = (tf.cast(index[:, :2], tf.float32) + moved) * (1 / h)
    return tf.reshape(tf.concat([place, sure[:, None]], -1), [1, 1, points, 3])


@family((1, 192, 192, 3))
def movenet_lightning(x):
    """MobileNetV2 with a feature pyramid, four heads at a quarter of the pixels of a side."""
    kept = mobilenet_v2_stages(x * (2 / 255) - 1)
    y = conv(kept[3], 64)
    for x, out in zip(reversed(kept[:3]), (32, 24, 24)):
        y = conv(x, y.shape[-1]) + up(y, "bilinear")
        y = conv(depthwise(y), out, act=tf.nn.relu)
    heads = []
    for channels in (1, 17, 34, 34):
        z = conv(depthwise(y), 96, act=tf.nn.relu)
        heads.append(conv(z, channels))
    return decoded(tf.sigmoid(heads[0]), *heads[1:])


def bottleneck(x, wide, shortcut=True):
    y = conv(conv(x, wide, 3, act=silu), x.shape[-1], 3, act=silu)
    return x + y if shortcut else y


def c3k(x, out):
    a, b = conv(x, out // 2, act=silu), conv(x, out // 2, act=silu)
    for _ in range(2):
        a = bottleneck(a, out // 2)
    return conv(tf.concat([a, b], -1), out, act=silu)


def c3k2(x, out, deep=False, share=0.5):
    wide = int(out * share)
    parts = tf.split(conv(x, 2 * wide, act=silu), 2, -1)
    parts.append(c3k(parts[-1], wide) if deep else bottleneck(parts[-1], wide // 2))
    return conv(tf.concat(parts, -1), out, act=silu)


def boxes_of(heads, side):
    """Distances by the mean of 16 bins each; centre, size and classes, coordinates first."""
    y = tf.concat([tf.reshape(h, [1, -1, h.shape[-1]]) for h in heads], 1)
    box, classes = tf.split(y, [64, y.shape[-1] - 64], -1)
    bins = tf.reshape(box, [1, -1, 4, 16])
    box = tf.reduce_sum(tf.nn.softmax(bins) * tf.constant(np.arange(16), tf.float32), -1)
    places, strides = [], []
    for h in heads:
        rows, cols = h.shape[1:3]
        grid = np.stack(np.meshgrid(np.arange(cols) + 0.5, np.arange(rows) + 0.5), -1)
        places.append(grid.reshape(-1, 2))
        strides.append(np.full((rows * cols, 1), side / rows))
    anchors = tf.constant(np.concatenate(places)[None], tf.float32)
    lt, rb = tf.split(box, 2, -1)
    low, high = anchors - lt, anchors + rb
    scale = tf.constant(np.concatenate(strides)[None] / side, tf.float32)
    box = tf.concat([(low + high) * 0.5, high - low], -1) * scale
    return tf.transpose(tf.concat([box, tf.sigmoid(classes)], -1), [0, 2, 1])


@family((1, 320, 320, 3))
def yolo_11n(x):
    """Ultralytics' YOLO11n: C3k2, SPPF and C2PSA; heads of depthwise convolutions."""
    side = x.shape[1]
    x = conv(conv(x, 16, 3, 2, silu), 32, 3, 2, silu)
    x = conv(c3k2(x, 64, share=0.25), 64, 3, 2, silu)
    p3 = c3k2(x, 128, share=0.25)
    p4 = c3k2(conv(p3, 128, 3, 2, silu), 128, True)
    p5 = c3k2(conv(p4, 256, 3, 2, silu), 256, True)
    p5 = psa(sppf(p5, 256))
    n4 = c3k2(tf.concat([up(p5), p4], -1), 128)
    n3 = c3k2(tf.concat([up(n4), p3], -1), 64)
    n4 = c3k2(tf.concat([conv(n3, 64, 3, 2, silu), n4], -1), 128)
    n5 = c3k2(tf.concat([conv(n4, 128, 3, 2, silu), p5], -1), 256, True)
    heads = []
    for p in (n3, n4, n5):
        box = conv(conv(conv(p, 64, 3, act=silu), 64, 3, act=silu), 64)
        cls = conv(depthwise(p, act=silu), 80, act=silu)
        cls = conv(conv(depthwise(cls, act=silu), 80, act=silu), 80)
        heads.append(tf.concat([box, cls], -1))
    return boxes_of(heads, side)
