"""LSTMs: int8 with a state of int16."""

from __future__ import annotations

import numpy as np

from .model import Model


def lstm(m: Model) -> None:
    r = m.rng
    batch, steps, n, units = m.number(1, 3), m.number(1, 6), m.number(1, 16), m.number(1, 16)
    major = m.chance(0.5)
    outer = [steps, batch] if major else [batch, steps]
    x_scale, h_scale = (m.between(2**-8, 2**-4) for _ in range(2))
    h_zero = m.zero()
    inputs = [-1] * 24
    inputs[0] = m.input([*outer, n], x_scale)
    for i in range(1, 9):
        values = r.integers(-127, 128, [units, n if i < 5 else units]).astype(np.int8)
        inputs[i] = m.constant(values, m.between(2**-9, 2**-5))
    for i in range(12, 16):
        inputs[i] = m.constant(r.integers(-30000, 30000, units).astype(np.int32), 1.0)
    inputs[18] = m.tensor([batch, units], "Int8", h_scale, h_zero)
    inputs[19] = m.tensor([batch, units], "Int16", float(2.0 ** r.integers(-15, -8)))
    for i in (18, 19):
        m.tensors[inputs[i]]["is_variable"] = True
    y = m.tensor([*outer, units], "Int8", h_scale, h_zero)
    clip = float(np.float32(r.uniform(0.2, 4))) if m.chance(0.5) else 0.0
    m.op(
        "UNIDIRECTIONAL_SEQUENCE_LSTM", inputs, y, "Lstm",
        activation="Tanh", cell_clip=clip, time_major=major,
    )  # fmt: skip
