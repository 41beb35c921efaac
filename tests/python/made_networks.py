"""Networks made of so many operators of a kind, for what compiling them takes."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import presil

Step = Callable[["Maker"], None]

SCALE = (0.05, 0)


class Maker:
    """Adds operators to a network until it has as many as it is to have."""

    def __init__(self, name: str, side: int, channels: int) -> None:
        self.b = presil.Builder(name)
        self.side, self.channels = side, channels
        self.random = np.random.default_rng(5)
        shape = (1, side, side, channels)
        self.x = self.b.input("x", shape, scale=SCALE[0], zero_point=SCALE[1])
        self.before = self.b.input("y", shape, scale=SCALE[0], zero_point=SCALE[1])
        self.made = 0

    def weights(self, *shape: int) -> np.ndarray:
        return self.random.integers(-9, 10, shape, np.int8)

    def convolve(self, x: presil.Tensor, out: int = 0, kernel: int = 1) -> presil.Tensor:
        self.made += 1
        weights = self.weights(out or self.channels, kernel, kernel, x.shape[-1])
        return self.b.conv2d(x, weights, weights_scale=0.02, padding="same", out=SCALE)

    def halves(self) -> list[presil.Tensor]:
        half = self.channels // 2
        sizes = (1, self.side, self.side, half)
        self.made += 2
        return [self.b.slice(self.x, (0, 0, 0, at), sizes) for at in (0, half)]


def transposes(m: Maker) -> None:
    """A channel shuffle written out, after a depthwise and a 1x1 convolution."""
    shape = (1, m.side, m.side, m.channels)
    y = m.b.depthwise_conv2d(
        m.x, m.weights(1, 3, 3, m.channels), weights_scale=0.02, padding="same", out=SCALE
    )
    y = m.b.reshape(m.convolve(y), (*shape[:3], 4, m.channels // 4))
    m.x = m.b.reshape(m.b.transpose(y, (0, 1, 2, 4, 3)), shape)
    m.made += 4


def slices(m: Maker) -> None:
    a, b = (m.convolve(half, m.channels // 2) for half in m.halves())
    m.x = m.b.concat([b, a])
    m.made += 1


def concats(m: Maker) -> None:
    m.x = m.b.concat([m.convolve(m.x, m.channels // 2) for _ in range(2)])
    m.made += 1


def odd_concats(m: Maker) -> None:
    """Of parts whose channels fill no block, added to what has no such parts."""
    part = m.channels // 2 - 4
    y = m.b.concat([m.convolve(m.x, part), m.convolve(m.x, m.channels - part)])
    m.x = m.b.add(y, m.x, out=SCALE)
    m.made += 2


def adds(m: Maker) -> None:
    m.x, m.before = m.b.add(m.x, m.before, out=SCALE), m.x
    m.made += 1


def convolutions(m: Maker) -> None:
    m.x = m.convolve(m.x, kernel=3)


def softmaxes(m: Maker) -> None:
    """On the DSP, between layers of the DLA."""
    m.x = m.convolve(m.b.softmax(m.x))
    m.made += 1


KINDS: dict[str, Step] = {
    step.__name__: step
    for step in (transposes, slices, concats, odd_concats, adds, convolutions, softmaxes)
}


def made_network(kind: str, operators: int, side: int = 8, channels: int = 32) -> presil.Network:
    maker = Maker(f"{operators} {kind}", side, channels)
    while maker.made < operators:
        KINDS[kind](maker)
    maker.b.output(maker.x)
    return maker.b.build()
