"""A float network quantised by the library of its format, and what that costs and saves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ..atomic import check_file
from ..evaluation import evaluate
from ..evaluation.reader import Reader, reader_of
from ..inputs import ImageOptions
from ..names import number, one_of
from ..nets import network_file
from ..network import load
from ..program import compile as compile_network
from ..record import header
from ..refusal import Refusal
from ..run import run
from ..validate_source import NUMERICS_OF
from .calibration import calibration_of
from .library import PACKAGES, quantised_by_library

WEIGHTS = ("per-channel", "per-tensor")
ACTIVATIONS = ("int8", "int16")
RANGES = ("min-max", "percentile", "entropy")
SENSITIVITY = ("weights", "all", "none")
MOST_SAMPLES, LOOKED_AT = 100, 4
RUNTIME = {".onnx": "onnxruntime", ".tflite": "litert"}
BITS = {"int8": 8, "int16": 16}


@dataclass(frozen=True)
class Quantized:
    """The record that `--json` writes; `file` is the integer network."""

    record: dict[str, Any]
    file: Path

    @property
    def hurts_most(self) -> str | None:
        """The layer whose quantisation alone disturbs the outputs most."""
        found = self.record["hurts_most"]
        return None if found is None else str(found)


def quantize(
    net: str | Path,
    out: str | Path,
    calibrate: str | Path | None = None,
    *,
    weights: str = WEIGHTS[0],
    activations: str = ACTIVATIONS[0],
    keep: Any = (),
    range: str = RANGES[0],  # noqa: A002  as the command line has it
    percentile: float = 99.99,
    samples: int = MOST_SAMPLES,
    sensitivity: str = SENSITIVITY[0],
    image: ImageOptions | None = None,
    dtype: str = "",
    window: int = 0,
    data: str | Path | None = None,
    metric: str | None = None,
    evaluation: Mapping[str, Any] | None = None,
    soc: Any = "edge",
    set: Any = (),  # noqa: A002
    cycles: bool = True,
    progress: Any = None,
) -> Quantized:
    """Makes an int8 network of a float one, and says what is lost and gained.

    net: a float .onnx or .tflite file, or a name of the shape library. out: the file to write.
    calibrate: a folder of images or arrays, or a .npy file; None: the labelled folder `data`.
    weights: a scale for each output channel, or one. activations: 'int8', 'int16'.
    keep: names of layers of the file, with * and ?, that stay in float.
    range: how ranges follow from the samples; percentile: of 'percentile', of values inside.
    samples: at most so many, spread over what is there. sensitivity: of which layers to find what
      each alone does to the outputs: those with 'weights', 'all', 'none'.
    image, dtype, window: how samples become the input, as of `presil.evaluate`.
    data, metric, evaluation: labelled samples, the metric, and further options of it.
    cycles: whether both networks are timed on the SoC (soc, set).
    """
    file = network_file(net)
    checked(file, weights, activations, range, percentile, samples, sensitivity)
    target = Path(out)
    if target.suffix != file.suffix:
        raise Refusal(
            f"quantize: the output is '{out}', must end in {file.suffix} as '{file}' does"
        )
    check_file(target)
    if (data is None) != (metric is None):
        raise Refusal("quantize: data and metric are given together, or neither; one is missing")
    source = calibrate if calibrate is not None else data
    if source is None:
        raise Refusal(
            "quantize: ranges follow from samples; give --calibrate a folder of images or a .npy "
            "file, or labelled --data"
        )
    own = load(file)
    reader = float_reader(own.inputs, image or ImageOptions(), dtype, window, file)
    chosen, calibration = calibration_of(source, reader, samples)
    options = {
        "activations": BITS[activations],
        "per_channel": weights == WEIGHTS[0],
        "keep": [keep] if isinstance(keep, str) else list(keep),
        "range": range,
        "percentile": percentile,
        "sensitivity": sensitivity,
        "looked_at": LOOKED_AT,
    }
    told = quantised_by_library(file, target, chosen, options)
    layers = told["layers"]
    alone = [row for row in layers if row["alone_decibels"] is not None]
    record: dict[str, Any] = {
        **header(),
        "verb": "quantize",
        "network": str(file),
        "quantized": str(target),
        "library": told["library"],
        "weights": weights,
        "activations": activations,
        "keep": options["keep"],
        "range": range if range != "percentile" else f"percentile {percentile:g}",
        "calibration": calibration,
        "bytes": {"float": file.stat().st_size, "quantized": target.stat().st_size},
        "layers": layers,
        "hurts_most": min(alone, key=lambda r: r["alone_decibels"])["name"] if alone else None,
        "output_decibels": output_decibels(told),
        "accuracy": None,
        "cycles": None,
        "energy_uj": None,
    }
    if cycles:
        add_cycles(record, file, target, soc, set)
    if data is not None and metric is not None:
        shared = {**dict(evaluation or {}), "dtype": dtype, "window": window}
        record["accuracy"] = accuracy_of(file, target, data, metric, image, shared, soc, set,
                                         progress)  # fmt: skip
    return Quantized(record, target)


def checked(
    file: Path, weights: str, activations: str, range_: str, percentile: float, samples: int,
    sensitivity: str,
) -> None:  # fmt: skip
    one_of(weights, WEIGHTS, "quantize: weights")
    one_of(activations, ACTIVATIONS, "quantize: activations")
    one_of(range_, RANGES, "quantize: range")
    one_of(sensitivity, SENSITIVITY, "quantize: sensitivity")
    number(percentile, 50, 100, "quantize: percentile", ", must be 50 to 100")
    number(samples, 1, 10000, "quantize: samples", ", must be 1 to 10000", whole=True)
    if file.suffix not in PACKAGES:
        raise Refusal(f"quantize: '{file}' must be a .onnx or .tflite file, as its quantiser reads")


def float_reader(
    inputs: list[dict[str, Any]], image: ImageOptions, dtype: str, window: int, file: Path
) -> Reader:
    reader = reader_of(inputs, image, dtype, window)
    if reader.tensor["dtype"] != "float32":
        raise Refusal(
            f"quantize: the input of '{file}' is {reader.tensor['dtype']}, must be float32; give "
            "the network as it was before it was quantised"
        )
    return reader


def output_decibels(told: dict[str, Any]) -> float | None:
    """The worst of the outputs."""
    found = [
        row["decibels"] for row in told["layers"]
        if row["tensor"] in told["outputs"] and row["decibels"] is not None
    ]  # fmt: skip
    return min(found) if found else None


def add_cycles(record: dict[str, Any], file: Path, target: Path, soc: Any, overrides: Any) -> None:
    """Of both networks, by timing alone."""
    cycles, energy = {}, {}
    for name, network in (("float", file), ("quantized", target)):
        program = compile_network(load(network), soc, set=overrides)
        timed = run(program, values=False, check="none").record
        cycles[name], energy[name] = timed["cycles"], timed["energy_uj"]
        record["soc"] = program.soc.label
    record["cycles"], record["energy_uj"] = cycles, energy


def accuracy_of(
    file: Path,
    target: Path,
    data: str | Path,
    metric: str,
    image: ImageOptions | None,
    options: dict[str, Any],
    soc: Any,
    overrides: Any,
    progress: Any,
) -> dict[str, Any]:
    """Of the float network and of the integer one, there by the library's runtime too."""
    runtime = RUNTIME[file.suffix] if options.get("post") is None else "reference"
    shown = image or ImageOptions()
    quantised_input = load(target).inputs[0]["dtype"] != "float32"
    if quantised_input and shown.scale is None:  # pixels as the float network has them
        shown = replace(shown, scale=1.0)
    own = {**options, "progress": progress}
    rules = own.pop("numerics", None) or NUMERICS_OF[RUNTIME[file.suffix]]
    on_soc = {"soc": soc, "set": overrides}
    found = {
        "float": evaluate(file, data, metric, on=runtime, image=image, **own),
        "quantized": evaluate(
            target, data, metric, image=shown, numerics=rules, **own, **on_soc
        ),
    }
    if runtime != "reference":
        found["runtime"] = evaluate(target, data, metric, on=runtime, image=shown, **own)
    return {
        "metric": metric,
        "data": str(data),
        "samples": found["float"].record["data"]["samples"],
        "float_on": runtime,
        "numerics": rules,
        "exact": found["quantized"].exact,
        **{name: one.value for name, one in found.items()},
    }
