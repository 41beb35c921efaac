"""trend page: the cycles of a suite's cases over its runs, and where an expectation broke."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from . import palette
from .page import template

HERE = Path(__file__).parent
WIDTH, HEIGHT, EDGE = 640, 80, 8
Run = dict[str, Any]


def trend_page(suite: str, cases: list[dict[str, Any]]) -> str:
    """cases: as trend_of gives them."""
    charts = [chart(case["name"], case["runs"]) for case in cases]
    charts.sort(key=lambda one: (not one["broken"], -abs(one["change"])))
    page = template("trend.html", n=lambda value: "–" if value is None else f"{value:,.0f}")
    return page.render(
        suite=suite,
        charts=charts,
        runs=max((len(case["runs"]) for case in cases), default=0),
        css=(HERE / "report.css").read_text(encoding="utf-8"),
        colour=palette.RUNS[0],
        width=WIDTH,
        height=HEIGHT,
    )


def chart(name: str, runs: list[Run]) -> dict[str, Any]:
    """Cycles from 0 upwards would hide small changes: the axis spans what the case has taken."""
    timed = [(i, run) for i, run in enumerate(runs) if run["cycles"] is not None]
    values = [run["cycles"] for _, run in timed]
    least, most = (min(values), max(values)) if values else (0, 0)
    step = (WIDTH - 2 * EDGE) / max(1, len(runs) - 1)
    dots = [
        {
            "x": round(EDGE + i * step, 1),
            "y": height_of(run["cycles"], least, most),
            "run": run,
        }
        for i, run in timed
    ]
    first, last = (values[0], values[-1]) if values else (0, 0)
    return {
        "name": name,
        "dots": dots,
        "line": " ".join(f"{dot['x']},{dot['y']}" for dot in dots),
        "least": least if values else None,
        "most": most if values else None,
        "last": last if values else None,
        "change": 100 * (last - first) / first if first else 0.0,
        "broken": [run for run in runs if run["verdict"] == "failed"],
        "verdict": runs[-1]["verdict"],
    }


def height_of(cycles: int, least: int, most: int) -> float:
    if least == most:
        return HEIGHT / 2
    return round(EDGE + (HEIGHT - 2 * EDGE) * (most - cycles) / (most - least), 1)
