"""quantize.html: signal to noise by layer, which layer hurts most, before and after."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .page import template

HERE = Path(__file__).parent
FULL = 60.0
"""Decibels of a whole bar."""
PIXELS = 260


def quantize_page(record: dict[str, Any]) -> str:
    from ..cli_quantize import sentences

    alone = [row for row in record["layers"] if row["alone_decibels"] is not None]
    return template(
        "quantize.html",
        n=lambda v: f"{v:,}",
        db=lambda v: "–" if v is None else f"{v:.1f}",
        bar=lambda v: 0 if v is None else round(PIXELS * min(max(v, 0.0), FULL) / FULL),
    ).render(
        r=record,
        css=(HERE / "report.css").read_text(encoding="utf-8"),
        sentences=sentences(record),
        worst=sorted(alone, key=lambda row: row["alone_decibels"])[:10],
    )
