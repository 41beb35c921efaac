"""Metrics: what each reads off a network's outputs for a sample, and what it makes of all."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..answers import ENDS
from ..detection import average_precisions
from ..refusal import Refusal
from .dataset import Dataset, Item

METRICS = ("top1", "map50", "auc")
TOP = 5
Outputs = Sequence[np.ndarray]
Row = dict[str, Any]
"""What is kept of a sample."""


@dataclass(frozen=True)
class Ends:
    """Where the answers are among the outputs. kind: the operator that boxes come from."""

    tensors: list[dict[str, Any]]
    metric: str
    output: int
    kind: str = ""
    at: tuple[int, ...] = ()
    numbers: tuple[int, ...] | None = None
    """The data set's class of each class of the network, where both have names; -1: none."""
    score: str = ""
    size: tuple[int, int] = (0, 0)
    """Width and height of the network's input."""

    def answer(self, outputs: Outputs, given: np.ndarray) -> Row:
        """Of one input; of windows, `joined` makes one answer."""
        if self.metric == "map50":
            return {"boxes": self.boxes(outputs)}
        values = self.real(outputs)
        if self.metric == "auc":
            return {"score": self.score_of(values, given)}
        order = np.argsort(-values, kind="stable")
        numbers = [self.number(int(k)) for k in order[: max(TOP, 1)]]
        return {"class": numbers[0], "top": numbers}

    def number(self, kind: int) -> int:
        if self.numbers is None:
            return kind
        return self.numbers[kind] if kind < len(self.numbers) else -1

    def real(self, outputs: Outputs) -> np.ndarray:
        """The chosen output as one row of real values."""
        tensor = self.tensors[self.output]
        values = outputs[self.output].astype(np.float64).reshape(-1)
        if tensor["scales"]:
            values = (values - tensor["zero_points"][0]) * tensor["scales"][0]
        return values

    def score_of(self, values: np.ndarray, given: np.ndarray) -> float:
        if self.score == "error":
            return float(np.mean((values - given.reshape(-1)) ** 2))
        return float(values[int(self.score)])

    def boxes(self, outputs: Outputs) -> list[list[float]]:
        """x0, y0, x1, y1 in pixels of the input, score, class."""
        parts = [outputs[k] for k in self.at]
        if self.kind == "nms":
            rows = parts[0].reshape(-1, 6)[: int(parts[1].ravel()[0])].astype(np.float64)
        else:
            corners = parts[0].reshape(-1, 4)[:, [1, 0, 3, 2]] * np.array([*self.size] * 2)
            scores = parts[2].ravel()
            rows = np.column_stack([corners, scores, parts[1].ravel()])[scores > 0]
        return [[*map(float, row[:5]), self.number(int(row[5]))] for row in rows]


def ends_of(
    graph: Any,
    metric: str,
    output: int | None,
    score: str | None,
    numbers: tuple[int, ...] | None,
    layout: str,
) -> Ends:
    """graph: the imported one, whose outputs are those of a run."""
    tensors = list(graph.outputs)
    if metric == "map50":
        kind, at = boxes_at(graph)
        shape = graph.inputs[0]["shape"]
        height, width = (shape[2], shape[3]) if layout == "nchw" else (shape[1], shape[2])
        return Ends(tensors, metric, 0, kind, at, numbers, "", (width, height))
    chosen = output_of(tensors, output, 1 if metric == "auc" else 2)
    count = math.prod(tensors[chosen]["shape"])
    if metric == "top1":
        return Ends(tensors, metric, chosen, numbers=numbers)
    same = math.prod(graph.inputs[0]["shape"])
    rule = score or ("error" if count == same else "1" if count > 1 else "0")
    if rule == "error":
        if count != same:
            raise Refusal(
                f"eval: --score error compares input and output, and they have {same} and {count} "
                "values; give the class whose value is the score, as --score 1"
            )
    elif not rule.isdecimal() or int(rule) >= count:
        raise Refusal(
            f"eval: --score is '{rule}', expected 'error' or a class of the output, 0..{count - 1}"
        )
    return Ends(tensors, metric, chosen, score=rule)


def output_of(tensors: list[dict[str, Any]], output: int | None, least: int) -> int:
    """The output asked for, else the first that is one row of numbers."""
    if output is not None:
        if output >= len(tensors):
            raise Refusal(
                f"eval: --output is {output}, the network has outputs 0..{len(tensors) - 1}"
            )
        return output
    for k, tensor in enumerate(tensors):
        axes = [n for n in tensor["shape"] if n != 1]
        if len(axes) <= 1 and math.prod(tensor["shape"]) >= least:
            return k
    shapes = ", ".join(f"{t['name']} {t['shape']}" for t in tensors)
    raise Refusal(f"eval: no output is one row of numbers ({shapes}); --output K chooses one")


def boxes_at(graph: Any) -> tuple[str, tuple[int, ...]]:
    """The operator that a detector ends in, and its results among the outputs."""
    ids = list(graph.output_ids)
    for op in graph.ops:
        results, _ = ENDS.get(op["kind"], (0, None))
        made = [ids.index(i) for i in op["output_ids"] if i in ids]
        if results and len(made) >= results:
            return op["kind"], tuple(made[:results])
    raise Refusal(
        "eval: map50 requires detections, and the network ends in none; --post FILE.yaml attaches "
        "their decoding (sim/nets/README.md has its form)"
    )


def joined(rows: list[Row]) -> Row:
    """One answer of several windows: the mean of their scores."""
    if len(rows) == 1:
        return rows[0]
    if "score" not in rows[0]:
        raise Refusal("eval: --window makes several inputs of a sample, which only auc averages")
    return {"score": float(np.mean([row["score"] for row in rows])), "windows": len(rows)}


def value_of(metric: str, items: Sequence[Item], rows: Sequence[Row]) -> dict[str, Any]:
    """The record of the metric: `value` 0..1 and what it is made of."""
    return {"top1": top1, "map50": map50, "auc": auc}[metric](items, rows)


def top1(items: Sequence[Item], rows: Sequence[Row]) -> dict[str, Any]:
    """The share of samples whose largest output is their class; of equal ones the first counts."""
    truths = [int(item.label or 0) for item in items]
    right = [row["class"] == truth for row, truth in zip(rows, truths, strict=True)]
    in_top = [truth in row["top"] for row, truth in zip(rows, truths, strict=True)]
    confused = Counter((truth, row["class"]) for row, truth in zip(rows, truths, strict=True))
    per_class = {
        kind: {"samples": truths.count(kind), "right": confused[kind, kind]}
        for kind in sorted(set(truths))
    }
    return {
        "value": sum(right) / len(items),
        "right": sum(right),
        "top5": sum(in_top) / len(items),
        "classes": [{"class": kind, **counts} for kind, counts in per_class.items()],
        "confused": [[*pair, n] for pair, n in sorted(confused.items()) if pair[0] != pair[1]],
    }


def map50(items: Sequence[Item], rows: Sequence[Row]) -> dict[str, Any]:
    """Mean over the classes present of average precision at IoU 0.5 (101 points of recall)."""
    truths = [np.array(item.boxes or (), np.float64).reshape(-1, 5) for item in items]
    if not sum(map(len, truths)):
        raise Refusal("eval: no image has a box, at least one is required for map50")
    found = [np.array(row["boxes"], np.float64).reshape(-1, 6) for row in rows]
    by_class = average_precisions(found, truths)
    counts = Counter(int(box[4]) for boxes in truths for box in boxes)
    return {
        "value": float(np.mean(list(by_class.values()))),
        "boxes": sum(counts.values()),
        "detections": sum(map(len, found)),
        "classes": [
            {"class": int(kind), "boxes": counts[int(kind)], "average_precision": value}
            for kind, value in by_class.items()
        ],
    }


def auc(items: Sequence[Item], rows: Sequence[Row]) -> dict[str, Any]:
    """The chance that a sample of class 1 and up has a larger score than one of class 0; equal
    scores count half."""
    scores = np.array([row["score"] for row in rows])
    positive = np.array([bool(item.label) for item in items])
    if positive.all() or not positive.any():
        raise Refusal(
            f"eval: auc compares class 0 with others, and all {len(items)} samples are of "
            f"{'others' if positive.all() else 'class 0'}"
        )
    high, low = scores[positive][:, None], scores[~positive][None, :]
    return {
        "value": float(((high > low) + 0.5 * (high == low)).mean()),
        "positive": int(positive.sum()),
        "negative": int((~positive).sum()),
    }


def numbers_of(network: Sequence[str], data: Dataset) -> tuple[int, ...] | None:
    """Classes of the network as those of the data set, by their names; None: by their numbers."""
    if not network or not data.classes:
        return None
    known = {name.strip().lower(): k for k, name in enumerate(data.classes)}
    found = tuple(known.get(name.strip().lower(), -1) for name in network)
    if all(k < 0 for k in found):
        raise Refusal(
            f"eval: no class of the network ({', '.join(network[:3])}, ...) is called as one of "
            f"the data ({', '.join(data.classes[:3])}, ...); --labels FILE names the network's"
        )
    return found
