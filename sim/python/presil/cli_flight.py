"""Options of verbs that compile for, or run, several samples in flight; of the host, its debugger
and the counters that its driver reads."""

from __future__ import annotations

from collections.abc import Callable

import click

from .host import HOSTS, NATIVE
from .run_expected import MOST_JOBS
from .run_plan import COUNTERS, MOST_IN_FLIGHT

Command = Callable[..., None]


def overlap_option(command: Command) -> Command:
    return click.option(
        "--overlap", is_flag=True, help="For several samples in flight: `presil run --in-flight`."
    )(command)


def in_flight_option(command: Command) -> Command:
    return click.option(
        "--in-flight",
        type=click.IntRange(1, MOST_IN_FLIGHT),
        default=1,
        show_default=True,
        help="Samples that the SoC has at once: one begins on an engine that the one before has "
        "left.",
    )(command)


def values_option(command: Command) -> Command:
    return click.option(
        "--values",
        type=click.Choice(("on", "off")),
        default="on",
        show_default=True,
        help="off: timing alone, the same cycles sooner; no outputs, nothing checked.",
    )(command)


def jobs_option(command: Command) -> Command:
    return click.option(
        "--jobs",
        type=click.IntRange(1, MOST_JOBS),
        metavar="N",
        help="Threads at work: with several, the check works beside compiler and simulator. "
        "Default: all processors.",
    )(command)


def way_options(command: Command) -> Command:
    """How samples go through the SoC: how many at once, with values or without."""
    return in_flight_option(values_option(jobs_option(command)))


def gdb_option(command: Command) -> Command:
    return click.option(
        "--gdb",
        multiple=True,
        metavar="[cpu:|dsp:]PORT",
        help="Wait for GDB at this port: at the host's core, or at the DSP. 0: any that is free.",
    )(command)


def host_option(command: Command) -> Command:
    return click.option(
        "--host",
        type=click.Choice(HOSTS),
        default=NATIVE,
        show_default=True,
        help="What runs the driver: this process, or a core with it as firmware.",
    )(command)


def counters_option(command: Command) -> Command:
    return click.option(
        "--counters",
        type=click.Choice(COUNTERS),
        help="The engines' counters as the driver reads them: of the whole job, or of each layer, "
        "at whose borders it then stops.",
    )(command)
