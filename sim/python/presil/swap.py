"""One folder in the place of another, in one step where the file system can."""

from __future__ import annotations

import ctypes
import errno
import os
import shutil
from pathlib import Path

from .atomic import sync_folder

AT_FDCWD = -100
RENAME_EXCHANGE = 2
NOT_THERE = (errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EPERM)


def exchange(a: Path, b: Path) -> bool:
    """Linux's renameat2: both names stand for a folder at every moment. @return false: this C
    library, kernel or file system has none"""
    call = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    if call is None:
        return False
    if call(AT_FDCWD, os.fsencode(a), AT_FDCWD, os.fsencode(b), RENAME_EXCHANGE) == 0:
        return True
    error = ctypes.get_errno()
    if error in NOT_THERE:
        return False
    raise OSError(error, os.strerror(error))


def replace_folder(new: Path, folder: Path, old: Path) -> None:
    """Gives `new` the name `folder`; what was there goes. old: its name for as long as there is no
    other way than two renames; `FolderLock.clean` brings it back if that is cut off between."""
    if not folder.exists() or not any(folder.iterdir()):
        os.rename(new, folder)  # fails where something has come into it
    elif exchange(new, folder):
        shutil.rmtree(new)
    else:
        os.rename(folder, old)
        os.rename(new, folder)
        shutil.rmtree(old)
    sync_folder(folder.parent)
