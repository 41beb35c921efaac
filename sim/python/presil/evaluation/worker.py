"""A worker of `presil eval`: some samples of a data set a task, their answers as a line of JSON."""

from __future__ import annotations

import json
import os
import pickle
import sys
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from ..network import Network, reference
from ..program import Program
from ..refusal import HardwareError, Refusal
from ..run import run
from .dataset import Item
from .metric import Ends, joined
from .reader import Reader
from .runtime import outputs_of_runtime

SOC, REFERENCE = "soc", "reference"


@dataclass(frozen=True)
class Job:
    """What is the same for all samples."""

    net: Program | Network
    """A program for the SoC, a network for the reference interpreter and the runtimes."""
    on: str
    items: tuple[Item, ...]
    reader: Reader
    ends: Ends
    check: str
    timeout_ms: float


def answers(job: Job, first: int, end: int) -> dict[str, Any]:
    """Rows of the samples first up to end, and what the SoC took for them."""
    items = job.items[first:end]
    given = [job.reader.read(item) for item in items]
    rows: list[dict[str, Any]] = []
    arrays, counts = np.concatenate(given), [len(one) for one in given]
    outputs, told = computed(job, arrays, first)
    at = 0
    cycles = told.pop("cycles", None)
    for item, one, count in zip(items, given, counts, strict=True):
        real = job.reader.real(item, one) if job.ends.score == "error" else one
        said = [job.ends.answer([o[at + k] for o in outputs], real[k]) for k in range(count)]
        row = joined(said)
        if "boxes" in row:
            boxes = np.array(row["boxes"], np.float64).reshape(-1, 6)
            row["boxes"] = job.reader.original(item, boxes).round(3).tolist()
        if cycles is not None:
            row["cycles"] = cycles[at : at + count]
        rows.append(row)
        at += count
    return {"rows": rows, **told}


def computed(
    job: Job, arrays: np.ndarray, first: int
) -> tuple[list[list[np.ndarray]], dict[str, Any]]:
    """Of each output the arrays of the samples, and what else is known of them."""
    n = len(arrays)
    if isinstance(job.net, Program):
        done = run(job.net, [arrays], check=job.check, timeout_ms=job.timeout_ms, jobs=1)
        check = done.record["check"]
        return [split(a, n) for a in done.arrays], {
            "cycles": [row["cycles"] for row in done.record["per_sample"]],
            "energy_uj": done.record["energy_uj"],
            "compared": check["compared_bytes"],
            "different": check["different_bytes"],
            "first": check["first"],
        }
    if job.on == REFERENCE:
        return [split(a, n) for a in reference(job.net, [arrays]).values()], {}
    return [split(a, n) for a in outputs_of_runtime(job.on, job.net.file, arrays)], {}


def split(array: np.ndarray, count: int) -> list[np.ndarray]:
    """Samples on the first axis, each whole."""
    return list(array.reshape([count, -1]))


@lru_cache(maxsize=1)
def job_of(file: str) -> Job:
    with open(file, "rb") as opened:
        job = pickle.load(opened)
    assert isinstance(job, Job)
    return job


def measure(task: dict[str, Any]) -> dict[str, Any]:
    """What is refused says why, as a result like others."""
    try:
        return answers(job_of(task["job"]), task["first"], task["end"])
    except Refusal as refusal:
        return {"refused": str(refusal)}
    except HardwareError as error:
        return {"failed": str(error)}


def main() -> None:
    """Until standard input ends. Only results are on the standard output."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    for line in sys.stdin:
        print(json.dumps(measure(json.loads(line))), file=out, flush=True)
