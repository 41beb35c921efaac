"""What belongs to one workplace or one day stays out of the project's files.

The patterns are put together from pieces, so that this file does not hold what it looks for.
"""

from __future__ import annotations

import re

import pytest
from tree import name_of, text_of, tracked

LICENCES = ("LICENSE",)

FORBIDDEN = {
    "a path of one workplace": [
        r"(?<![\w.~])/wo" + r"rk/",
        r"/tmp" + r"/presil",
        r"(?<![\w.])/fa" + r"rm/",
        r"/(home|ro" + r"ot|Users)/\w",
        r"\.libr" + r"ary/",
    ],
    "the name of a package index's host": [
        r"py" + r"pi\.(org|python)",
        r"python" + r"hosted\.",
        r"npm" + r"js\.",
        r"crates" + r"\.io",
        r"(deb|security)\.deb" + r"ian\.org",
        r"arti" + r"factory",
        r"conda" + r"\.(io|org)",
    ],
    "a word about how the text came about": [
        r"(?i)\bsub-?ag" + r"ents?\b",
        r"(?i)\b(ai|coding|other|another|this) ag" + r"ents?\b",
        r"(?i)\b(this|another|next|previous|earlier|last|parallel) ses" + r"sion\b",
        r"\bA" + r"I\b(?!-)",
        r"(?i)\blanguage mo" + r"del\b",
        r"(?i)\bL" + r"LMs?\b",
        r"(?i)\bcla" + r"ude\b",
        r"(?i)\banth" + r"ropic\b",
        r"(?i)\bchat-?g" + r"pt\b",
        r"(?i)\bassis" + r"tants?\b",
        r"(?i)\bco-?pi" + r"lot\b",
        r"(?i)\bhel" + r"pers?\b",
    ],
    "a mark of unfinished work": [
        r"\bTO" + r"DO\b",
        r"\bFIX" + r"ME\b",
        r"\bXX" + r"X\b",
        r"(?i)\bha" + r"ck\b",
    ],
}


def findings(text: str) -> list[str]:
    found = []
    for kind, patterns in FORBIDDEN.items():
        for pattern in patterns:
            for match in re.finditer(pattern, text):
                line = text.count("\n", 0, match.start()) + 1
                found.append(f"line {line}: '{match.group()}' is {kind}")
    return found


def test_no_file_speaks_of_the_workplace() -> None:
    wrong = [
        f"{name_of(file)}, {finding}"
        for file in tracked()
        if name_of(file) not in LICENCES
        for finding in findings(text_of(file) or "")
    ]
    assert not wrong, "\n".join(wrong)


def test_the_folder_beside_the_project_is_only_a_default() -> None:
    """Trained networks come from $PRESIL_SHARED; only its default is a path here."""
    place = "../sha" + "red"
    wrong = [
        f"{name_of(file)}:{number}: {line.strip()}"
        for file in tracked()
        if place in (text := text_of(file) or "") and "PRESIL_SHARED" not in text
        for number, line in enumerate(text.splitlines(), 1)
        if place in line
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    "text",
    [
        "see /wo" + "rk/main",
        "cd /tmp" + "/presil",
        "https://py" + "pi.org/simple",
        "written by an A" + "I",
        "another ag" + "ent did it",
        "in this ses" + "sion",
        "# TO" + "DO later",
    ],
)
def test_the_patterns_find(text: str) -> None:
    assert findings(text)


@pytest.mark.parametrize(
    "text",
    [
        "build/work/x and a/work/b",
        "sim/platform/session.cpp holds the session",
        "ai-edge-litert",
        "testbench agents drive the bus",
        "~/.cache/presil",
    ],
)
def test_the_patterns_pass(text: str) -> None:
    assert not findings(text)
