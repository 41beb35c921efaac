"""Lines of documents are at most 140 characters long; rows of tables and code are as they are.

`markdown_pending.txt` lists documents that have longer ones, and how many: a number can only fall.
"""

from __future__ import annotations

import re
from pathlib import Path

from tree import hand_written, name_of

MOST = 140
PENDING = Path(__file__).with_name("markdown_pending.txt")
FENCE = re.compile(r"^\s*(```|~~~)")
NO_BREAK = re.compile(r"^\s*([-*]\s+)?(!?\[[^\]]*\]\([^)]*\)|\S+)[.,;:]?$")
"""A line of one link, or of one word, cannot be broken."""


def long_lines(text: str) -> list[int]:
    fenced, found = False, []
    for number, line in enumerate(text.splitlines(), 1):
        if FENCE.match(line):
            fenced = not fenced
        if fenced or line.lstrip().startswith("|") or NO_BREAK.match(line):
            continue
        if len(line) > MOST:
            found.append(number)
    return found


def all_long_lines() -> dict[str, list[int]]:
    found = {name_of(file): long_lines(file.read_text("utf-8")) for file in hand_written(".md")}
    return {name: lines for name, lines in found.items() if lines}


def test_lines_of_documents_are_short() -> None:
    rows = [line.split() for line in PENDING.read_text(encoding="utf-8").splitlines()]
    allowed = {name: int(count) for name, count in rows}
    wrong = [
        f"{name}: lines {', '.join(map(str, lines))} are longer than {MOST} characters"
        for name, lines in all_long_lines().items()
        if len(lines) > allowed.get(name, 0)
    ]
    assert not wrong, "\n".join(wrong)


def test_what_is_long() -> None:
    long = "word " * 30
    assert long_lines(long) == [1]
    assert long_lines("\n" + long + "\n\n" + long) == [2, 4]
    assert not long_lines("| " + long + " |")
    assert not long_lines("```\n" + long + "\n```")
    assert long_lines("```\n```\n" + long) == [3]
    assert not long_lines("[a](" + "x" * 150 + ")")


if __name__ == "__main__":  # the list, as it is now
    for name, lines in all_long_lines().items():
        print(name, len(lines))
