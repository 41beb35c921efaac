"""A layer as the page says it."""

from __future__ import annotations

from typing import Any

from .compared import cost

Record = dict[str, Any]
MOST_TENSORS = 2
"""Of one side of a layer that its line in the table names; the rest is counted."""


def shape_text(tensors: list[Record] | None, most: int = MOST_TENSORS) -> str:
    """1 x 48 x 48 x 24 int8, for each."""
    if tensors is None:
        return ""
    texts = [f"{'×'.join(map(str, t['shape'])) or 'scalar'} {t['dtype']}" for t in tensors]
    more = f", and {len(texts) - most} more" if len(texts) > most else ""
    return ", ".join(texts[:most]) + more


def layer_view(layer: Record) -> Record:
    """Its row, with what older records lack as None, and texts."""
    own, ideal = cost(layer), layer.get("ideal_cycles")
    bound, detail = layer["bound"], layer.get("bound_detail")
    return {
        **layer,
        "own": own,
        "ideal": ideal,
        "of_ideal": ideal / own if ideal is not None and own else None,
        "rate": layer["macs"] / layer["cycles"] if layer["macs"] and layer["cycles"] else None,
        "stalled": sum(layer["stall"].values()),
        "lane_use": layer.get("lane_use"),
        "tiles": layer.get("tiles"),
        "weight_bytes": layer.get("weight_bytes"),
        "reads": shape_text(layer.get("inputs")),
        "makes": shape_text(layer.get("outputs")),
        "why": f"{bound}: {detail.replace('_', ' ')}" if detail and detail != bound else bound,
    }
