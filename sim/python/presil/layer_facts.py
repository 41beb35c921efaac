"""What a layer is made of, for the rows of a record: shapes, tiles, weights, lanes, ideal."""

from __future__ import annotations

import math
from typing import Any

Row = dict[str, Any]


def add_layer_facts(rows: list[Row], info: dict[str, Any], soc: Any) -> None:
    """Adds to each row of `layers_of`:

    inputs, outputs: `name`, `shape`, `dtype` of each tensor, without constants.
    weight_bytes: of weights and other constants that it reads, as the network has them.
    tiles: parts that its work is cut into.
    ideal_cycles: the longer of its MACs at the array's peak and its bytes at the DRAM's; null where
      it has neither.
    lane_use: of the MACs that the array could do in the cycles that it worked on it, those done.
    """
    tiles: dict[int, set[int]] = {}
    for _, _, layer, tile in info["commands"]:
        tiles.setdefault(layer, set()).add(tile)
    bytes_per_cycle = soc.config["dram.peak_mb_per_s"] / soc.clock_mhz
    for row in rows:
        layer = info["layers"][row["index"]]
        row["inputs"], row["outputs"] = layer["reads"], layer["makes"]
        row["weight_bytes"] = layer["weight_bytes"]
        row["tiles"] = len(tiles.get(row["index"], ()))
        row["ideal_cycles"] = ideal_cycles(row, soc.macs_per_cycle, bytes_per_cycle)
        row["lane_use"] = lane_use(row, soc.array_macs)


def ideal_cycles(row: Row, macs_per_cycle: int, bytes_per_cycle: float) -> int | None:
    """MACs count on the DLA alone: no other engine has one peak for all it can do."""
    macs = row["macs"] if row["engine"] == "dla" else 0
    moved = row["read_bytes"] + row["written_bytes"]
    if not macs and not moved:
        return None
    return max(math.ceil(macs / macs_per_cycle), math.ceil(moved / bytes_per_cycle))


def lane_use(row: Row, array_macs: int) -> float | None:
    if row["engine"] != "dla" or not row["macs"] or not row["busy"]:
        return None
    # Cycles are attributed one by one, and a few that the array works may count as something else.
    return min(1.0, round(row["macs"] / (row["busy"] * array_macs), 6))
