"""What a person reads after a load was served."""

from __future__ import annotations

from typing import Any

from rich.console import Console

from .fit import Cell, Column, print_table

NETWORKS = (
    Column("network", least=10),
    Column("priority", right=True, drop=1),
    Column("requests", right=True),
    Column("done", right=True, drop=2),
    Column("p50 ms", right=True),
    Column("p90 ms", right=True, drop=3),
    Column("p99 ms", right=True),
    Column("max ms", right=True),
    Column("alone ms", right=True),
    Column("p99 cycles", right=True, drop=4),
    Column("alone cycles", right=True, drop=5),
    Column("deadline ms", right=True, drop=6),
    Column("missed", right=True),
    Column("held", right=True),
    Column("frames/s", right=True),
    Column("engines", right=True),
)
INTERFERENCE = (
    Column("requests of", least=10),
    Column("wait for jobs of", least=10),
    Column("that do", right=True),
    Column("mean cycles", right=True),
    Column("most cycles", right=True),
)


def print_served(out: Console, record: dict[str, Any]) -> None:
    """Table by network, interference by pair, shares of the engines, the verdict."""
    soc = record["soc"]
    names = " and ".join(n["name"] for n in record["networks"])
    out.print(f"{names} on {soc['label']}, seed {record['seed']}\n", markup=False, soft_wrap=True)
    print_table(out, NETWORKS, [network_row(n, soc["clock_mhz"]) for n in record["networks"]])
    out.print()
    rows = [
        [i["network"], i["waits_for"], f"{i['requests']:,}", f"{i['mean_cycles']:,.0f}",
         f"{i['max_cycles']:,}"]
        for i in record["interference"]
        if i["cycles"]
    ]  # fmt: skip
    if rows:
        print_table(out, INTERFERENCE, rows)
    else:
        out.print("no request waits for another")
    out.print()
    columns = [Column("queue"), Column("busy", right=True)]
    columns += [Column(n["name"], right=True) for n in record["networks"]]
    print_table(out, columns, [engine_row(e, record) for e in record["engines"]])
    out.print()
    for n in record["networks"]:
        out.print(place_sentence(n, record["hold"]), markup=False, soft_wrap=True)
    out.print(served_sentence(record), markup=False, soft_wrap=True)


def network_row(n: dict[str, Any], clock_mhz: float) -> list[Cell]:
    ms, cycles, alone = n["latency_ms"], n["latency_cycles"], n["alone"]["cycles"]
    return [
        n["name"],
        str(n["priority"]),
        f"{n['requests']:,}",
        f"{n['completed']:,}",
        *(f"{ms[key]:.3f}" for key in ("p50", "p90", "p99", "max")),
        f"{alone / (clock_mhz * 1e3):.3f}",
        f"{cycles['p99']:,}",
        f"{alone:,}",
        "–" if n["deadline_ms"] is None else f"{n['deadline_ms']:g}",
        "–" if n["deadline_ms"] is None else f"{n['missed']:,}",
        f"{n['held']:,}",
        f"{n['frames_per_s']:.1f}",
        f"{100 * n['share']:.1f}%",
    ]


def engine_row(engine: dict[str, Any], record: dict[str, Any]) -> list[Cell]:
    shares = (engine["busy"][n["name"]] / record["cycles"] for n in record["networks"])
    return [
        engine["queue"],
        f"{100 * engine['share']:.1f}%",
        *(f"{100 * share:.1f}%" for share in shares),
    ]


def place_sentence(n: dict[str, Any], hold: str) -> str:
    """Where it lies, and how it gives way."""
    begin, size = n["sram"]["offset"], n["sram"]["bytes"]
    text = f"{n['name']}: SRAM {begin:,} to {begin + size:,}"
    longest = n["alone"]["longest_layer"]
    if not n["preemptible"]:
        return text + ("; its jobs run whole" if hold == "layers" else "; gives way between jobs")
    cost = 100 * (n["alone"]["by_layer_cycles"] / n["alone"]["cycles"] - 1)
    borders = len(n["alone"]["borders"]) - 1
    return (
        f"{text}; gives way at {borders} layer border{'s' * (borders != 1)}, the longest layer "
        f"'{longest['name']}' takes {longest['cycles']:,} cycles; alone {cost:+.1f}% by the borders"
    )


def served_sentence(record: dict[str, Any]) -> str:
    check = record["check"]
    counts = f"{check['different_bytes']:,} of {check['compared_bytes']:,} bytes differ"
    done = sum(n["completed"] for n in record["networks"])
    text = f"outputs of {done:,} requests against the reference interpreter: {counts}"
    if check["exact"]:
        return f"EXACT  {text}"
    first = check["first"]
    return (
        f"DIFFERS  {text}; the first: network '{first['network']}', request {first['request']}, "
        f"layer '{first['layer']}', tensor '{first['tensor']}', byte {first['byte']}"
    )
