"""A worker of `presil tune`: decisions a line of JSON, and the cycles that they give."""

from __future__ import annotations

import json
import os
import sys
from functools import lru_cache
from pathlib import Path
from typing import Any

from . import paths
from .network import Network
from .program import compile as compile_network
from .refusal import HardwareError, Refusal
from .run import run
from .soc_parameters import of_text


@lru_cache(maxsize=2)
def network_at(file: str) -> Network:
    graph = paths.native().graph_of_bytes(Path(file).read_bytes())
    return Network(graph, file, "", len(graph.outputs))


def measure(task: dict[str, Any]) -> dict[str, Any]:
    """Cycles of a network with decisions, without values; what is refused says why. `estimate`:
    those by which the planner compares plans alone, which takes a compilation and no simulation."""
    try:
        soc = of_text(task["soc_name"], task["soc_text"])
        program = compile_network(
            network_at(task["network"]), soc, effort=task["effort"], decisions=task["decisions"]
        )
        if task.get("estimate"):
            return {"estimate": program.estimate}
        return {"cycles": run(program, values=False).cycles, "decisions": program.decisions}
    except (Refusal, HardwareError) as refusal:
        return {"refused": " ".join(str(refusal).split())}


def main() -> None:
    """Until standard input ends. Only results are on the standard output."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    for line in sys.stdin:
        print(json.dumps(measure(json.loads(line))), file=answers, flush=True)


if __name__ == "__main__":
    main()
