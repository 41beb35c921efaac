"""The files of the project, as the house's tests look at them."""

from __future__ import annotations

import functools
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HAND_WRITTEN = (".c", ".h", ".cpp", ".py", ".sv", ".svh", ".rdl", ".jinja", ".fbs", ".md", ".yaml")
DO_NOT_EDIT = "do not edit"


@functools.cache
def tracked() -> tuple[Path, ...]:
    """What git tracks and still exists; a tree without git has no such list and skips its test."""
    try:
        done = subprocess.run(
            ["git", "-C", str(ROOT), "ls-files", "-z"], capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"SKIPPED: {ROOT} is no git checkout, so tracked files are not known ({error})")
    files = [ROOT / name for name in done.stdout.split("\0") if name]
    return tuple(file for file in files if file.is_file())


def name_of(file: Path) -> str:
    return str(file.relative_to(ROOT))


@functools.cache
def text_of(file: Path) -> str | None:
    """The file's text; None for images, networks and other bytes."""
    data = file.read_bytes()
    if b"\0" in data[:8192]:
        return None
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return None


def is_print(file: Path) -> bool:
    """Made by a program, as its first line says."""
    text = text_of(file)
    return text is not None and DO_NOT_EDIT in text.partition("\n")[0]


def hand_written(*suffixes: str) -> list[Path]:
    """Tracked sources that people write, of these endings."""
    endings = suffixes or HAND_WRITTEN
    return [
        f
        for f in tracked()
        if (f.suffix in endings or (not suffixes and f.name == "CMakeLists.txt"))
        and not is_print(f)
    ]
