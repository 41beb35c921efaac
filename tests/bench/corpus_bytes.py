"""SHA-256 of every network's loadable on every preset: did a change alter what is compiled?

    PYTHONPATH=sim/python /usr/bin/python3 tests/bench/corpus_bytes.py --to after.json \\
        --against before.json

The networks are those of corpus_cycles.py; JSON: network, SoC, digest, or the first line of what
was refused. With --against each network whose digest differs is printed, and the exit code is 1
if one does.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import presil
from corpus_cycles import SOCS, networks
from presil import paths


def digests(file: Path) -> tuple[str, dict[str, str], float]:
    """By SoC, and CPU seconds of all compilations."""
    row: dict[str, str] = {}
    name = str(file.relative_to(paths.shared() / "models"))
    try:
        network = presil.load(file)
    except presil.Refusal as refusal:
        return name, {soc: str(refusal).splitlines()[0] for soc in SOCS}, 0.0
    begin = time.process_time()
    for soc in SOCS:
        try:
            loadable = presil.compile(network, soc=soc).loadable
            row[soc] = hashlib.sha256(loadable).hexdigest()
        except presil.Refusal as refusal:
            row[soc] = str(refusal).splitlines()[0]
    return name, row, time.process_time() - begin


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--to", type=Path, required=True, help="the list that is written")
    parser.add_argument("--against", type=Path, help="a list written before")
    parser.add_argument("--part", default="", help="only networks whose name holds this")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    files = [f for f in networks() if options.part in str(f)]
    now: dict[str, dict[str, str]] = {}
    seconds = 0.0
    with ProcessPoolExecutor(options.jobs) as pool:
        for name, row, spent in pool.map(digests, files):
            now[name] = row
            seconds += spent
            print(f"{len(now)}/{len(files)} {name}", file=sys.stderr, flush=True)
    options.to.write_text(json.dumps(now, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    print(f"{len(now)} networks, {seconds:.1f} CPU seconds of compilation")
    if options.against is None:
        return 0
    before = json.loads(options.against.read_text(encoding="utf-8"))
    differing = [
        f"{name} on {soc}: {before.get(name, {}).get(soc)} before, {digest} now"
        for name, row in sorted(now.items())
        for soc, digest in row.items()
        if before.get(name, {}).get(soc) != digest
    ]
    print("\n".join(differing) if differing else "every loadable is the same")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
