"""Several of the engine in a tile: exact, each with its own name in every view, in lock-step."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import presil
import pytest
from pool_compiled_test import BUILD, FOLDER, network, upscaler
from presil import engines, paths
from presil.report import write_trace

pytestmark = pytest.mark.skipif(
    not (BUILD / "engine_pool.json").is_file(), reason="SKIPPED: the example engine is not built"
)

LISTED = """
engines:
- {kind: dla, name: dla}
- {kind: dma, name: dma}
- {kind: dsp, name: dsp}
- {kind: pool, name: pool0, table_entries: 256}
- {kind: pool, name: pool1, table_entries: 256}
"""


def soc_with(units: int, base: str = "edge", **parameters: Any) -> Any:
    return presil.load_soc(base, {"engines.pool.units": units, **parameters}, engines=[FOLDER])


def busy(run: presil.Run) -> list[int]:
    found = run.record["engines"]
    return [found[name]["busy"] for name in found if name.startswith("pool") and found[name]]


@pytest.mark.parametrize("units", [2, 3, 4])
def test_tiles_are_spread_and_results_are_exact(units: int) -> None:
    alone = presil.run(upscaler(), soc=soc_with(1), check="layers", engines=[FOLDER])
    run = presil.run(upscaler(), soc=soc_with(units), check="layers", engines=[FOLDER])
    assert run.exact and [a.tobytes() for a in run.arrays] == [a.tobytes() for a in alone.arrays]
    names = ["pool", *(f"pool{i}" for i in range(1, units))]
    assert [name for name in run.record["engines"] if name.startswith("pool")] == names
    shares = busy(run)
    assert min(shares) > 0.8 * max(shares)
    assert run.cycles < alone.cycles - 0.3 * sum(busy(alone))
    for name in names:
        engine = run.record["engines"][name]
        assert engine["busy"] + engine["idle"] + sum(engine["stall"].values()) == run.cycles


@pytest.mark.parametrize("numerics", ["tflite", "xnnpack"])
@pytest.mark.parametrize("seed", range(6))
def test_every_layer_is_exact(seed: int, numerics: str) -> None:
    sram = (32, 64, 256, 1024)[seed % 4] << 10
    base = ("edge", "big", "duo")[seed % 3]
    soc = soc_with(2 + seed % 3, base, **{"sram.bytes": sram})
    run = presil.run(network(numerics, seed), soc=soc, seed=seed, check="layers", engines=[FOLDER])
    assert run.exact, run.record["check"]


def test_a_soc_file_lists_them(tmp_path: Path) -> None:
    file = tmp_path / "listed.yaml"
    file.write_text(LISTED, encoding="utf-8")
    listed = presil.load_soc(file, engines=[FOLDER])
    sections = soc_with(2, **{"engines.pool.table_entries": 256})
    assert listed.canonical_text == sections.canonical_text
    found = [e for e in paths.native().engines_of(listed) if e["kind"] == "pool"]
    assert [(e["name"], e["queues"], hex(e["registers"])) for e in found] == [
        ("pool", ["pool"], "0x2400000"),
        ("pool1", ["pool1"], "0x2404000"),
    ]


def test_each_has_its_name_in_every_view(tmp_path: Path) -> None:
    run = presil.run(upscaler(), soc=soc_with(2), check="none", engines=[FOLDER])
    assert {"pool", "pool1"} <= {command["queue"] for command in run.commands}
    assert "\npool1 0: bilinear" in run.program.streams
    assert '"pool1"' in run.report(tmp_path / "report.html").read_text(encoding="utf-8")
    write_trace(run.record, tmp_path / "trace.json.gz")
    trace = json.loads(gzip.open(tmp_path / "trace.json.gz", "rt", encoding="utf-8").read())
    names = {e["args"]["name"] for e in trace["traceEvents"] if e.get("name") == "thread_name"}
    assert {"pool", "pool1"} <= names
    assert run.record["engines"]["pool1"]["busy"] > 0


def test_they_are_in_lockstep_with_their_rtl() -> None:
    for file in (BUILD / "libengine_pool_rtl.so", paths.RTL_SIMULATOR):
        if not file.is_file():
            pytest.skip(f"SKIPPED: {file} is not built")
    run = presil.cosim(upscaler(), soc=soc_with(2), rtl=["pool"], engines=[FOLDER])
    cosim = run.record["cosim"]
    assert run.exact and cosim["first_divergence"] is None and cosim["within_bands"]
    assert len(busy(run)) == 2 and min(busy(run)) > 0


def test_each_has_a_waveform_of_its_own(tmp_path: Path) -> None:
    for file in (BUILD / "libengine_pool_rtl_fst.so", paths.FST_SIMULATOR):
        if not file.is_file():
            pytest.skip(f"SKIPPED: {file} is not built")
    trace = presil.Trace(tmp_path / "waves", "cycles=29000:36000")
    run = presil.run(upscaler(), soc=soc_with(2), engines=[FOLDER], blocks="pool=rtl", trace=trace)
    assert [Path(w["file"]).name for w in run.record["waveforms"]] == ["pool.fst", "pool1.fst"]


def test_more_than_a_tile_can_have_are_refused() -> None:
    with pytest.raises(
        presil.Refusal, match="engines.pool.units is 5, must be 0 to 4: instances.most of its"
    ):
        soc_with(5)
    with pytest.raises(presil.Refusal, match="units is '65', must be a number from 0 to 64"):
        soc_with(65)


def test_a_network_for_two_is_refused_where_there_is_one() -> None:
    program = presil.compile(upscaler(), soc=soc_with(2), engines=[FOLDER])
    program.soc = soc_with(1)
    with pytest.raises(
        presil.Refusal, match="for a SoC with 2 of engine pool, this SoC has 1; compile it again"
    ):
        presil.run(program, check="none", engines=[FOLDER])


def test_one_that_is_switched_off_stays_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """Though the process adds the engines that it knows to each SoC that does not name them."""
    plain = presil.load_soc("edge").sha256
    monkeypatch.setenv(engines.VARIABLE, str(BUILD))
    assert presil.load_soc("edge").sha256 != plain
    without = presil.load_soc("edge", {"engines.pool.units": 0})
    wider = presil.load_soc(without, {"dla.macs_k": 32})
    assert not engines.engines_of_text(without.canonical_text)
    assert not engines.engines_of_text(wider.canonical_text)
    assert without.sha256 == plain
    again = presil.load_soc(wider, {"dla.macs_k": 16})
    assert again.sha256 == without.sha256
