"""GDB at a core of the simulation: `--gdb PORT`, and what the person at it is told."""

from __future__ import annotations

import struct
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import paths
from .host import NATIVE
from .image import Image
from .names import described
from .program import Program
from .refusal import Refusal

CORES = ("cpu", "dsp")
MOST_PORT = 65535
LOAD, MOST_CODE = 1, 1 << 20
HOW = "expected a port, 0 to 65535, or cpu:PORT or dsp:PORT"


@dataclass(frozen=True)
class Gdb:
    """Where debuggers may come to, by core; port 0: any that is free."""

    ports: Mapping[str, int]
    tell: Callable[[str], None] = lambda line: print(line, file=sys.stderr, flush=True)

    def waits(self, ports: Mapping[str, int], host: str | Image, program: Program) -> None:
        """Says so; the simulation then stands until they have come."""
        for core, port in ports.items():
            if core == "dsp":
                symbols = " or ".join(map(str, kernel_files(program))) or "FILE.elf"
            else:
                firmware = paths.FIRMWARE / f"{host}.elf"
                symbols = str(host.file if isinstance(host, Image) else firmware)
            self.tell(
                f"gdb: {core} waits for a debugger at 127.0.0.1:{port}; "
                f"gdb-multiarch {symbols} -ex 'target remote :{port}'"
            )


def kernel_files(program: Program) -> list[Path]:
    """The ELF files whose code the loadable has: the project's, and the user's."""
    own = [Path(kernel.elf) for kernel in program.kernels]
    every = [*sorted(paths.DSP_KERNELS.glob("*.elf")), *own]
    loadable = bytes(program.loadable)
    return [file for file in dict.fromkeys(every) if (c := code_of(file)) and c in loadable]


def code_of(file: Path) -> bytes:
    """The first bytes that a 64-bit ELF file loads; none of what is no such file."""
    try:
        data = file.read_bytes()
        (table,) = struct.unpack_from("<Q", data, 32)
        size, count = struct.unpack_from("<HH", data, 54)
        for i in range(count):
            kind, _, offset, _, _, stored = struct.unpack_from("<IIQQQQ", data, table + i * size)
            if kind == LOAD and stored:
                return data[offset : offset + min(stored, MOST_CODE)]
    except (OSError, struct.error):
        pass
    return b""


def gdb_of(given: Any, host: str | Image) -> Gdb | None:
    """Of a port, a text or several; a plain port is the host's core, or the DSP of a native one."""
    if given is None or isinstance(given, Gdb) or given == ():
        return given or None
    several = isinstance(given, Iterable) and not isinstance(given, str)
    ports: dict[str, int] = {}
    for one in given if several else [given]:
        core, colon, port = str(one).rpartition(":")
        core = core if colon else ("dsp" if host == NATIVE else "cpu")
        if core not in CORES or not port.isdecimal() or int(port) > MOST_PORT:
            raise Refusal(f"gdb: got {described(one)}, {HOW}")
        if core in ports:
            raise Refusal(f"gdb: two ports for {core}, must be one")
        ports[core] = int(port)
    if "cpu" in ports and host == NATIVE:
        raise Refusal(
            "gdb: cpu requires a core as the host; give --host m33, m4, rv64, aarch64, or an image"
        )
    return Gdb(ports)
