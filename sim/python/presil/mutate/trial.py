"""What a mutant is tried with: parts of benches, then cases of the suite; the cheapest first."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..benches import bench_program, ended, how_of, run_bench
from ..refusal import Refusal
from .rewrite import VARIABLE
from .sites import Mutant

SHORT_MS = 100
"""Tests of a bench up to this long go together, before the others."""
LIMIT_FACTOR, LIMIT_MORE_S = 5.0, 6.0
"""A mutant's time limit: so many times what it takes without a mutant, and a bit."""
WORKER = "presil.explore_worker"


@dataclass(frozen=True)
class Bench:
    """Some tests of a program, of a room (empty: of any), and what they take."""

    name: str
    program: Path
    tests: tuple[str, ...]
    seconds: float

    def cost(self, mutant: Mutant) -> float:
        """Seconds; benches of another kind find less."""
        return self.seconds * (1 if ("rtl" in self.name) == (mutant.kind == "rtl") else 3)

    def suits(self, mutant: Mutant) -> bool:
        """One of the room; RTL shows itself only where RTL runs."""
        return self.name.startswith(mutant.room) and (mutant.kind == "model" or "rtl" in self.name)

    def kills(self, number: int, build: Path, folder: Path) -> str:
        limit = LIMIT_FACTOR * self.seconds + LIMIT_MORE_S
        told = run_bench(self.program, folder, self.tests, limit, {VARIABLE: str(number)})
        return f"{self.name}: {told.why}" if told.why else ""


@dataclass(frozen=True)
class SuiteCase:
    """A network on a SoC, and what it gives without a mutant."""

    name: str
    task: dict[str, Any]
    expected: dict[str, Any]
    seconds: float

    def cost(self, mutant: Mutant) -> float:
        return self.seconds

    def suits(self, mutant: Mutant) -> bool:
        """A run on the models alone shows nothing of RTL, and a model without one has no need."""
        return ("cosim" in self.task) == (mutant.kind == "rtl")

    def kills(self, number: int, build: Path, folder: Path) -> str:
        limit = LIMIT_FACTOR * self.seconds + LIMIT_MORE_S
        code, result = measured(self.task, number, build, folder, limit)
        if result is None:
            return f"{self.name}: {how_of(code) if code is None or code < 0 else 'ends early'}"
        apart = difference(self.expected, result)
        return f"{self.name}: {apart}" if apart else ""


Trial = Bench | SuiteCase


def benches_of(names: Sequence[str], build: Path, folder: Path) -> list[Bench]:
    """Runs each once without a mutant: it must pass, and says how long each of its tests takes."""
    found = []
    for name in names:
        program = bench_program(build, name)
        if program is None:
            raise Refusal(f"mutate: the bench '{name}' is not built; is it a test program's name?")
        told = run_bench(program, folder, environment={VARIABLE: "0"})
        if told.why:
            raise Refusal(
                f"mutate: the bench '{name}' fails with no mutant active, at {told.why}; "
                "mend that first"
            )
        short = [test for test, ms in told.tests_ms.items() if ms <= SHORT_MS]
        if short:
            seconds = sum(told.tests_ms[test] for test in short) / 1000
            found.append(Bench(name, program, tuple(short), seconds))
        found += [
            Bench(name, program, (test,), ms / 1000)
            for test, ms in told.tests_ms.items()
            if ms > SHORT_MS
        ]
    return found


def case_of(name: str, task: dict[str, Any], build: Path, folder: Path) -> SuiteCase:
    begin = time.monotonic()
    code, result = measured(task, 0, build, folder, 1800)
    if result is None or result.get("refused") or not result["exact"]:
        said = result.get("refused", "it is not exact") if result else f"it ends with {code}"
        raise Refusal(f"mutate: the case '{name}' fails with no mutant active: {said}")
    return SuiteCase(name, task, result, time.monotonic() - begin)


def measured(
    task: dict[str, Any], number: int, build: Path, folder: Path, limit_s: float
) -> tuple[int | None, dict[str, Any] | None]:
    """A case's result with a mutant, as `presil regress` measures it, in a process of its own."""
    environment = {**os.environ, "PRESIL_BUILD": str(build), VARIABLE: str(number)}
    given = json.dumps(task) + "\n"
    code, output = ended([sys.executable, "-m", WORKER], folder, environment, limit_s, given)
    for line in output.splitlines():
        if line.startswith("{"):
            return code, dict(json.loads(line))
    return code, None


def difference(expected: dict[str, Any], result: dict[str, Any]) -> str:
    """The first figure that is not as without the mutant, in words; empty where none is."""
    if "refused" in result:
        return str(result["refused"])[:160]
    if not result["exact"]:
        return "not exact"
    cosim = result.get("cosim")
    if cosim is not None and cosim["first_divergence"] is not None:
        return str(cosim["first_divergence"]["text"])[:160]
    if cosim is not None and cosim["rtl_cycles"] != expected["cosim"]["rtl_cycles"]:
        return f"{cosim['rtl_cycles']:,} cycles in RTL, {expected['cosim']['rtl_cycles']:,} before"
    if cosim is not None and cosim["layers"] != expected["cosim"]["layers"]:
        return "cycles or causes of a layer in RTL"
    if cosim is not None and result.get("rtl_engines") != expected.get("rtl_engines"):
        return "causes of an engine in RTL"
    for key in ("cycles", "dram_bytes", "sram_bytes", "inference_cycles", "energy_uj"):
        if result[key] != expected[key]:
            return f"{key}: {result[key]:,}, {expected[key]:,} before"
    for key in ("engines", "layers"):
        if result["record"][key] != expected["record"][key]:
            return f"{key} of the record differ"
    return ""
