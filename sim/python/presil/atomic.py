"""Files are written whole or not at all: under a temporary name beside them, synced, renamed. What
cannot be written is refused by its name."""

from __future__ import annotations

import errno
import os
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from .refusal import Refusal

TEMPORARY = ".presil-tmp-"
STALE_S = 3600
"""A temporary file so old is of a writer that was killed: a write takes no more than seconds."""
NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
STREAMS = ("/dev/std", "/dev/fd/", "/proc/")
"""Names that stand for something open already, which no other file can take the place of."""


@contextmanager
def writing(path: str | Path) -> Iterator[None]:
    """What the system says against it becomes a refusal that names the file."""
    try:
        yield
    except OSError as error:
        said = error.strerror or str(error)
        if error.errno in NO_ROOM:
            raise Refusal(
                f"output: '{path}' cannot be written, its disk is full ({said}); free some room, "
                "or choose another folder"
            ) from error
        raise Refusal(
            f"output: '{path}' cannot be written ({said}); choose a folder where files can be made"
        ) from error


def sync_folder(folder: Path) -> None:
    """Renames in it are on the disk; some file systems have no such call for folders."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def is_stream(path: Path) -> bool:
    return str(path).startswith(STREAMS) or (path.exists() and not path.is_file())


def temporary_in(folder: Path) -> Path:
    return folder / f"{TEMPORARY}{os.getpid()}-{secrets.token_hex(4)}"


def write_file(file: str | Path, data: bytes | memoryview | str) -> Path:
    """Puts a file in the place of the one of that name, if any. Links stay, and so do streams and
    pipes, which are written to."""
    path = Path(file)
    content = data.encode() if isinstance(data, str) else data
    with writing(path):
        if is_stream(path):
            with path.open("wb") as stream:
                stream.write(content)
            return path
        target = Path(os.path.realpath(path))
        temporary = temporary_in(target.parent)
        try:
            with temporary.open("xb") as out:
                out.write(content)
                out.flush()
                os.fsync(out.fileno())
            if target.exists():
                os.chmod(temporary, target.stat().st_mode & 0o7777)
            os.replace(temporary, target)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
    sync_folder(target.parent)
    return path


def check_folder(folder: Path) -> None:
    """Before the work: files can be made there, or where the folder would be made."""
    there = folder
    while not there.exists() and there != there.parent:
        there = there.parent
    with writing(folder):
        if not there.is_dir():
            raise NotADirectoryError(errno.ENOTDIR, f"'{there}' is a file")
        for left in there.glob(f"{TEMPORARY}*"):
            with suppress(FileNotFoundError):
                if left.is_file() and time.time() - left.stat().st_mtime > STALE_S:
                    left.unlink()
        probe = temporary_in(there)
        try:
            probe.write_bytes(b"\n")
        finally:
            probe.unlink(missing_ok=True)


def check_file(file: str | Path) -> None:
    """Before the work: the file can be written."""
    path = Path(file)
    if is_stream(path) and not path.is_dir():
        return
    with writing(path):
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, "it is a folder")
        if not path.parent.is_dir():
            raise FileNotFoundError(errno.ENOENT, f"there is no folder '{path.parent}'")
    check_folder(Path(os.path.realpath(path)).parent)
