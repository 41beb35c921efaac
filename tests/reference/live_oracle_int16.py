"""Random single operators of int16, and LSTMs: the reference interpreter against tflite-micro.

Only `tflite` has rules for them. Needs what live_oracle.py needs; from the root:

    VENV/bin/python tests/reference/live_oracle_int16.py BUILD/tests/reference/run_tflite
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import live_oracle
import numpy as np
from live_oracle import FUSED, Model, same
from numpy.typing import NDArray

live_oracle.CODES["UNIDIRECTIONAL_SEQUENCE_LSTM"] = 44
DTYPES = {"Int8": np.int8, "Int16": np.int16, "Int32": np.int32}


def scale(m: Model) -> float:
    """Around 2^-10; some powers of two, where the ties are."""
    if m.rng.random() < 0.3:
        return float(2.0 ** m.rng.integers(-13, -6))
    return float(2.0 ** m.rng.uniform(-13, -6))


def wide(m: Model, shape: list[int]) -> int:
    made = m.tensor(shape, "Int16", scale=scale(m))
    m.inputs.append(made)
    return made


def scale_of(m: Model, tensor: int) -> float:
    return float(m.tensors[tensor]["quantization"]["scale"][0])


def weighted(m: Model, code: str) -> bytes:
    r = m.rng
    h, w, c, k, stride = (int(r.integers(1, n)) for n in (9, 9, 9, 9, 3))
    kernel, act = int(r.integers(1, 4)), FUSED[int(r.integers(0, 4))]
    depth, dense = code == "DEPTHWISE_CONV_2D", code == "FULLY_CONNECTED"
    channels = c if depth else k
    x = wide(m, [h, c] if dense else [1, h, w, c])
    y_scale = scale(m)
    scales = [float(2.0 ** r.uniform(-12, -6)) * y_scale / scale_of(m, x) for _ in range(channels)]
    if dense:
        shape, out, axis, options, kind = [k, c], [h, k], 0, {"activation": act}, "FullyConnected"
        scales = scales[:1]
    else:
        shape = [1, kernel, kernel, c] if depth else [k, kernel, kernel, c]
        out, axis = [1, same(h, stride), same(w, stride), channels], 3 if depth else 0
        options = {"padding": "Same", "stride_h": stride, "stride_w": stride, "activation": act}
        kind = "DepthwiseConv2D" if depth else "Conv2D"
        if depth:
            options["depth_multiplier"] = 1
    values = r.integers(-127, 128, shape).astype(np.int8)
    inputs = [x, m.tensor(shape, scale=scales, axis=axis, data=values)]
    bias_type = ["Int64", "Int64", "Int32" if not depth else None, None][int(r.integers(0, 4))]
    if bias_type:
        b = r.integers(-(2**20), 2**20, channels)
        data = b.astype(np.int64 if bias_type == "Int64" else np.int32)
        bias_scales = [scale_of(m, x) * s for s in scales]
        inputs.append(m.tensor([channels], bias_type, scale=bias_scales, data=data))
    return m.file(code, inputs, m.tensor(out, "Int16", scale=y_scale), kind, options)


def matmul(m: Model, code: str) -> bytes:
    a, b, y, options = live_oracle.matrices(m.rng)
    inputs = [wide(m, a), wide(m, b)]
    product = scale_of(m, inputs[0]) * scale_of(m, inputs[1])
    out = m.tensor(y, "Int16", scale=product * float(2.0 ** m.rng.uniform(10, 20)))
    return m.file(code, inputs, out, "BatchMatMul", options)


def pair(m: Model, code: str) -> bytes:
    shape = [1, 7, 8, 5]
    a, b = wide(m, shape), wide(m, shape)
    y = scale(m) if code != "MUL" else scale(m) * scale(m) * 1024
    options = {"activation": FUSED[int(m.rng.integers(0, 4))]}
    return m.file(code, [a, b], m.tensor(shape, "Int16", scale=y), code.capitalize(), options)


def leaky_relu(m: Model, code: str) -> bytes:
    x = wide(m, [1, 8, 8, 8])
    y = m.tensor([1, 8, 8, 8], "Int16", scale=scale(m))
    alpha = float(np.float32(m.rng.uniform(-1.2, 1.2)))
    return m.file(code, [x], y, "LeakyRelu", {"alpha": alpha})


def quantize(m: Model, code: str) -> bytes:
    ways = [("Int16", "Int16"), ("Int16", "Int8"), ("Int8", "Int16"), ("Int16", "Int32"),
            ("Int32", "Int16"), ("Int32", "Int8")]  # fmt: skip
    ends = []
    for kind in ways[int(m.rng.integers(0, len(ways)))]:
        step = scale(m) / 65536 if kind == "Int32" else scale(m)
        zero = m.zero() if kind == "Int8" else 0
        ends.append(m.tensor([1, 8, 8, 8], kind, scale=step, zero=zero))
    m.inputs.append(ends[0])
    return m.file(code, [ends[0]], ends[1])


def lstm(m: Model, code: str) -> bytes:
    r = m.rng
    batch, steps, n, units = (int(r.integers(1, k)) for k in (3, 6, 16, 16))
    major = bool(r.integers(0, 2))
    outer = [steps, batch] if major else [batch, steps]
    x_scale, h_scale = (float(2.0 ** r.uniform(-8, -4)) for _ in range(2))
    h_zero = m.zero()
    inputs = [-1] * 24
    inputs[0] = m.input([*outer, n], x_scale, m.zero())
    for i in range(1, 9):
        shape = [units, n if i < 5 else units]
        values = r.integers(-127, 128, shape).astype(np.int8)
        inputs[i] = m.tensor(shape, scale=float(2.0 ** r.uniform(-9, -5)), data=values)
    for i in range(12, 16):
        data = r.integers(-30000, 30000, units).astype(np.int32)
        inputs[i] = m.tensor([units], "Int32", scale=1.0, data=data)
    inputs[18] = m.tensor([batch, units], scale=h_scale, zero=h_zero)
    inputs[19] = m.tensor([batch, units], "Int16", scale=float(2.0 ** r.integers(-15, -8)))
    for i in (18, 19):
        m.tensors[inputs[i]]["is_variable"] = True
    y = m.tensor([*outer, units], scale=h_scale, zero=h_zero)
    clip = float(np.float32(r.uniform(0.2, 4))) if r.integers(0, 2) else 0.0
    options = {"activation": "Tanh", "cell_clip": clip, "time_major": major}
    return m.file(code, inputs, y, "Lstm", options)


MAKERS = (
    dict.fromkeys(["CONV_2D", "DEPTHWISE_CONV_2D", "FULLY_CONNECTED"], weighted)
    | dict.fromkeys(["ADD", "SUB", "MUL"], pair)
    | {"BATCH_MATMUL": matmul}
    | {"LEAKY_RELU": leaky_relu, "QUANTIZE": quantize, "UNIDIRECTIONAL_SEQUENCE_LSTM": lstm}
)


def values(m: Model, tensor: dict[str, Any]) -> NDArray[Any]:
    limits = np.iinfo(DTYPES[tensor["type"]])
    bound = min(limits.max + 1, 1 << 28)
    return m.rng.integers(-bound, bound, tensor["shape"]).astype(DTYPES[tensor["type"]])


def main() -> None:
    parser = argparse.ArgumentParser(description="int16 and LSTM against tflite-micro")
    parser.add_argument("runner", type=Path)
    parser.add_argument("--cases", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=sorted(MAKERS))
    args = parser.parse_args()
    for code, make in MAKERS.items():
        if args.only not in (None, code):
            continue
        wrong = total = largest = refused = 0
        for case in range(args.cases):
            model = Model(np.random.default_rng([args.seed, case]))
            file = make(model, code)
            inputs = [values(model, model.tensors[i]) for i in model.inputs]
            try:
                wanted = live_oracle.micro(file, inputs)
            except (RuntimeError, ValueError):
                refused += 1  # the runtime does not take the case
                continue
            with tempfile.NamedTemporaryFile(suffix=".tflite") as path:
                path.write(file)
                path.flush()
                stdin = b"".join(x.tobytes() for x in inputs)
                command = [str(args.runner), path.name, "tflite"]
                done = subprocess.run(command, input=stdin, capture_output=True, check=True)
            got = np.frombuffer(done.stdout, wanted.dtype)
            away = np.abs(got.astype(np.int64) - wanted.reshape(-1).astype(np.int64))
            wrong += int((away > 0).sum())
            total += away.size
            largest = max(largest, int(away.max()))
        note = f", {refused} cases refused by the runtime" if refused else ""
        print(f"{code:30} {wrong:6} of {total} values differ, by at most {largest}{note}")


if __name__ == "__main__":
    main()
