"""serve.json: what a load has become, from the account of the simulator."""

from __future__ import annotations

from bisect import bisect_right
from typing import Any

from .engines import queue_engines, queue_names
from .record import header
from .serve_load import Load
from .serve_place import Placed

SCHEMA = "1.0"
COLUMNS = ("network", "number", "arrival", "start", "end", "held", "missed")
SPANS = ("request", "begin", "end")
PERCENTS = (50, 90, 99)


def percentile(ordered: list[int], percent: int) -> int:
    """The nearest rank: the smallest of them that so many percent do not exceed."""
    return ordered[-(-len(ordered) * percent // 100) - 1]


def record_of(
    load: Load,
    networks: list[Placed],
    requests: list[tuple[int, int, int]],
    account: dict[str, Any],
    check: dict[str, Any],
) -> dict[str, Any]:
    """What serve.json says. Nothing in it depends on the machine that simulates."""
    soc = load.soc
    per_ms = soc.clock_mhz * 1e3
    rows = []
    for (network, number, _), (_, arrival, start, end, held, _) in zip(
        requests, account["requests"], strict=True
    ):
        deadline = load.networks[network].deadline_ms
        missed = deadline is not None and end - arrival > round(deadline * per_ms)
        rows.append([network, number, arrival, start, end, held, missed])
    end = max(row[4] for row in rows)
    if load.duration_ms is not None:
        end = max(end, round(load.duration_ms * per_ms))
    return {
        **header(),
        "schema": SCHEMA,
        "verb": "serve",
        "soc": {
            "name": soc.name,
            "label": soc.label,
            "sha256": soc.sha256,
            "clock_mhz": soc.clock_mhz,
            "config": soc.config,
        },
        "seed": load.seed,
        "hold": load.hold,
        "duration_ms": load.duration_ms,
        "cycles": end,
        "time_ms": end / per_ms,
        "check": check,
        "networks": [
            network_record(load, n, i, rows, account, end) for i, n in enumerate(networks)
        ],
        "interference": interference(networks, rows, account["spans"]),
        "engines": engines(networks, account["busy"], end),
        "requests": {"columns": list(COLUMNS), "rows": rows},
        "spans": {"columns": list(SPANS), "rows": account["spans"]},
        "energy_uj": None,
    }


def network_record(
    load: Load,
    network: Placed,
    index: int,
    rows: list[list[Any]],
    account: dict[str, Any],
    end: int,
) -> dict[str, Any]:
    soc, program, about = load.soc, network.program, network.load
    own = [row for row in rows if row[0] == index]
    latencies = sorted(row[4] - row[2] for row in own)
    alone, told = account["networks"][index]["alone"], account["networks"][index]
    layers = program.info["layers"]
    longest = max(alone.get("layers", ()), key=lambda pair: pair[1], default=None)
    given = [s[2] - s[1] for s in account["spans"] if rows[s[0]][0] == index]
    values = {f"p{percent}": percentile(latencies, percent) for percent in PERCENTS}
    cycles = {"min": latencies[0], **values, "max": latencies[-1]}
    return {
        "name": about.name,
        "network": program.name,
        "file": program.network.file if program.network else str(about.file),
        "priority": about.priority,
        "arrival": about.arrival.record(),
        "deadline_ms": about.deadline_ms,
        "preemptible": network.preemptible,
        "sram": {"offset": network.sram, "bytes": network.sram_bytes},
        "alone": {
            "cycles": alone["cycles"],
            "by_layer_cycles": alone.get("by_layer_cycles"),
            "every_border_cycles": alone.get("every_border_cycles"),
            "borders": [layers[i]["name"] for i in alone.get("borders", ())],
            "longest_layer": longest and {"name": layers[longest[0]]["name"], "cycles": longest[1]},
        },
        "requests": len(own),
        "completed": len(own),
        "missed": sum(row[6] for row in own),
        "held": sum(row[5] for row in own),
        "latency_cycles": cycles,
        "latency_ms": {key: value / (soc.clock_mhz * 1e3) for key, value in cycles.items()},
        "frames_per_s": round(len(own) * soc.clock_mhz * 1e6 / end, 3),
        "share": round(sum(given) / end, 6),
        "dram_read_bytes": told["dram_read"],
        "dram_written_bytes": told["dram_written"],
    }


def interference(
    networks: list[Placed], rows: list[list[Any]], spans: list[list[int]]
) -> list[dict[str, Any]]:
    """By pair: how long requests of one waited while the engines had jobs of the other, or, of a
    network itself, earlier requests of its own."""
    begins = [span[1] for span in spans]
    waited: dict[tuple[int, int], list[int]] = {}
    for request, (network, _, arrival, _, end, _, _) in enumerate(rows):
        by = [0] * len(networks)
        for other, begin, until in spans[max(0, bisect_right(begins, arrival) - 1) :]:
            if begin >= end:
                break
            if other != request:
                by[rows[other][0]] += max(0, min(until, end) - max(begin, arrival))
        for culprit, cycles in enumerate(by):
            waited.setdefault((network, culprit), []).append(cycles)
    return [
        {
            "network": networks[victim].load.name,
            "waits_for": networks[culprit].load.name,
            "requests": sum(1 for c in cycles if c),
            "cycles": sum(cycles),
            "mean_cycles": round(sum(cycles) / len(cycles), 1),
            "max_cycles": max(cycles),
        }
        for (victim, culprit), cycles in sorted(waited.items())
    ]


def engines(networks: list[Placed], busy: list[list[int]], end: int) -> list[dict[str, Any]]:
    """By queue that has worked: busy cycles of each network, and their share of the time."""
    found = []
    for queue, (name, engine) in enumerate(zip(queue_names(), queue_engines(), strict=True)):
        cycles = {n.load.name: busy[i][queue] for i, n in enumerate(networks)}
        if any(cycles.values()):
            share = round(sum(cycles.values()) / end, 6)
            found.append({"queue": name, "engine": engine, "busy": cycles, "share": share})
    return found
