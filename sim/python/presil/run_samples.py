"""Samples through the simulated SoC, one after another, each checked as it comes out."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np

from .check import Check
from .data_time import DataTime
from .energy_counts import ActionTotals, first_sample
from .kept import by_graph
from .layer_facts import add_layer_facts
from .profile import kernels_of
from .program import Program
from .record import RunTotals, commands_of, layers_of, sram_of
from .refusal import Diverged, HardwareError
from .run_check import compare
from .run_expected import Expected
from .run_plan import RunPlan
from .samples import Sample, joined
from .simulation import Simulation
from .tile_record import TileTotals, merged_kernels, shared_part, tile_commands, tiles_of
from .tile_run import run_over_tiles

Progress = Callable[[int, int], None]
AHEAD = 2
"""Samples for each interpreter that it may be ahead of the simulation: their values wait for it."""


@dataclass
class Collected:
    """What the samples of a run have given."""

    totals: RunTotals
    data_time: DataTime
    verdict: Check = field(default_factory=Check)
    outputs: list[Sample] = field(default_factory=list)
    """Of each sample."""
    rows: list[dict[str, Any]] = field(default_factory=list)
    """The layers of the first sample, and so on up to `traced`."""
    commands: list[dict[str, Any]] = field(default_factory=list)
    sram: dict[str, Any] = field(default_factory=dict)
    traffic: dict[str, Any] = field(default_factory=dict)
    traced: dict[str, Any] = field(default_factory=dict)
    kernels: list[dict[str, Any]] | None = None
    usage: dict[str, Any] = field(default_factory=dict)
    host: list[dict[str, Any]] = field(default_factory=list)
    """Of each sample what the core did that ran the driver; none of the native host."""
    inferences: list[dict[str, Any] | None] = field(default_factory=list)
    """Of each sample, where the driver was told of them one by one."""
    latencies: list[int] = field(default_factory=list)
    """Of each sample from its first command to its end, where several are in flight."""
    faults: list[dict[str, Any]] = field(default_factory=list)
    """Those that were asked for, with what has happened of them."""
    actions: ActionTotals = field(default_factory=ActionTotals)
    over_time: dict[str, Any] = field(default_factory=dict)
    """What the engines did in the first sample, in bins of time."""
    tiles: dict[str, Any] | None = None
    """Of each tile, and of all, where there are several (tile_record)."""
    counters: dict[str, Any] | None = None
    """What the driver has read of the engines' counters in the first sample."""
    wall_s: float = 0.0

    @property
    def arrays(self) -> list[np.ndarray]:
        """The outputs, all samples on the first axis."""
        return [joined(parts) for parts in zip(*self.outputs, strict=True)]

    def add(self, plan: RunPlan, index: int, one: One) -> None:
        """A sample, in their order."""
        account = one.account
        self.totals.add(account)
        self.actions.add(account)
        for fault, happened in zip(plan.faults.of_sample(index), account.get("faults", [])):
            self.faults.append(
                {**fault.said(), "happened": happened["times"], "at": happened["cycle"]}
            )
        self.inferences.append(account["inference"])
        if "host" in account:
            self.host.append(account["host"])
        if index == 0:
            self.first(plan.program, account)
        if plan.values:
            kept = by_graph(plan.program.info, one.kept)
            self.data_time.add(one.sample, one.outputs, kept, account)
        self.verdict.add(one.verdict)
        self.outputs.append(one.outputs)

    def first(self, program: Program, account: dict[str, Any]) -> None:
        """What the record says of the first sample only."""
        info = program.info
        self.rows = layers_of(info, account, program.waits, program.soc.array_macs)
        add_layer_facts(self.rows, info, program.soc)
        self.commands = commands_of(info, account)
        by_layer, self.over_time = first_sample(
            self.commands, len(self.rows), account, self.actions.macs_k
        )
        for row, counts in zip(self.rows, by_layer, strict=True):
            row["actions"] = counts
        self.sram = sram_of(info, account)
        self.traffic = account["dram_traffic"]
        self.traced = account["trace"] or {}
        self.counters = account.get("counters")


def run_samples(plan: RunPlan, samples: list[Sample], progress: Progress | None) -> Collected:
    """Runs them. What the hardware does wrong says in which sample, and with which waveforms."""
    began = time.perf_counter()
    waves, order = plan.waves, plan.order  # refuse before anything is simulated
    program = plan.program
    collected = Collected(RunTotals(program.soc.dma_channels), DataTime(program))
    collected.actions.macs_k = int(program.soc.config["dla.macs_k"])
    try:
        way = tiled if plan.tiled else loop if plan.in_flight == 1 else overlapped
        way(plan, samples, collected, progress)
    except HardwareError as error:
        one_by_one = len(samples) > 1 and plan.in_flight == 1 and not plan.tiled
        if one_by_one and not isinstance(error, Diverged):
            error = HardwareError(f"sample {len(collected.outputs)}: {error}", error.detail)
        if plan.dsp_trace is not None and order is not None and not isinstance(error, Diverged):
            where = f"instructions of the DSP: {plan.dsp_trace.file}"
            error = HardwareError(f"{error}; {where}", error.detail)
        if waves is None:
            raise error from None
        raise waves.of_failure(error, samples, plan.timeout_ms) from error
    collected.wall_s = time.perf_counter() - began
    return collected


def opened(plan: RunPlan, data_time: DataTime) -> Simulation:
    return Simulation(
        plan.program,
        plan.keep or (data_time.tensors if plan.values else False),
        plan.kinds,
        rtl_seed=plan.rtl_seed,
        waveforms=plan.waves is not None,
        host=plan.host,
        gdb=plan.gdb,
        values=plan.computes,
        compiled_for=plan.compiled_for,
    )


@dataclass
class One:
    """What a sample has given."""

    sample: Sample
    outputs: Sample
    kept: dict[int, np.ndarray]
    account: dict[str, Any]
    verdict: Check


def simulated(
    plan: RunPlan, simulation: Simulation, follows: bool, index: int, sample: Sample
) -> tuple[Sample, dict[int, np.ndarray], dict[str, Any]]:
    return simulation.job(
        sample,
        index == 0 or follows,
        plan.timeout_ns,
        plan.profile,
        plan.order if index == 0 else None,
        plan.faults.of_sample(index),
        plan.counters,
        plan.core_profile and index == 0,
    )


def compared(
    plan: RunPlan,
    sample: Sample,
    outputs: Sample,
    kept: dict[int, np.ndarray],
    index: int,
    begun: Expected | None,
) -> Check:
    verdict = Check()
    if plan.check != "none" and plan.customs is not None:
        tensors = kept if plan.keep else {}
        compare(
            verdict,
            plan.program,
            plan.customs,
            sample,
            outputs,
            tensors,
            index,
            plan.check,
            begun,
        )
    return verdict


def loop(
    plan: RunPlan, samples: list[Sample], collected: Collected, progress: Progress | None
) -> None:
    """One simulation, a job for each sample; interpreters work beside it, on later samples too."""
    begun = plan.begun or plan.interpreter()
    ahead = 0 if plan.states.values else AHEAD * plan.interpreters
    data_time = collected.data_time
    with opened(plan, data_time) as simulation:
        for index, given in enumerate(samples):
            sample = plan.states.before(given)
            if begun is not None:
                begun.begin(index, sample)
                for later in range(index + 1, min(index + 1 + ahead, len(samples))):
                    begun.begin(later, samples[later])
            outputs, kept, account = simulated(plan, simulation, data_time.follows, index, sample)
            plan.states.after(outputs)
            verdict = compared(plan, sample, outputs, kept, index, begun)
            collected.add(plan, index, One(sample, outputs, kept, account, verdict))
            if progress is not None:
                progress(index + 1, len(samples))
        collected.kernels = kernels_of(plan.program.info, simulation.kernels())
        collected.usage = simulation.usage()
    if begun is not None:
        begun.close()


def overlapped(
    plan: RunPlan, samples: list[Sample], collected: Collected, progress: Progress | None
) -> None:
    """One simulation, several samples in it at once; each one's cycles are those since the one
    before has ended."""
    program = plan.program
    with Simulation(
        program, False, plan.kinds, rtl_seed=plan.rtl_seed, values=plan.computes
    ) as simulation:
        given = [plan.states.before(sample) for sample in samples]
        outputs, account = simulation.jobs(given, plan.in_flight, plan.timeout_ns)
        collected.first(program, account)
        collected.totals.add(account)
        collected.actions.add(account)
        ends = [account["begin"], *account["ends"]]
        collected.totals.per_sample = [after - before for before, after in pairwise(ends)]
        collected.latencies = [
            end - begin for begin, end in zip(account["begins"], account["ends"], strict=True)
        ]
        for index, (sample, result) in enumerate(zip(given, outputs, strict=True)):
            if plan.check != "none" and plan.customs is not None:
                verdict = collected.verdict
                compare(verdict, program, plan.customs, sample, result, {}, index, plan.check)
            collected.outputs.append(result)
            if progress is not None:
                progress(index + 1, len(samples))
        collected.kernels = kernels_of(program.info, simulation.kernels())
        collected.usage = simulation.usage()


def tiled(
    plan: RunPlan, samples: list[Sample], collected: Collected, progress: Progress | None
) -> None:
    """One simulation of all tiles, each with samples of its own."""
    program = plan.program
    with Simulation(
        program, values=plan.computes, over_tiles=True
    ) as simulation:
        given = [plan.states.before(sample) for sample in samples]
        keep = plan.keep and plan.in_flight == 1
        unknown = program.graph is None or bool(program.kernels) or bool(plan.data_dependent)
        alone = list(range(len(given))) if unknown else [0]  # else all take the same time
        results = run_over_tiles(
            simulation, program, given, keep, alone, plan.in_flight, plan.timeout_ns
        )
        collected.usage = simulation.usage()
    account = results.account
    first = account["tiles"][0]
    collected.first(program, {**first, **shared_part(account)})
    collected.commands = tile_commands(results)
    collected.tiles = tiles_of(program, results, plan.in_flight)
    collected.totals = TileTotals(program, account)
    for tile, one in enumerate(account["tiles"]):
        collected.actions.add_tile(one, int(results.program(tile).soc.config["dla.macs_k"]))
    collected.actions.add_dram(account)
    for index, (sample, result) in enumerate(zip(given, results.outputs, strict=True)):
        if plan.check != "none" and plan.customs is not None:
            made_by = results.program(collected.tiles["of_sample"][index])
            compare(
                collected.verdict,
                made_by,
                plan.customs,
                sample,
                result,
                results.kept[index],
                index,
                plan.check,
            )
        collected.outputs.append(result)
        if progress is not None:
            progress(index + 1, len(samples))
    collected.kernels = kernels_of(program.info, merged_kernels(account["tiles"]))
