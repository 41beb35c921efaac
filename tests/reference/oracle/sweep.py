"""Cases of one operator through runtimes, interpreter and SoC."""

from __future__ import annotations

import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import presil
from presil.simulation import Simulation

from .entry import Operator
from .model import Array, Model
from .runtimes import Runtimes

SEED = 6


@dataclass
class Tally:
    """What came of the cases of one operator under one rule set."""

    name: str
    rules: str
    values: int = 0  #: compared with the runtime
    wrong: int = 0  #: that differ from it
    largest: float = 0
    cases: int = 0  #: compared with the runtime, all values of each
    on_soc: int = 0  #: runs on a SoC, each equal to the interpreter or told in `faults`
    refused: Counter[str] = field(default_factory=Counter)  #: by whom, with the last text
    texts: dict[str, str] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)

    def refuse(self, side: str, text: str, case: int) -> None:
        self.refused[side] += 1
        self.texts[side] = f"case {case}: {text}"

    def line(self) -> str:
        text = f"{self.name:32} {self.rules:8} {self.cases:4} cases, {self.wrong:5} of "
        text += f"{self.values:8} values differ"
        text += f" by at most {self.largest:g}" if self.largest else ""
        text += f"; {self.on_soc} runs on SoCs"
        for side, count in self.refused.items():
            text += f"; {side} refuses {count}"
        return text


def seed_of(name: str, case: int) -> list[int]:
    return [SEED, case, *name.encode()]


def made(operator: Operator, case: int) -> Model:
    model = Model(np.random.default_rng(seed_of(operator.name, case)), operator.kind)
    operator.make(model)
    return model


def numbers(array: Array) -> Array:
    return array.astype(np.float64 if array.dtype.kind == "f" else np.int64)


class Sweep:
    """Runtimes and SoCs stay warm from case to case."""

    def __init__(
        self, runtimes: Runtimes | None, socs: tuple[str, ...] = ("edge", "micro")
    ) -> None:
        """runtimes None: interpreter and SoC are compared with each other alone."""
        self._runtimes = runtimes
        self._socs = [presil.load_soc(soc) for soc in socs]
        self._simulations: dict[str, Simulation] = {}
        self._folder = tempfile.TemporaryDirectory()

    def close(self) -> None:
        for simulation in self._simulations.values():
            simulation.close()
        self._folder.cleanup()

    def run(self, operator: Operator, cases: range) -> list[Tally]:
        tallies = {rules: Tally(operator.name, rules) for rules in operator.rules}
        for case in cases:
            model = made(operator, case)
            file, inputs = model.file(), model.values()
            path = Path(self._folder.name) / "net.tflite"
            path.write_bytes(file)
            for tally in tallies.values():
                self._case(case, path, operator, model, inputs, tally)
        return list(tallies.values())

    def _case(
        self,
        case: int,
        path: Path,
        operator: Operator,
        model: Model,
        inputs: list[Array],
        tally: Tally,
    ) -> None:
        rules, near = tally.rules, operator.near[tally.rules]
        expected: list[Array] | str = "no runtime"
        if self._runtimes is not None:
            runtime = operator.asked.get(rules, rules)
            expected = self._runtimes(runtime, path.read_bytes(), inputs)
        try:
            net = presil.load(path, rules)
            got = list(presil.reference(net, inputs).values())
        except presil.Refusal as refusal:
            # What the runtime does not take either says nothing about presil.
            if not isinstance(expected, str):
                tally.refuse("presil", str(refusal), case)
            return
        runs = 0
        for soc in self._socs:
            where = f"{tally.name}, case {case}, {rules}, {soc.name}"
            try:
                program = presil.compile(net, soc)
                simulation = self._loaded(program)
                outputs, _, _ = simulation.job(inputs, timeout_ns=10**9)
            except presil.Refusal as refusal:
                tally.refuse(soc.name, str(refusal), case)
                continue
            runs += 1
            for k, (a, b) in enumerate(zip(outputs, got, strict=True)):
                if a.tobytes() != b.tobytes():
                    count = int((a.reshape(-1) != b.reshape(-1)).sum())
                    tally.faults.append(f"{where}: {count} values of output {k} differ")
        tally.on_soc += runs
        if isinstance(expected, str):
            if self._runtimes is not None:
                tally.refuse("the runtime", expected, case)
        elif runs or not self._socs:  # what presil runs nowhere need not be right
            self._compare(case, model, got, expected, tally, near)

    def _loaded(self, program: Any) -> Simulation:
        simulation = self._simulations.get(program.soc.name)
        if simulation is None:
            simulation = self._simulations[program.soc.name] = Simulation(program)
        else:
            simulation.load(program)
        return simulation

    def _compare(
        self,
        case: int,
        model: Model,
        got: list[Array],
        expected: list[Array],
        tally: Tally,
        near: float,
    ) -> None:
        parts = model.defined(expected) if model.defined else [...] * len(expected)
        before = tally.wrong
        for k, (a, b, part) in enumerate(zip(got, expected, parts, strict=True)):
            if a.dtype != b.dtype or a.size != b.size:
                tally.faults.append(
                    f"{tally.name}, case {case}: output {k} is {a.dtype}{a.shape}, the runtime's "
                    f"{b.dtype}{b.shape}"
                )
                return
            mine, theirs = numbers(a.reshape(b.shape)[part]), numbers(b[part])
            same = (mine == theirs) | (np.isnan(mine) & np.isnan(theirs))
            with np.errstate(invalid="ignore"):
                away = np.where(same, 0, np.abs(mine - theirs))
            tally.values += away.size
            if near:
                sizes = np.abs(theirs[np.isfinite(theirs)])
                away = away / max(float(sizes.max(initial=0)), 1e-30)
                tally.wrong += int((~(away <= near)).sum())
            else:
                tally.wrong += int((~same).sum())
            tally.largest = max(tally.largest, float(away.max(initial=0)))
        tally.cases += 1
        if tally.wrong > before:
            tally.texts["differs"] = f"case {case}: {tally.wrong - before} values"
