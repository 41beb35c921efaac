"""Whether a waveform (FST) is whole: the library that writes it says nothing of a full disk."""

from __future__ import annotations

from pathlib import Path

HEADER, GEOMETRY, UNFINISHED = 0, 3, 255
HIERARCHIES = (4, 6, 7)


def is_whole(file: Path) -> bool:
    """A file is blocks: a byte with the kind, 8 with the length of what follows it, themselves
    included, the high byte first. Geometry and hierarchy are written last."""
    size, at, kinds = file.stat().st_size, 0, set()
    with file.open("rb") as stream:
        while at < size:
            stream.seek(at)
            head = stream.read(9)
            length = int.from_bytes(head[1:], "big")
            if len(head) < 9 or length < 8 or head[0] == UNFINISHED:
                return False
            kinds.add(head[0])
            at += 1 + length
    return at == size and {HEADER, GEOMETRY} <= kinds and bool(kinds & {*HIERARCHIES})
