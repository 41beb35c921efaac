"""The first sample's commands in Chrome's trace event format, as Perfetto and others read it."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

from ..atomic import write_file


def is_wait(cause: str) -> bool:
    """Waits name the signaller (`wait_in:dma`); other stalls happen while a command runs."""
    return cause.startswith("wait")


def trace_events(record: dict[str, Any]) -> list[dict[str, Any]]:
    """One track a queue, and one of the host's core where the record has its profile: a slice of
    the category 'core' for each stay in a function. A command is a slice of the category
    'command', named by its layer; what it waited for before is a slice of the category 'wait',
    named by the cause. Time is in microseconds of the SoC clock; args hold exact cycles."""
    us = 1 / record["soc"]["clock_mhz"]
    timeline = record["timeline"]
    rows = [dict(zip(timeline["columns"], row)) for row in timeline["commands"]]
    queues = list(dict.fromkeys(row["queue"] for row in rows))
    queues.sort()
    soc = f"{record['soc']['name']}: {record['network']['file']}"
    events: list[dict[str, Any]] = [
        {"ph": "M", "pid": 1, "name": "process_name", "args": {"name": soc}}
    ]
    for tid, queue in enumerate(queues, 1):
        events.append(
            {"ph": "M", "pid": 1, "tid": tid, "name": "thread_name", "args": {"name": queue}}
        )
    for row in rows:
        at, tid = row["start"], queues.index(row["queue"]) + 1
        for cause, cycles in row["stall"].items():
            if is_wait(cause):
                events.append(slice_of(cause, "wait", tid, at, cycles, us, {"cycles": cycles}))
                at += cycles
        layer = record["layers"][row["layer"]]
        stall = {c: n for c, n in row["stall"].items() if not is_wait(c)}
        args = {
            "op": layer["op"],
            "layer": row["layer"],
            "tile": row["tile"],
            "cycles": row["end"] - at,
            "busy": row["busy"],
            **stall,
            "dram_bytes": row["dram_bytes"],
        }
        if row["end"] > at:
            events.append(slice_of(layer["name"], "command", tid, at, row["end"] - at, us, args))
    return [*events, *core_events(record, len(queues) + 1, us)]


def core_events(record: dict[str, Any], tid: int, us: float) -> list[dict[str, Any]]:
    """What the host's core did: functions, and its sleep."""
    host = record.get("host", {})
    if "spans" not in host:
        return []
    track = {"name": f"core {host['kind']}"}
    events = [{"ph": "M", "pid": 1, "tid": tid, "name": "thread_name", "args": track}]
    for begin, end, function in host["spans"]:
        name, cycles = host["functions"][function]["name"], end - begin
        events.append(slice_of(name, "core", tid, begin, cycles, us, {"cycles": cycles}))
    return events


def slice_of(
    name: str, category: str, tid: int, at: int, cycles: int, us: float, args: dict[str, Any]
) -> dict[str, Any]:
    times = {"ts": round(at * us, 6), "dur": round(cycles * us, 6)}
    return {"ph": "X", "pid": 1, "tid": tid, "name": name, "cat": category, **times, "args": args}


def write_trace(record: dict[str, Any], file: Path) -> Path:
    """The same record gives the same bytes."""
    trace = {"displayTimeUnit": "ns", "traceEvents": trace_events(record)}
    data = json.dumps(trace, separators=(",", ":")).encode()
    return write_file(file, gzip.compress(data, mtime=0))
