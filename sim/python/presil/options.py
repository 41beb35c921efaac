"""Options that mean the same for several verbs, and what they make ready."""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

import click
import numpy as np

from .atomic import check_file, check_folder
from .console import console
from .custom import Customs
from .engines import libraries
from .fitting import LAYOUTS
from .host import NATIVE
from .image import Image, is_elf, read_image
from .inputs import ImageOptions, golden_slice, parse_samples, read_inputs
from .kernel_file import read_kernels
from .nets import bundled
from .network import MOST_BATCH, NUMERICS, Network, load
from .passes import verify_passes
from .program import (
    DISPATCHES,
    EFFORTS,
    USUAL_EFFORT,
    Program,
    compile,
    is_loadable,
    open_loadable,
    with_states,
)
from .record import digest, header
from .refusal import Refusal
from .run import CHECKS, split_samples
from .run_expected import Expected
from .run_folder import HOME, OutputPath, RunFolder, folder_name
from .soc import load_soc
from .states import STATES, States
from .watch import compiling

BY_BYTES = ("network", "inputs", "samples", "goldens", "letterbox", "mean", "scale", "layout")
BY_BYTES += ("bgr", "seed", "soc", "overrides", "numerics", "post", "no_fallback", "dispatch")
BY_BYTES += ("effort", "engines", "batch")
OF_THE_VIEW = ("out", "force", "json_file", "quiet", "verbose", "layers", "jobs")
"""Options that a run may differ in and still be the same one: those whose effect is in the bytes
of loadable and data, and those of what is shown."""
USUAL = (("host", NATIVE), ("in_flight", 1), ("gdb", ()), ("values", "on"))
USUAL += (("counters", None),)
"""Options that came later than folders of runs: what these have had all along is not told."""


def change_options(command: Callable[..., None]) -> Callable[..., None]:
    """What a SoC has otherwise."""
    command = click.option(
        "--set", "overrides", multiple=True, metavar="NAME=VALUE", help="Override one parameter."
    )(command)
    return click.option(
        "--engine",
        "engines",
        multiple=True,
        metavar="DIR",
        help="Engine from outside, by its folder; PRESIL_ENGINES lists more.",
    )(command)


def soc_options(command: Callable[..., None]) -> Callable[..., None]:
    return click.option(
        "--soc", default="edge", show_default=True, metavar="NAME|FILE", help="Preset or YAML file."
    )(change_options(command))


def layers_option(command: Callable[..., None]) -> Callable[..., None]:
    """Of every verb that lists layers or operators."""
    return click.option(
        "--layers", "every_layer", is_flag=True, help="List all, also of a network of many."
    )(command)


def network_options(command: Callable[..., None]) -> Callable[..., None]:
    command = click.option(
        "--no-fallback", is_flag=True, help="Refuse networks with operators that run on the host."
    )(command)
    command = click.option(
        "--dispatch",
        type=click.Choice(DISPATCHES),
        default=DISPATCHES[0],
        show_default=True,
        help="What starts the next layer: the engines' counters, or the ARM, for comparison.",
    )(command)
    command = click.option(
        "--effort",
        type=click.IntRange(EFFORTS[0], EFFORTS[-1]),
        default=USUAL_EFFORT,
        show_default=True,
        help="How much to search for a faster plan; 0: the first that fits.",
    )(command)
    command = click.option(
        "--batch",
        type=click.IntRange(1, MOST_BATCH),
        default=1,
        show_default=True,
        help="Images that a network of one image computes at a time.",
    )(command)
    command = click.option(
        "--numerics",
        type=click.Choice(NUMERICS),
        help="Integer rules; default tflite for TFLite files.",
    )(command)
    command = click.option(
        "--kernels",
        metavar="FILE.yaml",
        help="Kernels of your own on the DSP (driver/kernels/dsp/README.md).",
    )(command)
    command = click.option(
        "--state",
        type=click.Choice(STATES),
        help="Of an LSTM, an SVDF over samples: 0 before each, the default, or kept.",
    )(command)
    return click.option(
        "--post",
        metavar="FILE.yaml[,score=S]",
        help="Attach box decoding and NMS to the network; score, iou, max instead of the file's.",
    )(command)


def opened_of(
    file: str,
    soc: Any,
    numerics: str | None,
    post: str | None,
    no_fallback: bool,
    dispatch: str,
    kernels: str | None,
    effort: int,
    batch: int,
    state: str | None,
) -> Program | Network:
    """A network loaded, or a loadable opened; kernels give that references only."""
    registered = read_kernels(kernels)
    if is_loadable(file, numerics, post, no_fallback, dispatch, effort, batch):
        return with_states(open_loadable(file, soc, registered), state)
    return load(file, numerics, post, registered, batch, state or STATES[0])


def compiled_of(
    net: Network,
    soc: Any,
    no_fallback: bool,
    quiet: bool,
    chosen: dict[str, Any],
    strip: bool = False,
) -> Program:
    with compiling(not quiet) as told:
        return compile(net, soc, strip, not no_fallback, progress=told, **chosen)


def program_of(
    file: str,
    soc: Any,
    numerics: str | None,
    post: str | None,
    no_fallback: bool,
    dispatch: str = DISPATCHES[0],
    strip: bool = False,
    kernels: str | None = None,
    effort: int = USUAL_EFFORT,
    quiet: bool = False,
    batch: int = 1,
    state: str | None = None,
    overlap: bool = False,
    decisions: str | None = None,
) -> Program:
    """A network compiled, or a loadable opened; kernels give that references only."""
    given = numerics, post, no_fallback, dispatch
    opened = opened_of(file, soc, *given, kernels, effort, batch, state)
    if isinstance(opened, Program):
        return opened
    chosen = dict(dispatch=dispatch, effort=effort, overlap=overlap, decisions=decisions)
    return compiled_of(opened, soc, no_fallback, quiet, chosen, strip)


@dataclass
class Ready:
    """What a run of samples needs."""

    program: Program
    arrays: list[np.ndarray]
    goldens: list[np.ndarray]
    source: str
    image: ImageOptions
    given: bool
    passes: dict[str, Any] | None = None
    asked: dict[str, Any] | None = None
    runs: Image | None = None
    """What runs it, where that is an image of its own."""
    begun: Expected | None = None
    """The interpreter at work with the first sample."""

    def describe(self, record: dict[str, Any]) -> None:
        """Where the data came from, into the record."""
        image = self.image.record() if self.given else None
        record["input"].update(source=self.source, image=image)
        if self.passes is not None:
            record["passes"] = self.passes
        record["asked"] = self.asked


@dataclass
class RunOptions:
    """Of every verb that runs samples; names are those of the command line's parameters."""

    network: str
    inputs: tuple[str, ...]
    samples: str | None
    check: str
    goldens: tuple[str, ...]
    letterbox: int | None
    mean: float
    scale: float | None
    layout: str
    bgr: bool
    timeout_ms: float
    out: str | None
    force: bool
    json_file: str | None
    seed: int
    quiet: bool
    soc: str
    overrides: tuple[str, ...]
    engines: tuple[str, ...]
    numerics: str | None
    post: str | None
    no_fallback: bool
    dispatch: str
    kernels: str | None
    effort: int
    batch: int
    state: str | None
    verify_passes: bool
    every_layer: bool
    overlap: bool = field(default=False, init=False)
    """What is compiled here is compiled for several samples in flight."""
    workers: int = field(default=0, init=False)
    """Interpreters that begin while the network is compiled."""

    def prepared(self) -> Ready:
        """Compiled, read and checked; what cannot be written is refused before."""
        own = bundled(self.network)
        if own and own.sample and self.batch == 1 and self.samples in (None, "0:1"):
            self.inputs = self.inputs or (str(own.sample),)
        self.check_writable()
        if is_elf(self.network):
            return self.prepared_image(read_image(self.network))
        soc = load_soc(self.soc, self.overrides, self.engines)
        given = self.numerics, self.post, self.no_fallback, self.dispatch
        opened = opened_of(
            self.network, soc, *given, self.kernels, self.effort, self.batch, self.state
        )
        ready = self.ready(opened)
        if isinstance(opened, Network):
            if self.workers and soc.tiles == 1:
                self.begin(ready, opened)
            chosen = dict(dispatch=self.dispatch, effort=self.effort, overlap=self.overlap)
            ready.program = compiled_of(opened, soc, self.no_fallback, self.quiet, chosen)
        self.verify(ready)
        return ready

    def begin(self, ready: Ready, net: Network) -> None:
        """Lets the interpreter work on the first sample meanwhile."""
        plain = Customs(net.graph, net.kernels).function() is None
        if plain and self.check != "none":
            ready.begun = Expected(net.graph, self.check == "layers", self.workers)
            states = States.of(net.graph, self.state != "reset")
            first = split_samples(states.given(net.inputs), ready.arrays)[0]
            ready.begun.begin(0, states.before(first))

    def verify(self, ready: Ready) -> None:
        if self.verify_passes:
            states = States.of(ready.program.graph, self.state != "reset")
            first = split_samples(states.given(ready.program.inputs), ready.arrays)[0]
            ready.passes = verify_passes(ready.program.network, states.before(first))

    def prepared_image(self, image: Image) -> Ready:
        """The network is in it, for the SoC that it was made for."""
        given = self.numerics, self.post, self.no_fallback, self.dispatch
        is_loadable("image.presil", *given, self.effort, self.batch)  # fixed in it as well
        if self.soc != "edge" or self.overrides or self.engines:
            raise Refusal("run: the SoC is fixed in an image; give the network instead")
        ready = self.ready(image.program)
        self.verify(ready)
        ready.runs = image
        if not self.inputs:
            ready.arrays, ready.source = image.arrays(), "the sample in the image"
        return ready

    def ready(self, opened: Program | Network) -> Ready:
        """With its inputs read; the program of a network is still to be compiled."""
        states = States.of(opened.graph, self.state != "reset")
        given = states.given(opened.inputs)
        image = ImageOptions(self.letterbox, self.mean, self.scale, self.layout, self.bgr)
        chosen = parse_samples(self.samples)
        arrays, source, total = read_inputs(list(self.inputs), given, chosen, image, self.seed)
        expected = [
            golden_slice(file, tensor, chosen, total, self.layout)
            for file, tensor in zip(self.goldens, opened.outputs)
        ]
        if len(self.goldens) > len(expected):
            raise Refusal(
                f"golden: got {len(self.goldens)} files, the network has {len(expected)} outputs"
            )
        program: Any = opened if isinstance(opened, Program) else None
        return Ready(program, arrays, expected, source, image, bool(self.inputs))

    def check_writable(self) -> None:
        target = OutputPath.of(self.out, self.force) if self.out else None
        if target:
            target.check()
        else:
            check_folder(HOME)
        if self.json_file not in (None, "-"):
            file = Path(str(self.json_file))
            if not (target and file.parent == target.folder):
                check_file(file)

    def asked(self, ready: Ready) -> dict[str, Any]:
        """What makes this run: two that asked for the same are one. What went into loadable,
        inputs and goldens is told by their bytes, all else as it was given."""
        context = click.get_current_context()
        options = {
            name: [value, file_digest(value)] if file_digest(value) else value
            for name, value in sorted(context.params.items())
            if name not in BY_BYTES + OF_THE_VIEW and (name, value) not in USUAL
        }
        asked = {
            "verb": context.info_name,
            "presil": header()["presil"],
            "network": ready.program.name,
            "loadable": hashlib.sha256(ready.program.loadable).hexdigest(),
            "inputs": digest(ready.arrays),
            "goldens": digest(ready.goldens),
            "options": options,
        }
        if own := libraries(ready.program.whole_soc):
            asked["engines"] = own
        return dict(json.loads(json.dumps(asked, default=str)))

    def claim(self, ready: Ready) -> RunFolder:
        """The folder that this run goes to."""
        asked = self.asked(ready)
        ready.asked = asked
        if self.out:
            target = OutputPath.of(self.out, self.force)
        else:
            name = folder_name(ready.program.name, ready.program.whole_soc.label)
            target = OutputPath(HOME / name, True, self.force)
        folder = target.claim(lambda record: record.get("asked") == asked)
        if folder.notice:
            console(stderr=True).print(folder.notice, markup=False, soft_wrap=True)
        return folder


def file_digest(value: object) -> str | None:
    """Of the file that an option names; none, if it names no file."""
    if not isinstance(value, str):
        return None
    try:
        if not Path(value).is_file():
            return None
        with open(value, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None


OPTIONS = (
    click.argument("network", metavar="NETWORK|NAME|LOADABLE|IMAGE"),
    click.option(
        "--input",
        "inputs",
        multiple=True,
        metavar="FILE",
        help="One per network input: .npy, .bin, image.",
    ),
    click.option(
        "--samples", metavar="A:B", help="Samples of the input file to run; default the first."
    ),
    click.option("--check", type=click.Choice(CHECKS), default="outputs", show_default=True),
    click.option(
        "--golden",
        "goldens",
        multiple=True,
        metavar="FILE",
        help="Output k must equal this file too.",
    ),
    click.option(
        "--letterbox",
        type=click.IntRange(0, 255),
        metavar="V",
        help="Keep the image's proportions, fill with V.",
    ),
    click.option("--mean", type=float, default=0.0, help="Of the image's pixels, before --scale."),
    click.option(
        "--scale",
        type=float,
        help="Real value of a pixel step; default: pixels span the input type.",
    ),
    click.option(
        "--layout",
        type=click.Choice(LAYOUTS),
        default=LAYOUTS[0],
        show_default=True,
        help="nchw: --input and --golden files of four axes hold N, C, H, W; an image becomes it.",
    ),
    click.option("--bgr", is_flag=True, help="Channels in the order blue, green, red."),
    click.option(
        "--timeout-ms",
        type=float,
        default=10000,
        show_default=True,
        help="Simulated time for a job.",
    ),
    click.option(
        "--out",
        metavar="DIR",
        help="Run folder; default presil-out/<network>-<soc>[-overrides], where that holds "
        "another run with a number appended.",
    ),
    click.option("--force", is_flag=True, help="Replace another run that is in the folder."),
    click.option(
        "--json",
        "json_file",
        is_flag=False,
        flag_value="-",
        metavar="[FILE]",
        help="run.json on stdout or in FILE.",
    ),
    click.option(
        "--seed",
        type=click.IntRange(min=0),
        default=0,
        show_default=True,
        help="For random inputs.",
    ),
    click.option(
        "--verify-passes",
        is_flag=True,
        help="Run the reference interpreter around every pass, on the first sample.",
    ),
    click.option("--quiet", is_flag=True, help="Only the verdict."),
    layers_option,
    soc_options,
    network_options,
)


def run_options(command: Callable[..., None]) -> Callable[..., None]:
    """A verb that runs samples: gets `options` and what it asks for besides."""

    @functools.wraps(command)
    def collected(**given: Any) -> None:
        names = [field.name for field in fields(RunOptions) if field.init]
        options = RunOptions(**{name: given.pop(name) for name in names})
        command(options=options, **given)

    for option in reversed(OPTIONS):
        collected = option(collected)
    return collected
