"""Running a program: every sample through the simulated SoC, checked, and written down."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from .blocks import block_kinds
from .network import Network, named, ordered_inputs
from .profile import DspTrace
from .program import Program, compile
from .record import as_json
from .report import write_report
from .run_plan import CHECKS, RunPlan
from .run_record import record_of
from .run_samples import Progress, run_samples, split_samples
from .simulation import RTL_SEED
from .trace import Trace

__all__ = ["CHECKS", "Progress", "Run", "run", "split_samples"]


@dataclass
class Run:
    """What came out: arrays and the record that run.json holds."""

    record: dict[str, Any]
    arrays: list[np.ndarray]
    names: list[dict[str, Any]]
    program: Program
    commands: list[dict[str, Any]]
    """Every command of the first sample: queue, layer, tile, offered, start, end, causes."""

    @property
    def outputs(self) -> dict[str, np.ndarray]:
        return named(self.names, self.arrays)

    @property
    def exact(self) -> bool:
        return bool(self.record["check"]["exact"])

    @property
    def cycles(self) -> int:
        return int(self.record["cycles"])

    @property
    def layers(self) -> list[dict[str, Any]]:
        return list(self.record["layers"])

    def report(self, file: str | Path) -> Path:
        """Writes the page that shows this run; pictures that the record names lie beside it."""
        return write_report([(self.record, Path(file).parent)], Path(file))

    def save(self, folder: str | Path) -> Path:
        """Writes run.json, report.html, outputs/out<k>.npy and net.presil; returns the folder."""
        out = Path(folder)
        (out / "outputs").mkdir(parents=True, exist_ok=True)
        (out / "run.json").write_text(as_json(self.record), encoding="utf-8")
        for k, array in enumerate(self.arrays):
            np.save(out / "outputs" / f"out{k}.npy", array)
        self.program.save(out / "net.presil")
        self.report(out / "report.html")
        return out


def run(
    program: Program | Network,
    inputs: dict[str, np.ndarray] | list[np.ndarray],
    check: str = "outputs",
    goldens: Sequence[np.ndarray] = (),
    timeout_ms: float = 0,
    progress: Progress | None = None,
    blocks: str | Iterable[str] | Mapping[str, str] | None = None,
    trace: Trace | None = None,
    rtl_seed: int = RTL_SEED,
    profile: bool = False,
    dsp_trace: DspTrace | None = None,
) -> Run:
    """Runs samples on the simulated SoC through the driver and checks them.

    inputs: by name or in order; with the network's shape for one sample, or the same shape with
      n times the first axis for n samples, run one after another.
    check: 'outputs' compares with the reference interpreter, 'layers' every kept tensor too.
    goldens: what output k must equal besides, all samples on the first axis.
    blocks: how blocks of the SoC run, as "dla=rtl" or {"dla": "rtl"}; models where it says nothing.
    trace: waveforms of blocks in RTL.
    rtl_seed: of the state that reset does not set in them.
    profile: what each instruction of the DSP's kernels did, in the record's `dsp`.
    dsp_trace: the instructions that the DSP executes in the first sample, in a file.
    """
    if isinstance(program, Network):
        program = compile(program)
    plan = RunPlan(
        program,
        check,
        goldens,
        timeout_ms,
        block_kinds(blocks),
        trace,
        rtl_seed,
        profile,
        dsp_trace,
    )
    samples = split_samples(program.inputs, ordered_inputs(program.inputs, inputs))
    collected = run_samples(plan, samples, progress)
    arrays = collected.arrays
    record = record_of(plan, samples, collected, arrays)
    return Run(record, arrays, program.outputs, program, collected.commands)
