"""Cycles an element of single operators, and the engine that computes each.

    PYTHONPATH=sim/python /usr/bin/python3 tests/bench/operator_cycles.py [--soc edge] [PART ..]

A network of one operator of 32,768 elements each, with the select of an image of kernels, its input
from DRAM and its result to it; printed as a Markdown table. PART: operators whose name holds it.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import presil
from presil import Builder, Type
from presil.graph_builder import Tensor

Make = Callable[[Builder, Tensor], Tensor]
SHAPE = (1, 32, 32, 32)
ELEMENTS = 32 * 32 * 32
TYPES = {
    "int8": Type("int8", 0.05, 3),
    "uint8": Type("uint8", 0.05, 128),
    "int16": Type("int16", 0.05, 0),
}
FUNCTIONS = """relu leaky_relu hard_swish logistic tanh elu exp log sqrt rsqrt abs neg square sin
    cos floor ceil round gelu softmax log_softmax l2_normalize"""
CASTS = """uint8-float32 int8-float32 int32-float32 bool-float32 int64-float32 float32-int8
    float32-uint8 float32-int32 float32-bool int32-int8 uint8-int32 int64-int32"""
SLOPES = np.linspace(-0.3, 0.3, 32, dtype=np.float32)


def of(kind: str, out: Type | None = None, attributes: dict[str, Any] | None = None) -> Make:
    def make(b: Builder, x: Tensor) -> Tensor:
        y: Tensor = b.op(kind, [x], attributes, out=out)
        return y

    return make


def gathered(axis: int) -> Make:
    order = np.random.default_rng(0).permutation(32).astype(np.int32)

    def make(b: Builder, x: Tensor) -> Tensor:
        y: Tensor = b.op("gather", [x, order], {"axis": axis})
        return y

    return make


def doubled(kind: str) -> Make:
    def make(b: Builder, x: Tensor) -> Tensor:
        y: Tensor = getattr(b, kind)(x, (64, 64))
        return y

    return make


def conversions() -> Iterator[tuple[str, str, Make]]:
    """Name, type of x, what is made of it."""
    for name, kind in TYPES.items():
        yield f"quantize to {name}", "float32", of("quantize", kind)
        yield f"dequantize {name}", name, of("dequantize", Type("float32"))
    yield "quantize int16 to int8", "int16", of("quantize", Type("int8", 0.07, 3))
    for pair in CASTS.split():
        start, end = pair.split("-")
        yield f"cast {start} to {end}", start, of("cast", Type(end))


def functions() -> Iterator[tuple[str, str, Make]]:
    for name in FUNCTIONS.split():
        yield f"{name} float32", "float32", of(name)
    slopes = SLOPES.reshape(1, 1, 32)
    yield "prelu float32", "float32", lambda b, x: b.op("prelu", [x, slopes])
    yield "mul by channel float32", "float32", lambda b, x: b.mul(x, SLOPES)
    yield "pow 2", "float32", lambda b, x: b.pow(x, np.array([2], np.float32))
    yield "pow 0.5", "float32", lambda b, x: b.pow(x, np.array([0.5], np.float32))
    whole = (np.arange(32) - 16).astype(np.int8).reshape(1, 1, 32)
    yield "prelu int8", "int8", lambda b, x: b.op("prelu", [x, b.constant(whole, 0.01, 0)])


def with_another(kind: str, shape: tuple[int, ...]) -> Make:
    """With a second input of int8, broadcast."""

    def make(b: Builder, x: Tensor) -> Tensor:
        other = b.input("s", shape, "int8", 0.04, -5)
        y: Tensor = b.op(kind, [x, other], out=Type("int8", 0.07, 3))
        return y

    return make


def pairs() -> Iterator[tuple[str, str, Make]]:
    for kind in ("add", "sub", "mul", "squared_difference"):
        yield f"{kind} of an image int8", "int8", with_another(kind, SHAPE)
        yield f"{kind} of one value a pixel int8", "int8", with_another(kind, (1, 32, 32, 1))
        yield f"{kind} of one pixel int8", "int8", with_another(kind, (1, 1, 1, 32))


def moves() -> Iterator[tuple[str, str, Make]]:
    pads = {"before": [0, 2, 2, 0], "after": [0, 2, 2, 0]}
    for kind in ("int8", "float32"):
        yield f"tile {kind}", kind, of("tile", attributes={"multiples": [1, 2, 2, 1]})
        yield f"mirror_pad {kind}", kind, of("mirror_pad", attributes=pads)
        for axis in (1, 3):
            yield f"gather along {axis} {kind}", kind, gathered(axis)
        yield f"transpose {kind}", kind, of("transpose", attributes={"perm": [0, 3, 1, 2]})
        for name in ("resize_nearest", "resize_bilinear"):
            yield f"{name} {kind}", kind, doubled(name)
        for name in ("mean", "sum", "reduce_max"):
            for axes in ([3], [1, 2], [1], [1, 3]):
                yield f"{name} of {axes} {kind}", kind, of(name, attributes={"axes": axes})


def measured(dtype: str, make: Make, soc: str) -> tuple[str, int]:
    kind = TYPES.get(dtype, Type(dtype))
    b = Builder("one")
    zero = int(np.atleast_1d(kind.zero_point)[0])
    b.output(make(b, b.input("x", SHAPE, dtype, kind.scale, zero)))
    run = presil.run(b.build(), soc=soc, check="layers", seed=1)
    if not run.exact:
        raise SystemExit(f"{dtype}: differs from the reference interpreter")
    return "+".join(sorted({place["engine"] for place in run.program.placement})), run.cycles


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("part", nargs="*")
    parser.add_argument("--soc", default="edge")
    args = parser.parse_args()
    print("| operator | engine | cycles | per element |\n|---|---|---|---|")
    for name, dtype, make in [*conversions(), *functions(), *pairs(), *moves()]:
        if args.part and not any(part in name for part in args.part):
            continue
        try:
            engine, cycles = measured(dtype, make, args.soc)
        except presil.Refusal as why:
            print(f"| {name} | refused | {str(why).splitlines()[0]} | |")
            continue
        print(f"| {name} | {engine} | {cycles:,} | {cycles / ELEMENTS:.2f} |", flush=True)


if __name__ == "__main__":
    main()
