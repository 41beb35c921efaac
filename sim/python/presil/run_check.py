"""What a run computed, against the reference interpreter and against golden files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from . import paths
from .check import Check
from .custom import Customs
from .fitting import fitted
from .kept import Kept, by_graph, expected_of, source_of
from .names import described
from .program import Program
from .refusal import Refusal
from .run_expected import Expected


def owner_of(info: dict[str, Any], tensor: int) -> str:
    """Name of the layer that makes a tensor of the loadable."""
    for layer in info["layers"]:
        if tensor in layer["outputs"]:
            return str(layer["name"])
    return str(info["tensors"][tensor]["name"])


def compare(
    verdict: Check,
    program: Program,
    customs: Customs,
    sample: list[np.ndarray],
    outputs: list[np.ndarray],
    kept: Kept,
    index: int,
    level: str,
    begun: Expected | None = None,
) -> None:
    """Outputs, and kept tensors at level `layers`, against the reference interpreter, which may
    have begun with the sample."""
    info, graph = program.info, program.graph
    made = customs.by_graph(outputs, by_graph(info, kept))
    custom, unchecked = customs.function(made), customs.unchecked(made)
    every: Sequence[np.ndarray] = ()
    if begun is not None:
        every, expected_outputs = begun.take(index)
    elif kept:
        every = paths.native().reference_all(graph, sample, custom)
        expected_outputs = [every[i] for i in graph.output_ids]
    else:
        expected_outputs = paths.native().reference(graph, sample, custom)
    if level == "layers":
        for i in sorted(kept, key=lambda i: (source_of(info["tensors"][i]), i)):
            tensor, array = info["tensors"][i], kept[i]
            if source_of(tensor) in unchecked:
                verdict.unchecked[tensor["name"]] = unchecked[source_of(tensor)]
                continue
            expected = expected_of(tensor, array.shape, every)
            verdict.compare(owner_of(info, i), tensor["name"], array, expected, index)
    for k, (got, expected) in enumerate(zip(outputs, expected_outputs, strict=True)):
        tensor = info["outputs"][k]
        name = info["tensors"][tensor]["name"]
        if graph.output_ids[k] in unchecked:
            verdict.unchecked[name] = unchecked[graph.output_ids[k]]
            continue
        verdict.compare(owner_of(info, tensor), name, got, expected, index)
    for about in customs.without_reference:
        for tensor in about["output_ids"]:
            verdict.unchecked.setdefault(about["name"], unchecked[tensor])


def compare_goldens(
    program: Program, arrays: list[np.ndarray], goldens: Sequence[np.ndarray]
) -> dict[str, Any] | None:
    """Output k against golden k, which may hold more samples than were run."""
    if not goldens:
        return None
    if len(goldens) > len(arrays):
        raise Refusal(f"golden: got {len(goldens)} files, the network has {len(arrays)} outputs")
    verdict = Check()
    for k, (array, expected) in enumerate(zip(arrays, goldens)):
        tensor = program.info["outputs"][k]
        expected = fitted(expected, program.outputs[k], "golden", f"that of output {k}")
        if expected.shape != array.shape:
            raise Refusal(
                f"golden: output {k} is {array.dtype}{list(array.shape)}, the golden is "
                f"{expected.dtype}{list(expected.shape)}; expected as many samples"
            )
        name = program.info["tensors"][tensor]["name"]
        verdict.compare(owner_of(program.info, tensor), name, array, expected)
    return verdict.record()


def mark_layers(rows: list[dict[str, Any]], info: dict[str, Any], verdict: Check) -> None:
    """Writes into each layer whether what it made was compared and exact."""
    for row in rows:
        names = [info["tensors"][t]["name"] for t in info["layers"][row["index"]]["outputs"]]
        compared = [verdict.tensors[name] for name in names if name in verdict.tensors]
        row["exact"] = all(compared) if compared else None


def goldens_of(goldens: Any) -> list[np.ndarray]:
    """A list of arrays, or the array of the first output."""
    given = [goldens] if isinstance(goldens, np.ndarray) else goldens
    if not isinstance(given, (list, tuple)) or not all(isinstance(g, np.ndarray) for g in given):
        raise Refusal(
            f"golden: got {described(goldens)}, expected a list of arrays, for each output in order"
        )
    return list(given)
