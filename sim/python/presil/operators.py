"""The operators of the graph, as compiler_bridge/ir lists them."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from . import paths


@lru_cache(maxsize=1)
def operators() -> dict[str, dict[str, Any]]:
    """By name: inputs (how many are required), results and attributes' defaults."""
    return {row["op"]: row for row in paths.native().operators()}
