"""Running a program: every sample through the simulated SoC, checked, and written down."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from . import paths
from .blocks import block_kinds
from .check import Check
from .custom import Customs
from .data_time import DataTime
from .network import Network, named, ordered_inputs
from .profile import DspTrace, kernels_of
from .program import Program, compile
from .record import (
    RunTotals,
    as_json,
    commands_of,
    digest,
    header,
    layers_of,
    sram_of,
    timeline_of,
)
from .refusal import Diverged, HardwareError, Refusal
from .report import write_report
from .simulation import RTL_SEED, Simulation
from .trace import Trace, Waves

CHECKS = ("none", "outputs", "layers")
MOST_TIMEOUT_MS = 1e9
MOST_RTL_SEED = 2**31 - 1
Progress = Callable[[int, int], None]


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


def owner_of(info: dict[str, Any], tensor: int) -> str:
    """Name of the layer that makes a tensor of the loadable."""
    for layer in info["layers"]:
        if tensor in layer["outputs"]:
            return str(layer["name"])
    return str(info["tensors"][tensor]["name"])


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
    if check not in CHECKS:
        raise Refusal(f"run: check is '{check}', wants one of {', '.join(CHECKS)}")
    if not 0 <= timeout_ms <= MOST_TIMEOUT_MS:
        raise Refusal(
            f"run: the timeout is {timeout_ms:g} ms, wants 0 for none up to {MOST_TIMEOUT_MS:g}"
        )
    if not 1 <= rtl_seed <= MOST_RTL_SEED:
        raise Refusal(f"run: the seed of RTL's state is {rtl_seed}, wants 1 to {MOST_RTL_SEED}")
    kinds = block_kinds(blocks)
    samples = split_samples(program.inputs, ordered_inputs(program.inputs, inputs))
    graph = program.graph
    if check != "none" and graph is None:
        raise Refusal(
            "run: this loadable was compiled with --strip, so there is no graph to check against; "
            "run with --check none, or compile without --strip"
        )
    customs = Customs(graph, program.kernels) if graph is not None else None
    # What the SoC makes of an operator without reference is fed to what follows it.
    keep = check == "layers" or bool(check != "none" and customs and customs.without_reference)
    waves = Waves(trace, program, kinds, rtl_seed) if trace else None
    order = dsp_trace.order(program) if dsp_trace else None
    traced: dict[str, Any] = {}
    began = time.perf_counter()
    info = program.info
    totals = RunTotals(program.soc.dma_channels)
    verdict = Check()
    data_time = DataTime(program)
    rows: list[dict[str, Any]] = []
    commands: list[dict[str, Any]] = []
    sram: dict[str, Any] = {}
    traffic: dict[str, Any] = {}
    collected: list[list[np.ndarray]] = []
    index = 0
    try:
        with Simulation(
            program,
            keep or data_time.tensors,
            kinds,
            rtl_seed=rtl_seed,
            waveforms=bool(waves),
        ) as simulation:
            for index, sample in enumerate(samples):
                outputs, kept, account = simulation.job(
                    sample,
                    index == 0 or data_time.follows,
                    math.ceil(timeout_ms * 1e6),
                    profile,
                    order if index == 0 else None,
                )
                totals.add(account)
                if index == 0:
                    rows = layers_of(info, account)
                    commands = commands_of(info, account)
                    sram = sram_of(info, account)
                    traffic = account["dram_traffic"]
                    traced = account["trace"] or {}
                data_time.add(sample, outputs, kept, account)
                if check != "none":
                    compared = kept if keep else {}
                    compare(verdict, program, customs, sample, outputs, compared, index, check)
                collected.append(outputs)
                if progress is not None:
                    progress(index + 1, len(samples))
            kernels = kernels_of(info, simulation.kernels())
            usage = simulation.usage()
    except HardwareError as error:
        if len(samples) > 1 and not isinstance(error, Diverged):
            error = HardwareError(f"sample {index}: {error}")
        if order is not None and not isinstance(error, Diverged):
            error = HardwareError(f"{error}; instructions of the DSP: {dsp_trace.file}")
        if waves is None:
            raise error from None
        raise waves.of_failure(error, samples, timeout_ms) from error
    arrays = [np.concatenate(parts) for parts in zip(*collected, strict=True)]
    golden = compare_goldens(program, arrays, goldens)
    mark_layers(rows, info, verdict)
    macs = int(sum(layer["macs"] for layer in info["layers"]))
    cycles = totals.cycles
    record = {
        **header(),
        "network": {
            "file": program.network.file if program.network else info["network"],
            "sha256": program.network.sha256 if program.network else None,
            "macs": macs,
            "params": info["params"],
        },
        "soc": {
            "name": program.soc.name,
            "sha256": program.soc.sha256,
            "clock_mhz": program.soc.clock_mhz,
            "config": program.soc.config,
        },
        "numerics": info["numerics"],
        "blocks": kinds,
        "rtl_seed": rtl_seed,
        "samples": len(samples),
        "input": {"sha256": digest([part for sample in samples for part in sample])},
        "check": {**verdict.record(), "golden": golden, "level": check},
        "cycles": cycles,
        "time_ms": cycles / (program.soc.clock_mhz * 1e3),
        "per_sample": [{"cycles": c} for c in totals.per_sample],
        "engines": totals.engines(macs, program.soc.macs_per_cycle),
        "memory": {
            "dram": {
                "read_bytes": totals.read_bytes,
                "written_bytes": totals.written_bytes,
                "row_hit_rate": totals.row_hit_rate,
                "traffic": traffic,
            },
            "sram": {"peak_bytes": info["sram_bytes"]},
        },
        "layers": rows,
        "data_time": data_time.record(),
        "placement": info["placements"],
        "outputs": [
            {"name": t["name"], "dtype": t["dtype"], "shape": list(a.shape), "sha256": digest([a])}
            for t, a in zip(program.outputs, arrays, strict=True)
        ],
        "timeline": timeline_of(commands),
        "sram": sram,
        "dsp": kernels,
        "energy_uj": None,
        "simulator": {
            "wall_s": time.perf_counter() - began,
            "cpu_s": totals.cpu_s,
            "peak_rss_bytes": usage["peak_rss_bytes"],
            "cycles_per_cpu_s": cycles / totals.cpu_s if totals.cpu_s else 0.0,
            "compile_s": program.compile_s,
        },
    }
    if golden is not None and not golden["exact"]:
        record["check"]["exact"] = False
        record["check"]["first"] = record["check"]["first"] or golden["first"]
    if dsp_trace is not None:
        record["dsp_trace"] = {
            "file": str(dsp_trace.file),
            "lines": traced["written"],
            "left_out": traced["left_out"],
        }
    if waves is not None:
        record["waveforms"] = waves.of_run(record, samples, timeout_ms)
    return Run(record, arrays, program.outputs, program, commands)


def split_samples(
    tensors: list[dict[str, Any]], arrays: list[np.ndarray]
) -> list[list[np.ndarray]]:
    """Cuts n samples on the first axis into n lists of inputs."""
    counts = set()
    for tensor, array in zip(tensors, arrays, strict=True):
        first = tensor["shape"][0]
        if (
            array.ndim != len(tensor["shape"])
            or list(array.shape[1:]) != tensor["shape"][1:]
            or array.shape[0] % first
            or not array.size
        ):
            raise Refusal(
                f"input: '{tensor['name']}' got shape {list(array.shape)}, wants "
                f"{tensor['shape']}, or a multiple of its first axis for several samples"
            )
        counts.add(array.shape[0] // first)
    if len(counts) != 1:
        raise Refusal(f"input: the inputs hold different numbers of samples, {sorted(counts)}")
    n = counts.pop()
    return [
        [a[i * t["shape"][0] : (i + 1) * t["shape"][0]] for t, a in zip(tensors, arrays)]
        for i in range(n)
    ]


def compare(
    verdict: Check,
    program: Program,
    customs: Customs,
    sample: list[np.ndarray],
    outputs: list[np.ndarray],
    kept: dict[int, np.ndarray],
    index: int,
    level: str,
) -> None:
    """Outputs, and kept tensors where the level wants them, against the reference interpreter."""
    info, graph = program.info, program.graph
    made = customs.by_graph(outputs, kept)
    custom, unchecked = customs.function(made), customs.unchecked(made)
    every: Sequence[np.ndarray] = ()
    if kept:
        every = paths.native().reference_all(graph, sample, custom)
        wanted_outputs = [every[i] for i in graph.output_ids]
    else:
        wanted_outputs = paths.native().reference(graph, sample, custom)
    if level == "layers":
        loadable_of = {t["graph_tensor"]: i for i, t in enumerate(info["tensors"])}
        for tensor, array in sorted(kept.items()):
            name = info["tensors"][loadable_of[tensor]]["name"]
            if tensor in unchecked:
                verdict.unchecked[name] = unchecked[tensor]
                continue
            wanted = every[tensor].reshape(array.shape)
            verdict.compare(owner_of(info, loadable_of[tensor]), name, array, wanted, index)
    for k, (got, wanted) in enumerate(zip(outputs, wanted_outputs, strict=True)):
        tensor = info["outputs"][k]
        name = info["tensors"][tensor]["name"]
        if graph.output_ids[k] in unchecked:
            verdict.unchecked[name] = unchecked[graph.output_ids[k]]
            continue
        verdict.compare(owner_of(info, tensor), name, got, wanted, index)
    for about in customs.without_reference:
        for tensor in about["output_ids"]:
            verdict.unchecked.setdefault(about["name"], unchecked[tensor])


def compare_goldens(
    program: Program, arrays: list[np.ndarray], goldens: Sequence[np.ndarray]
) -> dict[str, Any] | None:
    """Output k against golden k, which may hold more samples than were run."""
    if not goldens:
        return None
    if len(goldens) > len(arrays):
        raise Refusal(f"golden: got {len(goldens)} files, the network has {len(arrays)} outputs")
    verdict = Check()
    for k, (array, golden) in enumerate(zip(arrays, goldens)):
        wanted = np.asarray(golden)
        tensor = program.info["outputs"][k]
        if wanted.dtype != array.dtype or wanted.size != array.size:
            raise Refusal(
                f"golden: output {k} is {array.dtype}{list(array.shape)}, the golden is "
                f"{wanted.dtype}{list(wanted.shape)}; wants the same type and as many samples"
            )
        name = program.info["tensors"][tensor]["name"]
        verdict.compare(owner_of(program.info, tensor), name, array, wanted.reshape(array.shape))
    return verdict.record()


def mark_layers(rows: list[dict[str, Any]], info: dict[str, Any], verdict: Check) -> None:
    """Writes into each layer whether what it made was compared and exact."""
    for row in rows:
        names = [info["tensors"][t]["name"] for t in info["layers"][row["index"]]["outputs"]]
        compared = [verdict.tensors[name] for name in names if name in verdict.tensors]
        row["exact"] = all(compared) if compared else None
