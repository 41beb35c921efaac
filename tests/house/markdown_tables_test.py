"""Tables of the documents come out as tables: every row has as many cells as its head, and no row
stands alone after an empty line."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree import hand_written, name_of

RULE = re.compile(r"^\s*\|?(\s*:?-+:?\s*\|)+(\s*:?-+:?\s*)?$")
FENCE = re.compile(r"^\s*(```|~~~)")


def cells(row: str) -> int:
    """Of a row; a bar after a backslash is a bar, also in code, as GitHub reads tables."""
    inner = row.strip()
    inner = inner.removeprefix("|")
    if inner.endswith("|") and not inner.endswith("\\|"):
        inner = inner[:-1]
    return len(re.split(r"(?<!\\)\|", inner))


def wrong_rows(text: str) -> Iterator[tuple[int, str]]:
    """Line number and what is wrong with it."""
    lines = text.splitlines()
    fenced, head = False, 0
    for number, line in enumerate(lines, 1):
        if FENCE.match(line):
            fenced = not fenced
        if fenced or not line.lstrip().startswith("|"):
            head = 0
            continue
        if head:
            if cells(line) != head:
                yield number, f"has {cells(line)} cells, its table's head {head}"
            continue
        rule = lines[number] if number < len(lines) else ""
        if not RULE.match(rule):
            yield number, "is a row without a head: a line |---|---| is missing, or one too many"
        head = cells(line)


def test_tables_of_documents_are_tables() -> None:
    wrong = [
        f"{name_of(file)}:{number} {what}"
        for file in hand_written(".md")
        for number, what in wrong_rows(file.read_text(encoding="utf-8"))
    ]
    assert not wrong, "\n".join(wrong)


def test_a_broken_table_is_found() -> None:
    head = "| a | b |\n|---|---|\n"
    assert list(wrong_rows(f"{head}| 1 | 2 |\n| `x\\|y` | 2 |\n")) == []
    assert list(wrong_rows(f"```\n| no table\n```\n\n{head}")) == []
    assert [n for n, _ in wrong_rows(f"{head}| 1 | 2 |\n\n| 3 | 4 |\n")] == [5]
    assert [n for n, _ in wrong_rows(f"{head}| `x|y` | 2 |\n")] == [3]
    assert [n for n, _ in wrong_rows(f"{head}| 1 |\n")] == [3]
