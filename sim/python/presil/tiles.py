"""SoCs of several tiles: which of them differ, what is asked of one tile alone."""

from __future__ import annotations

from typing import Any

from .refusal import Refusal


def kind_of_tiles(soc: Any) -> list[int]:
    """Of each tile the first one that is like it."""
    texts = [soc.tile(t).canonical_text for t in range(soc.tiles)]
    return [texts.index(text) for text in texts]


def one_tile(soc: Any, verb: str, why: str) -> Any:
    """The SoC, which must have one tile."""
    if soc.tiles == 1:
        return soc
    raise Refusal(
        f"{verb}: SoC '{soc.label}' has {soc.tiles} tiles, must have 1 here: {why}; "
        "`presil run` takes samples over the tiles, --set tiles=1 leaves tile 0 alone"
    )
