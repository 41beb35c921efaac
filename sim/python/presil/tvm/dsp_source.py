"""A TIR function as C of a kernel for the DSP: TVM lowers it and writes the loops, an entry around
them takes presil's tensors."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import tvm
from tvm import ir, s_tir, tirx

from ..names import instance
from ..refusal import Refusal

NAME = re.compile(r"[A-Za-z]\w*")
DTYPES = {"int8": (0, 8), "int16": (0, 16), "int32": (0, 32), "float32": (2, 32)}
"""Code and bits of DLPack's, of what a DSP's tensor may hold."""
ENTRY = """
static int32_t {name}(const DLTensor* in, DLTensor* out, const void* params) {{
  (void)params;
  uint64_t vlenb;
  __asm__("csrr %0, vlenb" : "=r"(vlenb));
  if (vlenb != {vlenb}) return PRESIL_DSP_REFUSED_BY_USER;
  if (presil_dsp_inputs() != {n_in} || presil_dsp_outputs() != {n_out})
    return PRESIL_DSP_REFUSED_COUNT;
{checks}
  {name}_loops({arguments});
  return PRESIL_DSP_DONE;
}}
PRESIL_KERNEL({name})
"""
CHECK = """\
  if ({at}.dtype.code != {code} || {at}.dtype.bits != {bits}) return PRESIL_DSP_REFUSED_TYPE;
  if (presil_dsp_elements(&{at}) != {elements}) return PRESIL_DSP_REFUSED_SHAPE;"""


@dataclass(frozen=True)
class Operand:
    """A parameter of the function: a dense tensor."""

    name: str
    dtype: str
    shape: tuple[int, ...]

    @property
    def elements(self) -> int:
        total = 1
        for extent in self.shape:
            total *= extent
        return total


def operands_of(func: Any, name: str) -> list[Operand]:
    """Its parameters, refused where a tensor of the DSP is not like them."""
    instance(func, tirx.PrimFunc, f"tvm: kernel '{name}'", "a PrimFunc of TIR")
    if NAME.fullmatch(name) is None:
        raise Refusal(f"tvm: kernel '{name}': the name must be one of C: letters, digits and _")
    operands = []
    for param in func.params:
        where = f"tvm: kernel '{name}': parameter {param.name}"
        try:
            dtype, shape = str(param.dtype), tuple(param.shape)
        except (AttributeError, TypeError):
            raise Refusal(f"{where} is no buffer; only tensors are given to a kernel") from None
        if dtype not in DTYPES:
            raise Refusal(f"{where} is of {dtype}, must be one of {', '.join(DTYPES)}")
        if not all(isinstance(n, (int, tirx.IntImm)) for n in shape):
            raise Refusal(f"{where} has the shape {list(shape)}, its extents must be numbers")
        operands.append(Operand(str(param.name), dtype, tuple(int(n) for n in shape)))
    return operands


def lowered(func: Any) -> Any:
    """Loops over arrays: what TVM does for a CPU, but for vectors, which clang makes."""
    block, flat = s_tir.transform, tirx.transform
    target = tvm.target.Target("c")
    passes = [
        flat.BindTarget(target.with_host(target)),
        block.CanonicalizeLoop(),
        block.LowerInitBlock(),
        block.PlanAndUpdateBufferAllocationLocation(),
        block.ConvertBlocksToOpaque(),
        block.CompactBufferAllocation(),
        block.LowerMatchBuffer(),
        block.StmtSimplify(),
        block.LowerOpaqueBlock(),
        flat.FlattenBuffer(),
        flat.NarrowDataType(32),
        block.LoopPartition(),
        flat.VectorizeLoop(False),
        flat.StorageRewrite(),
        block.HoistIfThenElse(),
        flat.UnrollLoop(),
        block.RenormalizeSplitPattern(),
        flat.StmtSimplify(),
        flat.RemoveNoOp(),
        block.RewriteUnsafeSelect(),
        flat.CommonSubexprElim(),
    ]
    named = ir.IRModule({"kernel": func.with_attr("global_symbol", "kernel")})
    return ir.transform.Sequential(passes)(named)["kernel"]


def loops_of(func: Any, name: str) -> str:
    """The function over pointers that do not alias, in C, without includes."""
    flat = lowered(func)
    pointers = [
        tirx.Var(f"{p.name}_data", ir.PointerType(ir.PrimType(str(p.dtype)), "global"))
        for p in flat.params
    ]
    views = [tirx.DeclBuffer(p, data=d) for p, d in zip(flat.params, pointers, strict=True)]
    attrs = flat.attrs
    loops = tirx.PrimFunc(pointers, tirx.SeqStmt([*views, flat.body]), attrs=attrs)
    loops = loops.with_attr("global_symbol", f"{name}_loops")
    module = tirx.transform.LowerIntrin()(ir.IRModule({f"{name}_loops": loops}))
    made = tvm.get_global_func("target.build.c")(module, tvm.target.Target("c"))
    text = made.inspect_source()
    head = re.search(rf"TVM_DLL void {name}_loops\((.*)\) {{", text)
    assert head is not None, text
    parameters = head[1].replace("* ", "* restrict ")
    return f"static inline void {name}_loops({parameters}) {{" + text[head.end() :]


def source_of(func: Any, name: str, outputs: int, vlen: int) -> str:
    """A file for driver/kernels/dsp/build.py. outputs: the last parameters, which it writes.

    Its vectors have `vlen` bits: under another VLEN the kernel refuses the job.
    """
    operands = operands_of(func, name)
    inputs = len(operands) - outputs
    if outputs < 1 or inputs < 1:
        raise Refusal(
            f"tvm: kernel '{name}' has {len(operands)} parameters, {outputs} of them results; "
            "it must have one of each at least"
        )
    try:
        loops = loops_of(func, name)
    except RuntimeError as error:
        reason = str(error).strip().splitlines()[-1]
        raise Refusal(
            f"tvm: kernel '{name}': TVM writes no C of it: {reason} (caches of a schedule must be "
            'in scope "global")'
        ) from error
    checks, arguments = [], []
    for i, operand in enumerate(operands):
        at = f"in[{i}]" if i < inputs else f"out[{i - inputs}]"
        code, bits = DTYPES[operand.dtype]
        checks.append(CHECK.format(at=at, code=code, bits=bits, elements=operand.elements))
        arguments.append(f"presil_dsp_data(&{at})")
    entry = ENTRY.format(
        name=name,
        vlenb=vlen // 8,
        n_in=inputs,
        n_out=outputs,
        checks="\n".join(checks),
        arguments=", ".join(arguments),
    )
    return "#include <presil/dsp_kernel.h>\n#include <stdbool.h>\n\n" + loops + entry
