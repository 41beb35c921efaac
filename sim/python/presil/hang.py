"""Why a job did not end, for people: text and an image of what the simulator has found.

`run` keeps them beside each other as hang.json, hang.txt, hang.svg.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from html import escape
from pathlib import Path
from typing import Any

from .atomic import write_file, writing
from .refusal import HardwareError

FILES = ("hang.json", "hang.txt", "hang.svg")
ROW, WIDTH, LEFT, TOP = 46, 1000, 320, 40
RED, GREY, BLUE, GREEN = "#c0392b", "#7f8c8d", "#2c6fbb", "#3a8f4c"


def command_text(command: Mapping[str, Any]) -> str:
    """'dla command 5 (layer conv_1)'."""
    text = str(command["queue"])
    if "command" in command:
        text += f" command {command['command']}"
    return text + (f" (layer {command['layer']})" if "layer" in command else "")


def hang_text(hang: Mapping[str, Any]) -> str:
    """The report as lines: culprit, chain, queues with their last commands, the core."""
    culprit = hang["culprit"]
    lines = [
        f"culprit: {command_text(culprit)}: {culprit['why']}",
        "",
        "waits, from the first queue on:",
    ]
    for link in hang["chain"]:
        line = f"  {command_text(link)}"
        if "counter" in link:
            line += f" waits for counter {link['counter']} to reach {link['value']}, it is "
            line += str(link["is"])
        elif "why" in link:
            line += f" {link['why']}"
        lines.append(line)
    if "core" in hang:
        lines += ["", f"core: {hang['core']}"]
    for queue in hang["queues"]:
        state = f", state {queue['state']}" if "state" in queue else ""
        lines += [
            "",
            f"{queue['queue']}: {queue['does']}; counter {queue['counter']} of {queue['of']}, "
            f"{queue['commands']} commands{state}",
        ]
        for wait in queue.get("waits", []):
            line = f"  waits for counter {wait['counter']} to reach {wait['value']}, it is "
            line += str(wait["is"]) + (" (met)" if wait["met"] else "")
            by = wait.get("signaller")
            if by and not wait["met"]:
                line += f"; {command_text(by)} should signal it, which {by['does']}"
            lines.append(line)
        if queue["last"]:
            lines.append("  last commands:")
        for last in queue["last"]:
            layer = f" {last['layer']}" if "layer" in last else ""
            lines.append(
                f"    {last['command']:6}  cycles {last['start']:,} to {last['end']:,}{layer}"
            )
    return "\n".join(lines) + "\n"


def hang_svg(hang: Mapping[str, Any]) -> str:
    """A row for each queue: state, last commands over time, an arrow to the missing signaller."""
    queues = hang["queues"]
    rows = {queue["queue"]: TOP + i * ROW for i, queue in enumerate(queues)}
    spans = [last for queue in queues for last in queue["last"]]
    first = min((last["start"] for last in spans), default=hang["cycle"])
    last_cycle = max(hang["cycle"], first + 1)
    height = TOP + ROW * len(queues) + 60
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" '
        'font-family="sans-serif" font-size="12">',
        '<defs><marker id="a" markerWidth="8" markerHeight="8" refX="7" refY="4" orient="auto">'
        f'<path d="M0,0 L8,4 L0,8 z" fill="{RED}"/></marker></defs>',
        f'<text x="10" y="20">cycle {hang["cycle"]:,}: {escape(hang["culprit"]["why"])}</text>',
    ]

    def place(cycle: int) -> float:
        return LEFT + (WIDTH - LEFT - 20) * (cycle - first) / (last_cycle - first)

    for queue in queues:
        y = rows[queue["queue"]]
        bad = queue["queue"] == hang["culprit"]["queue"]
        colour = RED if bad else GREEN if queue["done"] else GREY
        parts.append(
            f'<rect x="10" y="{y}" width="{LEFT - 30}" height="{ROW - 12}" rx="4" fill="none" '
            f'stroke="{colour}" stroke-width="{3 if bad else 1}"/>'
        )
        oldest = queue.get("oldest", {})
        name = f"{queue['queue']}: {queue['does']}"
        parts.append(f'<text x="18" y="{y + 15}">{escape(name)}</text>')
        parts.append(
            f'<text x="18" y="{y + 29}" fill="{GREY}">{escape(str(oldest.get("layer", "")))}</text>'
        )
        for last in queue["last"]:
            x = place(last["start"])
            width = max(place(last["end"]) - x, 1)
            parts.append(
                f'<rect x="{x:.1f}" y="{y + 6}" width="{width:.1f}" height="{ROW - 24}" '
                f'fill="{BLUE}"><title>{escape(command_text(last))}</title></rect>'
            )
    for queue in queues:
        for wait in queue.get("waits", []):
            by = wait.get("signaller")
            if wait["met"] or not by or by["queue"] not in rows:
                continue
            begin, end = rows[queue["queue"]] + 17, rows[by["queue"]] + 17
            bend = LEFT - 20 + 28
            parts.append(
                f'<path d="M{LEFT - 20},{begin} C{bend},{begin} {bend},{end} {LEFT - 20},{end}" '
                f'fill="none" stroke="{RED}" marker-end="url(#a)"><title>counter '
                f"{wait['counter']} to {wait['value']}, it is {wait['is']}</title></path>"
            )
    if "core" in hang:
        parts.append(f'<text x="10" y="{height - 14}">core: {escape(hang["core"])}</text>')
    return "\n".join([*parts, "</svg>\n"])


def write_hang(hang: Mapping[str, Any], folder: Path) -> None:
    texts = (json.dumps(hang, indent=1) + "\n", hang_text(hang), hang_svg(hang))
    for name, text in zip(FILES, texts):
        write_file(folder / name, text)


@contextmanager
def hang_kept(folder: Path) -> Iterator[None]:
    """What the hardware fails with inside leaves its hang report in the folder, and says so."""
    try:
        yield
    except HardwareError as error:
        hang = error.detail.get("hang")
        if hang:
            with writing(folder):
                folder.mkdir(parents=True, exist_ok=True)
            write_hang(hang, folder)
            error.args = (f"{error}; hang report: {folder / 'hang.txt'}",)
        raise
