"""Forms of folders whose samples have a class each: labels.csv, or a folder for each class."""

from __future__ import annotations

import csv
from pathlib import Path

from ..refusal import Refusal
from .arrays import NAMED, array_of
from .dataset import ARRAYS, Dataset, Form, Item, names_in, natural, samples_in, within

CSV = "labels.csv"
NUMBERED = "index"
"""The first column's name where it numbers the samples of the only array file."""
CLASS_COLUMNS = ("class_id", "class", "label")
MOST_CLASSES = 1_000_000


def labels_csv(folder: Path) -> Dataset | None:
    """A header, then a sample a line: its file, or its index in the only array file; its class."""
    file = folder / CSV
    if not file.is_file():
        return None
    try:
        with file.open(newline="", encoding="utf-8") as opened:
            rows = [row for row in csv.reader(opened) if row]
    except (UnicodeDecodeError, csv.Error) as error:
        raise Refusal(f"eval: '{file}' is not a table of text ({error})") from error
    if not rows or len(rows[0]) < 2:
        raise Refusal(
            f"eval: '{file}' has no two columns in its first line, expected a header such as "
            "'file,class' or 'index,class'"
        )
    header = [name.strip().lower() for name in rows[0]]
    column = next((header.index(name) for name in CLASS_COLUMNS if name in header), 1)
    names = list(names_in(folder))
    own = numbers_by_name(rows[1:], column, names)
    array = only_array(folder, len(rows) - 1) if header[0] == NUMBERED else None
    items = []
    for number, row in enumerate(rows[1:], 2):
        where = f"'{file}', line {number},"
        if len(row) != len(header):
            raise Refusal(f"eval: {where} has {len(row)} columns, expected {len(header)}")
        label = class_of(row[column].strip(), own, where)
        if array is None:
            items.append(Item(row[0], within(folder, row[0].strip(), where), None, label))
            continue
        if not row[0].strip().isdecimal():
            raise Refusal(f"eval: {where} has index '{row[0]}', expected the number of a sample")
        items.append(Item(f"{array.name}[{int(row[0])}]", str(array), int(row[0]), label))
    return Dataset(str(folder), CSV, tuple(items), tuple(own) if own else tuple(names))


def numbers_by_name(rows: list[list[str]], column: int, names: list[str]) -> dict[str, int]:
    """Of classes that are written as names: in the order of classes.txt, else of the alphabet."""
    said = [row[column].strip() for row in rows if len(row) > column]
    if all(text.isdecimal() for text in said):
        return {}
    return {name: k for k, name in enumerate(names or sorted(set(said), key=natural))}


def class_of(text: str, names: dict[str, int], where: str) -> int:
    if names:
        if text not in names:
            raise Refusal(f"eval: {where} has class '{text}', which is not in classes.txt")
        return names[text]
    if int(text) > MOST_CLASSES:
        raise Refusal(f"eval: {where} has class {text}, must be at most {MOST_CLASSES}")
    return int(text)


def only_array(folder: Path, samples: int) -> Path:
    """The file that the indices of labels.csv count in: of several the one of as many samples."""
    files = [f for f in samples_in(folder, ARRAYS) if f.suffix in ARRAYS]
    fitting = [f for f in files if len(files) == 1 or samples_of(f) == samples]
    if len(fitting) != 1:
        raise Refusal(
            f"eval: '{folder / CSV}' numbers {samples} samples, and of the {len(files)} array "
            f"files beside it (.npy, .bin) {len(fitting)} hold so many, expected one; or name a "
            "file in each line under a header 'file'"
        )
    return fitting[0]


def samples_of(file: Path) -> int | None:
    """As its header, or its name states."""
    if file.suffix == ".npy":
        return len(array_of(str(file), ""))
    said = NAMED.search(file.stem)
    return int(said[2].partition("x")[0]) if said and said[2] else None


def class_folders(folder: Path) -> Dataset | None:
    """FOLDER/CLASS/sample: classes in the order of classes.txt, else of their names."""
    inside = [f for f in folder.iterdir() if f.is_dir() and not f.name.startswith(".")]
    if not inside:
        return None
    order = list(names_in(folder)) or sorted((f.name for f in inside), key=natural)
    numbered = all(name.isdecimal() for name in order)  # folders 0, 1, 3 are these classes
    numbers = {name: int(name) if numbered else k for k, name in enumerate(order)}
    classes = () if numbered else tuple(order)
    items = []
    for one in sorted(inside, key=lambda f: natural(f.name)):
        if one.name not in numbers:
            raise Refusal(f"eval: folder '{one}' is no class of '{folder / 'classes.txt'}'")
        label = numbers[one.name]
        items += [
            Item(f"{one.name}/{f.name}", str(f), None, label) for f in samples_in(one, ARRAYS)
        ]
    return Dataset(str(folder), "class folders", tuple(items), classes)


FORMS: tuple[Form, ...] = (labels_csv, class_folders)
