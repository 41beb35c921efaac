"""The console view of a run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from .deviations import exact_word
from .fit import Cell, Column, print_table
from .inference import inference_line
from .layers_table import engine_text, number, print_layers, size, stall_items
from .states import state_sentence

ENGINE_COLUMNS = (
    Column("engine"),
    Column("busy", right=True),
    Column("stalled", right=True),
    Column("idle", right=True),
    Column("largest stalls", least=16, drop=1),
)

TILE_COLUMNS = (
    Column("tile", right=True),
    Column("samples", right=True),
    Column("cycles each", right=True),
    Column("alone", right=True),
    Column("busy", right=True),
    Column("dla", right=True, drop=3),
    Column("dsp", right=True, drop=3),
    Column("dma", right=True, drop=3),
    Column("DRAM", right=True, drop=2),
    Column("wait a read", right=True, drop=1),
)

MOST_REASONS = 10
"""Lines about operators on the host."""
MOST_NAMES = 3
"""Operators of equal reason that are named."""


def print_engines(out: Console, record: dict[str, Any]) -> None:
    """Where each engine's cycles went, over all samples."""
    cycles = record["cycles"] or 1
    rows: list[list[Cell]] = []
    for name, engine in record["engines"].items():
        if engine is None:
            continue
        parts = (engine["busy"], sum(engine["stall"].values()), engine["idle"])
        shares = [f"{100 * part / cycles:.1f}%" for part in parts]
        rows.append([engine_text(name), *shares, stall_items(engine["stall"], cycles)])
    print_table(out, ENGINE_COLUMNS, rows)


def print_tiles(out: Console, record: dict[str, Any]) -> None:
    """What each tile had, and what they made of it together."""
    cycles = record["cycles"] or 1
    rows: list[list[Cell]] = []
    for row in record["tiles"]["each"]:
        own = [f"{sum(row['cycles']) / len(row['cycles']):,.0f}"] if row["cycles"] else ["–"]
        dram, engines = row["dram"], row["engines"]
        shares = [f"{100 * engines[name]['busy'] / cycles:.1f}%" for name in ("dla", "dma")]
        dsp = engines.get("dsp")
        rows.append(
            [
                str(row["tile"]),
                str(len(row["samples"])),
                *own,
                f"{row['alone_cycles']:,}",
                f"{100 * row['busy_cycles'] / cycles:.1f}%",
                shares[0],
                f"{100 * dsp['busy'] / cycles:.1f}%" if dsp else "–",
                shares[1],
                size(dram["read_bytes"] + dram["written_bytes"]),
                f"{dram['waited_for_tiles'] / dram['reads']:.1f}" if dram["reads"] else "–",
            ]
        )
    print_table(out, TILE_COLUMNS, rows)


def tile_lines(record: dict[str, Any]) -> list[str]:
    """Throughput, speed-up and what the DRAM had to do with it."""
    tiles, clock = record["tiles"], record["soc"]["clock_mhz"]
    peak = record["soc"]["config"]["dram.peak_mb_per_s"]
    flight = tiles["in_flight"]
    return [
        f"{record['samples']} samples over {tiles['count']} tiles in {record['cycles']:,} cycles: "
        f"{tiles['samples_per_s']:,.1f} samples a second at {clock} MHz",
        f"{tiles['speed_up']:.2f} x one tile, which takes {tiles['alone_cycles']:,} cycles a "
        "sample alone"
        + (f" (here {flight} in flight on each)" if flight > 1 else ""),
        f"beside the others a sample takes {tiles['sample_cycles']:,} cycles, "
        f"{tiles['slow_down']:.2f} x what it takes alone",
        f"DRAM {tiles['dram']['mb_per_s']:,.0f} MB/s of {peak:,}, a read waits "
        f"{tiles['dram']['wait_per_read']:.1f} cycles for those of other tiles",
    ]


def names_text(names: list[str]) -> str:
    """ "'a', 'b', 'c' and 77 more"."""
    shown = ", ".join(f"'{name}'" for name in names[:MOST_NAMES])
    more = len(names) - MOST_NAMES
    return f"{shown} and {more} more" if more > 0 else shown


def host_lines(placement: list[dict[str, Any]]) -> list[str]:
    """Operators that no engine takes; those of one kind and reason together."""
    groups: dict[tuple[str, str], list[str]] = {}
    for p in placement:
        if p["engine"] == "host":
            groups.setdefault((p["op"], p["reason"]), []).append(p["name"])
    lines = []
    ranked = sorted(groups.items(), key=lambda item: -len(item[1]))
    for (op, reason), names in ranked[:MOST_REASONS]:
        count = f"{len(names)} " if len(names) > 1 else ""
        lines.append(f"on the host: {count}{op} {names_text(names)} ({reason})")
    rest = ranked[MOST_REASONS:]
    if rest:
        operators = sum(len(names) for _, names in rest)
        lines.append(
            f"on the host: {operators} more, for {len(rest)} other reasons; "
            "`presil inspect` has them all"
        )
    return lines


def summary_lines(record: dict[str, Any]) -> list[str]:
    samples = record["samples"]
    per_sample = record["cycles"] / samples
    dla = record["engines"]["dla"]
    clock = record["soc"]["clock_mhz"]
    ms = per_sample / (clock * 1e3)
    dram = record["memory"]["dram"]
    moved = (dram["read_bytes"] + dram["written_bytes"]) / samples
    return [
        *(tile_lines(record) if "tiles" in record else []),
        f"{per_sample:,.0f} cycles a sample = {ms:.3f} ms at {clock} MHz"
        + (f", mean of {samples} samples" if samples > 1 else ""),
        f"{record['network']['macs'] / 1e6:.2f} MMAC, DLA utilisation "
        f"{100 * dla['utilisation']:.1f}%, DRAM {size(int(moved))} a sample, "
        f"SRAM peak {size(record['memory']['sram']['peak_bytes'])}",
        *host_lines(record["placement"]),
        *filter(None, [inference_line(record), state_sentence(record)]),
    ]


def values_sentence(record: dict[str, Any]) -> str:
    """Of a run of the timing alone."""
    layers = record["values"]["data_dependent"]
    names = ", ".join(f"'{name}'" for name in layers)
    rest = f"; computed for layers whose time follows the data: {names}" if layers else ""
    return f"values off: timing alone, no outputs, nothing checked{rest}"


def verdict(record: dict[str, Any], sentence: str) -> Text:
    """The one line that matters."""
    check = record["check"]
    if "values" in record:
        return Text(values_sentence(record), style="yellow")
    if check["level"] == "none" and check["golden"] is None:
        return Text("not checked (--check none)", style="yellow")
    style = "bold green" if check["exact"] else "bold red"
    if check["exact"] and check.get("unchecked"):
        word = "EXACT BUT FOR WHAT IS NOT CHECKED  " if check["compared_bytes"] else "NOT CHECKED  "
        return Text(word + sentence, style="bold yellow")
    word = exact_word(check) if check["exact"] else "DIFFERS"
    return Text(f"{word}  {sentence}", style="bold yellow" if word.startswith("EXACT ") else style)


def check_sentence(record: dict[str, Any]) -> str:
    check = record["check"]
    parts = []
    if check["level"] != "none":
        what = "every kept tensor" if check["level"] == "layers" else "outputs"
        parts.append(
            f"{what} against the reference interpreter: {number(check['different_bytes'])} of "
            f"{number(check['compared_bytes'])} bytes differ"
        )
    golden = check["golden"]
    if golden is not None:
        parts.append(
            f"against the golden files: {number(golden['different_bytes'])} of "
            f"{number(golden['compared_bytes'])} bytes differ"
        )
    unchecked = check.get("unchecked", [])
    if unchecked:
        names = ", ".join(f"'{u['tensor']}'" for u in unchecked)
        parts.append(f"NOT CHECKED: {names} ({unchecked[0]['why']})")
    first = check["first"]
    if first is not None:
        parts.append(
            f"first difference in layer '{first['layer']}', tensor '{first['tensor']}' at "
            f"{first['index']}: got {first['got']}, expected {first['wanted']}"
        )
    return "; ".join(parts)


def file_name(path: str) -> str:
    """As a reader in the current folder would type it."""
    file = Path(path)
    return str(file.relative_to(Path.cwd()) if file.is_relative_to(Path.cwd()) else file)


def soc_name(record: dict[str, Any]) -> str:
    """With the parameters that differ from the preset's; records before 1.3 have the name alone."""
    return str(record["soc"].get("label") or record["soc"]["name"])


def print_title(out: Console, record: dict[str, Any]) -> None:
    network = file_name(record["network"]["file"])
    title = f"{network} on {soc_name(record)}, numerics {record['numerics']}"
    out.print(Text(title, style="bold"))
    out.print()


def print_run(out: Console, record: dict[str, Any], every_layer: bool = False) -> None:
    print_title(out, record)
    print_layers(out, record, every_layer)
    out.print()
    if "tiles" in record:
        print_tiles(out, record)
        out.print()
        out.print(f"engines, mean of {record['tiles']['count']} tiles:", highlight=False)
    print_engines(out, record)
    out.print()
    for line in summary_lines(record):
        out.print(Text(line), highlight=False)
    out.print(verdict(record, check_sentence(record)))
