"""A mutant: a range of a source, what stands there, and what stands there instead."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

OPERATORS = ("operator", "constant", "condition", "register")
ROOMS = ("dla", "dma", "sync")
KINDS = ("rtl", "model")
REPLACED = {
    "+": "-",
    "-": "+",
    "*": "+",
    "&": "|",
    "|": "&",
    "^": "|",
    "&&": "||",
    "||": "&&",
    "<": "<=",
    "<=": "<",
    ">": ">=",
    ">=": ">",
    "==": "!=",
    "!=": "==",
    "<<": ">>",
    ">>": "<<",
    ">>>": "<<",
}
"""Of a binary operator, the same in SystemVerilog and C++."""
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)


@dataclass(frozen=True)
class Mutant:
    """`begin` and `end` are offsets in the file's bytes; `number` is 0 until it is chosen."""

    file: str
    line: int
    begin: int
    end: int
    operator: str
    right: str
    wrong: str
    number: int = 0

    @property
    def kind(self) -> str:
        return "rtl" if self.file.startswith("rtl/") else "model"

    @property
    def room(self) -> str:
        return self.file.split("/")[1]

    def record(self) -> dict[str, Any]:
        return {
            "number": self.number,
            "room": self.room,
            "kind": self.kind,
            "operator": self.operator,
            "file": self.file,
            "line": self.line,
            "right": in_one_line(self.right),
            "wrong": in_one_line(self.wrong),
        }


def in_one_line(text: str) -> str:
    """Without comments: the lines of a mutated file are those of its source."""
    return " ".join(COMMENT.sub(" ", text).split())


def chosen(mutants: Iterable[Mutant], count: int, seed: int) -> list[Mutant]:
    """`count` mutants, numbered from 1: a round takes one of each file, and a file gives its
    operators in turn."""
    rng = random.Random(seed)
    queues: dict[str, list[Mutant]] = {}
    for file, found in by(mutants, "file").items():
        parts = list(by(found, "operator").values())
        rng.shuffle(parts)
        for part in parts:
            rng.shuffle(part)
        queue = []
        while any(parts):
            queue += [part.pop() for part in parts if part]
        queues[file] = queue[::-1]
    taken: list[Mutant] = []
    while any(queues.values()) and len(taken) < count:
        files = [file for file, queue in queues.items() if queue]
        rng.shuffle(files)
        taken += [queues[file].pop() for file in files]
    kept = sorted(taken[:count], key=lambda m: (m.file, m.begin, m.end, m.wrong))
    return [Mutant(**{**vars(m), "number": i + 1}) for i, m in enumerate(kept)]


def by(mutants: Iterable[Mutant], key: str) -> dict[str, list[Mutant]]:
    groups: dict[str, list[Mutant]] = {}
    for mutant in mutants:
        groups.setdefault(getattr(mutant, key), []).append(mutant)
    return groups
