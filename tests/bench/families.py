"""Networks of families against their bound: what was not tuned for.

    PYTHONPATH=sim/python /usr/bin/python3 tests/bench/families.py FOLDER [--soc edge] [--kind int8]

Each network of tests/reference/families is converted into FOLDER once, by the environment that
trains the bundled network, and run. Printed are its cycles over their bound, max(MACs / (rows x
lanes), 500 + bytes of file, inputs and outputs over the memory's peak rate), the share of each
engine of the layers' cycles, and the operators of the host.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from statistics import median
from typing import Any

import presil
from sweeps import ROOT

sys.path.insert(0, str(ROOT / "tests" / "reference"))

from family_bound import bound  # noqa: E402
from family_inputs import inputs_of  # noqa: E402

TRAINING = Path(
    os.environ.get("PRESIL_TENSORFLOW", Path.home() / ".cache/presil/venv-train/bin/python")
)
FAMILIES = ROOT / "tests/reference/families"


def names() -> list[str]:
    told = subprocess.run(
        [str(TRAINING), "-c", "from families import NAMES; print(' '.join(NAMES))"],
        cwd=FAMILIES.parent,
        capture_output=True,
        text=True,
        check=True,
    )
    return told.stdout.split()


def converted(folder: Path, name: str, kind: str) -> Path | None:
    """The network as TFLite; None: the converter cannot."""
    into = folder / name
    file = into / f"{kind}.tflite"
    if not into.is_dir():
        into.mkdir(parents=True)
    if not file.is_file():
        command = [str(TRAINING), str(FAMILIES / "convert.py"), str(into), name, kind]
        environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
        subprocess.run(command, capture_output=True, check=False, env=environment, timeout=600)
    return file if file.is_file() else None


def row(name: str, file: Path, soc: str) -> dict[str, Any]:
    net = presil.load(file)
    run = presil.run(presil.compile(net, soc=soc), inputs_of(net), check="layers")
    shares: Counter[str] = Counter()
    hosts: Counter[str] = Counter()
    for layer in run.layers:
        shares[layer["engine"]] += layer["cycles"]
        if layer["engine"] == "host":
            hosts[layer["op"]] += layer["cycles"]
    total = sum(shares.values()) or 1
    return {
        "name": name,
        "cycles": run.cycles,
        "ratio": run.cycles / bound(run, net, file),
        "exact": run.exact,
        "shares": {e: c / total for e, c in shares.items()},
        "hosts": {o: c / total for o, c in hosts.most_common(4)},
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--soc", default="edge")
    parser.add_argument("--kind", default="int8")
    parser.add_argument("--to", type=Path)
    options = parser.parse_args()
    rows = []
    for name in names():
        file = converted(options.folder, name, options.kind)
        if file is None:
            print(f"{name:22} not converted")
            continue
        try:
            one = row(name, file, options.soc)
        except presil.Refusal as refused:
            print(f"{name:22} refused: {refused}")
            continue
        rows.append(one)
        shares = " ".join(f"{e} {s:.0%}" for e, s in sorted(one["shares"].items()))
        by_host = " ".join(f"{o} {s:.0%}" for o, s in one["hosts"].items() if s > 0.01)
        exact = "" if one["exact"] else " NOT EXACT"
        figures = f"{name:22} {one['cycles']:9} {one['ratio']:6.1f}x"
        print(f"{figures} {shares} | {by_host}{exact}", flush=True)
    ratios = sorted(r["ratio"] for r in rows)
    print(f"{len(rows)} networks: median {median(ratios):.1f}x, worst {ratios[-1]:.1f}x")
    if options.to:
        options.to.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
