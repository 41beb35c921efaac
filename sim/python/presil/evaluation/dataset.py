"""A folder of samples with their answers: which forms there are, and what each says.

sim/guides/eval.md describes the forms; a new one is a function of FORMS.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ..inputs import is_image
from ..refusal import Refusal

DIGITS = re.compile(r"(\d+)")
ARRAYS = (".npy", ".bin")

Box = tuple[float, float, float, float, int]
"""x0, y0, x1, y1 in pixels of the image, x1 and y1 exclusive, then the class."""


@dataclass(frozen=True)
class Item:
    """One sample and what is true of it."""

    name: str
    file: str
    index: int | None = None
    """Of a file that holds several samples."""
    label: int | None = None
    boxes: tuple[Box, ...] | None = None


@dataclass(frozen=True)
class Dataset:
    folder: str
    form: str
    items: tuple[Item, ...]
    classes: tuple[str, ...] = ()
    """Names by class number, where the folder has them."""


def natural(name: str) -> list[tuple[int, int, str]]:
    """A key that sorts 2 before 10."""
    parts = DIGITS.split(name)
    return [(0, int(p), "") if p.isdecimal() else (1, 0, p) for p in parts if p]


def names_in(folder: Path) -> tuple[str, ...]:
    """classes.txt: a name a line, from class 0 on."""
    file = folder / "classes.txt"
    if not file.is_file():
        return ()
    try:
        return tuple(file.read_text(encoding="utf-8").splitlines())
    except UnicodeDecodeError as error:
        raise Refusal(f"eval: '{file}' is not text ({error}); expected a class a line") from error


def samples_in(folder: Path, endings: tuple[str, ...] = ()) -> list[Path]:
    """Images, and files of the endings, in the order of their names."""
    files = [f for f in folder.iterdir() if f.is_file() and not f.name.startswith(".")]
    chosen = [f for f in files if is_image(f) or f.suffix in endings]
    return sorted(chosen, key=lambda f: natural(f.name))


Form = Callable[[Path], Dataset | None]


def read_dataset(folder: str | Path, boxes: bool) -> Dataset:
    """What the folder holds. boxes: the metric compares boxes, else classes."""
    from .boxes import FORMS as BOXES
    from .labels import FORMS as LABELS

    path = Path(folder)
    if not path.is_dir():
        raise Refusal(f"eval: there is no folder '{folder}'; give one of labelled samples")
    for form in BOXES if boxes else LABELS:
        found = form(path)
        if found is None:
            continue
        if not found.items:
            raise Refusal(
                f"eval: '{folder}' ({found.form}) names no sample; at least one is required"
            )
        return found
    expected = (
        "boxes.json, annotations.json (COCO), or images with a .txt each (class cx cy w h)"
        if boxes
        else "labels.csv, or a folder of samples for each class"
    )
    raise Refusal(f"eval: '{folder}' has no {'boxes' if boxes else 'labels'}, expected {expected}")


def within(folder: Path, name: str, said_in: str) -> str:
    """A sample's file, which lies in the folder."""
    file = folder / name
    if not name or not file.is_file():
        raise Refusal(f"eval: {said_in} names '{name}', and there is no such file in '{folder}'")
    return str(file)
