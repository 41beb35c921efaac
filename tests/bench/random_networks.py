"""Random networks of all types against both runtimes and their bound: what was not tuned for.

    PYTHONPATH=sim/python /usr/bin/python3 tests/bench/random_networks.py [--first 0] [--count 20]
        [--kind Int8] [--soc edge] [--to FILE] [--write] [--verbose]

Each network of tests/reference/oracle/networks.py, batch 1 to 4, is compared with the runtime of
its numerics and run on the SoC with every tensor compared; its streams are replayed. Printed are by
type its cycles over the bound of families.py, the host's share, refusals, and what differs;
--write puts the table into random_networks.md.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import Counter
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
import presil
from sweeps import ROOT

sys.path.insert(0, str(ROOT / "tests" / "reference"))

from family_bound import bound  # noqa: E402
from oracle.networks import KINDS, Net, network  # noqa: E402
from oracle.runtimes import Runtimes  # noqa: E402

#: Numerics that are tried, and how far floats may be away, as a share of the largest.
RULES = {
    "Int8": ("tflite", "xnnpack"), "Uint8": ("xnnpack",), "Int16": ("tflite", "xnnpack"),
    "Float32": ("xnnpack",), "Dynamic": ("xnnpack",),
}  # fmt: skip
NEAR = {"Float32": 1e-4, "Dynamic": 2e-2}
Row = dict[str, Any]
WRITTEN = Path(__file__).with_name("random_networks.md")
ABOUT = """, by `tests/bench/random_networks.py`: cycles over
the bound max(MACs / 256, 500 + bytes / bandwidth), the host's share of the layers' cycles."""
HEAD = (
    "| type | numerics | networks | median | 90 % | worst | host: median, 95 % | refused | "
    "differ from the runtime | not exact |",
    "|---|---|---|---|---|---|---|---|---|---|",
)


def difference(net: Net, kind: str, got: Any, runtime: Any) -> str:
    """What of the first output is not the runtime's; '' is nothing, or that it has none."""
    if isinstance(runtime, str):
        return ""
    mine, theirs = got.astype(float).reshape(-1), runtime[0].astype(float).reshape(-1)
    away = np.abs(mine - theirs)
    near = NEAR.get(kind, 0) * max(float(np.abs(theirs).max()), 1e-30)
    wrong = int((away > near).sum())
    return f"{wrong} of {away.size} values, by {away.max():g}" if wrong else ""


def row(kind: str, seed: int, rules: str, soc: Any, runtimes: Runtimes, folder: Path) -> Row:
    made = network(kind, seed)
    file, values = folder / "net.tflite", made.m.values()
    file.write_bytes(made.m.file())
    one: Row = {"kind": kind, "seed": seed, "rules": rules, "parts": made.parts}
    one["batch"] = made.m.tensors[made.m.inputs[0]]["shape"][0]
    answer = runtimes(rules, file.read_bytes(), values)
    try:
        net = presil.load(file, rules)
        program = presil.compile(net, soc)
        run = presil.run(program, values, check="layers")
    except presil.Refusal as refusal:
        # What the runtime does not take either says nothing about presil.
        return one | {"refused": str(refusal) if not isinstance(answer, str) else ""}
    got = next(iter(run.outputs.values()))
    one["differs"] = difference(made, kind, np.asarray(got), answer)
    one["compared"] = not isinstance(answer, str)
    one["exact"], one["memory"] = run.exact, program.check_memory()["wrong"]
    shares: Counter[str] = Counter()
    by: Counter[str] = Counter()
    for layer in run.layers:
        shares[layer["engine"]] += layer["cycles"]
        by[f"{layer['op']} on {layer['engine']}"] += layer["cycles"]
    total = sum(shares.values()) or 1
    one["cycles"], one["ratio"] = run.cycles, run.cycles / bound(run, net, file)
    one["host"] = shares["host"] / total
    one["most"] = {name: cycles / total for name, cycles in by.most_common(3)}
    return one


def line(one: Row) -> str:
    head = f"{one['kind']:8} {one['seed']:5} {one['rules']:8} batch {one['batch']}"
    if "refused" in one:
        return f"{head} refused: {one['refused'] or 'as by the runtime'}"
    most = ", ".join(f"{name} {share:.0%}" for name, share in one["most"].items())
    told = f"{head} {one['cycles']:9} {one['ratio']:7.1f}x host {one['host']:4.0%} | {most}"
    told += "" if one["exact"] else " | NOT EXACT"
    told += f" | memory: {one['memory']}" if one["memory"] else ""
    return told + (f" | differs: {one['differs']}" if one["differs"] else "")


def summary(kind: str, rules: str, rows: list[Row]) -> str:
    ran = [r for r in rows if "ratio" in r]
    if not ran:
        return f"| {kind} | {rules} | {len(rows)} | | | | | | |"
    ratios, hosts = sorted(r["ratio"] for r in ran), sorted(r["host"] for r in ran)
    refused = sum(1 for r in rows if r.get("refused"))
    wrong = sum(1 for r in ran if not r["exact"] or r["memory"])
    p90, p95 = ratios[int(0.9 * (len(ran) - 1))], hosts[int(0.95 * (len(ran) - 1))]
    return (
        f"| {kind} | {rules} | {len(rows)} | {median(ratios):.1f} | {p90:.1f} | {ratios[-1]:.0f} | "
        f"{median(hosts):.0%}, {p95:.0%} | {refused} | "
        f"{sum(bool(r['differs']) for r in ran)} of {sum(r['compared'] for r in ran)} | {wrong} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--first", type=int, default=0, help="seed of the first network")
    parser.add_argument("--count", type=int, default=20, help="of each type")
    parser.add_argument("--kind", choices=KINDS)
    parser.add_argument("--soc", default="edge")
    parser.add_argument("--to", type=Path)
    parser.add_argument("--write", action="store_true", help=f"into {WRITTEN.name}")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    soc, runtimes = presil.load_soc(options.soc), Runtimes()
    rows: list[Row] = []
    table = []
    with tempfile.TemporaryDirectory() as folder:
        for kind in [options.kind] if options.kind else KINDS:
            for rules in RULES[kind]:
                some = []
                for seed in range(options.first, options.first + options.count):
                    some.append(row(kind, seed, rules, soc, runtimes, Path(folder)))
                    bad = some[-1].get("refused") or some[-1].get("differs")
                    bad = bad or not some[-1].get("exact", True) or some[-1].get("memory")
                    if options.verbose or bad:
                        print(line(some[-1]), flush=True)
                table.append(summary(kind, rules, some))
                rows += some
    text = "\n".join([*HEAD, *table, ""])
    print(text)
    if options.write:
        last = options.first + options.count - 1
        told = f"Seeds {options.first} to {last} of each type on `{options.soc}`"
        WRITTEN.write_text(f"# Random networks\n\n{told}{ABOUT}\n\n{text}", encoding="utf-8")
    if options.to:
        options.to.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
