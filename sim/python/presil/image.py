"""Images for a core as the host: a program, a network, a sample and what its outputs must be, in
one ELF file. sim/host_cpu/image.h has the structure that says where each lies."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from . import paths
from .custom import Customs
from .image_elf import CORES, ELF, HOW, Piece, machine_of, pieces_of
from .names import one_of
from .program import Program
from .refusal import Refusal
from .soc_parameters import of_text

MAGIC, VERSION = 0x4D495350, 1
NOTE_AT, WINDOW, MOST_WINDOW = 0x000FF000, 0x60000000, 0x40000000
EDGES, ALIGN, PAGE = 16, 64, 4096
NOTE = struct.Struct(f"<10I{2 * EDGES}I{2 * EDGES}I{EDGES}I68s8s")


@dataclass(frozen=True)
class Image:
    """An image with a network, read from its file."""

    file: Path
    core: str
    loadable: bytes
    sample: tuple[bytes, ...]
    """Of each input."""
    checked: bool
    """Whether the program compares the outputs itself."""

    @cached_property
    def program(self) -> Program:
        program = Program(self.loadable, None)
        program.soc = of_text(program.info["soc_name"], program.info["soc_text"])
        return program

    def arrays(self) -> list[np.ndarray]:
        """The sample that is in it."""
        pairs = zip(self.program.inputs, self.sample, strict=True)
        return [np.frombuffer(data, t["dtype"]).reshape(t["shape"]) for t, data in pairs]

    def for_inputs(self, arrays: Sequence[np.ndarray]) -> Image:
        """With other inputs, the program cannot know what the outputs must be."""
        own = [np.ascontiguousarray(a).tobytes() for a in arrays] == list(self.sample)
        return self if own else replace(self, checked=False)

    def sha256(self) -> str:
        return hashlib.sha256(self.file.read_bytes()).hexdigest()


def is_elf(file: Any) -> bool:
    """Whether what was given as a network is the file of an image."""
    if not isinstance(file, (str, Path)):
        return False
    try:
        with open(file, "rb") as opened:
            return opened.read(len(ELF)) == ELF
    except OSError:
        return False


def read_image(file: str | Path) -> Image:
    """The image of a file.

    Refuses one of another machine, and one without a network."""
    path = Path(file)
    data = path.read_bytes()
    pieces = pieces_of(data, path)

    def at(address: int, size: int) -> bytes:
        for piece in pieces:
            offset = address - piece.address
            if 0 <= offset and offset + size <= len(piece.data):
                return piece.data[offset : offset + size]
        raise Refusal(f"image: '{path}' has no network of this presil in it; {HOW}")

    words = NOTE.unpack(at(NOTE_AT, NOTE.size))
    magic, version, _, loadable, size, _, _, checked, inputs, _ = words[:10]
    core = words[-1].rstrip(b"\0").decode("ascii", "replace")
    if magic != MAGIC or version != VERSION or core not in CORES or inputs > EDGES:
        raise Refusal(f"image: '{path}' has no network of this presil in it; {HOW}")
    machine = machine_of(data, path)
    if core not in machine.cores:
        raise Refusal(
            f"image: '{path}' is a program for {machine.name} with a network for {core}; {HOW}"
        )
    edges = [(words[10 + 2 * i], words[11 + 2 * i]) for i in range(inputs)]
    sample = tuple(at(address, count) for address, count in edges)
    return Image(path, core, at(loadable, size), sample, bool(checked))


def pieces_for(
    program: Program, core: str, arrays: Sequence[np.ndarray], expected: Sequence[np.ndarray] | None
) -> list[Piece]:
    """What an image has besides its program: the structure, the loadable, the sample, what the
    outputs must be (None: not known)."""
    outputs = program.outputs
    for what, count in (("inputs", len(arrays)), ("outputs", len(outputs))):
        if count > EDGES:
            raise Refusal(f"firmware: the network has {count} {what}, must be at most {EDGES}")
    window = min(int(program.soc.config["dram.bytes"]), MOST_WINDOW)
    pieces, at = [], WINDOW

    def place(data: bytes, stored: bool = True) -> int:
        nonlocal at
        here = at
        if stored:
            pieces.append(Piece(here, data))
        at += -(-len(data) // ALIGN) * ALIGN
        return here

    loadable = bytes(program.loadable)
    first = place(loadable)
    given = [np.ascontiguousarray(array).tobytes() for array in arrays]
    input_at = [place(data) for data in given]
    expected_at = [place(np.ascontiguousarray(array).tobytes()) for array in expected or ()]
    sizes = [tensor["plain_bytes"] for tensor in outputs]
    output_at = [place(bytes(size), stored=False) for size in sizes]
    buffers = -(-at // PAGE) * PAGE
    if buffers - WINDOW > window // 2:
        raise Refusal(
            f"firmware: loadable and tensors have {buffers - WINDOW} bytes, must be at most "
            f"{window // 2}, half of the window of {core} into DRAM; run with --host native"
        )
    head = [MAGIC, VERSION, program.soc.clock_mhz, first, len(loadable), buffers, window]
    head += [int(expected is not None), len(given), len(sizes)]
    edges = [n for pair in zip(input_at, map(len, given)) for n in pair]
    made = [n for pair in zip(output_at, sizes) for n in pair]
    tables = [*padded(edges, 2 * EDGES), *padded(made, 2 * EDGES), *padded(expected_at, EDGES)]
    note = NOTE.pack(*head, *tables, program.soc.sha256.encode(), core.encode())
    return [Piece(NOTE_AT, note), *pieces]


def padded(numbers: Sequence[int], count: int) -> list[int]:
    return [*numbers, *[0] * (count - len(numbers))]


def expected_of(program: Program, arrays: Sequence[np.ndarray]) -> list[np.ndarray] | None:
    """By the reference interpreter; None where that does not know the network."""
    if program.graph is None:
        return None
    customs = Customs(program.graph, program.kernels)
    if customs.without_reference:
        return None
    return list(paths.native().reference(program.graph, list(arrays), customs.function()))


def prebuilt(core: str) -> Path:
    """The program of images of a core."""
    one_of(core, CORES, "firmware: host")
    file = paths.FIRMWARE / f"{core}_program.elf"
    if not file.is_file():
        raise Refusal(
            f"firmware: {core} requires '{file}', which is not there; `sim/host_cpu/build.py` "
            "makes it (Debian: clang-19 lld-19)"
        )
    return file
