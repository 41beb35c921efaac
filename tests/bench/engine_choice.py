"""Whether the compiler gives an operator to the engine that runs it faster.

    PYTHONPATH=sim/python /usr/bin/python3 tests/bench/engine_choice.py [--held-out | --seed N]

Each single operator runs three times on each SoC: as the compiler chooses, on the DSP (a host so
slow that it is never chosen) and on the host (a SoC without a DSP). The choice is right where it
takes no more cycles than either, within --slack. Printed: the share, and each wrong choice with its
three figures. Operators that one of the two does not take are left out. --held-out: sizes of other
seeds. --seed: random sizes, to look for causes with; the other two sets are not for that.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import presil
from dsp_operators import shapes as random_shapes

Make = Callable[[Any, Any], Any]
#: Of the host that is compared: those of the preset `edge`.
SOCS = {
    "edge": {},
    "micro": {"dsp.units": 1},
    "vlen 128": {"dsp.vlen": 128, "dsp.dlen": 128},
    "vlen 1024": {"dsp.vlen": 1024, "dsp.dlen": 512},
    "slow memory": {"dram.peak_mb_per_s": 3200},
}
SLOW_HOST = {"host.cycles_call": 1_000_000}


def unary(name: str, **attributes: object) -> Make:
    return lambda b, x: getattr(b, name)(x, **attributes)


def operators() -> Iterator[tuple[str, str, Make]]:
    """Type of x, name, what is made of it."""
    yield "int8", "softmax", unary("softmax")
    for factor in (2, 3):
        yield (
            "int8",
            f"resize_bilinear x{factor}",
            lambda b, x, factor=factor: b.resize_bilinear(
                x, size=(factor * x.shape[1], factor * x.shape[2])
            ),
        )
    yield (
        "int8",
        "resize_nearest x3",
        lambda b, x: b.resize_nearest(x, size=(3 * x.shape[1], 3 * x.shape[2])),
    )
    yield "int8", "maximum", lambda b, x: b.maximum(x, b.relu(x))
    for name in ("exp", "log", "tanh", "logistic", "rsqrt", "abs", "relu"):
        yield "float32", name, unary(name)
    yield "float32", "softmax float", unary("softmax")
    yield "float32", "add float", lambda b, x: b.add(x, b.relu(x))


def shapes(held_out: bool, seed: int | None) -> list[tuple[int, ...]]:
    """Of single rows to images."""
    if seed is not None:
        return random_shapes("", seed, 6)
    r = np.random.default_rng(9 if held_out else 1)
    sides = [(1, 1), (3, 3), (6, 8), (14, 14), (28, 24), (48, 56)]
    return [(1, *side, 4 * int(r.integers(1, 12))) for side in sides]


def network(kind: str, shape: tuple[int, ...], make: Make) -> presil.Graph:
    b = presil.Builder("one", "tflite")
    if kind == "int8":
        x = b.input("x", shape, scale=0.05, zero_point=3)
    else:
        x = b.input("x", shape, dtype="float32")
    b.output(make(b, x))
    return b.build()


def engines_of(program: presil.Program) -> set[str]:
    return {place["engine"] for place in program.placement} & {"dsp", "host"}


def cycles(graph: presil.Graph, soc: str, set_: dict[str, object]) -> tuple[int, set[str]]:
    program = presil.compile(graph, soc=soc, set=set_)
    return presil.run(program, check="none", seed=1).cycles, engines_of(program)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--held-out", action="store_true")
    parser.add_argument("--seed", type=int)
    parser.add_argument("--slack", type=float, default=0.02)
    args = parser.parse_args()
    right = total = 0
    for label, changes in SOCS.items():
        soc = "micro" if label == "micro" else "edge"
        for kind, name, make in operators():
            for shape in shapes(args.held_out, args.seed):
                try:
                    graph = network(kind, shape, make)
                    by_dsp, on_dsp = cycles(graph, soc, {**changes, **SLOW_HOST})
                    by_host, on_host = cycles(graph, soc, {**changes, "dsp.units": 0})
                except presil.Refusal as why:
                    print(f"left out: {name} {shape} on {label}: {str(why)[:100]}")
                    break
                if on_dsp != {"dsp"} or on_host != {"host"}:
                    continue
                chosen, where = cycles(graph, soc, changes)
                total += 1
                best = min(by_dsp, by_host)
                if chosen <= (1 + args.slack) * best:
                    right += 1
                    continue
                size = "x".join(map(str, shape))
                print(
                    f"{label}: {name} {size} on the {'+'.join(sorted(where))}: {chosen:,};"
                    f" dsp {by_dsp:,}, host {by_host:,}"
                )
    print(f"{right} of {total} choices are the faster one: {100 * right / max(total, 1):.1f} %")


if __name__ == "__main__":
    main()
