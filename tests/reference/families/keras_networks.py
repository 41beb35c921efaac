"""Networks built by Keras, with random weights; batch 1."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import tensorflow as tf

Layer = tf.keras.layers
Model = tf.keras.Model


#: By name: what builds the model.
KERAS: dict[str, Callable[[], tf.keras.Model]] = {}


def keras(builder: Callable[[], tf.keras.Model]) -> Callable[[], tf.keras.Model]:
    KERAS[builder.__name__] = builder
    return builder


def image(*shape: int):
    return Layer.Input(shape, batch_size=1)


def lambda_(function, *inputs):
    return Layer.Lambda(function)(inputs[0] if len(inputs) == 1 else list(inputs))


def conv(x, channels, kernel=3, stride=1, act="relu6", dilation=1, groups=1):
    x = Layer.Conv2D(
        channels, kernel, stride, padding="same", dilation_rate=dilation, use_bias=False,
        groups=groups,
    )(x)  # fmt: skip
    x = Layer.BatchNormalization()(x)
    return Layer.Activation(act)(x) if act else x


def silu(x, channels, kernel=1, stride=1):
    x = Layer.Conv2D(channels, kernel, stride, padding="same")(x)
    return Layer.Multiply()([x, Layer.Activation("sigmoid")(x)])


def join(parts, axis=-1):
    return Layer.Concatenate(axis=axis)(parts)


def pooled(x, classes=10):
    return Layer.Dense(classes)(Layer.GlobalAveragePooling2D()(x))


@keras
def deeplab():
    i = image(64, 64, 3)
    x = conv(conv(conv(i, 16, 3, 2), 24, 3, 2), 32, 3, 2)
    parts = [conv(x, 16, 1)] + [conv(x, 16, dilation=d) for d in (2, 4, 6)]
    whole = conv(Layer.GlobalAveragePooling2D(keepdims=True)(x), 16, 1)
    x = join([*parts, Layer.UpSampling2D(8, interpolation="bilinear")(whole)])
    x = Layer.Conv2D(21, 1)(conv(x, 32, 1))
    x = lambda_(lambda t: tf.image.resize(t, (64, 64)), x)
    return Model(i, lambda_(lambda t: tf.argmax(t, -1, output_type=tf.int32), x))


@keras
def unet():
    i = x = image(64, 48, 3)
    kept = []
    for channels in (8, 16, 32):
        kept.append(conv(conv(x, channels, act="relu"), channels, act="relu"))
        x = Layer.MaxPool2D()(kept[-1])
    x = conv(x, 64, act="relu")
    for channels, beside in zip((32, 16, 8), reversed(kept)):
        x = join([Layer.Conv2DTranspose(channels, 2, 2, padding="same")(x), beside])
        x = conv(x, channels, act="relu")
    return Model(i, Layer.Conv2D(2, 1, activation="softmax")(x))


@keras
def yolov5():
    def c3(x, channels, count=1):
        a = silu(x, channels // 2)
        for _ in range(count):
            a = Layer.Add()([a, silu(silu(a, channels // 2), channels // 2, 3)])
        return silu(join([a, silu(x, channels // 2)]), channels)

    def head(x, stride):
        n = 96 // stride
        grid = np.random.default_rng(2).integers(0, n, (1, 3, n * n, 2)).astype(np.float32)
        t = Layer.Permute((2, 1, 3))(Layer.Reshape((n * n, 3, 9))(Layer.Conv2D(27, 1)(x)))

        def decode(t):
            xy, wh, rest = tf.split(t, [2, 2, 5], -1)
            xy, wh = (xy * 2 - 0.5 + grid) * float(stride), tf.square(wh * 2) * float(stride)
            return tf.concat([xy, wh, rest], -1)

        return Layer.Reshape((3 * n * n, 9))(lambda_(decode, Layer.Activation("sigmoid")(t)))

    i = image(96, 96, 3)
    x = c3(silu(silu(i, 16, 6, 2), 32, 3, 2), 32)
    p3 = c3(silu(x, 48, 3, 2), 48, 2)
    x = silu(c3(silu(p3, 64, 3, 2), 64), 32)
    pools = [x]
    for _ in range(3):
        pools.append(Layer.MaxPool2D(5, 1, padding="same")(pools[-1]))
    x = silu(join(pools), 64)
    y = c3(join([Layer.UpSampling2D(2)(silu(x, 48)), p3]), 48)
    return Model(i, join([head(y, 8), head(x, 16)], 1))


@keras
def yolov10_attention():
    i = image(20, 20, 64)
    x = Layer.Permute((2, 3, 1))(Layer.Reshape((400, 2, 64))(Layer.Conv2D(128, 1)(i)))

    def attend(t):
        q, k, v = tf.split(t, [16, 16, 32], 2)
        scores = tf.nn.softmax(tf.matmul(q, k, transpose_a=True) * 0.25)
        return tf.matmul(v, scores, transpose_b=True)

    x = Layer.Reshape((20, 20, 64))(Layer.Permute((3, 1, 2))(lambda_(attend, x)))
    x = Layer.Add()([x, Layer.DepthwiseConv2D(3, padding="same")(i)])
    return Model(i, Layer.Add()([Layer.Conv2D(64, 1)(x), i]))


@keras
def transformer():
    i = image(32, 48)
    x = Layer.Dense(48)(i)
    for _ in range(2):
        h = Layer.LayerNormalization()(x)
        x = Layer.Add()([x, Layer.MultiHeadAttention(4, 12)(h, h)])
        h = Layer.Dense(96, activation="gelu")(Layer.LayerNormalization()(x))
        x = Layer.Add()([x, Layer.Dense(48)(h)])
    x = Layer.GlobalAveragePooling1D()(x)
    return Model(i, Layer.Dense(5, activation="softmax")(x))


@keras
def shufflenet():
    def shuffle(t):
        t = tf.transpose(tf.reshape(t, (1, 16, 16, 2, 12)), (0, 1, 2, 4, 3))
        return tf.reshape(t, (1, 16, 16, 24))

    i = image(32, 32, 3)
    x = conv(i, 24, 3, 2, act="relu")
    for _ in range(2):
        a, b = lambda_(lambda t: tf.split(t, 2, -1), x)
        b = Layer.DepthwiseConv2D(3, padding="same")(conv(b, 12, 1, act="relu"))
        x = lambda_(shuffle, join([a, conv(b, 12, 1, act="relu")]))
    return Model(i, pooled(x))


@keras
def mobilenetv3():
    return tf.keras.applications.MobileNetV3Small((96, 96, 3), weights=None, classes=10)


@keras
def efficientnet():
    return tf.keras.applications.EfficientNetB0(input_shape=(64, 64, 3), weights=None, classes=10)


@keras
def convnext():
    i = image(64, 64, 3)
    x = Layer.LayerNormalization(epsilon=1e-6)(Layer.Conv2D(24, 4, 4)(i))
    for _ in range(2):
        h = Layer.LayerNormalization(epsilon=1e-6)(Layer.DepthwiseConv2D(7, padding="same")(x))
        x = Layer.Add()([x, Layer.Dense(24)(Layer.Dense(96, activation="gelu")(h))])
    return Model(i, pooled(x))


@keras
def super_resolution():
    i = image(24, 24, 3)
    x = conv(conv(i, 16, 5, act="relu"), 16, act="tanh")
    x = Layer.Conv2D(12, 3, padding="same")(x)
    return Model(i, lambda_(lambda t: tf.clip_by_value(tf.nn.depth_to_space(t, 2), 0.0, 1.0), x))


@keras
def gru():
    i = image(16, 20)
    return Model(i, Layer.Dense(4, activation="softmax")(Layer.GRU(24, unroll=True)(i)))


@keras
def bidirectional_lstm():
    i = image(12, 20)
    lstm = Layer.LSTM(10, unroll=True, return_sequences=True)
    return Model(i, Layer.Dense(4)(Layer.Bidirectional(lstm)(i)))


@keras
def wavenet():
    i = image(128, 8)
    x = Layer.Conv1D(16, 1)(i)
    for d in (1, 2, 4, 8):
        a, b = (
            Layer.Conv1D(16, 2, padding="causal", dilation_rate=d, activation=act)(x)
            for act in ("tanh", "sigmoid")
        )
        x = Layer.Add()([x, Layer.Conv1D(16, 1)(Layer.Multiply()([a, b]))])
    return Model(i, Layer.Conv1D(4, 1)(Layer.ReLU()(x)))


@keras
def face_embedding():
    i = image(56, 48, 3)
    x = Layer.PReLU(shared_axes=[1, 2])(Layer.Conv2D(16, 3, (1, 2), padding="same")(i))
    x = Layer.LeakyReLU()(Layer.Conv2D(32, 3, 2)(x))
    x = Layer.Dense(64)(Layer.Flatten()(Layer.DepthwiseConv2D((27, 11))(x)))
    return Model(i, lambda_(lambda t: tf.math.l2_normalize(t, -1), x))


@keras
def feature_pyramid():
    i = image(64, 64, 3)
    a = conv(i, 16, 3, 2)
    b = conv(a, 24, 3, 2)
    p = Layer.Conv2D(16, 1)(conv(b, 32, 3, 2))
    q = Layer.Add()([Layer.UpSampling2D()(p), Layer.Conv2D(16, 1)(b)])
    r = Layer.Add()([Layer.UpSampling2D()(q), Layer.Conv2D(16, 1)(a)])
    heads = [
        Layer.Reshape((-1, 6))(Layer.Conv2D(18, 3, padding="same")(level)) for level in (p, q, r)
    ]
    return Model(i, [Layer.Activation("sigmoid")(join(heads, 1)), r])


@keras
def squeeze_excite():
    i = image(32, 32, 3)
    x = conv(i, 32, 3, 2, act="relu")
    s = Layer.Dense(8, activation="relu")(Layer.GlobalAveragePooling2D()(x))
    s = Layer.Reshape((1, 1, 32))(Layer.Dense(32, activation="hard_sigmoid")(s))
    x = Layer.Conv2D(16, 3)(Layer.ZeroPadding2D(2)(Layer.Multiply()([x, s])))
    x = Layer.ELU()(Layer.AveragePooling2D(3, 2, padding="same")(x))
    return Model(i, Layer.Dense(4)(Layer.Flatten()(x)))


@keras
def vocoder():
    i = image(20, 16)
    x = Layer.Conv1D(32, 7, padding="same")(i)
    for _ in range(2):
        x = Layer.Conv1DTranspose(16, 8, strides=4, padding="same")(Layer.LeakyReLU()(x))
        y = Layer.Conv1D(16, 3, padding="same", dilation_rate=3)(Layer.LeakyReLU()(x))
        x = Layer.Add()([x, y])
    return Model(i, Layer.Conv1D(1, 7, padding="same", activation="tanh")(x))


@keras
def resnext():
    i = image(32, 32, 3)
    x = conv(i, 32, 3, 2, act="relu")
    y = conv(conv(x, 32, 1, act="relu"), 32, 3, act="relu", groups=8)
    x = Layer.ReLU()(Layer.Add()([x, conv(y, 32, 1, act=None)]))
    return Model(i, Layer.Dense(10)(Layer.GlobalMaxPooling2D()(x)))


@keras
def pose():
    """Heat maps, the most likely pixel of each, offsets gathered there."""

    def points(maps):
        centres, joints, offsets = maps
        best = tf.argmax(tf.reshape(centres, (1, 256)), 1, output_type=tf.int32)
        offset = tf.gather(tf.reshape(offsets, (256, 34)), best)
        at = tf.argmax(tf.reshape(joints, (1, 256, 17)), 1, output_type=tf.int32)
        row, column = tf.cast(at // 16, tf.float32), tf.cast(at - at // 16 * 16, tf.float32)
        return tf.stack([row + offset[:, :17], column + offset[:, 17:]], -1)

    i = image(64, 64, 3)
    x = conv(conv(i, 16, 3, 2), 24, 3, 2)
    centres, joints = (Layer.Conv2D(k, 1, activation="sigmoid")(x) for k in (1, 17))
    return Model(i, [lambda_(points, centres, joints, Layer.Conv2D(34, 1)(x)), joints])
