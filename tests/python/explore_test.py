"""presil explore: points, constraints, the Pareto front, resuming, and what is refused."""

from __future__ import annotations

import importlib.util
import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import presil
import pytest
import yaml
from conftest import presil as called
from presil.explore import optional
from presil.explore_pareto import mark_pareto, sensitivity
from presil.explore_pool import Pool, Worker, start
from presil.explore_sweep import sweep_of
from presil.refusal import SimulatorDied

SWEEP: dict[str, Any] = {
    "network": "digits",
    "set": {"dla.macs_k": [16, 32], "dram.peak_mb_per_s": [6400, 25600]},
    "objectives": ["cycles", "energy_uj"],
}


def refusal(**changes: Any) -> str:
    with pytest.raises(presil.Refusal) as refused:
        presil.explore({**SWEEP, **changes}, jobs=1)
    return str(refused.value)


def written(folder: Path, sweep: dict[str, Any]) -> Path:
    file = folder / "sweep.yaml"
    file.write_text(yaml.safe_dump(sweep), encoding="utf-8")
    return file


def test_points_take_the_cycles_of_runs_with_these_parameters() -> None:
    explored = presil.explore(SWEEP, jobs=1)
    assert [p["set"] for p in explored.points] == sweep_of(SWEEP).sets()
    for point in explored.points:
        run = presil.run("digits", set=point["set"])
        assert (point["cycles"], point["exact"]) == (run.cycles, True), point["set"]
    assert min(p["cycles"] for p in explored.points) in {p["cycles"] for p in explored.pareto}
    assert explored.record["without_value"] == (
        ["energy_uj"] if explored.points[0]["energy_uj"] is None else []
    )


def test_without_values_the_cycles_are_the_same_and_nothing_is_exact(tmp_path: Path) -> None:
    whole, timed = presil.explore(SWEEP), presil.explore({**SWEEP, "values": False})
    same = ("set", "cycles", "energy_uj", "sram_bytes", "dram_bytes")
    assert [[p[k] for k in same] for p in whole.points] == [
        [p[k] for k in same] for p in timed.points
    ]
    assert {p["exact"] for p in timed.points} == {None} and timed.exact
    said = "with values off must be none"
    assert said in refusal(values=False, check="outputs")
    assert "values is 'of', must be on or off" in refusal(values="of")
    ended = called("explore", written(tmp_path, {**SWEEP, "values": False}), cwd=tmp_path)
    assert ended.code == 0 and "NO" not in ended.out


def test_any_number_of_workers_gives_the_same_points() -> None:
    one, two, eight = (presil.explore(SWEEP, jobs=jobs).record for jobs in (1, 2, 8))
    assert one == two == eight


def test_a_killed_sweep_goes_on_and_repeats_nothing(tmp_path: Path) -> None:
    sweep = {**SWEEP, "set": {"dram.peak_mb_per_s": list(range(6400, 6400 + 40 * 64, 64))}}
    file, out = written(tmp_path, sweep), tmp_path / "out"
    command = [sys.executable, "-m", "presil", "explore", str(file), "--out", str(out)]
    where = {**os.environ, "PYTHONPATH": str(Path(presil.__file__).parents[1])}
    process = subprocess.Popen([*command, "--jobs", "1"], env=where, stdout=subprocess.DEVNULL)
    kept = 0
    for _ in range(600):
        time.sleep(0.02)
        if (out / "results.sqlite").exists() and (kept := rows_of(out)) > 1:
            break
    process.send_signal(signal.SIGKILL)
    process.wait()
    kept = rows_of(out)
    assert 1 < kept < 40
    again = presil.explore(file, out, jobs=1)
    assert again.record["counts"] == {"simulated": 40 - kept, "cached": kept}
    assert len(again.points) == 40
    assert presil.explore(file, out, jobs=1).record["counts"]["simulated"] == 0


def rows_of(out: Path) -> int:
    try:
        with sqlite3.connect(out / "results.sqlite", timeout=10) as base:
            return int(base.execute("SELECT count(*) FROM results").fetchone()[0])
    except sqlite3.Error:
        return 0


def test_a_point_that_does_not_compile_is_refused_with_its_sentence(tmp_path: Path) -> None:
    sweep = {**SWEEP, "set": {"dla.macs_k": [16, 17]}}
    ended = called("explore", written(tmp_path, sweep), "--json", "f.json", cwd=tmp_path)
    assert ended.code == 0, ended.err
    record = json.loads((tmp_path / "f.json").read_text(encoding="utf-8"))
    assert [p["set"] for p in record["points"]] == [{"dla.macs_k": 16}]
    assert [p["set"] for p in record["refused"]] == [{"dla.macs_k": 17}]
    assert "dla.macs_k is '17'" in record["refused"][0]["sentence"]
    folder = tmp_path / "presil-out" / "explore-sweep"
    table = (folder / "points.csv").read_text(encoding="utf-8")
    assert table.startswith("network,dla.macs_k,cycles,")
    page = (folder / "explore.html").read_text(encoding="utf-8")
    assert f"{record['points'][0]['cycles']:,} cycles" in page
    assert "must be a multiple of 16" in page


def test_constraints_hold_of_parameters_and_of_results() -> None:
    limits = ["dla.macs_k <= 16", "cycles < 10000000"]
    explored = presil.explore({**SWEEP, "constraints": limits}, jobs=1)
    assert {p["set"]["dla.macs_k"] for p in explored.points} == {16}
    assert {e["constraint"] for e in explored.record["excluded"]} == {"dla.macs_k <= 16"}
    said = refusal(constraints=["dla.macs_k < 16", "dla.macs_k > 16"])
    assert said == (
        "explore: none of 4 points satisfies the constraints: 'dla.macs_k < 16' 4 of them; "
        "change them, or give `set` other values"
    )


def test_nonsense_is_refused_by_its_key() -> None:
    unknown = refusal(set={"dla.mac_k": [1]})
    assert "set has 'dla.mac_k' (did you mean 'dla.macs_k'?)" in unknown
    assert "must be a parameter of the SoC; `presil socs edge` lists them" in unknown
    assert "has a key 'sets' (did you mean 'set'?)" in refusal(sets={})
    assert "an objective is 'cycle', expected one of cycles" in refusal(objectives=["cycle"])
    assert "the constraint 'dla.macs_k <=' has no expression" in refusal(
        constraints=["dla.macs_k <="]
    )
    assert "has no value: there is no 'sran'" in refusal(constraints=["sran.bytes < 3"])
    assert "grid of 1,000,000 points" in refusal(
        set={"dla.macs_k": list(range(1000)), "dla.units": list(range(1000))}
    )
    assert "search: list is None, must be settings, as [" in refusal(search={"kind": "list"})
    assert "search: list has 3, must be mappings" in refusal(search={"kind": "list", "list": [3]})
    assert "objectives is 'cycles', must be a list of texts; " in refusal(objectives="cycles")
    assert "search: kind is 'gird'" in refusal(search={"kind": "gird"})
    assert "jobs is 0, must be 1 to 256" in str(
        pytest.raises(presil.Refusal, presil.explore, SWEEP, jobs=0).value
    )


def test_results_of_another_schema_are_left_alone(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "results.sqlite") as base:
        base.execute("PRAGMA user_version = 7")
    with pytest.raises(presil.Refusal, match="has schema 7, this presil reads 1; choose another"):
        presil.explore(SWEEP, tmp_path)
    (tmp_path / "results.sqlite").write_bytes(b"no data base at all" * 100)
    with pytest.raises(presil.Refusal) as refused:
        presil.explore(SWEEP, tmp_path)
    assert (
        "results.sqlite' cannot be used (file is not a database); results so far are kept; free "
        "some room, or choose another folder by --out, and give the same command again"
    ) in str(refused.value)


def test_a_random_search_takes_points_of_the_grid_by_its_seed() -> None:
    asked = {**SWEEP, "search": {"kind": "random", "points": 3, "seed": 5}}
    sets = sweep_of(asked).sets()
    assert len(sets) == 3 and sets == sweep_of(asked).sets()
    assert all(one in sweep_of(SWEEP).sets() for one in sets)


def test_a_worker_that_dies_is_replaced_once() -> None:
    task = {"network": "digits", "set": {}, "options": {}, "soc_name": "edge"}
    task["soc_text"] = presil.load_soc("edge").complete_text
    worker = Worker()
    worker.process = start()
    worker.process.kill()
    worker.process.wait()
    assert worker.measure(task)["exact"]
    worker.stop()
    pool = Pool(1)
    with pytest.raises(SimulatorDied, match="worker of digits with .* ended by itself, 2 times"):
        list(pool.results([{**task, "options": 3}]))
    pool.close()


def test_a_bayesian_search_needs_optuna_and_finds_the_best() -> None:
    asked = {**SWEEP, "search": {"kind": "bayes", "points": 4}, "objectives": ["cycles"]}
    try:
        import optuna  # noqa: F401
    except ImportError:
        with pytest.raises(presil.Refusal, match="requires the Python package optuna"):
            presil.explore(asked, jobs=1)
        pytest.skip("SKIPPED: optuna is not installed")
    found, grid = presil.explore(asked, jobs=1), presil.explore(SWEEP, jobs=1)
    best = min(p["cycles"] for p in grid.points)
    assert min(p["cycles"] for p in found.points) <= 1.02 * best


def test_what_is_beaten_in_all_objectives_is_not_on_the_front() -> None:
    points = [
        {"network": "n", "set": {"p": p}, "cycles": c, "sram_bytes": s}
        for p, c, s in ((1, 10, 5), (2, 8, 6), (3, 10, 6), (4, 20, 4))
    ]
    mark_pareto(points, {"cycles": 1, "sram_bytes": 1})
    assert [p["pareto"] for p in points] == [True, True, False, True]
    (row,) = sensitivity(points, ["cycles"])
    assert (row["parameter"], row["percent"]) == ("p", 150.0)  # 8 to 20


CLUSTER: dict[str, Any] = {
    "network": "digits",
    "set": {"dla.macs_k": [16, 32], "dram.peak_mb_per_s": [6400, 12800]},
    "values": False,
}


def test_points_are_the_same_on_workers_of_dask() -> None:
    if importlib.util.find_spec("distributed") is None:
        pytest.skip("SKIPPED: no Dask (Debian package python3-distributed)")
    own = presil.explore(CLUSTER, jobs=1).points
    assert len(own) == 4
    for workers in (1, 2, 8):
        assert presil.explore(CLUSTER, jobs=workers).points == own
        assert presil.explore(CLUSTER, cluster=f"local:{workers}").points == own


def test_a_cluster_that_is_none_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    if importlib.util.find_spec("distributed") is not None:
        for cluster, words in (
            ("locale", "cluster: is 'locale', must be local, local:N (N processes of this machine"),
            ("local:no", "cluster: is 'local:no', must be as local:4; or give local, local:N"),
        ):
            with pytest.raises(presil.Refusal) as refused:
                presil.explore(CLUSTER, cluster=cluster)
            assert words in str(refused.value)
    monkeypatch.setattr("importlib.import_module", lambda name: (_ for _ in ()).throw(ImportError))
    with pytest.raises(presil.Refusal) as refused:
        presil.explore(CLUSTER, cluster="local")
    assert "cluster: --cluster requires the Python package distributed" in str(refused.value)
    assert "which is not installed; install it, or use --jobs" in str(refused.value)


def test_a_package_that_is_not_there_is_asked_for() -> None:
    with pytest.raises(presil.Refusal) as refused:
        optional("nosuchpackage", "a frame of points")
    assert str(refused.value) == (
        "explore: a frame of points requires the Python package nosuchpackage, which is not "
        "installed; install it (Debian: python3-nosuchpackage), or do without"
    )
