"""A SoC that a program in another process drives, here one in Python by libpresil.so."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import presil
import pytest
from presil import paths

LIBRARY = paths.NATIVE.parents[1] / "driver/port/libpresil.so"
CLIENT = Path(__file__).with_name("remote_client.py")


@pytest.fixture(scope="module")
def program() -> presil.Program:
    return presil.compile("digits")


def arguments(program: presil.Program, folder: Path, name: str) -> list[str]:
    """Of the client, whose files it writes."""
    program.save(folder / "net.presil")
    shape = program.inputs[0]["shape"]
    x = np.random.default_rng(3).integers(-128, 128, shape).astype(np.int8)
    x.tofile(folder / "in")
    files = [str(folder / file) for file in ("net.presil", "in", "out")]
    return [sys.executable, str(CLIENT), str(LIBRARY), name, *files]


@pytest.mark.skipif(not LIBRARY.is_file(), reason=f"SKIPPED: '{LIBRARY}' is not built")
def test_a_program_in_python_runs_a_network(program: presil.Program, tmp_path: Path) -> None:
    with presil.RemoteSoc("edge") as soc:
        subprocess.run(arguments(program, tmp_path, soc.name), check=True, timeout=120)
        soc.wait()
    x = np.fromfile(tmp_path / "in", np.int8).reshape(program.inputs[0]["shape"])
    expected = presil.run(program, x).arrays[0]
    assert (tmp_path / "out").read_bytes() == expected.tobytes()


def test_a_program_that_does_not_come_is_told(program: presil.Program) -> None:
    with presil.RemoteSoc("edge", timeout_ms=400) as soc:
        with pytest.raises(presil.HardwareError, match="no client has come to .* within 400 ms"):
            soc.wait()


def test_the_command_ends_with_its_client(program: presil.Program, tmp_path: Path) -> None:
    if not LIBRARY.is_file():
        pytest.skip(f"SKIPPED: '{LIBRARY}' is not built")
    name = f"presil_test_{tmp_path.name}_{np.random.default_rng().integers(1 << 30)}"
    command = [sys.executable, "-m", "presil", "remote", name]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as served:
        subprocess.run(arguments(program, tmp_path, name), check=True, timeout=120)
        assert served.wait(timeout=60) == 0
        assert served.stderr is not None and name in served.stderr.read()


def test_memory_is_removed_when_the_soc_is_closed() -> None:
    soc = presil.RemoteSoc("edge")
    file = Path("/dev/shm") / soc.name
    for _ in range(100):
        if file.exists():
            break
        signal.sigtimedwait([], 0.1)
    soc.close()
    assert not file.exists()
