# SPDX-License-Identifier: Apache-2.0
"""The detector: 16 convolutions, three residual adds, an upsample, a concat, two raw heads."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import tensorflow as tf
from numpy.typing import NDArray
from tensorflow import keras
from tensorflow.python.framework.convert_to_constants import convert_variables_to_constants_v2

CLASSES = 10
CHANNELS = 5 + CLASSES  # tx, ty, tw, th, obj, classes
ANCHORS = 2  # per head


class Upsample2x(keras.layers.Layer):
    """Every pixel twice in both directions. (Keras' UpSampling2D would be exported as TILE.)"""

    def call(self, x: tf.Tensor) -> tf.Tensor:
        size = [2 * x.shape[1], 2 * x.shape[2]]
        return tf.raw_ops.ResizeNearestNeighbor(images=x, size=size)


def _conv(x: tf.Tensor, channels: int, kernel: int, stride: int = 1) -> tf.Tensor:
    """Convolution, batch norm (folded on export), LeakyReLU 0.1."""
    x = keras.layers.Conv2D(channels, kernel, stride, padding="same", use_bias=False)(x)
    x = keras.layers.BatchNormalization(momentum=0.97, epsilon=1e-3)(x)
    return keras.layers.LeakyReLU(negative_slope=0.1)(x)


def _residual(x: tf.Tensor, inner: int) -> tf.Tensor:
    y = _conv(_conv(x, inner, 1), x.shape[-1], 3)
    return keras.layers.Add()([x, y])


def _head(x: tf.Tensor) -> tf.Tensor:
    bias = np.zeros((ANCHORS, CHANNELS), np.float32)
    bias[:, 4] = -3.0  # almost every cell is empty: start from there
    start = keras.initializers.Constant(bias.ravel().tolist())
    small = keras.initializers.RandomNormal(stddev=0.01)
    return keras.layers.Conv2D(
        ANCHORS * CHANNELS, 1, kernel_initializer=small, bias_initializer=start
    )(x)


def build() -> keras.Model:
    """Input [n, 96, 96, 3] in 0..1; outputs [n, 12, 12, 30] and [n, 6, 6, 30]."""
    image = keras.Input((96, 96, 3))
    x = _conv(image, 16, 3, 2)  # 48
    x = _conv(x, 24, 3, 2)  # 24
    x = _residual(x, 24)
    x = _conv(x, 48, 3, 2)  # 12
    fine = _residual(x, 40)
    x = _conv(fine, 80, 3, 2)  # 6
    x = _residual(x, 64)
    neck = _conv(x, 64, 1)
    up = Upsample2x()(_conv(neck, 32, 1))
    y = keras.layers.Concatenate()([up, fine])
    return keras.Model(image, [_head(_conv(y, 64, 3)), _head(_conv(neck, 96, 3))])


def to_int8(model: keras.Model, images: NDArray[np.uint8]) -> bytes:
    """Post-training full int8 quantisation, calibrated on `images` [n, 96, 96, 3].

    The converter orders outputs by name, last letter of the alphabet first: stride_8 is output 0.
    Input q = u8 - 128 exactly (scale 1/255, zero point -128), as the calibration sees 0 and 1.
    """
    fixed: Any = tf.function(
        lambda image: dict(zip(("stride_8", "stride_16"), model(image, training=False)))
    )
    graph = fixed.get_concrete_function(tf.TensorSpec((1, 96, 96, 3), tf.float32, name="image"))

    def samples() -> Iterator[list[NDArray[np.float32]]]:
        for image in images:
            yield [image[None].astype(np.float32) / np.float32(255)]

    frozen = convert_variables_to_constants_v2(graph)
    converter = tf.lite.TFLiteConverter.from_concrete_functions([frozen], model)
    converter.optimizations = [tf.lite.Optimize.DEFAULT]
    converter.representative_dataset = samples
    converter.target_spec.supported_ops = [tf.lite.OpsSet.TFLITE_BUILTINS_INT8]
    converter.inference_input_type = tf.int8
    converter.inference_output_type = tf.int8
    file: bytes = converter.convert()
    return file
