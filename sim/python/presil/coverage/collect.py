"""Coverage of a run: the commands of its program, and the causes that its engines told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from ..contract import ENGINE_OF, ENGINES, Engine, Field
from ..program import Program, read_loadable
from ..report.recorded import open_run
from .bins import (
    KINDS,
    Values,
    asks,
    bins_of,
    causes_of,
    engines_with_bins,
    ranges_of,
    stated,
)
from .hits import Hits

LOCKSTEP = "lockstep"


def coverage_of(program: Program, record: dict[str, Any], source: str = "") -> Hits:
    """What a run has shown. record: of the run; a block in lock-step counts as model and as RTL."""
    hits = Hits()
    hits.sources = [source or program.name]
    by_text = Counter(command_texts(program.streams))
    for engine in engines_with_bins():
        kind = record["blocks"].get(engine, KINDS[0])
        kinds = KINDS if kind == LOCKSTEP else (kind,)
        see_commands(hits, engine, kinds, by_text)
        see_causes(hits, engine, kinds, record)
        see_waits(hits, engine, kinds, by_text, record)
    return hits


def hits_of_run(folder: Path) -> Hits:
    """Of a run's folder: its loadable and its record."""
    record = open_run(str(folder), "coverage")
    return coverage_of(read_loadable(folder / "net.presil"), record, str(folder))


def command_texts(streams: str) -> Iterator[tuple[str, str]]:
    """Engine and fields of each command, its key left out so that like commands are alike."""
    for line in streams.splitlines():
        place, _, text = line.partition("  ;")[0].partition(": ")
        engine = ENGINE_OF.get(place.split(" ")[0])
        if engine is not None:
            yield engine, without_key(text)


def without_key(text: str) -> str:
    return " ".join(w for w in text.split(" ") if not w.startswith(("tag=", "crc=")))


def values_of(engine: Engine, text: str) -> Values:
    """The fields that the operation uses."""
    op, *rest = text.split(" ")
    given = dict(word.split("=") for word in rest)
    given["op"] = op
    found = {}
    for name, field in engine.fields.items():
        if not field.used_by or op in field.used_by:
            found[name] = value_of(field, given.get(name))
    return found


def value_of(field: Field, text: str | None) -> int:
    """Left out is the legal value nearest to 0."""
    if text is None:
        return max(field.min, min(field.max, 0))
    by_name = {code: value for value, code in field.codes.items()}
    return by_name[text] if text in by_name else int(text, 0)


@cache
def bin_of(engine: str, field: str, value: int) -> str | None:
    """The text of the bin that a value of a field is in."""
    for one in ranges_of(ENGINES[engine], field):
        if one.low <= value <= one.high:
            return one.text
    return None


def see_commands(
    hits: Hits, name: str, kinds: tuple[str, ...], by_text: Counter[tuple[str, str]]
) -> None:
    engine, said = ENGINES[name], stated(name)
    covered = [field for field in engine.fields if field not in said.not_covered]
    rules = [(rule.name, asks(engine, rule.operations)) for rule in engine.rules]
    for (of, text), times in by_text.items():
        if of != name:
            continue
        values = values_of(engine, text)
        for field in covered:
            if field in values and (found := bin_of(name, field, values[field])) is not None:
                hits.see(name, f"fields/{field}/{found}", kinds, times)
        for names, _ in said.crosses:
            found_in = [bin_of(name, f, values[f]) if f in values else None for f in names]
            if None not in found_in:
                value = " ".join(f"{f}={b}" for f, b in zip(names, found_in, strict=True))
                hits.see(name, f"crosses/{' x '.join(names)}/{value}", kinds, times)
        named = sum(values[wait] != 0 for wait in engine.waits)
        hits.see(name, f"waits/named at once/{named}", kinds, times)
        for rule, asked in rules:
            if asked(values):
                hits.see(name, f"rules/{rule}/kept", kinds, times)


def see_causes(hits: Hits, name: str, kinds: tuple[str, ...], record: dict[str, Any]) -> None:
    """Of every instance of the engine and every channel: cycles by cause."""
    known = set(causes_of(ENGINES[name]))
    for instance, told in record["engines"].items():
        if told is None or instance.rstrip("0123456789") != name:
            continue
        for part in (told, *told.get("channels", [])):
            for cause in known & set(part["stall"]):
                group = "waits" if ":" in cause else "stalls"
                hits.see(name, f"{group}/{cause}/seen", kinds, part["stall"][cause])


def see_waits(
    hits: Hits,
    name: str,
    kinds: tuple[str, ...],
    by_text: Counter[tuple[str, str]],
    record: dict[str, Any],
) -> None:
    """Of the first sample's commands that name a counter to wait for, how many waited."""
    engine = ENGINES[name]
    asking = sum(
        times
        for (of, text), times in by_text.items()
        if of == name and any(values_of(engine, text)[wait] for wait in engine.waits)
    )
    columns = record["timeline"]["columns"]
    queue, stall = columns.index("queue"), columns.index("stall")
    later = sum(
        ENGINE_OF.get(row[queue]) == name and any(":" in cause for cause in row[stall])
        for row in record["timeline"]["commands"]
    )
    hits.see(name, "waits/waits/met later", kinds, later)
    hits.see(name, "waits/waits/met at once", kinds, max(0, asking - later))


def unknown_bins(hits: Hits) -> list[str]:
    """Names in hits that no engine states: of another presil."""
    known = {(bin.engine, bin.name) for name in engines_with_bins() for bin in bins_of(name)}
    return sorted({f"{e}: {b}" for e, b, _ in hits.counts if (e, b) not in known})
