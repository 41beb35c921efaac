"""Compiled networks."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from . import passes, paths
from .atomic import write_file
from .decisions import decisions_of
from .engines import differing_engines, load_engines
from .kernel_file import kernels_of
from .kernel_use import unused
from .kernels import Kernel, claims
from .names import described, existing_file, instance, number, one_of, path_of
from .network import Network, network_of
from .refusal import Refusal
from .soc import load_soc
from .soc_parameters import Overrides, of_text
from .tiles import kind_of_tiles

DISPATCHES = ("sync", "host")
ENGINES = ("dla", "dma", "dsp")

EFFORTS, USUAL_EFFORT = range(4), 2
"""How much the compiler's planner may search: 0 takes the first plan that fits."""

MOST_DIFFERENCES = 3
"""How many differing parameters of two SoCs a refusal names."""


@dataclass(repr=False)
class Program:
    """A loadable and what it says about itself."""

    loadable: bytes | memoryview
    soc: Any
    network: Network | None = None
    compile_s: float | None = None
    estimate: int | None = None
    """Cycles of the DLA's layers, by which the compiler chose its plan."""
    work: int | None = None
    """Units of search that the plan took, which are the same on every machine."""
    kernels: tuple[Kernel, ...] = ()
    """Of the user: references of custom operators."""
    decisions: dict[str, Any] | None = None
    """What its plan has decided (decisions.py), and `extents`: what tilings cut."""
    system: Any = None
    """The SoC of several tiles, where `soc` is one of them; else None."""
    others: tuple[Program, ...] = ()
    """The same network for tiles of `system` that are not like `soc`, one of each kind."""

    @property
    def whole_soc(self) -> Any:
        """`system`, or `soc` where that is all."""
        return self.soc if self.system is None else self.system

    @property
    def kinds(self) -> list[Program]:
        """One for each kind of tile, tile 0's first; each as of a SoC of its own."""
        return [replace(one, system=None, others=()) for one in (self, *self.others)]

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
    def waits(self) -> list[list[int]]:
        """By tag, for each wait of a command the tag of the command that meets it; -1: none."""
        return list(paths.native().command_waits(self.loadable))

    @cached_property
    def dla_alone(self) -> list[int]:
        """Per layer, what its DLA commands take by themselves, by dla_timing; 0 elsewhere."""
        return list(paths.native().dla_alone(self.loadable, self.soc))

    @property
    def placement(self) -> list[dict[str, Any]]:
        """Where each operator runs, and why."""
        return list(self.info["placements"])

    @property
    def overlaps(self) -> bool:
        """Whether it was compiled with `overlap`."""
        return bool(self.info["overlaps"])

    @property
    def unused_kernels(self) -> list[str]:
        """A sentence for each kernel that was registered and computes nothing: why not."""
        return [] if self.network is None else unused(self.placement, self.kernels)

    def stream_text(self) -> str:
        """Every command, one a line; `assemble` reads it back."""
        return self.streams

    def save(self, file: str | Path) -> None:
        """The loadable, whole or not at all."""
        if self.others:
            raise Refusal(
                f"loadable: the tiles of SoC '{self.system.label}' are not alike, so each kind has "
                "a program of its own, and a file holds one; compile for one kind, with --set "
                "tiles=1 and its parameters"
            )
        write_file(path_of(file, "loadable", "the path of a file to write"), self.loadable)

    def __getstate__(self) -> dict[str, Any]:
        """For pickle: the loadable as bytes, and nothing that it says itself."""
        state = {f.name: getattr(self, f.name) for f in fields(self)}
        return {**state, "loadable": bytes(self.loadable)}

    def __repr__(self) -> str:
        info = self.info
        count = Counter(p["engine"] for p in self.placement)
        placed = ", ".join(f"{n} on {'no engine' if e == 'none' else e}" for e, n in count.items())
        soc = getattr(self.soc, "label", None) or info["soc_name"]
        return (
            f"Program {self.name} for {soc}: {len(info['layers'])} layers, operators {placed}; "
            f"{len(info['commands']):,} commands, {len(self.loadable):,} bytes, SRAM peak "
            f"{info['sram_bytes']:,} bytes"
        )


def compile(  # noqa: A001
    net: Any,
    soc: Any = "edge",
    strip: bool = False,
    fallback: bool = True,
    verify_passes: Any = False,
    dispatch: str = "sync",
    kernels: Any = (),
    *,
    set: Overrides = (),  # noqa: A002  as the command line has it
    numerics: str | None = None,
    post: str | Path | None = None,
    engines: Any = (),
    effort: int = USUAL_EFFORT,
    state: str | None = None,
    progress: Callable[[str, int, int], None] | None = None,
    overlap: bool = False,
    sram_bytes: int = 0,
    decisions: Any = None,
    without: Any = (),
) -> Program:
    """Compiles a network for a SoC.

    net: what presil.load or a Builder gave, the Builder itself, a file, or the name of a network of
      the project; numerics, post: of files, as of `presil.load`.
    soc, set: a preset's name, a YAML file, a dict of parameters or what `load_soc` gave, and
      parameters on top of it, as {"dla.macs_k": 32}. Of several tiles the program is for one of
      them, and there is one for each kind (Program.others).
    engines: folders of engines from outside that the SoC has besides (`presil.load_engine`).
    strip: leave the graph out of the loadable. fallback: let the host run what no engine takes.
    verify_passes: inputs, or True for seeded random ones, with which the reference interpreter
      runs before and after every pass; PassBroken names the first that changes a value.
    dispatch: what starts a layer when the one before has ended: waits and signals of the engines
      (sync), or the ARM (host), for comparison.
    kernels: of the user, asked in this order, besides those that the network was loaded with.
    effort: 0 to 3, how much the planner may search for a faster plan; counted, never timed, so a
      network gets the same plan everywhere.
    state: 'keep': what a sample leaves in an LSTM or SVDF is there for the next (`presil.load`).
    progress: called now and then with the stage, how much of it is done, and of how much (0 where
      that is not known).
    overlap: a sample may begin on an engine while others are still at work on the one before
      (`presil.run` with in_flight): commands wait for what they must not overtake in the SRAM.
    sram_bytes: of the SoC's SRAM that the network may use, a multiple of 4096, where other networks
      have the rest (`presil.serve`); 0: all.
    decisions: of the planner, that are done and not searched for: a mapping as
      `Program.decisions` gives it, or a JSON file; any part of it.
    without: engines that compute nothing of the network, to compare: `dla`, `dma`, `dsp`. Without
      any of them the host computes all.
    """
    check_options(dispatch, effort)
    left_out = checked_without(without)
    config = load_soc(soc, set, engines)
    given, every = with_kernels(net, numerics, post, kernels, state)
    if verify_passes is not False:
        inputs = None if verify_passes is True else verify_passes
        passes.verify_passes(given, inputs, kernels=every[len(given.kernels) :])
    share, decided = checked_share(sram_bytes), decisions_of(decisions)

    def of_tile(tile: Any) -> Program:
        begin = time.process_time()
        taken, verdicts = claims(given.graph, every)
        compiled = paths.native().compile(
            given.graph,
            tile,
            bool(strip),
            bool(fallback),
            dispatch == "host",
            taken,
            verdicts,
            effort,
            progress,
            bool(overlap),
            share,
            decided,
            left_out,
        )
        return Program(
            memoryview(compiled),
            tile,
            given,
            time.process_time() - begin,
            compiled.estimate,
            compiled.work,
            every,
            compiled.decisions,
        )

    if config.tiles == 1:
        return of_tile(config)
    first, *others = (of_tile(config.tile(t)) for t in dict.fromkeys(kind_of_tiles(config)))
    return replace(first, system=config, others=tuple(others))


def check_options(dispatch: Any, effort: Any) -> None:
    if not isinstance(dispatch, str) or dispatch not in DISPATCHES:
        raise Refusal(f"dispatch: got {described(dispatch)}, expected {' or '.join(DISPATCHES)}")
    if not isinstance(effort, int) or effort not in EFFORTS:
        raise Refusal(f"effort: got {described(effort)}, must be 0 to 3; leave it out for 2")


def checked_without(without: Any) -> list[str]:
    names = [without] if isinstance(without, str) else list(without)
    return [one_of(name, ENGINES, "compile: without") for name in names]


def checked_share(sram_bytes: Any) -> int:
    limits = ", must be a number of bytes, 0 for all of the SRAM"
    number(sram_bytes, 0, 2**32 - 1, "compile: sram_bytes", limits, whole=True)
    return int(sram_bytes)


def with_kernels(
    net: Any, numerics: str | None, post: str | Path | None, kernels: Any, state: str | None = None
) -> tuple[Network, tuple[Kernel, ...]]:
    """What presil.compile calls a network, and the kernels that are asked for it."""
    more, is_file = kernels_of(kernels), isinstance(net, (str, os.PathLike))
    given = network_of(net, numerics, post, more if is_file else (), state)
    return given, given.kernels if is_file else (*given.kernels, *more)


def read_loadable(file: str | Path, soc: Any = None, kernels: Any = ()) -> Program:
    """A loadable from its file, to look at; `open_loadable` is for running it."""
    path = existing_file(file, "loadable", "`presil compile NET -o OUT.presil` makes one")
    load_engines()  # whose streams it may have
    return Program(path.read_bytes(), soc, kernels=kernels_of(kernels))


def assemble(streams: str, program: Program) -> Program:
    """The program with the commands that the text says, which `Program.stream_text` wrote and a
    person may have changed; as many of each queue, all else stays."""
    instance(streams, str, "assemble: the streams", "a text, as Program.stream_text gives it")
    instance(program, Program, "assemble: the program", "a presil.Program")
    loadable = bytes(paths.native().assemble(streams, program.loadable))
    return replace(program, loadable=loadable, compile_s=None, estimate=None, work=None, others=())


def open_loadable(file: str | Path, soc: Any = None, kernels: Any = ()) -> Program:
    """A loadable from its file, to run on `soc`, or on the SoC that it was compiled for.

    kernels: references of custom operators."""
    program = read_loadable(file, kernels=kernels)
    if soc is None:
        program.soc = of_text(program.info["soc_name"], program.info["soc_text"])
        return program
    soc = load_soc(soc)
    if soc.tiles > 1:
        if any(kind_of_tiles(soc)):
            raise Refusal(
                f"loadable: '{file}' is a program for one kind of tile, and those of SoC "
                f"'{soc.label}' are not alike; give the network, which is compiled for each"
            )
        program.system, soc = soc, soc.tile(0)
    program.soc = soc
    if other := differing_engines(program.info["soc_text"], soc.canonical_text):
        raise Refusal(f"loadable: '{file}' {other}")
    differences = soc_differences(program.info["soc_text"], soc.canonical_text)
    if differences:
        more = len(differences) - MOST_DIFFERENCES
        raise Refusal(
            f"loadable: '{file}' was compiled for SoC '{program.info['soc_name']}', this is "
            f"'{soc.name}' with other parameters: {'; '.join(differences[:MOST_DIFFERENCES])}"
            f"{f'; and {more} more' if more > 0 else ''}; compile the network again for this SoC"
        )
    return program


def is_loadable(
    file: str,
    numerics: str | None,
    post: str | None,
    no_fallback: bool,
    dispatch: str = DISPATCHES[0],
    effort: int = USUAL_EFFORT,
    batch: int = 1,
) -> bool:
    """Whether the file is a loadable, whose network options are decided."""
    if Path(file).suffix != ".presil":
        return False
    chosen = dispatch != DISPATCHES[0] or effort != USUAL_EFFORT or batch != 1
    if numerics or post or no_fallback or chosen:
        raise Refusal(
            "run: --numerics, --post, --batch, --dispatch, --effort and --no-fallback are fixed in "
            "a loadable; give the network instead"
        )
    return True


def program_for(
    given: Any,
    soc: Any = None,
    set: Overrides = (),  # noqa: A002
    numerics: str | None = None,
    post: str | Path | None = None,
    kernels: Any = (),
    engines: Any = (),
    state: str | None = None,
    overlap: bool = False,
) -> Program:
    """What people give to be run, compiled if it is not; what is decided in it cannot be given."""
    loadable = isinstance(given, (str, os.PathLike)) and Path(given).suffix == ".presil"
    if not loadable and not isinstance(given, Program):
        chosen = "edge" if soc is None else soc
        return compile(
            given,
            chosen,
            set=set,
            numerics=numerics,
            post=post,
            kernels=kernels,
            engines=engines,
            state=state,
            overlap=overlap,
        )
    load_engines(engines)
    if numerics is not None or post is not None:
        raise Refusal(
            "run: numerics and post are decided in a compiled program; give the network instead"
        )
    if isinstance(given, Program):
        if soc is not None or set or kernels_of(kernels):
            raise Refusal(
                "run: soc, set and kernels are decided in a compiled program; give the network "
                "instead, or give them to presil.compile"
            )
        return with_states(given, state)
    if soc is None and set:
        raise Refusal("run: set changes parameters of a soc, and a loadable has its own; give soc")
    opened = open_loadable(given, None if soc is None else load_soc(soc, set, engines), kernels)
    return with_states(opened, state)


def with_states(program: Program, state: str | None) -> Program:
    """The program, which must have its states as inputs where they are to be kept."""
    if state == "keep" and (program.graph is None or not program.graph.states):
        raise Refusal(
            "run: state is 'keep', and this compiled program resets its states in every run, or "
            "has none; compile the network with --state keep, without --strip"
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
