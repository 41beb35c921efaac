"""Functions of bytes through floats, casts and other types run as tables: exact, and as fast as the
network without them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import presil
import pytest
from presil import Builder, Type
from presil.graph_builder import Tensor

Make = Callable[[Builder, Tensor], Tensor]
SHAPE = (1, 24, 20, 32)
BETWEEN = Type("int8", 0.05, -3)


def number(value: float) -> np.ndarray:
    return np.array([value], np.float32)


def convolution(b: Builder, x: Tensor) -> Tensor:
    weights = np.random.default_rng(1).integers(-127, 128, (32, 1, 1, x.shape[3])).astype(np.int8)
    return b.conv2d(x, weights, weights_scale=0.004, out=(0.05, -3))


def elu(b: Builder, x: Tensor) -> Tensor:
    return b.elu(x)


def hard_swish(b: Builder, x: Tensor) -> Tensor:
    return b.mul(b.mul(x, b.relu6(b.add(x, number(3)))), number(1 / 6))


def powers(b: Builder, x: Tensor) -> Tensor:
    return b.log(b.add(b.pow(b.abs(x), number(1.7)), number(1)))


def whole_numbers(b: Builder, x: Tensor) -> Tensor:
    steps = b.op("cast", [x], out="int32")
    return b.op("cast", [b.mul(steps, np.array([3], np.int32))], out="float32")


def in_floats(make: Make, to: Type) -> Make:
    def island(b: Builder, x: Tensor) -> Tensor:
        return b.op("quantize", [make(b, b.op("dequantize", [x], out="float32"))], out=to)

    return island


def network(make: Make, numerics: str) -> presil.Network:
    b = Builder("net", numerics)
    x = b.input("x", SHAPE, "int8", 0.05, 3)
    b.output(make(b, convolution(b, x)))
    return b.build()


@pytest.mark.parametrize("make", [elu, hard_swish, powers, whole_numbers])
@pytest.mark.parametrize("to", [BETWEEN, Type("uint8", 0.05, 125)], ids=["int8", "uint8"])
@pytest.mark.parametrize("soc", ["edge", "micro"])
def test_an_island_of_floats_costs_nothing_after_a_convolution(
    make: Make, to: Type, soc: str
) -> None:
    alone = presil.run(network(lambda b, x: x, "tflite"), soc=soc, check="none").cycles
    for numerics in ("tflite", "xnnpack"):
        run = presil.run(network(in_floats(make, to), numerics), soc=soc, check="layers", seed=3)
        assert run.exact
        assert run.cycles <= 1.02 * alone
        assert {place["engine"] for place in run.program.placement} == {"dla"}


def test_pixels_of_uint8_that_are_cast_and_scaled_are_looked_up() -> None:
    b = Builder("net")
    x = b.input("x", (1, 32, 32, 3), "uint8")
    real = b.op("cast", [x], out="float32")
    scaled = b.mul(b.sub(real, number(127.5)), number(1 / 127.5))
    y = b.op("quantize", [scaled], out=Type("int8", 1 / 128, -1))
    b.output(convolution(b, y))
    run = presil.run(b.build(), check="layers", seed=3)
    assert run.exact
    assert "host" not in {place["engine"] for place in run.program.placement}


def test_without_a_dla_that_takes_it_a_table_runs_elsewhere() -> None:
    """Five axes are no image; without a DSP it is the host's."""
    b = Builder("net")
    x = b.input("x", (2, 3, 4, 5, 6), "uint8")
    y = b.op("quantize", [b.exp(b.op("cast", [x], out="float32"))], out=Type("uint8", 2.0, 7))
    b.output(y)
    for soc in ({}, {"dsp.units": 0}):
        assert presil.run(b.build(), check="layers", seed=3, set=soc).exact


ONE = "relu elu exp log tanh logistic abs neg square sqrt rsqrt sin floor gelu hard_swish".split()
TWO = "add sub mul maximum minimum squared_difference".split()


def random_network(seed: int) -> presil.Network:
    """Functions of one tensor of bytes in floats, now and then in bytes between."""
    r = np.random.default_rng(seed)
    b = Builder("net", ["tflite", "xnnpack"][seed % 2])

    def kind() -> Type:
        dtype = ["int8", "uint8"][int(r.integers(2))]
        return Type(dtype, float(2.0 ** r.uniform(-6, 1)), int(r.integers(0, 100)))

    def one(values: list[Tensor]) -> Tensor:
        return values[int(r.integers(len(values)))]

    of = kind()
    shape = [(1, 6, 7, 5), (1, 9, 33), (3, 4), (1, 17, 5, 20)][int(r.integers(4))]
    x = b.input("x", shape, of.dtype, of.scale, 64)
    made: list[Tensor] = [b.op(["dequantize", "cast"][int(r.integers(2))], [x], out="float32")]
    for _ in range(int(r.integers(1, 9))):
        a, choice = one(made), r.random()
        if choice < 0.5:
            made.append(b.op(ONE[int(r.integers(len(ONE)))], [a], out="float32"))
        elif choice < 0.8:
            other = one(made) if r.random() < 0.5 else number(r.uniform(-3, 3))
            made.append(b.op(TWO[int(r.integers(len(TWO)))], [a, other], out="float32"))
        elif choice < 0.9:
            stored = b.op("quantize", [a], out=kind())
            made.append(b.op("dequantize", [stored], out="float32"))
            if r.random() < 0.3:
                b.output(stored)
        else:
            above = b.op("greater", [a, number(r.uniform(-3, 3))], out="bool")
            made.append(b.op("select", [above, a, made[0]], out="float32"))
    b.output(b.op("quantize", [made[-1]], out=kind()))
    if r.random() < 0.2 and len(made) > 2:
        b.output(made[-2])
    return b.build()


@pytest.mark.parametrize("soc", ["edge", "micro", "big"])
def test_random_graphs_of_one_source_are_exact(soc: str, everything: bool) -> None:
    for seed in range(200 if everything else 16):
        run = presil.run(random_network(seed), soc=soc, check="layers", seed=seed)
        assert run.exact, seed
