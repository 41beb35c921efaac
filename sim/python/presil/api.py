"""What `import presil` offers."""

from __future__ import annotations

from .builder import Builder
from .cosim import cosim
from .energy_run import energy
from .engines import load_engine
from .evaluation import Evaluated, evaluate
from .explore import Explored, explore
from .faults import Fault
from .graph_builder import Type
from .kernel_file import read_kernels
from .kernels import Kernel
from .network import Network, load, reference
from .profile import DspTrace
from .program import Program, assemble, compile, open_loadable, read_loadable
from .quantizing import Quantized, quantize
from .refusal import Diverged, HardwareError, PassBroken, Refusal, SimulatorDied
from .remote import RemoteSoc
from .retime import retime
from .run import Run, run
from .serve import Served, serve
from .soc import load_soc, presets
from .stages import print_after, stage
from .trace import Trace
from .tune import Tuned, tune
from .validate import Validated, validate
from .whatif import whatif

__all__ = [
    "Builder",
    "Diverged",
    "DspTrace",
    "Evaluated",
    "Explored",
    "Fault",
    "HardwareError",
    "Kernel",
    "Network",
    "PassBroken",
    "Program",
    "Quantized",
    "Refusal",
    "RemoteSoc",
    "Run",
    "Served",
    "SimulatorDied",
    "Trace",
    "Tuned",
    "Type",
    "Validated",
    "assemble",
    "compile",
    "cosim",
    "energy",
    "evaluate",
    "explore",
    "load",
    "load_engine",
    "load_soc",
    "open_loadable",
    "presets",
    "print_after",
    "quantize",
    "read_kernels",
    "read_loadable",
    "reference",
    "retime",
    "run",
    "serve",
    "stage",
    "tune",
    "validate",
    "whatif",
]
