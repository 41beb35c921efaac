"""What has to be seen of an engine: bins of its commands' fields, their crosses, causes and rules.

Most follow from the contract; rtl/<engine>/coverage.yaml states the rest. sim/guides/coverage.md
has its keys.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from .. import paths
from ..contract import ENGINES, Engine, Field
from ..explore_sweep import known_keys, read_yaml
from ..names import described
from ..refusal import Refusal

Values = dict[str, int]
"""Of a command, by field."""
KEYS = ("fields", "not_covered", "crosses", "stimulus")
GROUPS = ("fields", "crosses", "stalls", "waits", "rules")
KINDS = ("model", "rtl")
"""How an engine ran where a bin was seen."""
BROKEN = "tests that break rules, with PRESIL_COVERAGE (sim/guides/coverage.md)"
HELP = "rtl/dla/coverage.yaml shows one"
QUEUE_FIELDS = ("signal",)
"""Counters that a command names, besides its waits: 0 is none."""


@dataclass(frozen=True)
class Bin:
    """subject: the field, the fields of a cross, the cause or the rule. why: by kind of how the
    engine runs the reason by which it need not be seen; "": it has to be."""

    engine: str
    group: str
    subject: str
    value: str
    meaning: str
    stimulus: str
    why: tuple[str, ...] = ("", "")

    @property
    def name(self) -> str:
        return f"{self.group}/{self.subject}/{self.value}"

    def needed(self, kind: str) -> bool:
        return not self.why[KINDS.index(kind)]


@dataclass(frozen=True)
class Range:
    low: int
    high: int
    text: str


@dataclass(frozen=True)
class Stated:
    """A coverage.yaml, read."""

    ranges: dict[str, tuple[Range, ...]]
    not_covered: dict[str, str]
    """By field or cause; with ` in rtl`, ` in model`: of blocks that run so alone."""
    crosses: tuple[tuple[tuple[str, ...], tuple[dict[str, Any], ...]], ...]
    stimulus: dict[str, str]


def engines_with_bins() -> list[str]:
    return [name for name in ENGINES if file_of(name).is_file()]


def file_of(engine: str) -> Path:
    installed = paths.PARTS / "coverage" / f"{engine}.yaml"
    return installed if paths.INSTALLED else paths.ROOT / "rtl" / engine / "coverage.yaml"


def each_name(given: dict[str, str]) -> dict[str, str]:
    """`a b: text` is of a and of b; `a b in rtl: text` of both, where they are RTL."""
    found = {}
    for names, text in given.items():
        words, where, kind = str(names).partition(" in ")
        found.update({word + where + kind: str(text) for word in words.split()})
    return found


@cache
def stated(engine: str) -> Stated:
    """Of an engine, every field of whose command it speaks of."""
    file = file_of(engine)
    where = f"coverage: '{file}'"
    given = read_yaml(file, where, HELP)
    known_keys(given, KEYS, where, HELP, "`fields`")
    about = ENGINES[engine]
    ranges = {
        name: tuple(range_of(one, where, name) for one in listed)
        for name, listed in given["fields"].items()
    }
    crosses = tuple(
        (tuple(one["of"]), tuple(one.get("never", ()))) for one in given.get("crosses", [])
    )
    found = Stated(
        ranges,
        each_name(given.get("not_covered", {})),
        crosses,
        each_name(given.get("stimulus", {})),
    )
    spoken = {*ranges, *found.not_covered}
    for name, field in about.fields.items():
        if name not in spoken and not plain(about, field):
            raise Refusal(
                f"{where}: says nothing of field {name}; give it bins under fields, or a reason "
                "under not_covered"
            )
    known = {*about.fields, *causes_of(about), *(f"{rule.name}/broken" for rule in about.rules)}
    for name in (*spoken, *(name for names, _ in crosses for name in names)):
        if name.partition(" in ")[0] not in known:
            raise Refusal(f"{where}: '{name}' is no field of the command and no cause of {engine}")
    return found


def plain(engine: Engine, field: Field) -> bool:
    """Whether the bins of a field follow from the contract: codes, bits, counters."""
    return bool(field.codes) or field.width == 1 or field.name in (*engine.waits, *QUEUE_FIELDS)


def range_of(text: Any, where: str, name: str) -> Range:
    low, dots, high = str(text).partition("..")
    try:
        first = int(low) if low else -(2**63)
        last = (int(high) if high else 2**63) if dots else first
    except ValueError:
        first, last = 1, 0
    if last < first:
        raise Refusal(f"{where}: bin {described(text)} of {name} is no value or range, as 2..15")
    return Range(first, last, str(text))


def ranges_of(engine: Engine, name: str) -> tuple[Range, ...]:
    """The bins of a field, as ranges of its values."""
    field, own = engine.fields[name], stated(engine.name).ranges.get(name)
    if own is not None:
        return own
    if field.codes:
        legal = {value: code for value, code in field.codes.items() if code not in field.refused}
        return tuple(Range(value, value, code) for value, code in legal.items())
    if field.width == 1:
        return Range(0, 0, "0"), Range(1, 1, "1")
    return Range(0, 0, "none"), Range(1, 255, "some")


def causes_of(engine: Engine) -> list[str]:
    return [c.cause for c in engine.counters if c.cause and c.cause != "run"]


@cache
def bins_of(engine: str) -> tuple[Bin, ...]:
    """Every bin of an engine, in the order of GROUPS."""
    about = ENGINES[engine]
    found = [
        *field_bins(about),
        *cross_bins(about),
        *cause_bins(about),
        *wait_bins(about),
        *rule_bins(about),
    ]
    return tuple(found)


def make(engine: Engine, group: str, subject: str, value: str, meaning: str, why: str = "") -> Bin:
    said = stated(engine.name)
    by_name = {} if group == "rules" else said.not_covered  # a rule may have a field's name
    of_all = why or by_name.get(subject, "")
    reasons = [
        of_all
        or by_name.get(f"{subject} in {kind}", "")
        or said.not_covered.get(f"{subject}/{value} in {kind}", "")
        for kind in KINDS
    ]
    if not has_rtl(engine):
        reasons[1] = reasons[1] or "there is no RTL of it"
    names = [subject, *subject.split(" x ")]
    if group == "rules":
        known = {"broken": BROKEN}
        return Bin(
            engine.name, group, subject, value, meaning, known.get(value, ""), tuple(reasons)
        )
    stimulus = "; ".join(dict.fromkeys(filter(None, (said.stimulus.get(n) for n in names))))
    return Bin(engine.name, group, subject, value, meaning, stimulus, tuple(reasons))


def has_rtl(engine: Engine) -> bool:
    from ..blocks import BLOCKS

    return engine.name in BLOCKS


def field_bins(engine: Engine) -> Iterator[Bin]:
    left_out = stated(engine.name).not_covered
    for name, field in engine.fields.items():
        if name not in left_out:
            for one in ranges_of(engine, name):
                yield make(engine, "fields", name, one.text, field.meaning)


def cross_bins(engine: Engine) -> Iterator[Bin]:
    for names, never in stated(engine.name).crosses:
        for chosen in itertools.product(*(ranges_of(engine, name) for name in names)):
            texts = dict(zip(names, (one.text for one in chosen), strict=True))
            if not used(engine, names, texts.get("op")):
                continue
            why = next((str(n["why"]) for n in never if matches(n["when"], texts)), "")
            value = " ".join(f"{name}={text}" for name, text in texts.items())
            yield make(engine, "crosses", " x ".join(names), value, "both in one command", why)


def used(engine: Engine, names: tuple[str, ...], op: str | None) -> bool:
    """Whether an operation reads all fields of a cross."""
    users = (engine.fields[name].used_by for name in names)
    return op is None or all(not of or op in of for of in users)


def matches(when: dict[str, Any], texts: dict[str, str]) -> bool:
    return all(
        texts.get(name) in [str(v) for v in (value if isinstance(value, list) else [value])]
        for name, value in when.items()
    )


def cause_bins(engine: Engine) -> Iterator[Bin]:
    """A stall is seen where some cycle was of it; a wait where a command waited for the engine."""
    for counter in engine.counters:
        if counter.cause and counter.cause != "run":
            group = "waits" if ":" in counter.cause else "stalls"
            yield make(engine, group, counter.cause, "seen", counter.meaning)


def wait_bins(engine: Engine) -> Iterator[Bin]:
    """How many waits a command names, and whether it waited for none of them."""
    for count in range(len(engine.waits) + 1):
        yield make(engine, "waits", "named at once", str(count), "waits that a command names")
    yield make(engine, "waits", "waits", "met at once", "a command with waits that did not wait")
    yield make(engine, "waits", "waits", "met later", "a command that waited")


def rule_bins(engine: Engine) -> Iterator[Bin]:
    for rule in engine.rules:
        yield make(engine, "rules", rule.name, "kept", f"{rule.operations}: {rule.must_hold}")
        yield make(engine, "rules", rule.name, "broken", f"{rule.operations}: {rule.must_hold}")


def asks(engine: Engine, operations: str) -> Callable[[Values], bool]:
    """Whether a rule is asked of a command: `conv, dwconv`, `all but pass`, `conv with packed`."""
    ops = {name: value for value, name in engine.fields["op"].codes.items()}
    named = {value for name, value in ops.items() if name in operations.replace(",", " ").split()}
    if operations.startswith("all but"):
        named = set(ops.values()) - named
    chosen = (named or set(ops.values())) - {ops["nop"]}
    if "packed" in operations.split():
        packed = 0 if operations.startswith("not") else 1
        return lambda values: values["op"] in chosen and values.get("packed", 0) == packed
    return lambda values: values["op"] in chosen
