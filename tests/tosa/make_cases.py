"""Makes `cases.zip`: networks of random operators with what the reference model gives for them.

usage: python3 tests/tosa/make_cases.py PATH/TO/tosa_reference_model [COUNT]

The model comes with the package `tosa-tools` (2026.8.0) of the Python index. A case is a folder of
the archive: net.tosa, in0.npy .., out0.npy ... The archive is what tosa_cases_test.py reads.
"""

from __future__ import annotations

import io
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from tosa_file import NUMPY, TosaFile
from written_softmax import exponentials, written

ARCHIVE = Path(__file__).with_name("cases.zip")
Rng = np.random.Generator
RANGE = {"INT8": 2**7, "INT16": 2**15, "INT32": 2**31, "BOOL": 1}


def pick(rng: Rng, low: int, high: int) -> int:
    return int(rng.integers(low, high + 1))


def some(rng: Rng, shape: list[int], dtype: str, limit: int | None = None) -> np.ndarray:
    if dtype == "BOOL":
        return rng.integers(0, 2, shape).astype(np.bool_)
    most = limit or RANGE[dtype]
    return rng.integers(-most, most, shape).astype(NUMPY[dtype])


class Maker:
    def __init__(self, rng: Rng) -> None:
        self.rng = rng
        self.net = TosaFile()
        self.values: list[np.ndarray] = []

    def pick(self, low: int, high: int) -> int:
        return pick(self.rng, low, high)

    def coin(self) -> bool:
        return bool(self.rng.integers(0, 2))

    def input(self, shape: list[int], dtype: str, limit: int | None = None) -> str:
        self.values.append(some(self.rng, shape, dtype, limit))
        return self.net.input(shape, dtype)

    def zero(self, value: int, dtype: str) -> str:
        return self.net.constant([value], dtype)

    def rescale(
        self, x: str, shape: list[int], dtype: str, size: int, out: str = "INT8",
        in_zero: int = 0, out_zero: int | None = None, narrow: bool = False,
    ) -> tuple[str, int]:  # fmt: skip
        """From values of at most `size` to the type `out`, most of it used."""
        channels = shape[-1]
        per_channel = self.coin()
        count = channels if per_channel else 1
        bits = 14 if narrow else 30
        places = bits + max(0, size.bit_length() - {"INT8": 7, "INT16": 15, "INT32": 29}[out])
        shift = np.minimum(np.maximum(places + self.rng.integers(-1, 3, count), 2), 62)
        multiplier = self.rng.integers(2**bits, 2 ** (bits + 1), count)
        if self.coin():  # multipliers need not be normal
            multiplier >>= self.rng.integers(0, 6, count)
        zero = (pick(self.rng, -128, 127) if out_zero is None else out_zero) if out == "INT8" else 0
        rounding = "SINGLE_ROUND" if narrow or self.coin() else "DOUBLE_ROUND"
        y = self.net.made(
            "RESCALE",
            [
                x, self.net.constant(multiplier, "INT16" if narrow else "INT32"),
                self.net.constant(shift, "INT8"), self.zero(in_zero, dtype), self.zero(zero, out),
            ],
            shape, out, scale32=not narrow, rounding_mode=rounding, per_channel=per_channel,
        )  # fmt: skip
        return y, zero

    def clamp(self, x: str, shape: list[int], dtype: str, low: int, high: int) -> str:
        def stored(value: int) -> list[int]:
            return list(np.asarray([value], NUMPY[dtype]).tobytes())

        return self.net.made(
            "CLAMP", [x], shape, dtype, min_val=stored(low), max_val=stored(high),
            nan_mode="PROPAGATE",
        )  # fmt: skip

    def convolution(
        self, x: str, shape: list[int], dtype: str, zero: int, kind: str
    ) -> tuple[str, list[int]]:
        """Sums: the tensor and its shape."""
        n, h, w, c = shape
        out, kh, kw = self.pick(1, 20), self.pick(1, 3), self.pick(1, 3)
        stride = [self.pick(1, 2), self.pick(1, 2)]
        sums = "INT32" if dtype == "INT8" else "INT48"
        common: dict[str, Any] = {"stride": stride, "acc_type": sums}
        if kind == "TRANSPOSE_CONV2D":
            pad = [-self.pick(0, kh - 1), 0, -self.pick(0, kw - 1), 0]
            if self.coin():
                pad = [self.pick(0, 2) for _ in range(4)]
            y = [n, (h - 1) * stride[0] + pad[0] + pad[1] + kh,
                 (w - 1) * stride[1] + pad[2] + pad[3] + kw, out]  # fmt: skip
            common["out_pad"] = pad
            weights = some(self.rng, [out, kh, kw, c], "INT8")
        else:
            dilation = [self.pick(1, 2), self.pick(1, 2)]
            pad = [self.pick(0, 2), 0, self.pick(0, 2), 0]
            extents = []
            for axis, (size, kernel) in enumerate(((h, kh), (w, kw))):
                reach = (kernel - 1) * dilation[axis] + 1
                room = size + pad[2 * axis] - reach
                more = -room if room < 0 else -room % stride[axis]  # the window fits exactly
                pad[2 * axis + 1] = more
                extents.append((room + more) // stride[axis] + 1)
            common |= {"dilation": dilation, "pad": pad}
            if kind == "DEPTHWISE_CONV2D":
                filters = self.pick(1, 2)
                weights = some(self.rng, [kh, kw, c, filters], "INT8")
                out = c * filters
            else:
                weights = some(self.rng, [out, kh, kw, c], "INT8")
            y = [n, *extents, out]
        biases = some(self.rng, [out if self.coin() else 1], "INT32", 2**14)
        made = self.net.made(
            kind,
            [
                x, self.net.constant(weights, "INT8"), self.net.constant(biases, sums),
                self.zero(zero, dtype), self.zero(0, "INT8"),
            ],
            y, sums, **common,
        )  # fmt: skip
        return made, y


def convolutions(m: Maker) -> str:
    """One or two convolutions, each rescaled, often clamped."""
    kind = ["CONV2D", "DEPTHWISE_CONV2D", "TRANSPOSE_CONV2D"][m.pick(0, 2)]
    wide = m.pick(0, 4) == 0
    dtype = "INT16" if wide else "INT8"
    shape = [1 if m.pick(0, 3) else 2, m.pick(3, 8), m.pick(3, 8), m.pick(1, 20)]
    zero = 0 if wide else m.pick(-128, 127)
    x = m.input(shape, dtype)
    for _ in range(m.pick(1, 2)):
        sums, shape = m.convolution(x, shape, dtype, zero, kind)
        size = 2**15 * (256 if wide else 1) * 16
        sum_type = "INT48" if wide else "INT32"
        x, zero = m.rescale(sums, shape, sum_type, size, dtype, narrow=wide)
        if m.coin():
            low = zero if m.coin() else m.pick(-100, -20)
            high = 127 if m.coin() else m.pick(low + 1 if low < 127 else 127, 127)
            x = m.clamp(x, shape, dtype, low, high)
        kind = "CONV2D"
    return x


def residual(m: Maker) -> str:
    """A sum, difference or product of bytes as converters write it."""
    shape = [1, m.pick(1, 6), m.pick(1, 6), m.pick(1, 20)]
    zeros = [m.pick(-128, 127) for _ in range(3)]
    kind = ["ADD", "SUB", "MUL"][m.pick(0, 2)]
    operands = []
    for zero in zeros[:2]:
        x = m.input(shape, "INT8")
        places = 30 if kind == "MUL" else 10 + (0 if not operands else m.pick(0, 2))
        wide = m.net.made(
            "RESCALE",
            [
                x, m.net.constant([2**30], "INT32"), m.net.constant([places], "INT8"),
                m.zero(zero, "INT8"), m.zero(0, "INT32"),
            ],
            shape, "INT32", scale32=True, rounding_mode="DOUBLE_ROUND",
        )  # fmt: skip
        if kind != "MUL" and not operands and m.coin():
            wide = m.net.made(
                "RESCALE",
                [
                    wide, m.net.constant([m.pick(2**30, 2**31 - 1)], "INT32"),
                    m.net.constant([m.pick(31, 34)], "INT8"), m.zero(0, "INT32"),
                    m.zero(0, "INT32"),
                ],
                shape, "INT32", scale32=True, rounding_mode="DOUBLE_ROUND",
            )  # fmt: skip
        operands.append(wide)
    if kind == "MUL":
        operands.append(m.zero(0, "INT8"))
    both = m.net.made(kind, operands, shape, "INT32")
    size = 2**14 if kind == "MUL" else 2**28
    return m.net.made(
        "RESCALE",
        [
            both, m.net.constant([m.pick(2**30, 2**31 - 1)], "INT32"),
            m.net.constant([30 + size.bit_length() - 7], "INT8"), m.zero(0, "INT32"),
            m.zero(zeros[2], "INT8"),
        ],
        shape, "INT8", scale32=True, rounding_mode="DOUBLE_ROUND",
    )  # fmt: skip


def matrices(m: Maker) -> str:
    n, h, k, w = m.pick(1, 3), m.pick(1, 8), m.pick(1, 24), m.pick(1, 20)
    dtype = "INT16" if m.pick(0, 3) == 0 else "INT8"
    zeros = [0 if dtype == "INT16" else m.pick(-128, 127) for _ in range(2)]
    a, b = m.input([n, h, k], dtype), m.input([n, k, w], dtype)
    sums = "INT32" if dtype == "INT8" else "INT48"
    y = m.net.made("MATMUL", [a, b, *(m.zero(z, dtype) for z in zeros)], [n, h, w], sums)
    size = (2**16 if dtype == "INT8" else 2**30) * k
    return m.rescale(y, [n, h, w], sums, size, dtype, narrow=dtype == "INT16")[0]


def pools(m: Maker) -> str:
    shape = [m.pick(1, 2), m.pick(3, 9), m.pick(3, 9), m.pick(1, 20)]
    kernel = [m.pick(1, 3), m.pick(1, 3)]
    dtype = "INT16" if m.pick(0, 3) == 0 else "INT8"
    pad, extents, stride = [], [], [m.pick(1, 2), m.pick(1, 2)]
    for axis in range(2):
        before = m.pick(0, kernel[axis] - 1)
        room = shape[1 + axis] + before - kernel[axis]
        after = -room % stride[axis]
        if after >= kernel[axis]:
            stride[axis], after = 1, 0
        pad += [before, after]
        extents.append((room + after) // stride[axis] + 1)
    y = [shape[0], *extents, shape[3]]
    x = m.input(shape, dtype)
    window = {"kernel": kernel, "stride": stride, "pad": pad}
    if m.coin():
        return m.net.made("MAX_POOL2D", [x], y, dtype, **window, nan_mode="PROPAGATE")
    zeros = [0 if dtype == "INT16" else m.pick(-128, 127) for _ in range(2)]
    inputs = [x, *(m.zero(z, dtype) for z in zeros)]
    return m.net.made("AVG_POOL2D", inputs, y, dtype, **window, acc_type="INT32")


def pairs(m: Maker) -> str:
    """Of int32, sometimes of narrower integers or truth values; operands broadcast."""
    kind = [
        "ADD", "SUB", "MUL", "MAXIMUM", "MINIMUM", "INTDIV", "ARITHMETIC_RIGHT_SHIFT",
        "LOGICAL_LEFT_SHIFT", "LOGICAL_RIGHT_SHIFT", "BITWISE_AND", "BITWISE_OR", "BITWISE_XOR",
        "EQUAL", "GREATER", "GREATER_EQUAL", "LOGICAL_AND", "LOGICAL_OR", "LOGICAL_XOR",
    ][m.pick(0, 17)]  # fmt: skip
    shape = [m.pick(1, 6) for _ in range(m.pick(1, 4))]
    other = [1 if m.pick(0, 3) == 0 else extent for extent in shape]
    dtype = "INT32"
    if kind.startswith("LOGICAL_") and not kind.endswith("SHIFT"):
        dtype = "BOOL"
    elif kind == "MUL" or "SHIFT" in kind or kind.startswith("BITWISE"):
        dtype = ["INT8", "INT16", "INT32"][m.pick(0, 2)]
    limit = 2**13 if dtype == "INT32" and kind in ("ADD", "SUB", "MUL") else None
    a, b = m.input(shape, dtype, limit), m.input(other, dtype, limit)
    if "SHIFT" in kind:
        bits = {"INT8": 7, "INT16": 15, "INT32": 31}[dtype]
        m.values[-1] = m.rng.integers(0, bits + 1, other).astype(NUMPY[dtype])
    if kind == "INTDIV":
        m.values[-1] = m.rng.integers(1, 5000, other).astype(np.int32)
    result = "BOOL" if kind in ("EQUAL", "GREATER", "GREATER_EQUAL") else dtype
    attributes: dict[str, Any] = {"round": m.coin()} if kind.startswith("ARITH") else {}
    if kind in ("MAXIMUM", "MINIMUM"):
        attributes["nan_mode"] = "PROPAGATE"
    inputs = [a, b]
    if kind == "MUL":
        shift = m.pick(0, 20) if dtype == "INT32" else 0
        inputs.append(m.zero(shift, "INT8"))
        result = "INT32"
    return m.net.made(kind, inputs, shape, result, **attributes)


def functions(m: Maker) -> str:
    shape = [m.pick(1, 6) for _ in range(m.pick(1, 4))]
    kind = ["ABS", "CLZ", "NEGATE", "BITWISE_NOT", "LOGICAL_NOT", "TABLE", "CLAMP", "CAST"][
        m.pick(0, 7)
    ]
    if kind == "ABS" or kind == "CLZ":
        return m.net.made(kind, [m.input(shape, "INT32")], shape, "INT32")
    if kind == "LOGICAL_NOT":
        return m.net.made(kind, [m.input(shape, "BOOL")], shape, "BOOL")
    dtype = ["INT8", "INT16"][m.pick(0, 1)]
    x = m.input(shape, dtype)
    if kind == "NEGATE":
        zeros = [m.pick(-128, 127) if dtype == "INT8" else 0 for _ in range(2)]
        return m.net.made(kind, [x, *(m.zero(z, dtype) for z in zeros)], shape, dtype)
    if kind == "TABLE":
        if dtype == "INT8":
            table = m.net.constant(some(m.rng, [256], "INT8"), "INT8")
            return m.net.made(kind, [x, table], shape, "INT8")
        steps = np.cumsum(m.rng.integers(-90, 91, 513))
        table = m.net.constant(np.clip(steps, -32768, 32767), "INT16")
        return m.net.made(kind, [x, table], shape, "INT32")
    if kind == "CLAMP":
        low = m.pick(-100, 50)
        return m.clamp(x, shape, dtype, low, m.pick(low, 127))
    if kind == "CAST":
        return m.net.made(kind, [x], shape, ["INT32", "BOOL"][m.pick(0, 1)])
    return m.net.made(kind, [x], shape, dtype)


def reductions(m: Maker) -> str:
    shape = [m.pick(1, 6) for _ in range(m.pick(1, 4))]
    axis = m.pick(0, len(shape) - 1)
    kind = ["REDUCE_ALL", "REDUCE_ANY", "REDUCE_MAX", "REDUCE_MIN", "REDUCE_SUM", "ARGMAX"][
        m.pick(0, 5)
    ]
    dtype = "BOOL" if kind in ("REDUCE_ALL", "REDUCE_ANY") else "INT32"
    if kind in ("REDUCE_MAX", "REDUCE_MIN", "ARGMAX"):
        dtype = ["INT8", "INT16"][m.pick(0, 1)]
    x = m.input(shape, dtype, 2**20 if dtype == "INT32" else None)
    attributes: dict[str, Any] = {"axis": axis}
    if kind in ("REDUCE_MAX", "REDUCE_MIN", "ARGMAX"):
        attributes["nan_mode"] = "PROPAGATE"
    if kind == "ARGMAX":
        return m.net.made(kind, [x], shape[:axis] + shape[axis + 1 :], "INT32", **attributes)
    shape = shape[:axis] + [1] + shape[axis + 1 :]
    return m.net.made(kind, [x], shape, dtype, **attributes)


def moves(m: Maker) -> str:
    shape = [m.pick(1, 6) for _ in range(m.pick(2, 4))]
    axis = m.pick(0, len(shape) - 1)
    dtype = ["INT8", "INT16", "INT32", "BOOL"][m.pick(0, 3)]
    kind = ["CONCAT", "PAD", "RESHAPE", "REVERSE", "SLICE", "TILE", "TRANSPOSE", "SELECT"][
        m.pick(0, 7)
    ]
    x = m.input(shape, dtype)
    if kind == "CONCAT":
        y = shape[:axis] + [2 * shape[axis]] + shape[axis + 1 :]
        return m.net.made(kind, [x, m.input(shape, dtype)], y, dtype, axis=axis)
    if kind == "PAD":
        padding = [m.pick(0, 2) for _ in range(2 * len(shape))]
        y = [e + padding[2 * i] + padding[2 * i + 1] for i, e in enumerate(shape)]
        value = m.net.constant(some(m.rng, [1], dtype), dtype)
        return m.net.made(kind, [x, m.net.numbers(padding), value], y, dtype)
    if kind == "RESHAPE":
        y = [int(np.prod(shape))] if m.coin() else [shape[-1], int(np.prod(shape[:-1]))]
        return m.net.made(kind, [x, m.net.numbers(y)], y, dtype)
    if kind == "REVERSE":
        return m.net.made(kind, [x], shape, dtype, axis=axis)
    if kind == "SLICE":
        start = [m.pick(0, e - 1) for e in shape]
        size = [m.pick(1, e - s) for e, s in zip(shape, start, strict=True)]
        return m.net.made(kind, [x, m.net.numbers(start), m.net.numbers(size)], size, dtype)
    if kind == "TILE":
        times = [m.pick(1, 3) for _ in shape]
        y = [e * t for e, t in zip(shape, times, strict=True)]
        return m.net.made(kind, [x, m.net.numbers(times)], y, dtype)
    if kind == "SELECT":
        condition = m.input(shape, "BOOL")
        return m.net.made(kind, [condition, x, m.input(shape, dtype)], shape, dtype)
    perms = [int(p) for p in m.rng.permutation(len(shape))]
    return m.net.made(kind, [x], [shape[p] for p in perms], dtype, perms=perms)


def indices(m: Maker) -> str:
    n, k, c = m.pick(1, 3), m.pick(2, 6), m.pick(1, 5)
    w = m.pick(1, k)
    dtype = ["INT8", "INT16", "INT32"][m.pick(0, 2)]
    x = m.input([n, k, c], dtype)
    rows = m.net.input([n, w], "INT32")
    m.values.append(np.stack([m.rng.permutation(k)[:w] for _ in range(n)]).astype(np.int32))
    if m.coin():
        return m.net.made("GATHER", [x, rows], [n, w, c], dtype)
    return m.net.made("SCATTER", [x, rows, m.input([n, w, c], dtype)], [n, k, c], dtype)


def resizes(m: Maker) -> str:
    shape = [1, m.pick(2, 6), m.pick(2, 6), m.pick(1, 4)]
    dtype = ["INT8", "INT16"][m.pick(0, 1)]
    scale, offset, border, y = [], [], [], []
    for axis in (1, 2):
        numerator = 2 * m.pick(1, 8)
        denominator = m.pick(1, numerator)
        start = m.pick(0, numerator - 1)
        most = (shape[axis] - 1) * numerator - start
        edge = -most % denominator  # rows come out whole
        scale += [numerator, denominator]
        offset.append(start)
        border.append(edge)
        y.append((most + edge) // denominator + 1)
    mode = ["NEAREST", "BILINEAR"][m.pick(0, 1)]
    wide = {"INT8": "INT32", "INT16": "INT48"}[dtype]
    inputs = [m.input(shape, dtype), *(m.net.numbers(list(v)) for v in (scale, offset, border))]
    result = dtype if mode == "NEAREST" else wide
    return m.net.made("RESIZE", inputs, [1, *y, shape[3]], result, mode=mode)


def softmaxes(m: Maker) -> str:
    """As converters write them; of every fourth an entry of the tables is another."""
    depth = [m.pick(1, 20), m.pick(200, 500)][m.pick(0, 3) // 3]
    shape = [*(m.pick(1, 4) for _ in range(m.pick(0, 2))), depth]
    entries = exponentials(float(np.float32(2.0 ** m.rng.uniform(-9, 2))))
    if m.pick(0, 3) == 0:
        entries[m.pick(0, 9)] ^= 1 << m.pick(0, 24)
    return written(m.net, m.input(shape, "INT8"), shape, m.pick(-128, 127), entries)


FAMILIES: list[tuple[int, Callable[[Maker], str]]] = [
    (90, convolutions), (40, residual), (25, matrices), (30, pools), (45, pairs),
    (25, functions), (20, reductions), (25, moves), (10, indices), (10, resizes),
    (24, softmaxes),
]  # fmt: skip


def made(seed: int, family: Callable[[Maker], str]) -> Maker:
    maker = Maker(np.random.default_rng(seed))
    maker.net.outputs = [family(maker)]
    return maker


def result_of(model: str, maker: Maker) -> np.ndarray | None:
    """What the reference model computes; None: it refuses the case."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "net.tosa").write_bytes(maker.net.bytes())
        names = maker.net.inputs
        for tensor, values in zip(names, maker.values, strict=True):
            np.save(folder / f"{tensor}.npy", values)
        command = [
            model, f"--tosa_file={folder}/net.tosa", f"--flatbuffer_dir={folder}",
            f"--output_dir={folder}", "--ifm_name=" + ",".join(names),
            "--ifm_file=" + ",".join(f"{tensor}.npy" for tensor in names),
            f"--ofm_name={maker.net.outputs[0]}", "--ofm_file=out.npy",
        ]  # fmt: skip
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0 or not (folder / "out.npy").is_file():
            print((done.stdout + done.stderr)[-400:], file=sys.stderr)
            return None
        return np.asarray(np.load(folder / "out.npy"))


def npy(values: np.ndarray) -> bytes:
    held = io.BytesIO()
    np.save(held, values)
    return held.getvalue()


def main() -> None:
    model = sys.argv[1]
    count = int(sys.argv[2]) if len(sys.argv) > 2 else sum(weight for weight, _ in FAMILIES)
    families = [family for weight, family in FAMILIES for _ in range(weight)]
    kept = 0
    with zipfile.ZipFile(ARCHIVE, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:

        def put(name: str, data: bytes) -> None:
            stamp = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))  # the same bytes every time
            stamp.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(stamp, data)

        for seed in range(count):
            family = families[seed % len(families)]
            maker = made(seed, family)
            result = result_of(model, maker)
            if result is None:
                continue
            folder = f"{seed:04}_{family.__name__}"
            put(f"{folder}/net.tosa", maker.net.bytes())
            for i, values in enumerate(maker.values):
                put(f"{folder}/in{i}.npy", npy(values))
            put(f"{folder}/out0.npy", npy(result))
            kept += 1
    print(f"{kept} of {count} cases, {ARCHIVE.stat().st_size} bytes")


if __name__ == "__main__":
    main()
