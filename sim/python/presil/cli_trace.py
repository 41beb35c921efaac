"""Options of what is traced: blocks in RTL, and programs on the DSP."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click

from .profile import LINES, MOST_LINES, DspTrace
from .refusal import Refusal
from .simulation import RTL_SEED
from .trace import Trace

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
