"""A worker of `presil explore` and `presil regress`: a task a line of JSON, and its result."""

from __future__ import annotations

import json
import os
import sys
from functools import lru_cache
from typing import Any

import numpy as np

from .cosim import cosim
from .coverage import coverage_of, merged_hits
from .inference import Inference
from .network import Network, load
from .program import Program
from .program import compile as compile_network
from .refusal import HardwareError, Refusal
from .run import run
from .soc_parameters import of_text
from .tiles import one_tile

Task = dict[str, Any]


@lru_cache(maxsize=4)
def network_at(file: str, numerics: str | None) -> Network:
    return load(file, numerics=numerics)


def measure(task: Task) -> dict[str, Any]:
    """Runs a network on a SoC; what is refused says why, as a result like others."""
    options = task["options"]
    try:
        soc = of_text(task["soc_name"], task["soc_text"])
        network = network_at(task["network"], options.get("numerics"))
        effort = {"effort": options["effort"]} if "effort" in options else {}
        program = compile_network(network, soc, **effort)
        inputs = np.load(options["input"]) if "input" in options else None
        if inputs is None:
            one_tile(soc, "explore", "one sample is on one tile; give an input of several")
        check, values = options.get("check", "outputs"), options.get("values", True)
        record = run(program, inputs, check, values=values, jobs=1).record
        more = beside(task, program, inputs, record)
    except (Refusal, HardwareError) as refusal:
        return {"refused": " ".join(str(refusal).split())}
    return {**summary(record), **more}


def beside(task: Task, program: Program, inputs: Any, record: dict[str, Any]) -> dict[str, Any]:
    """What else a regression asks of a case: its record, coverage, blocks in lock-step."""
    found: dict[str, Any] = {}
    if task.get("record"):
        found["record"] = trimmed(record)
    every = [coverage_of(program, record)] if task.get("coverage") else []
    if asked := task.get("cosim"):
        first = None if inputs is None else inputs[: asked["samples"]]
        both = cosim(program, first, asked["rtl"]).record
        found["cosim"] = both["cosim"]
        found["rtl_engines"] = both["engines"]
        if every and both["cosim"]["first_divergence"] is None:
            every.append(coverage_of(program, both))
    if every:
        found["coverage"] = merged_hits(every).record()
    return found


TRIMMED = ("schema", "presil", "network", "soc", "numerics", "blocks", "samples", "state", "input")
TRIMMED += ("check", "cycles", "engines", "layers", "placement", "outputs")


def trimmed(record: dict[str, Any]) -> dict[str, Any]:
    """What a comparison with another run reads, and the time that this one took."""
    return {**{key: record[key] for key in TRIMMED}, "wall_s": record["simulator"]["wall_s"]}


def summary(record: dict[str, Any]) -> dict[str, Any]:
    """What is kept of a run; the same for the same run, so no time of the simulation."""
    dram, cycles = record["memory"]["dram"], record["cycles"] / record["samples"]
    return {
        "cycles": round(cycles),
        "inference_cycles": round(Inference.of(record).cycles),
        "energy_uj": energy_of_one(record),
        "sram_bytes": record["memory"]["sram"]["peak_bytes"],
        "dram_bytes": (dram["read_bytes"] + dram["written_bytes"]) // record["samples"],
        "frames_per_s": round(record["soc"]["clock_mhz"] * 1e6 / cycles, 3) if cycles else None,
        "exact": record["check"]["exact"] if "values" not in record else None,
    }


def energy_of_one(record: dict[str, Any]) -> float | None:
    """Of a sample, estimated."""
    every = record["energy_uj"]
    return None if every is None else round(every / record["samples"], 6)


def main() -> None:
    """Until standard input ends. Only results are on the standard output."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    for line in sys.stdin:
        print(json.dumps(measure(json.loads(line))), file=answers, flush=True)


if __name__ == "__main__":
    main()
