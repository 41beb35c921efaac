"""Tensors that a run hands back, by their index in the loadable, as those of the imported graph."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

Kept = Mapping[int, np.ndarray]
"""By index in the loadable."""


def by_graph(info: Mapping[str, Any], kept: Kept) -> dict[int, np.ndarray]:
    """Whole tensors by their index in the imported graph."""
    tensors = info["tensors"]
    graph = {tensors[i]["graph_tensor"]: array for i, array in kept.items()}
    graph.pop(-1, None)
    return graph


def source_of(tensor: Mapping[str, Any]) -> int:
    """The imported graph's tensor that says what this one is."""
    return int(tensor["part_of"] if tensor["graph_tensor"] < 0 else tensor["graph_tensor"])


def expected_of(
    tensor: Mapping[str, Any], shape: Sequence[int], every: Sequence[np.ndarray]
) -> np.ndarray:
    """What a tensor of the loadable should be. every: values of the imported graph's tensors."""
    whole = every[source_of(tensor)].reshape(-1)
    first = tensor["part_first"]
    return whole[first : first + int(np.prod(shape))].reshape(shape)
