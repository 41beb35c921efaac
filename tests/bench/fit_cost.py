#!/usr/bin/env python3
"""Fits what the DSP's kernels cost on DSPs of all widths to runs: prebuilt/cost_fit.h.

    PYTHONPATH=sim/python /usr/bin/python3 tests/bench/fit_cost.py [--write] [--runs FILE]
        [--only OPERATOR ..]

Operators of dsp_operators.py, in random shapes, run on each DSP of dsp_runs.py. The cycles of a
command are a sum of its terms (compiler_bridge/layer/dsp_cost_terms.h), each times

    a + b * 512 / VLEN + c * 256 / DLEN + d * VLEN / (2 * DLEN),

none below 0, that fit best by least squares of relative errors; of a second sequencer for
arithmetic, one factor of all but a. Prints how well each line fits, also to shapes of another seed
that nothing is fitted to. With --only, operators whose names begin so. Requires the target
dsp_terms.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import subprocess
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple, TypeAlias

import numpy as np
from dsp_runs import Dsp, Ran, all_runs

ROOT = Path(__file__).resolve().parents[2]
PREBUILT = ROOT / "driver" / "kernels" / "dsp" / "prebuilt"
FIT = PREBUILT / "cost_fit.h"
TERMS = "tests/bench/dsp_terms"
LEAST_RUNS, FEWEST_SHAPES, WORST, WORSE, RIGHT = 39, 3, 0.2, 0.05, 0.15
USUAL: Dsp = (512, 256, 1)  #: of which driver/kernels/dsp/cost.h speaks
Array: TypeAlias = np.ndarray


class Command(NamedTuple):
    dsp: Dsp
    cycles: int
    stated: float  #: of cost.h
    terms: Array
    function: str


class Line(NamedTuple):
    second: float
    weights: Array  #: by [a, b, c, d], term


def commands(runs: list[Ran]) -> dict[str, list[Command]]:
    """By line of the fit; terms of all commands of a run together."""
    build = Path(os.environ.get("PRESIL_BUILD", ROOT / "build"))
    asked = [(i, rows) for i, run in enumerate(runs) for rows in run.rows]
    text = "".join(
        f"{runs[i].dsp[0]} {rows} {runs[i].function} {' '.join(map(str, runs[i].arguments))}\n"
        for i, rows in asked
    )
    done = subprocess.run([build / TERMS], input=text, text=True, capture_output=True, check=True)
    of_run: dict[int, list[list[str]]] = defaultdict(list)
    for (i, _), line in zip(asked, done.stdout.splitlines()):
        of_run[i].append(line.split())
    lines: dict[str, list[Command]] = defaultdict(list)
    for i, answers in of_run.items():
        if len({answer[0] for answer in answers}) > 1:
            continue  # its last tile goes another way
        values = np.array([[float(v) for v in answer[1:]] for answer in answers]).sum(0)
        lines[answers[0][0]].append(
            Command(runs[i].dsp, runs[i].cycles, values[0], values[1:], runs[i].function)
        )
    return lines


def not_negative(a: Array, b: Array) -> Array:
    """x >= 0 with the least |a x - b|, one coordinate after the other."""
    size = np.sqrt((a * a).sum(0))
    size[size == 0] = 1
    a = a / size
    square, right = a.T @ a, a.T @ b
    x = np.zeros(len(right))
    for _ in range(5000):
        before = x.copy()
        for j in range(len(x)):
            if square[j, j] > 0:
                x[j] = max(0.0, x[j] + (right[j] - square[j] @ x) / square[j, j])
        if np.abs(x - before).max() <= 1e-7 * max(1e-9, np.abs(x).max()):
            break
    return x / size


def factors(dsp: Dsp) -> Array:
    vlen, dlen, _ = dsp
    return np.array([1, 512 / vlen, 256 / dlen, vlen / (2 * dlen)])


def fitted(given: list[Command]) -> Line:
    one = [c for c in given if c.dsp[2] == 1]
    cycles = np.array([c.cycles for c in one], float)
    rows = np.array([np.outer(factors(c.dsp), c.terms).ravel() for c in one])
    weights = not_negative(rows / cycles[:, None], np.ones(len(one)))
    weights = weights.reshape(4, len(given[0].terms))
    fixed, narrow = (
        np.array([f(c) / c.cycles for c in given if c.dsp[2] == 2])
        for f in (
            lambda c: weights[0] @ c.terms,
            lambda c: factors(c.dsp)[1:] @ weights[1:] @ c.terms,
        )
    )
    square = float(narrow @ narrow) if len(narrow) else 0.0
    return Line(float((1 - fixed) @ narrow) / square if square > 0 else 1.0, weights)


def estimated(line: Line, c: Command) -> float:
    by = factors(c.dsp)
    more = by[1:] @ line.weights[1:] @ c.terms * (line.second if c.dsp[2] == 2 else 1)
    return float(line.weights[0] @ c.terms + more)


def error_of_logs(estimates: list[float], took: list[int]) -> float:
    """Root mean square of the logarithm."""
    logs = np.log(np.maximum(1, estimates) / np.array(took, float))
    return float(np.sqrt((logs * logs).mean())) if took else 0.0


def error(estimates: list[float], of: list[Command]) -> float:
    return error_of_logs(estimates, [c.cycles for c in of])


def all_lines(known: dict[str, list[Command]]) -> dict[str, Line]:
    """Lines that fit; "": of what has none, its cycles of cost.h, by those that it is right of."""
    found: dict[str, Line] = {}
    right: list[Command] = []
    for name, of in sorted(known.items()):
        shapes = {(tuple(c.terms), c.dsp[0]) for c in of if c.dsp[:2] == (512, 256)}
        if len(of) < LEAST_RUNS or len(shapes) < FEWEST_SHAPES:
            continue
        line = fitted(of)
        usual = [c for c in of if c.dsp == USUAL]
        stated = error([c.stated for c in usual], usual)
        if error([estimated(line, c) for c in usual], usual) > stated + WORSE:
            continue  # its terms are not what its cycles are a sum of
        if error([estimated(line, c) for c in of], of) <= WORST:
            found[name] = line
            if stated <= RIGHT:
                right += of
    if right:
        found[""] = fitted([c._replace(terms=np.array([1, max(0, c.stated - 500)])) for c in right])
    return found


def kept_lines() -> dict[str, Line]:
    """Those of the file."""
    numbers = r"[-+.e\d]+"
    found = {}
    for name, second, rows in re.findall(
        rf'\{{"([^"]*)", ({numbers}), \{{\n(.*?)\n  \}}\}},',
        FIT.read_text(encoding="utf-8"),
        re.DOTALL,
    ):
        terms = [[float(w) for w in re.findall(numbers, row)] for row in rows.splitlines()]
        found[name] = Line(float(second), np.array(terms).T)
    return found


HEAD = """/* Fitted to runs by tests/bench/fit_cost.py; do not edit.
 *
 * What kernels cost on DSPs of all widths. Cycles of a command are the sum of its terms
 * (dsp_cost_terms.h), each times weight[0] + weight[1] * 512 / VLEN + weight[2] * 256 / DLEN +
 * weight[3] * VLEN / (2 * DLEN); with two sequencers for arithmetic all but weight[0] times
 * `second`. "": of functions that have no line, whose second term is what cost.h says beyond
 * PRESIL_DSP_CYCLES_ENTRY.
 * Images: @ */
// clang-format off
#ifndef PRESIL_DRIVER_DSP_COST_FIT_H
#define PRESIL_DRIVER_DSP_COST_FIT_H

#define PRESIL_DSP_FIT_TERMS 8

struct presil_dsp_fit {
  const char* line;
  double second;
  double terms[PRESIL_DSP_FIT_TERMS][4];
};

static const struct presil_dsp_fit presil_dsp_fits[] = {
"""


def images() -> str:
    """SHA-256 of all images' SHA-256."""
    known = json.loads((PREBUILT / "kernels.json").read_text(encoding="utf-8"))["images"]
    return hashlib.sha256(json.dumps(known, sort_keys=True).encode()).hexdigest()


def text_of(lines: dict[str, Line]) -> str:
    text = HEAD.replace("@", images())
    for name, line in sorted(lines.items()):
        text += f'  {{"{name}", {line.second:.3g}, {{\n'
        for term in line.weights.T:
            text += "    {" + ", ".join(f"{weight:.4g}" for weight in term) + "},\n"
        text += "  }},\n"
    return text + "};\n\n#endif\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--runs", type=Path, help="kept there, and taken from there if it exists")
    parser.add_argument("--shapes", type=int, default=12, help="of each operator")
    parser.add_argument("--others", type=int, default=1, help="shapes that are only compared")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--only", nargs="+", default=[], help="operators; other lines are kept")
    args = parser.parse_args()
    if args.runs and args.runs.exists():
        kept = json.loads(args.runs.read_text(encoding="utf-8"))
        runs, others = ([Ran(f, a, n, tuple(d), c) for f, a, n, d, c in some] for some in kept)
    else:
        runs = all_runs(100, args.shapes, args.processes, args.only)
        others = all_runs(7, args.others, args.processes, args.only)
        if args.runs:
            args.runs.write_text(json.dumps([runs, others]), encoding="utf-8")
    known, compared = commands(runs), commands(others)
    lines = all_lines(known)
    if args.only:
        kept = {name: line for name, line in kept_lines().items() if name not in known}
        lines = {**kept, **{name: lines[name] for name in known if name in lines}}
    print("| line | runs | rms | others | rms | cost.h, VLEN 512 |\n|---|---|---|---|---|---|")
    for name, of in sorted(known.items()):
        line, other = lines.get(name), compared.get(name, [])
        usual = [c for c in of if c.dsp == USUAL]
        stated = error([c.stated for c in usual], usual)
        if line is None:
            print(f"| {name} | {len(of)} | no line | | | {stated:.3f} |")
            continue
        own, of_others = ([estimated(line, c) for c in some] for some in (of, other))
        print(
            f"| {name} | {len(of)} | {error(own, of):.3f} | {len(other)} |"
            f" {error(of_others, other):.3f} | {stated:.3f} |"
        )
    if args.write:
        FIT.write_text(text_of(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
