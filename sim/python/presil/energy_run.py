"""Energy of a recorded run: by any table, action by action."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .energy import Estimate, energy_of
from .energy_counts import Counts, counts_of
from .energy_table import ACTIONS, DEFAULT, STATIC, Table, load_table
from .retime import recorded


def energy(run: str | Path | dict[str, Any], table: str | Path = DEFAULT) -> dict[str, Any]:
    """The estimated energy of a recorded run: its folder, its run.json, or `Run.record`."""
    record = run if isinstance(run, dict) else recorded(str(run))[1]
    return energy_of(record, load_table(table))


def by_action(record: dict[str, Any], table: Table) -> list[dict[str, Any]]:
    """Every row of the table that was used: count, cost, energy, source."""
    estimate = Estimate(table, record["soc"]["config"])
    counts: Counts = counts_of({"dram": record["actions"]["dram"]})
    for row in record["actions"]["engines"].values():
        counts.update(counts_of(row))
    rows = []
    for component, action in [(c, a) for c, every in ACTIONS.items() for a in every]:
        count, fj = counts[component, action], estimate.cost[component, action]
        about = table.rows[component, action]
        rows.append(
            {
                "component": component,
                "action": action,
                "count": count,
                "pj": fj / 1000,
                "fj": count * fj,
                "uncertainty_percent": about.uncertainty_percent,
                "source": about.source,
            }
        )
    for component in STATIC:
        if component in estimate.leak:
            fj = estimate.leak[component]
            static = table.static[component]
            rows.append(
                {
                    "component": component,
                    "action": "cycles",
                    "count": record["cycles"],
                    "pj": fj / 1000,
                    "fj": record["cycles"] * fj,
                    "uncertainty_percent": static.uncertainty_percent,
                    "source": static.source,
                }
            )
    return rows
