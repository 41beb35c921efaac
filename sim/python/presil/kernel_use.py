"""Which of the user's kernels a compiled network calls, and why not the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from .kernels import Kernel

Record = Mapping[str, Any]


def unused(placements: Sequence[Record], kernels: Sequence[Kernel]) -> list[str]:
    """A sentence for each kernel that computes nothing."""
    return [
        f"{kernel.label} computes nothing here: {why_not(kernel, placements)}"
        for kernel in kernels
        if not any(is_of(kernel, placement) for placement in placements)
    ]


def is_of(kernel: Kernel, record: Record) -> bool:
    """Whether a placement, or a verdict, is this kernel's."""
    return (record["kernel"], record["image"]) == (kernel.kernel, Path(kernel.elf).name)


def why_not(kernel: Kernel, placements: Sequence[Record]) -> str:
    asked = [p for p in placements if p["op"] == kernel.target]
    if not asked:
        return f"the network has no {kernel.target}"
    said = [(p, v) for p in asked for v in p["verdicts"] if is_of(kernel, v)]
    if not said:
        return f"kernels registered before it take every {kernel.target}"
    first, verdict = said[0]
    more = f"; so for {len(said) - 1} more" if len(said) > 1 else ""
    return f"{first['op']} '{first['name']}': it {verdict['text']}{more}"
