"""What a core as host does not take, and firmware that does not do as it must."""

from __future__ import annotations

import json
import re
import shutil
import struct
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import presil
import pytest
from host_cores import CORES, NAMES, without
from presil import paths
from presil.host import host_message

# Of each architecture the exception: HardFault; mcause; class of ESR_EL1.
STORE = {"arm": 3, "rv64": 7, "aarch64": 0x25}
FETCH = {"arm": 3, "rv64": 1, "aarch64": 0x21}
LOAD = {"arm": 3, "rv64": 5, "aarch64": 0x25}
ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "driver" / "port" / "baremetal"))
import firmware  # noqa: E402

FOLDERS = {host: firmware.CPUS[host].folder for host in NAMES}


def told_of(host: str, exceptions: dict[str, int]) -> str:
    return f"has taken exception {exceptions[FOLDERS[host]]}, last in"


def built(program: Path, to: Path, host: str = "m33", driver: bool = True) -> Path:
    """Without kernels of the host."""
    if shutil.which("clang-19") is None or shutil.which("ld.lld-19") is None:
        pytest.skip("SKIPPED: firmware is not compiled, no clang-19 and ld.lld-19 here")
    firmware.build([program], to, host, driver=driver)
    return to


@pytest.fixture(scope="module", params=CORES)
def wrong(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[str, bytes]:
    """A host, and firmware for it."""
    program = ROOT / "tests" / "host_cpu" / "firmware" / "wrong.c"
    image = tmp_path_factory.mktemp("wrong") / "wrong.elf"
    return request.param, built(program, image, request.param, driver=False).read_bytes()


def answers(
    image: Path,
    *messages: dict[str, Any],
    soc: Any = None,
    kind: str = "m33",
    core: Path | None = None,
) -> list[dict[str, Any]]:
    """Of presil-sim, to an `open` with this firmware and what follows it."""
    soc = soc or presil.load_soc("edge")
    host = {**host_message(kind)["host"], "firmware": str(image)}
    host |= {"core": str(core)} if core else {}
    first = {"do": "open", "soc_name": soc.name, "soc": soc.canonical_text, "host": host}
    done = subprocess.run(
        [str(paths.simulator())],
        input="".join(json.dumps(m) + "\n" for m in (first, *messages)),
        capture_output=True,
        text=True,
        timeout=60,
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize(
    ("mode", "said"),
    [
        (0, "has ended with status 7"),
        (1, "has its exchange at 4, must be in RAM and aligned to 8; was it built for this"),
        (2, "asks for the next request before it has answered request 1; it must write DONE"),
        (3, "sleeps without a timer, and nothing in the SoC can happen any more"),
        (4, STORE),
        (5, "its stack has overflowed: the stack pointer is 0x"),
        (6, FETCH),
        (7, LOAD),
    ],
)
def test_firmware_that_breaks_the_rules_is_told_so(
    wrong: tuple[str, bytes], tmp_path: Path, mode: int, said: str | dict[str, int]
) -> None:
    host, program = wrong
    marked = struct.pack("<II", 0x600DC0DE, 0)
    assert program.count(marked) == 1
    image = tmp_path / "wrong.elf"
    image.write_bytes(program.replace(marked, struct.pack("<II", 0x600DC0DE, mode)))
    (answer,) = answers(image, kind=host)
    assert not answer["ok"]
    assert f"host {host}: the firmware" in answer["error"] or mode < 4
    assert (said if isinstance(said, str) else told_of(host, said)) in answer["error"]


@pytest.mark.parametrize("host", CORES)
@pytest.mark.parametrize("other", NAMES)
def test_firmware_of_another_architecture_is_refused(host: str, other: str) -> None:
    if FOLDERS[host] == FOLDERS[other]:
        return
    (answer,) = answers(paths.FIRMWARE / f"{other}.elf", kind=host)
    assert not answer["ok"] and answer["exit"] == 2
    said = r"is for another machine than .*; required is a linked program for"
    assert re.search(said, answer["error"])


@pytest.mark.parametrize("host", CORES)
def test_firmware_without_an_entry_is_refused(host: str, tmp_path: Path) -> None:
    """The entry of the file, and the reset vector of a core that starts by it, lie in RAM."""
    image = bytearray((paths.FIRMWARE / f"{host}.elf").read_bytes())
    bits64 = image[4] == 2
    entry = struct.unpack_from("<Q" if bits64 else "<I", image, 24)[0]
    struct.pack_into("<I", image, 24, 0x20020000)
    if FOLDERS[host] == "arm":
        struct.pack_into("<I", image, 24, entry)
        vectors = image.index(struct.pack("<II", 0x20020000, entry))
        struct.pack_into("<I", image, vectors + 4, 0)
    file = tmp_path / "fw.elf"
    file.write_bytes(image)
    (answer,) = answers(file, kind=host)
    assert not answer["ok"] and answer["exit"] == 2
    said = "must have bit 0 set" if FOLDERS[host] == "arm" else "has its entry at 0x20020000, must"
    assert said in answer["error"]


def test_an_operator_whose_kernel_is_not_there_is_refused_by_name(
    tmp_path: Path, monkeypatch: Any
) -> None:
    built(ROOT / "sim" / "host_cpu" / "firmware" / "main.c", tmp_path / "m33.elf")
    monkeypatch.setattr(paths, "FIRMWARE", tmp_path)
    with pytest.raises(presil.Refusal) as refused:
        presil.run("digits", set=["dsp.units=0"], host="m33")
    text = str(refused.value)
    assert "host: operator 'yolo_decode' of the host (layer 'decode0') needs --host native" in text
    assert "the firmware for m33 does not have this kernel" in text


def test_a_loadable_of_more_than_half_the_window_is_refused(tmp_path: Path) -> None:
    soc = presil.load_soc("edge", ["dram.bytes=16777216"])
    load = {"do": "load", "memory": "none", "inputs": [], "outputs": [], "kept": []}
    said = []
    for size in (8 << 20, (8 << 20) + 1):
        (tmp_path / "file").write_bytes(bytes(size))
        message = {**load, "loadable": str(tmp_path / "file")}
        opened, answer = answers(paths.FIRMWARE / "m33.elf", message, soc=soc)
        assert opened["ok"] and answer["exit"] == 2
        said.append(answer["error"])
    assert "it does not begin as a .presil file does" in said[0]  # of the driver
    assert "the loadable has 8388609 bytes, must be at most 8388608, half of the window" in said[1]


# ------------------------------------------------------------------- the process of an AArch64 core


def test_aarch64_without_its_process_is_refused(monkeypatch: Any) -> None:
    monkeypatch.setenv("PRESIL_AARCH64", "/no/such/program")
    (answer,) = answers(paths.FIRMWARE / "aarch64.elf", kind="aarch64")
    assert not answer["ok"] and answer["exit"] == 2
    assert "aarch64 requires the program presil-aarch64, which this build lacks" in answer["error"]


def test_a_process_that_ends_is_told(monkeypatch: Any) -> None:
    monkeypatch.setenv("PRESIL_AARCH64", "/bin/true")
    (answer,) = answers(paths.FIRMWARE / "aarch64.elf", kind="aarch64")
    assert not answer["ok"] and answer["exit"] == 70
    assert "host aarch64: the process of the core has ended (wait status 0)" in answer["error"]


@without
def test_the_process_ends_with_the_simulator() -> None:
    soc = presil.load_soc("edge")
    first = {"do": "open", "soc_name": soc.name, "soc": soc.canonical_text}
    message = json.dumps({**first, **host_message("aarch64")}) + "\n"
    for ending in ("kill", "close"):
        with subprocess.Popen(
            [str(paths.simulator())], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as simulator:
            assert simulator.stdin is not None and simulator.stdout is not None
            simulator.stdin.write(message)
            simulator.stdin.flush()
            assert json.loads(simulator.stdout.readline())["ok"]
            children = Path(f"/proc/{simulator.pid}/task/{simulator.pid}/children").read_text()
            (child,) = (Path("/proc") / number for number in children.split())
            assert (child / "comm").read_text().strip() == "presil-aarch64"
            if ending == "kill":
                simulator.kill()
            else:
                simulator.stdin.close()
        deadline = time.monotonic() + 10
        while child.exists() and time.monotonic() < deadline:
            time.sleep(0.01)
        assert not child.exists()


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("architecture: arm", "has architecture 'arm', must be one of armv7e-m, armv8-m.main, rv"),
        ("cycles_per_instruction: 0", "has cycles_per_instruction: 0, must be a number 0.1..100"),
        ("cycles_per_instruction: x", "has cycles_per_instruction: x, must be a number 0.1..100"),
        ("cycles: 1", 'has an unknown key "cycles"; remove or correct it'),
    ],
)
def test_a_core_file_of_aarch64_is_read_whole(tmp_path: Path, line: str, said: str) -> None:
    text = Path(host_message("aarch64")["host"]["core"]).read_text(encoding="utf-8")
    key = line.split(":")[0]
    kept = [row for row in text.splitlines() if not row.startswith(f"{key}:")]
    file = tmp_path / "core.yaml"
    file.write_text("\n".join([*kept, line]) + "\n", encoding="utf-8")
    (answer,) = answers(paths.FIRMWARE / "aarch64.elf", kind="aarch64", core=file)
    assert not answer["ok"] and answer["exit"] == 2
    assert said in answer["error"]
