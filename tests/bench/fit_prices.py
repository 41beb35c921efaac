#!/usr/bin/env python3
"""Fits what a native host takes to runs of the driver as firmware: models/soc/host_prices_fit.h.

    PYTHONPATH=sim/python /usr/bin/python3 tests/bench/fit_prices.py [--write] [--runs FILE]
        [--core m33 ..] [--cases N]

Every operator of tests/reference/oracle in random shapes, operators of dsp_operators.py and random
networks run on `edge` with everything on the host, on each core. A task takes

    cycles_call + call + elements * element + bytes * byte

(models/soc/host_prices.h), none below 0, that fit best by least squares, errors weighed between
shares and cycles.
What the driver takes around a job is fitted to random networks on all engines. Prints how well each
kernel's price fits, also to shapes and networks that nothing is fitted to.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections import defaultdict
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import numpy as np
from fit_cost import error_of_logs, not_negative
from host_runs import (
    Hosts,
    Job,
    Task,
    of_boxes,
    of_bundled,
    of_networks,
    of_oracle,
    of_shapes,
    of_tosa,
)
from presil.host import CORES

ROOT = Path(__file__).resolve().parents[2]
FIT = ROOT / "models/soc/host_prices_fit.h"
FIRMWARE = ROOT / "sim/host_cpu/prebuilt/firmware.json"
#: Weight of an error by the cycles to the power of this: 1 counts shares, 0 cycles.
BETWEEN = 0.75
#: Of the lists in the file: `edge` has the first.
LISTS = ("aarch64", "m33", "m4", "rv64")
#: Not executed: the cores here have no data caches. Of a line two instructions and the look-up are
#: assumed, and the lines of Cortex-A.
CACHES = {"aarch64": (4, 64)}


class Driver(NamedTuple):
    submit: int
    submit_queue: int
    returns: int
    interrupt: int
    call: int
    bytes_per_cycle: float


class Runs(NamedTuple):
    tasks: dict[str, list[Task]]  #: by core
    jobs: dict[str, list[Job]]


Price = tuple[float, float, float]  #: of a call, an element, a byte


def driver_of(tasks: list[Task], jobs: list[Job]) -> Driver:
    """Around jobs of which the host computes nothing."""
    plain = [job for job in jobs if job.tasks == 0 and job.doorbells > 0]
    rows = np.array([[1, job.doorbells] for job in plain], float)
    once, queue = not_negative(rows, np.array([job.all - job.copy for job in plain], float))
    interrupt = float(np.mean([job.interrupt for job in plain if job.interrupt > 0]))
    returns = float(np.mean([job.returns for job in plain]))
    return Driver(
        round(once - interrupt - returns),
        round(queue),
        round(returns),
        round(interrupt),
        round(float(np.mean([t.before for t in tasks if t.before >= 0]))),
        2 * sum(job.copied for job in jobs) / sum(job.copy for job in jobs),
    )


def price_of(tasks: list[Task]) -> Price:
    cycles = np.array([t.cycles for t in tasks], float)
    rows = np.array([[1, t.elements, t.bytes] for t in tasks], float)
    weights = cycles**-BETWEEN
    call, element, byte = not_negative(rows * weights[:, None], cycles * weights)
    return float(call), float(element), float(byte)


def cycles_of(price: Price, task: Task) -> float:
    return price[0] + price[1] * task.elements + price[2] * task.bytes


def by_kernel(tasks: list[Task]) -> dict[str, list[Task]]:
    found: dict[str, list[Task]] = defaultdict(list)
    for task in tasks:
        if task.kernel != "nop":
            found[task.kernel].append(task)
    return found


def share_off(price: Price, tasks: list[Task]) -> float:
    """How far all of them together are away."""
    took = sum(t.cycles for t in tasks)
    return sum(cycles_of(price, t) for t in tasks) / took - 1 if took else 0.0


def all_runs(cores: tuple[str, ...], cases: int, seed: int) -> Runs:
    hosts = Hosts(cores)
    runs = Runs({c: [] for c in cores}, {c: [] for c in cores})
    alone = chain(
        of_oracle(seed, cases, True),
        of_shapes(seed, 2, True),
        of_networks(seed, 2, True),
        of_tosa(seed % 2, 2),
        of_boxes(seed, 2 * cases),
    )
    for case in alone:
        for core, (tasks, _) in hosts.measured(case).items():
            runs.tasks[core] += tasks
    engines = chain(
        of_oracle(seed, 1, False),
        of_shapes(seed, 1, False),
        of_networks(seed, 4, False),
        of_bundled(),
    )
    for case in engines:
        for core, (_, job) in hosts.measured(case).items():
            runs.jobs[core].append(job)
    hosts.close()
    return runs


def kept_runs(file: Path | None, cores: tuple[str, ...], cases: int) -> list[Runs]:
    """Those that are fitted to, and others."""
    if file is not None and file.exists():
        return [
            Runs(
                {c: [Task(*t) for t in some] for c, some in tasks.items()},
                {c: [Job(*j) for j in some] for c, some in jobs.items()},
            )
            for tasks, jobs in json.loads(file.read_text(encoding="utf-8"))
        ]
    runs = [all_runs(cores, cases, 0), all_runs(cores, 1, 1001)]
    if file is not None:
        file.write_text(json.dumps(runs), encoding="utf-8")
    return runs


HEAD = """// What native hosts take, fitted to the driver as firmware on `edge` by
// tests/bench/fit_prices.py: change that, not this. Of each kernel cycles of a call, an element
// and a byte.
// Firmware: @
// clang-format off
#pragma once

#include "models/soc/host_prices.h"

namespace presil {

struct HostKernelFit {
  const char* kernel;
  KernelPrice prices[COUNT];  // in the order of kHostFits
};

// submit, submit_queue, return, cache_line, cache_line_bytes, interrupt, call, bytes_per_cycle
static const HostConfig kHostFits[] = {
""".replace("COUNT", str(len(LISTS)))


def firmware() -> str:
    """SHA-256 of the SHA-256 of the images that `--host` runs."""
    images = json.loads(FIRMWARE.read_text(encoding="utf-8"))["images"]
    own = {name: digest for name, digest in images.items() if "_program" not in name}
    return hashlib.sha256(json.dumps(own, sort_keys=True).encode()).hexdigest()


def text_of(drivers: dict[str, Driver], prices: dict[str, dict[str, Price]]) -> str:
    text = HEAD.replace("@", firmware())
    for core in LISTS:
        d, (line, line_bytes) = drivers[core], CACHES.get(core, (0, 0))
        text += f'  {{"{core}", {d.submit}, {d.submit_queue}, {d.returns}, {line}, {line_bytes}, '
        text += f"{d.interrupt}, {d.call}, {d.bytes_per_cycle:.4g}, {{}}}},\n"
    text += "};\n\nstatic const HostKernelFit kHostKernelFits[] = {\n"
    for kernel in sorted(prices[LISTS[0]]):
        own = ("{" + ", ".join(f"{v:.4g}" for v in prices[core][kernel]) + "}" for core in LISTS)
        text += f'  {{"{kernel}", {{' + ", ".join(own) + "}},\n"
    return text + "};\n\n}  // namespace presil\n"


def printed(core: str, driver: Driver, own: Runs, others: Runs) -> dict[str, Price]:
    """A table of the kernels of a core. Returns their prices."""
    print(f"\n{core}: {driver}\n")
    print("| kernel | call | element | byte | tasks | rms | sum | others | rms | sum |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    known, compared = by_kernel(own.tasks[core]), by_kernel(others.tasks[core])
    prices = {}
    for kernel, tasks in sorted(known.items()):
        price = prices[kernel] = price_of(tasks)
        row = "| " + " | ".join([kernel, *(f"{v:,.4g}" for v in price)])
        for some in (tasks, compared.get(kernel, [])):
            rms = error_of_logs([cycles_of(price, t) for t in some], [t.cycles for t in some])
            row += f" | {len(some)} | {rms:.3f} | {share_off(price, some):+.1%}"
        print(row + " |")
    return prices


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--runs", type=Path, help="kept there, and taken from there if it exists")
    parser.add_argument("--core", nargs="+", choices=CORES, default=list(LISTS))
    parser.add_argument("--cases", type=int, default=4, help="of each operator and type")
    args = parser.parse_args()
    cores = tuple(args.core)
    own, others = kept_runs(args.runs, cores, args.cases)
    drivers = {c: driver_of(own.tasks[c], own.jobs[c]) for c in cores}
    prices = {c: printed(c, drivers[c], own, others) for c in cores}
    if args.write:
        if cores != LISTS:
            raise SystemExit("--write is of all cores: leave out --core")
        FIT.write_text(text_of(drivers, prices), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
