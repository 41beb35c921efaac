"""presil as a target of TVM: Relax modules onto the simulated SoC.

import presil.tvm
mod = presil.tvm.partition_for_presil(mod, soc="edge", numerics="tflite")
mod = tvm.relax.transform.RunCodegen()(mod)
vm = tvm.relax.VirtualMachine(tvm.relax.build(mod, "llvm"), tvm.cpu())

Needs `pip install './sim/python[tvm]'`; sim/guides/tvm.md shows it from end to end.
"""

from __future__ import annotations

from . import versions  # noqa: F401  first: what follows imports tvm

# isort: split
from . import read_functions, read_moves, read_numbers, read_products, read_windows  # noqa: F401
from .board import Board, Call, board, on_board
from .dsp_kernels import TunedKernel, compile_kernel, tune_kernel
from .partition import host_price, networks, partition_for_presil, placement
from .runtime import open_regions  # noqa: F401  registers what TVM calls

__all__ = [
    "Board",
    "Call",
    "TunedKernel",
    "board",
    "compile_kernel",
    "host_price",
    "networks",
    "on_board",
    "partition_for_presil",
    "placement",
    "tune_kernel",
]
