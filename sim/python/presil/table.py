"""The console view of a run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

ENGINE_STYLES = {"dla": "cyan", "host": "yellow", "dma": "magenta"}


def number(value: int) -> str:
    return f"{value:,}"


def size(count: int) -> str:
    """Bytes for people."""
    if count < 10_000:
        return f"{count} B"
    if count < 10_000_000:
        return f"{count / 1024:.0f} KiB"
    return f"{count / 1048576:.1f} MiB"


def stalls(causes: dict[str, int], total: int, most: int = 3) -> str:
    """The largest causes with their share of the layer's cycles."""
    ranked = sorted(causes.items(), key=lambda item: -item[1])
    shown = [f"{c.replace('_', ' ')} {100 * n / total:.0f}%" for c, n in ranked if 100 * n >= total]
    return ", ".join(shown[:most])


def mark(exact: bool | None) -> Text:
    if exact is None:
        return Text("–", style="dim")
    return Text("✓", style="green") if exact else Text("✗", style="bold red")


def layer_table(record: dict[str, Any]) -> Table:
    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("#", justify="right", style="dim")
    table.add_column("layer", overflow="ellipsis", max_width=30, no_wrap=True)
    table.add_column("op", overflow="ellipsis", max_width=26, no_wrap=True)
    table.add_column("engine")
    for title in ("cycles", "MAC/cycle", "DRAM"):
        table.add_column(title, justify="right", no_wrap=True)
    table.add_column("bound")
    table.add_column("stalls", overflow="ellipsis", no_wrap=True, max_width=48)
    table.add_column("exact", justify="center")
    for layer in record["layers"]:
        if not layer["cycles"] and not layer["commands"]:
            continue
        cycles = layer["cycles"]
        rate = f"{layer['macs'] / cycles:.0f}" if layer["macs"] and cycles else ""
        moved = layer["read_bytes"] + layer["written_bytes"]
        total = layer["busy"] + sum(layer["stall"].values())
        table.add_row(
            str(layer["index"]),
            Text(layer["name"]),
            Text(layer["op"]),
            Text(layer["engine"], style=ENGINE_STYLES.get(layer["engine"], "")),
            number(cycles),
            rate,
            size(moved) if moved else "",
            layer["bound"],
            Text(stalls(layer["stall"], total) if total else ""),
            mark(layer["exact"]),
        )
    return table


def engine_table(record: dict[str, Any]) -> Table:
    """Where each engine's cycles went, over all samples."""
    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("engine")
    for title in ("busy", "stalled", "idle"):
        table.add_column(title, justify="right")
    table.add_column("largest stalls")
    cycles = record["cycles"] or 1
    for name, engine in record["engines"].items():
        if engine is None:
            continue
        stalled = sum(engine["stall"].values())
        table.add_row(
            Text(name, style=ENGINE_STYLES.get(name, "")),
            *(f"{100 * part / cycles:.1f}%" for part in (engine["busy"], stalled, engine["idle"])),
            Text(stalls(engine["stall"], cycles)),
        )
    return table


def summary_lines(record: dict[str, Any]) -> list[str]:
    samples = record["samples"]
    per_sample = record["cycles"] / samples
    dla = record["engines"]["dla"]
    clock = record["soc"]["clock_mhz"]
    ms = per_sample / (clock * 1e3)
    dram = record["memory"]["dram"]
    moved = (dram["read_bytes"] + dram["written_bytes"]) / samples
    lines = [
        f"{per_sample:,.0f} cycles a sample = {ms:.3f} ms at {clock} MHz"
        + (f", mean of {samples} samples" if samples > 1 else ""),
        f"{record['network']['macs'] / 1e6:.2f} MMAC, DLA utilisation "
        f"{100 * dla['utilisation']:.1f}%, DRAM {size(int(moved))} a sample, "
        f"SRAM peak {size(record['memory']['sram']['peak_bytes'])}",
    ]
    fallbacks = [p for p in record["placement"] if p["engine"] == "host"]
    for placement in fallbacks:
        lines.append(
            f"on the host: {placement['op']} '{placement['name']}' ({placement['reason']})"
        )
    return lines


def verdict(record: dict[str, Any], sentence: str) -> Text:
    """The one line that matters."""
    check = record["check"]
    if check["level"] == "none" and check["golden"] is None:
        return Text("not checked (--check none)", style="yellow")
    style = "bold green" if check["exact"] else "bold red"
    if check["exact"] and check.get("unchecked"):
        word = "EXACT BUT FOR WHAT IS NOT CHECKED  " if check["compared_bytes"] else "NOT CHECKED  "
        return Text(word + sentence, style="bold yellow")
    return Text(("EXACT  " if check["exact"] else "DIFFERS  ") + sentence, style=style)


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
            f"{first['index']}: got {first['got']}, wanted {first['wanted']}"
        )
    return "; ".join(parts)


def file_name(path: str) -> str:
    """As a reader in the current folder would type it."""
    file = Path(path)
    return str(file.relative_to(Path.cwd()) if file.is_relative_to(Path.cwd()) else file)


def soc_name(record: dict[str, Any]) -> str:
    """With the parameters that differ from the preset's; records before 1.3 have the name alone."""
    return str(record["soc"].get("label") or record["soc"]["name"])


def print_run(console: Console, record: dict[str, Any]) -> None:
    network = file_name(record["network"]["file"])
    title = f"{network} on {soc_name(record)}, numerics {record['numerics']}"
    console.print(Text(title, style="bold"))
    console.print()
    console.print(layer_table(record))
    console.print()
    console.print(engine_table(record))
    console.print()
    for line in summary_lines(record):
        console.print(Text(line), highlight=False, soft_wrap=True)
    console.print(verdict(record, check_sentence(record)), soft_wrap=True)


def cosim_sentence(cosim: dict[str, Any]) -> str:
    """What came out of RTL against model, in one line."""
    blocks = ", ".join(cosim["blocks"])
    divergence = cosim["first_divergence"]
    if divergence is not None:
        return str(divergence["text"])
    bands = cosim["bands"]
    outside = [layer["name"] for layer in cosim["layers"] if not layer["within_band"]]
    said = (
        f"{blocks} in lock-step: {number(cosim['model_cycles'])} cycles by the model, "
        f"{number(cosim['rtl_cycles'])} by the RTL, error {cosim['error_percent']:+.3f}%"
    )
    if outside:
        said += (
            f"; outside max({bands['layer_percent']:g}%, {bands['layer_cycles']} cycles): "
            + ", ".join(outside)
        )
    elif not cosim["within_bands"]:
        said += f"; outside {bands['network_percent']:g}%"
    return said


def cosim_word(cosim: dict[str, Any]) -> str:
    if cosim["first_divergence"] is not None:
        return "diverges"
    if not cosim["exact"]:
        return "differs"
    return "agrees" if cosim["within_bands"] else "same values, other cycles"


def cosim_verdict(cosim: dict[str, Any]) -> Text:
    word = cosim_word(cosim)
    styles = {"agrees": "bold green", "same values, other cycles": "bold yellow"}
    return Text(f"{word.upper()}  {cosim_sentence(cosim)}", style=styles.get(word, "bold red"))


def causes_text(causes: dict[str, int], most: int | None = None) -> str:
    """Differences in cycles, the largest first."""
    ranked = sorted(causes.items(), key=lambda item: -abs(item[1]))
    return ", ".join(f"{cause.replace('_', ' ')} {n:+,}" for cause, n in ranked[:most])


def cosim_origins(cosim: dict[str, Any]) -> list[str]:
    """By engine: what the difference of the cycles consists of."""
    return [
        f"{engine}, RTL less model: {causes_text(causes)}"
        for engine, causes in cosim["causes"].items()
        if causes
    ]


def cosim_table(cosim: dict[str, Any]) -> Table:
    """Cycles of each layer on model and RTL, and the causes of the difference."""
    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("#", justify="right", style="dim")
    table.add_column("layer", overflow="ellipsis", max_width=30, no_wrap=True)
    table.add_column("op", overflow="ellipsis", max_width=26, no_wrap=True)
    for title in ("model", "RTL", "error"):
        table.add_column(title, justify="right", no_wrap=True)
    table.add_column("RTL less model", overflow="ellipsis", no_wrap=True, max_width=60)
    for layer in cosim["layers"]:
        table.add_row(
            str(layer["index"]),
            Text(layer["name"]),
            Text(layer["op"]),
            number(layer["model_cycles"]),
            number(layer["rtl_cycles"]),
            Text(
                f"{layer['error_percent']:+.2f}%" if layer["error_percent"] else "0%",
                style="" if layer["within_band"] else "bold red",
            ),
            Text(causes_text(layer["causes"], 3)),
        )
    return table


def print_cosim(console: Console, record: dict[str, Any], brief: bool = False) -> None:
    """brief: the verdict alone."""
    cosim = record["cosim"]
    if not brief:
        title = f"{file_name(record['network']['file'])} on {soc_name(record)}"
        console.print(Text(f"{title}, numerics {record['numerics']}", style="bold"))
        if cosim["layers"]:
            console.print()
            console.print(cosim_table(cosim))
            console.print()
        for line in cosim_origins(cosim):
            console.print(Text(line), highlight=False, soft_wrap=True)
    divergence = cosim["first_divergence"]
    if divergence is None:
        console.print(verdict(record, check_sentence(record)), soft_wrap=True)
    console.print(cosim_verdict(cosim), soft_wrap=True)
    if divergence is not None and divergence["command"] is not None and not brief:
        said = f"{divergence['block']} command {divergence['index']}: {divergence['command']}"
        console.print(Text(said), highlight=False, soft_wrap=True)
