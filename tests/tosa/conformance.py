"""Cases of `tosa_verif_build_tests` against what `tosa_reference_model` gives: a table by operator.

usage: PYTHONPATH=sim/python python3 tests/tosa/conformance.py FOLDER [--run] [--only OP]

FOLDER holds the cases (test.tosa, desc.json, inputs) that the generator has made, with the results
of `tosa_reference_model --test_desc desc.json` beside them. Each is exact, refused with a sentence,
or wrong; --run compiles and runs it on the simulated SoC too, where every kept tensor must be the
interpreter's. Of INEXACT_ROUND, which leaves the rounding open, what the reference model's three
roundings to float32 can make of a value is allowed.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import presil
from presil import paths


def inputs_of(case: Path, desc: dict[str, Any], net: Any) -> list[np.ndarray]:
    """In the order of the network's inputs."""
    files = dict(zip(desc["ifm_name"], desc["ifm_file"], strict=True))
    arrays = []
    for tensor in net.inputs:
        array = np.load(case / files[tensor["name"]])
        arrays.append(array.view(tensor["dtype"]) if array.itemsize == 1 else array)
    return arrays


def same(got: np.ndarray, expected: np.ndarray) -> bool:
    """Bit by bit; of 16 and 8 bits the sign is the reader's."""
    if got.shape != expected.shape or got.itemsize != expected.itemsize:
        return False
    return got.tobytes() == expected.tobytes()


def near(got: np.ndarray, expected: np.ndarray) -> bool:
    """INEXACT_ROUND: the reference model has value, scale and product as float32, so each may be
    2^-24 of it away, and what they make is rounded. Of 16 and 8 bits the sign is the reader's."""
    signs = "iu" if got.itemsize < 4 else "i"
    return any(is_near(*(x.view(f"{sign}{x.itemsize}") for x in (got, expected))) for sign in signs)


def is_near(got: np.ndarray, expected: np.ndarray) -> bool:
    apart = np.abs(got.astype(np.int64) - expected.astype(np.int64))
    return bool(np.all(apart <= 1 + 3 * 2.0**-24 * np.abs(expected.astype(np.float64))))


def judge(case: Path, run: bool) -> str:
    """"exact", "wrong: ...", or the sentence of a refusal."""
    desc = json.loads((case / "desc.json").read_text())
    try:
        net = presil.load(case / desc["tosa_file"])
    except presil.Refusal as refusal:
        return f"refused: {refusal}"
    arrays = inputs_of(case, desc, net)
    results = paths.native().reference(net.graph, arrays, None)
    for name, got in zip(desc["ofm_file"], results, strict=True):
        if not (case / name).is_file():
            return "no result of the reference model"
        expected = np.load(case / name)
        modes = desc["meta"]["compliance"]["tensors"].values()
        inexact = any(mode["mode"] == "RESCALE_INEXACT" for mode in modes)
        if inexact and got.shape == expected.shape and near(got, expected):
            continue
        if not same(got, expected):
            return f"wrong: {name}"
    if run:
        try:
            outcome = presil.run(net, arrays, check="layers")
        except presil.Refusal as refusal:
            return f"refused: {refusal}"
        if not outcome.exact:
            return "wrong on the SoC"
    return "exact"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--run", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("--every", type=int, default=1, help="each Nth case alone")
    arguments = parser.parse_args()
    table: dict[str, Counter[str]] = defaultdict(Counter)
    sentences: Counter[str] = Counter()
    cases = sorted(path.parent for path in arguments.folder.rglob("desc.json"))
    for case in cases[:: arguments.every]:
        op = json.loads((case / "desc.json").read_text())["test_details"]["operator"]
        if arguments.only and op.lower() != arguments.only.lower():
            continue
        verdict = judge(case, arguments.run)
        kind = verdict.split(":")[0].split(" ")[0]
        table[op][kind] += 1
        if kind != "exact":
            sentences[f"{op}: {verdict.split(': ', 3)[-1][:150]}"] += 1
        if kind == "wrong":
            print(case, verdict)
    kinds = sorted({kind for counts in table.values() for kind in counts})
    print("| operator | " + " | ".join(kinds) + " |")
    print("|---" * (1 + len(kinds)) + "|")
    for op in sorted(table):
        print(f"| {op} | " + " | ".join(str(table[op][kind]) for kind in kinds) + " |")
    total = sum((counts for counts in table.values()), Counter())
    print("| all | " + " | ".join(str(total[kind]) for kind in kinds) + " |")
    for sentence, count in sentences.most_common(40):
        print(f"{count} x {sentence}")
    return 1 if total["wrong"] or total["no"] else 0


if __name__ == "__main__":
    sys.exit(main())
