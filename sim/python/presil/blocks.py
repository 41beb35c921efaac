"""How the blocks of a SoC run: as model, as RTL, or as both in lock-step."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from . import paths
from .names import instance, one_of
from .refusal import Refusal

BLOCKS = ("dla", "dma", "sync")
"""Blocks of presil's own of which there can be RTL; besides, engines from outside."""
KINDS = ("model", "rtl", "lockstep")


def block_kinds(
    blocks: str | Iterable[str] | Mapping[str, str] | None = None,
) -> dict[str, str]:
    """Of every block its kind, from `dla=rtl,dma=model`, several of such, or a mapping; of engines
    from outside that are loaded, those that are named."""
    kinds = dict.fromkeys(BLOCKS, KINDS[0])
    given = pairs({} if blocks is None else blocks)
    known = [*BLOCKS, *(e["name"] for e in (paths.native().loaded_engines() if given else []))]
    for name, kind in given:
        if name not in known:
            raise Refusal(
                f"block: there is no block '{name}', expected one of {', '.join(known)}, or an "
                "engine from outside with its folder (--engine DIR)"
            )
        kinds[name] = one_of(kind, KINDS, f"block: {name}")
    return kinds


def pairs(blocks: str | Iterable[str] | Mapping[str, str]) -> list[tuple[str, str]]:
    if isinstance(blocks, Mapping):
        return list(blocks.items())
    found = []
    given = [blocks] if isinstance(blocks, str) else blocks
    texts = list(given) if isinstance(given, Iterable) else [given]
    for text in texts:
        instance(text, str, "block: an entry", "NAME=KIND, e.g. dla=rtl")
        for part in filter(None, text.split(",")):
            name, equals, kind = part.partition("=")
            if not equals:
                raise Refusal(f"block: got '{part}', expected NAME=KIND, e.g. --block dla=rtl")
            found.append((name.strip(), kind.strip()))
    return found
