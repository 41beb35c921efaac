"""What was seen: by engine, bin and kind of run, how often; files of it are merged."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ..record import header
from ..refusal import Refusal
from .bins import KINDS

SCHEMA = 1


class Hits:
    """Counts by (engine, bin, kind)."""

    def __init__(self) -> None:
        self.counts: Counter[tuple[str, str, str]] = Counter()
        self.sources: list[str] = []

    def see(self, engine: str, name: str, kinds: Iterable[str], times: int = 1) -> None:
        if times:
            for kind in kinds:
                self.counts[engine, name, kind] += times

    def seen(self, engine: str, name: str, kind: str) -> int:
        return self.counts[engine, name, kind]

    def add(self, other: Hits) -> None:
        self.counts.update(other.counts)
        self.sources += other.sources

    def record(self) -> dict[str, Any]:
        """As a file holds it."""
        hits: dict[str, dict[str, dict[str, int]]] = {}
        for (engine, name, kind), times in sorted(self.counts.items()):
            hits.setdefault(engine, {}).setdefault(name, {})[kind] = times
        return {"coverage": SCHEMA, **header(), "sources": self.sources, "hits": hits}

    def _add_commands(self, given: dict[str, dict[str, dict[str, int]]]) -> None:
        """Of tests that executed commands: by engine, kind and text how often."""
        from .collect import see_commands, without_key

        for engine, kinds in given.items():
            for kind, texts in kinds.items():
                by_text: Counter[tuple[str, str]] = Counter()
                for text, times in texts.items():
                    by_text[engine, without_key(text)] += int(times)
                see_commands(self, engine, (KINDS[KINDS.index(kind)],), by_text)

    @classmethod
    def of(cls, record: Any, where: str) -> Hits:
        """Of a record; refused with its name where it is none."""
        found = cls()
        try:
            schema, given = record["coverage"], record["hits"]
            for engine, names in given.items():
                for name, kinds in names.items():
                    for kind, times in kinds.items():
                        found.see(engine, name, [KINDS[KINDS.index(kind)]], int(times))
            found.sources = [str(one) for one in record["sources"]]
            found._add_commands(record.get("commands", {}))
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise Refusal(
                f"coverage: '{where}' is no coverage ({error}); give a run's folder, a network, or "
                "what `presil coverage --json` or `presil regress --json` has written"
            ) from None
        if schema != SCHEMA:
            raise Refusal(
                f"coverage: '{where}' has schema {schema}, must be {SCHEMA}; collect it again"
            )
        return found


def read_hits(file: Path) -> Hits:
    """A file of coverage, or a result of `presil regress --json` that has some."""
    try:
        given = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise Refusal(f"coverage: '{file}' cannot be read ({error}); collect it again") from None
    if isinstance(given, dict) and given.get("verb") == "regress":
        given = given.get("coverage")
        if given is None:
            raise Refusal(
                f"coverage: the suite of '{file}' collects none; give it `coverage: "
                "{floor_percent: 0}`"
            )
    return Hits.of(given, str(file))


def merged_hits(many: Iterable[Hits]) -> Hits:
    whole = Hits()
    for one in many:
        whole.add(one)
    return whole
