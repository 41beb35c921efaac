"""The lock of a run folder's name: only its holder touches the folder, and what is left
beside it of runs that were killed."""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import time
from contextlib import suppress
from pathlib import Path

from .refusal import Refusal

LEFT = re.compile(r"\.(?P<name>.+)\.presil-(?:lock|old|run-[^.]*)$", re.DOTALL)
MOST_WAIT_S = 10.0


def beside(folder: Path, kind: str) -> Path:
    """A hidden name next to a folder."""
    return folder.with_name(f".{folder.name}.presil-{kind}")


class FolderLock:
    """Held by flock, so that the kernel frees it however its process ends. The file holds the
    number of the process, and nothing while a process only cleans up."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.file = beside(folder, "lock")
        self.holder = ""
        """Process that holds it instead, after `take` has failed."""
        self._handle = -1

    def take(self, content: str = "") -> bool:
        """@return false: a living process holds it"""
        deadline = time.monotonic() + MOST_WAIT_S
        while True:
            try:
                handle = os.open(self.file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
            except FileNotFoundError:  # an interrupted run has taken back the folder that it made
                self.folder.parent.mkdir(parents=True, exist_ok=True)
                continue
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                self.holder = os.pread(handle, 100, 0).decode(errors="replace")
                os.close(handle)
                if self.holder or not content or time.monotonic() > deadline:
                    return False
                time.sleep(0.01)  # a clean-up, or a run that writes its number just now
                continue
            except OSError as error:
                os.close(handle)
                raise Refusal(
                    f"output: the file system of '{self.folder.parent}' has no locks ({error}), "
                    "which keep two runs out of one folder; choose another folder by --out"
                ) from error
            self._handle = handle
            if self._is_the_file():
                try:
                    os.ftruncate(handle, 0)
                    os.pwrite(handle, content.encode(), 0)
                except OSError:
                    self.release()
                    raise
                return True
            os.close(handle)  # its holder has taken the file away meanwhile

    def _is_the_file(self) -> bool:
        try:
            found, held = os.stat(self.file), os.fstat(self._handle)
        except FileNotFoundError:
            return False
        return (found.st_dev, found.st_ino) == (held.st_dev, held.st_ino)

    def release(self) -> None:
        if self._handle >= 0:
            self.file.unlink(missing_ok=True)
            os.close(self._handle)
            self._handle = -1

    def clean(self) -> None:
        """By the holder: away with what killed runs left; a folder on its way out comes back where
        nothing has replaced it."""
        old = beside(self.folder, "old")
        if old.is_dir() and not self.folder.exists():
            os.rename(old, self.folder)
        shutil.rmtree(old, ignore_errors=True)
        prefix = beside(self.folder, "run-").name
        for entry in self.folder.parent.iterdir():
            if entry.name.startswith(prefix):
                shutil.rmtree(entry, ignore_errors=True)


def clean_up(parent: Path) -> None:
    """Away with everything that killed runs have left in a folder of run folders."""
    try:
        entries = os.listdir(parent)
    except FileNotFoundError:  # as in take
        return
    names = {found["name"] for entry in entries if (found := LEFT.match(entry))}
    for name in sorted(names):
        lock = FolderLock(parent / name)
        with suppress(OSError):  # of another user, perhaps: it does no harm
            if lock.take():
                try:
                    lock.clean()
                finally:
                    lock.release()
