"""How the blocks of a SoC run: as model, as RTL, or as both in lock-step."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from .refusal import Refusal

BLOCKS = ("dla", "dma", "sync")
"""Blocks of which there can be RTL."""
KINDS = ("model", "rtl", "lockstep")


def block_kinds(
    blocks: str | Iterable[str] | Mapping[str, str] | None = None,
) -> dict[str, str]:
    """Of every block its kind, from `dla=rtl,dma=model`, several of such, or a mapping."""
    kinds = dict.fromkeys(BLOCKS, KINDS[0])
    for name, kind in pairs(blocks or {}):
        if name not in kinds:
            raise Refusal(f"block: there is no block '{name}', wants one of {', '.join(BLOCKS)}")
        if kind not in KINDS:
            raise Refusal(f"block: {name} is '{kind}', wants one of {', '.join(KINDS)}")
        kinds[name] = kind
    return kinds


def pairs(blocks: str | Iterable[str] | Mapping[str, str]) -> list[tuple[str, str]]:
    if isinstance(blocks, Mapping):
        return list(blocks.items())
    found = []
    for text in [blocks] if isinstance(blocks, str) else blocks:
        for part in filter(None, text.split(",")):
            name, equals, kind = part.partition("=")
            if not equals:
                raise Refusal(f"block: got '{part}', wants NAME=KIND, e.g. --block dla=rtl")
            found.append((name.strip(), kind.strip()))
    return found
