"""Layers whose time follows the data: for each sample how many candidates there were, how many of
them were kept, and the cycles that this took."""

from __future__ import annotations

from typing import Any

import numpy as np

from .engines import queue_engines
from .program import Program

MOST_LABEL = 65535


def count_candidates(layer: dict[str, Any], tables: list[np.ndarray]) -> int:
    """What the layer has to put in order: of an nms pairs of row and class with a score above the
    limit; of detections boxes whose best score is at least the limit, or pairs where it goes
    class by class."""
    limit = np.float32(layer["score"])
    if layer["op"] == "nms":
        above = [table[:, 4 : 5 if layer["labelled"] else None] > limit for table in tables]
        if layer["labelled"]:
            labels = [table[:, 5:] for table in tables]
            above = [
                hits & (label == np.trunc(label)) & (label >= 0) & (label <= MOST_LABEL)
                for hits, label in zip(above, labels)
            ]
        return sum(int(np.count_nonzero(hits)) for hits in above)
    (scores,), (tensor,) = tables, layer["tensors"]
    if tensor["scales"]:
        lifted = (scores.astype(np.int32) - tensor["zero_points"][0]).astype(np.float32)
        scores = lifted * np.float32(tensor["scales"][0])
    scores = scores[0, :, scores.shape[2] - layer["classes"] :]
    return int(np.count_nonzero((scores if layer["regular"] else scores.max(1)) >= limit))


def layers_of(program: Program) -> list[dict[str, Any]]:
    """The operators, each with the layer that computes it. None without the graph (--strip)."""
    graph, info = program.graph, program.info
    if graph is None:
        return []
    of_graph = {t["graph_tensor"]: i for i, t in enumerate(info["tensors"])}
    found = []
    for op in graph.data_dependent:
        made = of_graph.get(op["count"])
        for index, layer in enumerate(info["layers"]):
            if made in layer["outputs"]:
                found.append({**op, "layer": index, **{k: layer[k] for k in ("name", "engine")}})
    return found


def shortest(value: Any) -> Any:
    """A float32 by the fewest digits that say it: 0.65, not 0.6499999762."""
    return float(str(np.float32(value))) if isinstance(value, float) else value


def cycles_of(layer: dict[str, Any], info: dict[str, Any], account: dict[str, Any]) -> int:
    """Of the layer's own commands, without their waits for other engines."""
    engines = queue_engines()
    return sum(
        cycles
        for command in account["records"]
        if info["commands"][command["tag"]][2] == layer["layer"]
        and engines[command["queue"]] == layer["engine"]
        for cause, cycles in command["causes"].items()
        if not cause.startswith("wait")
    )


class DataTime:
    """Collects, sample by sample, what `record` says."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._layers = layers_of(program)
        self._samples: list[list[dict[str, Any]]] = [[] for _ in self._layers]

    @property
    def follows(self) -> bool:
        """Whether some layer's time follows the data."""
        return bool(self._layers)

    @property
    def tensors(self) -> set[int]:
        """Tensors of the imported graph that are asked for."""
        asked = (t for layer in self._layers for t in (*layer["tables"], layer["count"]))
        return set(asked)

    def add(
        self,
        inputs: list[np.ndarray],
        outputs: list[np.ndarray],
        kept: dict[int, np.ndarray],
        account: dict[str, Any],
    ) -> None:
        """A sample's tensors and commands."""
        if not self._layers:
            return
        graph, info = self._program.graph, self._program.info
        values = {
            **dict(zip(graph.input_ids, inputs)),
            **kept,
            **dict(zip(graph.output_ids, outputs)),
        }
        for layer, samples in zip(self._layers, self._samples):
            tables = [values[t] for t in layer["tables"] if t in values]
            count = values.get(layer["count"])
            seen = len(tables) == len(layer["tables"])
            samples.append(
                {
                    "candidates": count_candidates(layer, tables) if seen else None,
                    "stayed": int(count.ravel()[0]) if count is not None else None,
                    "cycles": cycles_of(layer, info, account),
                }
            )

    def record(self) -> list[dict[str, Any]]:
        """The part of run.json: a layer each, with an entry for each sample."""
        said = ("layer", "name", "op", "engine", "score", "iou", "max")
        return [
            {**{key: shortest(layer[key]) for key in said}, "samples": samples}
            for layer, samples in zip(self._layers, self._samples)
        ]
