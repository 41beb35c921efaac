"""Cycles of every network of the corpus on every preset, compared with a list made before.

    PYTHONPATH=sim/python /usr/bin/python3 tests/bench/corpus_cycles.py --to after.json \\
        --against before.json

One sample of each network of $PRESIL_SHARED/models on `edge`, `micro` and `big`; JSON: network,
SoC, cycles, or the first line of what was refused. With --against the networks whose cycles differ
are printed as a Markdown table, worst first, and the exit code is 1 when one of them rose by more
than 0.5 % or is refused now.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "sim" / "python"))

import presil  # noqa: E402
from presil import paths  # noqa: E402

SOCS = ("edge", "micro", "big")
MOST_RISE = 0.005  # of the cycles before


def networks() -> list[Path]:
    """The corpus, the largest files first, so that the last worker does not end alone."""
    shared = paths.shared()
    files = [f for f in (shared / "models").glob("*/**/*") if f.suffix in (".tflite", ".onnx")]
    return sorted(files, key=lambda f: -f.stat().st_size)


def measured(file: Path) -> tuple[str, dict[str, Any]]:
    row: dict[str, Any] = {}
    name = str(file.relative_to(paths.shared() / "models"))
    try:
        network = presil.load(file)
    except presil.Refusal as refusal:
        return name, {soc: str(refusal).splitlines()[0] for soc in SOCS}
    for soc in SOCS:
        try:
            row[soc] = presil.run(network, soc=soc, check="none").cycles
        except presil.Refusal as refusal:
            row[soc] = str(refusal).splitlines()[0]
    return name, row


def compared(now: dict[str, Any], before: dict[str, Any]) -> tuple[list[str], bool]:
    """Rows of a Markdown table, and whether one of them is a loss."""
    rows: list[tuple[float, str]] = []
    lost = False
    for name, row in sorted(now.items()):
        for soc, cycles in row.items():
            old = before.get(name, {}).get(soc)
            if cycles == old or not isinstance(old, int):
                continue
            if not isinstance(cycles, int):
                rows.append((float("inf"), f"| {name} | {soc} | {old:,} | {cycles} | |"))
                lost = True
                continue
            change = cycles / old - 1
            lost |= change > MOST_RISE
            rows.append((change, f"| {name} | {soc} | {old:,} | {cycles:,} | {change:+.2%} |"))
    rows.sort(key=lambda r: -r[0])
    head = ["| network | SoC | before | now | change |", "|---|---|---|---|---|"]
    return head + [row for _, row in rows], lost


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--to", type=Path, required=True, help="the list that is written")
    parser.add_argument("--against", type=Path, help="a list written before")
    parser.add_argument("--part", default="", help="only networks whose name holds this")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    files = [f for f in networks() if options.part in str(f)]
    now: dict[str, Any] = {}
    with ProcessPoolExecutor(options.jobs) as pool:
        for name, row in pool.map(measured, files):
            now[name] = row
            print(f"{len(now)}/{len(files)} {name}: {row}", file=sys.stderr, flush=True)
    options.to.write_text(json.dumps(now, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    if options.against is None:
        return 0
    rows, lost = compared(now, json.loads(options.against.read_text(encoding="utf-8")))
    print("\n".join(rows))
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
