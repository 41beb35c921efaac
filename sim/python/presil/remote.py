"""A simulated SoC for a driver in another process: what `presil remote` and tests of programs use.

The program opens it by its name (driver/include/presil/remote.h), in C or, with ctypes, in Python.
"""

from __future__ import annotations

import json
import os
import secrets
import subprocess
from types import TracebackType
from typing import Any

from . import paths
from .names import number
from .refusal import EXIT_HARDWARE, EXIT_REFUSED, HardwareError, Refusal, SimulatorDied
from .simulation import SHARED
from .soc import load_soc
from .soc_parameters import Overrides
from .tiles import one_tile

MEMORY_BYTES = 256 << 20
TIMEOUT_MS = 60_000


class RemoteSoc:
    """Serves one program, from now until that closes it.

    with presil.RemoteSoc("edge") as soc:
        subprocess.run(["./my_driver", soc.name])
    """

    def __init__(
        self,
        soc: Any = "edge",
        set: Overrides = (),  # noqa: A002  as the command line has it
        engines: Any = (),
        name: str | None = None,
        memory_bytes: int = MEMORY_BYTES,
        timeout_ms: int = TIMEOUT_MS,
    ) -> None:
        """name: of the shared memory; None: a new one. memory_bytes: of all buffers together.
        timeout_ms: for the program to come, 0: without end."""
        number(memory_bytes, 1 << 16, 1 << 40, "remote: memory_bytes", "", whole=True)
        number(timeout_ms, 0, 2**32 - 1, "remote: timeout_ms", "", whole=True)
        config = one_tile(load_soc(soc, set, engines), "remote", "a program opens one tile by it")
        self.name = name or f"presil_{os.getpid()}_{secrets.token_hex(4)}"
        self._process = subprocess.Popen(
            [str(paths.simulator())],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=dict(os.environ, SC_COPYRIGHT_MESSAGE="DISABLE"),
            text=True,
        )
        try:
            self._send(
                do="open",
                soc_name=config.name,
                soc=config.canonical_text,
                engines=paths.native().engine_notes(config),
            )
            self._answer()
            self._send(do="remote", name=self.name, bytes=memory_bytes, timeout_ms=timeout_ms)
        except BaseException:
            self.close()
            raise

    def _send(self, **message: Any) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(message) + "\n")
        self._process.stdin.flush()

    def _answer(self) -> None:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise SimulatorDied(f"presil-sim ended with code {self._process.wait()}")
        answer = json.loads(line)
        if not answer["ok"]:
            kinds = {EXIT_REFUSED: Refusal, EXIT_HARDWARE: HardwareError}
            raise kinds.get(answer["exit"], SimulatorDied)(answer["error"])

    def wait(self) -> None:
        """Until the program has closed the SoC, or has ended."""
        self._answer()

    def close(self) -> None:
        """Ends the SoC, also while it is served."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()
        (SHARED / self.name).unlink(missing_ok=True)

    def __enter__(self) -> RemoteSoc:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.close()
