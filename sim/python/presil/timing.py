"""How long a program takes on a SoC, and nothing else: no values, no record, no energy."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Any

import numpy as np

from .nets import bundled
from .program import Program
from .record import layer_spans
from .run_plan import RunPlan
from .samples import inputs_of, split_samples
from .simulation import Simulation
from .states import States


@dataclass(frozen=True)
class Timed:
    """Of one sample. layers: cycles by name."""

    cycles: int
    layers: dict[str, int]


def on(program: Program, soc: Any) -> Program:
    """The program on a SoC that takes other times; what it says of itself is kept."""
    other = copy.copy(program)
    other.soc = soc
    return other


def timed(program: Program, inputs: Any = None, compiled_for: str = "") -> Timed:
    """A program on its SoC. inputs: of a network whose time follows its data, as of `presil.run`.

    compiled_for: the parameters that it was compiled for, where its SoC takes other times. The
    cycles are those of a run with values.
    """
    plan = RunPlan(program, "none", values=False, compiled_for=compiled_for)
    sample = sample_of(program, inputs) if plan.computes else None
    with Simulation(program, values=plan.computes, compiled_for=compiled_for) as simulation:
        _, _, account = simulation.job(sample or nothing_for(program), records=True)
    info = program.info
    spans = layer_spans(info, account)
    layers = {
        layer["name"]: end - start
        for layer, (_, start, end) in zip(info["layers"], spans, strict=True)
    }
    return Timed(account["cycles"], layers)


def sample_of(program: Program, inputs: Any) -> list[np.ndarray]:
    states = States.of(program.graph, False)
    given = states.given(program.inputs)
    own = program.network or bundled(program.name)
    arrays, _ = inputs_of(given, inputs, 0, own.sample if own else None)
    return states.before(split_samples(given, arrays)[0])


def nothing_for(program: Program) -> list[np.ndarray]:
    """Where no value is asked for, any will do."""
    return [np.zeros(t["shape"], t["dtype"]) for t in program.inputs]
