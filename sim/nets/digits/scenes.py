# SPDX-License-Identifier: Apache-2.0
"""Scenes of handwritten digits: 96x96 RGB images with a tight box around every digit.

The digits are scikit-learn's `load_digits` (8x8, 1797 of them). A fixed permutation splits them
into 1397 for training and 400 held out, so no held-out scene shows a digit image that training saw.
Scene `k` of a split depends on (seed, split, k) alone.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFilter
from sklearn.datasets import load_digits

SIDE = 96
SPLITS = {"train": 0, "held_out": 1}
HELD_OUT_DIGITS = 400
SPLIT_SEED = 11

Array = NDArray[np.float32]
Pixels = NDArray[np.uint8]


@dataclass(frozen=True)
class Digits:
    images: Pixels  # [n, 8, 8], ink 0..255
    labels: NDArray[np.int64]


def digits_of(split: str) -> Digits:
    data = load_digits()
    order = np.random.default_rng(SPLIT_SEED).permutation(len(data.target))
    chosen = order[:HELD_OUT_DIGITS] if split == "held_out" else order[HELD_OUT_DIGITS:]
    ink = np.minimum(data.images[chosen] * 16.0, 255.0).astype(np.uint8)
    return Digits(ink, data.target[chosen])


def _colour(rng: np.random.Generator) -> tuple[int, int, int]:
    r, g, b = (int(v) for v in rng.integers(0, 256, 3))
    return r, g, b


def background(rng: np.random.Generator) -> Image.Image:
    """A slanted gradient between two colours, with shapes and strokes that are not digits."""
    rows, columns = np.mgrid[0:SIDE, 0:SIDE] / (SIDE - 1.0)
    angle = rng.uniform(0, 2 * math.pi)
    slope = (columns - 0.5) * math.cos(angle) + (rows - 0.5) * math.sin(angle) + 0.5
    first, second = rng.uniform(0, 255, 3), rng.uniform(0, 255, 3)
    second = first + rng.uniform(0.1, 0.6) * (second - first)
    gradient = first + slope[..., None] * (second - first)
    image = Image.fromarray(gradient.clip(0, 255).astype(np.uint8))
    draw = ImageDraw.Draw(image, "RGBA")
    for _ in range(rng.integers(0, 7)):
        x, y = rng.uniform(-10, SIDE, 2)
        w, h = rng.uniform(8, 60, 2)
        fill = (*_colour(rng), int(rng.integers(25, 130)))
        shape = rng.integers(0, 4)
        if shape == 0:
            draw.rectangle((x, y, x + w, y + h), fill=fill)
        elif shape == 1:
            draw.ellipse((x, y, x + w, y + h), fill=fill)
        elif shape == 2:
            draw.line((x, y, x + w - 30, y + h - 20), fill=fill, width=int(rng.integers(1, 5)))
        else:
            points = [tuple(p) for p in rng.uniform(-10, SIDE + 10, (3, 2)).tolist()]
            draw.polygon(points, fill=fill)
    return image.filter(ImageFilter.GaussianBlur(rng.uniform(0.2, 1.5)))


def _ink(image: Pixels, rng: np.random.Generator) -> tuple[Array, tuple[int, int, int, int]]:
    """One digit enlarged, tilted and blurred: its coverage 0..1 and the tight box of its ink."""
    side = round(8 * rng.uniform(2.0, 5.0))
    # one source pixel of empty margin, so that the enlarged strokes keep soft edges
    canvas = Image.fromarray(np.pad(image, 1))
    canvas = canvas.resize((side * 10 // 8,) * 2, Image.Resampling.BICUBIC)
    canvas = canvas.rotate(rng.uniform(-12, 12), Image.Resampling.BICUBIC)
    canvas = canvas.filter(ImageFilter.GaussianBlur(rng.uniform(0.0, 0.03) * side))
    ink = np.asarray(canvas, np.float32)
    ink = ink / max(ink.max(), 1.0)
    solid = ink > 0.35
    rows, columns = np.flatnonzero(solid.any(1)), np.flatnonzero(solid.any(0))
    return ink, (columns[0], rows[0], columns[-1] + 1, rows[-1] + 1)


def _apart(box: Array, others: list[Array]) -> bool:
    """True if at most a tenth of the smaller box is covered by any box already placed."""
    for other in others:
        low, high = np.maximum(box[:2], other[:2]), np.minimum(box[2:4], other[2:4])
        shared = np.prod(np.maximum(high - low, 0))
        smaller = min(np.prod(b[2:4] - b[:2]) for b in (box, other))
        if shared > 0.1 * smaller:
            return False
    return True


def scene(digits: Digits, seed: int, split: str, index: int) -> tuple[Pixels, Array]:
    """Returns the image [96, 96, 3] and its boxes [n, 5]: x0, y0, x1, y1 in pixels, class."""
    rng = np.random.default_rng([seed, SPLITS[split], index])
    pixels = np.asarray(background(rng), np.float32).copy()
    placed: list[Array] = []
    count = int(rng.integers(1, 6))
    for _ in range(4 * count):
        if len(placed) == count:
            break
        which = int(rng.integers(len(digits.labels)))
        ink, (x0, y0, x1, y1) = _ink(digits.images[which], rng)
        left = int(rng.integers(-x0, SIDE - x1 + 1))
        top = int(rng.integers(-y0, SIDE - y1 + 1))
        box = np.array([left + x0, top + y0, left + x1, top + y1, digits.labels[which]], np.float32)
        if not _apart(box, placed):
            continue
        y, x = slice(max(top, 0), top + len(ink)), slice(max(left, 0), left + len(ink))
        under = pixels[y, x]
        cover = ink[max(-top, 0) :, max(-left, 0) :][: len(under), : under.shape[1], None]
        around = under.mean((0, 1))
        colour = rng.uniform(0, 255, 3)
        while abs((colour - around) @ (0.299, 0.587, 0.114)) < 60:  # readable, by luminance
            colour = rng.uniform(0, 255, 3)
        pixels[y, x] = under + cover * rng.uniform(0.8, 1.0) * (colour - under)
        placed.append(box)
    pixels += rng.normal(0, rng.uniform(0, 12), pixels.shape)
    return pixels.round().clip(0, 255).astype(np.uint8), np.stack(placed)


def scenes(count: int, seed: int, split: str) -> tuple[Pixels, list[Array]]:
    digits = digits_of(split)
    made = [scene(digits, seed, split, k) for k in range(count)]
    return np.stack([image for image, _ in made]), [boxes for _, boxes in made]
