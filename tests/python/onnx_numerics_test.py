"""Numerics onnx: what the standard's own evaluator computes, on every engine."""

from __future__ import annotations

import subprocess
from collections import Counter
from pathlib import Path

import numpy as np
import presil
import pytest
from presil.validate_source import runtime_python

WORKER = Path(__file__).with_name("onnx_standard_worker.py")
FEW, ALL = 84, 840
"""Cases, 28 operators in turn; ALL with `sim/presil test --all`."""
BYTES = presil.Type("int8", 0.05, 3)


def cases_in(folder: Path, end: int) -> None:
    try:
        python = runtime_python()
    except presil.Refusal:
        pytest.skip("SKIPPED: no environment with onnx and onnxruntime (PRESIL_RUNTIMES)")
    command = [str(python), str(WORKER), "0", str(end), str(folder)]
    done = subprocess.run(command, capture_output=True, text=True)
    if "ModuleNotFoundError" in done.stderr:
        pytest.skip("SKIPPED: PRESIL_RUNTIMES has no onnx and onnxruntime")
    assert done.returncode == 0, done.stderr[-2000:]


def test_single_operators_equal_the_standards_evaluator(tmp_path: Path, everything: bool) -> None:
    end = ALL if everything else FEW
    cases_in(tmp_path, end)
    values, beside, off = Counter[str](), Counter[str](), Counter[str]()
    furthest = 0
    for k in range(end):
        with np.load(tmp_path / f"{k}.npz") as case:
            name, x = str(case["name"]), case["x"]
            expected, runtime = case["reference"], case["runtime"]
        (got,) = presil.reference(tmp_path / f"{k}.onnx", x).values()
        away = got.astype(int) - expected.astype(int)
        assert not away.any(), f"case {k}, {name}: {np.count_nonzero(away)} of {away.size} differ"
        away = np.abs(got.astype(int) - runtime.astype(int))
        furthest = max(furthest, int(away.max(initial=0)))
        values[name] += away.size
        beside[name] += int(np.count_nonzero(away))
    off = {name: n for name, n in beside.items() if n}
    assert furthest <= 1, f"onnxruntime differs by {furthest}: {off}"
    assert sum(beside.values()) <= sum(values.values()) / 1000, f"{off} of {dict(values)}"


def test_engines_compute_them_too(tmp_path: Path) -> None:
    cases_in(tmp_path, 28)
    for k in range(28):
        x = np.load(tmp_path / f"{k}.npz")["x"]
        assert presil.run(tmp_path / f"{k}.onnx", x, check="layers").exact, k


def pair(kind: str, scales: tuple[float, float, float]) -> presil.Network:
    b = presil.Builder("pair", "onnx")
    a, c = (
        b.input(name, [1, 16, 16, 16], "int8", scale, zero)
        for name, scale, zero in (("a", scales[0], 5), ("b", scales[1], -20))
    )
    b.output(getattr(b, kind)(a, c, out=presil.Type("int8", scales[2], 11)))
    return b.build()


def every_pair() -> list[np.ndarray]:
    """All 65,536, in 16 samples."""
    values = np.arange(-128, 128, dtype=np.int8)
    a, c = np.meshgrid(values, values, indexing="ij")
    return [x.reshape(16, 16, 16, 16) for x in (a, c)]


def expected(kind: str, scales: tuple[float, float, float]) -> np.ndarray:
    a, c = every_pair()
    f = np.float32
    real_a = (a.astype(f) - f(5)) * f(scales[0])
    real_c = (c.astype(f) + f(20)) * f(scales[1])
    real = {"add": np.add, "sub": np.subtract, "mul": np.multiply}[kind](real_a, real_c)
    return np.clip(np.rint(real / f(scales[2])) + 11, -128, 127).astype(np.int8)


@pytest.mark.parametrize("kind", ["add", "sub", "mul"])
@pytest.mark.parametrize("seed", range(4))
def test_every_pair_is_float32s_on_the_dla(kind: str, seed: int) -> None:
    rng = np.random.default_rng([seed, len(kind)])
    a, c = rng.uniform(0.01, 0.1, 2)
    scales = (a, c, a * c * 90 if kind == "mul" else max(a, c) * rng.uniform(0.9, 1.9))
    run = presil.run(pair(kind, scales), every_pair())
    assert run.exact and np.array_equal(run.arrays[0], expected(kind, scales))
    assert {row["engine"] for row in run.record["placement"]} <= {"dla", "dsp"}


@pytest.mark.parametrize("kind", ["add", "sub"])
def test_sums_midway_between_two_steps_go_to_the_even_one(kind: str) -> None:
    scales = (0.25, 0.25, 0.5)  # half of all sums are odd numbers of half steps
    run = presil.run(pair(kind, scales), every_pair())
    assert run.exact and np.array_equal(run.arrays[0], expected(kind, scales))
    assert "dla" not in {row["engine"] for row in run.record["placement"] if row["op"] == kind}


@pytest.mark.parametrize(
    ("axes", "units", "engine"), [([1, 2], 1, "dla"), ([1], 1, "dsp"), ([1], 0, "host")]
)
def test_halves_of_means_go_to_the_even_step(axes: list[int], units: int, engine: str) -> None:
    """The zero point is odd and comes after."""
    rng = np.random.default_rng(5)
    x = rng.integers(-128, 128, (1, 2, 32, 48)).astype(np.int8)
    b = presil.Builder("mean", "onnx")
    given = b.input("x", [1, 2, 32, 48], "int8", 0.5, 7)
    b.output(b.mean(given, axes, out=presil.Type("int8", 0.5, 5)))
    run = presil.run(b.build(), x, set={"dsp.units": units})
    steps = np.rint((x.astype(float) - 7).mean(tuple(axes))) + 5
    assert run.exact and np.array_equal(run.arrays[0].ravel(), np.clip(steps, -128, 127).ravel())
    assert [row["engine"] for row in run.record["placement"] if row["op"] == "mean"] == [engine]


def test_floats_are_divided_by_the_scale() -> None:
    """x = k * s + s / 2: midway, where x / s is exact and x * (1 / s) is not."""
    scale = np.float32(3.0)
    x = ((np.arange(-60, 60, dtype=np.float32) + np.float32(0.5)) * scale).reshape(1, 2, 4, 15)
    b = presil.Builder("q", "onnx")
    b.output(b.quantize(b.input("x", [1, 2, 4, 15], "float32"), out=presil.Type("int8", 3.0, 0)))
    run = presil.run(b.build(), x)
    assert run.exact and np.array_equal(run.arrays[0], np.rint(x / scale).astype(np.int8))


def test_files_of_onnx_have_their_rules() -> None:
    pytest.importorskip("onnx", reason="SKIPPED: no python3-onnx")
    assert presil.load("squeezenet:width=0.25,resolution=32").graph.numerics == "onnx"


def test_steps_of_a_power_of_two_are_multiplied_by_and_equal_divisions() -> None:
    """Halves, infinities and denormal numbers among them."""
    rng = np.random.default_rng(3)
    x = rng.uniform(-2, 2, (1, 60, 60, 3)).astype(np.float32)
    halves = (np.arange(-400, 400, dtype=np.float32) + 0.5) / 256
    odd = [np.inf, -np.inf, 1e30, -1e30, 1e-40, 0.0, -0.0]
    x.reshape(-1)[: halves.size + len(odd)] = [*halves, *odd]
    cycles = {}
    for scale in (2.0**-7, 2.0**-8, 0.0079, 2.0**-101):
        b = presil.Builder("steps", "onnx")
        given = b.input("x", x.shape, "float32")
        b.output(b.quantize(given, out=presil.Type("int8", scale, -1)))
        run = presil.run(b.build(), x, check="layers")
        assert run.exact
        with np.errstate(all="ignore"):
            steps = np.rint(x / np.float32(scale)) - 1
        assert np.array_equal(run.arrays[0], np.clip(steps, -128, 127)), scale
        (row,) = run.layers
        assert row["engine"] == "dsp"
        cycles[scale] = row["cycles"]
    assert cycles[2.0**-7] < 0.8 * cycles[0.0079]
    assert abs(cycles[2.0**-8] - cycles[2.0**-7]) < 0.01 * cycles[2.0**-7]
