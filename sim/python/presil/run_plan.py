"""What a run of samples is to do: its options, checked before anything is simulated."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from .blocks import block_kinds
from .custom import Customs
from .data_time import layers_of
from .faults import FaultPlan
from .gdb import Gdb
from .host import NATIVE, checked_host
from .image import Image
from .names import described, instance, number, one_of
from .profile import DspTrace
from .program import Program
from .refusal import Refusal
from .run_expected import MOST_JOBS, Expected, interpreters
from .simulation import RTL_SEED
from .states import States
from .tiles import one_tile
from .trace import Trace, Waves

CHECKS = ("none", "outputs", "layers")
MOST_TIMEOUT_MS = 1e9
MOST_RTL_SEED = 2**31 - 1
MOST_IN_FLIGHT = 4
COUNTERS = ("job", "layers")


@dataclass(frozen=True)
class RunPlan:
    """The options of `presil.run`, which says what each means."""

    program: Program
    check: str = "outputs"
    goldens: Sequence[np.ndarray] = ()
    timeout_ms: float = 0
    kinds: dict[str, str] = field(default_factory=block_kinds)
    """Of every block how it runs."""
    trace: Trace | None = None
    rtl_seed: int = RTL_SEED
    profile: bool = False
    dsp_trace: DspTrace | None = None
    host: str | Image = NATIVE
    """What runs the driver."""
    faults: FaultPlan = FaultPlan()
    """What goes wrong in the hardware."""
    keep_state: bool = False
    """Whether what a sample leaves in the states is there for the next."""
    gdb: Gdb | None = None
    """Debuggers that the simulation waits for."""
    in_flight: int = 1
    """Samples that the SoC has at once."""
    values: bool = True
    """Whether the DLA computes; without, it takes its time alone, and there are no outputs."""

    counters: str | None = None
    """Whose counters the driver reads: of COUNTERS; None: none."""

    core_profile: bool = False
    """Where the time of the host's core goes, in the first sample."""

    jobs: int | None = None
    """Threads at work: with several, interpreters beside the simulation. None: all processors."""

    begun: Expected | None = None
    """The interpreter, where it has begun with the first sample."""

    compiled_for: str = ""
    """Parameters that the program was compiled for, where the SoC takes other times."""

    def __post_init__(self) -> None:
        one_of(self.check, CHECKS, "run: check")
        checked_host(self.host)
        limits = f" ms, expected 0 for none up to {MOST_TIMEOUT_MS:g}"
        number(self.timeout_ms, 0, MOST_TIMEOUT_MS, "run: the timeout", limits)
        limits = f", must be 1 to {MOST_RTL_SEED}"
        number(self.rtl_seed, 1, MOST_RTL_SEED, "run: the seed of RTL's state", limits, whole=True)
        for what, value, kind in (
            ("trace", self.trace, Trace),
            ("dsp_trace", self.dsp_trace, DspTrace),
        ):
            instance(value, (kind, type(None)), f"run: {what}", f"a presil.{kind.__name__}")
        limits = f", must be 1 to {MOST_IN_FLIGHT}"
        number(self.in_flight, 1, MOST_IN_FLIGHT, "run: in_flight", limits, whole=True)
        if self.in_flight > 1 and (why := self.one_at_a_time()):
            raise Refusal(f"run: in_flight is {self.in_flight}, must be 1 with {why}")
        if self.jobs is not None:
            limits = f", must be 1 to {MOST_JOBS}"
            number(self.jobs, 1, MOST_JOBS, "run: jobs", limits, whole=True)
        if self.tiled and (why := self.of_one_tile()):
            one_tile(self.program.system, "run", f"it was asked for {why}")
        if not isinstance(self.values, bool):
            raise Refusal(f"run: values is {described(self.values)}, must be True or False")
        if not self.values and (why := self.needs_values()):
            raise Refusal(f"run: values are off, which computes no outputs; {why}")
        if self.counters is not None:
            one_of(self.counters, COUNTERS, "run: counters")
            if why := self.cannot_count():
                raise Refusal(f"run: counters are read natively, of one job at a time; {why}")
        models = all(kind == "model" for kind in self.kinds.values())
        if self.faults.faults and not models:
            raise Refusal(
                "fault: a block runs as RTL, must all be models; leave --block or --fault out"
            )
        if self.check != "none" and self.program.graph is None:
            raise Refusal(
                "run: this loadable was compiled with --strip, so there is no graph to check "
                "against; run with --check none, or compile without --strip"
            )

    @cached_property
    def data_dependent(self) -> list[str]:
        """Layers whose time follows the data."""
        return sorted({str(layer["name"]) for layer in layers_of(self.program)})

    @cached_property
    def computes(self) -> bool:
        """Whether the DLA computes: also for a time that follows the data, or that may, of a
        program without its graph or with kernels of the user's."""
        unknown = self.program.graph is None or bool(self.program.kernels)
        return self.values or unknown or bool(self.data_dependent)

    def needs_values(self) -> str:
        """What of the plan asks for bytes, and what to do about it; empty: nothing."""
        asked = (
            (self.check != "none", "leave check 'layers' (--check layers) out"),
            (bool(self.goldens), "leave the golden files out"),
            (any(k != "model" for k in self.kinds.values()), "leave --block out, RTL has values"),
            (self.host != NATIVE, "run with host 'native', a core as the host reads its data"),
            (bool(self.faults.faults), "leave --fault out"),
            (self.gdb is not None, "leave --gdb out"),
        )
        return next((why for unwanted, why in asked if unwanted), "")

    @property
    def tiled(self) -> bool:
        """Whether samples go over several tiles."""
        return self.program.system is not None

    def of_one_tile(self) -> str:
        """What of the plan is asked of one tile alone; empty: nothing."""
        asked = (
            (any(k != "model" for k in self.kinds.values()), "a block as RTL"),
            (self.host != NATIVE, f"firmware on {self.host}, which drives one tile"),
            (self.trace is not None, "waveforms"),
            (self.profile or self.dsp_trace is not None, "a profile or trace of the DSP"),
            (self.gdb is not None, "a debugger"),
            (bool(self.faults.faults), "faults, which are of one tile"),
            (self.keep_state and bool(self.states.record()), "states over the samples"),
            (self.counters is not None or self.core_profile, "counters, or a core's profile"),
            (bool(self.compiled_for), "a program with other times than it was compiled for"),
        )
        return next((why for unwanted, why in asked if unwanted), "")

    def cannot_count(self) -> str:
        """What of the plan the driver's counters do not go with, and what to do about it."""
        asked = (
            (self.host != NATIVE, "run with host 'native'"),
            (self.in_flight > 1, "run with in_flight 1"),
            (bool(self.faults.faults), "leave --fault out"),
        )
        return next((why for unwanted, why in asked if unwanted), "")

    def one_at_a_time(self) -> str:
        """What of the plan is asked of one sample after another; empty: nothing."""
        asked = (
            (self.keep, "check 'layers', whose tensors several samples would overwrite"),
            (self.trace is not None, "waveforms"),
            (self.profile or self.dsp_trace is not None, "a profile or trace of the DSP"),
            (self.gdb is not None, "a debugger"),
            (bool(self.faults.faults), "faults, each of which is of one sample"),
            (self.host != NATIVE, "a core as the host, whose requests end one by one"),
            (self.keep_state and bool(self.states.record()), "states that are kept over samples"),
        )
        return next((why for unwanted, why in asked if unwanted), "")

    @cached_property
    def customs(self) -> Customs | None:
        """The custom operators of the graph; None without a graph."""
        graph = self.program.graph
        return Customs(graph, self.program.kernels) if graph is not None else None

    @cached_property
    def states(self) -> States:
        """Of the graph, which a run carries from sample to sample."""
        return States.of(self.program.graph, self.keep_state)

    @property
    def keep(self) -> bool:
        """Whether every kept tensor is handed back: to be compared, or because what the SoC makes
        of an operator without reference is fed to what follows it."""
        custom = self.customs is not None and bool(self.customs.without_reference)
        return self.check == "layers" or (self.check != "none" and custom)

    @property
    def interpreters(self) -> int:
        """That work beside the simulation; 0: it and the interpreter take turns."""
        return interpreters(self.jobs)

    def interpreter(self) -> Expected | None:
        """That works beside the simulation; None: nothing is compared, or what custom operators
        compute is seen from the simulation."""
        if self.check == "none" or self.customs is None or self.customs.function() is not None:
            return None
        if not self.interpreters:
            return None
        return Expected(self.program.graph, self.keep, self.interpreters)

    @property
    def timeout_ns(self) -> int:
        return math.ceil(self.timeout_ms * 1e6)

    @cached_property
    def waves(self) -> Waves | None:
        """The waveforms asked for; refuses a window that does not exist."""
        if self.trace is None:
            return None
        return Waves(self.trace, self.program, self.kinds, self.rtl_seed)

    @cached_property
    def order(self) -> dict[str, Any] | None:
        """The trace of the DSP's instructions, as the simulator is asked for it."""
        return self.dsp_trace.order(self.program) if self.dsp_trace else None
