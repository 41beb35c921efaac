"""Random networks of many operators (oracle/networks.py) in the interpreter, on the SoC and in the
runtimes: integers in every byte, floats near them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import presil
import pytest
from oracle.networks import KINDS, network
from oracle.runtimes import Absent, Runtimes

FEW, MANY = 2, 20
#: Float32 and dynamic range: their runtimes add in orders of their own, and a value that moves over
#: a half is another step of what is quantised next.
NEAR = {"Float32": 1e-4, "Dynamic": 2e-2}
#: LiteRT's tables of a softmax of int16 (sim/python/presil/deviations.py), and what follows.
STEPS = {"Int16": 2}


@pytest.fixture(scope="module")
def runtimes() -> Iterator[Runtimes | None]:
    try:
        made = Runtimes()
    except Absent:
        yield None
        return
    yield made
    made.close()


def compared(kind: str, seed: int, rules: str, runtimes: Runtimes | None, folder: Path) -> bool:
    """False: the runtime does not take the network, or there is none."""
    made = network(kind, seed)
    file, values = folder / "net.tflite", made.m.values()
    file.write_bytes(made.m.file())
    where = f"{kind} {seed} {rules} {made.parts}"
    program = presil.compile(presil.load(file, rules))
    assert program.check_memory()["wrong"] is None, where
    run = presil.run(program, values, check="layers")
    assert run.exact, where
    if runtimes is None:
        return False
    expected = runtimes(rules, file.read_bytes(), values)
    if isinstance(expected, str):
        return False
    got = next(iter(run.outputs.values())).astype(np.float64).reshape(-1)
    theirs = expected[0].astype(np.float64).reshape(-1)
    near = NEAR.get(kind, 0) * float(np.abs(theirs).max()) + STEPS.get(kind, 0) * (
        rules != "tflite"
    )
    assert np.abs(got - theirs).max() <= near, where
    return True


@pytest.mark.parametrize("kind", KINDS)
def test_random_networks_are_exact(
    kind: str, runtimes: Runtimes | None, tmp_path: Path, everything: bool
) -> None:
    rules = ["tflite", "xnnpack"] if kind in ("Int8", "Int16") else ["xnnpack"]
    count = MANY if everything else FEW
    done = [compared(kind, seed, one, runtimes, tmp_path) for one in rules for seed in range(count)]
    if runtimes is None:
        pytest.skip("SKIPPED: compared with the SoC only: no tflite-micro and ai-edge-litert")
    assert all(done)


def test_a_network_of_a_seed_is_the_same_again() -> None:
    first, again, other = (network("Int8", seed) for seed in (3, 3, 4))
    assert first.m.file() == again.m.file() != other.m.file()
    assert all(
        np.array_equal(a, b) for a, b in zip(first.m.values(), again.m.values(), strict=True)
    )


def test_layers_with_the_same_constants_share_them(tmp_path: Path) -> None:
    """Two shuffles of as many channels: the weights of one are those of the other."""
    compared("Int8", 5008, "tflite", None, tmp_path)


def test_halves_of_a_residual_block_are_made(tmp_path: Path) -> None:
    """One of its convolutions reads what the other makes, of which slices read halves."""
    compared("Int8", 9023, "tflite", None, tmp_path)
