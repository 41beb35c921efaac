"""The whole inference: what a stopwatch on the board would show, by parts that add up to it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from .refusal import Refusal

PARTS = {
    "input_copy": "input copy",
    "cache": "cache",
    "submission": "submission",
    "doorbell": "doorbell",
    "job_fetch": "job fetch",
    "engines": "engines",
    "host_operators": "host operators",
    "interrupts": "interrupts",
    "driver": "driver",
    "output_copy": "output copy",
}
MEANINGS = {
    "input_copy": "the program writes its inputs into the network's buffers",
    "cache": "lines cleaned and invalidated, by bytes",
    "submission": "driver up to the first doorbell: code, register accesses, ring entries",
    "doorbell": "the first one's way to its register",
    "job_fetch": "ring entry and first commands out of DRAM",
    "engines": "first command to last completion, but for what only the host does in it",
    "host_operators": "the host's own operators, while no engine works",
    "interrupts": "from an engine's signal to the driver's code",
    "driver": "its code and register accesses after the doorbell, while no engine works",
    "output_copy": "the program takes its outputs",
}
"""By key of the record what people read, in the order of time (sim/bridge/host_timeline.h)."""
HUES = {name: 36 * place for place, name in enumerate(PARTS)}


def part_rows(record: dict[str, Any]) -> list[dict[str, Any]]:
    """For the report: each part that takes time, a sample."""
    inference = record.get("inference")
    if inference is None:
        return []
    return [
        {
            "title": PARTS[name],
            "cycles": part["cycles"] / record["samples"],
            "share": 100 * part["cycles"] / inference["cycles"],
            "hue": HUES[name],
            "meaning": MEANINGS[name],
        }
        for name, part in inference["parts"].items()
        if part["cycles"]
    ]


def part_changes(a: dict[str, Any], b: dict[str, Any]) -> dict[str, dict[str, float]] | None:
    """Of two records: the sum and each part, cycles a sample; None where one has none."""
    if a.get("inference") is None or b.get("inference") is None:
        return None
    both = {"a": Inference.of(a), "b": Inference.of(b)}
    sums = {key: one.cycles for key, one in both.items()}
    parts = {name: {key: one.parts[name] for key, one in both.items()} for name in PARTS}
    return {"cycles": sums, **parts}


def inference_of(accounts: list[dict[str, Any] | None]) -> dict[str, Any] | None:
    """For run.json, of all samples together; accounts: `inference` of each one's job. None where a
    job has none: several samples in flight, a program of the user's own."""
    told = [account for account in accounts if account is not None]
    if not told or len(told) < len(accounts):
        return None
    parts: dict[str, Counter[str]] = {name: Counter() for name in PARTS}
    for account in told:
        for name, part in account["parts"].items():
            parts[name].update(part)
    record = {
        name: {"cycles": part["cycles"], "in_span": part["in_span"], **dict(sorted(part.items()))}
        for name, part in parts.items()
    }
    return {"cycles": sum(account["cycles"] for account in told), "parts": record}


def inference_line(record: dict[str, Any]) -> str:
    """Of a run's record: its sum a sample, and the parts that are at least 0.05 % of it."""
    inference = record.get("inference")
    if inference is None:
        return ""
    total, clock = inference["cycles"] / record["samples"], record["soc"]["clock_mhz"]
    shares = [
        (PARTS[name], 100 * part["cycles"] / inference["cycles"])
        for name, part in inference["parts"].items()
        if part["cycles"]
    ]
    said = ", ".join(f"{name} {share:.1f} %" for name, share in shares if share >= 0.05)
    return f"whole inference {total:,.0f} cycles = {total / (clock * 1e3):.3f} ms: {said}"


@dataclass(frozen=True)
class Inference:
    """Of a run, cycles a sample: the sum, and each part by its name."""

    cycles: float
    parts: dict[str, float]

    @staticmethod
    def of(record: dict[str, Any]) -> Inference:
        told = record.get("inference")
        if told is None:
            raise Refusal(
                "run: there is no whole inference of it: samples that overlap (in_flight) and "
                "programs of the user's own have none; run without them"
            )
        samples = record["samples"]
        parts = {name: part["cycles"] / samples for name, part in told["parts"].items()}
        return Inference(told["cycles"] / samples, parts)
