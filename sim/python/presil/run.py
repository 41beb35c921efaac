"""Running a program: every sample through the simulated SoC, checked, and written down."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from .atomic import write_file, writing
from .blocks import block_kinds
from .engines import load_engines
from .faults import faults_of
from .gdb import gdb_of
from .host import NATIVE
from .image import Image, is_elf, read_image
from .inference import Inference
from .names import described, one_of
from .network import named
from .profile import DspTrace
from .program import Program, program_for
from .record import as_json
from .refusal import Refusal
from .report import write_report
from .run_check import goldens_of
from .run_expected import Expected
from .run_folder import OutputPath
from .run_plan import CHECKS, RunPlan
from .run_record import record_of
from .run_samples import Progress, run_samples
from .run_text import run_text
from .samples import inputs_of, split_samples
from .simulation import RTL_SEED
from .soc_parameters import Overrides
from .states import STATES, States
from .trace import Trace

__all__ = ["CHECKS", "Progress", "Run", "run", "split_samples"]

OF_THE_FOLDER = ("simulator", "asked", "files")
"""What two folders of one run may say otherwise."""


@dataclass(repr=False)
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
        return named(self.names, self.arrays) if self.arrays else {}

    @property
    def exact(self) -> bool:
        return "values" not in self.record and bool(self.record["check"]["exact"])

    @property
    def cycles(self) -> int:
        return int(self.record["cycles"])

    @property
    def inference(self) -> Inference:
        """The whole inference, cycles a sample; refused of samples in flight together."""
        return Inference.of(self.record)

    @property
    def layers(self) -> list[dict[str, Any]]:
        return list(self.record["layers"])

    def __repr__(self) -> str:
        return run_text(self.record)

    def report(self, file: str | Path) -> Path:
        """Writes the page that shows this run; images that the record names lie beside it."""
        return write_report([(self.record, Path(file).parent)], Path(file))

    def write(self, folder: Path) -> None:
        """Puts report.html, outputs/out<k>.npy and net.presil into a folder: all but the record. Of
        tiles that are not alike net1.presil and so on, too."""
        with writing(folder / "outputs"):
            (folder / "outputs").mkdir(exist_ok=True)
        for k, array in enumerate(self.arrays):
            data = io.BytesIO()
            np.save(data, array)
            write_file(folder / "outputs" / f"out{k}.npy", data.getbuffer())
        for number, program in enumerate(self.program.kinds):
            program.save(folder / f"net{number or ''}.presil")
        self.report(folder / "report.html")

    def save(self, folder: str | Path, force: bool = False) -> Path:
        """Writes run.json, report.html, outputs/out<k>.npy and net.presil, whole or not at all;
        returns the folder. The same run may be there already, another one by force alone."""
        hint = "save it with force=True, or to another folder"
        target = OutputPath.of(folder, force, hint=hint)
        target.check()
        with target.claim(self.repeats) as out:
            return out.commit(self.record, self.write)

    def repeats(self, record: dict[str, Any]) -> bool:
        """Whether a record says the same of the same run: all but what it took to simulate it."""
        ours = json.loads(as_json(self.record))
        return all(ours.get(key) == record.get(key) for key in {*ours, *record} - {*OF_THE_FOLDER})


def run(
    program: Any,
    inputs: Any = None,
    check: str = "outputs",
    goldens: Any = (),
    timeout_ms: float = 0,
    progress: Progress | None = None,
    blocks: str | Iterable[str] | Mapping[str, str] | None = None,
    trace: Trace | None = None,
    rtl_seed: int = RTL_SEED,
    profile: bool = False,
    dsp_trace: DspTrace | None = None,
    *,
    host: str = NATIVE,
    fault: Any = None,
    soc: Any = None,
    set: Overrides = (),  # noqa: A002  as the command line has it
    numerics: str | None = None,
    post: str | Path | None = None,
    kernels: Any = (),
    engines: Any = (),
    seed: int = 0,
    state: str | None = None,
    in_flight: int = 1,
    gdb: Any = None,
    values: bool = True,
    counters: str | None = None,
    host_profile: bool = False,
    jobs: int | None = None,
    begun: Expected | None = None,
) -> Run:
    """Runs samples on the simulated SoC through the driver and checks them.

    program: what `presil.compile` gave, or a network in any form that it takes, or a loadable's
      file, or an image of `presil firmware`, which runs on its core. soc, set, numerics, post,
      kernels, engines: as of `presil.compile`, where it is compiled here; engines also of a
      loadable.
    inputs: by name or in order, or the array of an only input; with the network's shape for one
      sample, or n times the first axis for n samples, run one after another. None: seeded random
      data (seed), or the own sample of a network of the project.
    check: 'outputs' compares with the reference interpreter, 'layers' every kept tensor too.
    goldens: what output k must equal besides, all samples on the first axis.
    timeout_ms: simulated time for a sample, 0: none.
    progress: called after each sample with how many are done, and of how many.
    blocks: how blocks of the SoC run, as "dla=rtl" or {"dla": "rtl"}; models where it says nothing.
    trace: waveforms of blocks in RTL.
    rtl_seed: of the state that reset does not set in them.
    profile: what each instruction of the DSP's kernels did, in the record's `dsp`.
    dsp_trace: the instructions that the DSP executes in the first sample, in a file.
    host: what runs the driver: 'native', or firmware on a core: 'm33', 'm4', 'rv64', 'aarch64'.
    fault: what goes wrong in the hardware: a file, a list of presil.Fault or of mappings as in a
      file (sim/faults/README.md). An error that it causes is a HardwareError.
    state: over samples, of an LSTM, an SVDF: 'reset', it is 0 before each (default), or 'keep',
      what a sample leaves is there for the next. A program that was compiled with 'keep' keeps.
    gdb: a port at which the simulation waits for GDB, of the host's core, or with a native host of
      the DSP; as text also 'cpu:3333' or 'dsp:3333', or several of these (sim/guides/debug.md).
    in_flight: samples that the SoC has at once, 1 to 4; of a program that was compiled with
      `overlap`, or here, the next one begins on an engine while others work on the one before.
    host_profile: where the time of the host's core goes in the first sample: `functions` and
      `spans` of the record's `host`. A core of AArch64 tells of its sleep alone.
    counters: what the engines' counters say of the first sample, as the driver reads them, in the
      record's `counters`: 'job' of all of it, 'layers' of each layer, at whose borders the job
      then stops.
    jobs: threads at work: with several, interpreters that check work beside the simulation. What
      comes out is the same for any number. None: all processors.
    begun: an interpreter that has begun with the first sample.
    values: False times alone: no outputs, no check, and nothing is exact. The DLA takes
      its time and computes nothing, unless some layer's time follows the data: the cycles are
      those of a run with values. Record `values`: whether it `computed`, and which layers' time is
      `data_dependent`.
    """
    if values is False and check == "outputs":
        check = "none"
    if state is not None:
        one_of(state, STATES, "run: state")
    image = image_for(program, host)
    if image is not None:
        program = image.program
    overlap = isinstance(in_flight, int) and in_flight > 1
    load_engines(engines)  # whose blocks are named
    kinds = block_kinds(blocks)
    compiled = program_for(program, soc, set, numerics, post, kernels, engines, state, overlap)
    if image is not None and inputs is None:
        inputs = image.arrays()
    sample = compiled.network.sample if compiled.network else None
    given = States.of(compiled.graph, state != "reset").given(compiled.inputs)
    arrays, source = inputs_of(given, inputs, seed, sample)
    plan = RunPlan(
        compiled,
        check,
        goldens_of(goldens),
        timeout_ms,
        kinds,
        trace,
        rtl_seed,
        bool(profile),
        dsp_trace,
        host if image is None else image.for_inputs(arrays),
        faults_of(fault, compiled),
        state != "reset",
        gdb_of(gdb, image or host),
        in_flight,
        values,
        counters=counters,
        core_profile=host_profile,
        jobs=jobs,
        begun=begun,
    )
    if progress is not None and not callable(progress):
        raise Refusal(f"run: progress is {described(progress)}, expected a function of two numbers")
    samples = split_samples(given, arrays)
    collected = run_samples(plan, samples, progress)
    outputs = collected.arrays if plan.values else []
    record = record_of(plan, samples, collected, outputs)
    record["input"]["source"] = source
    return Run(record, outputs, compiled.outputs, compiled, collected.commands)


def image_for(program: Any, host: str) -> Image | None:
    """What was given to run, where it is an image, or its file; its core is the host."""
    image = program if isinstance(program, Image) else None
    if is_elf(program):
        image = read_image(program)
    if image is not None and host not in (NATIVE, image.core):
        raise Refusal(
            f"run: host is {host}, and '{image.file}' is an image for {image.core}; leave it out"
        )
    return image
