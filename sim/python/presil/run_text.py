"""A run in a few lines: what a notebook shows of it."""

from __future__ import annotations

from typing import Any

from .deviations import exact_word

MOST_LAYERS = 3
MOST_OUTPUTS = 4


def tiles_text(record: dict[str, Any]) -> str:
    """A line where there are several tiles."""
    if "tiles" not in record:
        return ""
    tiles = record["tiles"]
    return (
        f"  {tiles['count']} tiles: {tiles['samples_per_s']:,.1f} samples a second, "
        f"{tiles['speed_up']:.2f} x one tile\n"
    )


def run_text(record: dict[str, Any]) -> str:
    """Network, SoC, verdict, cycles, costliest layers and outputs of a record."""
    soc, check, samples = record["soc"], record["check"], record["samples"]
    compared = f"{check['different_bytes']:,} of {check['compared_bytes']:,} bytes differ"
    verdict = f"{exact_word(check) if check['exact'] else 'DIFFERS'}, {compared}"
    if not check["compared_bytes"]:
        verdict = "values off" if "values" in record else "not checked"
    each = record["cycles"] // max(1, samples)
    ms = each / (soc["clock_mhz"] * 1e3)
    costly = sorted(record["layers"], key=lambda layer: -layer["cycles"])[:MOST_LAYERS]
    layers = ", ".join(
        f"{row['name']} {row['cycles']:,} ({row['engine']}, {row['bound']})" for row in costly
    )
    outputs = [f"{o['name']} {o['dtype']}{o['shape']}" for o in record["outputs"]]
    more = len(outputs) - MOST_OUTPUTS
    rest = f" and {more} more" if more > 0 else ""
    of = f", mean of {samples} samples" if samples > 1 else ""
    return (
        f"Run of {record['network']['file']} on {soc.get('label') or soc['name']}, numerics "
        f"{record['numerics']}: {verdict}\n"
        f"  {each:,} cycles a sample = {ms:.3f} ms at {soc['clock_mhz']} MHz{of}\n"
        f"{tiles_text(record)}"
        f"  costliest of {len(record['layers'])} layers: {layers or 'none'}\n"
        f"  outputs: {', '.join(outputs[:MOST_OUTPUTS])}{rest}"
    )
