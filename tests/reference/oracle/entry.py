"""What is tried of an operator: a maker of random networks, types, rule sets, tolerances."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import presil

from .model import Array, Model

#: Rule sets under which a runtime has operators of a type.
RULES = {
    "Int8": ("tflite", "xnnpack"),
    "Int16": ("tflite", "xnnpack"),
    "Uint8": ("xnnpack",),
    "Float32": ("tflite", "xnnpack"),
    "Int32": ("tflite", "xnnpack"),
    "Bool": ("tflite", "xnnpack"),
}
SHORT = {
    "i8": "Int8", "u8": "Uint8", "i16": "Int16", "f32": "Float32", "i32": "Int32", "bool": "Bool",
}  # fmt: skip


@dataclass(frozen=True)
class Operator:
    """What is tried under one name: a maker, and the type of the activations."""

    name: str
    kind: str
    make: Callable[[Model], None]
    rules: tuple[str, ...]
    #: By rule set, the share of values that may differ, by 1; the interpreter's README says why.
    allowed: dict[str, float]
    #: Of floats, by rule set: how far values may be away, as a share of the largest of the result.
    near: dict[str, float]
    #: By rule set, another runtime than its own: see worker.py.
    asked: dict[str, str] = field(default_factory=dict)


def of(
    name: str,
    make: Callable[[Model], None],
    kinds: str = "i8",
    rules: tuple[str, ...] = (),
    allowed: dict[str, float] | None = None,
    near: float | dict[str, float] = 0,
    asked: dict[str, str] | None = None,
) -> list[Operator]:
    """One entry for each of `kinds`. rules: where they are not those of the type."""
    made = []
    for k in kinds.split():
        sets = rules or RULES[SHORT[k]]
        shares = near if isinstance(near, dict) else dict.fromkeys(sets, near)
        kind = SHORT[k]
        made.append(Operator(f"{name} {k}", kind, make, sets, allowed or {}, shares, asked or {}))
    return made


def floats(
    name: str, make: Callable[[Model], None], near: float | dict[str, float]
) -> list[Operator]:
    """Floats: no two runtimes add in one order, so values are near, not equal."""
    return of(name, make, "f32", near=near)


@dataclass(frozen=True)
class ByHand:
    """A graph whose values were worked out by hand: inputs, and by output what comes out."""

    builder: presil.Builder
    inputs: list[Array]
    outputs: dict[str, Any]


#: What `by_hand` and `refused` of a file in operators/ yield; the second: a function that makes a
#: graph, and what presil says of it.
Cases = Iterator[ByHand]
Refused = Iterator[tuple[Callable[[], Any], str]]
