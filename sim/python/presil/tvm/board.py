"""The simulated board that regions run on: simulations kept from call to call, and what is recorded
of the calls."""

from __future__ import annotations

import atexit
import time
from collections import OrderedDict, deque
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .. import paths
from ..custom import Customs
from ..names import one_of
from ..run import Run, run
from ..simulation import Simulation
from .container import Part

MODES = ("timed", "functional")
MOST_CALLS = 4096
MOST_SIMULATIONS = 8
"""Processes that wait for a next call."""


@dataclass
class Call:
    """One call of a region: cycles on the SoC (None: functional), and the seconds it took here."""

    symbol: str
    cycles: int | None
    wall_s: float
    run: Run | None = None


@dataclass
class Board:
    """mode: 'timed' simulates, 'functional' computes values alone, by the reference interpreter.
    check: of each call, as `presil.run` has it; 'none' is fastest."""

    mode: str = MODES[0]
    check: str = "none"
    recorded: bool = False
    """Whether each call keeps a whole Run."""
    calls: deque[Call] = field(default_factory=lambda: deque(maxlen=MOST_CALLS))
    """The last ones."""
    simulations: OrderedDict[int, tuple[Part, Simulation]] = field(default_factory=OrderedDict)

    def run(self, part: Part, inputs: list[np.ndarray]) -> list[np.ndarray]:
        began = time.perf_counter()
        made: Run | None = None
        cycles: int | None = None
        if self.mode == "functional":
            graph = part.program.graph
            custom = Customs(graph, part.program.kernels).function()
            outputs = list(paths.native().reference(graph, inputs, custom))
        elif self.recorded:
            made = run(part.program, [np.ascontiguousarray(x) for x in inputs], check=self.check)
            outputs, cycles = made.arrays, made.cycles
        else:
            outputs, _, account = self.simulation(part).job(inputs)
            cycles = cycles_of(account)
        self.calls.append(Call(part.symbol, cycles, time.perf_counter() - began, made))
        return outputs

    def simulation(self, part: Part) -> Simulation:
        """Of a region, begun by its first call."""
        known = self.simulations.pop(id(part), None)
        if known is None:
            known = (part, Simulation(part.program))
            while len(self.simulations) >= MOST_SIMULATIONS:
                self.simulations.popitem(last=False)[1][1].close()
        self.simulations[id(part)] = known
        return known[1]

    def close(self) -> None:
        """Ends the simulations."""
        while self.simulations:
            self.simulations.popitem()[1][1].close()


def cycles_of(account: dict[str, Any]) -> int:
    return int(account["end"]) - int(account["begin"])


_boards: list[Board] = [Board()]


@atexit.register
def close_all() -> None:
    for one in _boards:
        one.close()


def board() -> Board:
    """The one that calls reach now."""
    return _boards[-1]


class on_board:  # noqa: N801  used as a function
    """A board of its own for the calls inside: `with presil.tvm.on_board(check="outputs") as b:`.

    mode, check, recorded: as of Board; what was called is in `b.calls`.
    """

    def __init__(self, mode: str = MODES[0], check: str = "none", recorded: bool = False) -> None:
        one_of(mode, MODES, "tvm: mode")
        self.board = Board(mode, check, recorded or check != "none")

    def __enter__(self) -> Board:
        _boards.append(self.board)
        return self.board

    def __exit__(self, *_: object) -> None:
        _boards.remove(self.board)
        self.board.close()
