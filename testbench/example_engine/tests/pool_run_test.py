"""The engine in runs, as people see them: a hand-written network of one command, compiled for a SoC
with the engine, through `presil.run`, the command line, record, report, trace and inspection."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import presil
import pytest
from presil import engines, paths

FOLDER = Path(__file__).resolve().parents[1]
BUILD = paths.BUILD / "testbench" / "example_engine"
MAKER = BUILD / "tests" / "pool_loadable"
QUEUE, KIND = 14, 4

pytestmark = pytest.mark.skipif(
    not (MAKER.is_file() and (BUILD / "engine_pool.json").is_file()),
    reason="SKIPPED: the example engine or its networks are not built",
)


def made(file: Path, soc: Any) -> Path:
    command = [MAKER, file, str(QUEUE), str(KIND), soc.name]
    subprocess.run(command, input=soc.canonical_text, text=True, check=True, timeout=60)
    return file


@pytest.fixture(scope="module")
def loadable(tmp_path_factory: pytest.TempPathFactory) -> Path:
    soc = presil.load_soc("edge", engines=[FOLDER])
    return made(tmp_path_factory.mktemp("pool") / "half.presil", soc)


@pytest.fixture(scope="module")
def run(loadable: Path) -> presil.Run:
    return presil.run(loadable, image(), check="none", engines=FOLDER)


def image() -> np.ndarray:
    return np.random.default_rng(7).integers(-128, 128, (1, 8, 8, 16)).astype(np.int8)


def command(*arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
    plain = {k: v for k, v in os.environ.items() if k != "PRESIL_ENGINES"}
    return subprocess.run(
        [sys.executable, "-m", "presil", *map(str, arguments)],
        capture_output=True,
        text=True,
        env={**plain, "PYTHONPATH": str(paths.ROOT / "sim" / "python"), **environment},
        timeout=120,
    )


def test_a_network_of_it_runs_and_is_exact(run: presil.Run) -> None:
    halves = image().reshape(4, 2, 4, 2, 16).max(axis=(1, 3))
    np.testing.assert_array_equal(run.arrays[0].reshape(4, 4, 16), halves)


def test_its_cycles_are_in_the_record_by_its_name(run: presil.Run) -> None:
    engine = run.record["engines"]["pool"]
    assert engine["busy"] == 80  # 16 results of 4 taps, a word each: 64 + 16
    assert engine["busy"] + engine["idle"] + sum(engine["stall"].values()) == run.cycles
    assert [c["queue"] for c in run.commands] == ["dma0", "pool", "dma1"]
    (layer,) = [row for row in run.layers if row["engine"] == "pool"]
    assert layer["commands"] == 1 and layer["busy"] == 80
    assert layer["limits"]["engine"] >= 80
    assert sum(layer["limits"].values()) == layer["own_cycles"]
    assert "engines.pool.units=1" in run.program.soc.canonical_text


def test_every_view_shows_it(run: presil.Run, tmp_path: Path) -> None:
    page = run.report(tmp_path / "report.html").read_text(encoding="utf-8")
    assert ".dot.pool {" in page and '"pool"' in page
    from presil.report import write_trace

    write_trace(run.record, tmp_path / "trace.json.gz")
    trace = json.loads(gzip.open(tmp_path / "trace.json.gz", "rt", encoding="utf-8").read())
    assert "pool" in json.dumps(trace)
    assert "\npool 0: max tag=2 wait0=4" in run.program.streams
    assert "pool" in repr(run) or run.record["engines"]["pool"]


def test_the_command_line_runs_and_inspects_it(loadable: Path, tmp_path: Path) -> None:
    options = ("--check", "none", "--out", tmp_path / "run")
    done = command("run", loadable, "--engine", BUILD, *options)
    assert done.returncode == 0, done.stderr
    assert "\npool  " in done.stdout and "edge engines.pool.units=1" in done.stdout
    record = json.loads((tmp_path / "run" / "run.json").read_text(encoding="utf-8"))
    assert list(record["asked"]["engines"]) == ["pool"]
    listed = command("run", loadable, *options, "--force", PRESIL_ENGINES=str(BUILD))
    assert listed.returncode == 0, listed.stderr
    shown = command("inspect", loadable, "--engine", FOLDER)
    assert "3 commands: 1 dma0, 1 dma1, 1 pool" in shown.stdout, shown.stderr
    shown = command("report", tmp_path / "run")
    assert shown.returncode == 0 and "\npool  " in shown.stdout


def test_a_network_for_it_is_refused_without_it(loadable: Path) -> None:
    done = command("run", loadable, "--check", "none")
    assert done.returncode == 2
    assert "was compiled for a SoC with engine pool, which this SoC does not have" in done.stderr
    assert "--engine DIR" in done.stderr and "Traceback" not in done.stderr
    shown = command("inspect", loadable, "--section", "streams")
    assert shown.returncode == 2
    assert "of an engine from outside that is not loaded" in shown.stderr
    done = command("run", "digits", "--set", "engines.pool.units=1")
    assert done.returncode == 2
    assert "the SoC has engine pool, which is not loaded; name its folder: --engine DIR" in (
        done.stderr
    )


def test_a_network_without_it_is_refused_on_a_soc_with_it(tmp_path: Path) -> None:
    file = tmp_path / "digits.presil"
    presil.compile("digits").save(file)
    done = command("run", file, "--engine", BUILD)
    assert done.returncode == 2
    assert "was compiled for a SoC without engine pool, which this SoC has" in done.stderr


def test_the_simulator_says_so_by_itself(loadable: Path) -> None:
    """Where the network is put into a SoC without it, whatever the client has looked at."""
    program = presil.read_loadable(loadable, presil.load_soc("edge"))
    with pytest.raises(presil.Refusal, match="compiled for a SoC with engine pool, which this"):
        presil.run(program, image(), check="none")
    other = presil.load_soc("edge", {"engines.pool.table_entries": 256}, engines=[FOLDER])
    program = presil.read_loadable(loadable, other)
    with pytest.raises(presil.Refusal, match="for engine pool with other parameters; compile it"):
        presil.run(program, image(), check="none")
    program = presil.compile("digits")
    program.soc = presil.load_soc("edge", engines=[FOLDER])
    with pytest.raises(presil.Refusal, match="the SoC has engine pool, the network was compiled"):
        presil.run(program)


def test_its_parameters_are_the_socs() -> None:
    soc = presil.load_soc({"engines": {"pool": {"table_entries": 256}}}, engines=FOLDER)
    assert soc.config["engines.pool.table_entries"] == 256
    assert soc.config["engines.pool.prefetch"] == 2  # its default
    assert soc.label == "edge engines.pool.table_entries=256 engines.pool.units=1"
    usual = presil.load_soc("edge", engines=[FOLDER])
    assert usual.label == "edge engines.pool.units=1"
    assert presil.load_soc(usual, engines=[FOLDER]) is usual
    assert "engines" not in presil.load_soc("edge").canonical_text
    without = presil.load_soc("edge", {"engines.pool.units": 0}, engines=[FOLDER])
    assert without.sha256 == presil.load_soc("edge").sha256
    with pytest.raises(presil.Refusal, match="table_entries is 5000, must be 4 to 1024 entries"):
        presil.load_soc("edge", {"engines.pool.table_entries": 5000}, engines=[FOLDER])
    with pytest.raises(presil.Refusal, match="did you mean 'engines.pool.prefetch'"):
        presil.load_soc("edge", {"engines.pool.prefech": 2}, engines=[FOLDER])


def test_a_network_that_does_not_use_it_runs_as_before() -> None:
    """But for its addresses in DRAM: the driver allocates a ring for one queue more."""
    alone, beside = presil.run("digits"), presil.run("digits", engines=[FOLDER])
    assert beside.exact and beside.cycles == pytest.approx(alone.cycles, rel=0.005)
    assert beside.record["engines"]["pool"] is None


def test_programs_load_it_once() -> None:
    assert presil.load_engine(FOLDER) == presil.load_engine(BUILD) == "pool"
    names = ("pool", "pool1", "pool2", "pool3", "queue 18")  # instances.most is 4
    assert engines.queue_names()[QUEUE : QUEUE + 5] == names
    assert engines.engine_names()[-1] == "pool"
    for wrong, said in (
        (7, "got int, expected the path|got 7, expected the path"),
        (FOLDER / "tests", "has no engine.yaml and no engine_<name>.json"),
        (FOLDER / "nowhere", "is no folder, must be the folder of an engine"),
    ):
        with pytest.raises(presil.Refusal, match=said):
            presil.load_engine(wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("verb", ["run", "cosim", "compile", "inspect"])
def test_each_verb_with_a_soc_names_engines(verb: str) -> None:
    assert "--engine DIR" in command(verb, "--help").stdout
