"""The verb `mutate`: faults in RTL and models, and whether a suite's tests find them."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from . import paths
from .atomic import check_file, write_file
from .console import console
from .heartbeat import heartbeat
from .mutate.campaign import Progress, mutate
from .mutate.sites import KINDS, ROOMS
from .mutate.table import killed_share, markdown_text, reasons_of, survivors
from .names import one_of
from .record import as_json
from .refusal import EXIT_CHECK_FAILED

REASONS = "testbench/mutate/survivors.yaml"


@click.command("mutate")
@click.option("--rooms", default=",".join(ROOMS), metavar="dla,dma,sync", show_default=True)
@click.option("--rtl", "kind", flag_value="rtl", help="Only SystemVerilog.")
@click.option("--models", "kind", flag_value="model", help="Only the C++ of the models.")
@click.option("--mutants", "count", type=click.IntRange(1, 100_000), default=330, metavar="N")
@click.option("--seed", type=int, default=1, metavar="S", help="Which mutants are chosen.")
@click.option("--suite", metavar="SUITE.yaml", help="Default: sim/nets/nightly.yaml.")
@click.option("--cases", type=click.IntRange(min=0), default=8, metavar="N", show_default=True,
              help="Cases of the suite that a mutant is tried with.")  # fmt: skip
@click.option("--floor", type=click.FloatRange(0, 100), default=97.0, metavar="PERCENT",
              show_default=True, help="Fewer kills end with exit code 1.")  # fmt: skip
@click.option("--prepare", is_flag=True, help="Choose and build; try nothing.")
@click.option("--retry", is_flag=True, help="Build again with the tests that there are now; try "
              "those that have survived.")  # fmt: skip
@click.option("--out", required=True, metavar="DIR", help="Continues the campaign that it holds.")
@click.option("--json", "json_file", metavar="FILE", help="The record; -: on stdout.")
@click.option("--markdown", metavar="FILE", help="Kill rates and survivors as a document.")
def mutate_command(
    rooms: str,
    kind: str | None,
    count: int,
    seed: int,
    suite: str | None,
    cases: int,
    floor: float,
    prepare: bool,
    retry: bool,
    out: str,
    json_file: str | None,
    markdown: str | None,
) -> None:
    """Faults put into RTL and models, and what finds them."""
    for file in (json_file, markdown):
        if file not in (None, "-"):
            check_file(Path(str(file)))
    names = tuple(one_of(name.strip(), ROOMS, "mutate: --rooms") for name in rooms.split(","))
    kinds = KINDS if kind is None else (kind,)
    reasons = reasons_of(paths.ROOT / REASONS)
    with steps() as say:
        record = mutate(out, names, kinds, count, seed, suite, cases, prepare, retry, say)
    to_stdout = json_file == "-"
    if to_stdout:
        click.echo(as_json(record), nl=False)
    elif json_file is not None:
        write_file(json_file, as_json(record))
    screen = console(to_stdout)
    if prepare:
        said = f"{len(record['mutants'])} mutants built; the same command without --prepare goes on"
        screen.print(said, markup=False, soft_wrap=True)
        return
    text = markdown_text(record, reasons)
    if markdown is not None:
        write_file(markdown, text)
    screen.print(text, markup=False, soft_wrap=True)
    share = killed_share(record, reasons)
    if share < floor:
        left = len(survivors(record))
        said = f"FAILED  {share:.1f} % are killed, must be at least {floor:g} %; {left} survive"
        screen.print(said, markup=False, soft_wrap=True)
        sys.exit(EXIT_CHECK_FAILED)


@contextmanager
def steps() -> Iterator[Progress]:
    """What is being done, how far, and how long the rest will take."""
    begin: list[float] = []
    with heartbeat("mutate") as beat:

        def say(done: int, total: int, text: str) -> None:
            if not total:
                beat(text)
                return
            begin.append(time.monotonic())
            rest = (begin[-1] - begin[0]) / done * (total - done) if done else 0
            more = f", {rest / 60:.0f} minutes left" if done else ""
            beat(f"{text}{more}", done, total, "mutants")

        yield say
