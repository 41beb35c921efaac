"""ELF files of images: what of them is loaded, and segments that are added to them."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from .refusal import Refusal

ELF, LOAD, READ = b"\x7fELF", 1, 4
HOW = "`presil firmware NET -o FILE.elf` makes one"


@dataclass(frozen=True)
class Piece:
    """Bytes at an address of the core."""

    address: int
    data: bytes


@dataclass(frozen=True)
class Machine:
    """Of one number in a file's header: cores whose program it is, and how its tables are laid."""

    number: int
    name: str
    bits: int
    cores: tuple[str, ...]

    @property
    def header(self) -> struct.Struct:
        return struct.Struct("<16sHHI" + ("III" if self.bits == 32 else "QQQ") + "IHHHHHH")

    def segment_of(self, data: bytes, at: int) -> tuple[int, int, int, int] | None:
        """Type, place in the file, address of the core, bytes in the file; None: cut off."""
        layout = "<8I" if self.bits == 32 else "<2I6Q"
        if at + struct.calcsize(layout) > len(data):
            return None
        words = struct.unpack_from(layout, data, at)
        if self.bits == 32:
            return words[0], words[1], words[3], words[4]
        return words[0], words[2], words[4], words[5]

    def segment(self, place: int, address: int, count: int) -> bytes:
        if self.bits == 32:
            return struct.pack("<8I", LOAD, place, address, address, count, count, READ, 1)
        return struct.pack("<2I6Q", LOAD, READ, place, address, address, count, count, 1)


MACHINES = (
    Machine(40, "Arm", 32, ("m33", "m4")),
    Machine(243, "RISC-V", 64, ("rv64",)),
    Machine(183, "AArch64", 64, ("aarch64",)),
)
CORES = tuple(core for machine in MACHINES for core in machine.cores)


def machine_of(data: bytes, file: Path) -> Machine:
    """Refuses files for other machines, or of another class than the machine's."""
    if len(data) < 52 or data[5] != 1 or data[4] not in (1, 2):
        raise Refusal(f"image: '{file}' must be a little-endian ELF file; {HOW}")
    (number,) = struct.unpack_from("<H", data, 18)
    for machine in MACHINES:
        if machine.number == number and machine.bits == 32 * data[4]:
            return machine
    known = ", ".join(f"{m.name} ({m.number}, {m.bits} bits)" for m in MACHINES)
    raise Refusal(
        f"image: '{file}' is for another machine (ELF machine {number}, {32 * data[4]} bits), "
        f"must be one of {known}; {HOW}"
    )


def pieces_of(data: bytes, file: Path) -> list[Piece]:
    """What of an ELF file is loaded."""
    machine = machine_of(data, file)

    def cut_off() -> Refusal:
        return Refusal(f"image: '{file}' is cut off at byte {len(data)}; {HOW}")

    if len(data) < machine.header.size:
        raise cut_off()
    header = machine.header.unpack_from(data)
    first, size, count = header[5], header[9], header[10]
    pieces = []
    for i in range(count):
        segment = machine.segment_of(data, first + i * size)
        if segment is None:
            raise cut_off()
        kind, offset, load_at, stored = segment
        if kind == LOAD and stored:
            if offset + stored > len(data):
                raise cut_off()
            pieces.append(Piece(load_at, data[offset : offset + stored]))
    return pieces


def with_pieces(elf: bytes, pieces: Sequence[Piece]) -> bytes:
    """The ELF file with a segment more for each; its own bytes stay where they are."""
    machine = machine_of(elf, Path("image"))
    header = list(machine.header.unpack_from(elf))
    table, size, count = header[5], header[9], header[10]
    segments = [elf[table + i * size : table + (i + 1) * size] for i in range(count)]
    parts = [elf]
    end = len(elf)

    def append(data: bytes) -> int:
        nonlocal end
        fill = -end % 16
        parts.append(bytes(fill) + data)
        end += fill + len(data)
        return end - len(data)

    for piece in pieces:
        segments.append(machine.segment(append(piece.data), piece.address, len(piece.data)))
    header[5] = append(b"".join(segments))
    header[10] = len(segments)
    out = bytearray(b"".join(parts))
    machine.header.pack_into(out, 0, *header)
    return bytes(out)
