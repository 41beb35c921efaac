"""Parameters of a SoC as texts and mappings give them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from . import paths
from .names import described
from .refusal import Refusal

Overrides = Sequence[str] | Mapping[str, Any]
Pairs = list[tuple[str, str]]


def pairs_of(overrides: Any) -> Pairs:
    """Names and values, of `name=value` texts or of a mapping whose groups may be mappings."""
    if isinstance(overrides, Mapping):
        return sorted(flat(overrides, ""), key=lambda pair: pair[0].startswith("tiles"))
    if isinstance(overrides, str) or not isinstance(overrides, Sequence):
        raise Refusal(
            f"soc: overrides are {described(overrides)}, expected parameters such as "
            "{'dla.macs_k': 32}, or a list of texts such as 'dla.macs_k=32'"
        )
    pairs = []
    for text in overrides:
        name, equals, value = text.partition("=") if isinstance(text, str) else (text, "", "")
        if not equals:
            raise Refusal(f"soc: --set got '{text}', expected name=value, e.g. --set dla.macs_k=32")
        pairs.append((name.strip(), value.strip()))
    return pairs


def flat(parameters: Mapping[Any, Any], group: str) -> Pairs:
    """{"dla": {"macs_k": 32}} and {"dla.macs_k": 32} alike."""
    pairs: Pairs = []
    for key, value in parameters.items():
        if not isinstance(key, str):
            raise Refusal(
                f"soc: a parameter is called {described(key)}, expected a name: dla.macs_k"
            )
        name = f"{group}.{key}" if group else key
        if isinstance(value, Mapping):
            pairs += flat(value, name)
        elif name == "tiles" and isinstance(value, (list, tuple)):
            pairs += tile_pairs(value)
        elif key == "engines" and isinstance(value, (list, tuple)):
            place = f"{group}." if group else ""
            pairs += [(place + of_engine, text) for of_engine, text in engine_pairs(value)]
        else:
            pairs.append((name, text_of(name, value)))
    return pairs


def tile_pairs(tiles: Sequence[Any]) -> Pairs:
    """[{"dla": {"macs_k": 32}}, {}]: how many, and what each has of its own."""
    pairs = [("tiles", str(len(tiles)))]
    for i, tile in enumerate(tiles):
        if not isinstance(tile, Mapping):
            raise Refusal(f"soc: tiles[{i}] is {described(tile)}, expected its parameters, or {{}}")
        pairs += flat(tile, f"tiles.{i}")
    return pairs


def engine_pairs(engines: Sequence[Any]) -> Pairs:
    """[{"kind": "dla", "name": "dla"}, ...] as the sections of the kinds say it."""
    entries = [
        {key: text_of(f"engines[{i}].{key}", value) for key, value in entry.items()}
        if isinstance(entry, Mapping)
        else described(entry)
        for i, entry in enumerate(engines)
    ]
    return [(name, value) for name, value in paths.native().parse_engines(json.dumps(entries))]


def text_of(name: str, value: Any) -> str:
    """A number or a name, as the command line gives it."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        raise Refusal(f"soc: {name} is {described(value)}, expected a number or a name")
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def without_name(parameters: Mapping[Any, Any]) -> dict[Any, Any]:
    return {key: value for key, value in parameters.items() if key != "name"}


def changed(soc: Any, pairs: Pairs) -> Any:
    """A SoC that was loaded before, with other values of some parameters."""
    return of_text(soc.name, soc.complete_text, pairs) if pairs else soc


def of_text(name: str, complete_text: str, pairs: Pairs | None = None) -> Any:
    """The SoC that says this of itself; pairs: what is to be otherwise."""
    own = [line.partition("=")[::2] for line in complete_text.splitlines()]
    return paths.native().parse_soc("", name, [*own, *(pairs or [])])
