"""presil: compiled networks on a simulated SoC, from Python.

net = presil.load("net.tflite")
prog = presil.compile(net, soc="edge")
run = presil.run(prog, {"input": x}, check="layers")
run.outputs["output"], run.cycles, run.layers
presil.reference(net, {"input": x})
"""

from __future__ import annotations

__version__ = "0.1.0"

from . import interrupt  # noqa: E402

if interrupt.started_as_a_command():
    interrupt.early()  # before the imports that take their time

from .builder import Builder  # noqa: E402
from .cosim import cosim  # noqa: E402
from .energy_run import energy  # noqa: E402
from .engines import load_engine  # noqa: E402
from .evaluation import Evaluated, evaluate  # noqa: E402
from .explore import Explored, explore  # noqa: E402
from .faults import Fault  # noqa: E402
from .graph_builder import Type  # noqa: E402
from .kernel_file import read_kernels  # noqa: E402
from .kernels import Kernel  # noqa: E402
from .network import Network, load, reference  # noqa: E402
from .profile import DspTrace  # noqa: E402
from .program import Program, assemble, compile, open_loadable, read_loadable  # noqa: E402
from .quantizing import Quantized, quantize  # noqa: E402
from .refusal import Diverged, HardwareError, PassBroken, Refusal, SimulatorDied  # noqa: E402
from .remote import RemoteSoc  # noqa: E402
from .retime import retime  # noqa: E402
from .run import Run, run  # noqa: E402
from .serve import Served, serve  # noqa: E402
from .soc import load_soc, presets  # noqa: E402
from .stages import print_after, stage  # noqa: E402
from .trace import Trace  # noqa: E402
from .tune import Tuned, tune  # noqa: E402
from .validate import Validated, validate  # noqa: E402
from .whatif import whatif  # noqa: E402

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
