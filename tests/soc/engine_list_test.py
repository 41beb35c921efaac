"""A SoC whose engines are a list: the same hardware as by sections, and what is refused."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import presil
import pytest

DLA, DLA1 = {"kind": "dla", "name": "dla"}, {"kind": "dla", "name": "dla1"}
DMA, DSP = {"kind": "dma", "name": "dma"}, {"kind": "dsp", "name": "dsp"}

DUO = """# pair: duo, engine by engine
engines:
  - {kind: dla, name: dla0}
  - {kind: dla, name: dla1}
  - {kind: dma, name: dma}
  - {kind: dsp, name: dsp}
"""


def soc_of(tmp_path: Path, text: str, name: str = "listed") -> Any:
    file = tmp_path / f"{name}.yaml"
    file.write_text(text, encoding="utf-8")
    return presil.load_soc(file)


def test_duo_as_a_list_gives_the_same_bytes_and_cycles(tmp_path: Path) -> None:
    duo, listed = presil.load_soc("duo"), soc_of(tmp_path, DUO, "duo")
    assert listed.canonical_text == duo.canonical_text and listed.sha256 == duo.sha256
    compiled = [presil.compile("digits", soc=soc) for soc in (duo, listed)]
    compiled[0].save(tmp_path / "sections.presil")
    compiled[1].save(tmp_path / "list.presil")
    files = [(tmp_path / f"{name}.presil").read_bytes() for name in ("sections", "list")]
    assert files[0] == files[1]
    runs = [presil.run(program, check="layers") for program in compiled]
    assert runs[0].exact and runs[1].exact
    assert runs[0].cycles == runs[1].cycles
    assert runs[0].record["engines"] == runs[1].record["engines"]
    assert runs[1].record["engines"]["dla1"]["busy"] > 0


def test_entries_have_parameters_and_what_is_not_listed_is_not_there(tmp_path: Path) -> None:
    text = """
engines:
- {name: dla1, macs_k: 32, weight_ports: 2, kind: dla}
- {name: dla, weight_ports: 2, macs_k: 32, kind: dla}
- kind: dma
  name: dma
  channels: 2
"""
    config = soc_of(tmp_path, text).config
    sections = presil.load_soc(
        "edge",
        {
            "dla": {"units": 2, "macs_k": 32, "weight_ports": 2},
            "dma.channels": 2,
            "dsp.units": 0,
        },
    )
    assert config == sections.config


def test_a_list_in_python_is_the_same_as_in_a_file() -> None:
    listed = presil.load_soc({"engines": [DLA, DLA1, DMA, {**DSP, "vlen": 256}]})
    assert listed.sha256 == presil.load_soc("edge", {"dla.units": 2, "dsp.vlen": 256}).sha256
    assert listed.label == "edge dla.units=2 dsp.vlen=256"
    with pytest.raises(presil.Refusal, match=r"engines\[0\] is no entry"):
        presil.load_soc({"engines": [3]})
    with pytest.raises(presil.Refusal, match=r"engines\[0\].macs_k is a list, expected a number"):
        presil.load_soc({"engines": [{**DLA, "macs_k": [16]}]})


def test_overrides_come_after_the_list(tmp_path: Path) -> None:
    file = tmp_path / "pair.yaml"
    file.write_text(DUO, encoding="utf-8")
    assert presil.load_soc(file, {"dla.units": 1}).sha256 == presil.load_soc("edge").sha256


def test_the_text_of_a_list_reads_back(tmp_path: Path) -> None:
    soc = soc_of(tmp_path, DUO)
    assert pickle.loads(pickle.dumps(soc)).canonical_text == soc.canonical_text
    assert presil.load_soc(soc, {"dla.macs_k": 32}).config["dla.units"] == 2


def test_one_tile_may_be_written_as_a_list(tmp_path: Path) -> None:
    text = """
tiles:
- engines: [{kind: dla, name: dla}, {kind: dma, name: dma}, {kind: dsp, name: dsp}]
  sram: {banks: 8}
dram: {channels: 2}
"""
    expected = presil.load_soc("edge", {"sram.banks": 8, "dram.channels": 2})
    assert soc_of(tmp_path, text).sha256 == expected.sha256


def test_engines_of_a_soc_can_be_asked_for() -> None:
    engines = presil.paths.native().engines_of(presil.load_soc("duo"))
    assert [e["name"] for e in engines] == ["dla", "dla1", "dsp", "dma", "host"]
    assert [hex(e["registers"]) for e in engines[:2]] == ["0x2000000", "0x2004000"]
    assert engines[3]["queues"] == ["dma0", "dma1", "dma2", "dma3"]
    assert engines[1]["parameters"]["macs_k"] == "16"


PAIR = "engines:\n- {kind: dla, name: dla}\n- {kind: dma, name: dma}\n"
BAD = {
    "an empty list": ("engines: []", "engines lists no dla, must have one: the compiler relies"),
    "no dma": ("engines: [{kind: dla, name: dla}]", "lists no dma, must have one: nothing else"),
    "an entry that is none": ("engines: [3]", "line 1: engines[0] is no entry, must be kind, name"),
    "no name": (
        f"{PAIR}- {{kind: dsp}}",
        "line 4: engines[2] has no name, must have kind and name",
    ),
    "no kind": (
        f"{PAIR}- {{name: dsp}}",
        "line 4: engines[2] has no kind, must have kind and name",
    ),
    "a name that is a list": (f"{PAIR}- {{kind: dsp, name: [a]}}", "engines[2] has no name"),
    "a name that is there": (
        f"{PAIR}- {{kind: dla, name: dla}}",
        "line 4: engines[2].name is dla, which engines[0] has; must be one that no other has",
    ),
    "the first one twice": (f"{PAIR}- {{kind: dla, name: dla0}}", "name is dla0, which engines[0]"),
    "a name of one's own": (
        f"{PAIR}- {{kind: dla, name: left}}",
        "line 4: engines[2].name is 'left', must be dla, dla1 or so on: counters, reports and "
        "traces call instances by their printed names",
    ),
    "the name of another kind": (f"{PAIR}- {{kind: dsp, name: dla1}}", "'dla1', must be dsp, dsp1"),
    "a gap": (
        f"{PAIR}- {{kind: dla, name: dla2}}",
        "name is dla2, and there is no dla1; instances",
    ),
    "a gap at the begin": (PAIR.replace("name: dla", "name: dla1"), "dla1, and there is no dla;"),
    "five DLAs": (
        PAIR + "".join(f"- {{kind: dla, name: dla{i}}}\n" for i in range(1, 5)),
        "line 7: engines[5] is number 5 of dla, must be at most 4: a tile has queues for so many",
    ),
    "two DSPs": (
        f"{PAIR}- {{kind: dsp, name: dsp}}\n- {{kind: dsp, name: dsp1}}",
        "engines[3] is number 2 of dsp, must be at most 1",
    ),
    "two DMAs": (f"{PAIR}- {{kind: dma, name: dma1}}", "number 2 of dma, must be at most 1"),
    "the host": (
        f"{PAIR}- {{kind: host, name: host}}",
        "kind is host, must be dla, dma, dsp or an",
    ),
    "sync": (
        f"{PAIR}- {{kind: sync, name: sync}}",
        "sync is there once in any tile; its parameters",
    ),
    "no such kind": (
        f"{PAIR}- {{kind: dlq, name: dlq}}",
        "the SoC has engine dlq (did you mean 'dla'?), which is not loaded; name its folder",
    ),
    "a kind that is no name": (
        f"{PAIR}- {{kind: Pool, name: Pool}}",
        "'engines.Pool.units'; of an",
    ),
    "units": (f"{PAIR}- {{kind: dsp, name: dsp, units: 1}}", "units must not be there: each entry"),
    "an unknown parameter": (
        f"{PAIR}- {{kind: dsp, name: dsp, vlem: 1}}",
        "there is no parameter 'dsp.vlem' (did you mean 'dsp.vlen'?)",
    ),
    "a parameter twice": (
        f"{PAIR}- {{kind: dsp, name: dsp, vlen: 256, vlen: 128}}",
        "engines[2].vlen must be one number or name, and there once",
    ),
    "instances that differ": (
        f"{PAIR}- {{kind: dla, name: dla1, macs_k: 32}}",
        "line 4: engines[2].macs_k is 32, must be as of dla, where it is not given: instances of a "
        "kind are alike, for the compiler gives any of them any tile",
    ),
    "instances that differ in a value": (
        PAIR.replace("name: dla", "name: dla, macs_k: 16")
        + "- {kind: dla, name: dla1, macs_k: 32}",
        "macs_k is 32, must be as of dla, where it is 16",
    ),
    "a section beside it": (
        f"{PAIR}dsp: {{vlen: 256}}",
        "line 4: dsp is a section, and engines a list; must be one of the two: write its "
        "parameters into the entries of kind dsp",
    ),
    "a section before it": (
        f"dla: {{units: 2}}\n{PAIR}",
        "line 1: dla is a section, and engines a",
    ),
    "sections of engines from outside": (
        f"{PAIR}engines: {{pool: {{}}}}",
        "line 4: engines is there already; must be one list, or one section",
    ),
    "two lists": (
        PAIR + PAIR,
        "line 4: engines is there already; must be one list, or one section",
    ),
    "no tile": ("tiles: []", "line 1: tiles is no number and no list, must be how many like"),
    "tiles as a group": ("tiles: {a: 1}", "line 1: tiles is no number and no list"),
    "none": ("tiles: 0", "tiles is '0', must be a number from 1 to 64"),
    "65 tiles": ("tiles: 65", "tiles is '65', must be a number from 1 to 64"),
    "half a tile": ("tiles: 1.5", "tiles is '1.5', must be a whole number"),
    "tiles twice": ("tiles: 2\ntiles: 3", "line 2: tiles is there already; must be one list, or"),
    "tiles in a tile": ("tiles: [{tiles: 2}]", "tiles[0] has tiles, must not: tiles share it"),
    "the clock of a tile": ("tiles: [{}, {clock_mhz: 1}]", "tiles[1] has clock_mhz, must not:"),
    "what no tile can have": (
        "tiles: [{}, {dla: {macs_k: 17}}]",
        "dla.macs_k is '17', must be a multiple of 16",
    ),
    "an engine list and a section of one tile": (
        "tiles: [{}, {engines: [{kind: dla, name: dla}, {kind: dma, name: dma}], "
        "dsp: {vlen: 256}}]",
        "line 1: dsp is a section, and engines a list",
    ),
    "a tile that is a number": (
        "tiles: [2]",
        "line 1: tiles[0] is no group of parameters",
    ),
    "the DRAM of a tile": ("tiles: [{dram: {channels: 2}}]", "tiles[0] has dram, must not: tiles"),
    "a tile and a section": (
        "tiles: [{sram: {banks: 8}}]\nsram: {banks: 16}",
        "line 1: sram.banks is there already; must be one number or name, as in sim/socs/edge.yaml",
    ),
}


@pytest.mark.parametrize("what", BAD)
def test_a_list_that_cannot_be_is_refused(tmp_path: Path, what: str) -> None:
    text, said = BAD[what]
    with pytest.raises(presil.Refusal) as refused:
        soc_of(tmp_path, text)
    assert str(refused.value).startswith("soc: ") and said in str(refused.value)
    assert "\n" not in str(refused.value)
