"""A small network of attention, made here, on the simulated SoC against the reference."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import presil
import pytest
from conftest import ROOT

TOKENS, WIDTH, HEADS = 20, 32, 2


@pytest.fixture
def model() -> Any:
    """What tests/reference makes files with."""
    sys.path.insert(0, str(ROOT / "tests" / "reference"))
    from oracle.model import Model

    return Model(np.random.default_rng(4))


def network(m: Any) -> bytes:
    """Two heads: queries and keys by fully connected layers, the tokens themselves as values."""
    x = m.input([1, TOKENS, WIDTH], 0.05, -3)

    def dense(name: str, wide: int, zero: int) -> int:
        values = m.rng.integers(-127, 128, [wide, WIDTH]).astype(np.int8)
        weights = m.tensor([wide, WIDTH], scale=0.01, data=values)
        y = m.tensor([1, TOKENS, wide], scale=0.1, zero=zero)
        m.tensors[y]["name"] = name
        m.op("FULLY_CONNECTED", [x, weights], y, "FullyConnected", activation="None")
        return y

    def heads(t: int) -> int:
        """[1, tokens, width] as [1, heads, tokens, width of a head]."""
        split = m.like(t, [1, TOKENS, HEADS, WIDTH // HEADS])
        m.op("RESHAPE", [t, m.integers(1, TOKENS, HEADS, WIDTH // HEADS)], split)
        turned = m.like(t, [1, HEADS, TOKENS, WIDTH // HEADS])
        m.op("TRANSPOSE", [split, m.integers(0, 2, 1, 3)], turned)
        return turned

    q, k = heads(dense("q", WIDTH, 9)), heads(dense("k", WIDTH, -128))
    scores = m.tensor([1, HEADS, TOKENS, TOKENS], scale=0.8, zero=7)
    m.op("BATCH_MATMUL", [q, k], scores, "BatchMatMul", adj_y=True)
    shares = m.tensor([1, HEADS, TOKENS, TOKENS], scale=1 / 256, zero=-128)
    m.op("SOFTMAX", [scores], shares, "Softmax", beta=0.25)
    y = m.tensor([1, HEADS, TOKENS, WIDTH // HEADS], scale=0.05, zero=1)
    m.op("BATCH_MATMUL", [shares, heads(x)], y, "BatchMatMul", adj_y=False)
    return bytes(m.file())


@pytest.mark.parametrize("soc", ["edge", "micro", "big", "duo"])
@pytest.mark.parametrize("numerics", ["tflite", "xnnpack"])
def test_attention_is_exact_in_every_layer(
    model: Any, tmp_path: Path, numerics: str, soc: str
) -> None:
    path = tmp_path / "attention.tflite"
    path.write_bytes(network(model))
    prog = presil.compile(presil.load(path, numerics), soc=soc)
    x = np.random.default_rng(5).integers(-128, 128, (3, TOKENS, WIDTH)).astype(np.int8)
    run = presil.run(prog, [x], check="layers")
    assert run.exact, run.record["check"]
    engines = {(p["op"], p["engine"]) for p in prog.placement}
    assert ("batch_matmul", "dla") in engines and ("batch_matmul", "host") not in engines
    reasons = {p["reason"] for p in prog.placement if p["op"] == "batch_matmul"}
    assert reasons == {"its second operand becomes weights once it is computed"}


@pytest.mark.usefixtures("simulator_with_rtl")
def test_the_dla_in_rtl_corrects_biases_where_they_lie(model: Any, tmp_path: Path) -> None:
    path = tmp_path / "attention.tflite"
    path.write_bytes(network(model))
    prog = presil.compile(presil.load(path))
    x = np.random.default_rng(6).integers(-128, 128, (1, TOKENS, WIDTH)).astype(np.int8)
    model = presil.run(prog, [x], check="layers")
    rtl = presil.run(prog, [x], check="layers", blocks={"dla": "lockstep"})
    assert rtl.exact, rtl.record["check"]
    assert abs(rtl.cycles / model.cycles - 1) < 0.005
