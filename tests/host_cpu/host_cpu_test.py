"""Networks whose driver runs as firmware on a core: outputs and commands are the native host's."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import presil
import pytest
from host_cores import CORES, WITH_NATIVE
from presil import paths
from presil.host import host_message
from presil.samples import inputs_of
from presil.simulation import Simulation

TRAINED = {
    "resnet8": "mlperf-tiny-resnet8/pretrainedResnet_quant.tflite",
    "mobilenet_v2": "mobilenet-v2-int8/tf2_mobilenet_v2_1.0_224_ptq.tflite",
}


def commands(run: presil.Run) -> list[tuple[Any, ...]]:
    """Of every engine what it ran, in its order."""
    return sorted(
        (c["queue"], c["index"], c["tag"], c["dram_read"], c["dram_written"]) for c in run.commands
    )


def check_same(native: presil.Run, firmware: presil.Run, host: str) -> None:
    assert firmware.exact
    for name, array in native.outputs.items():
        np.testing.assert_array_equal(firmware.outputs[name], array)
    assert commands(firmware) == commands(native)
    assert "host" not in native.record
    told = firmware.record["host"]
    assert told["kind"] == host
    assert 0 < told["instructions"] < told["busy_cycles"] <= told["cycles"]
    assert told["cycles"] >= firmware.record["per_sample"][0]["cycles"]


@pytest.mark.parametrize("host", CORES)
def test_the_demo_runs_from_firmware_as_natively(digits: Path, host: str) -> None:
    program = presil.compile(digits)
    native = presil.run(program, seed=3, check="layers")
    check_same(native, presil.run(program, seed=3, check="layers", host=host), host)


@pytest.mark.parametrize("name", TRAINED)
@pytest.mark.parametrize("host", CORES)
def test_trained_networks_run_from_firmware_as_natively(shared: Path, name: str, host: str) -> None:
    program = presil.compile(shared / "models" / TRAINED[name])
    check_same(presil.run(program), presil.run(program, host=host), host)


@pytest.mark.parametrize("host", CORES)
def test_operators_of_the_host_run_on_the_core(host: str) -> None:
    """Without a DSP, decoding and suppression of boxes are the host's."""
    program = presil.compile("digits", soc="edge", set=["dsp.units=0"])
    native = presil.run(program)
    ran = {c["queue"] for c in native.commands}
    assert "host" in ran
    check_same(native, presil.run(program, host=host), host)


def test_samples_run_one_after_another(digits: Path) -> None:
    program = presil.compile(digits)
    data = np.random.default_rng(4).integers(-128, 128, (3, *program.inputs[0]["shape"][1:]))
    data = data.astype(program.inputs[0]["dtype"])
    native, firmware = (presil.run(program, data, host=host) for host in ("native", "m33"))
    check_same(native, firmware, "m33")
    assert len(firmware.record["host"]["per_sample"]) == 3


@pytest.mark.parametrize("host", CORES)
def test_the_same_run_takes_the_same_cycles(digits: Path, host: str) -> None:
    first, second = (presil.run(digits, host=host).record for _ in range(2))
    assert first["host"] == second["host"]
    assert first["cycles"] == second["cycles"]


def test_the_command_line_writes_the_host(presil: Any, digits: Path, tmp_path: Path) -> None:
    ended = presil("run", digits, "--host", "m4", "--out", "m4", "--quiet")
    assert ended.code == 0, ended.err
    record = json.loads((tmp_path / "m4" / "run.json").read_text(encoding="utf-8"))
    assert record["host"]["kind"] == "m4"
    assert record["asked"]["options"]["host"] == "m4"
    ended = presil("run", digits, "--out", "native", "--quiet")
    assert ended.code == 0, ended.err
    record = json.loads((tmp_path / "native" / "run.json").read_text(encoding="utf-8"))
    assert "host" not in record and "host" not in record["asked"]["options"]


@pytest.mark.parametrize("host", CORES)
def test_the_job_after_one_that_was_cancelled_is_exact(digits: Path, host: str) -> None:
    program = presil.compile(digits)
    native = presil.run(program, seed=5)
    arrays, _ = inputs_of(program.inputs, None, 5, None)
    with Simulation(program, host=host) as simulation:
        with pytest.raises(presil.HardwareError, match="did not end within"):
            simulation.job(arrays, timeout_ns=50000)
        outputs, _, _ = simulation.job(arrays)
    for ours, theirs in zip(outputs, native.arrays, strict=True):
        np.testing.assert_array_equal(ours, theirs)


def test_networks_take_each_others_place(digits: Path) -> None:
    """A network that is replaced gives its memory back: DRAM of 4 MiB does not hold twenty."""
    soc = presil.load_soc("edge", ["dram.bytes=4194304"])
    programs = [presil.compile(digits, soc), presil.compile("digits", soc)]
    inputs = [inputs_of(program.inputs, None, 6, None)[0] for program in programs]
    expected = [presil.run(p, arrays).arrays for p, arrays in zip(programs, inputs, strict=True)]
    with Simulation(programs[0], host="m33") as simulation:
        for turn in range(20):
            simulation.load(programs[turn % 2])
            outputs, _, _ = simulation.job(inputs[turn % 2])
            for ours, theirs in zip(outputs, expected[turn % 2], strict=True):
                np.testing.assert_array_equal(ours, theirs)


# ------------------------------------------------------------------------------------- refusals


def test_a_host_that_there_is_not_is_refused(presil: Any, digits: Path) -> None:
    ended = presil("run", digits, "--host", "m7")
    assert ended.code == 2
    assert "'m7' is not one of 'native', 'm33', 'm4', 'rv64', 'aarch64'" in ended.err
    import presil as package

    said = "host is 'm7', expected one of native, m33, m4, rv64, aarch64"
    with pytest.raises(package.Refusal, match=said):
        package.run(digits, host="m7")


def test_firmware_that_is_not_there_is_refused(monkeypatch: Any, tmp_path: Path) -> None:
    monkeypatch.setattr(paths, "FIRMWARE", tmp_path)
    with pytest.raises(presil.Refusal, match=r"m33 requires '.*m33.elf', which is not there; `sim"):
        host_message("m33")


def opened(firmware: Path, soc: Any = None) -> dict[str, Any]:
    """The answer of presil-sim to an `open` with this firmware."""
    soc = soc or presil.load_soc("edge")
    message = {
        "do": "open",
        "soc_name": soc.name,
        "soc": soc.canonical_text,
        "host": {**host_message("m33")["host"], "firmware": str(firmware)},
    }
    done = subprocess.run(
        [str(paths.simulator())],
        input=json.dumps(message) + "\n",
        capture_output=True,
        text=True,
        timeout=60,
    )
    return dict(json.loads(done.stdout))


def test_firmware_of_another_machine_is_refused() -> None:
    answer = opened(paths.simulator())
    assert not answer["ok"] and answer["exit"] == 2
    assert "presil-sim" in answer["error"]


def test_firmware_that_faults_is_told_with_its_place(tmp_path: Path) -> None:
    image = bytearray((paths.FIRMWARE / "m33.elf").read_bytes())
    first = int.from_bytes(image[28:32], "little")  # program headers; the first is flash
    begin = int.from_bytes(image[first + 4 : first + 8], "little")
    entry = int.from_bytes(image[24:28], "little") & ~1
    image[begin + entry : begin + entry + 2] = b"\x00\xde"  # udf #0
    (tmp_path / "broken.elf").write_bytes(image)
    answer = opened(tmp_path / "broken.elf")
    assert not answer["ok"]
    assert "has taken exception 3" in answer["error"] and "presil_reset" in answer["error"]


@pytest.mark.parametrize("host", WITH_NATIVE)
def test_a_job_that_does_not_end_in_time_is_reported_by_the_driver(digits: Path, host: str) -> None:
    said = r"job 0 did not end within 50000 ns; dla command \d+ \(layer \w+\) runs; .* waits for"
    with pytest.raises(presil.HardwareError, match=said):
        presil.run(digits, timeout_ms=0.05, host=host)
