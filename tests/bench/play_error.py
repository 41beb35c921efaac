"""The cycles of plans as the compiler plays them, against runs: what the last choice is made by.

    PYTHONPATH=sim/python /usr/bin/python3 tests/bench/play_error.py [--held-out] [--slow] [--quick]

The networks and SoCs of estimate.py. Of each the plan that is taken, as `presil inspect --stage
play` plays it, over the run without the host's tasks at its end. Prints, by network, the geometric
mean of played / run and the root mean square of its logarithm, and the furthest off.
--quick: three SoCs.
"""

from __future__ import annotations

import argparse
import math
import re

import presil
from estimate import SOCS, summary
from sweeps import measure, networks

TAKEN = re.compile(r"played (\d+), taken")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--held-out", action="store_true")
    parser.add_argument("--slow", action="store_true")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--worst", type=int, default=12)
    options = parser.parse_args()
    rows = []
    for subject in networks(options.held_out, options.slow):
        own = []
        for soc in SOCS[:3] if options.quick else SOCS:
            run = measure(subject, soc).cycles
            played = TAKEN.search(presil.stage(subject.network, "play", soc.load()))
            if run == 0 or played is None:
                continue
            own.append(int(played[1]) / run)
            rows.append((own[-1], f"{subject.name:32} {soc!s:52} {played[1]:>9} {run:9}"))
        if own:
            print(f"{subject.name:40} {summary(own)}", flush=True)
    rows.sort(key=lambda r: -abs(math.log(r[0])))
    for ratio, row in rows[: options.worst]:
        print(f"{row} {ratio:.4f}")
    print(f"all: {summary([ratio for ratio, _ in rows])}")


if __name__ == "__main__":
    main()
