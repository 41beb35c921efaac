"""ONNX by onnxruntime's static quantiser: QDQ, weights int8."""

from __future__ import annotations

import importlib.metadata
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
from onnxruntime.quantization import CalibrationDataReader, CalibrationMethod, QuantType
from onnxruntime.quantization.calibrate import create_calibrator
from onnxruntime.quantization.qdq_quantizer import QDQQuantizer
from onnxruntime.quantization.registry import QDQRegistry
from onnxruntime.quantization.shape_inference import quant_pre_process
from worker import Noise, NotTaken, Order, chosen

METHODS = {
    "min-max": CalibrationMethod.MinMax,
    "percentile": CalibrationMethod.Percentile,
    "entropy": CalibrationMethod.Entropy,
}
LEAST_OPSET, OPSET_INT16 = 13, 21
"""DequantizeLinear has an axis, and it takes int16."""
WEIGHTED = ("Conv", "ConvTranspose", "Gemm", "MatMul")
DEQUANTISED = "_DequantizeLinear_Output"


class Samples(CalibrationDataReader):
    def __init__(self, name: str, samples: np.ndarray) -> None:
        self.left: Iterator[dict[str, np.ndarray]] = iter({name: x[None]} for x in samples)

    def get_next(self) -> dict[str, np.ndarray] | None:  # type: ignore[override]
        return next(self.left, None)


class Quantiser:
    """One float network and the ranges of its tensors."""

    def __init__(self, order: Order, samples: np.ndarray, folder: Path) -> None:
        self.order, self.folder = order, folder
        self.file = folder / "float.onnx"
        prepared(order["float"], self.file, OPSET_INT16 if order["activations"] == 16 else 0)
        self.model = onnx.load(self.file)
        initial = {one.name for one in self.model.graph.initializer}
        inputs = [one.name for one in self.model.graph.input if one.name not in initial]
        if len(inputs) != 1:
            raise NotTaken(f"the network has {len(inputs)} inputs, must have one")
        self.input = inputs[0]
        self.types = [t for t in QDQRegistry]
        names = [node.name for node in self.model.graph.node]
        self.kept = chosen(order["keep"], names)
        extra = {"symmetric": order["activations"] == 16}
        if order["range"] == "percentile":
            extra["percentile"] = order["percentile"]
        calibrator = create_calibrator(
            str(self.file),
            self.types,
            str(folder / "augmented.onnx"),
            METHODS[order["range"]],
            extra_options=extra,
        )
        calibrator.set_execution_providers(["CPUExecutionProvider"])
        calibrator.collect_data(Samples(self.input, samples))
        self.ranges = calibrator.compute_data()

    def made(self, only: list[str] | None = None) -> onnx.ModelProto:
        """Quantised; only: these nodes alone."""
        wide = self.order["activations"] == 16
        nodes = [node for node in only or [] if node not in self.kept]
        model = onnx.ModelProto()
        model.CopyFrom(self.model)
        quantiser = QDQQuantizer(
            model,
            self.order["per_channel"],
            False,
            QuantType.QInt8,
            QuantType.QInt16 if wide else QuantType.QInt8,
            self.ranges,
            nodes,
            sorted(self.kept),
            self.types,
            {"ActivationSymmetric": wide},
        )
        quantiser.quantize_model()
        quantiser.model.topological_sort()
        return quantiser.model.model


def prepared(source: str, target: Path, least_opset: int) -> None:
    """Constants folded, batch norms too, shapes inferred, one image at a time, nodes named."""
    model = onnx.load(source)
    opset = max((o.version for o in model.opset_import if o.domain in ("", "ai.onnx")), default=1)
    least = max(LEAST_OPSET, least_opset)
    if opset < least:
        model = onnx.version_converter.convert_version(model, least)
    initial = {one.name for one in model.graph.initializer}
    for one in model.graph.input:
        if one.name in initial:
            continue
        for extent in one.type.tensor_type.shape.dim:
            if not extent.HasField("dim_value") or extent.dim_value <= 0:
                extent.dim_value = 1
    given = target.with_suffix(".given.onnx")
    onnx.save(model, given)
    quant_pre_process(str(given), str(target), skip_symbolic_shape=True)
    model = onnx.load(target)
    for k, node in enumerate(model.graph.node):
        node.name = node.name or f"{node.op_type}_{k}"
    onnx.save(model, target)


def session_of(model: onnx.ModelProto, outputs: list[str]) -> onnxruntime.InferenceSession:
    """Of a network that hands back these tensors, each operator by itself."""
    wide = onnx.ModelProto()
    wide.CopyFrom(model)
    there = {one.name for one in wide.graph.output}
    wide.graph.output.extend(
        onnx.ValueInfoProto(name=name) for name in outputs if name not in there
    )
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(wide.SerializeToString(), options, ["CPUExecutionProvider"])


def quantised(order: Order, samples: np.ndarray) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        quantiser = Quantiser(order, samples, Path(folder))
        model = quantiser.made()
        onnx.checker.check_model(model)
        onnx.save(model, order["out"])
        looked_at = samples[: order["looked_at"]]
        layers = noise_of(quantiser, model, looked_at)
        add_sensitivity(quantiser, layers, looked_at, order["sensitivity"])
    return {
        "library": {"name": "onnxruntime", "version": importlib.metadata.version("onnxruntime")},
        "layers": layers,
        "outputs": [one.name for one in model.graph.output],
    }


def noise_of(
    quantiser: Quantiser, model: onnx.ModelProto, samples: np.ndarray
) -> list[dict[str, Any]]:
    """Of each layer the decibels of its first result, as all of the network before leaves it."""
    nodes = list(quantiser.model.graph.node)
    made = {name for node in model.graph.node for name in node.output}
    readers: dict[str, list[str]] = {}
    for node in nodes:
        for name in node.input:
            readers.setdefault(name, []).append(node.output[0])
    pairs = {}
    for node in nodes:
        name = node.output[0]
        there = name + DEQUANTISED if name + DEQUANTISED in made else name
        if there in made:
            pairs[name] = there
    seen = {}  # what is quantised after an activation alone is seen there
    for node in nodes:
        name = node.output[0]
        after = readers.get(name, [])
        seen[name] = after[0] if name not in pairs and len(after) == 1 else name
    exact = session_of(quantiser.model, list(pairs))
    rough = session_of(model, list(dict.fromkeys(pairs.values())))
    noise = Noise()
    for x in samples:
        given = {quantiser.input: x[None]}
        values = exact.run(list(pairs), given)
        others = rough.run(list(pairs.values()), given)
        for name, value, other in zip(pairs, values, others, strict=True):
            if value.dtype.kind == "f":
                noise.add(name, value, np.asarray(other, np.float64))
    return [
        {
            "name": node.name,
            "op": node.op_type,
            "tensor": node.output[0],
            "quantised": pairs.get(seen[node.output[0]], "").endswith(DEQUANTISED),
            "kept": node.name in quantiser.kept,
            "decibels": noise.decibels(seen[node.output[0]]),
            "alone_decibels": None,
        }
        for node in nodes
    ]


def add_sensitivity(
    quantiser: Quantiser, layers: list[dict[str, Any]], samples: np.ndarray, which: str
) -> None:
    """Of each layer the decibels of the outputs where it alone is quantised."""
    if which == "none":
        return
    outputs = [one.name for one in quantiser.model.graph.output]
    exact = session_of(quantiser.model, [])
    expected = [exact.run(outputs, {quantiser.input: x[None]}) for x in samples]
    for layer in layers:
        weighted = which == "all" or layer["op"] in WEIGHTED
        if layer["kept"] or layer["op"] not in quantiser.types or not weighted:
            continue
        alone = session_of(quantiser.made([layer["name"]]), [])
        noise = Noise()
        for x, values in zip(samples, expected, strict=True):
            for value, got in zip(
                values, alone.run(outputs, {quantiser.input: x[None]}), strict=True
            ):
                noise.add("outputs", value, np.asarray(got, np.float64))
        layer["alone_decibels"] = noise.decibels("outputs")
