"""A run's folder is named after what differs, whole or not there, and never over another run."""

from __future__ import annotations

import json
import multiprocessing
import os
import re
from pathlib import Path
from typing import Any

import numpy as np
import presil as package
import pytest
from disks import small_disk
from presil import HardwareError, Refusal, run_folder, swap
from presil.folder_lock import FolderLock, beside
from presil.record import as_json
from presil.report import open_run
from presil.run_folder import MOST_NAME, OutputPath, folder_name
from records import record


@pytest.mark.parametrize(
    ("network", "soc", "expected"),
    [
        ("digits", "edge", "digits-edge"),
        ("digits", "edge dla.macs_k=32", "digits-edge-dla.macs_k=32"),
        ("a b/c", "edge x=1 y=2", "a_b_c-edge-x=1-y=2"),
        ("../../etc", "edge", "_.._etc-edge"),
        ("...", "", "run"),
        ("größe", "edge", "größe-edge"),
    ],
)
def test_a_name_holds_what_differs_and_is_safe(network: str, soc: str, expected: str) -> None:
    assert folder_name(network, soc) == expected


def test_long_names_are_cut_and_stay_apart() -> None:
    names = {folder_name("ä" * 90, f"edge x={k}") for k in range(50)}
    assert len(names) == 50 and all(len(n.encode()) <= MOST_NAME for n in names)
    assert all(re.fullmatch("ä+-[0-9a-f]{8}", n) for n in names)


def put(
    target: OutputPath, run: int, extra: dict[str, str] | None = None, say: bool = True
) -> Path:
    """A run of little: its files and its record hold its number."""
    with target.claim(lambda record: record["run"] == run) as out:
        for name, text in {"a.txt": str(run), **(extra or {})}.items():
            (out.path / name).write_text(text)
        (out.path / "outputs").mkdir()
        (out.path / "outputs" / "b.txt").write_text(str(run))
        return out.commit({"run": run, "schema": "1.0"})


def run_in(folder: Path) -> int:
    """By everything in it, which must agree."""
    record = json.loads((folder / "run.json").read_text())
    said = {record["run"], *(int((folder / n).read_text()) for n in ("a.txt", "outputs/b.txt"))}
    assert len(said) == 1, f"'{folder}' mixes {said}"
    assert record["files"] == run_folder.files_in(folder)
    return said.pop()


def hidden(folder: Path) -> list[str]:
    return [entry.name for entry in folder.iterdir() if entry.name.startswith(".")]


def test_another_run_gets_a_number_and_the_same_one_its_place(tmp_path: Path) -> None:
    target = OutputPath(tmp_path / "home" / "x", numbered=True)
    assert [put(target, run).name for run in (1, 2, 1, 3, 2)] == ["x", "x-2", "x", "x-3", "x-2"]
    assert put(OutputPath(target.folder, True, force=True), 4).name == "x"
    found = {entry.name: run_in(entry) for entry in (tmp_path / "home").iterdir()}
    assert found == {"x": 4, "x-2": 2, "x-3": 3}


def test_a_given_folder_is_kept_but_for_force(tmp_path: Path) -> None:
    folder = tmp_path / "x"
    put(OutputPath(folder), 1)
    with pytest.raises(Refusal, match="holds another run, which is kept; --force replaces it, --o"):
        put(OutputPath(folder), 2)
    assert put(OutputPath(folder), 1) == folder and run_in(folder) == 1
    put(OutputPath(folder, force=True), 2, {"only.txt": ""})
    assert run_in(folder) == 2
    put(OutputPath(folder, force=True), 3)
    assert not (folder / "only.txt").exists(), "what an earlier run has traced is gone"
    assert hidden(tmp_path) == []


@pytest.mark.parametrize("force", [False, True])
@pytest.mark.parametrize("name", ["notes.txt", "outputs/mine.npy", "empty/"])
def test_files_that_no_run_lists_are_never_removed(tmp_path: Path, force: bool, name: str) -> None:
    folder = tmp_path / "x"
    put(OutputPath(folder), 1)
    (folder / name).mkdir() if name.endswith("/") else (folder / name).write_text("mine")
    said = f"holds files that no run lists as its own, '{name.rstrip('/')}'; they are kept, also"
    with pytest.raises(Refusal, match=said):
        put(OutputPath(folder, force=force), 1)
    with pytest.raises(Refusal, match=said):
        OutputPath(folder, force=force).check()
    assert (folder / name).exists()
    assert put(OutputPath(folder, numbered=True), 1).name == "x-2"
    assert (folder / name).exists()


def test_runs_of_earlier_presils_are_runs(tmp_path: Path) -> None:
    """Their records do not list their files."""
    folder = tmp_path / "x"
    (folder / "outputs").mkdir(parents=True)
    (folder / "run.json").write_text('{"schema": "1.2", "run": 1}')
    (folder / "outputs" / "out0.npy").write_text("")
    with pytest.raises(Refusal, match="holds another run, which is kept"):
        put(OutputPath(folder), 2)
    (folder / "mine.txt").write_text("")
    with pytest.raises(Refusal, match="no run lists as its own, 'mine.txt'; they are kept"):
        put(OutputPath(folder, force=True), 2)
    (folder / "mine.txt").unlink()
    put(OutputPath(folder, force=True), 2)
    assert run_in(folder) == 2


@pytest.mark.parametrize("text", ['{"schema": "1.0", "run": 1', "[]", '{"schema": 1}', "{}"])
def test_a_folder_without_a_whole_record_is_nobodys(tmp_path: Path, text: str) -> None:
    folder = tmp_path / "x"
    folder.mkdir()
    (folder / "run.json").write_text(text)
    with pytest.raises(Refusal, match="no run lists as its own, 'run.json'; they are kept"):
        put(OutputPath(folder, force=True), 1)
    assert put(OutputPath(folder, numbered=True), 1).name == "x-2"


def test_an_empty_folder_and_a_link_are_taken(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    assert put(OutputPath.of(tmp_path / "link"), 1) == tmp_path / "real"
    assert (tmp_path / "link").is_symlink() and run_in(tmp_path / "link") == 1


def test_where_no_folder_can_be_exchanged_it_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in (".", tmp_path, tmp_path.parent):
        with pytest.raises(Refusal, match="it is where you are; give a name inside of it, e.g. --"):
            OutputPath.of(name).check()
    for name in ("/", "x" * 201):
        with pytest.raises(
            Refusal, match="is no name for a run's folder, expected 1 to 200 bytes|it"
        ):
            OutputPath.of(name).check()
    (tmp_path / "file").write_text("")
    with pytest.raises(Refusal, match=r"'file' cannot be written \(it is a file\)"):
        OutputPath.of("file").check()
    with small_disk(tmp_path / "disk", 64) as disk:
        with pytest.raises(Refusal, match="cannot be exchanged for a run's folder, it is a mount"):
            OutputPath.of(disk).check()


def test_a_run_that_fails_or_is_stopped_leaves_nothing(tmp_path: Path) -> None:
    for error in (KeyboardInterrupt, Refusal, OSError):
        with pytest.raises(error):
            with OutputPath(tmp_path / "home" / "x", numbered=True).claim(lambda _: True) as out:
                (out.path / "a.txt").write_text("1")
                raise error("no")
        assert list(tmp_path.iterdir()) == []


def test_what_a_hardware_failure_has_traced_is_kept_beside(tmp_path: Path) -> None:
    target = OutputPath(tmp_path / "x")
    put(target, 1)
    for _ in range(2):
        with pytest.raises(HardwareError) as failed:
            with target.claim(lambda record: record["run"] == 1) as out:
                (out.path / "dla.fst").write_text("waves")
                raise HardwareError(f"it hangs; waveform: {out.path / 'dla.fst'}")
        kept = tmp_path / "x-failed" / "dla.fst"
        assert str(failed.value) == f"it hangs; waveform: {kept}" and kept.read_text() == "waves"
    failure = json.loads((tmp_path / "x-failed" / "failure.json").read_text())
    assert failure["failed"] == f"it hangs; waveform: {kept}" and failure["files"] == ["dla.fst"]
    assert run_in(tmp_path / "x") == 1 and hidden(tmp_path) == []
    assert sorted(p.name for p in tmp_path.iterdir()) == ["x", "x-failed"]


def test_files_that_a_record_names_are_those_of_the_folder(tmp_path: Path) -> None:
    with OutputPath(tmp_path / "x").claim(lambda _: False) as out:
        (out.path / "dsp.txt").write_text("")
        record: dict[str, Any] = {"dsp_trace": {"file": str(out.path / "dsp.txt"), "lines": 0}}
        out.commit(record)
    assert record["dsp_trace"] == {"file": str(tmp_path / "x" / "dsp.txt"), "lines": 0}


def test_a_folder_is_written_by_one_run_at_a_time(tmp_path: Path) -> None:
    folder = tmp_path / "x"
    with OutputPath(folder).claim(lambda _: False):
        said = f"is being written by another run, process {os.getpid()}; wait for it, or choose"
        for target in (OutputPath(folder), OutputPath(folder, True, force=True)):
            with pytest.raises(Refusal, match=said):
                put(target, 2)
        assert put(OutputPath(folder, numbered=True), 2).name == "x-2"
    assert put(OutputPath(folder), 3) == folder


def test_what_comes_into_the_folder_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    folder = tmp_path / "x"
    with pytest.raises(Refusal, match="holds files that no run lists"):
        with OutputPath(folder, force=True).claim(lambda _: False) as out:
            folder.mkdir()
            (folder / "notes.txt").write_text("mine")
            out.commit({"run": 1})
    assert [p.name for p in folder.iterdir()] == ["notes.txt"] and hidden(tmp_path) == []


def test_without_an_exchange_two_renames_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And a folder that was on its way out when the process died comes back."""
    monkeypatch.setattr(swap, "exchange", lambda *_: False)
    target = OutputPath(tmp_path / "x")
    put(target, 1)
    put(target, 1)
    assert run_in(tmp_path / "x") == 1 and hidden(tmp_path) == []
    (tmp_path / "x").rename(beside(tmp_path / "x", "old"))
    put(OutputPath(tmp_path / "y"), 2)  # any next run
    assert run_in(tmp_path / "x") == 1 and hidden(tmp_path) == []


def test_a_lock_that_somebody_removed_is_taken_anew(tmp_path: Path) -> None:
    first, second = FolderLock(tmp_path / "x"), FolderLock(tmp_path / "x")
    assert first.take("1") and not second.take("2") and second.holder == "1"
    first.release()
    assert second.take("2")
    second.release()
    assert list(tmp_path.iterdir()) == []


def test_a_parent_that_an_interrupted_run_takes_back_is_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another run has made it, is stopped, and removes it while it is empty."""
    clean_up = run_folder.clean_up
    moments = iter(("before", "after"))

    def taken_back(parent: Path) -> None:
        moment = next(moments)
        if moment == "before":
            parent.rmdir()
        clean_up(parent)
        if moment == "after":
            parent.rmdir()

    monkeypatch.setattr(run_folder, "clean_up", taken_back)
    for parent in ("a", "b"):
        folder = tmp_path / parent / "run"
        with OutputPath(folder).claim(lambda _: True) as made:
            assert made.folder == folder and made.path.is_dir()


def test_without_locks_there_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def none(*_: object) -> None:
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr(package.folder_lock.fcntl, "flock", none)
    with pytest.raises(Refusal, match="has no locks .*, which keep two runs out of one folder"):
        put(OutputPath(tmp_path / "x"), 1)


def test_there_is_an_end_to_the_numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_folder, "MOST_SIBLINGS", 3)
    target = OutputPath(tmp_path / "x", numbered=True)
    put(target, 1)
    put(target, 2)
    with pytest.raises(Refusal, match="and 1 numbered siblings hold other runs; remove some, or"):
        put(target, 3)


def test_a_full_disk_keeps_what_was_there(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", 256) as disk:
        put(OutputPath(disk / "x"), 1)
        with pytest.raises(OSError):
            put(OutputPath(disk / "x", force=True), 2, {"large.txt": "x" * 300_000})
        assert run_in(disk / "x") == 1 and hidden(disk) == []


def killed_at_random(folder: Path, seed: int) -> None:
    """Writes runs into one folder for as long as it lives."""
    random = np.random.default_rng(seed)
    while True:
        run = int(random.integers(4))
        target = OutputPath(
            folder / "x", numbered=bool(random.integers(2)), force=random.random() < 0.5
        )
        try:
            put(target, run, {"c.txt": "x" * 1000} if run % 2 else None)
        except Refusal:
            pass


def test_writers_that_are_killed_at_any_moment_mix_nothing(
    tmp_path: Path, everything: bool
) -> None:
    """Four processes write into one name, each killed after some milliseconds."""
    random = np.random.default_rng(5)
    fork = multiprocessing.get_context("fork")
    left = 0
    there: set[str] = set()
    for trial in range(200 if everything else 12):
        writers = [
            fork.Process(target=killed_at_random, args=(tmp_path, 10 * trial + k)) for k in range(4)
        ]
        for writer in writers:
            writer.start()
        for writer in writers:
            writer.join(float(random.uniform(0, 0.08)))
            writer.kill()
        for writer in writers:
            writer.join()
        left += len(hidden(tmp_path))
        shown = {entry.name for entry in tmp_path.iterdir() if not entry.name.startswith(".")}
        assert there <= shown, "a whole run is gone"
        for name in shown:
            run_in(tmp_path / name)
        put(OutputPath(tmp_path / "y", force=True), trial)
        assert hidden(tmp_path) == []
        there = shown
    assert left > 10 and "x" in there, "none was killed while writing"


def test_overrides_are_told_apart_everywhere(presil, digits: Path, tmp_path: Path) -> None:
    for more in ((), ("--set", "dla.macs_k=32"), ("--seed", "1"), ()):
        assert presil("run", digits, *more).code == 0
    home = tmp_path / "presil-out"
    names = ["digits-edge", "digits-edge-2", "digits-edge-dla.macs_k=32"]
    assert sorted(p.name for p in home.iterdir()) == names
    wide = json.loads((home / names[2] / "run.json").read_text())
    assert wide["soc"]["label"] == "edge dla.macs_k=32" and wide["soc"]["name"] == "edge"
    shown = presil("report", home / names[2])
    assert "digits.tflite on edge dla.macs_k=32, numerics tflite" in shown.out
    ended = presil("run", digits, "--check", "none", "--quiet")  # a fourth run
    assert "'presil-out/digits-edge' holds another run, which is kept; this one goes" in ended.err
    assert (home / "digits-edge-3").is_dir()


def test_a_full_disk_names_the_file_and_leaves_nothing(
    presil, digits: Path, tmp_path: Path
) -> None:
    with small_disk(tmp_path / "disk", 400) as disk:
        ended = presil("run", digits, "--out", disk / "run")
        assert ended.code == 2, ended.err
        expected = f"presil: output: '{disk / 'run' / 'net.presil'}' cannot be written, its disk is"
        assert ended.err.startswith(expected) and list(disk.iterdir()) == []


def test_a_run_saved_in_python_is_as_careful(digits: Path, tmp_path: Path) -> None:
    program = package.compile(package.load(digits))
    first, second = (
        package.run(program, [np.full((1, 96, 96, 3), value, np.int8)]) for value in (0, 1)
    )
    again = package.run(program, [np.zeros((1, 96, 96, 3), np.int8)])
    folder = first.save(tmp_path / "x")
    assert again.save(folder) == folder
    with pytest.raises(Refusal, match="kept; save it with force=True, or to another folder"):
        second.save(folder)
    second.save(folder, force=True)
    found = np.load(folder / "outputs" / "out0.npy")
    assert np.array_equal(found, second.arrays[0])
    assert sorted(p.name for p in tmp_path.iterdir()) == ["x"]


def test_a_record_that_is_cut_off_is_refused_in_one_paragraph(presil, tmp_path: Path) -> None:
    text = as_json(record())
    folder = tmp_path / "x"
    folder.mkdir()
    for length in range(0, len(text) - 1, len(text) // 40):
        (folder / "run.json").write_text(text[:length])
        with pytest.raises(Refusal, match="x' is no recorded run .*; expected a run folder"):
            open_run(str(folder))
    for verb in (("report",), ("diff", folder), ("profile",)):
        ended = presil(*verb, folder)
        assert ended.code == 2 and len(ended.err.splitlines()) == 1 and not ended.out, ended.err
