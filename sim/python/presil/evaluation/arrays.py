"""Array files: .npy, and raw ones whose names say what they hold."""

from __future__ import annotations

import math
import re
from functools import lru_cache
from pathlib import Path

import numpy as np

from ..inputs import UNREADABLE
from ..refusal import Refusal

NAMED = re.compile(r"(?:^|_)([iuf](?:8|16|32|64))(?:_(\d+(?:x\d+)*))?$")
"""The end of a raw file's name: `images_u8_100x32x32x3.bin`, type and shape."""
LETTERS = {"i": "int", "u": "uint", "f": "float"}


@lru_cache(maxsize=2)
def array_of(file: str, dtype: str) -> np.ndarray:
    """All values of an array file, in the shape that it or its name states, else as one row."""
    path = Path(file)
    try:
        if path.suffix == ".npy":
            return np.asarray(np.load(path, allow_pickle=False, mmap_mode="r"))
        data = path.read_bytes()
    except UNREADABLE as error:
        raise Refusal(f"eval: '{file}' cannot be read as an array ({error})") from error
    said = NAMED.search(path.stem)
    shape = [-1]
    if said:
        dtype = LETTERS[said[1][0]] + said[1][1:]
        shape = [int(n) for n in said[2].split("x")] if said[2] else shape
    size = np.dtype(dtype).itemsize
    values = len(data) // size
    if not data or len(data) % size or (shape != [-1] and math.prod(shape) != values):
        expected = f"{dtype}{shape}" if shape != [-1] else f"whole values of {dtype}"
        raise Refusal(f"eval: '{file}' has {len(data)} bytes, expected {expected}; see --dtype")
    return np.frombuffer(data, dtype).reshape(shape)
