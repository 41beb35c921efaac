"""A file is written whole or not at all, and what cannot be written is refused by its name."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import presil as package
import pytest
from disks import no_room_after, small_disk
from presil import Refusal, simulation
from presil import trace as waveforms
from presil.atomic import TEMPORARY, check_file, check_folder, write_file, writing
from presil.fst import is_whole


def left_in(folder: Path) -> list[str]:
    return [entry.name for entry in folder.iterdir() if entry.name.startswith(TEMPORARY)]


def test_a_file_takes_the_place_of_the_one_before(tmp_path: Path) -> None:
    file = tmp_path / "x"
    assert write_file(file, "one").read_text() == "one"
    file.chmod(0o640)
    write_file(file, memoryview(b"two"))
    assert file.read_bytes() == b"two" and stat.S_IMODE(file.stat().st_mode) == 0o640
    assert left_in(tmp_path) == []


def test_a_new_file_has_the_mode_of_the_users_umask(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        assert stat.S_IMODE(write_file(tmp_path / "x", "").stat().st_mode) == 0o640
    finally:
        os.umask(before)


def test_a_link_stays_a_link_and_a_stream_a_stream(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to("real")
    write_file(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink() and (tmp_path / "real").read_text() == "new"
    write_file("/dev/null", "gone")
    assert not Path("/dev/null").is_file()


@pytest.mark.parametrize("expected", ["folder", "file/x", "nowhere/x"])
def test_what_cannot_be_written_is_refused_before_and_after(tmp_path: Path, expected: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("")
    said = rf"output: '{tmp_path / expected}' cannot be written \(.*\); choose a folder where fi"
    with pytest.raises(Refusal, match=said):
        write_file(tmp_path / expected, "x")
    with pytest.raises(Refusal, match=said):
        check_file(tmp_path / expected)


def test_a_folder_is_probed_where_it_would_be_made(tmp_path: Path) -> None:
    check_folder(tmp_path / "a" / "b")
    assert not (tmp_path / "a").exists() and left_in(tmp_path) == []
    (tmp_path / "file").write_text("")
    with pytest.raises(Refusal, match=r"'.*file/a' cannot be written \('.*file' is a file\)"):
        check_folder(tmp_path / "file" / "a")


def test_what_killed_writers_left_goes_after_an_hour(tmp_path: Path) -> None:
    old, new = (tmp_path / f"{TEMPORARY}{name}" for name in ("1-old", "1-new"))
    old.write_text("")
    new.write_text("")
    os.utime(old, (time.time() - 4000,) * 2)
    check_folder(tmp_path)
    assert left_in(tmp_path) == [new.name]


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EFBIG])
def test_every_kind_of_full_disk_is_told_as_one(number: int) -> None:
    said = r"output: 'x' cannot be written, its disk is full \(.*\); free some room, or choose"
    with pytest.raises(Refusal, match=said), writing("x"):
        raise OSError(number, os.strerror(number))


def test_on_a_full_disk_the_file_before_stays(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", 64) as disk:
        file = write_file(disk / "x", b"a" * 30_000)
        with pytest.raises(Refusal, match=f"'{file}' cannot be written, its disk is full"):
            write_file(file, b"b" * 60_000)
        assert file.read_bytes() == b"a" * 30_000 and left_in(disk) == []


def test_a_limit_of_the_shell_is_a_full_disk(tmp_path: Path) -> None:
    code = "import sys; from presil.atomic import write_file; write_file(sys.argv[1], b'x' * 9999)"
    done = subprocess.run(
        [sys.executable, "-c", code, tmp_path / "x"],
        preexec_fn=no_room_after(5000),
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert "cannot be written, its disk is full (File too large)" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_verbs_refuse_before_their_work(presil, digits: Path, tmp_path: Path) -> None:
    """The network does not even exist: the folder is looked at first."""
    (tmp_path / "file").write_text("")
    for verb in (
        ("compile", "nowhere.tflite", "-o", "nowhere/x.presil"),
        ("run", "nowhere.tflite", "--json", "nowhere/x.json"),
        ("run", "nowhere.tflite", "--out", "file/run"),
        ("cosim", "nowhere.tflite", "--out", "file/run"),
        ("demo", "--out", "file/run"),
    ):
        ended = presil(*verb)
        assert ended.code == 2 and " cannot be written (" in ended.err, (verb, ended.err)
    ended = presil("inspect", digits, "--streams", "nowhere/x.txt")
    assert ended.code == 2 and "'nowhere/x.txt' cannot be written" in ended.err
    assert sorted(p.name for p in tmp_path.iterdir()) == ["file"]


def blocks(*kinds: int) -> bytes:
    """A waveform's: each with 3 bytes in it."""
    return b"".join(bytes([kind]) + (11).to_bytes(8, "big") + b"abc" for kind in kinds)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (blocks(0, 1, 3, 4), True),
        (blocks(0, 8, 3, 6), True),
        (blocks(0, 8, 3, 6)[:-1], False),
        (blocks(0, 8, 3, 6)[:-5], False),
        (blocks(0, 8), False),  # what comes last is not there
        (blocks(0, 255, 3, 4), False),
        (bytes(9), False),
        (b"", False),
    ],
)
def test_a_waveform_without_its_end_is_not_whole(
    tmp_path: Path, data: bytes, expected: bool
) -> None:
    (tmp_path / "x.fst").write_bytes(data)
    assert is_whole(tmp_path / "x.fst") == expected


def test_a_waveform_on_a_full_disk_is_refused(
    digits: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The simulator stands in for one that writes half a file and says nothing."""
    program = package.compile(package.load(digits))

    class Half:
        def __init__(self, *_: object, trace: dict[str, str], **__: object) -> None:
            (Path(trace["folder"]) / "dla.fst").write_bytes(blocks(0, 8)[:-1])

        def __enter__(self) -> Half:
            return self

        def __exit__(self, *_: object) -> None: ...

    monkeypatch.setattr(waveforms, "Simulation", Half)
    waves = waveforms.Waves(package.Trace(tmp_path, "cycles=1:2"), program, {"dla": "rtl"})
    with pytest.raises(
        Refusal, match="dla.fst' is not whole, its disk is full; free some room, ch"
    ):
        waves.of_run({}, [], 0)


def test_a_listing_of_the_dsp_on_a_full_disk_is_refused(tmp_path: Path) -> None:
    builder = package.Builder("soft")
    x = builder.input("x", (1, 4000), scale=0.1, zero_point=0)
    builder.output(builder.softmax(x))
    program = package.compile(builder.build())
    with small_disk(tmp_path / "disk", 16) as disk:
        trace = package.DspTrace(disk / "dsp.txt")
        said = r"trace: '.*dsp.txt' cannot be written \(No space left on device\); is its disk full"
        with pytest.raises(Refusal, match=said):
            package.run(program, [np.zeros((1, 4000), np.int8)], dsp_trace=trace)


def test_memory_that_is_not_there_is_told_before_it_is_used(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def none(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(simulation.os, "posix_fallocate", none)
    with pytest.raises(Refusal, match="output: '/dev/shm/.*' cannot be written, its disk is full"):
        simulation.memory_of(64)
