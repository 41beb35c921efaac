"""Inputs of a network of a family: seeded, over the whole range of integers, normal of floats."""

from __future__ import annotations

import numpy as np
import presil


def inputs_of(net: presil.Network) -> dict[str, np.ndarray]:
    random = np.random.default_rng(3)
    made = {}
    for x in net.inputs:
        dtype = np.dtype(x["dtype"])
        if dtype.kind == "f":
            made[x["name"]] = random.normal(size=x["shape"]).astype(dtype)
        else:
            low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
            made[x["name"]] = random.integers(low, high, x["shape"], dtype, endpoint=True)
    return made
