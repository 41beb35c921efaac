"""Where the cycles of the DSP's kernels went: a table, and instructions as they lie in memory."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.text import Text

from ..fit import Cell, Column, print_table
from ..layers_table import number, stall_items
from ..refusal import Refusal
from ..table import file_name, soc_name

HOT, WARM = 10.0, 1.0
"""Of a kernel's cycles, in percent: from here on a line is hot, or warm."""


def kernels_to_show(record: dict[str, Any], name: str | None = None) -> list[dict[str, Any]]:
    """The kernels of a record, all or one by its name."""
    dsp = record.get("dsp")
    if not dsp:
        raise Refusal("profile: no kernel has run on the DSP in this run")
    kernels: list[dict[str, Any]] = dsp["kernels"]
    if name is None:
        return kernels
    chosen = [kernel for kernel in kernels if kernel["name"] == name]
    if not chosen:
        have = ", ".join(kernel["name"] for kernel in kernels)
        raise Refusal(f"profile: there is no kernel '{name}' in this run, expected one of {have}")
    return chosen


def rows_of(profile: dict[str, Any]) -> list[dict[str, Any]]:
    """The instructions of a profile, each with its function and offset in it."""
    functions = [dict(zip(profile["function_columns"], f)) for f in profile["functions"]]
    rows = []
    for values in profile["instructions"]:
        row = dict(zip(profile["columns"], values))
        row["function"], row["offset"] = place_of(functions, row["address"])
        rows.append(row)
    return rows


def place_of(functions: list[dict[str, Any]], address: int) -> tuple[str, str]:
    """The function that holds an address, and "+0x12"; the address where none does."""
    for f in functions:
        if 0 <= address - f["address"] < max(f["bytes"], 1):
            return f["name"], f"+{address - f['address']:#x}"
    return "", f"{address:#x}"


def blocks_of(profile: dict[str, Any], rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Basic blocks with their instructions, the ones with most cycles first."""
    blocks = []
    for values in profile["blocks"]:
        block = dict(zip(profile["block_columns"], values))
        inside = [r for r in rows if block["first"] <= r["address"] <= block["last"]]
        block["instructions"] = inside
        block["place"] = " ".join(filter(None, (inside[0]["function"], inside[0]["offset"])))
        blocks.append(block)
    return blocks


def functions_of(rows: list[dict[str, Any]]) -> list[tuple[str, int]]:
    """Cycles by function, most first."""
    sums: dict[str, int] = {}
    for row in rows:
        name = row["function"] or "elsewhere"
        sums[name] = sums.get(name, 0) + row["cycles"]
    return sorted(sums.items(), key=lambda item: -item[1])


KERNELS = (
    Column("kernel", least=16),
    Column("calls", right=True),
    Column("cycles", right=True),
    Column("a call", right=True, drop=1),
    Column("instructions", right=True, drop=3),
    Column("a cycle", right=True, drop=4),
    Column("elements", right=True, drop=2),
    Column("a cycle", right=True, drop=5),
    Column("largest stalls", least=16, drop=6),
)
INSTRUCTIONS = (
    Column("%", right=True),
    Column("cycles", right=True),
    Column("count", right=True, drop=1),
    Column("beats", right=True, drop=2),
    Column("offset"),
    Column("instruction", least=32),
    Column("waits", least=16, drop=3),
)


def kernel_row(k: dict[str, Any]) -> list[Cell]:
    cycles = k["cycles"] or 1
    return [
        k["name"],
        number(k["calls"]),
        number(k["cycles"]),
        number(round(k["cycles"] / (k["calls"] or 1))),
        number(k["instructions"]),
        f"{k['instructions'] / cycles:.2f}",
        number(k["elements"]),
        f"{k['elements'] / cycles:.2f}",
        stall_items(k["stall"], cycles),
    ]


def heat(share: float) -> str:
    return "bold red" if share >= HOT else "yellow" if share >= WARM else ""


def print_instructions(console: Console, rows: list[dict[str, Any]], cycles: int) -> None:
    """As they lie in memory: share of the kernel's cycles, times executed, beats of the vector
    unit, what was waited for."""
    cells: list[list[Cell]] = []
    for row in rows:
        share = 100 * row["cycles"] / (cycles or 1)
        beats = Text(
            number(row["beats"]) if row["beats"] else "",
            style=heat(100 * row["beats"] / (cycles or 1)),
        )
        cells.append(
            [
                Text(f"{share:.1f}", style=heat(share)),
                number(row["cycles"]),
                number(row["count"]),
                beats,
                row["offset"],
                row["instruction"],
                stall_items(row["stall"], row["cycles"] or 1),
            ]
        )
    print_table(console, INSTRUCTIONS, cells)


def print_kernels(
    console: Console, record: dict[str, Any], kernels: list[dict[str, Any]], blocks: int | None
) -> None:
    """blocks: the hottest ones of each kernel; None: every instruction, function by function."""
    network = file_name(record["network"]["file"])
    title = f"{network} on {soc_name(record)}: kernels of the DSP"
    if record["samples"] > 1:
        title += f", {record['samples']} samples"
    console.print(Text(title, style="bold"))
    console.print()
    print_table(console, KERNELS, [kernel_row(kernel) for kernel in kernels])
    if all(kernel["profile"] is None for kernel in kernels):
        console.print()
        console.print("instructions: `presil run NET --profile` records what each of them did")
        return
    for kernel in kernels:
        if kernel["profile"] is not None:
            print_profile(console, kernel, blocks)


def print_profile(console: Console, kernel: dict[str, Any], blocks: int | None) -> None:
    cycles = kernel["cycles"] or 1
    rows = rows_of(kernel["profile"])
    console.print()
    console.print(Text(f"{kernel['name']}: {number(kernel['cycles'])} cycles", style="bold"))
    for name, of_function in functions_of(rows):
        console.print(
            f"  {100 * of_function / cycles:5.1f} %  {name}", markup=False, soft_wrap=True
        )
    if blocks is None:
        for name, _ in functions_of(rows):
            inside = [row for row in rows if (row["function"] or "elsewhere") == name]
            console.print()
            console.print(Text(name, style="bold"))
            print_instructions(console, inside, cycles)
        return
    for block in blocks_of(kernel["profile"], rows)[:blocks]:
        passes = block["passes"] or 1
        console.print()
        console.print(
            Text(
                f"{100 * block['cycles'] / cycles:.1f} % in {block['place']}: "
                f"{number(block['passes'])} passes of {block['cycles'] / passes:.1f} cycles",
                style="bold",
            ),
            soft_wrap=True,
        )
        print_instructions(console, block["instructions"], cycles)
