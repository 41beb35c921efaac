"""The field's words: a reader who knows accelerators, compilers or verification translates nothing.

`terms.txt` lists what is not written and what to write instead. `terms_pending.txt` lists layers,
rooms and files that are not clean yet, with their hits: a number can only fall.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest
from tree import name_of, text_of, tracked

HERE = Path(__file__).parent
EXEMPT = ("LICENSE",)
PRINTS = (".svg", ".hash", ".json")
"""Endings of what programs print: what is wrong there is wrong in their sources."""


@dataclass(frozen=True)
class Term:
    say: str
    pattern: re.Pattern[str]
    innocent: re.Pattern[str] | None = None


def lines_of(file: str) -> list[str]:
    text = (HERE / file).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def term(line: str) -> Term:
    say, *patterns = line.split(" | ")
    return Term(say, *(re.compile(p.replace("·", "")) for p in patterns))


TERMS = [term(line) for line in lines_of("terms.txt")]


def findings(text: str) -> list[str]:
    """`line N: 'word', write: ...` of each hit."""
    found = []
    for term in TERMS:
        if not term.pattern.search(text):
            continue
        left = term.innocent.sub(blanks, text) if term.innocent else text
        for match in term.pattern.finditer(left):
            line = left.count("\n", 0, match.start()) + 1
            found.append(f"line {line}: '{match.group()}', write: {term.say}")
    return found


def blanks(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match.group())


def pending() -> dict[str, int]:
    """Hits that are allowed, by the folder or file they are below."""
    return {(words := line.split())[0]: int(words[1]) for line in lines_of("terms_pending.txt")}


def group_of(name: str, groups: dict[str, int]) -> str:
    """The longest entry that the file is below; else its room."""
    parts = name.split("/")
    above = ["/".join(parts[:n]) for n in range(len(parts), 0, -1)]
    return next((group for group in above if group in groups), "/".join(parts[:2]))


def hits(groups: dict[str, int]) -> dict[str, list[str]]:
    """By group."""
    found: dict[str, list[str]] = {}
    for file in tracked():
        name = name_of(file)
        if name in EXEMPT or file.suffix in PRINTS:
            continue
        for finding in findings(text_of(file) or ""):
            found.setdefault(group_of(name, groups), []).append(f"{name}, {finding}")
    return found


def test_files_speak_the_fields_language() -> None:
    allowed = pending()
    wrong = [
        f"{group} has {len(found)}, at most {most} are allowed:\n  " + "\n  ".join(found[:40])
        for group, found in hits(allowed).items()
        if len(found) > (most := allowed.get(group, 0))
    ]
    assert not wrong, "words that are not the field's:\n" + "\n".join(wrong)


@pytest.mark.parametrize(
    "text",
    [
        "axis is 3, wan" + "ts 0..2",
        "what is fused beh" + "ind it",
        "the one wh" + "o waits",
        "weights by ch" + "ance",
        "waits for ev" + "er",
        "fla" + "t_bytes",
        "a pict" + "ure of it",
        "the hand-o" + "ver to the DSP",
    ],
)
def test_the_patterns_find(text: str) -> None:
    assert findings(text)


@pytest.mark.parametrize(
    "text",
    [
        "axis is 3, must be 0..2",
        "a reader wh" + "o knows the field",
        "what users wa" + "nt",
        "hidden beh" + "ind a pimpl",
        "a fl" + "ip-flop, the bit fl" + "ips",
        "saturating_rounding_doub" + "ling_high_multiply",
        "in place",
        "the flat index",
        "return weights",
        'first["wan' + 'ted"]',
        'record["pict' + 'ures"]',
        "sample.sta" + "yed",
        "size_t sto" + "rage_bytes",
    ],
)
def test_the_patterns_pass(text: str) -> None:
    assert not findings(text)


if __name__ == "__main__":  # the pending groups and other rooms, as they are now
    for name, found in sorted(hits(pending()).items()):
        print(name, len(found))
