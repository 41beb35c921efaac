"""The engines' counters as the driver reads them, of a job or of each of its layers."""

from __future__ import annotations

from typing import Any


def counters_record(
    account: dict[str, Any], layers: list[dict[str, Any]], by: str | None
) -> dict[str, Any]:
    """For run.json: `names` of the counters ("dla.run"), and a row of values for each part of the
    job; account: as the simulator gives them; layers: of the record."""
    rows = [
        {"layer": row["layer"], "name": layers[row["layer"]]["name"], "values": row["values"]}
        for row in account["rows"]
    ]
    return {"by": by, "names": account["names"], "rows": rows}


def counters_lines(record: dict[str, Any]) -> list[str]:
    """For people: where the engines' cycles of the whole job went."""
    counters = record.get("counters")
    if counters is None:
        return []
    sums = [sum(values) for values in zip(*(row["values"] for row in counters["rows"]))]
    blocks: dict[str, list[str]] = {}
    for name, value in zip(counters["names"], sums, strict=True):
        block, _, counter = name.partition(".")
        if value:
            blocks.setdefault(block, []).append(f"{counter} {value:,}")
    parts = "a row for each layer" if counters["by"] == "layers" else "one row"
    lines = [f"counters, as the driver has read them ({parts} in run.json):"]
    return lines + [f"  {block}: {', '.join(said)}" for block, said in blocks.items()]
