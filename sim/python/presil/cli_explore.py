"""The verb `explore`: a network on many SoCs."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click
from rich.console import Console

from .atomic import check_file, write_file
from .console import console, progress_bar
from .explore import Explored, explore
from .fit import Cell, Column, print_table
from .record import as_json
from .refusal import EXIT_CHECK_FAILED
from .run_folder import HOME, folder_name

SHOWN = 20
EXACT = {True: "✓", False: "NO", None: "–"}


@click.command("explore")
@click.argument("sweep", metavar="SWEEP.yaml")
@click.option("--out", metavar="DIR", help="Default: presil-out/explore-<sweep>. Kept results are.")
@click.option("--json", "json_file", metavar="FILE", help="The record of all points; -: stdout.")
@click.option("--jobs", type=click.IntRange(min=1), metavar="N", help="Default: all processors.")
@click.option("--cluster", metavar="local|tcp://…|slurm", help="Workers of Dask instead.")
@click.option("--quiet", is_flag=True, help="Only the last line.")
def explore_command(
    sweep: str,
    out: str | None,
    json_file: str | None,
    jobs: int | None,
    cluster: str | None,
    quiet: bool,
) -> None:
    """A network on many SoCs: grid, list, random or Bayesian search."""
    folder = Path(out) if out else HOME / folder_name("explore", Path(sweep).stem)
    if json_file not in (None, "-"):
        check_file(Path(str(json_file)))
    with remaining(not quiet) as progress:
        explored = explore(sweep, folder, jobs, progress, cluster)
    explored.save(folder)
    if json_file == "-":
        click.echo(as_json(explored.record), nl=False)
    else:
        if json_file is not None:
            write_file(json_file, as_json(explored.record))
        print_explored(console(), explored, folder, quiet)
    if not explored.exact:
        sys.exit(EXIT_CHECK_FAILED)


@contextmanager
def remaining(enabled: bool) -> Iterator[Callable[[int, int], None] | None]:
    """The bar of other verbs, and, in a log, how long it will take."""
    begin = time.monotonic()
    with progress_bar("points", enabled) as bar:
        if bar is None:
            yield None
            return
        first: list[int] = []

        def progress(done: int, total: int) -> None:
            bar(done, total)
            first.append(done)
            ran = done - first[0]
            now = time.monotonic()
            if ran and now - last[0] > 10 and done < total:
                last[0] = now
                left = (now - begin) / ran * (total - done)
                text = f"presil: {done:,} of {total:,} points, about {left:,.0f} s left"
                print(text, file=sys.stderr, flush=True)

        last = [begin]
        yield progress


def print_explored(out: Console, explored: Explored, folder: Path, quiet: bool) -> None:
    record, counts = explored.record, explored.record["counts"]
    best = sorted(explored.points, key=lambda p: (not p["pareto"], p["cycles"]))
    names = list(dict.fromkeys(name for p in best for name in p["set"]))
    if not quiet and best:
        columns = [Column("network", drop=1)] + [Column(name, right=True) for name in names]
        columns += [Column("cycles", right=True), Column("SRAM", right=True)]
        columns += [Column("DRAM", right=True), Column("exact"), Column("Pareto")]
        rows: list[list[Cell]] = [
            [
                Path(p["network"]).stem,
                *(str(p["set"].get(name, "–")) for name in names),
                f"{p['cycles']:,}",
                f"{p['sram_bytes']:,}",
                f"{p['dram_bytes']:,}",
                EXACT[p["exact"]],
                "✓" if p["pareto"] else "",
            ]
            for p in best[:SHOWN]
        ]
        print_table(out, columns, rows)
        if len(best) > SHOWN:
            out.print(f"the {SHOWN} best of {len(best):,} points; points.csv has every one")
        for row in record["sensitivity"]:
            said = f"{row['parameter']} changes {row['objective']} by up to {row['percent']:.1f}%"
            out.print(said, soft_wrap=True)
        for name in record["without_value"]:
            out.print(f"{name} has no value for some point, so it is not sought", soft_wrap=True)
        for entry in explored.refused[:3]:
            sets = ", ".join(f"{name}={value}" for name, value in entry["set"].items())
            out.print(f"refused: {sets}: {entry['sentence']}", markup=False, soft_wrap=True)
        out.print(f"page: {folder / 'explore.html'}", markup=False, soft_wrap=True)
    out.print(
        f"{len(explored.points):,} points, {len(explored.pareto):,} Pareto-optimal, "
        f"{len(explored.refused):,} refused, {len(record['excluded']):,} excluded; "
        f"{counts['simulated']:,} simulated, {counts['cached']:,} known",
        soft_wrap=True,
    )
