"""Layers as the blocks of their network: by the scopes of their names where they have such, else
runs of layers whose results have one size, as the stages of a convolutional network do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import groupby
from typing import Any

Layer = dict[str, Any]
FEWEST_LAYERS = 12
"""Of a page with blocks; fewer are seen at once in the table of layers."""


def scope_of(layer: Layer) -> str:
    """`expanded_conv_3` of `expanded_conv_3/project`; empty: none."""
    return str(layer["name"]).rpartition("/")[0]


def size_of(layer: Layer) -> str:
    """80×80 of an image, else the whole shape; empty: an older record does not say."""
    made = layer.get("outputs")
    if not made:
        return ""
    shape = made[0]["shape"]
    return "×".join(map(str, shape[1:3] if len(shape) == 4 else shape[1:] or shape))


def cut(layers: list[Layer], key: Callable[[Layer], str]) -> list[tuple[str, list[Layer]]]:
    return [(name, list(part)) for name, part in groupby(layers, key)]


def network_blocks(layers: list[Layer]) -> list[dict[str, Any]]:
    """In the order of layers, as layer_view gives them; empty: too few layers, or all in one."""
    if len(layers) < FEWEST_LAYERS:
        return []
    scoped = 2 * sum(bool(scope_of(layer)) for layer in layers) >= len(layers)
    parts = cut(layers, scope_of if scoped else size_of)
    if len(parts) < 2:
        return []
    total = sum(layer["own"] for layer in layers) or 1
    blocks = [view(name if scoped else "", part, total) for name, part in parts]
    largest = max(block["own"] for block in blocks) or 1
    return [{**block, "bar": 100 * block["own"] / largest} for block in blocks]


def view(scope: str, layers: list[Layer], total: int) -> dict[str, Any]:
    """A block: what its layers take together, and which limit takes most of it."""
    own = sum(layer["own"] for layer in layers)
    bounds: Counter[str] = Counter()
    for layer in layers:
        bounds[layer["why"]] += layer["own"]
    first, last = layers[0]["name"], layers[-1]["name"]
    sizes = list(dict.fromkeys(filter(None, map(size_of, layers))))
    return {
        "name": scope or (first if first == last else f"{first} … {last}"),
        "size": sizes[0] if len(sizes) == 1 else "",
        "layers": layers,
        "own": own,
        "share": 100 * own / total,
        "macs": sum(layer["macs"] for layer in layers),
        "bytes": sum(layer["read_bytes"] + layer["written_bytes"] for layer in layers),
        "why": bounds.most_common(1)[0][0],
    }
