"""Images of a program and a network: what runs is exact, what fails says so, in a sentence."""

from __future__ import annotations

import json
import shutil
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import presil
import pytest
from host_cores import CORES as BUILT
from presil import paths
from presil.host import host_message
from presil.image import NOTE_AT, prebuilt, read_image
from presil.image_elf import CORES, Piece, pieces_of, with_pieces
from presil.image_sources import write_sources
from presil.refusal import HardwareError

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "driver" / "port" / "baremetal"))
import firmware  # noqa: E402

TOOLS = ("clang-19", "ld.lld-19")
MARK = 0x600DC0DE


def command(*arguments: Any) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, "-m", "presil", *map(str, arguments)]
    return subprocess.run(words, capture_output=True, text=True, timeout=120)


def requires_compiler() -> None:
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    if missing:
        pytest.skip(f"SKIPPED: images are not compiled, no {' '.join(missing)} here")


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("image") / "fw.elf"
    done = command("firmware", "digits", "-o", file, "--sources", file.parent / "sources")
    assert done.returncode == 0, done.stderr
    assert f"presil run {file} runs it" in done.stdout
    return file


def bytes_in_memory(file: Path) -> dict[int, int]:
    pieces = pieces_of(file.read_bytes(), file)
    return {p.address + i: byte for p in pieces for i, byte in enumerate(p.data)}


def test_an_image_runs_its_network_and_every_tensor_is_exact(image: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    done = command("run", image, "--check", "layers", "--out", out)
    assert done.returncode == 0, done.stderr
    assert "bytes that are not as expected: 0" in done.stdout
    assert f"{image}: exit code 0" in done.stdout
    record = json.loads((out / "run.json").read_text())
    assert record["check"]["exact"] and record["check"]["compared_bytes"] > 100_000
    assert record["host"]["kind"] == "m33" and record["host"]["exit_code"] == 0
    assert record["host"]["cycles"] > record["cycles"] > 0
    assert sum(layer["cycles"] > 0 for layer in record["layers"]) >= 19  # one is fused away


@pytest.mark.parametrize("core", BUILT)
def test_outputs_and_commands_are_the_native_hosts(core: str, tmp_path: Path) -> None:
    file = tmp_path / "fw.elf"
    assert command("firmware", "digits", "-o", file, "--host", core, "--quiet").returncode == 0
    native, own = presil.run("digits"), presil.run(file)
    assert own.exact and own.record["host"]["kind"] == core
    for name, array in native.outputs.items():
        np.testing.assert_array_equal(own.outputs[name], array)
    told = [(c["queue"], c["index"], c["tag"]) for c in native.commands]
    assert sorted(told) == sorted((c["queue"], c["index"], c["tag"]) for c in own.commands)


def test_other_samples_run_one_after_another(image: Path) -> None:
    program = read_image(image).program
    shape = (2, *program.inputs[0]["shape"][1:])
    data = np.random.default_rng(1).integers(-128, 128, shape).astype(program.inputs[0]["dtype"])
    own, native = presil.run(image, data), presil.run(program, data)
    assert own.exact
    for name, array in native.outputs.items():
        np.testing.assert_array_equal(own.outputs[name], array)
    assert "as expected" not in own.record["host"]["console"]  # what it has is of another sample


def test_the_sources_make_the_same_bytes(image: Path) -> None:
    requires_compiler()
    folder = image.parent / "sources"
    subprocess.run([folder / "build.sh"], check=True, timeout=120)
    own, theirs = bytes_in_memory(folder / "fw.elf"), bytes_in_memory(image)
    assert {at: byte for at, byte in own.items() if byte or at in theirs} == theirs  # but for gaps


def test_a_main_that_was_changed_ends_as_it_says(image: Path, tmp_path: Path) -> None:
    requires_compiler()
    folder = tmp_path / "sources"
    shutil.copytree(image.parent / "sources", folder)
    main = folder / "main.c"
    main.write_text(main.read_text().replace("return (int)status;", 'say("mine\\n");\n  return 5;'))
    subprocess.run([folder / "build.sh"], check=True, timeout=120)
    done = command("run", folder / "fw.elf", "--out", tmp_path / "run")
    assert done.returncode == 1
    assert "m33: mine\n" in done.stdout and "fw.elf: exit code 5" in done.stdout
    assert "EXACT" in done.stdout


def test_a_program_that_computes_other_outputs_is_caught(image: Path, tmp_path: Path) -> None:
    """Both by the image itself and by the reference: the loadable's constants are changed after
    the reference has been asked."""
    own = read_image(image)
    expected = struct.unpack_from("<I", note_of(image), 40 + 2 * 128)[0]
    wrong = with_pieces(image.read_bytes(), [pieces_at(expected, b"\x77\x77\x77")])
    (tmp_path / "fw.elf").write_bytes(wrong)
    done = command("run", tmp_path / "fw.elf", "--out", tmp_path / "run")
    assert own.checked and done.returncode == 1
    assert "bytes that are not as expected: 3" in done.stdout or "expected: 2" in done.stdout


def note_of(file: Path) -> bytes:
    (note,) = [p.data for p in pieces_of(file.read_bytes(), file) if p.address == NOTE_AT]
    return note


def pieces_at(address: int, data: bytes) -> Any:
    return Piece(address, data)


ENDINGS: list[tuple[int, int, dict[str, str]]] = [
    (0, 2, {"": "has ended with exit code 0 and has run no job of its network; it has written: "}),
    (1, 3, {"": " in 'deeper", "m33": "it overflows its stack (sp 0x1fff", "rv64": "sp 0x1fff"}),
    (2, 3, {"": ", which 'main + ", "m33": "it jumps to 0x2001", "aarch64": "which is data"}),
    (
        3,
        3,
        {
            "m33": "unaligned by an instruction that requires an aligned address (exclusive",
            "m4": "unaligned by an instruction that requires an aligned address (exclusive",
            "aarch64": "0x20010001 unaligned by an instruction that requires an aligned address",
            "rv64": "an atomic instruction (lr, sc, amo), which this core does not have",
        },
    ),
    (4, 3, {"": "in 'main + "}),
    (4, 3, {"": "it accesses 0xa0000000, where nothing answers"}),
    (
        5,
        3,
        {
            "m33": "it jumps to 0x00080000 in Arm state; bit 0 of the address must be 1",
            "rv64": "at 0x00080000, which 'main + ",
            "aarch64": "at 0x00080000, which 'main + ",
        },
    ),
    (6, 3, {"": "it executes an instruction that this core does not have"}),
    (7, 3, {"": "has not ended after 1000000 cycles"}),
    (8, 2, {"": "has ended with exit code 5 and has run no job"}),
]
"""Mode of firmware/fails.c, exit code, what is said on every core ("") and on one."""


@pytest.fixture(scope="module", params=BUILT)
def failing(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[str, bytes, list[Piece]]:
    """Of a core: the program that fails, and the rest of an image."""
    requires_compiler()
    core = str(request.param)
    folder = tmp_path_factory.mktemp(core)
    image, program = folder / "image.elf", folder / "fails.elf"
    assert command("firmware", "digits", "-o", image, "--host", core).returncode == 0
    script = ROOT / "sim" / "host_cpu" / "program" / "link.ld"
    source = ROOT / "tests" / "host_cpu" / "firmware" / "fails.c"
    firmware.build([source], program, core, script=script, driver=False)
    network = [p for p in pieces_of(image.read_bytes(), image) if p.address >= NOTE_AT]
    network = [p for p in network if p.address == NOTE_AT or p.address >= 0x60000000]
    return core, program.read_bytes(), network


@pytest.mark.parametrize(("mode", "code", "said"), ENDINGS)
def test_a_program_that_fails_says_how_and_where(
    failing: tuple[str, bytes, list[Piece]],
    tmp_path: Path,
    mode: int,
    code: int,
    said: dict[str, str],
) -> None:
    core, fails, network = failing
    marked = struct.pack("<II", MARK, 0)
    assert fails.count(marked) == 1
    program = fails.replace(marked, struct.pack("<II", MARK, mode))
    file = tmp_path / "fails.elf"
    file.write_bytes(with_pieces(program, network))
    if core == "m33":
        done = command("run", file, "--timeout-ms", "1", "--out", tmp_path / "run")
        assert done.returncode == code, done.stderr
        told = done.stderr.strip()
    else:
        with pytest.raises(presil.Refusal if code == 2 else HardwareError) as failed:
            presil.run(file, timeout_ms=1)
        told = str(failed.value)
    for of in ("", core):
        assert said.get(of, "") in told and str(file) in told, told
    assert "its handler of faults fails" not in told or (mode == 1 and core in ("m33", "m4"))
    assert len(told.splitlines()) == 1


def test_files_that_are_no_image_are_refused(image: Path, tmp_path: Path) -> None:
    data = image.read_bytes()
    first = pieces_of(data, image)[0]
    vectors = data.find(first.data[:64])
    cases = {
        "x86": (data[:18] + b"\x3e\0" + data[20:], "another machine (ELF machine 62, 32 bits)"),
        "short": (data[:4000], " is cut off at byte 4000"),
        "bits": (data[:4] + b"\2" + data[5:], " 40, 64 bits), must be one of Arm (40, 32"),
        "order": (data[:5] + b"\2" + data[6:], "must be a little-endian ELF file"),
        "vectors": (data[:vectors] + bytes(64) + data[vectors + 64 :], "the reset vector at 0x"),
        "plain": ((paths.FIRMWARE / "m33_program.elf").read_bytes(), "has no network of this"),
    }
    for name, (changed, said) in cases.items():
        file = tmp_path / f"{name}.elf"
        file.write_bytes(changed)
        done = command("run", file, "--out", tmp_path / "run")
        assert done.returncode == 2, (name, done.stderr)
        assert said in done.stderr, (name, done.stderr)


def test_what_an_image_fixes_cannot_be_chosen(image: Path, tmp_path: Path) -> None:
    done = command("run", image, "--soc", "big", "--out", tmp_path / "run")
    assert done.returncode == 2 and "the SoC is fixed in an image" in done.stderr
    done = command("run", image, "--host", "m4", "--out", tmp_path / "run")
    assert done.returncode == 2 and "is an image for m33; leave it out" in done.stderr
    done = command("firmware", "digits", "-o", tmp_path / "a.elf", "--sources", image.parent)
    assert done.returncode == 2 and "is not empty; give a new folder" in done.stderr


def test_a_program_without_a_network_says_so(tmp_path: Path) -> None:
    own = host_message("m33")["host"]
    program = {**own, "firmware": str(paths.FIRMWARE / "m33_program.elf"), "image": True}
    soc = presil.load_soc("edge")
    opening = {"do": "open", "soc_name": soc.name, "soc": soc.canonical_text, "host": program}
    load = {"do": "load", "loadable": program["firmware"], "memory": "none"}
    load |= {"inputs": [], "outputs": [], "kept": []}
    done = subprocess.run(
        [str(paths.simulator())],
        input=json.dumps(opening) + "\n" + json.dumps(load) + "\n",
        capture_output=True,
        text=True,
        timeout=60,
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert "has no network of this presil in its image" in answers[-1]["error"]


def test_parts_that_are_not_there_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = (paths.FIRMWARE / "firmware.json").read_bytes()
    monkeypatch.setattr(paths, "FIRMWARE", tmp_path)
    with pytest.raises(presil.Refusal) as refused:
        prebuilt("m33")
    makes = "', which is not there; `sim/host_cpu/build.py` makes it (Debian: clang-19 lld-19)"
    assert makes in str(refused.value)
    with pytest.raises(presil.Refusal) as refused:
        host_message("m33")
    makes = (
        "', which is not there; "
        "`sim/host_cpu/build.py` makes the firmware (Debian: clang-19 lld-19)"
    )
    assert makes in str(refused.value)
    (tmp_path / "firmware.json").write_bytes(made)
    monkeypatch.setattr(paths, "FIRMWARE_SOURCES", tmp_path)
    with pytest.raises(presil.Refusal) as refused:
        write_sources(tmp_path / "new", "m33", [])
    assert "firmware: --sources requires '" in str(refused.value)
    assert "', which is not there; run a checkout" in str(refused.value)
