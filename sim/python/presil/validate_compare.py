"""How far a tensor is from what another runtime computes: counts, distribution, a map."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

STEPS = 8
"""Differences of integers that the distribution tells apart; larger ones are together."""
DECADES = tuple(range(-8, 1))
"""Powers of ten of a float's difference over the largest value of its tensor."""
MAP_SIDE = 256


def aligned(got: np.ndarray, expected: np.ndarray, images: bool = False) -> np.ndarray | str:
    """What was expected in the tensor's shape and type, or why there is no comparing. images: it
    is an inner tensor of a file whose images are N, C, H, W; inside the graph they are N, H, W, C.
    """
    if got.size != expected.size:
        return f"has {expected.size} values there, {got.size} here"
    channels_last = np.moveaxis(expected, 1, -1) if images and expected.ndim == 4 else expected
    if channels_last.shape == got.shape and channels_last.shape != expected.shape:
        expected = channels_last
    elif channels_last is not expected and expected.shape[1:] == (expected.shape[1],) * 3:
        return f"has shape {list(expected.shape)}, which says nothing of the order of its axes"
    if [n for n in got.shape if n != 1] != [n for n in expected.shape if n != 1]:
        return f"has shape {list(expected.shape)} there, {list(got.shape)} here"
    expected = expected.reshape(got.shape)
    if expected.dtype == got.dtype:
        return expected
    if got.dtype == np.int8 and expected.dtype == np.uint8:
        return (expected.astype(np.int16) - 128).astype(np.int8)  # the same numbers, 128 less
    if got.dtype.kind == expected.dtype.kind == "f":
        return expected.astype(got.dtype)
    return f"is {expected.dtype} there, {got.dtype} here"


def difference_of(got: np.ndarray, expected: np.ndarray) -> np.ndarray:
    """In steps of integers; of floats as a share of the largest value that was expected. What is no
    number in one alone differs by infinity."""
    if got.dtype.kind != "f":
        return got.astype(np.int64) - expected.astype(np.int64)
    finite = np.abs(expected[np.isfinite(expected)])
    largest = float(finite.max()) if finite.size else 0.0
    with np.errstate(invalid="ignore"):
        away = (got.astype(np.float64) - expected.astype(np.float64)) / (largest or 1.0)
    same = (got == expected) | (np.isnan(got) & np.isnan(expected))
    away = np.where(same, 0.0, away)
    return np.where(np.isnan(away), np.inf, away)


def distribution(away: np.ndarray) -> list[tuple[str, int]]:
    """How many values differ by how much."""
    if away.dtype.kind != "f":
        cut = np.clip(away, -STEPS, STEPS)
        edge = {-STEPS: f"<= -{STEPS}", STEPS: f">= {STEPS}"}
        steps, counts = np.unique(cut, return_counts=True)
        return [
            (edge.get(int(s), f"{int(s):+d}" if s else "0"), int(n)) for s, n in zip(steps, counts)
        ]
    size = np.abs(away)
    found = [("0", int(np.count_nonzero(size == 0)))]
    low = 0.0
    for decade in DECADES:
        high = 10.0**decade
        found.append((f"<= 1e{decade}", int(np.count_nonzero((size > low) & (size <= high)))))
        low = high
    found.append(("> 1", int(np.count_nonzero(size > low))))
    return [(name, count) for name, count in found if count]


def compared(got: np.ndarray, expected: np.ndarray, steps: int, share: float) -> dict[str, Any]:
    """The record of a tensor. steps, share: what integers and floats may be away."""
    away = difference_of(got, expected)
    size = np.abs(away)
    limit = share if got.dtype.kind == "f" else steps
    largest = size.max() if size.size else 0
    finite = size[np.isfinite(size)].astype(np.float64)
    record: dict[str, Any] = {
        "dtype": got.dtype.name,
        "shape": list(got.shape),
        "elements": int(got.size),
        "different": int(np.count_nonzero(size)),
        "largest": number(largest),
        "mean": float(finite.mean()) if finite.size else 0.0,
        "rms": float(np.sqrt((finite**2).mean())) if finite.size else 0.0,
        "within": bool(largest <= limit),
        "distribution": distribution(away),
        "first": None,
    }
    beyond = size > limit
    if beyond.any():
        at = np.unravel_index(int(np.argmax(beyond)), got.shape)
        record["first"] = {
            "index": [int(i) for i in at],
            "got": number(got[at]),
            "expected": number(expected[at]),
        }
    return record


def number(value: Any) -> Any:
    """As JSON has it: what is no number is told in words."""
    found = value.item() if hasattr(value, "item") else value
    return found if not isinstance(found, float) or math.isfinite(found) else str(found)


def map_of(got: np.ndarray, expected: np.ndarray) -> np.ndarray:
    """Where it differs, [rows, columns]: of the first image the largest difference over channels;
    of other shapes the last axis as columns. What is too large for a image: the largest of some
    pixels in the place of these."""
    size = np.abs(difference_of(got, expected)).astype(np.float64)
    size[~np.isfinite(size)] = size[np.isfinite(size)].max(initial=1.0)
    if size.ndim == 4:
        plane = size[0].max(axis=-1)
    else:
        plane = size.reshape(-1, size.shape[-1] if size.ndim else 1)
    for axis in (0, 1):
        block = -(-plane.shape[axis] // MAP_SIDE)
        plane = np.maximum.reduceat(plane, np.arange(0, plane.shape[axis], block), axis=axis)
    return plane
