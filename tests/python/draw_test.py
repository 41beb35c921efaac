"""Detections as text and as an image."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PIL import Image
from presil.draw import PALETTE, as_png, as_text

CLASSES = ["zero", "one", "two"]


def boxes(*rows: tuple[float, ...]) -> np.ndarray:
    return np.array(rows, np.float32).reshape(-1, 6)


def test_text_is_half_as_high_as_wide_and_shows_brightness() -> None:
    pixels = np.zeros((96, 96, 3), np.uint8)
    pixels[48:] = 255
    lines = as_text(pixels, boxes(), CLASSES, width=64).split("\n")
    assert len(lines) == 32 and {len(line) for line in lines} == {64}
    assert set("".join(lines[:16])) == {" "} and set("".join(lines[16:])) == {"@"}


def test_a_box_has_corners_edges_and_its_class() -> None:
    # 32 x 32 pixels, a character each 1 x 2: x 4..20, rows 4..12
    drawn = as_text(np.zeros((32, 32, 3)), boxes((4, 8, 20, 24, 0.9, 2)), CLASSES, 32).split("\n")
    assert drawn[4][4:21] == "┌two" + "─" * 12 + "┐"
    assert drawn[12][4:21] == "└" + "─" * 15 + "┘"
    assert all(drawn[y][4] == drawn[y][20] == "│" for y in range(5, 12))
    assert set(drawn[8][5:20]) == {" "}
    assert set(drawn[3]) == set(drawn[13]) == {" "}


def test_boxes_beyond_the_image_are_cut_at_its_edge() -> None:
    box = boxes((-50, -50, 500, 500, 0.9, 0))
    drawn = as_text(np.zeros((32, 32, 3)), box, CLASSES, 32).split("\n")
    assert len(drawn) == 16 and {len(line) for line in drawn} == {32}
    assert drawn[0] == "┌zero" + "─" * 26 + "┐" and drawn[-1] == "└" + "─" * 30 + "┘"


def test_a_narrow_box_shows_as_much_of_its_class_as_fits() -> None:
    drawn = as_text(np.zeros((32, 32, 3)), boxes((4, 8, 7, 24, 0.9, 0)), CLASSES, 32).split("\n")
    assert drawn[4][4:8] == "┌ze┐"


def test_the_image_is_enlarged_and_the_box_has_its_class_s_colour(tmp_path: Path) -> None:
    pixels = np.full((20, 30, 3), 9, np.uint8)
    file = as_png(pixels, boxes((5, 8, 25, 18, 0.5, 1)), CLASSES, tmp_path / "a" / "b.png", zoom=4)
    with Image.open(file) as opened:
        drawn = np.asarray(opened.convert("RGB"))
    assert drawn.shape == (80, 120, 3)
    colour = [int(PALETTE[1][i : i + 2], 16) for i in (1, 3, 5)]
    assert drawn[60, 20].tolist() == colour  # the left edge, x = 5 * 4
    assert drawn[72, 60].tolist() == colour  # the lower edge, y = 18 * 4
    assert drawn[60, 60].tolist() == [9, 9, 9]
