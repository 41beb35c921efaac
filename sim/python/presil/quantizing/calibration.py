"""Samples that the ranges of a network's tensors are taken from."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..evaluation.dataset import ARRAYS, Item, samples_in
from ..evaluation.labels import FORMS
from ..evaluation.reader import Reader
from ..fitting import fitted
from ..inputs import UNREADABLE
from ..refusal import Refusal


def calibration_of(
    source: str | Path, reader: Reader, most: int
) -> tuple[np.ndarray, dict[str, Any]]:
    """Up to `most` samples [n, ...] spread over a folder or a .npy file, and what they are."""
    path = Path(source)
    if path.is_dir():
        items = items_of(path)
        chosen = spread(items, most)
        parts = [reader.read(item) for item in chosen]
        samples = np.concatenate(parts)
        told = {"source": str(path), "of": len(items)}
    elif path.suffix == ".npy" and path.is_file():
        try:
            array = np.load(path, allow_pickle=False)
        except UNREADABLE as error:
            raise Refusal(f"quantize: '{path}' is not a .npy file ({error})") from error
        every = fitted(array, reader.tensor, "quantize", f"'{path}'")
        samples = np.stack(spread(list(every), most))
        told = {"source": str(path), "of": len(every)}
    else:
        raise Refusal(
            f"quantize: --calibrate is '{source}', expected a folder of images or arrays, labelled "
            "or not, or a .npy file of samples"
        )
    samples = np.stack(spread(list(samples), most))  # windows are more than samples
    if not np.isfinite(samples).all():
        raise Refusal(f"quantize: '{source}' holds what is no number; no range follows from it")
    return samples, {**told, "samples": len(samples)}


def items_of(folder: Path) -> list[Item]:
    """Those of a labelled folder, else its images and arrays."""
    for form in FORMS:
        found = form(folder)
        if found is not None and found.items:
            return list(found.items)
    inside = folder / "images" if (folder / "images").is_dir() else folder
    items = [Item(file.name, str(file)) for file in samples_in(inside, ARRAYS)]
    if not items:
        raise Refusal(f"quantize: '{folder}' holds no image and no array, at least one is required")
    return items


def spread(items: Sequence[Any], most: int) -> list[Any]:
    """At most so many, evenly over all."""
    if len(items) <= most:
        return list(items)
    return [items[k * len(items) // most] for k in range(most)]
