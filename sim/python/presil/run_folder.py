"""A run's folder: its name, its one writer, and how it comes to be: whole, or not at all.

A run is made in a hidden folder beside its own, which takes the name when everything is in it.
Until then, and in every other ending, what was there stays. Over another run it goes only by force,
over files that no run lists never.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from types import TracebackType
from typing import Any

from .atomic import TEMPORARY, check_folder, write_file, writing
from .folder_lock import FolderLock, beside, clean_up
from .record import as_json
from .refusal import HardwareError, Refusal
from .swap import replace_folder

HOME = Path("presil-out")
MOST_NAME = 100
MOST_OUT = 200
MOST_SIBLINGS = 10_000
RECORD = "run.json"
FAILURE = "failure.json"
SERVED = "serve.json"
RECORDS = (RECORD, FAILURE, SERVED)
EARLIER = ("report.html", "net.presil", "outputs/out*.npy", "trace.json.gz", "dsp.txt", "*.fst")
EARLIER += ("pictures/*.png", "pictures/*.jpg", "scene*.png")
"""What runs have written whose record does not list its files: schema 1.2 and before."""
TRACED = ("dsp_trace", "waveforms", "cosim")
"""Parts of a record that name files of its folder."""

Record = dict[str, Any]
Same = Callable[[Record], bool]


def folder_name(network: str, soc: str) -> str:
    """`digits-edge-dla.macs_k=32` of a network and a SoC's label; long ones end in a digest."""
    text = "-".join([network, *soc.split(" ")])
    safe = "".join(c if c.isalnum() or c in "._=+-," else "_" for c in text)
    safe = safe.lstrip(".-") or "run"
    if len(safe.encode()) <= MOST_NAME:
        return safe
    digest = hashlib.sha256(text.encode()).hexdigest()[:8]
    return f"{safe.encode()[: MOST_NAME - 9].decode(errors='ignore')}-{digest}"


def files_in(folder: Path) -> list[str]:
    """All but the record, as the record lists them; a folder without anything counts, too."""
    found = []
    for entry in sorted(folder.rglob("*")):
        name = entry.relative_to(folder).as_posix()
        is_folder = entry.is_dir() and not entry.is_symlink()
        if is_folder and any(entry.iterdir()) or name in RECORDS:
            continue
        if not entry.name.startswith(TEMPORARY):
            found.append(name)
    return found


def record_in(folder: Path) -> Record | None:
    """What lies there, if it is a run's whole record, or that of a failure."""
    for name in RECORDS:
        try:
            record = json.loads((folder / name).read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            continue
        if isinstance(record, dict) and isinstance(record.get("files"), list):
            return record
        if isinstance(record, dict) and isinstance(record.get("schema"), str):
            known = [n for n in files_in(folder) if any(fnmatch(n, form) for form in EARLIER)]
            return {**record, "files": known}
    return None


@dataclass(frozen=True)
class OutputPath:
    """Where a run is to go. numbered: if another run is there, to name-2, name-3, …"""

    folder: Path
    numbered: bool = False
    force: bool = False
    hint: str = "--force replaces it, --out DIR names another folder"

    @classmethod
    def of(cls, folder: str | Path, force: bool = False, **more: Any) -> OutputPath:
        """Of a name that was given: of a link, what it leads to."""
        path = Path(folder)
        if path.is_symlink() or path.name in ("", ".."):
            path = Path(os.path.realpath(path))
        return cls(path, force=force, **more)

    def check(self) -> None:
        """Before the work, of a given name: refuses what can be told without the run."""
        folder = self.folder
        if not folder.name or len(os.fsencode(folder.name)) > MOST_OUT:
            raise Refusal(
                f"output: '{folder}' is no name for a run's folder, expected 1 to {MOST_OUT} bytes"
            )
        if os.path.ismount(folder) or Path.cwd().is_relative_to(folder.resolve()):
            raise Refusal(
                f"output: '{folder}' cannot be exchanged for a run's folder, it is "
                f"{'a mount point' if os.path.ismount(folder) else 'where you are'}; give a name "
                f"inside of it, e.g. --out {folder / 'run'}"
            )
        with writing(folder):
            if folder.exists() and not folder.is_dir():
                raise NotADirectoryError(errno.ENOTDIR, "it is a file")
        check_folder(folder.parent)
        if folder.is_dir():
            with writing(folder):
                self.foreign(folder, record_in(folder))

    def foreign(self, folder: Path, record: Record | None) -> None:
        """Refuses a folder with files that are no run's."""
        known = set(record["files"]) if record else set()
        others = [name for name in files_in(folder) if name not in known]
        others += [n for n in RECORDS if record is None and (folder / n).exists()]
        if others:
            raise Refusal(
                f"output: '{folder}' holds files that no run lists as its own, '{others[0]}'"
                f"{f' and {len(others) - 1} more' if len(others) > 1 else ''}; they are kept, also "
                "with --force: move them away, or choose another folder by --out"
            )

    def names(self) -> Iterator[Path]:
        yield self.folder
        if self.numbered and not self.force:
            for number in range(2, MOST_SIBLINGS):
                yield self.folder.with_name(f"{self.folder.name}-{number}")

    def free(self, folder: Path, same: Same) -> bool:
        """By the holder of its lock: whether a run may go there."""
        if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
            return True
        record = record_in(folder) if folder.is_dir() else None
        if self.numbered and not self.force:
            try:
                self.foreign(folder, record)
            except (Refusal, OSError):
                return False
            return record is not None and same(record)
        with writing(folder):
            self.foreign(folder, record)
        if record is not None and not self.force and not same(record):
            raise Refusal(f"output: '{folder}' holds another run, which is kept; {self.hint}")
        return True

    def claim(self, same: Same) -> RunFolder:
        """The first of its names that is free, or holds the same run. Refuses where there is
        none."""
        parent = self.folder.parent
        made = [p for p in (parent, *parent.parents) if not p.exists()]
        with writing(self.folder):
            parent.mkdir(parents=True, exist_ok=True)
            clean_up(parent)
            for folder in self.names():
                lock = FolderLock(folder)
                if not lock.take(str(os.getpid())):
                    if self.numbered and not self.force:
                        continue
                    raise Refusal(
                        f"output: '{folder}' is being written by another run, process "
                        f"{lock.holder or 'unknown'}; wait for it, or choose another folder by "
                        "--out"
                    )
                try:
                    lock.clean()
                    if self.free(folder, same):
                        return RunFolder(self, folder, lock, same, made)
                except BaseException:
                    lock.release()
                    raise
                lock.release()
        raise Refusal(
            f"output: '{self.folder}' and {MOST_SIBLINGS - 2} numbered siblings hold other runs; "
            "remove some, or choose another folder by --out"
        )


class RunFolder:
    """A folder that only this process writes, until the end of its `with`."""

    def __init__(
        self, target: OutputPath, folder: Path, lock: FolderLock, same: Same, made: list[Path]
    ) -> None:
        self.folder = folder
        self._target, self._lock, self._same, self._made = target, lock, same, made
        self.path = Path(tempfile.mkdtemp(prefix=beside(folder, "run-").name, dir=folder.parent))
        """Where the run's files are written."""
        self.path.chmod(0o777 & ~umask())

    @property
    def notice(self) -> str | None:
        """What people should know: another run has the name that was meant."""
        if self.folder == self._target.folder:
            return None
        return (
            f"'{self._target.folder}' holds another run, which is kept; this one goes to "
            f"'{self.folder}' (--force replaces, --out names a folder)"
        )

    def commit(
        self,
        record: Record,
        write: Callable[[Path], None] | None = None,
        name: str = RECORD,
    ) -> Path:
        """Everything that `write` puts into the folder, then the record, then its name."""
        for part in TRACED:
            if part in record:
                record[part] = self._final(record[part])
        if write is not None:
            write(self.path)
        self._give(self.folder, name, record)
        return self.folder

    def _give(self, folder: Path, name: str, record: Record) -> None:
        record["files"] = files_in(self.path)
        write_file(self.path / name, as_json(record))
        with writing(folder):
            if not self._target.free(folder, self._same):
                raise OSError(errno.EEXIST, "something else has come into it during the run")
            replace_folder(self.path, folder, beside(folder, "old"))

    def _final(self, value: Any) -> Any:
        """With the folder's name instead of the hidden one."""
        if isinstance(value, str):
            return value.replace(str(self.path), str(self.folder))
        if isinstance(value, dict):
            return {key: self._final(v) for key, v in value.items()}
        return [self._final(v) for v in value] if isinstance(value, list) else value

    def _keep_failure(self, error: HardwareError) -> None:
        """What was traced up to a failure goes to a folder of its own, name-failed."""
        target = OutputPath(
            self._target.folder.with_name(f"{self._target.folder.name}-failed"), True
        )
        with target.claim(lambda record: "failed" in record) as failed:
            shutil.rmtree(failed.path)
            os.rename(self.path, failed.path)
            hidden, self.folder = self.path, failed.folder
            text = str(error).replace(str(hidden), str(failed.folder))
            failed._give(failed.folder, FAILURE, {"schema": "1.0", "failed": text})

    def __enter__(self) -> RunFolder:
        return self

    def __exit__(
        self, _: type[BaseException] | None, error: BaseException | None, __: TracebackType | None
    ) -> None:
        try:
            if isinstance(error, HardwareError) and self.path.is_dir() and files_in(self.path):
                self._keep_failure(error)
        except Refusal as refusal:
            error.args = (f"{error}; what was traced is lost: {refusal}",)
        finally:
            if error is not None:
                error.args = tuple(map(self._final, error.args))
                if hasattr(error, "detail"):
                    error.detail = self._final(error.detail)
            shutil.rmtree(self.path, ignore_errors=True)
            self._lock.clean()
            self._lock.release()
            for folder in self._made:
                with suppress(OSError):
                    folder.rmdir()  # only where nothing is in it


def umask() -> int:
    """Of this process; there is no way to read it but to set it."""
    value = os.umask(0)
    os.umask(value)
    return value
