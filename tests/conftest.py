"""What all Python tests share."""

from __future__ import annotations

import functools
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
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


class Judge:
    """The reference interpreter computes a network's answer to an input once in a run of the tests,
    however many SoCs are compared with it. The last 512 MB of answers are kept."""

    MOST_BYTES = 512 << 20

    def __init__(self, native: Any) -> None:
        self.compute = {name: getattr(native, name) for name in ("reference", "reference_all")}
        self.answers: dict[tuple[str, bytes], list[np.ndarray]] = {}
        self.bytes = 0

    def ask(
        self, name: str, graph: Any, inputs: list[np.ndarray], custom: Any = None
    ) -> list[np.ndarray]:
        if custom is not None:  # whose answers are not known in advance
            return list(self.compute[name](graph, inputs, custom))
        digest = hashlib.sha256(graph.to_bytes())
        for array in inputs:
            digest.update(f"{array.dtype}{array.shape}".encode())
            digest.update(np.ascontiguousarray(array).tobytes())
        key = (name, digest.digest())
        if key not in self.answers:
            self.answers[key] = self.compute[name](graph, inputs)
            self.bytes += sum(array.nbytes for array in self.answers[key])
        answer = self.answers[key]
        while self.bytes > self.MOST_BYTES:
            oldest = self.answers.pop(next(iter(self.answers)))
            self.bytes -= sum(array.nbytes for array in oldest)
        return [array.copy() for array in answer]


@pytest.fixture(scope="session", autouse=True)
def judge() -> Iterator[Judge | None]:
    """In place of the extension module's own functions, for as long as the tests run."""
    from presil import paths
    from presil.refusal import Refusal

    try:
        native = paths.native()
    except Refusal:  # tests that need it say so themselves
        yield None
        return
    cache = Judge(native)
    with pytest.MonkeyPatch.context() as patch:
        for name in cache.compute:
            patch.setattr(native, name, functools.partial(cache.ask, name))
        yield cache


@pytest.fixture
def simulator_with_rtl() -> None:
    """Skips where there is no Verilator; where there is one, a simulator not built is an error."""
    from presil import paths

    if not paths.RTL_SIMULATOR.is_file():
        if shutil.which("verilator") is None:
            pytest.skip("SKIPPED: blocks in RTL are not built, there is no verilator")
        pytest.fail(f"{paths.RTL_SIMULATOR} is not built")
