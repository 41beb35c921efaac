"""Operators that move blocks of pixels between space, channels and batch."""

from __future__ import annotations

import numpy as np

from .model import Model


def space_and_depth(m: Model, code: str) -> None:
    block = m.number(1, 4)
    n, h, w, c = m.number(1, 2), m.number(1, 5), m.number(1, 5), m.number(1, 6)
    wide, deep = [n, h * block, w * block, c], [n, h, w, c * block * block]
    x, y = (wide, deep) if code == "SPACE_TO_DEPTH" else (deep, wide)
    made = m.moved(x)
    options = "SpaceToDepth" if code == "SPACE_TO_DEPTH" else "DepthToSpace"
    m.op(code, [made], m.like(made, y), options, block_size=block)


def space_and_batch(m: Model, code: str) -> None:
    """Blocks of one or two axes, padded or cut off."""
    axes = m.pick([1, 2, 2])
    block = [m.number(1, 3) for _ in range(axes)]
    parts = [m.number(1, 5) for _ in range(axes)]
    n, c = m.number(1, 2), m.number(1, 6)
    batch = [n * int(np.prod(block)), *parts, c]
    pairs, space = [], [n]
    for b, p in zip(block, parts):
        room = b * p - 1
        before = m.number(0, min(3, room))
        after = m.number(0, min(3, room - before))
        pairs.append([before, after])
        space.append(b * p - before - after)
    space.append(c)
    x, y = (space, batch) if code == "SPACE_TO_BATCH_ND" else (batch, space)
    made = m.moved(x)
    m.op(code, [made, m.integers(*block), m.constant(np.array(pairs, np.int32))], m.like(made, y))
