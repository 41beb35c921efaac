"""The compiler's estimate of a network's cycles against the run: what plans are chosen by.

    PYTHONPATH=sim/python /usr/bin/python3 tests/bench/estimate.py [--held-out] [--slow] [--layers]

Networks, or with --layers single layers, on 26 SoCs: SRAM, bandwidth and latency of the DRAM, array
and number of DLAs, vectors of the DSP. Prints, by SoC and by network, the geometric mean of
estimate / run and the root mean square of its logarithm, and the furthest off; --all prints each
measurement.
--held-out: those that estimates are not tuned with. --slow: also those that take long to simulate.
"""

from __future__ import annotations

import argparse
import math
from collections import defaultdict

from single_layers import single_layers
from sweeps import Soc, measure, networks

SLOW_DRAM = "dram.peak_mb_per_s=3200"
SOCS = [
    Soc(),
    Soc("micro"),
    Soc("big"),
    *[Soc("edge", (f"sram.bytes={1024 * kib}",)) for kib in (16, 32, 64, 128, 256, 512, 4096)],
    *[Soc("edge", (f"dram.peak_mb_per_s={rate}",)) for rate in (1600, 3200, 6400, 25600)],
    *[Soc("edge", (f"dram.read_latency_ps={latency}",)) for latency in (20000, 80000, 160000)],
    Soc("edge", (SLOW_DRAM, "sram.bytes=65536")),
    *[
        Soc("edge", (f"dla.macs_k={k}", f"dla.macs_c={c}"))
        for k, c in ((32, 16), (16, 32), (32, 32))
    ],
    Soc("edge", ("dsp.vlen=128", "dsp.dlen=64")),
    Soc("edge", ("dsp.vlen=256", "dsp.dlen=128")),
    Soc("edge", ("dsp.vlen=1024", "dsp.dlen=512", "dsp.arithmetic_sequencers=2")),
    *[Soc("edge", ("dla.units=2", *more)) for more in ((), ("dram.peak_mb_per_s=25600",))],
]


def summary(ratios: list[float]) -> str:
    logs = [math.log(r) for r in ratios]
    mean = math.exp(sum(logs) / len(logs))
    rms = math.sqrt(sum(x * x for x in logs) / len(logs))
    return f"mean {mean:.3f}, rms {rms:.3f}, {min(ratios):.2f} to {max(ratios):.2f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--held-out", action="store_true")
    parser.add_argument("--slow", action="store_true")
    parser.add_argument("--layers", action="store_true")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--worst", type=int, default=12)
    options = parser.parse_args()
    subjects = (
        single_layers(options.held_out)
        if options.layers
        else networks(options.held_out, options.slow)
    )
    rows = []
    by_soc: dict[str, list[float]] = defaultdict(list)
    for subject in subjects:
        own = []
        for soc in SOCS:
            got = measure(subject, soc)
            if got.cycles == 0:
                continue
            own.append(got.estimate / got.cycles)
            by_soc[str(soc)].append(own[-1])
            rows.append((own[-1], f"{subject.name:32} {soc!s:52} {got.estimate:9} {got.cycles:9}"))
            if options.all:
                print(f"{rows[-1][1]} {own[-1]:.3f}", flush=True)
        if own:
            print(f"{subject.name:40} {summary(own)}", flush=True)
    for name, ratios in by_soc.items():
        print(f"{name:52} {summary(ratios)}")
    rows.sort(key=lambda r: -abs(math.log(r[0])))
    for ratio, row in rows[: options.worst]:
        print(f"{row} {ratio:.3f}")
    print(f"all: {summary([ratio for ratio, _ in rows])}")


if __name__ == "__main__":
    main()
