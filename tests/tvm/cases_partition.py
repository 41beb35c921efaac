"""What is taken and what is left to TVM: regions, reasons, refusals."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import presil
import presil.tvm
import pytest
import tvm
from modules import Quantised, called, machine
from tvm import relax

SHAPE = (1, 8, 8, 16)


def given(seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).integers(-128, 128, SHAPE, np.int8)


def with_three_strangers(q: Quantised, x: Any) -> Any:
    """Three operators that no engine takes, between convolutions."""
    y = q.stored(q.conv(q.real(x), 16))
    y = q.stored(q.emit(relax.op.atan(q.real(y))))
    y = q.stored(q.conv(q.real(y), 16))
    y = q.stored(q.emit(relax.op.tril(q.real(y))))
    y = q.stored(q.conv(q.real(y), 16))
    return q.emit(relax.op.cumsum(q.real(y), axis=2))


def strangers() -> Any:
    q = Quantised(SHAPE)
    return q.module(lambda x: with_three_strangers(q, x))


def engines(mod: Any) -> dict[str, str]:
    return {row["op"]: row["engine"] for row in presil.tvm.placement(mod)}


def test_what_no_engine_takes_stays_with_tvm_with_the_reason() -> None:
    mod = presil.tvm.partition_for_presil(strangers(), numerics="onnx")
    rows = {row["op"]: row for row in presil.tvm.placement(mod) if row["engine"] == "tvm"}
    assert {"atan", "tril", "cumsum"} <= rows.keys() <= {
        "atan", "tril", "cumsum", "dequantize", "quantize"
    }  # fmt: skip
    assert rows["atan"]["reason"] == "presil has no operator atan"
    assert engines(mod)["nn.conv2d"] == "dla"
    with presil.tvm.on_board(check="outputs") as board:
        (made,) = called(machine(mod), given())
    assert [call.symbol for call in board.calls] == [f"main_presil_{k}" for k in range(3)]
    assert all(call.run is not None and call.run.exact for call in board.calls)
    (alone,) = called(machine(strangers()), given())
    # TVM's own code multiplies in float32; a sum may lie on the other side of a half.
    assert np.mean(np.abs(made - alone)) < 0.05  # a step
    price = presil.tvm.host_price(mod, 2)  # of each element read and each written
    assert {row["op"] for row in price["rows"]} == set(rows)
    assert all(row["cycles"] == 2 * 2 * made.size for row in price["rows"])
    with pytest.raises(presil.Refusal, match="host_cycles is -1, must be cycles of an element"):
        presil.tvm.host_price(mod, -1)


def test_the_host_forbidden_each_is_refused_by_name() -> None:
    with pytest.raises(presil.Refusal) as refused:
        presil.tvm.partition_for_presil(strangers(), fallback=False)
    said = str(refused.value)
    assert "which fallback=False forbids" in said
    assert all(f"presil has no operator {op}" in said for op in ("atan", "tril", "cumsum"))


def test_a_conversion_that_two_read_is_split() -> None:
    """What a convolution keeps as stored values TVM's operator reads as real ones."""
    q = Quantised(SHAPE)

    def body(x: Any) -> Any:
        shared = q.real(x)
        y = q.stored(q.conv(shared, 16))
        return y, q.emit(relax.op.atan(shared))

    mod = q.module(body)
    part = presil.tvm.partition_for_presil(mod)
    assert engines(part)["nn.conv2d"] == "dla"
    region = part["main_presil_0"]
    assert [str(var.ty.dtype) for var in region.params] == ["int8"]
    stored, real = called(machine(part), given())
    assert np.allclose(real, np.arctan(given().astype(np.float32) * 0.05), atol=1e-5)
    assert stored.dtype == np.int8


def test_one_program_for_a_region_however_it_branches() -> None:
    q = Quantised(SHAPE)

    def body(x: Any) -> Any:
        a = q.stored(q.conv(q.real(x), 16))
        b = q.stored(q.conv(q.real(x), 16, 1))
        total = q.emit(relax.op.add(q.real(a), q.real(b)))
        c = q.stored(q.emit(relax.op.nn.relu(total)))
        return q.emit(relax.op.nn.max_pool2d(c, pool_size=2, strides=2, layout="NHWC"))

    mod = presil.tvm.partition_for_presil(q.module(body), numerics="tflite")
    symbols = [target.name_hint for target, _ in mod.functions_items()]
    assert sorted(symbols) == ["main", "main_presil_0"]
    with presil.tvm.on_board(check="layers") as board:
        called(machine(mod), given())
    (call,) = board.calls
    assert call.run is not None and call.run.exact
    layers = [row["op"] for row in call.run.layers]
    assert any("add" in op for op in layers) and len(layers) <= 3  # fused


def test_values_alone_are_those_of_the_timed_run() -> None:
    vm = machine(presil.tvm.partition_for_presil(strangers()))
    (timed,) = called(vm, given())
    with presil.tvm.on_board(mode="functional") as board:
        (values,) = called(vm, given())
    assert np.array_equal(timed, values)
    assert [call.cycles for call in board.calls] == [None] * 3


RELOADED = """
import sys
import numpy as np
import presil.tvm
import tvm
vm = tvm.relax.VirtualMachine(tvm.runtime.load_module(sys.argv[1]), tvm.cpu())
np.save(sys.argv[3], vm["main"](tvm.runtime.tensor(np.load(sys.argv[2]))).numpy())
"""


def test_an_exported_library_runs_in_a_fresh_process(tmp_path: Path) -> None:
    mod = relax.transform.RunCodegen()(presil.tvm.partition_for_presil(strangers()))
    built = relax.build(mod, "llvm")
    built.export_library(str(tmp_path / "net.so"))
    np.save(tmp_path / "x.npy", given())
    files = [str(tmp_path / name) for name in ("net.so", "x.npy", "y.npy")]
    subprocess.run([sys.executable, "-c", RELOADED, *files], check=True)
    (here,) = called(relax.VirtualMachine(built, tvm.cpu()), given())
    assert np.array_equal(here, np.load(tmp_path / "y.npy"))


def test_code_is_made_of_a_function_that_was_partitioned_elsewhere() -> None:
    """From its text: nothing that the partition has compiled is at hand."""
    mod = presil.tvm.partition_for_presil(strangers())
    again = tvm.ir.load_json(tvm.ir.save_json(mod))
    from presil.tvm import codegen

    codegen._compiled.clear()
    (one,), (two,) = (called(machine(m), given()) for m in (again, strangers_partitioned()))
    assert np.array_equal(one, two)


def strangers_partitioned() -> Any:
    return presil.tvm.partition_for_presil(strangers())


def test_open_shapes_are_refused_by_the_parameter() -> None:
    n = tvm.tirx.Var("n", "int64")
    x = relax.Var("x", relax.TensorType((n, 8), "float32"))
    builder = relax.BlockBuilder()
    with builder.function("main", [x]):
        with builder.dataflow():
            y = builder.emit_output(relax.op.nn.relu(x))
        builder.emit_func_output(y)
    with pytest.raises(presil.Refusal, match="parameter 'x' of 'main' is .*fixed shapes"):
        presil.tvm.partition_for_presil(builder.finalize())


def test_constants_that_are_not_bound_are_refused_by_name() -> None:
    x = relax.Var("x", relax.TensorType((4, 256), "float32"))
    w = relax.Var("w", relax.TensorType((256, 256), "float32"))
    builder = relax.BlockBuilder()
    with builder.function("main", [x, w], attrs={"num_input": 1}):
        with builder.dataflow():
            y = builder.emit_output(relax.op.matmul(x, w))
        builder.emit_func_output(y)
    mod = builder.finalize()
    with pytest.raises(presil.Refusal, match=r"not bound \('w'\); .*give params"):
        presil.tvm.partition_for_presil(mod)
    weights = np.eye(256, dtype=np.float32) * 2
    part = presil.tvm.partition_for_presil(mod, {"w": weights})
    assert engines(part)["matmul"] == "dsp"
    row = np.arange(1024, dtype=np.float32).reshape(4, 256)
    assert np.array_equal(called(machine(part), row)[0], 2 * row)


def test_a_module_is_partitioned_once() -> None:
    with pytest.raises(presil.Refusal, match="was partitioned before"):
        presil.tvm.partition_for_presil(strangers_partitioned(), soc="micro")


def test_a_symbol_stands_for_one_function() -> None:
    mod = strangers()
    mod["main_presil_0"] = mod["main"].with_attr("global_symbol", "main_presil_0")
    with pytest.raises(presil.Refusal, match="a function 'main_presil_0' already: rename it"):
        presil.tvm.partition_for_presil(mod)
    part = strangers_partitioned()
    part["other"] = part["main_presil_1"].with_attr("global_symbol", "main_presil_0")
    with pytest.raises(Exception, match="two functions have the symbol 'main_presil_0'"):
        relax.transform.RunCodegen()(part)


def test_a_function_that_claims_more_than_presil_takes_is_refused() -> None:
    mod = presil.tvm.partition_for_presil(strangers())
    attrs = dict(mod["main_presil_0"].attrs)
    claimed = strangers()["main"].with_attrs({**attrs, "global_symbol": "main"})
    mod = tvm.IRModule({"main": claimed})
    with pytest.raises(Exception, match="claims more than presil takes: .*no operator|no such op"):
        relax.transform.RunCodegen()(mod)


def test_words_that_presil_lacks_are_refused() -> None:
    for how, said in (
        ({"numerics": "int8"}, "tvm: numerics is 'int8', expected one of onnx, tflite, xnnpack"),
        ({"soc": "eddge"}, "did you mean 'edge'"),
        ({"effort": 9}, "effort"),
    ):
        with pytest.raises(presil.Refusal, match=said):
            presil.tvm.partition_for_presil(strangers(), **how)
    with pytest.raises(presil.Refusal, match="expected an IRModule"):
        presil.tvm.partition_for_presil("net.onnx")
    with pytest.raises(presil.Refusal, match="not partitioned"):
        presil.tvm.placement(strangers())
