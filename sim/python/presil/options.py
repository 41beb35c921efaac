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
from .engines import libraries
from .fitting import LAYOUTS
from .host import NATIVE
from .image import Image, is_elf, read_image
from .inputs import ImageOptions, golden_slice, parse_samples, read_inputs
from .kernel_file import read_kernels
from .nets import bundled
from .network import MOST_BATCH, NUMERICS, load
from .passes import verify_passes
from .profile import LINES, MOST_LINES, DspTrace
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
from .run_folder import HOME, OutputPath, RunFolder, folder_name
from .simulation import RTL_SEED
from .soc import load_soc
from .states import STATES, States
from .trace import Trace
from .watch import compiling

BY_BYTES = ("network", "inputs", "samples", "goldens", "letterbox", "mean", "scale", "layout")
BY_BYTES += ("bgr", "seed", "soc", "overrides", "numerics", "post", "no_fallback", "dispatch")
BY_BYTES += ("effort", "engines", "batch")
OF_THE_VIEW = ("out", "force", "json_file", "quiet", "verbose", "layers")
"""Options that a run may differ in and still be the same one: those whose effect is in the bytes
of loadable and data, and those of what is shown."""
USUAL = (("host", NATIVE), ("in_flight", 1), ("gdb", ()), ("values", "on"), ("counters", None))
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
    registered = read_kernels(kernels)
    if is_loadable(file, numerics, post, no_fallback, dispatch, effort, batch):
        return with_states(open_loadable(file, soc, registered), state)
    net = load(file, numerics, post, registered, batch, state or STATES[0])
    with compiling(not quiet) as told:
        chosen: Any = dict(dispatch=dispatch, effort=effort, overlap=overlap, decisions=decisions)
        return compile(net, soc, strip, not no_fallback, progress=told, **chosen)


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

    def prepared(self) -> Ready:
        """Compiled, read and checked; what cannot be written is refused before."""
        own = bundled(self.network)
        if own and own.sample and self.batch == 1 and self.samples in (None, "0:1"):
            self.inputs = self.inputs or (str(own.sample),)
        self.check_writable()
        if is_elf(self.network):
            return self.prepared_image(read_image(self.network))
        soc = load_soc(self.soc, self.overrides, self.engines)
        program = program_of(
            self.network,
            soc,
            self.numerics,
            self.post,
            self.no_fallback,
            self.dispatch,
            kernels=self.kernels,
            effort=self.effort,
            quiet=self.quiet,
            batch=self.batch,
            state=self.state,
            overlap=self.overlap,
        )
        return self.ready(program)

    def prepared_image(self, image: Image) -> Ready:
        """The network is in it, for the SoC that it was made for."""
        given = self.numerics, self.post, self.no_fallback, self.dispatch
        is_loadable("image.presil", *given, self.effort, self.batch)  # fixed in it as well
        if self.soc != "edge" or self.overrides or self.engines:
            raise Refusal("run: the SoC is fixed in an image; give the network instead")
        ready = self.ready(image.program)
        ready.runs = image
        if not self.inputs:
            ready.arrays, ready.source = image.arrays(), "the sample in the image"
        return ready

    def ready(self, program: Program) -> Ready:
        """With its inputs read."""
        states = States.of(program.graph, self.state != "reset")
        given = states.given(program.inputs)
        image = ImageOptions(self.letterbox, self.mean, self.scale, self.layout, self.bgr)
        chosen = parse_samples(self.samples)
        arrays, source, total = read_inputs(list(self.inputs), given, chosen, image, self.seed)
        expected = [
            golden_slice(file, tensor, chosen, total, self.layout)
            for file, tensor in zip(self.goldens, program.outputs)
        ]
        if len(self.goldens) > len(expected):
            raise Refusal(
                f"golden: got {len(self.goldens)} files, the network has {len(expected)} outputs"
            )
        verified = None
        if self.verify_passes:
            first = states.before(split_samples(given, arrays)[0])
            verified = verify_passes(program.network, first)
        return Ready(program, arrays, expected, source, image, bool(self.inputs), verified)

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


Command = Callable[..., None]


def rtl_options(traces: tuple[str, ...] = ("perfetto", "fst")) -> Callable[[Command], Command]:
    """Of verbs that can run blocks in RTL; traces: what they can write."""
    return lambda command: with_rtl_options(command, traces)


def with_rtl_options(command: Command, traces: tuple[str, ...]) -> Command:
    command = click.option(
        "--rtl-seed",
        type=int,
        default=RTL_SEED,
        show_default=True,
        help="Of the state that reset does not set, in RTL.",
    )(command)
    command = click.option(
        "--trace-window",
        default="",
        metavar="layer=NAME|cycles=A:B|kernel=NAME",
        help="What fst or dsp shows; default the first sample, in lock-step the first divergence.",
    )(command)
    return click.option(
        "--trace",
        "traces",
        multiple=True,
        is_flag=False,
        flag_value="perfetto",
        type=click.Choice(traces),
        help="Extra outputs: trace.json.gz for Perfetto, waveforms of blocks in RTL, "
        "instructions of the DSP.",
    )(command)


def dsp_options(command: Command) -> Command:
    """What can be seen of programs on the DSP."""
    command = click.option(
        "--trace-lines",
        type=click.IntRange(1, MOST_LINES),
        default=LINES,
        show_default=True,
        help="Most lines of --trace dsp.",
    )(command)
    command = click.option(
        "--trace-tile", type=click.IntRange(min=0), help="Of a layer, what --trace dsp shows."
    )(command)
    return click.option(
        "--profile",
        is_flag=True,
        help="What each instruction of the DSP's kernels did, for `presil profile`.",
    )(command)


def trace_of(traces: tuple[str, ...], window: str, folder: Path) -> Trace | None:
    if window and not {"fst", "dsp"} & set(traces):
        raise Refusal(
            "trace: --trace-window says what --trace fst or dsp shows, and neither is there"
        )
    return Trace(folder, window) if "fst" in traces else None


def dsp_trace_of(
    traces: tuple[str, ...], window: str, tile: int | None, lines: int, folder: Path
) -> DspTrace | None:
    if "dsp" in traces:
        return DspTrace(folder / "dsp.txt", window, tile, lines)
    if tile is not None:
        raise Refusal("trace: --trace-tile says what --trace dsp shows, and that is not there")
    return None
