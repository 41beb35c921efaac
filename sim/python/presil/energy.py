"""Energy of a run, an estimate: counted actions times a table.

In whole femtojoules, so that the sums over components, layers and bins of time agree exactly.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from .energy_counts import Counts, counts_of, shares
from .energy_table import Table
from .refusal import Refusal

ENERGY_KEYS = (
    *("estimate", "table", "note", "uj", "fj", "uncosted_percent"),
    *("components", "engines"),
)
"""Of the block of run.json."""


class Estimate:
    """A table on one SoC."""

    def __init__(self, table: Table, config: dict[str, Any]) -> None:
        self.table = table
        bank_kib = config["sram.bytes"] / config["sram.banks"] / 1024
        self.cost = {key: row.femtojoules(bank_kib) for key, row in table.rows.items()}
        period_ps = 1e6 / config["clock_mhz"]
        self.leak = {}
        for component, row in table.static.items():
            if component == "dsp" and not config.get("dsp.units", 0):
                continue
            kib = config["sram.bytes"] / 1024 if component == "sram" else 0
            self.leak[component] = round((row.mw + row.mw_per_kib * kib) * period_ps)  # mW ps = fJ

    def of_counts(self, counts: Counts) -> Counter[str]:
        """By component, without what leaks."""
        found: Counter[str] = Counter()
        for (component, action), count in counts.items():
            found[component] += count * self.cost.get((component, action), 0)
        return found

    def of_time(self, cycles: int) -> Counter[str]:
        return Counter({component: cycles * fj for component, fj in self.leak.items()})

    def uncosted(self, engines: dict[str, Counts]) -> tuple[int, int]:
        """Actions without a row, and all."""
        every = [(key, n) for counts in engines.values() for key, n in counts.items()]
        without = sum(n for key, n in every if key not in self.cost)
        return without, sum(n for _, n in every)


def energy_of(record: dict[str, Any], table: Table) -> dict[str, Any]:
    """The estimate of a record of a run; fj: of all samples, layers and bins: of the first."""
    if "tiles" in record:
        raise Refusal(
            f"energy: the record is of {record['tiles']['count']} tiles, must be of one: the "
            "tables say what one tile and its DRAM leak; run it with --set tiles=1"
        )
    if "actions" not in record:
        raise Refusal(
            "energy: the record has no counts of actions, an older presil or blocks in RTL made "
            "it; run the network again, with models"
        )
    estimate = Estimate(table, record["soc"]["config"])
    actions = record["actions"]
    engines = {name: counts_of(row) for name, row in actions["engines"].items()}
    dram = counts_of({"dram": actions["dram"]})
    by_engine = {name: dict(estimate.of_counts(counts)) for name, counts in engines.items()}
    dynamic: Counter[str] = estimate.of_counts(dram)
    for found in by_engine.values():
        dynamic.update(found)
    static = estimate.of_time(record["cycles"])
    without, every = estimate.uncosted(engines)
    total = sum(dynamic.values()) + sum(static.values())
    return {
        "estimate": True,
        "table": table.name,
        "note": table.note,
        "fj": total,
        "uj": total / 1e9,
        "samples": record["samples"],
        "uncosted_percent": round(100 * without / every, 6) if every else 0.0,
        "components": {
            name: {"dynamic_fj": dynamic[name], "static_fj": static[name]}
            for name in sorted({*dynamic, *static})
        },
        "engines": {
            **{name: {"fj": sum(row.values())} for name, row in sorted(by_engine.items())},
            "dram": {"fj": sum(estimate.of_counts(dram).values())},
            "static": {"fj": sum(static.values())},
        },
        **of_first_sample(estimate, record),
    }


def of_first_sample(estimate: Estimate, record: dict[str, Any]) -> dict[str, Any]:
    """By layer and over time. No layer has what leaks, nor the DRAM's refreshes."""
    over_time = record["actions"]["over_time"]
    layers = [
        {"index": row["index"], "name": row["name"], "engine": row["engine"], **told}
        for row in record["layers"]
        for told in [{"fj": sum(estimate.of_counts(counts_of(row["actions"])).values())}]
    ]
    cycles, width = over_time["cycles"], over_time["bin_cycles"]
    leaks = sum(estimate.of_time(cycles).values())
    ends = [min((i + 1) * width, cycles) for i in range(len(over_time["bins"]))]
    lengths = [end - begin for begin, end in zip([0, *ends], ends)]
    bins = [
        sum(estimate.of_counts(counts_of(row)).values()) + part
        for row, part in zip(over_time["bins"], shares(leaks, lengths))
    ]
    first = sum(bins)
    dynamic = sum(layer["fj"] for layer in layers)
    return {
        "first_fj": first,
        "layers": layers,
        "outside_layers_fj": first - dynamic,
        "over_time": {"begin": over_time["begin"], "bin_cycles": width, "fj": bins},
    }
