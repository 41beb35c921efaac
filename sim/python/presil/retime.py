"""The same program on a SoC that takes other times: what has to be compiled anew is refused."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from .nets import bundled
from .program import Program, open_loadable
from .refusal import Refusal
from .run import Run
from .run_plan import RunPlan
from .run_record import record_of
from .run_samples import run_samples
from .samples import inputs_of, split_samples
from .soc import load_soc
from .soc_parameters import Overrides, pairs_of
from .states import States

TIMING = (
    *("clock_mhz", "dram.", "noc.", "host.", "sram.banks", "dma.prefetch", "dma.bursts_"),
    *("dla.feat_ports", "dla.weight_ports", "dla.post_lanes", "dla.ew_lanes", "dla.prefetch"),
    *("dla.cycles_", "dla.post_operations", "dla.post_overlap", "dla.memory_overlap"),
    *("dsp.dlen", "dsp.arithmetic_sequencers", "dsp.gather_by_element", "dsp.prefetch"),
)
"""Parameters, and beginnings of names, that no command depends on."""
MEANING = ("dram.bytes",)
"""Of these those that some do."""


def timing_only(name: str) -> bool:
    """Whether a parameter changes how long commands take, and nothing that they say."""
    return name.startswith(TIMING) and name not in MEANING


def retimed(program: Program, changes: Overrides, inputs: Any = None, seed: int = 0) -> Run:
    """A program on its SoC with other times."""
    for name, value in pairs_of(changes):
        if not timing_only(name):
            raise Refusal(
                f"retime: {name}={value} changes what the program means, must be a parameter of "
                "the timing alone; use --recompile, which compiles the network for that SoC"
            )
    other = replace(program, soc=load_soc(program.soc, changes))
    given = States.of(other.graph, False).given(other.inputs)
    own = other.network or bundled(program.name)
    sample = own.sample if own else None
    arrays, source = inputs_of(given, inputs, seed, sample)
    plan = RunPlan(other, "none", values=False, compiled_for=str(program.info["soc_text"]))
    samples = split_samples(given, arrays)
    collected = run_samples(plan, samples, None)
    record = record_of(plan, samples, collected, [])
    record["input"]["source"] = source
    return Run(record, [], other.outputs, other, collected.commands)


def recorded(folder: str | Path) -> tuple[Program, dict[str, Any]]:
    """Program and record of a run's folder."""
    file = Path(folder) / "run.json"
    try:
        record = json.loads(file.read_text(encoding="utf-8"))
        record["network"]["file"], record["input"]["sha256"], record["samples"]
        tiles = record.get("tiles", {}).get("count", 1)
    except (OSError, ValueError, KeyError, TypeError):
        raise Refusal(
            f"retime: '{folder}' has no run.json of a run; give the folder that "
            "`presil run NET --out DIR` has written"
        ) from None
    if tiles > 1:
        raise Refusal(
            f"run: '{folder}' is a run over {tiles} tiles, must be of one; run the network with "
            "--set tiles=1"
        )
    return open_loadable(Path(folder) / "net.presil"), record


def same_data(run: Run, record: dict[str, Any], program: Program) -> None:
    """Refuses other data than the record's where time follows them."""
    layers = run.record["values"]["data_dependent"]
    if layers and run.record["input"]["sha256"] != record["input"]["sha256"]:
        raise Refusal(
            f"retime: the time of layer '{layers[0]}' follows the data, and these are not the "
            f"inputs that the run of {program.name} had; give those as inputs"
        )


def retime(
    folder: str | Path,
    set: Overrides = (),
    *,
    inputs: Any = None,  # noqa: A002
) -> Run:
    """A recorded run with other times: the same program, without values (`presil.run`).

    folder: of a run. set: parameters of its SoC's timing; others are refused by name.
    inputs: those of the run; needed where a layer's time follows them.
    """
    program, record = recorded(folder)
    run = retimed(program, set, inputs)
    same_data(run, record, program)
    return run
