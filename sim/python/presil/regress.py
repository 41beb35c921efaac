"""Regressions: every case of a suite run once, and held against what is expected of it."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from . import paths
from .benches import bench_program, run_bench
from .coverage import Hits, gaps, merged_hits, percent
from .coverage.bins import KINDS
from .explore_pool import pool_of
from .names import number
from .record import as_json, header
from .refusal import Refusal
from .regress_suite import BANDS, Case, Suite, sharded, suite_of
from .report import compare_runs
from .report.cause import cause_sentence

BASELINE_SCHEMA = 1
COVERAGE = "coverage"
"""The case that is the suite's floor of coverage."""
SHOWN = "PRESIL_COVERAGE"
"""The environment variable with the folder where tests in C++ say what they have shown."""
FEW = 5
APART = ("record", "coverage", "cosim", "rtl_engines")
"""Of a case's result what is no figure."""
Progress = Callable[[int, int], None]
Record = dict[str, Any]


def regress(
    suite: Any,
    baseline: str | Path | None = None,
    jobs: int | None = None,
    shard: str | None = None,
    progress: Progress | None = None,
    cluster: str | None = None,
) -> Record:
    """Runs a suite: `cases`, each with `verdict` (passed, failed, skipped), its `figures` and
    `broken`, a sentence for each expectation that does not hold.

    baseline: a file that `record_baseline` has written; None: nothing is held
      against one.
    cluster: of Dask, as of `presil.explore`.
    """
    asked = suite_of(suite)
    cases = sharded(asked, shard)
    needed = [case for case in cases if "against" in case.expect]
    known = read_baseline(baseline) if needed and baseline is not None else None
    workers = os.cpu_count() or 1 if jobs is None else jobs
    number(workers, 1, 256, "regress: jobs", ", must be 1 to 256", whole=True)
    tasks = [task_of(case, i, asked) for i, case in enumerate(cases) if case.network]
    results: dict[int, Record] = {}
    pool = pool_of(workers, cluster)
    try:
        for task, result in pool.results(tasks):
            results[task["case"]] = result
            if progress is not None:
                progress(len(results), len(tasks))
    finally:
        pool.close()
    rows = [row_of(case, results.get(i), known) for i, case in enumerate(cases)]
    seen = [r["coverage"] for r in results.values() if "coverage" in r]
    for name in benches_of(asked, shard):
        row, shown = bench_row(name)
        rows.append(row)
        seen += shown
    about = {**header(), "verb": "regress", "suite": asked.name}
    if asked.coverage is not None:
        about |= covered(asked.coverage, seen)
    if shard is None:
        rows += floor_row(about)
    return {**about, "counts": counted(rows), "cases": rows}


def benches_of(suite: Suite, shard: str | None) -> Sequence[str]:
    """Shards share them as they share the cases."""
    first, _, parts = (shard or "1/1").partition("/")
    return suite.benches[int(first) - 1 :: int(parts)]


def bench_row(name: str) -> tuple[Record, list[Record]]:
    """A test program as a case: passed, failed at a test, or skipped as it is not built; and what
    its tests have shown, for coverage."""
    program = None if paths.INSTALLED else bench_program(paths.BUILD, name)
    row: Record = {"name": f"bench {name}", "figures": None}
    if program is None:
        return {**row, "verdict": "skipped", "broken": [f"is not built: `ninja {name}`"]}, []
    with tempfile.TemporaryDirectory() as folder:
        told = run_bench(program, paths.ROOT, environment={SHOWN: folder})
        files = sorted(Path(folder).glob("*.json"))
        seen = [json.loads(file.read_text(encoding="utf-8")) for file in files]
    broken = [f"fails at {told.why}"] if told.why else []
    return {**row, "verdict": "failed" if broken else "passed", "broken": broken}, seen


def covered(asked: Record, found: Iterable[Record]) -> Record:
    """What all cases together have seen, and the floor that it is held against."""
    hits = merged_hits(Hits.of(one, "a case") for one in found)
    return {"coverage": hits.record(), "coverage_asked": asked}


def floor_row(result: Record) -> list[Record]:
    """A case more, of a suite with a floor: whether enough bins were seen."""
    if "coverage" not in result:
        return []
    asked = result["coverage_asked"]
    kinds = KINDS if asked["kind"] == "all" else (asked["kind"],)
    hits = Hits.of(result["coverage"], "the suite")
    share, broken = percent(hits, kinds), []
    if share < asked["floor_percent"]:
        lacking = gaps(hits, kinds)
        names = [f"{gap.bin.engine} {gap.bin.subject} {gap.bin.value}" for gap in lacking]
        more = f" and {len(names) - FEW} more" if len(names) > FEW else ""
        broken.append(
            f"{share:.1f} % of the bins, must be at least {asked['floor_percent']:g} %; missing "
            f"are {', '.join(names[:FEW])}{more}"
        )
    verdict = "failed" if broken else "passed"
    return [{"name": COVERAGE, "verdict": verdict, "broken": broken, "figures": None}]


def merged(files: Sequence[str | Path]) -> Record:
    """One result of those of shards, in the order of the files."""
    rows: list[Record] = []
    parts: list[Record] = []
    whole: Record = {}
    for file in files:
        try:
            part = json.loads(Path(file).read_text(encoding="utf-8"))
            found = [dict(row) for row in part["cases"] if row["name"] != COVERAGE]
            whole = {**part, "cases": rows}
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise Refusal(
                f"regress: '{file}' is no result of `presil regress --json` ({error})"
            ) from None
        for row in found:
            if any(row["name"] == other["name"] for other in rows):
                raise Refusal(f"regress: '{row['name']}' is in two shards; give each result once")
        rows += found
        parts += [part["coverage"]] if "coverage" in part else []
    if parts:
        whole |= covered(whole["coverage_asked"], parts)
        rows += floor_row(whole)
    return {**whole, "counts": counted(rows)}


def counted(rows: list[Record]) -> dict[str, int]:
    verdicts = [row["verdict"] for row in rows]
    return {name: verdicts.count(name) for name in ("passed", "failed", "skipped")}


def task_of(case: Case, index: int, suite: Suite) -> Record:
    return {
        "case": index,
        "network": case.network,
        "set": case.soc.label,
        "soc_name": case.soc.name,
        "soc_text": case.soc.complete_text,
        "options": case.options,
        "record": True,
        "coverage": suite.coverage is not None,
        "cosim": case.cosim,
    }


def row_of(case: Case, result: Record | None, baseline: dict[str, Record] | None) -> Record:
    if result is None:
        row = {"verdict": "skipped", "broken": ["its network is not there"], "figures": None}
    elif "refused" in result:
        row = {"verdict": "failed", "broken": [result["refused"]], "figures": None}
    else:
        broken = broken_of(case, result, baseline)
        figures = {key: value for key, value in result.items() if key not in APART}
        row = {"verdict": "failed" if broken else "passed", "broken": broken, "figures": figures}
        row["record"] = result["record"]
    return {"name": case.name, **row}


def broken_of(case: Case, result: Record, baseline: dict[str, Record] | None) -> list[str]:
    """A sentence for each expectation that does not hold."""
    expect, record, said = case.expect, result["record"], []
    if expect.get("exact", True) and not result["exact"]:
        said.append(f"is not exact: {record['check']['first']}")
    for key in BANDS:
        said += outside(result[key], expect.get(key, {}), key, costliest(record))
    engines = record["engines"]
    for name, band in expect.get("stalls", {}).items():
        engine = engines.get(name)
        stalled = sum(engine["stall"].values()) if engine else 0
        said += outside(stalled, band, f"stalled cycles of {name}", "")
    if "seconds" in expect and record["wall_s"] > expect["seconds"]:
        said.append(f"takes {record['wall_s']:.1f} s, must be at most {expect['seconds']:g}")
    if "against" in expect and baseline is not None:
        said += against(case, record, baseline)
    if "cosim" in result and case.cosim is not None:
        said += apart(result["cosim"], case.cosim["percent"])
    return said


def apart(cosim: Record, percent_allowed: float) -> list[str]:
    """RTL against its models: a divergence, or cycles outside bands, with layer and causes."""
    divergence = cosim["first_divergence"]
    if divergence is not None:
        return [f"cosim: RTL and model differ: {divergence['text']}"]
    said = [] if cosim["exact"] else ["cosim: is not exact in RTL"]
    layers = sorted(
        cosim["layers"], key=lambda row: -abs(int(row["rtl_cycles"]) - int(row["model_cycles"]))
    )
    where = f"; most in layer {layer_apart(layers[0])}" if layers else ""
    if abs(cosim["error_percent"]) > percent_allowed:
        said.append(
            f"cosim: the model takes {cosim['model_cycles']:,} cycles, the RTL "
            f"{cosim['rtl_cycles']:,}, must be within {percent_allowed:g} %{where}"
        )
    band = cosim["bands"]
    outside_band = [row for row in layers if not row["within_band"]]
    for row in outside_band[:1]:
        said.append(
            f"cosim: layer {layer_apart(row)}, must be within {band['layer_percent']:g} % or "
            f"{band['layer_cycles']} cycles; so are {len(outside_band) - 1} more"
        )
    return said


def layer_apart(row: Record) -> str:
    causes = sorted(row["causes"].items(), key=lambda item: -abs(item[1]))
    by = ", ".join(f"{name} {cycles:+,}" for name, cycles in causes[:2])
    return f"'{row['name']}': {row['model_cycles']:,} and {row['rtl_cycles']:,} cycles, {by}"


def outside(value: float, band: Record, what: str, why: str) -> list[str]:
    low, high = band.get("min", 0), band.get("max", float("inf"))
    if low <= value <= high:
        return []
    limit = f"at least {low:,}" if value < low else f"at most {high:,}"
    return [f"{what}: {value:,}, must be {limit}{why if what == 'cycles' else ''}"]


def costliest(record: Record) -> str:
    layer = max(record["layers"], key=lambda one: int(one["cycles"]), default=None)
    if layer is None:
        return ""
    return f"; most are of layer '{layer['name']}', bound by {layer['bound']}"


def against(case: Case, record: Record, baseline: dict[str, Record]) -> list[str]:
    """Cycles a sample against the recorded ones, with the layer that moved most and the cause."""
    before = baseline.get(case.name)
    if before is None:
        return ["has no baseline; --record writes one"]
    tolerance = case.expect.get("tolerance_percent", 0.0)
    try:
        diff = compare_runs(before, record, tolerance)
    except (KeyError, TypeError, AttributeError):
        return ["its baseline is no record of a run; --record writes one"]
    if not diff["beyond"]:
        return []
    rows = sorted(diff["layers"], key=lambda r: -abs((r["b"] or 0) - (r["a"] or 0)))
    where = ""
    if rows:
        moved = sorted(rows[0]["causes"].items(), key=lambda item: -abs(item[1]))
        by = ", ".join(f"{name} {cycles:+,}" for name, cycles in moved[:2])
        where = f"; most in layer '{rows[0]['name']}': {by}"
    return [f"against the baseline: {diff['beyond'][0]}{where}; {cause_sentence(diff)}"]


def read_baseline(file: str | Path) -> dict[str, Record]:
    try:
        found = json.loads(Path(file).read_text(encoding="utf-8"))
        schema, cases = found["baseline"], dict(found["cases"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise Refusal(
            f"regress: '{file}' is no baseline ({error}); `presil regress SUITE --record` "
            "writes one"
        ) from None
    if schema != BASELINE_SCHEMA:
        raise Refusal(
            f"regress: the baseline '{file}' has schema {schema}, must be {BASELINE_SCHEMA}; "
            "write it again by --record"
        )
    return cases


def baseline_text(result: Record) -> str:
    """What a later run is held against; a case that was not run has none."""
    cases = {row["name"]: row["record"] for row in result["cases"] if "record" in row}
    return as_json({"baseline": BASELINE_SCHEMA, "cases": cases})


def junit_text(result: Record) -> str:
    counts = result["counts"]
    suite = ElementTree.Element(
        "testsuite",
        name=result["suite"],
        tests=str(len(result["cases"])),
        failures=str(counts["failed"]),
        skipped=str(counts["skipped"]),
    )
    for row in result["cases"]:
        time = row["record"]["wall_s"] if "record" in row else 0.0
        case = ElementTree.SubElement(
            suite, "testcase", classname=result["suite"], name=row["name"], time=f"{time:.3f}"
        )
        kind = {"failed": "failure", "skipped": "skipped"}.get(row["verdict"])
        if kind:
            ElementTree.SubElement(case, kind, message="; ".join(row["broken"]))
    return ElementTree.tostring(suite, encoding="unicode") + "\n"


def markdown_text(result: Record) -> str:
    counts = ", ".join(f"{n} {name}" for name, n in result["counts"].items())
    lines = [f"# {result['suite']}: {counts}", "", "| case | verdict | cycles | what |"]
    lines.append("|---|---|---|---|")
    for row in result["cases"]:
        cycles = f"{row['figures']['cycles']:,}" if row["figures"] else ""
        what = "; ".join(row["broken"]).replace("|", "/")
        lines.append(f"| {row['name']} | {row['verdict']} | {cycles} | {what} |")
    return "\n".join(lines) + "\n"
