"""What another SoC would buy a network: each change compiled for and timed, without values."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from .names import number
from .nets import bundled
from .program import Program, compile, program_for
from .refusal import Refusal
from .retime import recorded, same_data, timing_only
from .run import Run, run
from .run_expected import MOST_JOBS
from .soc import load_soc
from .tiles import one_tile
from .timing import Timed, on, timed


def changes_of(config: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """What could be otherwise, and the parameters that make it so."""
    peak = "dram.peak_mb_per_s"
    doubled = (peak, "dla.macs_k", "dla.macs_c", "dla.post_lanes", "dla.feat_ports")
    doubled += ("dma.bursts_per_channel",)
    twice = {name: 2 * config[name] for name in doubled}
    unlimited = {peak: 1000000, "dram.setting": "ideal", "dram.ideal_latency_ps": 0}
    found: list[tuple[str, dict[str, Any]]] = [
        ("DRAM twice as fast", {peak: twice[peak]}),
        ("DRAM without limit", unlimited),
        ("DRAM without latency", {"dram.read_latency_ps": 0}),
        ("SRAM of twice the size", {"sram.bytes": 2 * config["sram.bytes"]}),
        ("SRAM of twice the banks", {"sram.banks": 2 * config["sram.banks"]}),
        ("DMA with twice the bursts under way", {"dma.bursts_per_channel": twice[doubled[5]]}),
        ("twice the feature ports", {"dla.feat_ports": twice["dla.feat_ports"]}),
        ("array of twice the rows", {"dla.macs_k": twice["dla.macs_k"]}),
        ("array of twice the lanes", {"dla.macs_c": twice["dla.macs_c"]}),
        ("twice the requantisers", {"dla.post_lanes": twice["dla.post_lanes"]}),
    ]
    if config.get("dsp.units", 0):
        found += [
            ("DSP of twice the registers", {"dsp.vlen": 2 * config["dsp.vlen"]}),
            ("DSP of twice the datapath", {"dsp.dlen": 2 * config["dsp.dlen"]}),
        ]
    found.append(("host that takes no time", {"host.base": "none"}))
    return found


def change_text(change: dict[str, Any]) -> str:
    return " ".join(f"{name}={value}" for name, value in change.items())


def deltas_of(now: Run, then: Timed) -> list[dict[str, Any]]:
    """By layer, of those with the same name in both."""
    other = then.layers
    return [
        {"name": r["name"], "cycles_now": r["cycles"], "cycles_predicted": other[r["name"]]}
        for r in now.layers
        if r["name"] in other and other[r["name"]] != r["cycles"]
    ]


def overlapped(now: Run) -> dict[str, Any]:
    """A bound: the busiest engine never waits."""
    busy = {name: e["busy"] for name, e in now.record["engines"].items() if e is not None}
    name = max(busy, key=lambda engine: busy[engine])
    return {
        "what": f"perfect overlap: the {name} never waits (a bound, no SoC has it)",
        "change": None,
        "cycles_predicted": int(busy[name]),
        "cycles_same_program": None,
        "layers": [],
    }


def item_of(
    program: Program, now: Run, what: str, change: dict[str, Any], anew: bool
) -> dict[str, Any]:
    """One change: the network compiled anew for that SoC, and the same program where it can be."""
    item: dict[str, Any] = {"what": what, "change": change_text(change)}
    try:
        soc = load_soc(program.soc, change)
        same = None
        if all(map(timing_only, change)):
            same = timed(on(program, soc), compiled_for=str(program.info["soc_text"]))
        elif not anew:
            why = "means another program; without --retime it is compiled for"
            return {**item, "refused": f"whatif: {item['change']} {why}"}
        then = same
        if anew:
            other = compile(program.network, soc)
            alike = same is not None and other.streams == program.streams
            then = same if alike else timed(other)
        assert then is not None
    except Refusal as refusal:
        return {**item, "refused": str(refusal)}
    return {
        **item,
        "cycles_predicted": then.cycles,
        "cycles_same_program": None if same is None else same.cycles,
        "layers": deltas_of(now, then),
    }


def program_of_run(folder: Path) -> tuple[Program, dict[str, Any]]:
    """The network of a run's folder compiled again, which must give the program that has run."""
    before, record = recorded(folder)
    file, own = record["network"]["file"], bundled(before.name)
    if own is not None and str(own.file) == file:
        program = program_for(before.name, before.soc)
    else:
        program = program_for(file, before.soc, numerics=record["numerics"])
    if bytes(program.loadable) != bytes(before.loadable):
        raise Refusal(
            f"whatif: '{record['network']['file']}' compiled again is not the program of '{folder}'"
            "; other options or another presil made it; give the network and --soc instead"
        )
    return program, record


def whatif(
    net: Any,
    soc: Any = None,
    set: Any = (),  # noqa: A002
    *,
    anew: bool = True,
    jobs: int | None = None,
) -> dict[str, Any]:
    """What to change first: `items`, those that buy most first.

    net: a network as of `presil.compile`, or the folder of a run. soc, set: of a network.
    anew: False: the program that there is is timed again, by changes of the timing alone, in a
      fraction of the time; a compiler might make more of such a SoC.
    jobs: threads, each with a simulator; None: all processors.
    """
    threads = os.cpu_count() or 1 if jobs is None else jobs
    number(threads, 1, MOST_JOBS, "whatif: jobs", f", must be 1 to {MOST_JOBS}", whole=True)
    record = None
    if isinstance(net, (str, Path)) and Path(net).is_dir():
        if soc is not None or set:
            raise Refusal("whatif: the SoC is that of the run; give the network to choose another")
        program, record = program_of_run(Path(net))
    else:
        program = program_for(net, soc or "edge", set)
        if program.system is not None:
            one_tile(program.system, "whatif", "it times one program, on one tile")
    if program.network is None:
        raise Refusal("whatif: this is a loadable, which is for one SoC; give its network")
    now = run(program, values=False)
    if record is not None:
        same_data(now, record, program)
    changes = changes_of(now.record["soc"]["config"])
    with ThreadPoolExecutor(threads) as pool:
        items = list(pool.map(lambda one: item_of(program, now, *one, anew), changes))
    refused = [item for item in items if "refused" in item]
    found = [item for item in items if "refused" not in item] + [overlapped(now)]
    for item in found:
        item["cycles_now"] = now.cycles
        item["saves"] = now.cycles - item["cycles_predicted"]
    found.sort(key=lambda item: (-item["saves"], item["what"]))
    return {
        "network": now.record["network"]["file"],
        "soc": now.record["soc"]["label"],
        "cycles_now": now.cycles,
        "items": found,
        "refused": refused,
    }
