"""Random single operators: the reference interpreter against two runtimes, byte by byte.

`tflite` is compared with tflite-micro, `xnnpack` with ai-edge-litert and its delegate. Needs
both packages, numpy and flatc; the network's own environment (sim/nets) has them. From the root:

    VENV/bin/python tests/reference/live_oracle.py BUILD/tests/reference/run_tflite [--cases 40]
"""

from __future__ import annotations

import argparse
import json
import subprocess
import tempfile
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

SCHEMA = Path("compiler_bridge/import/tflite.fbs")
CODES = {
    "ADD": 0, "AVERAGE_POOL_2D": 1, "CONCATENATION": 2, "CONV_2D": 3, "DEPTHWISE_CONV_2D": 4,
    "FULLY_CONNECTED": 9, "LOGISTIC": 14, "MAX_POOL_2D": 17, "MUL": 18, "RELU": 19, "RELU6": 21,
    "RESHAPE": 22,
    "RESIZE_BILINEAR": 23, "SOFTMAX": 25, "TANH": 28, "PAD": 34, "TRANSPOSE": 39, "MEAN": 40,
    "SUB": 41, "STRIDED_SLICE": 45, "SPLIT": 49, "TRANSPOSE_CONV": 67,
    "RESIZE_NEAREST_NEIGHBOR": 97, "LEAKY_RELU": 98, "QUANTIZE": 114, "HARD_SWISH": 117,
    "SPLIT_V": 102, "BATCH_MATMUL": 126,
}  # fmt: skip
FUSED = ["None", "Relu", "Relu6", "ReluN1To1"]


@dataclass
class Model:
    """A network's file, as the JSON that flatc turns into bytes: of one operator, or of several."""

    rng: np.random.Generator
    tensors: list[dict[str, Any]] = field(default_factory=list)
    buffers: list[dict[str, Any]] = field(default_factory=lambda: [{}])
    inputs: list[int] = field(default_factory=list)
    codes: list[dict[str, Any]] = field(default_factory=list)
    ops: list[dict[str, Any]] = field(default_factory=list)

    def tensor(
        self,
        shape: list[int],
        kind: str = "Int8",
        scale: float | list[float] | None = None,
        zero: int = 0,
        axis: int = 0,
        data: NDArray[Any] | None = None,
    ) -> int:
        made: dict[str, Any] = {"shape": shape, "type": kind, "buffer": 0}
        made["name"] = f"t{len(self.tensors)}"
        if scale is not None:
            scales = scale if isinstance(scale, list) else [scale]
            made["quantization"] = {
                "scale": [float(np.float32(s)) for s in scales],
                "zero_point": [zero] * len(scales),
                "quantized_dimension": axis,
            }
        if data is not None:
            self.buffers.append({"data": list(data.tobytes())})
            made["buffer"] = len(self.buffers) - 1
        self.tensors.append(made)
        return len(self.tensors) - 1

    def scale(self) -> float:
        # Some powers of two: there the ties are.
        if self.rng.random() < 0.3:
            return float(2.0 ** self.rng.integers(-6, 1))
        return float(np.exp(self.rng.uniform(np.log(0.01), np.log(0.5))))

    def zero(self) -> int:
        return int(self.rng.integers(-128, 128))

    def input(self, shape: list[int], scale: float | None = None, zero: int | None = None) -> int:
        made = self.tensor(
            shape,
            scale=self.scale() if scale is None else scale,
            zero=self.zero() if zero is None else zero,
        )
        self.inputs.append(made)
        return made

    def like(self, tensor: int, shape: list[int]) -> int:
        q = self.tensors[tensor]["quantization"]
        return self.tensor(shape, scale=q["scale"][0], zero=q["zero_point"][0])

    def out(self, shape: list[int]) -> int:
        return self.tensor(shape, scale=self.scale(), zero=self.zero())

    def integers(self, *values: int) -> int:
        return self.tensor([len(values)], "Int32", data=np.array(values, np.int32))

    def file(
        self, code: str, inputs: list[int], output: int, kind: str = "", options: Any = None
    ) -> bytes:
        return self.network([self.append(code, inputs, output, kind, options)])

    def append(
        self, code: str, inputs: list[int], output: int, kind: str = "", options: Any = None
    ) -> int:
        op: dict[str, Any] = {"opcode_index": len(self.ops), "inputs": inputs, "outputs": [output]}
        if kind:
            op |= {"options_type": kind, "options": options}
        self.codes.append({"short_code": min(CODES[code], 127), "code": code})
        self.ops.append(op)
        return output

    def network(self, outputs: list[int]) -> bytes:
        graph = {"tensors": self.tensors, "inputs": self.inputs, "outputs": outputs}
        model = {
            "version": 3,
            "operator_codes": self.codes,
            "subgraphs": [graph | {"operators": self.ops}],
            "buffers": self.buffers,
        }
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "m.json"
            path.write_text(json.dumps(model))
            command = ["flatc", "-b", "-o", folder, str(SCHEMA), str(path)]
            subprocess.run(command, check=True, capture_output=True)
            return next(p for p in Path(folder).iterdir() if p.suffix != ".json").read_bytes()


def same(size: int, stride: int) -> int:
    return -(-size // stride)


def weighted(m: Model, code: str) -> bytes:
    r = m.rng
    h, w, c, k, stride = (int(r.integers(1, n)) for n in (9, 9, 9, 9, 3))
    kernel = int(r.integers(1, 4))
    act = FUSED[int(r.integers(0, 4))]
    depth = code == "DEPTHWISE_CONV_2D"
    channels = c if depth else k
    x_scale = m.scale()
    scales = [m.scale() for _ in range(channels)]
    if code == "FULLY_CONNECTED":
        x = m.input([h, c], x_scale)
        shape, out, axis, options = [k, c], [h, k], 0, {"activation": act}
        scales = scales[:1]
        kind = "FullyConnected"
    else:
        x = m.input([1, h, w, c], x_scale)
        shape = [1, kernel, kernel, c] if depth else [k, kernel, kernel, c]
        out, axis = [1, same(h, stride), same(w, stride), channels], 3 if depth else 0
        options = {"padding": "Same", "stride_h": stride, "stride_w": stride, "activation": act}
        kind = "DepthwiseConv2D" if depth else "Conv2D"
        if depth:
            options["depth_multiplier"] = 1
    values = r.integers(-127, 128, shape).astype(np.int8)
    weights = m.tensor(shape, scale=scales, axis=axis, data=values)
    b = r.integers(-2000, 2000, channels).astype(np.int32)
    bias_scales = [x_scale * s for s in scales]
    bias = m.tensor([channels], "Int32", scale=bias_scales, data=b)
    y = m.tensor(out, scale=m.scale() * 64, zero=m.zero())
    return m.file(code, [x, weights, bias], y, kind, options)


def transposed(m: Model, code: str) -> bytes:
    r = m.rng
    h, w, c, k = (int(r.integers(1, 9)) for _ in range(4))
    kernel = [int(r.integers(1, 6)) for _ in range(2)]
    stride = [int(r.integers(1, 5)) for _ in range(2)]
    if r.random() < 0.5:
        out = [n * s - int(r.integers(0, s)) for n, s in zip((h, w), stride, strict=True)]
        padding = "Same"
    else:
        out = [n * s + max(v - s, 0) for n, s, v in zip((h, w), stride, kernel, strict=True)]
        padding = "Valid"
    x_scale = m.scale()
    scales = [m.scale() for _ in range(k)]
    x = m.input([1, h, w, c], x_scale)
    values = r.integers(-127, 128, [k, *kernel, c]).astype(np.int8)
    weights = m.tensor([k, *kernel, c], scale=scales, data=values)
    inputs = [m.integers(1, *out, k), weights, x]
    if r.random() < 0.6:
        b = r.integers(-2000, 2000, k).astype(np.int32)
        inputs.append(m.tensor([k], "Int32", scale=[x_scale * s for s in scales], data=b))
    y = m.tensor([1, *out, k], scale=m.scale() * 64, zero=m.zero())
    options = {"padding": padding, "stride_h": stride[0], "stride_w": stride[1]}
    options["activation"] = FUSED[int(r.integers(0, 4))]
    return m.file(code, inputs, y, "TransposeConv", options)


def broadcasting(r: np.random.Generator) -> tuple[list[int], list[int], list[int]]:
    """Leading axes of two operands, at most 2, and of their result."""
    result = [int(v) for v in r.integers(1, 4, int(r.integers(0, 3)))]
    a, b = ([1 if r.random() < 0.3 else n for n in result] for _ in range(2))
    a, b = (x[1:] if x and r.random() < 0.2 else x for x in (a, b))
    longer = max(len(a), len(b))
    a_whole, b_whole = ([1] * (longer - len(x)) + x for x in (a, b))
    return a, b, [max(n) for n in zip(a_whole, b_whole, strict=True)]


def matrices(r: np.random.Generator) -> tuple[list[int], list[int], list[int], dict[str, bool]]:
    """Shapes of a product of matrices, and its options."""
    a, b, y = broadcasting(r)
    rows, terms, columns = (int(r.integers(1, 24)) for _ in range(3))
    adj_x, adj_y = (bool(v) for v in r.integers(0, 2, 2))
    a += [terms, rows] if adj_x else [rows, terms]
    b += [columns, terms] if adj_y else [terms, columns]
    return a, b, [*y, rows, columns], {"adj_x": adj_x, "adj_y": adj_y}


def matmul(m: Model, code: str) -> bytes:
    a, b, y, options = matrices(m.rng)
    inputs = [m.input(a), m.input(b)]
    out = m.tensor(y, scale=m.scale() * 64, zero=m.zero())
    return m.file(code, inputs, out, "BatchMatMul", options)


def dense_of_computed(m: Model, code: str) -> bytes:
    """FULLY_CONNECTED whose weights are an input, with a zero point of their own."""
    r = m.rng
    rows, c, k = (int(r.integers(1, 20)) for _ in range(3))
    inputs = [m.input([rows, c]), m.input([k, c])]
    scale = float(np.prod([m.tensors[i]["quantization"]["scale"][0] for i in inputs]))
    b = r.integers(-2000, 2000, k).astype(np.int32)
    inputs.append(m.tensor([k], "Int32", scale=scale, data=b))
    y = m.tensor([rows, k], scale=m.scale() * 64, zero=m.zero())
    options = {"activation": FUSED[int(r.integers(0, 4))]}
    return m.file("FULLY_CONNECTED", inputs, y, "FullyConnected", options)


def pair(m: Model, code: str) -> bytes:
    shape = [1, 7, 8, 5]
    a, b = m.input(shape), m.input(shape)
    kind = code.capitalize()
    options = {"activation": FUSED[int(m.rng.integers(0, 4))]}
    return m.file(code, [a, b], m.out(shape), kind, options)


def pool(m: Model, code: str) -> bytes:
    r = m.rng
    kernel, stride = int(r.integers(1, 5)), int(r.integers(1, 4))
    x = m.input([1, 9, 8, 5])
    y = m.like(x, [1, same(9, stride), same(8, stride), 5])
    options = {"padding": "Same", "stride_h": stride, "stride_w": stride}
    options |= {"filter_h": kernel, "filter_w": kernel, "activation": FUSED[int(r.integers(0, 4))]}
    return m.file(code, [x], y, "Pool2D", options)


def unary(m: Model, code: str) -> bytes:
    shape = [1, 8, 8, 8]
    x = m.input(shape)
    fixed = {"LOGISTIC": (1 / 256, -128), "TANH": (1 / 128, 0), "SOFTMAX": (1 / 256, -128)}
    if code in fixed:
        y = m.tensor(shape, scale=fixed[code][0], zero=fixed[code][1])
    elif code == "RELU6":
        y = m.like(x, shape)
    else:
        y = m.out(shape)
    kind, options = {
        "SOFTMAX": ("Softmax", {"beta": 1.0}),
        "LEAKY_RELU": ("LeakyRelu", {"alpha": float(np.float32(m.rng.uniform(0.01, 1.2)))}),
    }.get(code, ("", None))
    return m.file(code, [x], y, kind, options)


def mean(m: Model, code: str) -> bytes:
    h, w = int(m.rng.integers(1, 9)), int(m.rng.integers(1, 9))
    x = m.input([1, h, w, 16])
    return m.file(code, [x, m.integers(1, 2)], m.out([1, 16]), "Reducer", {"keep_dims": False})


def resize(m: Model, code: str) -> bytes:
    r = m.rng
    h, w, oh, ow = (int(r.integers(1, 12)) for _ in range(4))
    x = m.input([1, h, w, 3])
    y = m.like(x, [1, oh, ow, 3])
    mode = int(r.integers(0, 3))
    options = {"align_corners": mode == 1, "half_pixel_centers": mode == 2}
    kind = "ResizeBilinear" if code == "RESIZE_BILINEAR" else "ResizeNearest"
    return m.file(code, [x, m.integers(oh, ow)], y, kind, options)


def moves(m: Model, code: str) -> bytes:
    x = m.input([1, 5, 6, 7])
    if code == "PAD":
        pads = [0, 0, *(int(v) for v in m.rng.integers(0, 3, 6))]
        shape = [1, 5 + pads[2] + pads[3], 6 + pads[4] + pads[5], 7 + pads[6] + pads[7]]
        paddings = m.tensor([4, 2], "Int32", data=np.array(pads, np.int32))
        return m.file(code, [x, paddings], m.like(x, shape))
    if code == "TRANSPOSE":
        perm = [int(v) for v in m.rng.permutation(4)]
        y = m.like(x, [[1, 5, 6, 7][p] for p in perm])
        return m.file(code, [x, m.integers(*perm)], y)
    if code == "CONCATENATION":
        q = m.tensors[x]["quantization"]
        other = m.input([1, 5, 6, 2], q["scale"][0], q["zero_point"][0])
        y = m.like(x, [1, 5, 6, 9])
        return m.file(code, [x, other], y, "Concatenation", {"axis": -1, "activation": "None"})
    begin = [0, *(int(v) for v in m.rng.integers(0, 3, 3))]
    step = [1, *(int(v) for v in m.rng.integers(1, 3, 3))]
    size = [-(-(n - b) // s) for n, b, s in zip([1, 5, 6, 7], begin, step, strict=True)]
    parameters = [m.integers(*begin), m.integers(1, 5, 6, 7), m.integers(*step)]
    y = m.like(x, size)
    return m.file(code, [x, *parameters], y, "StridedSlice", {"begin_mask": 0})


def split(m: Model, code: str) -> bytes:
    """Parts along an axis, put together again in another order."""
    r = m.rng
    axis, count = int(r.integers(1, 4)), int(r.integers(2, 5))
    sizes = [int(v) for v in r.integers(1, 5, count)]
    if code == "SPLIT":
        sizes = [sizes[0]] * count
    shapes = [[1, 5, 6, 7] for _ in range(count + 1)]
    for shape, size in zip(shapes, [*sizes, sum(sizes)], strict=True):
        shape[axis] = size
    x = m.input(shapes[-1])
    parts = [m.like(x, shape) for shape in shapes[:-1]]
    where = m.tensor([], "Int32", data=np.array([axis - 4 * r.integers(0, 2)], np.int32))
    if r.random() < 0.5:
        sizes[int(r.integers(0, count))] = -1  # what the others leave
    inputs = [where, x] if code == "SPLIT" else [x, m.integers(*sizes), where]
    m.append(code, inputs, parts[0], "Split" if code == "SPLIT" else "SplitV", {"results": count})
    m.ops[-1]["outputs"] = parts
    y = m.like(x, shapes[-1])
    options = {"axis": axis, "activation": "None"}
    return m.network([m.append("CONCATENATION", parts[::-1], y, "Concatenation", options)])


MAKERS = (
    dict.fromkeys(["CONV_2D", "DEPTHWISE_CONV_2D", "FULLY_CONNECTED"], weighted)
    | {"TRANSPOSE_CONV": transposed, "BATCH_MATMUL": matmul}
    | {"FULLY_CONNECTED computed": dense_of_computed}
    | dict.fromkeys(["ADD", "SUB", "MUL"], pair)
    | dict.fromkeys(["AVERAGE_POOL_2D", "MAX_POOL_2D"], pool)
    | dict.fromkeys(
        ["LEAKY_RELU", "RELU", "RELU6", "QUANTIZE", "LOGISTIC", "TANH", "HARD_SWISH", "SOFTMAX"],
        unary,
    )
    | {"MEAN": mean}
    | dict.fromkeys(["RESIZE_NEAREST_NEIGHBOR", "RESIZE_BILINEAR"], resize)
    | dict.fromkeys(["PAD", "TRANSPOSE", "CONCATENATION", "STRIDED_SLICE"], moves)
    | dict.fromkeys(["SPLIT", "SPLIT_V"], split)
)


def micro(file: bytes, inputs: list[NDArray[np.int8]]) -> NDArray[np.int8]:
    from tflite_micro.python.tflite_micro import runtime

    interpreter = runtime.Interpreter.from_bytes(file, arena_size=1 << 20)
    for i, x in enumerate(inputs):
        interpreter.set_input(x, i)
    interpreter.invoke()
    return np.array(interpreter.get_output(0))


def litert(file: bytes, inputs: list[NDArray[np.int8]]) -> NDArray[np.int8]:
    from ai_edge_litert.interpreter import Interpreter

    interpreter = Interpreter(model_content=file, num_threads=1)
    interpreter.allocate_tensors()
    for detail, x in zip(interpreter.get_input_details(), inputs, strict=True):
        interpreter.set_tensor(detail["index"], x)
    interpreter.invoke()
    return np.array(interpreter.get_tensor(interpreter.get_output_details()[0]["index"]))


def main() -> None:
    parser = argparse.ArgumentParser(description="reference interpreter against live runtimes")
    parser.add_argument("runner", type=Path)
    parser.add_argument("--cases", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=sorted(MAKERS))
    args = parser.parse_args()
    for code, make in MAKERS.items():
        if args.only not in (None, code):
            continue
        wrong: dict[str, int] = defaultdict(int)
        total: dict[str, int] = defaultdict(int)
        refused: dict[str, int] = defaultdict(int)
        largest = 0
        for case in range(args.cases):
            model = Model(np.random.default_rng([args.seed, case]))
            file = make(model, code)
            shapes = [model.tensors[i]["shape"] for i in model.inputs]
            inputs = [model.rng.integers(-128, 128, s).astype(np.int8) for s in shapes]
            with tempfile.NamedTemporaryFile(suffix=".tflite") as path:
                path.write(file)
                path.flush()
                for rules, runtime in (("tflite", micro), ("xnnpack", litert)):
                    try:
                        wanted = runtime(file, inputs)
                    except (RuntimeError, ValueError):
                        refused[rules] += 1  # the runtime does not take the case
                        continue
                    stdin = b"".join(x.tobytes() for x in inputs)
                    command = [str(args.runner), path.name, rules]
                    done = subprocess.run(command, input=stdin, capture_output=True, check=True)
                    got = np.frombuffer(done.stdout, np.int8)
                    away = np.abs(got.astype(int) - wanted.reshape(-1).astype(int))
                    wrong[rules] += int((away > 0).sum())
                    total[rules] += away.size
                    largest = max(largest, int(away.max()))
        for rules in ("tflite", "xnnpack"):
            note = f", {refused[rules]} cases refused by the runtime" if refused[rules] else ""
            print(f"{code:24} {rules:8} {wrong[rules]:6} of {total[rules]} bytes differ{note}")
        if largest:
            print(f"{code:24} largest difference {largest}")


if __name__ == "__main__":
    main()
