"""All that makes an image, in a folder: a main.c to change, the driver, a linker script, the
network, and build.sh, which compiles them by clang-19 and lld-19."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path

from . import paths
from .atomic import write_file, writing
from .image import NOTE_AT, WINDOW
from .image_elf import Piece
from .refusal import Refusal

PROGRAM = "sim/host_cpu/program/main.c"
SCRIPT = "sim/host_cpu/program/link.ld"
BUILD = """#!/bin/sh
# Compiles main.c with the driver and the network: clang-19 and lld-19 (Debian packages).
# -g: with lines of the sources, for a debugger.
cd "$(dirname "$0")" || exit
exec python3 presil/driver/port/baremetal/firmware.py main.c network.S --cpu {core} --kernels \\
  --script link.ld -o fw.elf "$@"
"""


def write_sources(folder: Path, core: str, pieces: Sequence[Piece]) -> None:
    """Into a folder that is new or empty."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise Refusal(f"firmware: --sources '{folder}' is not empty; give a new folder")
    made = json.loads((paths.FIRMWARE / "firmware.json").read_text(encoding="utf-8"))
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        for name in made["sources"]:
            copy(name, folder / "presil" / name)
        copy(PROGRAM, folder / "main.c")
        copy(SCRIPT, folder / "link.ld")
        build = folder / "build.sh"
        write_file(build, BUILD.format(core=core).encode())
        build.chmod(0o755)
        network = bytearray()
        for piece in pieces:
            if piece.address == NOTE_AT:
                write_file(folder / "note.bin", piece.data)
                continue
            network += bytes(piece.address - WINDOW - len(network)) + piece.data
        write_file(folder / "network.bin", bytes(network))
        write_file(folder / "network.S", assembly().encode())


def copy(name: str, to: Path) -> None:
    file = paths.FIRMWARE_SOURCES / name
    if not file.is_file():
        raise Refusal(f"firmware: --sources requires '{file}', which is not there; run a checkout")
    to.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(file, to)


def assembly() -> str:
    """The network as it is, at the linker script's addresses."""
    sections = (("presil_image", "note.bin"), ("presil_network", "network.bin"))
    lines = ["/* What the image has besides its program: sim/host_cpu/image.h. */"]
    for name, file in sections:
        lines += [f'.section .{name}, "aR", %progbits', f'.incbin "{file}"']
    return "\n".join(lines) + "\n"
