"""What `presil inspect` says: a program as text, and why each operator is where it is."""

from __future__ import annotations

from collections import Counter
from typing import Any

from .program import Program


def sentence(placement: dict[str, Any]) -> str:
    """Where an operator runs, why, and what would make an engine take it: made from the record by
    compiler_bridge/placement/explain.cpp."""
    return str(placement["sentence"])


def summary(program: Program) -> str:
    """'12 of 14 operators run on the dla, 1 on the host; 1 needs no engine.'"""
    count = Counter(p["engine"] for p in program.placement)
    total = sum(count.values())
    nothing = count.pop("none", 0)
    places = [f"{n} on the {engine}" for engine, n in sorted(count.items())]
    text = f"of {total} operators {', '.join(places) or 'none runs'}"
    return f"{text}; {nothing} need no engine." if nothing else f"{text}."


def memory_sentence(checked: dict[str, Any]) -> str:
    """What a replay of the streams found."""
    if checked["wrong"]:
        return f"memory: {checked['wrong']}."
    flow = "and by whom it should" if checked["data_flow"] else "(by whom: no graph to tell)"
    return (
        f"memory: {checked['commands']} commands with {checked['accesses']} accesses replayed; "
        f"each of {checked['bytes']:,} bytes lies in its memory, is written "
        f"before it is read {flow}, "
        "and kept until then."
    )
