"""Compiled networks."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from . import passes, paths
from .kernel_use import unused
from .kernels import Kernel, claims
from .network import Network
from .refusal import Refusal
from .soc import load_soc

DISPATCHES = ("sync", "host")

MOST_DIFFERENCES = 3
"""How many differing parameters of two SoCs a refusal names."""


@dataclass
class Program:
    """A loadable and what it says about itself."""

    loadable: bytes | memoryview
    soc: Any
    network: Network | None = None
    compile_s: float | None = None
    estimate: int | None = None
    """Cycles of the DLA's layers, by which the compiler chose its plan."""
    kernels: tuple[Kernel, ...] = ()
    """Of the user: references of custom operators."""

    @cached_property
    def info(self) -> dict[str, Any]:
        return dict(paths.native().loadable_info(self.loadable))

    @cached_property
    def graph(self) -> Any:
        """The imported graph that the loadable carries; None after `--strip`."""
        return paths.native().loadable_graph(self.loadable)

    @cached_property
    def streams(self) -> str:
        """Every command, one a line: queue, index, fields, then layer, tile and source ops."""
        return str(paths.native().stream_text(self.loadable))

    @cached_property
    def memory_map(self) -> str:
        """What lies where: buffers of the SRAM with the steps that they are held, regions."""
        return str(paths.native().memory_map(self.loadable))

    def check_memory(self) -> dict[str, Any]:
        """Replays the streams alone, as compiler_bridge/replay does: `wrong` is a sentence, or None
        where every byte is written before it is read and kept until then."""
        return dict(paths.native().check_memory(self.loadable))

    @property
    def name(self) -> str:
        return str(self.info["network"])

    @property
    def inputs(self) -> list[dict[str, Any]]:
        return [self.info["tensors"][i] for i in self.info["inputs"]]

    @property
    def outputs(self) -> list[dict[str, Any]]:
        return [self.info["tensors"][i] for i in self.info["outputs"]]

    @cached_property
    def dla_alone(self) -> list[int]:
        """Per layer, what its DLA commands take by themselves, by dla_timing; 0 elsewhere."""
        return list(paths.native().dla_alone(self.loadable, self.soc))

    @property
    def placement(self) -> list[dict[str, Any]]:
        """Where each operator runs, and why."""
        return list(self.info["placements"])

    @property
    def unused_kernels(self) -> list[str]:
        """A sentence for each kernel that was registered and computes nothing: why not."""
        return [] if self.network is None else unused(self.placement, self.kernels)

    def stream_text(self) -> str:
        """Every command, one a line; `assemble` reads it back."""
        return self.streams

    def save(self, file: str | Path) -> None:
        Path(file).write_bytes(self.loadable)


def compile(  # noqa: A001
    net: Network,
    soc: Any = "edge",
    strip: bool = False,
    fallback: bool = True,
    verify_passes: bool | dict[str, np.ndarray] | list[np.ndarray] = False,
    dispatch: str = "sync",
    kernels: Sequence[Kernel] = (),
) -> Program:
    """Compiles a network for a SoC (a preset's name, a YAML file, or what `load_soc` gave).

    strip: leave the graph out of the loadable. fallback: let the host run what no engine takes.
    verify_passes: inputs, or True for seeded random ones, with which the reference interpreter
      runs before and behind every pass; PassBroken names the first that changes a value.
    dispatch: who begins a layer when the one before has ended: waits and signals of the engines
      (sync), or the ARM (host), for comparison.
    kernels: of the user, asked in this order, besides those that the network was loaded with.
    """
    if dispatch not in DISPATCHES:
        raise Refusal(f"dispatch: got '{dispatch}', wants {' or '.join(DISPATCHES)}")
    if verify_passes is not False:
        inputs = None if verify_passes is True else verify_passes
        passes.verify_passes(net, inputs, kernels=kernels)
    config = load_soc(soc) if isinstance(soc, (str, Path)) else soc
    every = (*net.kernels, *kernels)
    begin = time.process_time()
    taken, objections = claims(net.graph, every)
    compiled = paths.native().compile(
        net.graph, config, strip, fallback, dispatch == "host", taken, objections
    )
    return Program(
        memoryview(compiled),
        config,
        net,
        time.process_time() - begin,
        compiled.estimate,
        every,
    )


def read_loadable(file: str | Path, soc: Any = None, kernels: Sequence[Kernel] = ()) -> Program:
    """A loadable from its file, to look at; `open_loadable` is for running it."""
    path = Path(file)
    if not path.is_file():
        raise Refusal(f"loadable: there is no file '{file}'")
    return Program(path.read_bytes(), soc, kernels=tuple(kernels))


def assemble(streams: str, program: Program) -> Program:
    """The program with the commands that the text says, which `Program.stream_text` wrote and a
    person may have changed; as many of each queue, all else stays."""
    loadable = bytes(paths.native().assemble(streams, program.loadable))
    return Program(loadable, program.soc, program.network, kernels=program.kernels)


def open_loadable(file: str | Path, soc: Any, kernels: Sequence[Kernel] = ()) -> Program:
    """A loadable from its file, to run on `soc`; kernels: references of custom operators."""
    program = read_loadable(file, soc, kernels)
    differences = soc_differences(program.info["soc_text"], soc.canonical_text)
    if differences:
        more = len(differences) - MOST_DIFFERENCES
        raise Refusal(
            f"loadable: '{file}' was compiled for SoC '{program.info['soc_name']}', this is "
            f"'{soc.name}' with other parameters: {'; '.join(differences[:MOST_DIFFERENCES])}"
            f"{f'; and {more} more' if more > 0 else ''}; compile the network again for this SoC"
        )
    return program


def soc_differences(loadable: str, soc: str) -> list[str]:
    """Parameters that differ between two canonical texts (`name=value` lines), with both values."""
    theirs, ours = (
        dict(line.partition("=")[::2] for line in text.splitlines()) for text in (loadable, soc)
    )
    return [
        f"{name}: loadable {theirs.get(name, 'has none')}, this SoC {ours.get(name, 'has none')}"
        for name in dict.fromkeys([*theirs, *ours])
        if theirs.get(name) != ours.get(name)
    ]
