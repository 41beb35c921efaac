"""A module as the partition reads it: with operators of Relax where TVM's importers have written
loops, and normalisations as arithmetic."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection
from typing import Any

import tvm_ffi
from tvm import ir, relax, topi

from .nodes import dtype_and_shape

LIMITS: dict[str, tuple[Callable[..., Any], Any, tuple[float, ...]]] = {
    "maximum": (topi.maximum, relax.op.maximum, (0.0, -math.inf, -1.0)),
    "minimum": (topi.minimum, relax.op.minimum, (6.0, math.inf, 1.0)),
}
"""Loops that the importer of ONNX writes for Clip, the operator that they are, and limits that may
be inside of them."""


def prepared(mod: ir.IRModule, customs: Collection[str] = ()) -> ir.IRModule:
    """The same module in operators that presil reads. customs: names of kernels that compute what a
    function of TIR of that name does."""
    names = [
        target.name_hint for target, f in mod.functions_items() if isinstance(f, relax.Function)
    ]
    rewriter = Rewriter(mod, customs)
    for name in names:
        function = rewriter.function(mod[name])
        if function is not None:
            mod.update_func(mod.get_global_var(name), function)
    if rewriter.rewritten:
        mod = relax.transform.DeadCodeElimination(names)(relax.transform.Normalize()(mod))
    if rewriter.normalises:
        mod = relax.transform.FoldBatchnormToConv2D()(mod)
        for name in names:
            mod = relax.transform.DecomposeOpsForInference(name)(mod)
        mod = relax.transform.Normalize()(mod)
    return mod


def numerics_of(mod: ir.IRModule) -> str:
    """Whose arithmetic a module has: TVM's importer of TFLite writes zero points as int32, that of
    ONNX as the stored type. 'onnx' where nothing is quantised."""
    dtypes = set()
    for _, function in mod.functions_items():
        if not isinstance(function, relax.Function) or not isinstance(function.body, relax.SeqExpr):
            continue
        for block in function.body.blocks:
            for binding in block.bindings:
                value = binding.value
                if isinstance(value, ir.Call) and isinstance(value.op, ir.Op):
                    if value.op.name == "relax.quantize":
                        dtypes.add(dtype_and_shape(value.args[2])[0])
    return "tflite" if dtypes == {"int32"} else "onnx"


class Rewriter:
    """Calls of loops that are an operator become that operator."""

    def __init__(self, mod: ir.IRModule, customs: Collection[str]) -> None:
        self.mod = mod
        self.customs = customs
        self.rewritten = self.normalises = False
        self.known: dict[Any, tuple[Any, float | None] | None] = {}

    def function(self, function: relax.Function) -> relax.Function | None:
        """The function with such calls replaced; None: it has none."""
        if not isinstance(function.body, relax.SeqExpr):
            return None
        blocks, changed = [], False
        for block in function.body.blocks:
            bindings = []
            for binding in block.bindings:
                made = self.binding(binding)
                changed = changed or made is not binding
                bindings.append(made)
            kind = type(block)
            blocks.append(kind(bindings))
        if not changed:
            return None
        self.rewritten = True
        body = relax.SeqExpr(blocks, function.body.body)
        return relax.Function(
            list(function.params), body, function.ret_ty, function.is_pure, function.attrs
        )

    def binding(self, binding: Any) -> Any:
        value = binding.value
        if not isinstance(value, ir.Call) or not isinstance(value.op, ir.Op):
            return binding
        self.normalises = self.normalises or value.op.name == "relax.nn.batch_norm"
        if value.op.name != "relax.call_tir" or not isinstance(binding, relax.VarBinding):
            return binding
        target, operands = value.args[0], list(value.args[1].fields)
        if target.name_hint in self.customs:
            call = relax.op.call_dps_packed(target.name_hint, operands, binding.var.ty)
            return relax.VarBinding(binding.var, call)
        if target not in self.known:
            self.known[target] = self.operator_of(target, operands)
        found = self.known[target]
        if found is None:
            return binding
        operator, limit = found
        dtype, _ = dtype_and_shape(operands[0])
        pair = operands if limit is None else [operands[0], relax.const(limit, dtype)]
        return relax.VarBinding(binding.var, operator(*pair))

    def operator_of(self, target: Any, operands: list[Any]) -> tuple[Any, float | None] | None:
        """The operator whose loops these are, and the limit inside; proven by making them anew."""
        for name, (loops, operator, limits) in LIMITS.items():
            if not str(target.name_hint).startswith(name):
                continue
            for limit in [None] if len(operands) == 2 else limits:
                if tvm_ffi.structural_equal(self.mod[target], made_of(loops, operands, limit)):
                    return operator, limit
        return None


def made_of(loops: Callable[..., Any], operands: list[Any], limit: float | None) -> Any:
    """The loops that TVM writes for these operands."""
    builder = relax.BlockBuilder()
    params = [relax.Var(f"x{k}", operand.ty) for k, operand in enumerate(operands)]
    given = params if limit is None else [*params, limit]
    with builder.function("main", params):
        made = builder.emit_te(loops, *given)
        builder.emit_func_output(made)
    functions = builder.finalize().functions_items()
    return next(f for target, f in functions if target.name_hint != "main")
