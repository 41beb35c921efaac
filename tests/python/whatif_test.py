"""What-ifs and re-timing: what they predict is what a run with values on that SoC takes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import presil
import pytest
from presil.retime import retimed
from presil.timing import on, timed

NETWORKS = {
    "resnet8": "mlperf-tiny-resnet8/pretrainedResnet_quant.tflite",
    "kws": "mlperf-tiny-dscnn-kws/kws_ref_model.tflite",
    "vww": "mlperf-tiny-mobilenetv1-vww/vww_96_int8.tflite",
    "autoencoder": "mlperf-tiny-autoencoder-ad/ad01_int8.tflite",
    "person": "tflm-person-detect/person_detect.tflite",
    "lstm": "lstm-mnist-int8/trained_lstm_int8.tflite",
    "resnet-large": "mlperf-tiny-resnet-large/pretrainedResnet_large_int8.tflite",
}
FEW = [("digits", "edge"), ("kws", "micro")]
ALL = [(net, soc) for net in ("digits", *NETWORKS) for soc in ("edge", "micro", "big")]
CASES = ALL if os.environ.get("PRESIL_ALL") else FEW


def file_of(net: str) -> str:
    if net == "digits":
        return net
    shared = os.environ.get("PRESIL_SHARED", str(Path(__file__).resolve().parents[3] / "shared"))
    file = Path(shared) / "models" / NETWORKS[net]
    if not file.is_file():
        pytest.skip(f"no {file}")
    return str(file)


def test_the_console_shows_the_first_parameters_of_a_change() -> None:
    from presil.cli_whatif import short

    assert short(None) == "" and short("a=1 b=2 c=3") == "a=1 b=2 c=3"
    assert short("a=1 b=2 c=3 d=4 e=5") == "a=1 b=2 c=3 and 2 more"


def set_of(change: str) -> list[str]:
    return change.split(" ")


@pytest.mark.parametrize(("net", "soc"), CASES)
def test_predicts_what_a_run_takes(net: str, soc: str) -> None:
    file = file_of(net)
    found = presil.whatif(file, soc)
    items = [item for item in found["items"] if item["change"] is not None]
    assert len(items) >= 6
    for item in items:
        real = presil.run(file, soc=soc, set=set_of(item["change"]), check="none")
        assert abs(item["cycles_predicted"] - real.cycles) <= 0.01 * real.cycles, item["what"]
    assert [i["saves"] for i in found["items"]] == sorted(
        (i["saves"] for i in found["items"]), reverse=True
    )
    assert found["cycles_now"] == presil.run(file, soc=soc, check="none").cycles


@pytest.fixture(scope="module")
def folder(tmp_path_factory: Any) -> Path:
    return presil.run("digits").save(tmp_path_factory.mktemp("runs") / "digits")


def test_refuses_what_it_cannot_compile(folder: Path) -> None:
    with pytest.raises(presil.Refusal, match="this is a loadable, which is for one SoC; give"):
        presil.whatif(folder / "net.presil")
    with pytest.raises(presil.Refusal, match="the SoC is that of the run"):
        presil.whatif(folder, soc="micro")


def test_overlap_is_a_bound(folder: Path) -> None:
    found = presil.whatif("digits")
    (bound,) = [item for item in found["items"] if item["change"] is None]
    dla = json.loads((folder / "run.json").read_text())["engines"]["dla"]
    assert bound["cycles_predicted"] == dla["busy"] and "bound" in bound["what"]


def test_layers_say_where(folder: Path) -> None:
    found = presil.whatif("digits")
    (wide,) = [item for item in found["items"] if item["change"] == "dla.macs_k=32"]
    real = presil.run("digits", set={"dla.macs_k": 32}, check="none")
    cycles = {row["name"]: row["cycles"] for row in real.layers}
    assert wide["layers"]
    for layer in wide["layers"]:
        assert layer["cycles_predicted"] == cycles[layer["name"]]


def test_retimed_is_the_same_program() -> None:
    """Where the compiler makes the same plan for both, its cycles are those of a run."""
    file = file_of("kws")
    program, slow = presil.compile(file), {"dram.peak_mb_per_s": 1600}
    anew = presil.compile(file, set=slow)
    again = retimed(program, slow)
    assert again.cycles > presil.run(program, values=False).cycles
    if program.streams == anew.streams:
        assert again.cycles == presil.run(anew).cycles


def test_retimed_alone_is_the_same_program_and_leaves_out_what_means_another() -> None:
    found = presil.whatif("digits", anew=False)
    assert {item["what"] for item in found["refused"]} == {
        "SRAM of twice the size",
        "array of twice the rows",
        "array of twice the lanes",
        "DSP of twice the registers",
    }
    whole = {item["what"]: item for item in presil.whatif("digits")["items"]}
    for item in found["items"]:
        assert item["cycles_same_program"] == whole[item["what"]]["cycles_same_program"]
        if item["change"] is not None:
            assert item["cycles_predicted"] == item["cycles_same_program"]


@pytest.mark.parametrize("net", ["digits", "lstm"])
def test_what_is_timed_alone_takes_what_a_run_takes(net: str) -> None:
    """digits: its time follows the data, so values are computed; lstm: it has states."""
    program = presil.compile(file_of(net))
    run = presil.run(program, check="none")
    found = timed(program)
    assert found.cycles == run.record["per_sample"][0]["cycles"]
    assert found.layers == {row["name"]: row["cycles"] for row in run.layers}
    slow = presil.soc.load_soc(program.soc, {"dram.peak_mb_per_s": 800})
    again = timed(on(program, slow), compiled_for=str(program.info["soc_text"]))
    assert again.cycles == retimed(program, {"dram.peak_mb_per_s": 800}).cycles
    assert program.soc is not slow


def test_threads_change_nothing() -> None:
    assert presil.whatif("digits", jobs=1) == presil.whatif("digits", jobs=3)
    with pytest.raises(presil.Refusal, match="whatif: jobs is 0, must be 1 to 256"):
        presil.whatif("digits", jobs=0)


def test_retime_refuses(folder: Path, tmp_path: Path) -> None:
    for change in ("dla.macs_k=32", "sram.bytes=65536", "dsp.vlen=128", "dram.bytes=1048576"):
        with pytest.raises(presil.Refusal, match=f"{change.split('=')[0]}.*--recompile"):
            presil.retime(folder, [change])
    with pytest.raises(presil.Refusal, match="no run.json"):
        presil.retime(tmp_path, ["dram.setting=ideal"])
    other = np.zeros((1, 96, 96, 3), np.int8)
    with pytest.raises(presil.Refusal, match="'nms' follows the data"):
        presil.retime(folder, ["dram.setting=ideal"], inputs=other)


def test_retime_of_nothing_is_the_run(folder: Path) -> None:
    record = json.loads((folder / "run.json").read_text())
    assert presil.retime(folder).cycles == record["cycles"]
    assert presil.retime(folder, ["dram.peak_mb_per_s=800"]).cycles > record["cycles"]


def test_command_line(tmp_path: Path) -> None:
    def presil_of(*words: str) -> str:
        command = [sys.executable, "-m", "presil", *words]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    presil_of("run", "digits", "--out", "base", "--quiet")
    found = json.loads(presil_of("whatif", "digits", "--json"))
    assert {"change", "what", "cycles_predicted", "cycles_now", "saves"} <= set(found["items"][0])
    assert "dla.macs_k=32" in presil_of("whatif", "digits")
    presil_of("whatif", "base", "--json", "w.json")
    assert json.loads((tmp_path / "w.json").read_text())["items"] == found["items"]
    wide = ("--set", "dla.macs_k=32", "--recompile", "--json")
    anew = json.loads(presil_of("retime", "base", *wide))
    assert anew["cycles"] == presil.run("digits", set={"dla.macs_k": 32}).cycles
