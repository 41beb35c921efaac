"""Functions of one value or of two, and reductions."""

from __future__ import annotations

import math

import numpy as np

from .model import DTYPES, Model
from .weighted import broadcasting, out_size


def pair(m: Model, code: str) -> None:
    """y = f(a, b), broadcasting as numpy does; sometimes one is a constant."""
    a, b, y = broadcasting(m, 4)
    if not y or m.chance(0.4):
        a = b = y = m.shape(4)
    inputs = [m.operand(a), m.operand(b)]
    product = m.scale_of(inputs[0]) * m.scale_of(inputs[1])
    reach = 2**13 if m.kind == "Int16" else 2**6
    scale = product * reach * m.between(2**-2, 2**3) if code == "MUL" else None
    if m.chance(0.5):
        inputs.reverse()
    made = m.result(y, scale)
    if code != "MUL" and m.kind in ("Int8", "Uint8"):  # coarse_pair has operands of larger steps
        least = max(m.scale_of(x) for x in inputs) / 250
        m.tensors[made]["quantization"]["scale"] = [float(np.float32(max(m.scale_of(made), least)))]
    m.op(code, inputs, made, code.capitalize(), activation=m.activation())


def unlike_pair(m: Model, code: str) -> None:
    """a or b in far finer steps than y, down to those of a dead branch, which XNNPACK leaves."""
    a, b, y = broadcasting(m, 4)
    step = m.scale()
    fine = m.pick([1e-35, step * m.between(2**-40, 2**-10), step * m.between(2**-12, 2**-9)])
    steps = [fine, step * m.between(2**-6, 2**6)]
    if m.chance(0.5):
        steps.reverse()
    inputs = [m.input(a or [1], steps[0]), m.input(b or [1], steps[1])]
    m.op(code, inputs, m.result(y or [1], step), code.capitalize(), activation=m.activation())


def coarse_pair(m: Model, code: str) -> None:
    """a or b in steps of 2^7 to 2^18 of y's, near its zero: LiteRT's vectors keep 16 bits of a sum.
    One in three results has a clamp that lies midway between two stored values."""
    a, b, y = broadcasting(m, 4)
    step = 12 / (2 * m.number(0, 60) + 1) if m.chance(0.3) else m.scale()
    ratio = m.between(2**7, 2**18)
    steps = [step * ratio, step * m.between(2**-6, 2**5)]
    shapes = [a or [1], b or [1]]
    coarse = int(m.chance(0.5))
    if coarse == 1:
        steps.reverse()
    inputs = [m.input(shape, s) for shape, s in zip(shapes, steps)]
    low, high = (0, 255) if m.kind == "Uint8" else (-128, 127)
    most = int(15000 / ratio)
    near = m.zero_of(inputs[coarse]) + m.rng.integers(-most, most + 1, shapes[coarse])
    m.given[inputs[coarse]] = near.clip(low, high).astype(DTYPES[m.kind])
    m.op(code, inputs, m.result(y or [1], step), code.capitalize(), activation=m.activation())


def function(m: Model, code: str) -> None:
    """y = f(x), with scales of their own."""
    shape = m.shape(m.number(1, 4))
    m.op(code, [m.input(shape)], m.result(shape))


def above_zero(m: Model, code: str) -> None:
    """y = f(x) for x above 0, mostly."""
    shape = m.shape(m.number(1, 4))
    x = m.input(shape)
    if m.chance(0.8):
        m.given[x] = np.abs(m.any_of(m.kind, shape))
    m.op(code, [x], m.result(shape))


def float_pair(m: Model, code: str) -> None:
    """As `pair`, without an activation; powers of what is above 0, mostly."""
    a, b, y = broadcasting(m, 4)
    if code == "PRELU":
        a = y  # its slopes alone are repeated
    x = m.input(a)
    if code == "POW" and m.chance(0.8):
        m.given[x] = np.asarray(np.abs(m.any_of(m.kind, a)))
    other = m.tensor(b, data=m.any_of(m.kind, b))
    m.op(code, [x, other], m.result(y))


def gelu(m: Model) -> None:
    shape = m.shape(m.number(1, 4))
    m.op("GELU", [m.input(shape)], m.result(shape), "Gelu", approximate=m.chance(0.5))


def l2_normalization(m: Model) -> None:
    shape = m.shape(m.number(2, 4))
    m.op("L2_NORMALIZATION", [m.input(shape)], m.result(shape), "L2Norm", activation="None")


def real(m: Model, code: str) -> None:
    """y = f(x) where the runtime defines it: roots of what is not negative, exp within float32."""
    shape = m.shape(m.number(1, 4))
    scale = m.scale() if code != "EXP" else m.between(2**-7, 2**-3)
    if code == "NEG":
        x = m.input(shape, scale, m.zero() if m.chance(0.5) else 0)
        y = m.result(shape, scale, -m.zero_of(x) if m.zero_of(x) != -128 else 0)
        if m.zero_of(x) == -128:
            m.tensors[x]["quantization"]["zero_point"] = [0]
    elif code in ("SQRT", "RSQRT"):
        zero = m.zero()
        x = m.input(shape, scale, zero)
        m.given[x] = m.rng.integers(zero, 128, shape).astype(np.int8)
        y = m.result(shape)
    else:
        x = m.input(shape, scale)
        y = m.result(shape, scale * m.pick([1, 2, 4])) if m.chance(0.3) else m.result(shape)
    if code == "GELU":
        m.op(code, [x], y, "Gelu", approximate=m.chance(0.5))
    else:
        m.op(code, [x], y)


def prelu(m: Model) -> None:
    """A slope for each channel, sometimes for each value."""
    shape = m.shape(m.number(1, 4))
    x = m.input(shape)
    own = [1] * (len(shape) - 1) + shape[-1:] if m.chance(0.8) else shape
    kind = "Uint8" if m.kind == "Uint8" else "Int8"
    slopes = m.any_of(kind, own[len(own) - 1 :] if m.chance(0.3) and own != shape else own)
    alpha = m.constant(slopes, m.between(2**-9, 2**-6), m.zero(kind) if m.kind != "Int16" else 0)
    y = m.result(shape, m.scale_of(x) * m.between(2**-2, 2**2))
    m.op("PRELU", [x, alpha], y)


def squared_difference(m: Model) -> None:
    a, b, y = broadcasting(m, 4)
    inputs = [m.input(a), m.input(b)]
    larger = max(m.scale_of(i) for i in inputs)
    reach = 2**14 if m.kind == "Int16" else 2**6
    m.op("SQUARED_DIFFERENCE", inputs, m.result(y, larger**2 * reach * m.between(2**-2, 2**3)))


def div(m: Model) -> None:
    """Never by 0, which LiteRT refuses as it runs."""
    a, b, y = broadcasting(m, 4)
    x, divisor = m.input(a), m.input(b)
    values, zero = m.any_of(m.kind, b), m.zero_of(divisor)
    values[values == zero] += 1 if zero < 127 else -1
    m.given[divisor] = values
    scale = m.scale_of(x) / m.scale_of(divisor) * m.between(2**-6, 2)
    m.op("DIV", [x, divisor], m.result(y, scale), "Div", activation=m.activation())


def relu_like(m: Model, code: str) -> None:
    """As `function`; one scale on both sides half the time, as networks have it."""
    shape = m.shape(4)
    x = m.input(shape)
    m.op(code, [x], m.like(x, shape) if m.chance(0.5) else m.result(shape))


def hard_swish(m: Model) -> None:
    """Scales of some nearness: of results 2^15 times as coarse the runtimes' 16 bits make noise."""
    shape = m.shape(m.number(1, 4))
    x = m.input(shape)
    y = m.result(shape, m.scale_of(x) * m.between(2**-5, 2**6))
    m.op("HARD_SWISH", [x], y)


def same_scale(m: Model, code: str) -> None:
    """y = f(x) with one scale on both sides, which is all that the runtimes take."""
    shape = m.shape(4)
    x = m.input(shape)
    m.op(code, [x], m.like(x, shape))


def into_unit(m: Model, code: str) -> None:
    """Functions whose result has one scale that everybody agrees on."""
    shape = m.shape(m.number(2, 4), 12)
    if code == "SOFTMAX" and m.chance(0.5):
        shape = m.pick([[m.number(1, 300), m.number(2, 20)], [m.number(1, 4), m.number(20, 4095)]])
    scale, zero = {"TANH": (1 / 128, 0)}.get(code, (1 / 256, -128))
    y = m.tensor(shape, "", scale, zero + (128 if m.kind == "Uint8" else 0))
    if code == "SOFTMAX":
        m.op(code, [m.input(shape)], y, "Softmax", beta=m.pick([1.0, 1.0, m.between(2**-2, 4)]))
    else:
        m.op(code, [m.input(shape)], y)


def leaky_relu(m: Model) -> None:
    shape = m.shape(4)
    low = -1.2 if m.kind == "Int16" else 0.01
    alpha = float(m.rng.uniform(low, 1.2))
    m.op("LEAKY_RELU", [m.input(shape)], m.result(shape), "LeakyRelu", alpha=alpha)


def quantize(m: Model, ways: tuple[tuple[str, str], ...]) -> None:
    """From one type to another; int32 in finer steps."""
    shape = m.shape(4)
    kinds = m.pick(ways)
    ends = []
    for kind in kinds:
        step = m.scale("Int16") / 65536 if kind == "Int32" else m.scale(kind)
        has_scale = kind != "Float32"
        ends.append(m.tensor(shape, kind, step if has_scale else None, m.zero(kind)))
    m.inputs.append(ends[0])
    m.op("QUANTIZE" if kinds[1] != "Float32" else "DEQUANTIZE", [ends[0]], ends[1])


def resigned(m: Model) -> None:
    """Between int8 and uint8 of one scale, as at the ends of a network."""
    shape, scale, zero = m.shape(4), m.scale(), m.zero("Int8")
    kinds = m.pick([("Int8", "Uint8"), ("Uint8", "Int8")])
    x, y = (m.tensor(shape, k, scale, zero + (128 if k == "Uint8" else 0)) for k in kinds)
    m.inputs.append(x)
    m.op("QUANTIZE", [x], y)


def pool(m: Model, code: str) -> None:
    kernel, stride = [m.number(1, 5), m.number(1, 5)], [m.number(1, 4), m.number(1, 4)]
    padding = m.pick(["Same", "Valid"])
    image = [m.number(k if padding == "Valid" else 1, k + 8) for k in kernel]
    batch, c = m.number(1, 2), m.number(1, 20)
    out = [out_size(n, k, s, 1, padding) for n, k, s in zip(image, kernel, stride)]
    x = m.input([batch, *image, c])
    m.op(
        code, [x], m.like(x, [batch, *out, c]), "Pool2D", padding=padding,
        stride_h=stride[0], stride_w=stride[1], filter_h=kernel[0], filter_w=kernel[1],
        activation=m.activation(),
    )  # fmt: skip


def reduction(m: Model) -> tuple[list[int], list[int], list[int], bool]:
    """Shapes of x and y, axes, whether they stay; mostly height and width, as networks have it."""
    shape = m.shape(4, 10)
    if m.chance(0.6):
        axes = [1, 2]
    else:
        rank = m.number(2, 4)
        shape = shape[:rank]
        axes = sorted(m.rng.permutation(rank)[: m.number(1, rank)].tolist())
    keep = m.chance(0.5)
    out = [1 if i in axes else n for i, n in enumerate(shape) if keep or i not in axes]
    named = [a - len(shape) if m.chance(0.2) else a for a in axes]
    return shape, out, named, keep


def mean(m: Model) -> None:
    shape, out, axes, keep = reduction(m)
    y = m.result(out)
    m.op("MEAN", [m.input(shape), m.integers(*axes)], y, "Reducer", keep_dims=keep)


def sums(m: Model) -> None:
    """As `mean`; y's scale holds most sums."""
    shape, out, axes, keep = reduction(m)
    x = m.input(shape)
    terms = math.prod(shape) / math.prod(out)
    y = m.result(out, m.scale_of(x) * math.sqrt(terms) * m.between(2**-2, 2**3))
    m.op("SUM", [x, m.integers(*axes)], y, "Reducer", keep_dims=keep)


def extreme(m: Model, code: str) -> None:
    shape, out, axes, keep = reduction(m)
    x = m.operands([shape])[0]
    m.op(code, [x, m.integers(*axes)], m.like(x, out), "Reducer", keep_dims=keep)


def place(m: Model, code: str) -> None:
    """ARG_MAX, ARG_MIN: x often has equal values."""
    shape = m.shape(m.number(1, 4), 12)
    axis = int(m.rng.integers(0, len(shape)))
    x = m.operands([shape])[0]
    out = shape[:axis] + shape[axis + 1 :]
    y = m.tensor(out, "Int32")
    named = m.constant(np.array(axis - len(shape) if m.chance(0.3) else axis, np.int32))
    kind = "ArgMax" if code == "ARG_MAX" else "ArgMin"
    m.op(code, [x, named], y, kind, output_type="Int32")


def choice(m: Model, code: str) -> None:
    """MAXIMUM, MINIMUM: everything means the same."""
    a, b, y = broadcasting(m, 4)
    inputs = m.operands([a, b])
    m.op(code, inputs, m.like(inputs[0], y))
