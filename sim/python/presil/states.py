"""States: what one run of a network leaves to the next, over the samples of a run.

The state of an LSTM or of an SVDF starts at 0 in every run of a graph. `keep` makes it an input and
an output of the graph (`Graph.with_states`); the values that come out of a sample go into the next,
as a continuous run of TFLite Micro has them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .refusal import Refusal

STATES = ("reset", "keep")
"""Over samples; the first is what happens if nothing is said."""

STATEFUL = {"lstm": (13, 14), "svdf": (4,)}
"""Operators that have a state, and which inputs it is where the graph computes it."""


def kept_graph(graph: Any) -> Any:
    """The graph with its states as inputs and outputs; refuses one without."""
    kept = graph.with_states()
    if not kept.states:
        raise Refusal(
            "import: state is 'keep', and the network has none: no UNIDIRECTIONAL_SEQUENCE_LSTM, "
            "SVDF or VAR_HANDLE; leave it out"
        )
    return kept


def own_states(graph: Any) -> list[str]:
    """Operators whose state starts at 0 in every run, by name."""
    return [
        op["name"]
        for op in graph.ops
        if any(missing(op, slot) for slot in STATEFUL.get(op["kind"], ()))
    ]


def missing(op: dict[str, Any], slot: int) -> bool:
    ids = op["input_ids"]
    return slot >= len(ids) or ids[slot] < 0


@dataclass
class States:
    """The states of a graph, from sample to sample."""

    pairs: list[tuple[int, int]]
    """Of each state the input and the output, counted among those of the graph."""
    tensors: list[dict[str, Any]]
    """Of each state."""
    keep: bool
    resets: list[str]
    """Operators whose state no input gives."""
    values: list[np.ndarray]

    @staticmethod
    def of(graph: Any, keep: bool) -> States:
        """graph: None where the loadable has none, which then has no states."""
        if graph is None:
            return States([], [], keep, [], [])
        inputs, outputs = graph.input_ids, graph.output_ids
        pairs = [(inputs.index(a), outputs.index(b)) for a, b in graph.states]
        tensors = [graph.inputs[i] for i, _ in pairs]
        return States(pairs, tensors, keep, own_states(graph), [zero(t) for t in tensors])

    def given(self, inputs: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """The inputs that a caller gives: all but the states."""
        own = {position for position, _ in self.pairs}
        return [tensor for i, tensor in enumerate(inputs) if i not in own]

    def before(self, sample: list[np.ndarray]) -> list[np.ndarray]:
        """The sample with the states, as the graph's inputs."""
        if not self.keep:
            self.values = [zero(tensor) for tensor in self.tensors]
        whole = list(sample)
        for (position, _), value in sorted(zip(self.pairs, self.values), key=lambda p: p[0]):
            whole.insert(position, value)
        return whole

    def after(self, outputs: list[np.ndarray]) -> None:
        """Takes what the sample has left."""
        self.values = [outputs[position] for _, position in self.pairs]

    def record(self) -> dict[str, Any] | None:
        """Of run.json; None: the network has no state."""
        if not self.pairs and not self.resets:
            return None
        names = [tensor["name"] for tensor in self.tensors]
        kept = self.keep and bool(self.pairs)
        return {"over_samples": STATES[kept], "tensors": names, "ops": self.resets}


def zero(tensor: dict[str, Any]) -> np.ndarray:
    """A state before the first run: 0, the zero point where it has one."""
    points = tensor.get("zero_points") or [0]
    return np.full(tensor["shape"], points[0], tensor["dtype"])


def state_sentence(record: dict[str, Any]) -> str:
    """What the console says of states; empty: nothing."""
    state, samples = record.get("state"), record["samples"]
    if state is None:
        return ""
    if state["over_samples"] == "keep":
        kept = len(state["tensors"])
        return f"state: {kept} tensors kept over the {samples} samples (--state keep)"
    again = " before each sample; --state keep carries it on" if samples > 1 else ""
    return f"state: 0{again or ' before the sample'}"
