"""Detections of one scene, as text for the terminal and as an image."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np

from .atomic import write_file, writing

PALETTE = "#e6194b #3cb44b #4363d8 #f58231 #911eb4 #42d4f4 #f032e6 #bfef45 #ffe119 #fabed4".split()
SHADES = " .:-=+*#%@"


def as_text(pixels: np.ndarray, detections: np.ndarray, classes: list[str], width: int = 64) -> str:
    """pixels: [h, w, 3]; detections: rows x0, y0, x1, y1, score, class. A character is about twice
    as high as wide, so rows are sampled half as often."""
    h, w = pixels.shape[:2]
    rows = max(1, round(width * h / w / 2))
    grey = pixels.mean(axis=2)
    ys = np.minimum((np.arange(rows) + 0.5) * h / rows, h - 1).astype(int)
    xs = np.minimum((np.arange(width) + 0.5) * w / width, w - 1).astype(int)
    sampled = grey[np.ix_(ys, xs)]
    canvas = [[SHADES[int(v) * len(SHADES) // 256] for v in line] for line in sampled]
    for x0, y0, x1, y1, _, cls in detections:
        left, right = (int(np.clip(x * width / w, 0, width - 1)) for x in (x0, x1))
        top, bottom = (int(np.clip(y * rows / h, 0, rows - 1)) for y in (y0, y1))
        for x in range(left, right + 1):
            canvas[top][x] = canvas[bottom][x] = "─"
        for y in range(top, bottom + 1):
            canvas[y][left] = canvas[y][right] = "│"
        for (y, x), corner in zip(
            ((top, left), (top, right), (bottom, left), (bottom, right)), "┌┐└┘"
        ):
            canvas[y][x] = corner
        for i, letter in enumerate(classes[int(cls)][: max(0, right - left - 1)]):
            canvas[top][left + 1 + i] = letter
    return "\n".join("".join(line) for line in canvas)


def as_png(
    pixels: np.ndarray, detections: np.ndarray, classes: list[str], file: Path, zoom: int = 5
) -> Path:
    """Draws boxes with class and score on the enlarged scene."""
    from PIL import Image, ImageDraw

    image = Image.fromarray(pixels.astype(np.uint8)).resize(
        (pixels.shape[1] * zoom, pixels.shape[0] * zoom), Image.Resampling.NEAREST
    )
    pen = ImageDraw.Draw(image)
    for x0, y0, x1, y1, score, cls in detections:
        colour = PALETTE[int(cls) % len(PALETTE)]
        box = [float(v) * zoom for v in (x0, y0, x1, y1)]
        pen.rectangle(box, outline=colour, width=2)
        label = f"{classes[int(cls)]} {score:.2f}"
        corner = (max(0.0, box[0]), max(0.0, box[1] - 12))
        pen.rectangle(pen.textbbox(corner, label), fill="black")
        pen.text(corner, label, fill=colour)
    data = io.BytesIO()
    image.save(data, "PNG")
    with writing(file):
        file.parent.mkdir(parents=True, exist_ok=True)
    return write_file(file, data.getbuffer())
