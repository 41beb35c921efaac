"""serve.html: a load as one page: figures of each network, and which job had the engines when."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from . import palette
from .page import template

HERE = Path(__file__).parent
WIDTH, LEFT, LANE, HEAD = 1160, 130, 46, 26
MOST_SPANS = 3000
"""That are drawn: the page says where it ends."""
TICKS, MARGIN = (1, 2, 5), 50
MOST_TICKS = 12


def serve_page(record: dict[str, Any]) -> str:
    return template(
        "serve.html", n=lambda value: f"{value:,.0f}", ms=lambda value: f"{value:.3f}"
    ).render(
        r=record,
        css=(HERE / "report.css").read_text(encoding="utf-8"),
        colours=[palette.RUNS[i % len(palette.RUNS)] for i in range(len(record["networks"]))],
        chart=chart(record),
    )


def chart(record: dict[str, Any]) -> dict[str, Any]:
    """Rectangles: of a request from arrival to end, of a job while it has the engines."""
    requests, spans = record["requests"]["rows"], record["spans"]["rows"][:MOST_SPANS]
    whole = len(spans) == len(record["spans"]["rows"])
    end = record["cycles"] if whole else spans[-1][2]
    scale = (WIDTH - LEFT) / max(end, 1)
    per_ms = record["soc"]["clock_mhz"] * 1e3

    def at(cycle: int) -> float:
        return round(LEFT + min(cycle, end) * scale, 2)

    def lane(network: int) -> int:
        return HEAD + LANE * network

    shown = {span[0] for span in spans}
    waits, bars = [], []
    for index in sorted(shown):
        network, number, arrival, _, ended, held, missed = requests[index]
        title = f"{record['networks'][network]['name']} request {number}: arrives at "
        title += f"{arrival / per_ms:.3f} ms, takes {(ended - arrival) / per_ms:.3f} ms"
        title += f", held {held} times" * bool(held) + ", misses its deadline" * bool(missed)
        x = at(arrival)
        waits.append([x, lane(network) + 8, max(at(ended) - x, 0.5), title, network, missed])
    for request, begin, until in spans:
        network = requests[request][0]
        bars.append([at(begin), lane(network) + 8, max(at(until) - at(begin), 0.4), network])
    step = tick(end / per_ms)
    marks = []
    while len(marks) * step <= end / per_ms:
        time = len(marks) * step
        x = at(round(time * per_ms))
        marks.append([x, f"{time:g} ms" if x < WIDTH - MARGIN else ""])
    return {
        "width": WIDTH,
        "left": LEFT,
        "height": HEAD + LANE * len(record["networks"]) + 8,
        "lanes": [[lane(i) + 24, n["name"]] for i, n in enumerate(record["networks"])],
        "waits": waits,
        "bars": bars,
        "ticks": marks,
        "whole": whole,
        "end_ms": end / per_ms,
    }


def tick(span: float) -> float:
    """A round step that gives at most MOST_TICKS of them."""
    power = 1e-6
    while True:
        for digit in TICKS:
            if span / (digit * power) <= MOST_TICKS:
                return digit * power
        power *= 10
