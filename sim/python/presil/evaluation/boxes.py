"""Forms of folders whose images have boxes: boxes.json, COCO's annotations.json, YOLO's .txt."""

from __future__ import annotations

import json
import math
import struct
from pathlib import Path
from typing import Any

from ..inputs import UNREADABLE
from ..refusal import Refusal
from .dataset import Box, Dataset, Form, Item, names_in, samples_in, within

BOXES, COCO = "boxes.json", "annotations.json"


def boxes_json(folder: Path) -> Dataset | None:
    """{"image.png": [{"class": 3, "box": [x0, y0, x1, y1]}, ...], ...}"""
    file = folder / BOXES
    if not file.is_file():
        return None
    said = parsed(file)
    if not isinstance(said, dict):
        raise Refusal(f"eval: '{file}' holds no mapping, expected image names with their boxes")
    items = []
    for name, rows in said.items():
        where = f"'{file}', '{name}',"
        image = within(folder, name, f"'{file}'")
        try:
            found = tuple(box_of(row["box"], row["class"], where) for row in rows)
        except (TypeError, KeyError) as error:
            raise Refusal(
                f'eval: {where} is not a list of {{"class": number, "box": [x0, y0, x1, y1]}}'
            ) from error
        items.append(Item(name, image, None, None, found))
    return Dataset(str(folder), BOXES, tuple(items), names_in(folder))


def coco_json(folder: Path) -> Dataset | None:
    """COCO's form: images, annotations (bbox: x, y, width, height), categories. Classes count the
    categories in the order of their ids."""
    file = folder / COCO
    if not file.is_file():
        return None
    said = parsed(file)
    try:
        kinds = sorted(said["categories"], key=lambda row: int(row["id"]))
        number = {int(row["id"]): k for k, row in enumerate(kinds)}
        names = {int(row["id"]): str(row["file_name"]) for row in said["images"]}
        found: dict[int, list[Box]] = {image: [] for image in names}
        for row in said["annotations"]:
            x, y, width, height = row["bbox"]
            place = f"'{file}', annotation {row.get('id', '?')},"
            box = box_of((x, y, x + width, y + height), number[int(row["category_id"])], place)
            found[int(row["image_id"])].append(box)
        classes = tuple(str(row["name"]) for row in kinds)
    except (TypeError, KeyError, ValueError) as error:
        raise Refusal(
            f"eval: '{file}' is not in COCO's form ({type(error).__name__}: {error}), expected "
            "images, annotations and categories as instances_val2017.json has them"
        ) from error
    inside = folder / "images" if (folder / "images").is_dir() else folder
    items = [
        Item(name, within(inside, name, f"'{file}'"), None, None, tuple(found[image]))
        for image, name in names.items()
    ]
    return Dataset(str(folder), COCO, tuple(items), classes)


def yolo_txt(folder: Path) -> Dataset | None:
    """A .txt beside each image, or in labels/ where images are in images/: `class cx cy w h` a
    line, relative to the image. An image without one has no box."""
    split = (folder / "images").is_dir() and (folder / "labels").is_dir()
    images, labels = (folder / "images", folder / "labels") if split else (folder, folder)
    files = samples_in(images)
    pairs = [(f, labels / f"{f.stem}.txt") for f in files]
    if not any(said.is_file() for _, said in pairs):
        return None
    items = [
        Item(f.name, str(f), None, None, relative(f, said) if said.is_file() else ())
        for f, said in pairs
    ]
    return Dataset(str(folder), "YOLO .txt", tuple(items), names_in(folder))


def relative(image: Path, file: Path) -> tuple[Box, ...]:
    width, height = size_of(image)
    found = []
    for number, line in enumerate(file.read_text(errors="replace").splitlines(), 1):
        words = line.split()
        if not words:
            continue
        where = f"'{file}', line {number},"
        try:
            kind, (cx, cy, w, h) = int(words[0]), map(float, words[1:])
        except ValueError as error:
            raise Refusal(f"eval: {where} is '{line}', expected class cx cy w h") from error
        corners = (
            (cx - w / 2) * width,
            (cy - h / 2) * height,
            (cx + w / 2) * width,
            (cy + h / 2) * height,
        )
        found.append(box_of(corners, kind, where))
    return tuple(found)


def size_of(image: str | Path) -> tuple[int, int]:
    """Width and height in pixels."""
    from PIL import Image

    try:
        with Image.open(image) as opened:
            return opened.size
    except (*UNREADABLE, struct.error, Image.DecompressionBombError) as error:
        raise Refusal(f"eval: '{image}' is not an image that can be read ({error})") from error


def box_of(corners: Any, kind: Any, where: str) -> Box:
    numbers = [float(v) for v in corners]
    if len(numbers) != 4 or not all(map(math.isfinite, numbers)):
        raise Refusal(f"eval: {where} has box {list(corners)}, expected four numbers")
    if isinstance(kind, bool) or not isinstance(kind, int) or kind < 0:
        raise Refusal(f"eval: {where} has class {kind!r}, expected a class number, 0 or more")
    return (numbers[0], numbers[1], numbers[2], numbers[3], kind)


def parsed(file: Path) -> Any:
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        raise Refusal(f"eval: '{file}' cannot be read as JSON ({error})") from error


FORMS: tuple[Form, ...] = (boxes_json, coco_json, yolo_txt)
