"""SoCs of several tiles: how they are written, samples over them, and what is of one tile alone."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import presil
import pytest

SAMPLES = 5
QUAD_UNLIKE = """
dram: {channels: 2}
tiles:
- {}
- dsp: {units: 0}
- engines: [{kind: dla, name: dla, macs_k: 32}, {kind: dma, name: dma}, {kind: dsp, name: dsp}]
- {}
"""


def inputs_of(program: presil.Program, samples: int = SAMPLES) -> list[np.ndarray]:
    random = np.random.default_rng(7)
    return [
        random.integers(-128, 128, [samples, *t["shape"][1:]]).astype(t["dtype"])
        for t in program.inputs
    ]


def soc_of(tmp_path: Path, text: str) -> Any:
    file = tmp_path / "tiled.yaml"
    file.write_text(text, encoding="utf-8")
    return presil.load_soc(file)


@pytest.fixture(scope="module")
def alone() -> presil.Run:
    program = presil.compile("digits")
    return presil.run(program, inputs_of(program))


@pytest.fixture(scope="module")
def pair() -> presil.Run:
    program = presil.compile("digits", {"tiles": 2})
    return presil.run(program, inputs_of(program))


# ---- the SoC


def test_quad_is_four_tiles_of_edge() -> None:
    quad = presil.load_soc("quad")
    assert quad.tiles == 4 and quad.label == "quad"
    assert {quad.tile(t).sha256 for t in range(4)} == {presil.load_soc("edge").sha256}
    assert quad.sha256 != presil.load_soc("edge").sha256
    assert quad.tile(2).name == "quad-tile2"
    with pytest.raises(IndexError, match="there is no tile 4"):
        quad.tile(4)


def test_one_tile_is_as_none_named() -> None:
    assert presil.load_soc("quad", {"tiles": 1}).sha256 == presil.load_soc("edge").sha256
    assert "tiles" not in presil.load_soc("edge").canonical_text


def test_a_parameter_is_of_all_tiles_or_of_one() -> None:
    soc = presil.load_soc("edge", {"tiles": 3, "dla.macs_k": 32, "tiles.1.dla.macs_k": 64})
    assert [soc.tile(t).config["dla.macs_k"] for t in range(3)] == [32, 64, 32]
    assert soc.label == "edge dla.macs_k=32 tiles=3 tiles.1.dla.macs_k=64"
    again = presil.load_soc(soc, {"dla.macs_c": 32})
    assert [again.tile(t).config["dla.macs_c"] for t in range(3)] == [32, 32, 32]
    assert again.tile(1).config["dla.macs_k"] == 64


def test_the_text_reads_back(tmp_path: Path) -> None:
    soc = soc_of(tmp_path, QUAD_UNLIKE)
    assert pickle.loads(pickle.dumps(soc)).canonical_text == soc.canonical_text
    assert presil.load_soc(soc).sha256 == soc.sha256


def test_a_list_in_python_is_the_same_as_in_a_file(tmp_path: Path) -> None:
    listed = {
        "tiles": [{}, {"dsp": {"units": 0}}, {"dla.macs_k": 32}, {}],
        "dram": {"channels": 2},
    }
    assert presil.load_soc(listed).sha256 == soc_of(tmp_path, QUAD_UNLIKE).sha256
    with pytest.raises(presil.Refusal, match=r"tiles\[1\] is a whole number, expected its|tiles"):
        presil.load_soc({"tiles": [{}, 3]})


BAD = {
    "tiles.2.dla.macs_k=32": "those of one tile are called tiles.<n>.<parameter>, with n from 0 to",
    "tiles.1.clock_mhz=400": "is of one tile, must be of all: tiles share the clock and the DRAM",
    "tiles.1.dram.channels=2": "is of one tile, must be of all",
    "tiles.1.dla.macks=32": "there is no parameter 'dla.macks' (did you mean 'dla.macs_k'?)",
    "tiles.x.dla.macs_k=32": "there is no parameter 'tiles.x.dla.macs_k'",
    "tiles.1=4": "there is no parameter 'tiles.1'",
    "tiles=65": "tiles is '65', must be a number from 1 to 64",
}


@pytest.mark.parametrize("change", BAD)
def test_what_no_tile_can_have_is_refused(change: str) -> None:
    with pytest.raises(presil.Refusal) as refused:
        presil.load_soc("edge", ["tiles=2", change])
    assert BAD[change] in str(refused.value)


# ---- samples over them


def test_outputs_are_those_of_one_tile(alone: presil.Run, pair: presil.Run) -> None:
    assert pair.exact
    assert all(np.array_equal(pair.outputs[name], alone.outputs[name]) for name in alone.outputs)


def test_two_tiles_are_faster_together_and_slower_each(alone: presil.Run, pair: presil.Run) -> None:
    tiles = pair.record["tiles"]
    # 5 samples on 2 tiles take at least 3 times what one takes; the DRAM is not a limit here.
    assert 0.6 * alone.cycles < pair.cycles < 0.7 * alone.cycles
    # The detections make samples differ by up to 2 %: three of them may take less than the mean.
    assert 1.4 < tiles["speed_up"] <= 1.02 * 5 / 3
    assert tiles["slow_down"] > 1 and tiles["dram"]["wait_per_read"] > 0
    assert tiles["sample_cycles"] > tiles["alone_cycles"]
    per_s = SAMPLES * 1e9 / pair.cycles
    assert tiles["samples_per_s"] == pytest.approx(per_s, abs=1e-3)


def test_each_sample_is_on_the_tile_that_was_free(pair: presil.Run) -> None:
    each = pair.record["tiles"]["each"]
    assert sorted(s for tile in each for s in tile["samples"]) == list(range(SAMPLES))
    assert [tile["samples"][0] for tile in each] == [0, 1]
    for tile in each:
        spans = list(zip(tile["begins"], tile["cycles"], strict=True))
        assert all(a + n <= b for (a, n), (b, _) in zip(spans, spans[1:]))
        assert tile["busy_cycles"] == sum(tile["cycles"]) <= pair.cycles
    later = max(tile["begins"][-1] for tile in each)
    assert later > min(tile["cycles"][0] for tile in each)


def test_every_cycle_of_every_tile_has_a_place(pair: presil.Run) -> None:
    means = {k: e for k, e in pair.record["engines"].items() if e is not None}
    rows = [means, *(tile["engines"] for tile in pair.record["tiles"]["each"])]
    for engines in rows:
        for name, engine in engines.items():
            total = engine["busy"] + sum(engine["stall"].values()) + engine["idle"]
            assert total == pair.cycles, name
    each = [tile["engines"]["dla"]["busy"] for tile in pair.record["tiles"]["each"]]
    assert abs(means["dla"]["busy"] - sum(each) / 2) <= 1


def test_bytes_of_the_tiles_are_those_of_the_run(alone: presil.Run, pair: presil.Run) -> None:
    memory, before = pair.record["memory"]["dram"], alone.record["memory"]["dram"]
    assert memory["read_bytes"] == before["read_bytes"]
    assert memory["written_bytes"] == before["written_bytes"]
    counts = pair.record["actions"]["engines"]
    assert counts["dla"]["array"]["macs"] == alone.record["actions"]["engines"]["dla"]["array"][
        "macs"
    ]
    kernels = {k["name"]: k for k in pair.record["dsp"]["kernels"]}
    for kernel in alone.record["dsp"]["kernels"]:
        assert kernels[kernel["name"]]["calls"] == kernel["calls"]


def test_the_timeline_has_the_rows_of_each_tile(pair: presil.Run, tmp_path: Path) -> None:
    queues = {row[0] for row in pair.record["timeline"]["commands"]}
    assert {"0:dla", "1:dla", "0:dsp", "1:dsp"} <= queues
    page = pair.report(tmp_path / "report.html").read_text(encoding="utf-8")
    assert "Tiles" in page and "samples a second" in page


@pytest.mark.parametrize("tiles", (2, 3))
def test_several_in_flight_on_each(alone: presil.Run, tiles: int) -> None:
    program = presil.compile("digits", {"tiles": tiles}, overlap=True)
    run = presil.run(program, inputs_of(program), in_flight=2)
    assert run.exact and run.record["tiles"]["in_flight"] == 2
    assert all(np.array_equal(run.outputs[name], alone.outputs[name]) for name in alone.outputs)


def test_tiles_that_are_not_alike_have_programs_of_their_own(
    alone: presil.Run, tmp_path: Path
) -> None:
    program = presil.compile("digits", soc_of(tmp_path, QUAD_UNLIKE))
    assert len(program.others) == 2
    run = presil.run(program, inputs_of(program), check="layers")
    assert run.exact
    assert all(np.array_equal(run.outputs[name], alone.outputs[name]) for name in alone.outputs)
    each = run.record["tiles"]["each"]
    assert "dsp" not in each[1]["engines"] or each[1]["engines"]["dsp"]["busy"] == 0
    assert each[2]["alone_cycles"] < each[0]["alone_cycles"] == each[3]["alone_cycles"]
    folder = run.save(tmp_path / "run")
    assert {"net.presil", "net1.presil", "net2.presil"} <= {f.name for f in folder.iterdir()}
    with pytest.raises(presil.Refusal, match="are not alike, so each kind has a program"):
        program.save(tmp_path / "net.presil")


def test_a_program_of_edge_runs_on_quad(tmp_path: Path) -> None:
    program = presil.compile("digits")
    program.save(tmp_path / "net.presil")
    run = presil.run(tmp_path / "net.presil", inputs_of(program), soc="quad")
    assert run.exact and run.record["tiles"]["count"] == 4 and run.record["soc"]["name"] == "quad"
    with pytest.raises(presil.Refusal, match="'quad tiles.1.sram.banks=8' are not alike"):
        presil.run(
            tmp_path / "net.presil", soc="quad", set={"tiles.1.sram.banks": 8}, check="none"
        )


def test_more_tiles_than_samples_rest() -> None:
    program = presil.compile("digits", {"tiles": 3})
    run = presil.run(program, inputs_of(program, 1))
    assert run.exact
    assert [tile["samples"] for tile in run.record["tiles"]["each"]] == [[0], [], []]
    assert run.record["tiles"]["slow_down"] == pytest.approx(1, abs=0.01)
    assert run.record["tiles"]["dram"]["wait_per_read"] == 0


def test_a_job_that_does_not_end_says_sample_and_tile() -> None:
    program = presil.compile("digits", {"tiles": 2})
    with pytest.raises(presil.HardwareError, match="sample [01] on tile [01]: .*did not end"):
        presil.run(program, inputs_of(program), timeout_ms=0.01)


# ---- what is of one tile alone

REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "RTL": ({"blocks": "dla=rtl"}, "a block as RTL"),
    "firmware": ({"host": "m33"}, "firmware on m33"),
    "a profile": ({"profile": True}, "a profile or trace of the DSP"),
    "faults": ({"fault": [presil.Fault("late_answer", queue="dma0", cycles=9)]}, "faults"),
    "a debugger": ({"gdb": "dsp:0"}, "a debugger"),
    "counters": ({"counters": "job"}, "counters, or a core's profile"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_is_of_one_tile_is_refused(what: str) -> None:
    options, said = REFUSED[what]
    with pytest.raises(presil.Refusal) as refused:
        presil.run("digits", soc="quad", **options)
    text = str(refused.value)
    assert "SoC 'quad' has 4 tiles, must have 1 here" in text and said in text
    assert "--set tiles=1" in text and "\n" not in text


VERBS = (
    ("cosim", "digits", "--soc", "quad"),
    ("whatif", "digits", "--soc", "quad"),
    ("firmware", "digits", "--soc", "quad", "-o", "fw.elf"),
    ("remote", "name", "--soc", "quad"),
    ("tune", "digits", "--soc", "quad", "--trials", "1"),
)


@pytest.mark.parametrize("arguments", VERBS, ids=lambda arguments: arguments[0])
def test_verbs_of_one_tile_refuse_several(presil: Any, arguments: tuple[str, ...]) -> None:
    ended = presil(*arguments)
    assert ended.code == 2, ended.out
    assert "tiles, must have 1 here" in ended.err


def test_serve_is_of_one_tile(presil: Any, tmp_path: Path, digits: Path) -> None:
    arrival = "{kind: periodic, rate_hz: 100}"
    load = f"soc: quad\nnetworks:\n- {{file: {digits}, arrival: {arrival}}}\n"
    (tmp_path / "load.yaml").write_text(load + "duration_ms: 20\n", encoding="utf-8")
    ended = presil("serve", "load.yaml")
    assert ended.code == 2
    assert "SoC 'quad' has 4 tiles, must have 1 here" in ended.err, ended.err


def test_energy_and_retime_refuse_a_run_over_tiles(presil: Any, tmp_path: Path) -> None:
    options = ("--soc", "quad", "--samples", "0:6", "--out", "over", "--json", "-")
    ran = presil("run", "digits", *options)
    assert ran.code == 0, ran.err
    assert json.loads(ran.out)["tiles"]["count"] == 4
    for verb in (("energy", "over"), ("retime", "over", "--set", "dram.channels=2")):
        ended = presil(*verb)
        assert ended.code == 2
        assert "'over' is a run over 4 tiles, must be of one; run the network" in ended.err
    ended = presil("energy", "digits", "--soc", "quad")
    assert ended.code == 2
    assert "4 tiles, must be of one: the tables say what one tile and its DRAM leak" in ended.err
    shown = presil("report", "over")
    assert "6 samples over 4 tiles in" in shown.out and "x one tile, which takes" in shown.out
    assert "beside the others a sample takes" in shown.out
