"""The record of a run, put together from its plan and what its samples have given."""

from __future__ import annotations

from typing import Any

import numpy as np

from .counters import counters_record
from .deviations import deviations_of
from .energy import ENERGY_KEYS, energy_of
from .energy_table import default_table
from .host import host_record
from .inference import inference_of
from .record import digest, header, timeline_of
from .run_check import compare_goldens, mark_layers
from .run_plan import RunPlan
from .run_samples import Collected, Sample


def record_of(
    plan: RunPlan, samples: list[Sample], collected: Collected, arrays: list[np.ndarray]
) -> dict[str, Any]:
    """What run.json says; arrays: the outputs of all samples."""
    program, totals = plan.program, collected.totals
    info, soc = program.info, program.soc
    whole = program.whole_soc
    peak = sum(whole.tile(t).macs_per_cycle for t in range(whole.tiles))
    golden = compare_goldens(program, arrays, plan.goldens)
    mark_layers(collected.rows, info, collected.verdict)
    macs = int(sum(layer["macs"] for layer in info["layers"]))
    record = {
        **header(),
        "network": {
            "file": program.network.file if program.network else info["network"],
            "sha256": program.network.sha256 if program.network else None,
            "macs": macs,
            "params": info["params"],
        },
        "soc": {
            "name": whole.name,
            "label": whole.label,
            "sha256": whole.sha256,
            "clock_mhz": whole.clock_mhz,
            "config": whole.config,
        },
        "numerics": info["numerics"],
        "blocks": plan.kinds,
        "rtl_seed": plan.rtl_seed,
        "samples": len(samples),
        "state": plan.states.record(),
        "input": {"sha256": digest([part for sample in samples for part in sample])},
        "check": {
            **collected.verdict.record(),
            "golden": golden,
            "level": plan.check,
            "deviations": deviations_of(program.graph),
        },
        "cycles": totals.cycles,
        "time_ms": totals.cycles / (soc.clock_mhz * 1e3),
        "per_sample": [{"cycles": cycles} for cycles in totals.per_sample],
        "inference": inference_of(collected.inferences),
        "engines": totals.engines(macs, peak),
        "memory": memory_of(info, collected),
        "layers": collected.rows,
        "data_time": collected.data_time.record(),
        "placement": info["placements"],
        "outputs": [
            {"name": t["name"], "dtype": t["dtype"], "shape": list(a.shape), "sha256": digest([a])}
            for t, a in zip(program.outputs, arrays, strict=plan.values)
        ],
        "timeline": timeline_of(collected.commands),
        "sram": collected.sram,
        "dsp": collected.kernels,
        "energy_uj": None,
        "simulator": simulator_of(collected, program.compile_s),
    }
    if collected.tiles is None:
        add_energy(record, collected)
    else:
        add_tiles(record, collected)
    if golden is not None and not golden["exact"]:
        record["check"]["exact"] = False
        record["check"]["first"] = record["check"]["first"] or golden["first"]
    if not plan.values:
        record["check"]["exact"] = False
        record["values"] = {"computed": plan.computes, "data_dependent": plan.data_dependent}
    if plan.in_flight > 1 and not plan.tiled:
        record["in_flight"] = {
            "samples": plan.in_flight,
            "overlap": program.overlaps,
            "latency_cycles": collected.latencies,
        }
    if collected.host:
        record["host"] = host_record(plan.host, collected.host)
    if collected.counters is not None:
        record["counters"] = counters_record(collected.counters, collected.rows, plan.counters)
    if plan.faults.faults:
        record["faults"] = collected.faults
    if plan.dsp_trace is not None:
        record["dsp_trace"] = {
            "file": str(plan.dsp_trace.file),
            "lines": collected.traced["written"],
            "left_out": collected.traced["left_out"],
        }
    if plan.waves is not None:
        record["waveforms"] = plan.waves.of_run(record, samples, plan.timeout_ms)
    return record


def add_energy(record: dict[str, Any], collected: Collected) -> None:
    """What was counted, and what that costs by the usual table. RTL counts nothing."""
    if "rtl" in record["blocks"].values():
        for row in record["layers"]:
            row.pop("actions")
        return
    record["actions"] = {**collected.actions.record(), "over_time": collected.over_time}
    found = energy_of(record, default_table())
    record["energy"] = {key: found[key] for key in ENERGY_KEYS}
    record["energy_uj"] = found["uj"]


def add_tiles(record: dict[str, Any], collected: Collected) -> None:
    """What each tile did. Counts of actions are of all; no energy is estimated of them."""
    for row in record["layers"]:
        row.pop("actions")
    assert collected.tiles is not None
    record["tiles"] = collected.tiles
    record["actions"] = collected.actions.record()


def memory_of(info: dict[str, Any], collected: Collected) -> dict[str, Any]:
    totals = collected.totals
    return {
        "dram": {
            "read_bytes": totals.read_bytes,
            "written_bytes": totals.written_bytes,
            "row_hit_rate": totals.row_hit_rate,
            "traffic": collected.traffic,
        },
        "sram": {"peak_bytes": info["sram_bytes"]},
    }


def simulator_of(collected: Collected, compile_s: float | None) -> dict[str, Any]:
    """Time and memory of the simulation itself."""
    totals = collected.totals
    return {
        "wall_s": collected.wall_s,
        "cpu_s": totals.cpu_s,
        "peak_rss_bytes": collected.usage["peak_rss_bytes"],
        "cycles_per_cpu_s": totals.cycles / totals.cpu_s if totals.cpu_s else 0.0,
        "compile_s": compile_s,
    }
