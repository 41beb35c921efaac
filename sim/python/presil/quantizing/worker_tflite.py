"""TFLite by litert-quantizer: int8 weights, int8 or int16 activations."""

from __future__ import annotations

import copy
import importlib.metadata
import re
from collections.abc import Callable
from typing import Any

import numpy as np
from ai_edge_litert import schema_py_generated as schema
from ai_edge_litert.interpreter import Interpreter
from flatbuffers import Builder
from litert_quantizer import qtyping, quantizer
from worker import Noise, NotTaken, Order, chosen

SIGNATURE, GIVEN = "serving_default", "in0"
EVERY = qtyping.TFLOperationName.ALL_SUPPORTED
BINS = 2048
INT8, INT4 = schema.TensorType.INT8, schema.TensorType.INT4
OP_NAMES = {v: k for k, v in vars(schema.BuiltinOperator).items() if isinstance(v, int)}
Values = Callable[[np.ndarray], dict[str, np.ndarray]]


class Quantiser:
    """One float network and the ranges of its tensors."""

    def __init__(self, order: Order, samples: np.ndarray) -> None:
        self.order = order
        with open(order["float"], "rb") as opened:
            self.file, self.ops = prepared(opened.read())
        self.kept = chosen(order["keep"], [name for name, _ in self.ops])
        self.values = values_of(self.file)
        made = quantizer.Quantizer(bytearray(self.file))
        made.add_static_config(".*", EVERY, order["activations"], 8)
        given = [{GIVEN: x[None]} for x in samples]
        self.ranges = made.calibrate({SIGNATURE: given}, num_threads=1)
        if order["range"] != "min-max":
            self.narrow(samples)

    def narrow(self, samples: np.ndarray) -> None:
        """Percentiles, or the least entropy, by onnxruntime's histograms."""
        from onnxruntime.quantization.calibrate import HistogramCollector

        collector = HistogramCollector(
            self.order["range"], False, BINS, 128, self.order["percentile"], "same"
        )
        for x in samples:
            floats = {
                name: [value] for name, value in self.values(x).items()
                if value.dtype.kind == "f" and name in self.ranges and value.size
            }  # fmt: skip
            collector.collect(floats)
        for name, found in collector.compute_collection_result().items():
            low, high = found[:2] if isinstance(found, tuple) else found.range_value
            for key, limit in (("min", low), ("max", high)):
                known = self.ranges[name][key]
                self.ranges[name][key] = np.full_like(known, limit)

    def made(self, only: str | None = None) -> bytes:
        """Quantised; only: this layer alone."""
        recipe = quantizer.Quantizer(bytearray(self.file))
        granularity = qtyping.QuantGranularity
        chosen_one = ".*" if only is None else f"^{re.escape(only)};?$"
        recipe.add_static_config(
            chosen_one,
            EVERY,
            self.order["activations"],
            8,
            granularity.CHANNELWISE if self.order["per_channel"] else granularity.TENSORWISE,
        )
        for name in sorted(self.kept):
            recipe.update_quantization_recipe(
                f"^{re.escape(name)};?$", EVERY, algorithm_key="no_quantize"
            )
        found = recipe.quantize(
            self.ranges, enable_progress_bar=False, enable_progress_report=False
        )
        return bytes(found.quantized_model)


def prepared(file: bytes) -> tuple[bytes, list[tuple[str, str]]]:
    """With a signature, and constants that no two operators share; names of its operators, which
    are those of their first results, and their kinds."""
    model = schema.ModelT.InitFromObj(schema.Model.GetRootAs(file, 0))
    graph = model.subgraphs[0]
    if len(graph.inputs) != 1:
        raise NotTaken(f"the network has {len(graph.inputs)} inputs, must have one")
    for kind in model.operatorCodes:  # old files have the short number only
        kind.builtinCode = max(kind.builtinCode, kind.deprecatedBuiltinCode)
    for tensor in graph.tensors:
        if is_constant(model, tensor) and tensor.type in (INT8, INT4):
            name = text_of(tensor.name)
            raise NotTaken(f"its weights '{name}' are integers already; give the float network")
    used: set[int] = set()
    for op in graph.operators:
        for k, index in enumerate(op.inputs):
            if index < 0 or not is_constant(model, graph.tensors[index]):
                continue
            if int(index) in used:
                twin = copy.copy(graph.tensors[index])
                twin.name = text_of(twin.name) + f"#{len(graph.tensors)}"
                buffer = schema.BufferT()
                buffer.data = model.buffers[twin.buffer].data
                model.buffers.append(buffer)
                twin.buffer = len(model.buffers) - 1
                op.inputs[k] = len(graph.tensors)
                graph.tensors.append(twin)
            used.add(int(index))
    signature = schema.SignatureDefT()
    signature.signatureKey, signature.subgraphIndex = SIGNATURE, 0
    signature.inputs = [named(GIVEN, graph.inputs[0])]
    signature.outputs = [named(f"out{k}", i) for k, i in enumerate(graph.outputs)]
    model.signatureDefs = [signature]
    ops = []
    for op in graph.operators:
        kind = model.operatorCodes[op.opcodeIndex]
        code = OP_NAMES.get(kind.builtinCode, str(kind.builtinCode))
        ops.append((text_of(graph.tensors[op.outputs[0]].name), code))
    return packed(model), ops


def is_constant(model: Any, tensor: Any) -> bool:
    data = model.buffers[tensor.buffer].data
    return data is not None and len(data) > 0


def named(name: str, index: int) -> Any:
    entry = schema.TensorMapT()
    entry.name, entry.tensorIndex = name, int(index)
    return entry


def text_of(name: Any) -> str:
    return name.decode() if isinstance(name, bytes) else str(name)


def packed(model: Any) -> bytes:
    builder = Builder(1 << 20)
    builder.Finish(model.Pack(builder), b"TFL3")
    return bytes(builder.Output())


def values_of(file: bytes) -> Values:
    """Every tensor by its name, as a real value, for an input of float32."""
    interpreter = Interpreter(
        model_content=file, num_threads=1, experimental_preserve_all_tensors=True
    )
    interpreter.allocate_tensors()
    (given,) = interpreter.get_input_details()
    details = interpreter.get_tensor_details()

    def values(x: np.ndarray) -> dict[str, np.ndarray]:
        interpreter.set_tensor(given["index"], stored(x[None].reshape(given["shape"]), given))
        interpreter.invoke()
        found = {}
        for detail in details:
            try:
                array = interpreter.get_tensor(detail["index"])
            except ValueError:  # nothing is there
                continue
            found[detail["name"]] = real(array, detail)
        return found

    return values


def stored(x: np.ndarray, detail: dict[str, Any]) -> np.ndarray:
    if detail["dtype"] == np.float32:
        return x.astype(np.float32)
    scale, zero = detail["quantization"]
    limits = np.iinfo(detail["dtype"])
    return np.clip(np.rint(x / scale) + zero, limits.min, limits.max).astype(detail["dtype"])


def real(array: np.ndarray, detail: dict[str, Any]) -> np.ndarray:
    scale, zero = detail["quantization"]
    return array if not scale else (array.astype(np.float64) - zero) * scale


def quantised(order: Order, samples: np.ndarray) -> dict[str, Any]:
    quantiser = Quantiser(order, samples)
    file = quantiser.made()
    with open(order["out"], "wb") as out:
        out.write(file)
    looked_at = samples[: order["looked_at"]]
    exact = [quantiser.values(x) for x in looked_at]
    layers = noise_of(quantiser, file, looked_at, exact)
    if order["sensitivity"] != "none":
        add_sensitivity(quantiser, layers, looked_at, exact, order["sensitivity"])
    version = importlib.metadata.version("litert-quantizer")
    return {
        "library": {"name": "litert-quantizer", "version": version},
        "layers": layers,
        "outputs": outputs_of(quantiser.file),
    }


def outputs_of(file: bytes) -> list[str]:
    graph = schema.Model.GetRootAs(file, 0).Subgraphs(0)
    return [text_of(graph.Tensors(graph.Outputs(k)).Name()) for k in range(graph.OutputsLength())]


def noise_of(
    quantiser: Quantiser, file: bytes, samples: np.ndarray, exact: list[dict[str, np.ndarray]]
) -> list[dict[str, Any]]:
    """Of each layer the decibels of its first result, as all of the network before leaves it."""
    rough, noise = values_of(file), Noise()
    types = types_of(file)
    for x, values in zip(samples, exact, strict=True):
        others = rough(x)
        for name, _ in quantiser.ops:
            if name in values and name in others and values[name].dtype.kind == "f":
                noise.add(name, values[name], np.asarray(others[name], np.float64))
    return [
        {
            "name": name,
            "op": kind,
            "tensor": name,
            "quantised": types.get(name, "float32") != "float32",
            "kept": name in quantiser.kept,
            "decibels": noise.decibels(name),
            "alone_decibels": None,
        }
        for name, kind in quantiser.ops
    ]


def types_of(file: bytes) -> dict[str, str]:
    interpreter = Interpreter(model_content=file, num_threads=1)
    return {d["name"]: np.dtype(d["dtype"]).name for d in interpreter.get_tensor_details()}


WEIGHTED = ("CONV_2D", "DEPTHWISE_CONV_2D", "FULLY_CONNECTED", "TRANSPOSE_CONV", "BATCH_MATMUL")


def add_sensitivity(
    quantiser: Quantiser,
    layers: list[dict[str, Any]],
    samples: np.ndarray,
    exact: list[dict[str, np.ndarray]],
    which: str,
) -> None:
    """Of each layer the decibels of the outputs where it alone is quantised."""
    outputs = outputs_of(quantiser.file)
    for layer in layers:
        if layer["kept"] or not layer["quantised"]:
            continue
        if which == "weights" and layer["op"] not in WEIGHTED:
            continue
        alone, noise = values_of(quantiser.made(layer["name"])), Noise()
        for x, values in zip(samples, exact, strict=True):
            got = alone(x)
            for name in outputs:
                if name in got:
                    noise.add("outputs", values[name], np.asarray(got[name], np.float64))
        layer["alone_decibels"] = noise.decibels("outputs")
