"""The trained networks of the shared folder that presil takes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import presil

SMALL = 1 << 20
"""Bytes of a file up to which a network compiles in a moment."""


def corpus(shared: Path, everything: bool) -> Iterator[presil.Network]:
    """Networks as their files are; the large ones only for `presil test --all`. Float networks are
    refused by the importer, which other tests look at."""
    taken = 0
    for file in sorted((shared / "models").glob("*/*.tflite")):
        if not everything and file.stat().st_size > SMALL:
            continue
        try:
            yield presil.load(file)
            taken += 1
        except presil.Refusal as refusal:
            assert str(refusal).startswith("import: "), refusal
    assert taken >= (9 if everything else 5), f"only {taken} networks in {shared}"
