"""Every refusal has a test on its text.

A refusal is a call that puts a sentence together from literals and values. It counts as tested when
some test holds SHARED characters in a row of its literals, of those that no other refusal has.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from tree import hand_written, name_of, text_of

ROOMS = (
    "compiler_bridge/common/",
    "compiler_bridge/compile/",
    "compiler_bridge/import/",
    "compiler_bridge/ir/",
    "compiler_bridge/rules/",
    "driver/core/",
    "models/base/",
    "models/soc/",
    "sim/platform/",
    "sim/python/",
    "sim/socs/",
)
OWN = "tests/house/refusal_texts_test.py"
SHARED = 12
CALL = re.compile(
    r"\b(?:Refusal|Failure|refuse\w*|require\w*|TEXT|presil_within|presil_found|within)\s*\("
)
REASON = re.compile(r"\breturn\s+(?=\")")
C_LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
PYTHON_LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"|\'((?:[^\'\\\n]|\\.)*)\'')
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
VALUE = re.compile(r"\{[^{}]*\}")


@dataclass(frozen=True)
class Site:
    """A call in a file and the literals in it, those on both sides of a line break joined."""

    place: str
    literals: tuple[str, ...]


def end_of(text: str, begin: int) -> int:
    """After the bracket that closes the one before `begin`; literals are skipped."""
    depth, at = 1, begin
    while depth and at < len(text):
        if text[at] == '"':
            found = C_LITERAL.match(text, at)
            at = found.end() if found else at + 1
            continue
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        at += 1
    return at


def literals_of(code: str, python: bool) -> list[str]:
    joined = re.sub(r'"\s*\n\s*f?"', "", code)  # a literal goes on in the next line
    pattern = PYTHON_LITERAL if python else C_LITERAL
    found = [next((g for g in m.groups() if g), "") for m in pattern.finditer(joined)]
    if python:
        found = [part for text in found for part in VALUE.split(text)]
    return [text.replace('\\"', '"') for text in found]


def sites_of(name: str, text: str) -> Iterator[Site]:
    python = name.endswith(".py")
    if not python:
        text = COMMENT.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), text)
    calls = [(m.start(), m.end(), end_of(text, m.end())) for m in CALL.finditer(text)]
    if name.startswith("compiler_bridge/rules/"):
        calls += [(m.start(), m.end(), text.find(";", m.end())) for m in REASON.finditer(text)]
    for start, begin, end in calls:
        if any(begin <= inner and out <= end and (inner, out) != (start, end)
               for inner, _, out in calls):  # fmt: skip
            continue  # the innermost call says it
        literals = tuple(s for s in literals_of(text[begin:end], python) if len(s) >= SHARED)
        if literals:
            yield Site(f"{name}:{text.count(chr(10), 0, start) + 1}", literals)


def parts(text: str) -> set[str]:
    return {text[i : i + SHARED] for i in range(len(text) - SHARED + 1)}


@cache
def sites() -> list[Site]:
    found: list[Site] = []
    for file in hand_written():
        name = name_of(file)
        if name.startswith(ROOMS) and file.suffix in (".c", ".cpp", ".h", ".py"):
            found += sites_of(name, text_of(file) or "")
    return found


@cache
def said_by_tests() -> set[str]:
    """All that tests say between quotes, in pieces."""
    said: set[str] = set()
    for file in hand_written():
        name = name_of(file)
        if "tests/" in name and file.suffix in (".cpp", ".h", ".py") and name != OWN:
            for literal in literals_of(text_of(file) or "", file.suffix == ".py"):
                said |= parts(literal)
    return said


def unsaid_by_tests() -> list[Site]:
    pieces = {site: set().union(*map(parts, site.literals)) for site in sites()}
    owners = Counter(part for own in pieces.values() for part in own)
    missing = []
    for site, own in pieces.items():
        alone = {part for part in own if owners[part] == 1}
        if not (alone or own) & said_by_tests():
            missing.append(site)
    return missing


def test_every_refusal_has_a_test_on_its_text() -> None:
    assert len(sites()) > 200, "the inventory does not find the refusals any more"
    missing = [f"{site.place}: {' ... '.join(site.literals)}" for site in unsaid_by_tests()]
    assert not missing, f"{len(missing)} refusals have no test:\n" + "\n".join(missing)


def test_a_refusal_without_a_test_is_found() -> None:
    code = 'if (n > 3) refuse("the count is " + text + ", far above "\n  "any real one");'
    (site,) = sites_of("compiler_bridge/ir/x.cpp", code)
    assert site.literals == ("the count is ", ", far above any real one")
    (site,) = sites_of("sim/python/x.py", 'raise Refusal(f"option: {got} is unheard of by us")')
    assert site.literals == (" is unheard of by us",)
