"""Kernels of the DSP from TIR: compiled, measured, tuned, refused."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import presil
import presil.tvm
import pytest
from presil import HardwareError, Refusal
from presil.kernel_file import read_kernels
from tvm import s_tir, te, tirx

M, K, N = 3, 20, 40
REFERENCE = """
import numpy as np

def product(a, b):
    return a.astype(np.int32) @ b.astype(np.int32)

def wrong(a, b):
    return product(a, b) + 1
"""

needs_clang = pytest.mark.skipif(
    shutil.which("clang-19") is None or shutil.which("ld.lld-19") is None,
    reason="SKIPPED: kernels are not built, no clang-19 and lld-19 here",
)


def product(rows: int = 1, dtype: str = "int8", scope: str = "global") -> Any:
    """a of M x K times b of K x N, in int32."""
    a = te.placeholder((M, K), dtype, "a")
    b = te.placeholder((K, N), dtype, "b")
    k = te.reduce_axis((0, K), "k")
    c = te.compute(
        (M, N), lambda i, j: te.sum(a[i, k].astype("int32") * b[k, j].astype("int32"), k), "c"
    )
    schedule = s_tir.Schedule(te.create_prim_func([a, b, c]))
    block = schedule.get_sblock("c")
    result = schedule.cache_write(block, 0, scope)
    i, j, k = schedule.get_loops(block)
    outer, inner = schedule.split(i, [None, rows])
    schedule.reorder(outer, k, inner, j)
    schedule.reverse_compute_at(result, outer)
    schedule.decompose_reduction(block, k)
    return schedule.mod["main"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "reference.py").write_text(REFERENCE, encoding="utf-8")
    return tmp_path


def network() -> presil.Network:
    builder = presil.Builder("product")
    a, b = builder.input("a", (M, K), "int8"), builder.input("b", (K, N), "int8")
    builder.output(
        builder.custom("product", [a, b], [presil.graph_builder.Type("int32", shape=(M, N))])
    )
    return builder.build()


@needs_clang
def test_a_kernel_computes_what_numpy_does_and_says_what_it_takes(folder: Path) -> None:
    file = presil.tvm.compile_kernel(product(), "product", folder, reference="reference.py:product")
    (kernel,) = read_kernels(file)
    rng = np.random.default_rng(5)
    a = rng.integers(-128, 128, (M, K), np.int8)
    b = rng.integers(-128, 128, (K, N), np.int8)
    run = presil.run(presil.compile(network(), kernels=file), [a, b], check="layers")
    assert run.exact
    assert (run.arrays[0] == a.astype(np.int64) @ b.astype(np.int64)).all()
    taken = sum(row["cycles"] for row in run.layers)
    assert isinstance(kernel.cycles, int) and abs(kernel.cycles - taken) <= 0.05 * taken


@needs_clang
def test_code_for_one_vlen_refuses_the_job_on_another(folder: Path) -> None:
    file = presil.tvm.compile_kernel(product(), "product", folder, set=["dsp.vlen=256"])
    values = [np.zeros((M, K), np.int8), np.zeros((K, N), np.int8)]
    for vlen in (256, 512):
        program = presil.compile(network(), set=[f"dsp.vlen={vlen}"], kernels=file)
        if vlen == 256:
            presil.run(program, values, check="none")
            continue
        with pytest.raises(HardwareError, match="refuses its work with code 16"):
            presil.run(program, values, check="none")


@needs_clang
def test_the_fastest_candidate_that_is_right_is_taken(folder: Path) -> None:
    space = {"rows": [1, 3, 2], "lmul": [1, 4, 3]}
    tuned = presil.tvm.tune_kernel(
        product, space, "product", folder, reference="reference.py:product", trials=9
    )
    known = {(c["rows"], c["lmul"]): result for c, result in tuned.trials}
    assert len(known) == 9
    cycles = [result for result in known.values() if isinstance(result, int)]
    assert tuned.cycles == min(cycles) == known[tuned.chosen["rows"], tuned.chosen["lmul"]]
    assert all("lmul is 3, must be one of 1, 2, 4, 8" in str(known[r, 3]) for r in (1, 2, 3))
    assert tuned.file == folder / "product.yaml" and tuned.file.is_file()


@needs_clang
def test_a_space_larger_than_the_trials_is_searched(folder: Path) -> None:
    tuned = presil.tvm.tune_kernel(
        product,
        {"rows": [1, 3], "lmul": [1, 2, 4]},
        "product",
        folder,
        reference="reference.py:product",
        trials=4,
    )
    assert 1 <= len(tuned.trials) <= 4


@needs_clang
def test_a_wrong_kernel_and_a_search_without_any_right_one_are_refused(folder: Path) -> None:
    with pytest.raises(Refusal, match="'product' computes other values than its reference"):
        presil.tvm.compile_kernel(product(), "product", folder, reference="reference.py:wrong")
    with pytest.raises(Refusal, match="none of 2 candidates runs; first: .* other values"):
        presil.tvm.tune_kernel(
            product, {"rows": [1, 3]}, "product", folder, reference="reference.py:wrong"
        )


@needs_clang
def test_what_clang_does_not_compile_is_said_in_its_words(folder: Path) -> None:
    a = te.placeholder((4096,), "float32", "a")
    copy = te.compute((4096,), lambda i: a[i] + 1, "copy")
    back = te.compute((4096,), lambda i: copy[4095 - i], "back")
    with pytest.raises(Refusal, match=r"kernel 'back' is not built: .*stack frame size"):
        presil.tvm.compile_kernel(te.create_prim_func([a, back]), "back", folder)


def shaped(shape: tuple[Any, ...], dtype: str) -> Any:
    a = te.placeholder(shape, dtype, "a")
    return te.create_prim_func([a, te.compute(shape, lambda *i: a(*i), "b")])


def test_what_is_no_kernel_is_refused_by_name(folder: Path, monkeypatch: Any) -> None:
    for func, name, how, words in (
        ("loops", "f", {}, "kernel 'f' is .*, expected a PrimFunc of TIR"),
        (product(), "2 f", {}, "kernel '2 f': the name must be one of C"),
        (shaped((4,), "int64"), "f", {}, "parameter a is of int64, must be one of int8, int16"),
        (
            shaped((tirx.Var("n", "int32"),), "int8"),
            "f",
            {},
            r"has the shape .*, its extents must be numbers",
        ),
        (product(), "f", {"outputs": 3}, "has 3 parameters, 3 of them results"),
        (
            product(scope="local"),
            "f",
            {},
            r"TVM writes no C of it: .* \(caches of a schedule must be in scope \"global\"",
        ),
        (product(), "f", {"lmul": 3}, "tvm: lmul is 3, must be one of 1, 2, 4, 8"),
        (product(), "f", {"soc": "micro"}, "micro has no DSP"),
    ):
        with pytest.raises(Refusal, match=words):
            presil.tvm.compile_kernel(func, name, folder, **how)
    monkeypatch.setattr("presil.tvm.dsp_kernels.BUILD", folder / "build.py")
    with pytest.raises(Refusal, match="kernels are built in a checkout of presil"):
        presil.tvm.compile_kernel(product(), "f", folder)


def test_a_function_of_scalars_is_refused() -> None:
    n = tirx.Var("n", "int32")
    func = tirx.PrimFunc([n], tirx.Evaluate(n))
    with pytest.raises(Refusal, match="parameter n is no buffer; only tensors"):
        presil.tvm.compile_kernel(func, "f")


def test_a_search_without_reference_space_or_trials_is_refused(folder: Path) -> None:
    for how, words in (
        ({"reference": ""}, "tune_kernel requires a reference"),
        ({"reference": "none.py:f"}, "there is no '.*none.py' for the reference"),
        ({"space": {}}, "space is empty"),
        ({"trials": 0}, "must be 1 to 100000"),
    ):
        given: dict[str, Any] = {"space": {"rows": [1]}, "reference": "reference.py:product", **how}
        with pytest.raises(Refusal, match=words):
            presil.tvm.tune_kernel(product, name="product", folder=folder, **given)
