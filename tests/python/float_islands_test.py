"""Conversions and element-wise operators of floats run on the DSP, at about a cycle an element."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import presil
import pytest
from presil import Builder, Type
from presil.graph_builder import Tensor

Make = Callable[[Builder, Tensor], Tensor]
SHAPE = (1, 64, 64, 24)
ELEMENTS = 64 * 64 * 24
SLOPES = np.linspace(-0.4, 0.6, 24, dtype=np.float32).reshape(1, 1, 24)
OF = {"int8": Type("int8", 0.05, 3), "uint8": Type("uint8", 0.05, 120), "bool": Type("bool")}


def to(kind: str, out: Type) -> Make:
    return lambda b, x: b.op(kind, [x], out=out)


def slopes_of_int8(b: Builder, x: Tensor) -> Tensor:
    slopes = b.constant(np.arange(-12, 12, dtype=np.int8).reshape(1, 1, 24), 0.01, -2)
    return b.op("prelu", [x, slopes], out=Type("int8", 0.06, -3))


def mirrored(b: Builder, x: Tensor) -> Tensor:
    return b.op("mirror_pad", [x], {"before": [0, 3, 2, 0], "after": [0, 1, 4, 0]})


#: Type of x, what is made of it, the engine, most cycles an element of x.
CASES: dict[str, tuple[str, Make, str, float]] = {
    "quantize": ("float32", to("quantize", OF["int8"]), "dsp", 1.1),
    "quantize to uint8": ("float32", to("quantize", OF["uint8"]), "dsp", 1.15),
    "dequantize": ("int8", to("dequantize", Type("float32")), "dsp", 0.6),
    "cast of uint8": ("uint8", to("cast", Type("float32")), "dsp", 0.6),
    "cast of int32": ("int32", to("cast", Type("float32")), "dsp", 0.8),
    "cast to int8": ("float32", to("cast", Type("int8")), "dsp", 0.9),
    "cast to bool": ("float32", to("cast", Type("bool")), "dsp", 0.9),
    "abs": ("float32", to("abs", Type("float32")), "dsp", 0.9),
    "neg": ("float32", to("neg", Type("float32")), "dsp", 0.9),
    "prelu": ("float32", lambda b, x: b.op("prelu", [x, SLOPES]), "dsp", 1.1),
    "prelu of int8": ("int8", slopes_of_int8, "dsp", 2.4),
    "a row for all": ("float32", lambda b, x: b.mul(x, SLOPES[0, 0]), "dsp", 1.0),
    "resize, nearest": ("float32", lambda b, x: b.resize_nearest(x, (128, 128)), "dsp", 2.2),
    "tile": ("int8", lambda b, x: b.op("tile", [x], {"multiples": [1, 1, 2, 1]}), "dma", 0.8),
    "mirror pad": ("int8", mirrored, "dma", 0.6),
}


@pytest.mark.parametrize("name", CASES)
def test_an_operator_takes_about_a_cycle_an_element(name: str) -> None:
    dtype, make, engine, most = CASES[name]
    kind = OF.get(dtype, Type(dtype))
    b = Builder("one")
    x = b.input("x", SHAPE, dtype, kind.scale, int(np.atleast_1d(kind.zero_point)[0]))
    b.output(make(b, x))
    run = presil.run(b.build(), check="layers", seed=2)
    assert run.exact
    assert [place["engine"] for place in run.program.placement] == [engine]
    assert run.cycles <= most * ELEMENTS


def test_between_four_pixels_of_an_image_that_the_sram_holds() -> None:
    for soc in ("edge", "big"):
        b = Builder("one")
        x = b.input("x", (1, 24, 24, 40), "float32")
        b.output(b.resize_bilinear(x, (48, 50), half_pixel_centers=True))
        run = presil.run(b.build(), soc=soc, check="layers", seed=2)
        assert run.exact
        assert [place["engine"] for place in run.program.placement] == ["dsp"]
        assert run.cycles <= 2.5 * 48 * 50 * 40


def test_a_float_input_that_is_quantised_and_convolved_is_exact_on_every_soc() -> None:
    b = Builder("net")
    x = b.input("x", (1, 48, 48, 3), "float32")
    real = b.mul(b.sub(x, np.array([0.4, 0.5, 0.6], np.float32)), np.float32([4, 4.4, 4.2]))
    y = b.op("quantize", [real], out=Type("int8", 0.03, -5))
    weights = np.random.default_rng(1).integers(-127, 128, (16, 3, 3, 3)).astype(np.int8)
    z = b.conv2d(y, weights, weights_scale=0.004, stride=2, padding="same", out=(0.05, -3))
    b.output(b.op("dequantize", [z], out="float32"))
    for soc in ("edge", "micro", "big"):
        assert presil.run(b.build(), soc=soc, check="layers", seed=2).exact
