"""Every trained network against its goldens: a row each, in Markdown, for tests/python/README.md.

PYTHONPATH=sim/python:tests/python /usr/bin/python3 tests/python/exactness_table.py
"""

from __future__ import annotations

import argparse
from collections import Counter
from typing import Any

import numpy as np
import presil
from networks import GOLDENS, NETWORKS, run_against_goldens
from presil import paths

SOCS = ("edge", "micro")


def verdict(check: dict[str, Any]) -> str:
    if check["exact"]:
        return "exact"
    wrong = check["different_bytes"] or check["golden"]["different_bytes"]
    return f"differs from layer {check['first']['layer']} on, {wrong} bytes"


def whole_networks(only: str) -> None:
    for network in NETWORKS:
        if not network.name.startswith(only):
            continue
        for numerics in network.numerics:
            runs = [run_against_goldens(paths.shared(), network, numerics, soc) for soc in SOCS]
            checks = [run.record["check"] for run in runs]
            compared = [
                str(runs[0].record["samples"]),
                f"{checks[0]['golden']['compared_bytes']:,}",
                f"{checks[0]['compared_bytes']:,}",
            ]
            words = " | ".join([*compared, *map(verdict, checks)])
            print(f"| {network.name} | `{numerics}`, {GOLDENS[numerics]} | {words} |", flush=True)


def layers_of_int16() -> None:
    folder = paths.shared() / "models" / "tflm-seanet-int16-layers"
    files = sorted(folder.glob("*/*.tflite"))
    exact: Counter[str] = Counter()
    golden_bytes = 0
    for file in files:
        net = presil.load(file, "tflite")
        inputs = [
            np.fromfile(
                file.with_name(f"{file.stem}_input{i}_{t['dtype']}.bin"), t["dtype"]
            ).reshape(t["shape"])
            for i, t in enumerate(net.inputs)
        ]
        (y,) = net.outputs
        golden = np.fromfile(file.with_name(f"{file.stem}_golden_{y['dtype']}.bin"), y["dtype"])
        golden_bytes += golden.nbytes
        for soc in SOCS:
            run = presil.run(presil.compile(net, soc), inputs, "layers", [golden])
            exact[soc] += run.record["check"]["exact"]
    words = " | ".join(f"{exact[soc]} of {len(files)} exact" for soc in SOCS)
    print(
        f"| {len(files)} layers of int16 | `tflite`, tflm | 1 each | {golden_bytes:,} | | {words} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description="trained networks against their goldens")
    parser.add_argument("--only", default="", help="names that begin so")
    args = parser.parse_args()
    columns = (
        "network",
        "numerics, golden",
        "samples",
        "golden bytes",
        "compared in layers",
        *SOCS,
    )
    print(f"| {' | '.join(columns)} |")
    print("|---|---|---|---|---|---|---|")
    whole_networks(args.only)
    if not args.only:
        layers_of_int16()


if __name__ == "__main__":
    main()
