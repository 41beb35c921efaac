"""What `presil inspect` says: a program as text, and why each operator is where it is."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from .program import Program

OTHERS = re.compile("; (dma|dsp): ")


def sentence(placement: dict[str, Any]) -> str:
    """Where an operator runs, why, and what would have to change for an engine to take it."""
    kind, reason, change = (placement[key] for key in ("op", "reason", "change"))
    who = f"{kind} '{placement['name']}'"
    if placement["engine"] == "none":
        return f"{who} needs no engine: {reason}."
    where = f"{who} runs on the {placement['engine']}"
    reason = reason.replace("(none: ", "(")  # no view, and why
    reason, *others = OTHERS.split(reason)  # dma and dsp, which would take it, but slower
    engine, _, limit = reason.partition(": ")  # "dla: kernel height is 17, wants 1..16"
    if engine == "none":  # it would be a view
        return f"{where}: {limit}. To save that, {change}."
    if engine not in ("dla", "dsp", "dma") or not limit:
        said = f"{where}: {reason}."
    elif limit == f"does not compute {kind}":
        said = f"{where}: the {engine} does not compute {kind}."
    elif limit.startswith("about "):
        said = f"{where}: the {engine} takes {limit}."
    else:
        said = f"{where}. The {engine} does not take it: {limit}."
    for other, text in zip(others[::2], others[1::2]):
        if "kernel " in text:  # of the user, with who wants what or takes how long
            said += f" {text[0].upper()}{text[1:]}."
            continue
        takes = "takes" if text.startswith("about ") else "does not take it:"
        said += f" The {other} {takes} {text}."
    return f"{said} To run it on the {engine}, {change}." if change else said


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
