"""An input of no axes: its samples are a vector."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import presil as package
import pytest
from presil.fitting import fitted
from presil.inputs import read_array
from presil.refusal import Refusal

SCALAR = {"name": "x", "shape": [], "dtype": "int8", "scales": [], "zero_points": []}


@pytest.mark.parametrize(("given", "expected"), [(7, [7]), ([7], [7]), ([7, 8, 9], [7, 8, 9])])
def test_samples_of_a_scalar_are_a_vector(tmp_path: Path, given: Any, expected: list[int]) -> None:
    array = np.asarray(given, np.int8)
    assert fitted(array, SCALAR, "input", "the array").tolist() == expected
    np.save(tmp_path / "x.npy", array)
    assert read_array(tmp_path / "x.npy", SCALAR, "input").tolist() == expected
    (tmp_path / "x.bin").write_bytes(array.tobytes())
    assert read_array(tmp_path / "x.bin", SCALAR, "input").tolist() == expected
    with pytest.raises(Refusal, match=r"has shape \[1, 1\], expected \[\] for 'x'"):
        fitted(np.zeros((1, 1), np.int8), SCALAR, "input", "the array")


def test_a_network_of_a_scalar_runs() -> None:
    b = package.Builder("scalar", numerics="tflite")
    s = b.input("s", (), scale=0.5)
    x = b.input("x", (1, 3), scale=0.5)
    b.output(b.maximum(x, s, name="y"))
    x_values = np.array([[-9, 2, 90], [1, 2, 3]], np.int8)
    run = package.run(b.build(), {"s": np.array([5, -7], np.int8), "x": x_values}, "layers")
    assert run.exact and run.outputs["y"].tolist() == [[5, 5, 90], [1, 2, 3]]
    assert package.run(b.build(), seed=1).exact
    one = package.run(b.build(), {"s": 5, "x": x_values[:1]})
    assert one.outputs["y"].tolist() == [[5, 5, 90]]
