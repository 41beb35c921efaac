"""What changed between two runs: cycles by layer and cause, outputs, SoC, placement."""

from __future__ import annotations

from collections import Counter
from typing import Any

from rich.console import Console
from rich.text import Text

from ..fit import Cell, Column, print_table
from ..inference import part_changes
from ..layers_table import COSTLIEST, MANY
from .cause import cause_sentence, causes_between

Record = dict[str, Any]


def compare_runs(a: Record, b: Record, tolerance: float = 0.0) -> Record:
    """The difference from run a to run b.

    tolerance: percent of a's cycles of a sample by which the sum and every single layer may move,
      in either direction. `beyond` lists in sentences what went further, and outputs that differ
      although network, numerics, input and number of samples are the same; empty: within.
    """
    cycles = {key: r["cycles"] / r["samples"] for key, r in (("a", a), ("b", b))}
    layers = layer_changes(a["layers"], b["layers"])
    outputs = output_change(a, b)
    allowed = cycles["a"] * tolerance / 100
    soc = parameter_changes(a["soc"]["config"], b["soc"]["config"])
    placement = placement_changes(a["placement"], b["placement"])
    beyond = []
    if abs(cycles["b"] - cycles["a"]) > allowed:
        beyond.append(f"cycles a sample: {change(cycles['a'], cycles['b'])}")
    for row in layers:
        moved = (row["b"] or 0) - (row["a"] or 0)
        if abs(moved) > allowed:
            beyond.append(f"layer '{row['name']}': {moved:+,} cycles")
    if outputs["comparable"] and not outputs["same"]:
        beyond.append("outputs differ")
    if a["check"]["exact"] and not b["check"]["exact"]:
        beyond.append("the second run is not exact, the first is")
    return {
        "schema": "1.0",
        "runs": {key: identity(r) for key, r in (("a", a), ("b", b))},
        "tolerance_percent": tolerance,
        "cycles_per_sample": {**cycles, "percent": percent(cycles["a"], cycles["b"])},
        "inference": part_changes(a, b),
        "layers": layers,
        "outputs": outputs,
        "soc": soc,
        "placement": placement,
        "causes": causes_between(a, b, soc, placement),
        "beyond": beyond,
    }


def identity(record: Record) -> Record:
    return {
        "network": record["network"]["file"],
        "soc": record["soc"]["name"],
        "numerics": record["numerics"],
        "samples": record["samples"],
        "exact": record["check"]["exact"],
        "commit": record["presil"]["commit"],
    }


def percent(a: float, b: float) -> float | None:
    """Null where a is nothing to compare with."""
    return round(100 * (b - a) / a, 4) if a else (0.0 if a == b else None)


def change(a: float, b: float) -> str:
    share = percent(a, b)
    return f"{a:,.0f} to {b:,.0f}" + ("" if share is None else f", {share:+.2f}%")


def occurrences(names: list[Any]) -> list[tuple[Any, int]]:
    """Each name with how often it came before, so equal names stay apart."""
    seen: Counter[Any] = Counter()
    keys = []
    for name in names:
        keys.append((name, seen[name]))
        seen[name] += 1
    return keys


def paired(
    a: list[Record], b: list[Record], name: Any
) -> list[tuple[Record | None, Record | None]]:
    """Rows of both by name, in the order of b; rows that only a has follow."""
    of_a = dict(zip(occurrences([name(row) for row in a]), a))
    keys = occurrences([name(row) for row in b])
    pairs: list[tuple[Record | None, Record | None]] = [
        (of_a.pop(key, None), row) for key, row in zip(keys, b)
    ]
    return pairs + [(row, None) for row in of_a.values()]


def causes_of(layer: Record | None) -> dict[str, int]:
    return {"busy": layer["busy"], **layer["stall"]} if layer else {}


def layer_changes(a: list[Record], b: list[Record]) -> list[Record]:
    """Layers whose cycles, or causes of cycles, are not the same; null: the run lacks the layer."""
    rows = []
    for old, new in paired(a, b, lambda layer: layer["name"]):
        before, after = causes_of(old), causes_of(new)
        names = list(dict.fromkeys([*before, *after]))
        moved = {c: after.get(c, 0) - before.get(c, 0) for c in names}
        causes = {c: n for c, n in moved.items() if n}
        cycles = [layer["cycles"] if layer else None for layer in (old, new)]
        engines = [layer["engine"] if layer else None for layer in (old, new)]
        if cycles[0] == cycles[1] and not causes and engines[0] == engines[1]:
            continue
        rows.append(
            {
                "name": (new or old or {})["name"],
                "op": (new or old or {})["op"],
                "engine_a": engines[0],
                "engine_b": engines[1],
                "a": cycles[0],
                "b": cycles[1],
                "percent": percent(cycles[0] or 0, cycles[1] or 0),
                "causes": causes,
            }
        )
    return rows


def output_change(a: Record, b: Record) -> Record:
    """comparable: the same network, rules and input data, so that equal outputs are owed."""
    digests = [[o["sha256"] for o in r.get("outputs") or []] for r in (a, b)]
    asked = [
        (r["network"]["sha256"], r["numerics"], r["samples"], (r.get("input") or {}).get("sha256"))
        for r in (a, b)
    ]
    known = all(digests) and all(value is not None for value in asked[0])
    return {
        "comparable": known and asked[0] == asked[1],
        "same": digests[0] == digests[1] if all(digests) else None,
        "a": digests[0] or None,
        "b": digests[1] or None,
    }


def parameter_changes(a: Record, b: Record) -> list[Record]:
    return [
        {"parameter": name, "a": a.get(name), "b": b.get(name)}
        for name in sorted({*a, *b})
        if a.get(name) != b.get(name)
    ]


def placement_changes(a: list[Record], b: list[Record]) -> list[Record]:
    rows = []
    for old, new in paired(a, b, lambda p: (p["op"], p["name"])):
        engines = [p["engine"] if p else None for p in (old, new)]
        if engines[0] != engines[1]:
            row = new or old or {}
            rows.append(
                {
                    "op": row["op"],
                    "name": row["name"],
                    "a": engines[0],
                    "b": engines[1],
                    "reason": row["reason"],
                }
            )
    return rows


def signed(value: float) -> Text:
    return Text(f"{value:+,.0f}", style="red" if value > 0 else "green" if value < 0 else "")


def print_diff(console: Console, diff: Record) -> None:
    """What a person reads."""
    console.print(Text(cause_sentence(diff), style="bold"))
    for key, run in diff["runs"].items():
        facts = f"{run['network']} on {run['soc']}, numerics {run['numerics']}"
        exact = "exact" if run["exact"] else "not exact"
        console.print(
            Text(f"{key.upper()}  {facts}, {run['samples']} sample(s), {exact}, {run['commit']}"),
        )
    if diff["layers"]:
        print_layers(console, diff["layers"])
    for title, rows, name in (
        ("SoC", diff["soc"], lambda r: r["parameter"]),
        ("placement", diff["placement"], lambda r: f"{r['op']} '{r['name']}'"),
    ):
        if rows:
            columns = (Column(title, least=24, wrap=True), Column("A"), Column("B"))
            console.print()
            print_table(console, columns, [[name(r), str(r["a"]), str(r["b"])] for r in rows])
    console.print()
    cycles = diff["cycles_per_sample"]
    console.print(f"cycles a sample: {change(cycles['a'], cycles['b'])}")
    if diff["inference"] is not None:
        moved = diff["inference"]["cycles"]
        console.print(f"whole inference: {change(moved['a'], moved['b'])}")
    console.print(f"outputs: {outputs_sentence(diff['outputs'])}")
    if diff["beyond"]:
        more = f", and {len(diff['beyond']) - 3} more" if len(diff["beyond"]) > 3 else ""
        said = "; ".join(diff["beyond"][:3]) + more
        console.print(Text(f"CHANGED  {said}", style="bold red"))
    else:
        within = f"SAME  within {diff['tolerance_percent']:g}% of A's cycles"
        console.print(Text(within, style="bold green"))


LAYERS = (
    Column("layer", least=16),
    Column("engine", drop=1),
    Column("A", right=True),
    Column("B", right=True),
    Column("change", right=True),
    Column("%", right=True, drop=2),
    Column("by cause", least=16, drop=3),
)


def layer_row(row: Record) -> list[Cell]:
    engines = dict.fromkeys(str(e) for e in (row["engine_a"], row["engine_b"]) if e)
    moved = sorted(row["causes"].items(), key=lambda item: -abs(item[1]))
    share = row["percent"]
    return [
        row["name"],
        " > ".join(engines),
        *("–" if row[key] is None else f"{row[key]:,}" for key in ("a", "b")),
        signed((row["b"] or 0) - (row["a"] or 0)),
        "" if share is None or row["b"] is None else f"{share:+.1f}",
        [f"{c.replace('_', ' ')} {n:+,}" for c, n in moved[:3]],
    ]


def print_layers(console: Console, layers: list[Record]) -> None:
    """Those that changed most first, and of many only these."""
    ranked = sorted(layers, key=lambda r: -abs((r["b"] or 0) - (r["a"] or 0)))
    shown = ranked if len(ranked) <= MANY else ranked[:COSTLIEST]
    console.print()
    print_table(console, LAYERS, [layer_row(row) for row in shown])
    if len(shown) < len(ranked):
        console.print()
        console.print(
            f"the {len(shown)} of {len(ranked)} layers that changed most; --json has every one"
        )


def outputs_sentence(outputs: Record) -> str:
    if outputs["same"] is None:
        return "not recorded by one of the runs"
    if outputs["same"]:
        return "the same, byte for byte"
    if outputs["comparable"]:
        return "differ, although network, numerics and input are the same"
    return "differ; network, numerics, samples or input differ too"
