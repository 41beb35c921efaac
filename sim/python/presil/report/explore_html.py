"""explore.html: a sweep as one page: the points, parallel coordinates, what each parameter does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from . import palette
from .page import template

HERE = Path(__file__).parent
WIDTH, HEIGHT, LEFT, TOP = 1100, 340, 90, 30
MOST_DRAWN = 5000
FIGURES = ("cycles", "energy_uj", "sram_bytes", "dram_bytes")


def explore_page(record: dict[str, Any]) -> str:
    charts = []
    for network in record["networks"]:
        points = [p for p in record["points"] if p["network"] == network][:MOST_DRAWN]
        if points:
            second = across(record, points)
            charts.append(
                {
                    "network": network,
                    "second": second,
                    "dots": scatter(points, second),
                    "axes": parallel_axes(points),
                    "lines": parallel_lines(points),
                    "sensitivity": [s for s in record["sensitivity"] if s["network"] == network],
                    "best": sorted(
                        (p for p in points if p["pareto"]), key=lambda p: int(p["cycles"])
                    ),
                }
            )
    return template(
        "explore.html", n=lambda value: "–" if value is None else f"{value:,.0f}"
    ).render(
        r=record,
        css=(HERE / "report.css").read_text(encoding="utf-8"),
        colours=palette.RUNS,
        charts=charts,
        width=WIDTH,
        height=HEIGHT,
        left=LEFT,
        top=TOP,
    )


def across(record: dict[str, Any], points: list[dict[str, Any]]) -> str:
    """What the points are drawn over besides cycles: the next objective, else SRAM or DRAM."""
    sought = [o for o in record["objectives"] if o in FIGURES and o != "cycles"]
    for name in (*sought, "sram_bytes", "dram_bytes"):
        values = [p[name] for p in points]
        if None not in values and len(set(values)) > 1:
            return name
    return "dram_bytes"


def title_of(point: dict[str, Any]) -> str:
    sets = ", ".join(f"{name}={value}" for name, value in point["set"].items())
    return f"{sets}: {point['cycles']:,} cycles, SRAM {point['sram_bytes']:,} bytes"


def scaled(values: list[Any], low: float, high: float) -> list[float]:
    """Where values lie between two ends; names by their order."""
    if not all(isinstance(v, (int, float)) for v in values):
        names = sorted({str(v) for v in values})
        values = [names.index(str(v)) for v in values]
    least, most = min(values), max(values)
    return [round(low + (high - low) * (v - least) / ((most - least) or 1), 1) for v in values]


def scatter(points: list[dict[str, Any]], second: str) -> list[tuple[float, float, bool, str]]:
    xs = scaled([p[second] for p in points], LEFT, WIDTH - 20)
    ys = scaled([p["cycles"] for p in points], HEIGHT - 30, TOP)
    return [(x, y, p["pareto"], title_of(p)) for x, y, p in zip(xs, ys, points)]


def coordinates(points: list[dict[str, Any]]) -> dict[str, list[Any]]:
    names = dict.fromkeys(name for p in points for name in p["set"])
    columns = {name: [p["set"].get(name, "–") for p in points] for name in names}
    return {**columns, "cycles": [p["cycles"] for p in points]}


def parallel_axes(points: list[dict[str, Any]]) -> list[tuple[float, str, str, str]]:
    """Where it stands, name, least and largest value of each axis."""
    columns = coordinates(points)
    step = (WIDTH - 2 * LEFT) / max(len(columns) - 1, 1)
    ends = []
    for at, (name, values) in enumerate(columns.items()):
        numbers = all(isinstance(v, (int, float)) for v in values)
        low, high = (min(values), max(values)) if numbers else (min(map(str, values)), "")
        ends.append((round(LEFT + at * step, 1), name, str(low), str(high)))
    return ends


def parallel_lines(points: list[dict[str, Any]]) -> list[tuple[str, bool, str]]:
    columns = coordinates(points)
    places = [axis[0] for axis in parallel_axes(points)]
    heights = [scaled(values, HEIGHT - 40, TOP + 20) for values in columns.values()]
    lines = [
        (" ".join(f"{x},{h[i]}" for x, h in zip(places, heights)), p["pareto"], title_of(p))
        for i, p in enumerate(points)
    ]
    return sorted(lines, key=lambda line: line[1])
