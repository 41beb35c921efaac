"""A campaign as a document: kill rate by room and operator, and every survivor with its reason."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from ..names import described
from ..refusal import Refusal
from .sites import KINDS, OPERATORS, ROOMS

Record = dict[str, Any]
EQUIVALENT = "equivalent"
KEY = ("file", "right", "wrong")
VERDICTS = (EQUIVALENT, "missing")


def reasons_of(file: Path) -> list[Record]:
    """Why mutants survive, by hand: `file`, `right`, `wrong`, `verdict` (equivalent: no stimulus
    can show it; missing: one could), `reason`."""
    if not file.is_file():
        return []
    try:
        found = yaml.safe_load(file.read_text(encoding="utf-8")) or []
    except yaml.YAMLError as error:
        raise Refusal(f"mutate: '{file}' is no YAML ({error})") from None
    for entry in found:
        if not isinstance(entry, dict) or not set(KEY) | {"verdict", "reason"} <= set(entry):
            raise Refusal(
                f"mutate: an entry of '{file}' is {described(entry)}, must have file, right, "
                "wrong, verdict and reason"
            )
        if entry["verdict"] not in VERDICTS:
            raise Refusal(
                f"mutate: a verdict in '{file}' is {described(entry['verdict'])}, must be one of "
                f"{', '.join(VERDICTS)}"
            )
    return list(found)


def reason_for(row: Record, reasons: list[Record]) -> Record | None:
    """Of a file's line where an entry has one, else of all that read the same in the file."""
    for entry in reasons:
        if (
            all(str(entry[key]) == row[key] for key in KEY)
            and entry.get("line", row["line"]) == (row["line"])
        ):
            return entry
    return None


def survivors(record: Record) -> list[Record]:
    return [row for row in record["mutants"] if row.get("killed_by", "") is None]


def is_equivalent(row: Record, reasons: list[Record]) -> bool:
    entry = reason_for(row, reasons) if row.get("killed_by", "") is None else None
    return entry is not None and entry["verdict"] == EQUIVALENT


def killed_share(record: Record, reasons: list[Record]) -> float:
    """Percent of the mutants that are not equivalent to what stood there."""
    real = [row for row in record["mutants"] if not is_equivalent(row, reasons)]
    return 100 * killed(real) / len(real) if real else 100.0


def killed(rows: list[Record]) -> int:
    return sum(bool(row.get("killed_by")) for row in rows)


def markdown_text(record: Record, reasons: list[Record]) -> str:
    rows = record["mutants"]
    left = survivors(record)
    same = [row for row in left if is_equivalent(row, reasons)]
    lines = [
        "# Mutation campaign",
        "",
        f"`presil mutate --mutants {record['count']} --seed {record['seed']}`, suite "
        f"{record['suite']}, RTL and models of commit {record['presil']['commit']}: {len(rows)} "
        "mutants that compile.",
        f"{killed(rows)} are killed, {100 * killed(rows) / max(len(rows), 1):.1f} %; without "
        f"{len(same)} that change nothing, {killed_share(record, reasons):.1f} %.",
        "",
        "Killed of all, by room and operator; the survivors that change nothing are in all.",
        "",
        "| | " + " | ".join(OPERATORS) + " | all |",
        "|---|" + "---|" * (len(OPERATORS) + 1),
    ]
    for kind in KINDS:
        for room in ROOMS:
            here = [row for row in rows if (row["kind"], row["room"]) == (kind, room)]
            if here:
                cells = [[row for row in here if row["operator"] == name] for name in OPERATORS]
                told = " | ".join(f"{killed(c)} of {len(c)}" for c in [*cells, here])
                lines.append(f"| {kind} {room} | {told} |")
    cells = [[row for row in rows if row["operator"] == name] for name in OPERATORS]
    told = " | ".join(f"{killed(c)} of {len(c)}" for c in [*cells, rows])
    lines.append(f"| all | {told} |")
    lines += ["", "## Survivors", "", f"{len(left)} mutants:", ""]
    for row in left:
        entry = reason_for(row, reasons)
        why = f"{entry['verdict']}: {entry['reason']}" if entry else "not explained yet"
        lines += wrapped(
            f"- `{row['file']}:{row['line']}` ({row['operator']}): `{short(row['right'])}` became "
            f"`{short(row['wrong'])}`{place(row)}. {why}"
        )
    return "\n".join(lines) + "\n"


def place(row: Record) -> str:
    """The line of what says little by itself."""
    source = str(row.get("source", ""))
    return f" in `{short(source)}`" if len(row["right"]) < 12 and source else ""


def short(text: str) -> str:
    return text if len(text) <= 90 else text[:87] + "..."


def wrapped(text: str, width: int = 138) -> list[str]:
    """Lines of a list entry."""
    lines, line = [], ""
    for word in text.split(" "):
        if line and len(line) + 1 + len(word) > width:
            lines.append(line)
            line = "  " + word
        else:
            line = f"{line} {word}" if line else word
    return [*lines, line]
