"""The verb `energy`: what a run costs, an estimate."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import click
import yaml
from rich.console import Console

from .atomic import check_file, write_file
from .console import console
from .energy import energy_of
from .energy_counts import counts_of
from .energy_run import by_action
from .energy_table import DEFAULT, load_table
from .fit import Cell, Column, print_table
from .record import as_json
from .refusal import Refusal
from .retime import recorded
from .run import run

SHOWN = 10
COLUMNS = (
    Column("component"),
    Column("action"),
    Column("count", right=True),
    Column("pJ each", right=True),
    Column("uJ", right=True),
    Column("", right=True),
    Column("±", right=True, drop=1),
    Column("source", least=20, drop=2),
)
LAYERS = (
    Column("layer", least=16),
    Column("engine"),
    Column("uJ", right=True),
    Column("", right=True),
)


@click.command("energy")
@click.argument("net", metavar="RUN|NET")
@click.option("--table", default=DEFAULT, show_default=True, metavar="NAME|FILE")
@click.option("--soc", metavar="NAME|FILE", help="Of a network: preset or YAML file.")
@click.option("--set", "overrides", multiple=True, metavar="NAME=VALUE", help="One parameter.")
@click.option("--json", "json_file", metavar="FILE", help="As data; -: stdout.")
@click.option("--csv", "csv_file", metavar="FILE", help="A row for each action of each layer.")
@click.option("--accelergy", metavar="FILE", help="Counts of actions in Accelergy's form.")
def energy_command(
    net: str,
    table: str,
    soc: str | None,
    overrides: tuple[str, ...],
    json_file: str | None,
    csv_file: str | None,
    accelergy: str | None,
) -> None:
    """Energy of a run by action, layer and time: an estimate."""
    for file in (json_file, csv_file, accelergy):
        if file not in (None, "-"):
            check_file(Path(str(file)))
    costs = load_table(table)
    if Path(net).is_dir():
        if soc is not None or overrides:
            raise Refusal(
                "energy: a recorded run has its SoC; leave --soc and --set out, or give the network"
            )
        record = recorded(net)[1]
    else:
        record = run(net, soc=soc, set=overrides).record
    found = energy_of(record, costs)
    found["actions"] = by_action(record, costs)
    if csv_file is not None:
        write_file(csv_file, csv_text(record, costs))
    if accelergy is not None:
        write_file(accelergy, accelergy_text(record))
    if json_file == "-":
        click.echo(as_json(found), nl=False)
    else:
        if json_file is not None:
            write_file(json_file, as_json(found))
        print_energy(console(), found)


def csv_text(record: dict[str, Any], table: Any) -> str:
    """Of the first sample: layer, engine, component, action, count, fJ; the sum is that of its
    layers."""
    costs = {(r["component"], r["action"]): round(1000 * r["pj"]) for r in by_action(record, table)}
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(("layer", "engine", "component", "action", "count", "fj"))
    for layer in record["layers"]:
        for (component, action), n in counts_of(layer["actions"]).items():
            fj = n * costs.get((component, action), 0)
            rows.writerow((layer["name"], layer["engine"], component, action, n, fj))
    return out.getvalue()


def accelergy_text(record: dict[str, Any]) -> str:
    """Of all samples, as Accelergy reads counts of actions."""
    counts = counts_of({"dram": record["actions"]["dram"]})
    for row in record["actions"]["engines"].values():
        counts.update(counts_of(row))
    components: dict[str, list[dict[str, Any]]] = {}
    for (component, action), n in sorted(counts.items()):
        components.setdefault(component, []).append({"name": action, "counts": n})
    local = [{"name": f"soc.{name}", "action_counts": a} for name, a in components.items()]
    return str(yaml.safe_dump({"action_counts": {"version": 0.4, "local": local}}, sort_keys=False))


def print_energy(out: Console, found: dict[str, Any]) -> None:
    """Actions and the layers that take most."""

    def share(fj: int, of: int) -> str:
        return f"{100 * fj / of:.1f}%" if of else ""

    rows: list[list[Cell]] = [
        [
            a["component"],
            "static" if a["action"] == "cycles" else a["action"],
            f"{a['count']:,}",
            f"{a['pj']:,.4g}",
            f"{a['fj'] / 1e9:,.3f}",
            share(a["fj"], found["fj"]),
            f"{a['uncertainty_percent']:.0f}%",
            a["source"],
        ]
        for a in found["actions"]
        if a["fj"]
    ]
    print_table(out, COLUMNS, rows)
    out.print()
    first = found["first_fj"]
    costly = sorted(found["layers"], key=lambda row: -row["fj"])
    layers: list[list[Cell]] = [
        [row["name"], row["engine"], f"{row['fj'] / 1e9:,.3f}", share(row["fj"], first)]
        for row in costly[:SHOWN]
    ]
    rest = sum(row["fj"] for row in costly[SHOWN:])
    if rest:
        name = f"{len(costly) - SHOWN} other layers"
        layers.append([name, "", f"{rest / 1e9:,.3f}", share(rest, first)])
    outside = found["outside_layers_fj"]
    layers.append(["leakage, refresh", "", f"{outside / 1e9:,.3f}", share(outside, first)])
    print_table(out, LAYERS, layers)
    samples = found["samples"]
    each = f", {found['uj'] / samples:,.2f} uJ a sample" if samples > 1 else ""
    out.print(
        f"estimate, table {found['table']} ({found['note']}): {found['uj']:,.2f} uJ{each}; "
        f"actions without a row: {found['uncosted_percent']:g}%",
        markup=False,
        soft_wrap=True,
    )
