"""validate.html: tensors beside another runtime's, with an image of the first that differs."""

from __future__ import annotations

import base64
import io
from pathlib import Path
from typing import Any

import numpy as np

from .page import template

HERE = Path(__file__).parent


def validate_page(
    record: dict[str, Any], word: str, sentence: str, plane: np.ndarray | None
) -> str:
    """plane: differences of the first tensor that differs, [rows, columns]."""
    row = next((t for t in record["tensors"] if not t["within"]), None)
    shown: dict[str, Any] = {"row": None}
    if row is not None and plane is not None:
        image = len(row["shape"]) == 4
        where = (
            "The first image, of each pixel the channel that differs most"
            if image
            else "Rows of the last axis"
        )
        largest = f"{plane.max():.3g}"
        shown = {"row": row, "where": where, "largest": largest, "drawn": png_of(plane)}
    return template(
        "validate.html", n=lambda v: f"{v:,}", g=lambda v: v if isinstance(v, str) else f"{v:.3g}"
    ).render(
        r=record,
        css=(HERE / "report.css").read_text(encoding="utf-8"),
        word=word,
        sentence=sentence,
        **shown,
    )


def png_of(plane: np.ndarray) -> str:
    """As a PNG in a data URL: white where nothing differs, to black over the accent's blue."""
    from PIL import Image

    share = plane / (plane.max() or 1.0)
    dark = 255 * (1 - 0.15 * (plane > 0) - 0.85 * share)
    blue = 255 * (1 - 0.6 * share)
    pixels = np.stack([dark, dark, np.maximum(dark, blue * (plane > 0))], -1).clip(0, 255)
    data = io.BytesIO()
    Image.fromarray(pixels.astype(np.uint8)).save(data, "PNG")
    return "data:image/png;base64," + base64.b64encode(data.getvalue()).decode()
