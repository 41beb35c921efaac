"""Random whole networks in lock-step: inverted residuals, slices, concatenations, copies inside the
SRAM, pads, pools, transposed and reshaped images, matrix products, layers of a few cycles; odd
sizes, and images that do not fit in the SRAM.

    python3 testbench/lockstep/random_networks.py FIRST COUNT [SETTING...]

runs the networks FIRST, FIRST + 1, ... under settings of the memory (default: all), prints a line
for each, and ends with 1 where lock-step names a difference.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "sim" / "python"))

import presil  # noqa: E402
from presil import Refusal  # noqa: E402
from presil.graph_builder import Tensor  # noqa: E402

BLOCKS = ("dla", "dma", "sync")
SETTINGS = {
    "ideal": ["dram.setting=ideal"],
    "real": [],
    "contended": ["dram.setting=contended", "dram.background_mb_per_s=6400"],
}
"""Of the memory, on the SoC `edge`: those of cycle_error.md."""
MOST_MACS = 3_000_000
"""What a network costs to simulate stays at some seconds."""
ACTS = ("none", "relu", "relu6")


@dataclass
class Theme:
    """What a network consists of: weights of the dice, layers, and how large its images begin."""

    name: str
    steps: dict[str, int]
    layers: tuple[int, int]
    sides: tuple[int, int]
    channels: tuple[int, int]
    values: int = 60_000  # of one tensor, at most


THEMES = (
    Theme(
        "mobile",
        {"inverted": 6, "conv": 1, "concat": 1, "slice": 1, "pool": 1, "add": 1},
        (4, 8),
        (20, 80),
        (3, 8),
    ),
    Theme(
        "shuffle",
        {"slice": 5, "concat": 5, "pointwise": 3, "depthwise": 2, "transpose": 2, "reshape": 2},
        (8, 16),
        (8, 40),
        (8, 48),
    ),
    Theme(
        "matmul",
        {"matmul": 5, "dense": 4, "transpose": 2, "reshape": 2, "add": 2, "slice": 2, "concat": 2},
        (6, 14),
        (4, 24),
        (8, 64),
    ),
    Theme(
        "short",
        {"pointwise": 3, "depthwise": 3, "add": 3, "pool": 1, "slice": 3, "concat": 3, "pad": 2},
        (12, 24),
        (1, 9),
        (1, 40),
    ),
    Theme(
        "mixed",
        {
            name: 1
            for name in (
                "conv pointwise depthwise inverted add mul concat slice pad pool resize transpose "
                "reshape matmul dense curve strided"
            ).split()
        },
        (6, 18),
        (4, 48),
        (1, 40),
    ),
    Theme(
        "large",
        {"depthwise": 2, "slice": 3, "concat": 3, "pool": 2, "pad": 1, "add": 2, "pointwise": 1},
        (3, 6),
        (96, 160),
        (8, 24),
        800_000,
    ),
)


@dataclass
class Grower:
    """A network as it grows, operator by operator."""

    dice: np.random.Generator
    builder: presil.Builder
    most_values: int
    tensors: list[Tensor] = field(default_factory=list)
    used: set[int] = field(default_factory=set)
    macs: int = 0

    # ---- dice

    def between(self, low: int, high: int) -> int:
        return int(self.dice.integers(low, high + 1))

    def choose(self, of: Sequence) -> object:
        return of[self.between(0, len(of) - 1)]

    def chance(self, percent: int) -> bool:
        return self.between(1, 100) <= percent

    def scale(self) -> float:
        return float(np.float32(self.dice.uniform(0.02, 0.1)))

    def out(self) -> tuple[float, int]:
        return self.scale(), self.between(-20, 20)

    def weights(self, *shape: int) -> np.ndarray:
        return self.dice.integers(-127, 128, shape, np.int8)

    def bias(self, channels: int) -> np.ndarray:
        return self.dice.integers(-4000, 4000, channels, np.int32)

    def channels(self) -> int:
        """Odd ones and whole blocks of 16, both often."""
        return self.between(1, 4) * 16 if self.chance(40) else self.between(1, 72)

    # ---- tensors

    def pick(self, rank: int = 4) -> Tensor | None:
        """Mostly the newest, sometimes an older one; those nobody has read come first."""
        fitting = [t for t in self.tensors if len(t.shape) == rank]
        if not fitting:
            return None
        fresh = [t for t in fitting if t.id not in self.used]
        if fresh and self.chance(70):
            return fresh[-1]
        return fitting[max(0, len(fitting) - self.between(1, 4))]

    def read(self, *tensors: Tensor) -> None:
        self.used |= {t.id for t in tensors}

    def spend(self, macs: int, values: int) -> bool:
        """Whether an operator of that size may be added."""
        if self.macs + macs > MOST_MACS or values > self.most_values or values < 1:
            return False
        self.macs += macs
        return True


# ---- operators: each takes what it finds and returns its result, or nothing where none fits


def convolution(g: Grower, kernel: tuple[int, int], strides: bool = True) -> Tensor | None:
    x = g.pick()
    if x is None:
        return None
    _, h, w, c = x.shape
    kernel = (min(kernel[0], h), min(kernel[1], w))
    stride = (g.between(1, 2), g.between(1, 2)) if strides and g.chance(30) else (1, 1)
    k = g.channels()
    if not g.spend(h * w * c * k * kernel[0] * kernel[1], h * w * k):
        return None
    g.read(x)
    weights = g.weights(k, *kernel, c)
    return g.builder.conv2d(
        x,
        weights,
        g.bias(k),
        weights_scale=g.scale() / (8 * np.prod(kernel) * c) ** 0.5,
        stride=stride,
        padding=str(g.choose(("same", "valid"))),
        act=str(g.choose(ACTS)),
        out=g.out(),
    )


def conv(g: Grower) -> Tensor | None:
    return convolution(g, (g.between(1, 5), g.between(1, 5)))


def pointwise(g: Grower) -> Tensor | None:
    return convolution(g, (1, 1), strides=False)


def depthwise(g: Grower, x: Tensor | None = None, stride: int | None = None) -> Tensor | None:
    x = x or g.pick()
    if x is None:
        return None
    _, h, w, c = x.shape
    side = int(min(g.choose((3, 3, 5, 7)), max(h, 1), max(w, 1)))  # type: ignore[type-var]
    if not g.spend(h * w * c * side * side, h * w * c):
        return None
    g.read(x)
    return g.builder.depthwise_conv2d(
        x,
        g.weights(1, side, side, c),
        g.bias(c),
        weights_scale=g.scale() / (4 * side),
        stride=stride or (2 if g.chance(25) else 1),
        padding="same",
        act=str(g.choose(ACTS)),
        out=g.out(),
    )


def inverted(g: Grower) -> Tensor | None:
    """Expand, depthwise, project; added to its input where that fits."""
    x = g.pick()
    if x is None:
        return None
    _, h, w, c = x.shape
    wide, stride = c * g.between(1, 6), 2 if g.chance(40) else 1
    narrow = c if stride == 1 and g.chance(60) else g.between(8, 48)
    rows, columns = -(-h // stride), -(-w // stride)
    if not g.spend(h * w * c * wide + rows * columns * wide * narrow, h * w * wide):
        return None
    g.read(x)

    def project(y: Tensor, channels: int, act: str) -> Tensor:
        scale = g.scale() / (8 * y.shape[3]) ** 0.5
        weights = g.weights(channels, 1, 1, y.shape[3])
        return g.builder.conv2d(
            y, weights, g.bias(channels), weights_scale=scale, act=act, out=g.out()
        )

    y = depthwise(g, project(x, wide, "relu6"), stride)
    if y is None:
        return None
    y = project(y, narrow, "none")
    return g.builder.op("add", [x, y], {}, g.out()) if y.shape == x.shape else y


def pair(g: Grower, kind: str) -> Tensor | None:
    """Of two tensors of one shape; where there is but one, with itself moved by a pool."""
    x = g.pick()
    if x is None:
        return None
    others = [t for t in g.tensors if t.shape == x.shape and t.id != x.id]
    y = others[-1] if others else g.builder.max_pool2d(x, 3, stride=1, padding="same")
    if not g.spend(0, int(np.prod(x.shape))):
        return None
    g.read(x, y)
    return g.builder.op(kind, [x, y], {}, g.out())


def add(g: Grower) -> Tensor | None:
    return pair(g, str(g.choose(("add", "sub"))))


def mul(g: Grower) -> Tensor | None:
    return pair(g, "mul")


def concat(g: Grower) -> Tensor | None:
    """Along any axis but the first; of what has the same type in the rest."""
    x = g.pick()
    if x is None:
        return None
    axis = g.between(1, 3) if g.chance(30) else 3
    rest = [n for i, n in enumerate(x.shape) if i != axis]
    same = [t for t in g.tensors if [n for i, n in enumerate(t.shape) if i != axis] == rest]
    parts = [g.choose(same) for _ in range(g.between(1, 3))] + [x]
    values = sum(int(np.prod(t.shape)) for t in parts)  # type: ignore[attr-defined]
    if len(rest) != 3 or not g.spend(0, values):
        return None
    g.read(*parts)  # type: ignore[arg-type]
    return g.builder.concat(parts, axis, out=None if g.chance(50) else g.out())  # type: ignore[arg-type]


def slices(g: Grower, step: int = 1) -> Tensor | None:
    """Of one axis mostly, of all sometimes; channels at odd places and at whole blocks."""
    x = g.pick()
    if x is None:
        return None
    begin, size = [0] * 4, list(x.shape)
    for axis in (1, 2, 3) if g.chance(25) else (g.between(1, 3),):
        whole = x.shape[axis]
        first = g.between(0, whole - 1)
        if axis == 3 and whole > 16 and g.chance(50):
            first = first // 16 * 16
        begin[axis] = first
        size[axis] = g.between(1, whole - first)
    steps = [1, *(step if axis < 3 else 1 for axis in (1, 2, 3))]
    size = [max(1, n // s) for n, s in zip(size, steps)]
    if not g.spend(0, int(np.prod(size))):
        return None
    g.read(x)
    return g.builder.slice(x, begin, size, steps)


def strided(g: Grower) -> Tensor | None:
    return slices(g, 2)


def pad(g: Grower) -> Tensor | None:
    x = g.pick()
    if x is None:
        return None
    widths = [(0, 0), *((g.between(0, 2), g.between(0, 3)) for _ in range(2)), (0, 0)]
    if g.chance(25):
        widths[3] = (g.between(0, 3), g.between(0, 17))
    if not g.spend(0, int(np.prod([n + a + b for n, (a, b) in zip(x.shape, widths)]))):
        return None
    g.read(x)
    return g.builder.pad(x, widths)


def pool(g: Grower) -> Tensor | None:
    x = g.pick()
    if x is None:
        return None
    kernel = (min(g.between(1, 4), x.shape[1]), min(g.between(1, 4), x.shape[2]))
    make = g.builder.max_pool2d if g.chance(50) else g.builder.average_pool2d
    stride = g.between(1, 2)
    g.read(x)
    return make(x, kernel, stride=stride, padding=str(g.choose(("same", "valid"))))


def resize(g: Grower) -> Tensor | None:
    x = g.pick()
    if x is None:
        return None
    _, h, w, c = x.shape
    size = (2 * h, 2 * w) if g.chance(60) else (g.between(1, 2 * h), g.between(1, 2 * w))
    if not g.spend(0, size[0] * size[1] * c):
        return None
    g.read(x)
    return g.builder.resize_nearest(x, size)


def transpose(g: Grower) -> Tensor | None:
    x = g.pick()
    if x is None:
        return None
    g.read(x)
    return g.builder.transpose(x, [0, *(1 + g.dice.permutation(3)).tolist()])


def reshape(g: Grower) -> Tensor | None:
    """Pixels in other rows, or channels made of pixels."""
    x = g.pick()
    if x is None:
        return None
    values = int(np.prod(x.shape))
    divisors = [n for n in range(1, 65) if values % n == 0]
    c = x.shape[3] if g.chance(50) else int(g.choose(divisors))  # type: ignore[call-overload]
    rows = int(g.choose([n for n in divisors if values // c % n == 0]))  # type: ignore[call-overload]
    g.read(x)
    return g.builder.reshape(x, [1, rows, values // c // rows, c])


def dense(g: Grower) -> Tensor | None:
    x = g.pick()
    if x is None:
        return None
    _, h, w, c = x.shape
    k = g.channels()
    if not g.spend(h * w * c * k, h * w * k):
        return None
    g.read(x)
    rows = g.builder.reshape(x, [h * w, c])
    scale = g.scale() / (8 * c) ** 0.5
    y = g.builder.fully_connected(
        rows, g.weights(k, c), g.bias(k), weights_scale=scale, act=str(g.choose(ACTS)), out=g.out()
    )
    return g.builder.reshape(y, [1, h, w, k])


def matmul(g: Grower) -> Tensor | None:
    """Rows of an image times those of an image, or its own: as attention has it."""
    x = g.pick()
    if x is None:
        return None
    _, h, w, c = x.shape
    others = [t for t in g.tensors if len(t.shape) == 4 and t.shape[3] == c] or [x]
    y = others[g.between(0, len(others) - 1)]
    a, b = h * w, y.shape[1] * y.shape[2]
    if not g.spend(a * b * c, a * b):
        return None
    g.read(x, y)
    left, right = g.builder.reshape(x, [1, a, c]), g.builder.reshape(y, [1, b, c])
    product = g.builder.op(
        "batch_matmul", [left, right], {"transpose_b": True}, (40 * g.scale(), 0)
    )
    if g.chance(40):
        product = g.builder.softmax(product)
    return g.builder.reshape(product, [1, h, w, b])


def curve(g: Grower) -> Tensor | None:
    x = g.pick()
    if x is None:
        return None
    kind = str(g.choose(("logistic", "tanh", "hard_swish", "leaky_relu", "elu")))
    g.read(x)
    fixed = {"logistic": (1 / 256, -128), "tanh": (1 / 128, 0)}
    attributes = {"alpha": 0.1} if kind == "leaky_relu" else {}
    return g.builder.op(kind, [x], attributes, fixed.get(kind) or g.out())


STEPS: dict[str, Callable[[Grower], Tensor | None]] = {
    "conv": conv,
    "pointwise": pointwise,
    "depthwise": depthwise,
    "inverted": inverted,
    "add": add,
    "mul": mul,
    "concat": concat,
    "slice": slices,
    "strided": strided,
    "pad": pad,
    "pool": pool,
    "resize": resize,
    "transpose": transpose,
    "reshape": reshape,
    "dense": dense,
    "matmul": matmul,
    "curve": curve,
}


def network(seed: int) -> presil.Network:
    """The network of that number."""
    theme = THEMES[seed % len(THEMES)]
    builder = presil.Builder(f"random-{seed}-{theme.name}")
    g = Grower(np.random.default_rng(seed), builder, theme.values)
    inputs = g.between(1, 2)
    for i in range(inputs):
        shape = (1, g.between(*theme.sides), g.between(*theme.sides), g.between(*theme.channels))
        x = builder.input(f"x{i}", shape, scale=g.scale(), zero_point=g.between(-9, 9))
        g.tensors.append(x)
    names, weights = list(theme.steps), np.array(list(theme.steps.values()), float)
    left, tries = g.between(*theme.layers), 200
    while left > 0 and tries > 0:
        tries -= 1
        name = names[int(g.dice.choice(len(names), p=weights / weights.sum()))]
        try:
            made = STEPS[name](g)
        except Refusal:
            continue
        if made is not None and 0 < np.prod(made.shape) <= theme.values:
            g.tensors.append(made)
            left -= 1
    for tensor in g.tensors[inputs:]:
        if tensor.id not in g.used:
            builder.output(tensor)
    return builder.build()


def inputs_of(program: presil.Program, seed: int) -> list[np.ndarray]:
    """All values of the type."""
    dice = np.random.default_rng(seed)
    return [dice.integers(-128, 128, tensor["shape"], np.int8) for tensor in program.inputs]


def lockstep(seed: int, setting: str) -> dict[str, Any]:
    """The record's `cosim` of a network under a setting."""
    program = presil.compile(network(seed), presil.load_soc("edge", SETTINGS[setting]))
    return dict(presil.cosim(program, inputs_of(program, seed), BLOCKS).record["cosim"])


def rtl_alone_is_exact(seed: int, setting: str) -> bool:
    """Without lock-step, every kept tensor compared: whose fault a difference is."""
    program = presil.compile(network(seed), presil.load_soc("edge", SETTINGS[setting]))
    blocks = dict.fromkeys(BLOCKS, "rtl")
    return presil.run(program, inputs_of(program, seed), "layers", blocks=blocks).exact


def line(seed: int, setting: str, found: dict[str, Any]) -> str:
    """A run in one line."""
    name = f"{seed}-{THEMES[seed % len(THEMES)].name}, {setting}"
    if found["first_divergence"]:
        alone = "exact" if rtl_alone_is_exact(seed, setting) else "wrong too"
        return f"{name}: {found['first_divergence']['text']}; RTL alone is {alone}"
    outside = [layer["name"] for layer in found["layers"] if not layer["within_band"]]
    return (
        f"{name}: {'exact' if found['exact'] else 'WRONG'}, "
        f"{found['model_cycles']:,} for {found['rtl_cycles']:,} cycles, "
        f"{found['error_percent']:+.3f} %"
        + (f", {len(outside)} of {len(found['layers'])} layers outside their band" * bool(outside))
    )


def main(arguments: list[str]) -> int:
    first, count = int(arguments[0]), int(arguments[1])
    wrong = 0
    for seed in range(first, first + count):
        for setting in arguments[2:] or SETTINGS:
            found = lockstep(seed, setting)
            wrong += not found["exact"]
            print(line(seed, setting, found), flush=True)
    return min(wrong, 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
