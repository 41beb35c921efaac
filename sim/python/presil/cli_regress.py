"""The verb `regress`: a suite of networks on SoCs, held against what is expected."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from .atomic import check_file, write_file
from .console import console, progress_bar
from .record import as_json
from .refusal import EXIT_CHECK_FAILED, Refusal
from .regress import baseline_text, junit_text, markdown_text, merged
from .regress import regress as run_suite
from .regress_trend import add_to_trend, trend_of
from .report.trend_html import trend_page


@click.command("regress")
@click.argument("suite", metavar="SUITE.yaml")
@click.option("--baseline", metavar="FILE", help="Default: SUITE.baseline.json beside the suite.")
@click.option("--record", is_flag=True, help="Write the baseline; nothing is held against it.")
@click.option("--jobs", type=click.IntRange(min=1), metavar="N", help="Default: all processors.")
@click.option("--cluster", metavar="local|tcp://…|slurm", help="Workers of Dask instead.")
@click.option("--shard", metavar="I/N", help="Only every N-th case, from the I-th on.")
@click.option("--merge", multiple=True, metavar="FILE", help="Results of shards; runs nothing.")
@click.option("--json", "json_file", metavar="FILE", help="The result; -: on stdout.")
@click.option("--junit", metavar="FILE", help="The result as JUnit XML.")
@click.option("--markdown", metavar="FILE", help="The result as a table.")
@click.option("--trend", metavar="FILE", help="A SQLite file that a row for each case joins.")
@click.option("--trend-html", metavar="FILE", help="A page that draws what --trend holds.")
def regress_command(
    suite: str,
    baseline: str | None,
    record: bool,
    jobs: int | None,
    cluster: str | None,
    shard: str | None,
    merge: tuple[str, ...],
    json_file: str | None,
    junit: str | None,
    markdown: str | None,
    trend: str | None,
    trend_html: str | None,
) -> None:
    """Networks on SoCs against what is expected of them."""
    if trend_html is not None and trend is None:
        raise Refusal("regress: --trend-html draws a trend; give its file, --trend FILE")
    for file in (json_file, junit, markdown, trend, trend_html):
        if file not in (None, "-"):
            check_file(Path(str(file)))
    kept = Path(baseline) if baseline else Path(suite).with_suffix(".baseline.json")
    with progress_bar("cases", not merge) as progress:
        against = None if record else kept
        result = (
            merged(merge) if merge else run_suite(suite, against, jobs, shard, progress, cluster)
        )
    if record:
        write_file(kept, baseline_text(result))
        console().print(f"baseline: {kept}", markup=False, soft_wrap=True)
    for chosen, text in ((junit, junit_text), (markdown, markdown_text)):
        if chosen is not None:
            write_file(chosen, text(result))
    if trend is not None:
        add_to_trend(trend, result)
        if trend_html is not None:
            write_file(trend_html, trend_page(result["suite"], trend_of(trend, result["suite"])))
    for row in result["cases"]:
        row.pop("record", None)
        for sentence in row["broken"]:
            said = f"{row['verdict'].upper()}  {row['name']}: {sentence}"
            console(json_file == "-").print(said, markup=False, soft_wrap=True)
    if json_file == "-":
        click.echo(as_json(result), nl=False)
    elif json_file is not None:
        write_file(json_file, as_json(result))
    counts = ", ".join(f"{n} {name}" for name, n in result["counts"].items())
    console(json_file == "-").print(f"{result['suite']}: {counts}", markup=False, soft_wrap=True)
    if result["counts"]["failed"]:
        sys.exit(EXIT_CHECK_FAILED)
