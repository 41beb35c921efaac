"""A campaign: mutants chosen and built once, then each tried until something kills it.

Folder OUT: `plan.json` (what was asked, all mutants), `results.jsonl` (a line a mutant, as it
ends), `tree` (the mutated copy with its build), `build` (that build's simulators beside the
product's compiler). The same command goes on where it was stopped.
"""

from __future__ import annotations

import hashlib
import json
import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .. import paths
from ..atomic import check_folder, write_file
from ..record import as_json, header
from ..refusal import Refusal
from ..regress_suite import Suite, suite_of
from .cpp_sites import cpp_mutants
from .sites import KINDS, ROOMS, Mutant, chosen
from .sv_sites import sv_mutants
from .tree import built
from .trial import Bench, SuiteCase, Trial, benches_of, case_of

Progress = Callable[[int, int, str], None]
SIMULATORS = ("presil-sim", "presil-sim-rtl")
SHORT_S = 2.0
RTL_SOC = "edge"
"""Of the suite's SoCs the one whose blocks presil-sim-rtl has."""
BLOCKS = ["dla", "dma", "sync"]


def mutate(
    out: str | Path,
    rooms: tuple[str, ...] = ROOMS,
    kinds: tuple[str, ...] = KINDS,
    count: int = 330,
    seed: int = 1,
    suite: str | Path | None = None,
    cases: int = 8,
    prepare: bool = False,
    retry: bool = False,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Puts `count` mutants into a copy of the checkout's rooms and tries each.

    cases: how many of the suite's cases, the first ones, are run where no bench kills a mutant.
    prepare: only chooses and builds.
    retry: builds again with the tests that there are now, and tries those that have survived.
    Returns the record: `mutants`, each with `killed_by` (None: it survives).
    """
    say: Progress = progress or (lambda done, total, text: None)
    if paths.INSTALLED:
        raise Refusal("mutate: changes the sources of RTL and models; run it from a checkout")
    folder = Path(out).resolve()
    check_folder(folder)
    folder.mkdir(parents=True, exist_ok=True)
    asked = suite_of(suite or paths.NETS / "nightly.yaml")
    if not asked.benches:
        raise Refusal("mutate: the suite has no `benches`; name test programs of the build there")
    about = {"rooms": list(rooms), "kinds": list(kinds), "count": count, "seed": seed}
    about["suite"] = asked.name
    targets = [*asked.benches, *(SIMULATORS if cases else ())]
    mutants = planned(folder, about, targets, say)
    if retry:
        retried(folder, mutants, targets, say)
    results = read_results(folder)
    if prepare:
        return record_of(about, mutants, results)
    if all(mutant.number in results for mutant in mutants):
        return record_of(about, mutants, results)
    tree = folder / "tree"
    build = beside_compiler(folder) if cases else tree / "build"
    trials = trials_of(folder, asked, cases, build, kinds, say)
    last: dict[str, Trial] = {}
    # What kills most in a second goes first for all of them, so that rates are known early.
    for most in (SHORT_S, math.inf):
        left = [mutant for mutant in mutants if mutant.number not in results]
        with (folder / "results.jsonl").open("a", encoding="utf-8") as file:
            for i, mutant in enumerate(left):
                say(i, len(left), f"{mutant.file}:{mutant.line}")
                found = tried_on(mutant, trials, last, most, build, tree)
                if found["killed_by"] or most == math.inf:
                    results[mutant.number] = found
                    file.write(json.dumps({"number": mutant.number, **found}) + "\n")
                    file.flush()
    return record_of(about, mutants, results)


def planned(folder: Path, about: dict[str, Any], targets: list[str], say: Progress) -> list[Mutant]:
    """The mutants of the folder; where it is new, they are chosen and built."""
    file = folder / "plan.json"
    if file.is_file():
        plan = json.loads(file.read_text(encoding="utf-8"))
        if plan["about"] != about:
            raise Refusal(
                f"mutate: '{folder}' holds a campaign of other options; choose another --out"
            )
        return [Mutant(**entry) for entry in plan["mutants"]]
    say(0, 0, "parsing")
    root = paths.ROOT
    found: list[Mutant] = []
    if "rtl" in about["kinds"]:
        found += sv_mutants(root, sources(root, "rtl", about["rooms"], "*.sv"))
    if "model" in about["kinds"]:
        found += cpp_mutants(root, paths.BUILD, sources(root, "models", about["rooms"], "*.cpp"))
    say(0, 0, "building")
    picked = chosen(found, about["count"], about["seed"])
    kept = built(root, folder / "tree", picked, targets, lambda text: say(0, 0, text))
    plan = {"about": about, "sources": digests(root, kept), "mutants": [vars(m) for m in kept]}
    write_file(file, as_json(plan))
    return kept


def digests(root: Path, mutants: list[Mutant]) -> dict[str, str]:
    files = sorted({mutant.file for mutant in mutants})
    return {file: hashlib.sha256((root / file).read_bytes()).hexdigest() for file in files}


def retried(folder: Path, mutants: list[Mutant], targets: list[str], say: Progress) -> None:
    """Builds again, and forgets of the results those of survivors."""
    plan = json.loads((folder / "plan.json").read_text(encoding="utf-8"))
    for file, digest in digests(paths.ROOT, mutants).items():
        if plan["sources"][file] != digest:
            raise Refusal(
                f"mutate: '{file}' has changed since its mutants were chosen; begin another "
                "campaign with a new --out"
            )
    say(0, 0, "building")
    kept = built(paths.ROOT, folder / "tree", mutants, targets, lambda text: say(0, 0, text))
    if kept != mutants:
        raise Refusal("mutate: a mutant no longer compiles; begin another campaign, a new --out")
    results = read_results(folder)
    killed = {number: found for number, found in results.items() if found["killed_by"]}
    lines = [json.dumps({"number": number, **found}) + "\n" for number, found in killed.items()]
    write_file(folder / "results.jsonl", "".join(lines))
    (folder / "trials.json").unlink(missing_ok=True)


def sources(root: Path, layer: str, rooms: list[str], pattern: str) -> list[str]:
    return [
        str(path.relative_to(root))
        for room in rooms
        for path in sorted((root / layer / room).glob(pattern))
    ]


def beside_compiler(folder: Path) -> Path:
    """A build folder: simulators with mutants, compiler and reference interpreter without."""
    build = folder / "build"
    parts = [(f"sim/platform/{name}", folder / "tree/build") for name in SIMULATORS]
    native = next(iter(paths.NATIVE.glob("_presil*.so")), None)
    if native is None:
        paths.native()
        raise Refusal("mutate: the native module is not built")
    parts.append((f"sim/python/{native.name}", paths.BUILD.resolve()))
    for name, source in parts:
        link = build / name
        link.parent.mkdir(parents=True, exist_ok=True)
        link.unlink(missing_ok=True)
        link.symlink_to(source / name)
    return build


def trials_of(
    folder: Path, suite: Suite, count: int, build: Path, kinds: tuple[str, ...], say: Progress
) -> list[Trial]:
    """All benches, and the first `count` cases; each has run once without a mutant, in a campaign
    that goes on before it was stopped."""
    file, tree = folder / "trials.json", folder / "tree"
    if file.is_file():
        kept = json.loads(file.read_text(encoding="utf-8"))
        benches = [Bench(n, Path(p), tuple(t), s) for n, p, t, s in kept["benches"]]
        return [*benches, *(SuiteCase(*entry) for entry in kept["cases"])]
    say(0, 0, "benches without a mutant")
    benches = benches_of(suite.benches, tree / "build", tree)
    say(0, 0, "cases without a mutant")
    tasks = [task for kind in kinds for task in tasks_of(suite, count, kind == "rtl")]
    cases = [case_of(name, task, build, tree) for name, task in tasks]
    bench_rows = [[b.name, str(b.program), b.tests, b.seconds] for b in benches]
    case_rows = [[c.name, c.task, c.expected, c.seconds] for c in cases]
    write_file(file, as_json({"benches": bench_rows, "cases": case_rows}))
    return [*benches, *cases]


def tasks_of(suite: Suite, count: int, lockstep: bool) -> list[tuple[str, dict[str, Any]]]:
    """The first cases on each SoC in turn; lockstep: on RTL_SOC, blocks beside their models."""
    socs = {case.soc.label: None for case in suite.cases}
    order = {label: i for i, label in enumerate(socs)}
    there = [case for case in suite.cases if case.network]
    if lockstep:
        there = [case for case in there if case.soc.label == RTL_SOC]
    found = []
    for case in sorted(there, key=lambda case: order[case.soc.label])[:count]:
        task = {
            "network": case.network,
            "set": case.soc.label,
            "soc_name": case.soc.name,
            "soc_text": case.soc.complete_text,
            "options": case.options,
            "record": True,
        }
        if lockstep:
            task["cosim"] = {"rtl": BLOCKS, "samples": 1}
        found.append((case.name, task))
    return found


def tried_on(
    mutant: Mutant,
    trials: list[Trial],
    last: dict[str, Trial],
    most: float,
    build: Path,
    tree: Path,
) -> dict[str, Any]:
    """Until one of those that cost up to `most` seconds kills it: first what has killed in this
    file before, then the cheapest."""
    begin = time.monotonic()
    first = last.get(mutant.file)
    ways = [
        trial
        for trial in trials
        if trial.suits(mutant) and (trial.cost(mutant) <= most or trial is first)
    ]
    why = None
    for trial in sorted(ways, key=lambda one: (one is not first, one.cost(mutant))):
        why = trial.kills(mutant.number, build, tree) or None
        if why is not None:
            last[mutant.file] = trial
            break
    return {"killed_by": why, "seconds": round(time.monotonic() - begin, 2)}


def read_results(folder: Path) -> dict[int, dict[str, Any]]:
    """By number. A last line that was not finished is tried again."""
    file = folder / "results.jsonl"
    found: dict[int, dict[str, Any]] = {}
    if file.is_file():
        text = file.read_text(encoding="utf-8")
        whole = text[: text.rfind("\n") + 1]
        if whole != text:
            write_file(file, whole)
        for line in whole.splitlines():
            entry = json.loads(line)
            found[entry.pop("number")] = entry
    return found


def record_of(
    about: dict[str, Any], mutants: list[Mutant], results: dict[int, dict[str, Any]]
) -> dict[str, Any]:
    rows = [{**m.record(), "source": line_of(m), **results.get(m.number, {})} for m in mutants]
    return {**header(), "verb": "mutate", **about, "mutants": rows}


def line_of(mutant: Mutant) -> str:
    """Where it stands: a constant alone says little."""
    source = (paths.ROOT / mutant.file).read_bytes()
    begin = source.rfind(b"\n", 0, mutant.begin) + 1
    return source[begin : source.find(b"\n", begin)].decode(errors="replace").strip()
