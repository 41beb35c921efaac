"""Several images at a time: random networks are exact at every tensor, and none of their
convolutions, pools and resizes leaves the engines."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import presil
import pytest

ON_ENGINES = {
    "conv2d",
    "depthwise_conv2d",
    "average_pool2d",
    "max_pool2d",
    "mean",
    "add",
    "concat",
    "resize_nearest",
    "transpose_conv2d",
    "fully_connected",
}
SCALE = (0.1, 2)


class Maker:
    """Adds operators of every kind to a network; a number is a network."""

    def __init__(self, seed: int, batch: int, numerics: str) -> None:
        self.dice = np.random.default_rng(seed)
        self.b = presil.Builder("batch", numerics=numerics)
        side, channels = self.dice.integers(5, 12), self.dice.integers(1, 40)
        self.x = self.b.input("x", (batch, side, side, channels), scale=0.1, zero_point=-4)

    def weights(self, *shape: int) -> np.ndarray:
        return self.dice.integers(-100, 101, shape).astype(np.int8)

    def conv(self) -> None:
        out, kernel, stride = (int(self.dice.integers(1, most)) for most in (40, 4, 3))
        self.x = self.b.conv2d(
            self.x,
            self.weights(out, kernel, kernel, self.x.shape[3]),
            weights_scale=0.01,
            stride=stride,
            padding="same",
            out=SCALE,
        )

    def depthwise(self) -> None:
        kernel, stride = int(self.dice.integers(2, 5)), int(self.dice.integers(1, 3))
        self.x = self.b.depthwise_conv2d(
            self.x,
            self.weights(1, kernel, kernel, self.x.shape[3]),
            weights_scale=0.01,
            stride=stride,
            padding="same",
            out=SCALE,
        )

    def pool(self) -> None:
        kind = self.b.average_pool2d if self.dice.integers(2) else self.b.max_pool2d
        self.x = kind(self.x, 2, stride=1, padding="same")

    def add(self) -> None:
        before = self.x
        self.depthwise()
        other = self.x if self.x.shape == before.shape else self.b.relu(self.x)
        self.x = self.b.add(other, before if self.x.shape == before.shape else self.x, out=SCALE)

    def concat(self) -> None:
        self.x = self.b.concat([self.b.relu(self.x), self.x])

    def resize(self) -> None:
        n, h, w, c = self.x.shape
        if h * w <= 100:
            self.x = self.b.resize_nearest(self.x, (2 * h, 2 * w))

    def transpose_conv(self) -> None:
        if self.x.shape[1] > 10:
            return self.pool()
        weights = self.weights(int(self.dice.integers(1, 30)), 3, 3, self.x.shape[3])
        self.x = self.b.transpose_conv2d(self.x, weights, weights_scale=0.01, stride=2, out=SCALE)

    def squeeze(self) -> None:
        """Squeeze and excite: rows of the batch between images."""
        n, _, _, c = self.x.shape
        y = self.b.mean(self.x, axes=(1, 2))
        y = self.b.fully_connected(y, self.weights(c, c), weights_scale=0.01, out=SCALE)
        self.x = self.b.mul(self.x, self.b.reshape(y, (n, 1, 1, c)), out=SCALE)

    def classify(self) -> None:
        y = self.b.mean(self.x, axes=(1, 2))
        y = self.b.fully_connected(y, self.weights(9, y.shape[1]), weights_scale=0.01, out=SCALE)
        self.x = self.b.softmax(y)

    def network(self) -> presil.Network:
        steps = [
            self.conv,
            self.depthwise,
            self.pool,
            self.add,
            self.concat,
            self.resize,
            self.transpose_conv,
            self.squeeze,
        ]
        for _ in range(int(self.dice.integers(3, 8))):
            steps[self.dice.integers(len(steps))]()
        if self.dice.integers(2):
            self.classify()
        self.b.output(self.x)
        return self.b.build()


def is_no_scale_for_the_dla(placed: dict[str, Any]) -> bool:
    """A mean under xnnpack of which no scale rounds as its definition does, for a sum or two."""
    return [v["rule"] for v in placed["verdicts"]] == ["zero point of y"]


@pytest.mark.parametrize("soc", ["edge", "micro"])
@pytest.mark.parametrize("batch", [2, 3, 4])
@pytest.mark.parametrize("numerics", ["tflite", "xnnpack"])
def test_random_networks_of_a_batch_are_exact_on_the_engines(
    soc: str, batch: int, numerics: str
) -> None:
    for seed in range(6):
        network = Maker(100 * batch + seed, batch, numerics).network()
        program = presil.compile(network, soc=soc)
        assert program.check_memory()["wrong"] is None, seed
        run = presil.run(program, check="layers", seed=seed)
        assert run.exact, (seed, run.record["check"])
        host = {
            p["op"]
            for p in run.record["placement"]
            if p["engine"] == "host" and not is_no_scale_for_the_dla(p)
        }
        assert not host & ON_ENGINES, (seed, run.record["placement"])


@pytest.mark.parametrize(
    "file",
    [
        "mlperf-tiny-resnet8/pretrainedResnet_quant.tflite",
        "mobilenet-v2-int8/tf2_mobilenet_v2_1.0_224_ptq.tflite",
        "yolov8n-int8/yolov8n_full_integer_quant_224.tflite",
        "mobilenet-v1-0.25-128-uint8/mobilenet_v1_0.25_128_quant.tflite",
    ],
)
def test_a_batch_of_two_takes_twice_the_cycles_of_one(shared: Path, file: str) -> None:
    path = shared / "models" / file
    one = presil.run(presil.load(path), check="none").cycles
    two = presil.run(presil.load(path, batch=2), check="layers")
    assert two.exact, two.record["check"]
    assert two.cycles <= 1.02 * 2 * one


def attention(batch: int) -> presil.Network:
    """A convolution, then 144 pixels that look at each other."""
    b = presil.Builder("attention")
    x = b.input("x", (batch, 12, 12, 16), scale=0.1, zero_point=-4)
    w = np.random.default_rng(1).integers(-100, 101, (16, 3, 3, 16)).astype(np.int8)
    y = b.conv2d(x, w, weights_scale=0.01, padding="same", out=(0.1, 3))
    rows = b.reshape(y, (batch, 144, 16))
    scores = b.batch_matmul(rows, rows, transpose_b=True, out=(0.2, 0))
    shares = b.softmax(scores, out=(1 / 256, -128))
    b.output(b.batch_matmul(shares, rows, out=(0.1, 3)))
    return b.build()


def test_the_dla_computes_an_image_while_the_dsp_has_another() -> None:
    one = presil.run(attention(1), soc="edge", check="layers")
    four = presil.run(attention(4), soc="edge", check="layers")
    assert one.exact and four.exact
    softmaxes = [x for x in four.layers if x["engine"] == "dsp"]
    assert len(softmaxes) == 4
    beside = [
        x
        for x in four.layers
        if x["engine"] == "dla" and softmaxes[0]["start"] < x["start"] < softmaxes[0]["end"]
    ]
    # At least the convolution and the scores of the second image.
    assert len(beside) >= 2, beside
    # All but the softmaxes of three images hides under those of four.
    dsp = sum(x["cycles"] for x in softmaxes)
    assert four.cycles < dsp + 1.5 * (one.cycles - dsp / 4)


def test_weights_are_loaded_once_for_the_batch_where_they_fit(shared: Path) -> None:
    path = shared / "models/mlperf-tiny-resnet8/pretrainedResnet_quant.tflite"
    read = [
        presil.run(presil.load(path, batch=n), check="none").record["memory"]["dram"]["read_bytes"]
        for n in (1, 4)
    ]
    image = 32 * 32 * 3
    assert read[1] - read[0] < 4 * image  # three more images, and no weights: 78 KiB


def test_an_image_of_a_batch_is_what_it_is_alone(shared: Path) -> None:
    path = shared / "models/mlperf-tiny-dscnn-kws/kws_ref_model.tflite"
    x = np.random.default_rng(1).integers(-128, 128, (3, 49, 10, 1)).astype(np.int8)
    together = presil.run(presil.load(path, batch=3), x)
    alone = presil.run(presil.load(path), x)
    (got,), (expected,) = together.arrays, alone.arrays
    assert np.array_equal(got, expected)
