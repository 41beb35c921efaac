"""Ctrl-C: one line and exit code 130 at any moment, and no file is left."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from presil import interrupt, paths

ROOT = Path(__file__).resolve().parents[2]
SENTENCE = "presil: interrupted\n"


def shared_memory(pid: int) -> list[Path]:
    return list(Path("/dev/shm").glob(f"presil_{pid}_*"))


def simulators(parent: int) -> list[str]:
    """Processes that belong to the group of a process that has ended."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[2]) == parent and fields[0] != "Z":
            found.append(stat.parent.name)
    return found


def blocked() -> None:
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})


def interrupted(
    arguments: list[str], after: float, cwd: Path, launcher: bool = False, group: bool = True
) -> tuple[int, str]:
    """Exit code and what was said. group: as a terminal does, to all processes of the command."""
    python = [sys.executable, "-m", "presil"]
    environment = {**os.environ, "CI": "true", "PYTHONPATH": str(ROOT / "sim" / "python")}
    environment["PRESIL_BUILD"] = str(paths.BUILD)
    process = subprocess.Popen(
        [*([str(ROOT / "sim" / "presil")] if launcher else python), *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=cwd,
        env=environment,
        start_new_session=True,
        preexec_fn=None if launcher else blocked,  # the launcher says so to `env`
    )
    time.sleep(after)
    if group:
        os.killpg(process.pid, signal.SIGINT)
    else:
        process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    deadline = time.monotonic() + 5  # of multiprocessing's own clean-up
    while time.monotonic() < deadline and (simulators(process.pid) or shared_memory(process.pid)):
        time.sleep(0.05)
    assert not simulators(process.pid)
    assert not shared_memory(process.pid)
    return process.returncode, out + err


@pytest.fixture(scope="module", name="long_run")
def long_run_fixture(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Simulates for longer than any of these tests lasts."""
    file = tmp_path_factory.mktemp("long") / "x.npy"
    np.save(file, np.zeros((3000, 96, 96, 3), np.int8))
    return ["run", "digits", "--input", str(file), "--samples", "0:3000", "--check", "none"]


@pytest.mark.parametrize("after", [0.0, 0.01, 0.03, 0.06, 0.1, 0.2, 0.35, 0.5, 0.8, 1.2, 2.0])
def test_ctrl_c_is_one_line_at_any_moment(
    long_run: list[str], tmp_path: Path, after: float
) -> None:
    assert interrupted(long_run, after, tmp_path) == (130, SENTENCE)


@pytest.mark.parametrize("after", [1.5, 2.5])
def test_only_the_command_may_hear_it(long_run: list[str], tmp_path: Path, after: float) -> None:
    assert interrupted(long_run, after, tmp_path, group=False) == (130, SENTENCE)


@pytest.mark.parametrize("after", [0.05, 2.0])
def test_the_launcher_says_it_too(long_run: list[str], tmp_path: Path, after: float) -> None:
    code, said = interrupted(long_run, after, tmp_path, launcher=True)
    lines = [line for line in said.splitlines() if not line.startswith("presil: builds")]
    assert (code, lines) == (130, [SENTENCE.strip()])


def test_a_compile_hears_it(shared: Path, tmp_path: Path) -> None:
    file = shared / "models" / "yolov8n-640.tflite"
    found = file if file.is_file() else next(iter((shared / "models").rglob("*yolov8n*640*")), None)
    if found is None:
        pytest.skip("SKIPPED: there is no large network at PRESIL_SHARED")
    begin = time.monotonic()
    # The reference interpreter around every pass: many seconds of native code that hears nothing.
    arguments = ["compile", str(found), "-o", "net.presil", "--verify-passes"]
    ended = interrupted(arguments, 2.0, tmp_path)
    assert ended == (130, SENTENCE)
    assert time.monotonic() - begin < 2.0 + interrupt.GRACE_S + 3
    assert not (tmp_path / "net.presil").exists()


def test_a_run_has_memory_that_can_be_abandoned(long_run: list[str], tmp_path: Path) -> None:
    """Without this the assertions above would hold of nothing."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "sim" / "python")}
    environment["PRESIL_BUILD"] = str(paths.BUILD)
    process = subprocess.Popen(
        [sys.executable, "-m", "presil", *long_run], cwd=tmp_path, env=environment
    )
    try:
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline and not shared_memory(process.pid):
            time.sleep(0.02)
        assert shared_memory(process.pid)
    finally:
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 130
    assert not shared_memory(process.pid)


def test_what_must_not_be_cut_ends_first() -> None:
    seen = []
    with pytest.raises(interrupt.Interrupted), interrupt.listening():
        with interrupt.held_back():
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.05)
            seen.append("done")
        seen.append("never")
    assert seen == ["done"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_library_leaves_the_signal_alone() -> None:
    code = "import signal, presil; print(signal.getsignal(signal.SIGINT))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT / "sim" / "python")},
    )  # fmt: skip
    assert "default_int_handler" in done.stdout, done.stderr
