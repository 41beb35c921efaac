"""`presil tune`, and the options of `presil compile` that take and give decisions."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import click

from .atomic import check_file, write_file
from .console import console, progress_bar
from .options import soc_options
from .program import EFFORTS, USUAL_EFFORT, Program
from .refusal import Refusal


def decisions_options(command: Callable[..., None]) -> Callable[..., None]:
    command = click.option(
        "--give-decisions", metavar="FILE", help="Write what the planner has decided, as JSON."
    )(command)
    return click.option(
        "--decisions", metavar="FILE", help="Decisions of the planner that are done as they are."
    )(command)


def check_compile(network: str, output: str, decisions: str | None, give: str | None) -> None:
    """What cannot be written or done, before anything is compiled."""
    check_file(output)
    if network.endswith(".presil") and (decisions or give):
        raise Refusal("compile: decisions are fixed in a loadable; give the network instead")
    if give is not None:
        check_file(give)


def save_decisions(program: Program, file: str | None) -> None:
    from .decisions import write_decisions

    if file is not None and program.decisions is not None:
        write_decisions(program.decisions, file)


@click.command("tune")
@click.argument("network")
@click.option("--trials", default=128, show_default=True, help="Decisions that are simulated.")
@click.option("-o", "--output", metavar="FILE", help="Of the decisions found, as JSON.")
@click.option("--decisions", metavar="FILE", help="Where the search starts.")
@click.option("--database", metavar="DIR", help="Results, which a later call goes on from.")
@click.option("--numerics", metavar="NAME", help="The integer rules, as of `presil run`.")
@click.option("--post", metavar="FILE.yaml", help="Box decoding and NMS, as of `presil run`.")
@click.option(
    "--effort",
    type=click.IntRange(EFFORTS[0], EFFORTS[-1]),
    default=USUAL_EFFORT,
    show_default=True,
    help="Of the planner, for what is not decided.",
)
@click.option("--jobs", default=0, show_default=True, help="Processes; 0: one for each core.")
@click.option("--seed", default=0, show_default=True, help="Of what is proposed.")
@click.option("--json", "json_file", metavar="FILE", help="The record.")
@click.option("--quiet", is_flag=True, help="Print nothing.")
@soc_options
def tune_command(
    network: str,
    trials: int,
    output: str | None,
    decisions: str | None,
    database: str | None,
    numerics: str | None,
    post: str | None,
    effort: int,
    jobs: int,
    seed: int,
    json_file: str | None,
    quiet: bool,
    soc: str,
    overrides: tuple[str, ...],
    engines: tuple[str, ...],
) -> None:
    """Search over the planner's decisions, by simulated cycles."""
    from .soc import load_soc
    from .tune import save, tune

    for file in filter(None, (output, json_file)):
        check_file(file)
    with progress_bar("trials", not quiet) as told:
        tuned = tune(
            network,
            load_soc(soc, overrides, engines),
            trials,
            numerics=numerics,
            post=post,
            effort=effort,
            jobs=jobs,
            seed=seed,
            start=decisions,
            folder=database,
            progress=None if told is None else lambda done, total, best: told(done, total),
        )
    if output is not None:
        save(tuned, output)
    if json_file is not None:
        write_file(json_file, json.dumps(tuned.record(), indent=1) + "\n")
    if not quiet:
        console().print(sentence(tuned), soft_wrap=True, markup=False)


def sentence(tuned: Any) -> str:
    """What was found, for people."""
    tried = "all" if tuned.exhaustive else f"{tuned.trials:,}"
    return (
        f"{tuned.network} on {tuned.soc}: {tuned.cycles:,} cycles, the planner's own plan takes "
        f"{tuned.default:,} ({100 * tuned.gain:.1f}% less); {tried} of the decisions tried "
        f"({tuned.trials:,} trials, {tuned.refused:,} refused) in {tuned.wall_s:.1f} s"
    )
