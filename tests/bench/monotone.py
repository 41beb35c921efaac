"""Where more hardware makes a plan worse: rises of cycles when one resource grows.

    PYTHONPATH=sim/python /usr/bin/python3 tests/bench/monotone.py [--held-out] [--slow] [--quick]

Networks and single layers over SRAM of 64 KiB to 4 MiB in 24 steps at two bandwidths, over 6
bandwidths, and over arrays of the DLA. A rise is listed where the cycles are more than 1 % above
the least with less of that resource, with what the estimate said of it: where it said less, the
plan was chosen by an error of the estimate. The exit code is 0: exceptions may have a physical
cause, such as one weight port under a large array. --to FILE writes the cycles as JSON.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

from single_layers import single_layers
from sweeps import Measured, Soc, Subject, measure, networks

MOST_RISE = 0.01
PAGE = 4096  # sram.bytes is a multiple of it
SIZES = [round(65536 * 64 ** (i / 23) / PAGE) * PAGE for i in range(24)]
RATES = (1600, 3200, 6400, 12800, 19200, 25600)
#: Of rows and lanes; each grows in one of them from an array before it.
ARRAYS = ((16, 16), (16, 32), (32, 16), (32, 32))
SMALLER = {(16, 32): [(16, 16)], (32, 16): [(16, 16)], (32, 32): [(16, 16), (16, 32), (32, 16)]}


def sizes_of(name: str, *others: str) -> list[tuple[str, Soc]]:
    return [(name, Soc("edge", (f"sram.bytes={size}", *others))) for size in SIZES]


CHAINS = [
    [(f"SRAM {size // 1024} KiB", Soc("edge", (f"sram.bytes={size}",))) for size in SIZES],
    [
        (
            f"SRAM {size // 1024} KiB, 3200 MB/s",
            Soc("edge", (f"sram.bytes={size}", "dram.peak_mb_per_s=3200")),
        )
        for size in SIZES
    ],
    [(f"{rate} MB/s", Soc("edge", (f"dram.peak_mb_per_s={rate}",))) for rate in RATES],
    [
        (f"{rate} MB/s, 128 KiB", Soc("edge", (f"dram.peak_mb_per_s={rate}", "sram.bytes=131072")))
        for rate in RATES
    ],
]


def array(rows: int, lanes: int) -> tuple[str, Soc]:
    return f"array {rows}x{lanes}", Soc("edge", (f"dla.macs_k={rows}", f"dla.macs_c={lanes}"))


def chains() -> Iterator[list[tuple[str, Soc]]]:
    yield from CHAINS
    for larger, smaller in SMALLER.items():
        for one in smaller:
            yield [array(*one), array(*larger)]


def rises(subject: Subject, every: dict[str, Measured]) -> Iterator[tuple[float, str]]:
    for chain in chains():
        least, at = Measured(0, 0, 0), ""
        for name, soc in chain:
            now = every.get(str(soc), Measured(0, 0, 0))
            if now.cycles == 0:
                continue
            if least.whole and now.whole > least.whole * (1 + MOST_RISE):
                rise, said = now.whole / least.whole - 1, now.estimate / least.estimate - 1
                runs = f"{at:28} {least.whole:9} {name:28} {now.whole:9} {rise:+.1%}"
                yield rise, f"{subject.name:32} {runs}, estimate {said:+.1%}"
            if not least.whole or now.whole < least.whole:
                least, at = now, name


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--held-out", action="store_true")
    parser.add_argument("--slow", action="store_true")
    parser.add_argument("--quick", action="store_true", help="no networks")
    parser.add_argument("--networks", action="store_true", help="no single layers")
    parser.add_argument("--part", default="", help="only those whose name holds this")
    parser.add_argument("--to", type=Path)
    options = parser.parse_args()
    subjects: list[Subject] = []
    if not options.networks:
        subjects += single_layers(options.held_out)
    if not options.quick:
        subjects += networks(options.held_out, options.slow)
    socs = {str(soc): soc for chain in chains() for _, soc in chain}
    every: dict[str, dict[str, int]] = {}
    found: list[tuple[float, str]] = []
    for subject in subjects:
        if options.part not in subject.name:
            continue
        measured = {name: measure(subject, soc) for name, soc in socs.items()}
        every[subject.name] = {name: m.whole for name, m in measured.items()}
        own = list(rises(subject, measured))
        found += own
        print(f"{subject.name:32} {len(own)} rises", flush=True)
    if options.to:
        options.to.write_text(json.dumps(every, indent=1) + "\n", encoding="utf-8")
    for _, row in sorted(found, reverse=True):
        print(row)
    print(f"{len(found)} rises above {MOST_RISE:.0%} in {len(every)} networks and layers")


if __name__ == "__main__":
    main()
