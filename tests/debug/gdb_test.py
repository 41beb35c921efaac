"""GDB at the host's core and at the DSP: what it is shown is true, and the run stays the same."""

from __future__ import annotations

import re
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import presil
import pytest
from presil import paths
from presil.gdb import gdb_of, kernel_files

GDB = "gdb-multiarch"
DETACH = ["delete", "continue"]


@pytest.fixture(scope="module")
def gdb() -> str:
    found = shutil.which(GDB)
    if found is None:
        pytest.skip(f"SKIPPED: no debugger at the simulation's cores, no {GDB} here")
    return found


def session(gdb: str, lines: list[str], given: str, out: Path, *options: str) -> tuple[str, str]:
    """What GDB has said, and the run, which waits for it at a free port."""
    words = [sys.executable, "-m", "presil", "run", given, "--out", str(out), *options]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as run:
        assert run.stderr is not None
        hint = ""
        while "waits for a debugger" not in hint:
            hint = run.stderr.readline()
            assert hint, "the run has ended"
        found = re.search(r"127\.0\.0\.1:(\d+); \S+ (\S+)", hint)
        assert found is not None, hint
        port, symbols = found.groups()
        script = ["set pagination off", f"target remote :{port}", *lines]
        words = [gdb, "-nx", "-batch", *(w for line in script for w in ("-ex", line)), symbols]
        done = subprocess.run(words, capture_output=True, text=True, timeout=60)
        text, _ = run.communicate(timeout=60)
        assert run.returncode == 0, text
    return done.stdout + done.stderr, text


def cycles(text: str) -> str:
    (line,) = [line for line in text.splitlines() if " cycles a sample" in line]
    assert "EXACT" in text
    return line


def plain(given: str, out: Path, *options: str) -> str:
    words = [sys.executable, "-m", "presil", "run", given, "--out", str(out), *options]
    return cycles(subprocess.run(words, capture_output=True, text=True, check=True).stdout)


AARCH64 = pytest.mark.skipif(
    not (paths.SIMULATORS / "presil-aarch64").is_file(),
    reason="SKIPPED: no AArch64 core, this build has no presil-aarch64 (package libunicorn-dev)",
)


@pytest.mark.parametrize("host", ["m33", "m4", "rv64", pytest.param("aarch64", marks=AARCH64)])
def test_a_driver_is_debugged_and_its_run_is_the_same(gdb: str, host: str, tmp_path: Path) -> None:
    lines = [
        "break presil_network_load",
        "continue",
        "backtrace",
        "print/x $sp",
        "stepi",
        "print/x *(int*)0x42000000",  # a register of the DLA
        "print *(int*)0x60000000",  # the first word of the DRAM
        "watch *(int*)&network",
        "delete 1",
        "continue",
        "delete 2",
        "monitor status",
        "rwatch *(int*)&network",
        "continue",
        "delete 3",
        "awatch *(int*)&exchange",
        "continue",
        "delete 4",
        "break presil_job_wait",
        "continue",
        "finish",
        *DETACH,
    ]
    said, run = session(gdb, lines, "digits", tmp_path / "a", "--host", host, "--gdb", "0")
    assert re.search(r"#0 .* in presil_network_load \(\)\n#1 .* in main \(\)", said), said
    assert re.search(r"\$1 = 0x2001[0-9a-f]{4}\n", said)
    assert re.search(r"\$2 = 0x[1-9a-f]", said) and "\n$3 = " in said
    assert re.search(r"Hardware watchpoint 2: .*\n\nOld value = 0\nNew value = 5370\d+", said)
    assert re.search(r"cycle \d+, at '", said)
    assert re.search(r"Hardware read watchpoint 3: .*\n\nValue = 5370\d+\n", said), said
    assert re.search(r"Hardware access \(read/write\) watchpoint 4: .*\n\n(Old v|V)alue = ", said)
    assert re.search(r"Breakpoint 5, .* in presil_job_wait \(\)", said)
    assert re.search(r"in presil_job_wait \(\)\n.*in main \(\)\n", said), said
    assert "exited normally" in said
    assert cycles(run) == plain("digits", tmp_path / "b", "--host", host)


def test_a_value_that_is_written_is_seen_where_it_is(gdb: str, tmp_path: Path) -> None:
    lines = [
        "break presil_job_submit",
        "continue",
        "set var $r9 = 77",
        "print $r9",
        "set var *(int*)0x20000000 = 0x1234",
        "print/x *(int*)0x20000000",
        "detach",
    ]
    said, _ = session(gdb, lines, "digits", tmp_path / "a", "--host", "m33", "--gdb", "cpu:0")
    assert "$1 = 77\n$2 = 0x1234\n" in said and "detached" in said, said


def test_a_kernel_is_debugged_and_its_run_is_the_same(gdb: str, tmp_path: Path) -> None:
    lines = [
        "break presil_entry_nms",
        "continue",
        "print/x $pc",
        "print/x $vlenb",
        "print sizeof($v8)",
        "stepi",
        "x/2xg $a0",
        "rwatch -l *(char*)($a0 + 8)",
        "continue",
        "delete 2",
        "watch *(long*)0x1101ff00",
        "continue",
        "delete 3",
        "print/x $v0.w[0]",
        "monitor status",
        *DETACH,
    ]
    said, run = session(gdb, lines, "digits", tmp_path / "a", "--gdb", "dsp:0")
    assert re.search(r"Breakpoint 1, .* in presil_entry_nms \(\)", said), said
    assert re.search(r"\$1 = 0x100[0-9a-f]{5}\n\$2 = 0x40\n\$3 = 64\n", said)
    assert re.search(r"0x200[0-9a-f]+:\s0x\w+\s0x\w+", said)
    assert "New value = " in said
    assert re.search(r"Hardware read watchpoint 2: -location .*\n\nValue = ", said), said
    assert re.search(r"cycle \d+, command \d+ of the DSP, tag \d+", said)
    assert cycles(run) == plain("digits", tmp_path / "b")


@pytest.mark.parametrize("host", ["m33", "rv64", pytest.param("aarch64", marks=AARCH64)])
def test_a_program_of_an_image_is_debugged_to_its_exit(
    gdb: str, host: str, tmp_path: Path
) -> None:
    from presil.cli import main

    image = tmp_path / "fw.elf"
    assert main(["firmware", "digits", "-o", str(image), "--host", host, "--quiet"]) == 0
    lines = ["break presil_network_load", "continue", "tbreak presil_semihosting_exit", "continue"]
    said, run = session(gdb, lines + DETACH, str(image), tmp_path / "a", "--gdb", "0")
    assert "in presil_semihosting_exit ()" in said and "exited normally" in said
    assert cycles(run) == plain(str(image), tmp_path / "b")


def packet(stream: socket.socket, text: str) -> str:
    stream.sendall(f"${text}#{sum(text.encode()) & 255:02x}".encode())
    return answer(stream)


def answer(stream: socket.socket) -> str:
    data = b""
    while not re.search(rb"\$[^#]*#..", data):
        data += stream.recv(4096)
    stream.sendall(b"+")
    return data.partition(b"$")[2].partition(b"#")[0].decode()


def test_an_interrupt_stops_a_core_and_kill_ends_the_run(tmp_path: Path) -> None:
    """By the protocol alone, without GDB."""
    told: list[str] = []
    ports: list[int] = []

    def tell(line: str) -> None:
        told.append(line)
        ports.append(int(line.split("127.0.0.1:")[1].split(";")[0]))

    from threading import Thread

    from presil.gdb import Gdb

    caught: list[Any] = []

    def run() -> None:
        try:
            presil.run("digits", host="m33", gdb=Gdb({"cpu": 0}, tell))
        except presil.Refusal as refused:
            caught.append(str(refused))

    thread = Thread(target=run)
    thread.start()
    while not ports:
        time.sleep(0.01)
    with socket.create_connection(("127.0.0.1", ports[0]), timeout=20) as stream:
        assert packet(stream, "?") == "T05"
        assert packet(stream, "g").startswith("00" * 4)
        assert packet(stream, "ma0000000,4") == "E01"
        assert packet(stream, "Z3,a0000000,4") == "E01"
        assert packet(stream, "Z5,0,4") == ""
        assert packet(stream, "zzz") == ""
        stream.sendall(b"$c#63")
        time.sleep(0.05)
        stream.sendall(b"\x03")
        assert answer(stream) == "T02"
        stream.sendall(b"$k#6b")
    thread.join(timeout=20)
    assert caught == ["gdb: the debugger has ended the program"]
    assert told[0].startswith("gdb: cpu waits for a debugger at 127.0.0.1:")


def test_the_symbols_named_are_those_of_the_kernels_that_run() -> None:
    files = kernel_files(presil.compile("digits"))
    assert [file.parent for file in files] == [paths.DSP_KERNELS] * len(files)
    assert 0 < len(files) < len(list(paths.DSP_KERNELS.glob("*.elf")))


@pytest.mark.parametrize(
    ("given", "host", "said"),
    [
        ("x", "m33", "gdb: got 'x', expected a port, 0 to 65535, or cpu:PORT or dsp:PORT"),
        ("99999", "m33", "expected a port, 0 to 65535"),
        ("gpu:1", "m33", "expected a port, 0 to 65535"),
        (("1", "2"), "m33", "gdb: two ports for cpu, must be one"),
        ("cpu:1", "native", "gdb: cpu requires a core as the host; give --host m33, m4, rv64"),
    ],
)
def test_ports_that_are_none_are_refused(given: Any, host: str, said: str) -> None:
    with pytest.raises(presil.Refusal) as refused:
        gdb_of(given, host)
    assert said in str(refused.value)


def test_a_port_that_is_taken_is_refused() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(presil.Refusal) as refused:
            presil.run("digits", host="m33", gdb=port)
    assert f"gdb: port {port} cannot be listened at" in str(refused.value)
    with pytest.raises(presil.Refusal) as refused:
        presil.run("digits", gdb="dsp:0", set=["dsp.units=0"])
    assert "gdb: the SoC has no DSP, dsp.units must be 1" in str(refused.value)
