"""Blocks as architectures have them: normalisation, attention, branches, loops of the importers."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
import presil
import presil.tvm
import tvm
from modules import Quantised, called, imported, machine
from tvm import ir, relax
from tvm.relax.frontend.onnx import from_onnx

op = relax.op


def rows(mod: Any) -> dict[str, str]:
    return {row["op"]: row["engine"] for row in presil.tvm.placement(mod)}


def compare(mod: Any, arrays: list[np.ndarray], most: float, regions: int = 1) -> None:
    """Each region equals the reference interpreter, the whole TVM's own code within `most`."""
    part = presil.tvm.partition_for_presil(mod)
    with presil.tvm.on_board(check="layers") as board:
        made = called(machine(part), *arrays)
    assert len(board.calls) == regions
    assert all(call.run is not None and call.run.exact for call in board.calls)
    alone = called(relax.VirtualMachine(relax.build(mod, "llvm"), tvm.cpu()), *arrays)
    for ours, theirs in zip(made, alone, strict=True):
        assert np.abs(ours.astype(np.float64) - theirs).max() <= most


def reals(*shape: int, seed: int = 0, scale: float = 1.0) -> np.ndarray:
    return (np.random.default_rng(seed).normal(size=shape) * scale).astype(np.float32)


def test_a_batch_normalisation_is_folded_into_its_convolution() -> None:
    builder = relax.BlockBuilder()
    x = relax.Var("x", relax.TensorType((1, 16, 16, 16), "float32"))
    positive = [relax.const(np.abs(reals(16, seed=k)) + 0.5) for k in range(4)]
    with builder.function("main", [x]):
        with builder.dataflow():
            y = builder.emit(op.nn.conv2d(x, relax.const(reals(16, 16, 3, 3)), padding=1))
            both = builder.emit(op.nn.batch_norm(y, *positive, axis=1, training=False))
            y = builder.emit_output(op.nn.relu(builder.emit(ir.TupleGetItem(both, 0))))
        builder.emit_func_output(y)
    mod = builder.finalize()
    compare(mod, [reals(1, 16, 16, 16, seed=1)], 1e-3)
    (network,) = presil.tvm.networks(presil.tvm.partition_for_presil(mod)).values()
    kinds = [about["kind"] for about in network.graph.ops]
    assert kinds.count("conv2d") == 1 and "mul" not in kinds and "add" not in kinds


def test_an_attention_block_is_taken_but_for_its_gelu() -> None:
    """A float GELU of the error function is no engine's."""
    builder = relax.BlockBuilder()
    x = relax.Var("x", relax.TensorType((1, 16, 64), "float32"))
    emit = builder.emit

    def dense(value: Any, out: int, seed: int) -> Any:
        weights = reals(value.ty.shape.values[-1].value, out, seed=seed, scale=0.1)
        return emit(op.matmul(value, relax.const(weights)))

    def heads(value: Any) -> Any:
        return emit(op.permute_dims(emit(op.reshape(value, (1, 16, 4, 16))), [0, 2, 1, 3]))

    ones, zeros = relax.const(np.ones(64, np.float32)), relax.const(np.zeros(64, np.float32))
    with builder.function("main", [x]):
        with builder.dataflow():
            normal = emit(op.nn.layer_norm(x, ones, zeros, axes=[-1]))
            q, k, v = (heads(dense(normal, 64, seed)) for seed in range(3))
            scores = emit(op.matmul(q, emit(op.permute_dims(k, [0, 1, 3, 2]))))
            part = emit(op.nn.softmax(emit(op.multiply(scores, relax.const(np.float32(0.25))))))
            mixed = emit(op.permute_dims(emit(op.matmul(part, v)), [0, 2, 1, 3]))
            y = emit(op.add(x, dense(emit(op.reshape(mixed, (1, 16, 64))), 64, 3)))
            wide = emit(op.nn.gelu(dense(y, 128, 4)))
            y = builder.emit_output(op.add(y, dense(wide, 64, 5)))
        builder.emit_func_output(y)
    mod = builder.finalize()
    left = [
        op for op, engine in rows(presil.tvm.partition_for_presil(mod)).items() if engine == "tvm"
    ]
    assert left == ["nn.gelu"]
    compare(mod, [reals(1, 16, 64, seed=9)], 1e-4, regions=2)


def test_parts_pads_and_means_of_stored_values() -> None:
    q = Quantised((1, 8, 8, 16))

    def body(x: Any) -> Any:
        y = q.stored(q.conv(q.real(x), 32))
        parts = q.emit(op.split(y, 2, axis=3))
        a, b = q.emit(parts[0]), q.emit(parts[1])
        z = q.stored(q.emit(op.add(q.real(a), q.real(b))))
        wide = q.emit(op.nn.pad(z, [0, 0, 1, 1, 1, 1, 0, 0]))
        return z, q.emit(op.permute_dims(wide, [0, 3, 1, 2])), q.emit(op.mean(q.real(z), [1, 2]))

    x = np.random.default_rng(0).integers(-128, 128, (1, 8, 8, 16), np.int8)
    compare(q.module(body), [x], 2)  # steps, where a sum lies near a half


def test_constants_that_an_importer_has_detached_are_bound() -> None:
    file = presil.nets.network_file("resnet18:resolution=32,width=0.25")
    kept = from_onnx(onnx.load(str(file)), keep_params_in_input=True)
    mod, params = relax.frontend.detach_params(kept)
    x = reals(1, 3, 32, 32)
    (by_list,) = called(machine(presil.tvm.partition_for_presil(mod, params)), x)
    (within,) = called(machine(presil.tvm.partition_for_presil(imported(file))), x)
    assert np.array_equal(by_list, within)


def test_limits_that_an_importer_has_written_as_loops_are_fused() -> None:
    """Clip of ONNX, as MobileNetV2 has it."""
    file = presil.nets.network_file("mobilenet_v2:resolution=32,width=0.25,classes=10")
    mod = imported(file)
    assert any(isinstance(f, tvm.tirx.PrimFunc) for _, f in mod.functions_items())
    part = presil.tvm.partition_for_presil(mod)
    assert "tvm" not in rows(part).values()
    (network,) = presil.tvm.networks(part).values()
    acts = [about["attributes"].get("act") for about in network.graph.ops]
    assert "relu6" in acts and not {"maximum", "minimum"} & {o["kind"] for o in network.graph.ops}
