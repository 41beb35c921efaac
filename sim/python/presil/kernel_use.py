"""Which of the user's kernels a compiled network calls, and why not the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .kernels import Kernel


def unused(placements: Sequence[Mapping[str, Any]], kernels: Sequence[Kernel]) -> list[str]:
    """A sentence for each kernel that computes nothing."""
    return [
        f"{kernel.label} computes nothing here: {why_not(kernel, placements)}"
        for kernel in kernels
        if not any(computes(kernel, p["reason"]) for p in placements)
    ]


def computes(kernel: Kernel, reason: str) -> bool:
    return reason == kernel.label or reason.startswith((f"{kernel.label} (", f"{kernel.label};"))


def why_not(kernel: Kernel, placements: Sequence[Mapping[str, Any]]) -> str:
    asked = [p for p in placements if p["op"] == kernel.target]
    if not asked:
        return f"the network has no {kernel.target}"
    said = [(p, note) for p in asked if (note := note_of(kernel, p["reason"]))]
    if not said:
        return f"kernels registered before it take every {kernel.target}"
    first, note = said[0]
    more = f"; so for {len(said) - 1} more" if len(said) > 1 else ""
    return f"{first['op']} '{first['name']}': {note}{more}"


def note_of(kernel: Kernel, reason: str) -> str:
    """What a placement's reason says of the kernel: behind its name, up to the next kernel's."""
    _, _, notes = reason.partition("; dsp: ")
    before, found, behind = notes.partition(kernel.label)
    text = behind[2:] if behind.startswith(": ") else f"it{behind}"
    return f"{before}{text}".partition("; kernel ")[0] if found else ""
