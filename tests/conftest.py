"""What all Python tests share."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "sim" / "python"))


@dataclass
class Ended:
    """A finished call of the command line."""

    code: int
    out: str
    err: str


def presil(*arguments: str | Path, cwd: Path | None = None) -> Ended:
    """Calls the command line as a user would, without a terminal."""
    environment = dict(os.environ, CI="true", PYTHONPATH=str(ROOT / "sim" / "python"))
    done = subprocess.run(
        [sys.executable, "-m", "presil", *map(str, arguments)],
        capture_output=True,
        text=True,
        env=environment,
        cwd=cwd,
        timeout=300,
    )
    return Ended(done.returncode, done.stdout, done.stderr)


@pytest.fixture(name="presil")
def presil_fixture(tmp_path: Path):  # noqa: ANN201
    """The command line, called in a folder of its own."""

    def call(*arguments: str | Path) -> Ended:
        return presil(*arguments, cwd=tmp_path)

    return call


@pytest.fixture(scope="session")
def shared() -> Path:
    """Trained networks from outside the project; what needs them is skipped without."""
    from presil import paths

    folder = paths.shared()
    if not (folder / "models").is_dir():
        pytest.skip(f"SKIPPED: no trained networks at PRESIL_SHARED={folder}")
    return folder


@pytest.fixture(scope="session")
def digits() -> Path:
    """The project's own network."""
    return ROOT / "sim" / "nets" / "digits" / "digits.tflite"


@pytest.fixture(scope="session")
def everything() -> bool:
    """`presil test --all`"""
    return os.environ.get("PRESIL_ALL") == "1"


@pytest.fixture
def simulator_with_rtl() -> None:
    """Skips where there is no Verilator; where there is one, a simulator not built is an error."""
    from presil import paths

    if not paths.RTL_SIMULATOR.is_file():
        if shutil.which("verilator") is None:
            pytest.skip("SKIPPED: blocks in RTL are not built, there is no verilator")
        pytest.fail(f"{paths.RTL_SIMULATOR} is not built")
