"""Channels of networks that are made wider or narrower."""

from __future__ import annotations


def divisible(channels: float, by: int = 8) -> int:
    """The nearest multiple of 8, not under 90 % of it (M. Sandler et al., MobileNetV2, 2018)."""
    nearest = max(by, int(channels + by / 2) // by * by)
    return nearest + by if nearest < 0.9 * channels else nearest
