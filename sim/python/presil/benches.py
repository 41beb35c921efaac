"""Test programs of the build that a suite runs beside its networks: the benches of blocks."""

from __future__ import annotations

import os
import re
import resource
import signal
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from .refusal import Refusal

PASSED = re.compile(r"^\[       OK \] (\S+) \((\d+) ms\)", re.MULTILINE)
FAILED = re.compile(r"^\[  FAILED  \] ([\w/]+\.[\w/]+)", re.MULTILINE)
RUNNING = re.compile(r"^\[ RUN      \] (\S+)", re.MULTILINE)
MEMORY_BYTES = 6 << 30


@dataclass(frozen=True)
class Ended:
    """How a program ended: `why` is empty where all is well."""

    why: str
    output: str
    tests_ms: dict[str, int] = field(default_factory=dict)


def bench_program(build: Path, name: str) -> Path | None:
    """Where the build has the bench; None: it is not built."""
    return next(iter(sorted(build.glob(f"tests/*/{name}"))), None)


def run_bench(
    program: Path,
    folder: Path,
    tests: Sequence[str] = (),
    limit_s: float = 600,
    environment: Mapping[str, str] | None = None,
) -> Ended:
    """Runs all tests of a program, or those named, up to the first that fails."""
    chosen = [f"--gtest_filter={':'.join(tests)}"] if tests else []
    variables = {**os.environ, "GTEST_FAIL_FAST": "1", **(environment or {})}
    code, output = ended([str(program), *chosen], folder, variables, limit_s)
    done = {name: int(ms) for name, ms in PASSED.findall(output)}
    if code == 0:
        return Ended("", output, done)
    named = FAILED.findall(output) or RUNNING.findall(output)[-1:]
    how = f" ({how_of(code)})" if code is None or code < 0 else ""
    return Ended(f"{named[0] if named else program.name}{how}", output, done)


def how_of(code: int | None) -> str:
    return "time limit" if code is None else signal.Signals(-code).name


def ended(
    command: Sequence[str],
    folder: Path,
    environment: Mapping[str, str],
    limit_s: float,
    given: str = "",
) -> tuple[int | None, str]:
    """Exit code (None: it took longer and was stopped, with all that it had started) and output."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as asked:
        asked.write(given.encode())
        asked.seek(0)
        try:
            process = subprocess.Popen(
                command,
                cwd=folder,
                env=dict(environment),
                stdin=asked,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=bounded,
            )
        except OSError as error:
            raise Refusal(f"bench: '{command[0]}' cannot be run ({error})") from error
        code: int | None
        try:
            code = process.wait(limit_s)
        except subprocess.TimeoutExpired:
            code = None
        finally:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()
        output.seek(0)
        return code, output.read().decode(errors="replace")


def bounded() -> None:
    """A program that runs away ends before it takes the machine with it."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
