"""Disks that are full: a small tmpfs, and a limit on the size of files."""

from __future__ import annotations

import os
import resource
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def small_disk(folder: Path, kib: int) -> Iterator[Path]:
    """A file system of its own, where it can be mounted."""
    folder.mkdir()
    order = ["mount", "-t", "tmpfs", "-o", f"size={kib}k", "tmpfs", str(folder)]
    done = subprocess.run(order, capture_output=True, text=True)
    if os.geteuid() != 0 or done.returncode != 0:
        pytest.skip(f"SKIPPED: no small disk, a tmpfs cannot be mounted ({done.stderr.strip()})")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def no_room_after(size: int) -> Callable[[], None]:
    """For preexec_fn: no file may have more bytes."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))

    return limit
