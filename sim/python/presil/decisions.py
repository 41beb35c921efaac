"""What the planner decides, as a value: `Program.decisions` gives it, `presil.compile` takes it.

{"prefetch": layers that weights are loaded ahead,
 "tilings": {layer of the DLA: {"rows", "columns", "blocks", "blocks_outer", "depth", "in_blocks"}},
 "kept": {blocked buffer: whether it is in the SRAM whole}}

What it says is done or refused; the rest is searched for. Names are those of layers; a buffer has
that of the layer that makes it, or NAME/input of the one that first reads it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .atomic import write_file
from .names import described, existing_file
from .refusal import Refusal

Decisions = dict[str, Any]
KEYS = ("prefetch", "tilings", "kept")


def decisions_of(given: Any) -> Decisions:
    """A mapping, or what a file of JSON says; None: nothing is decided."""
    if given is None:
        return {}
    if isinstance(given, Mapping):
        return dict(given)
    if not isinstance(given, (str, Path)):
        raise Refusal(f"decisions: got {described(given)}, expected a file or a mapping")
    file = existing_file(given, "decisions", "`presil compile --give-decisions FILE` writes one")
    try:
        said = json.loads(file.read_text(encoding="utf-8"))
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise Refusal(f"decisions: '{file}' is no JSON ({error})") from error
    if not isinstance(said, dict):
        raise Refusal(f"decisions: '{file}' holds {described(said)}, expected a mapping")
    return said


def as_text(decisions: Mapping[str, Any]) -> str:
    """One decision a line, sorted."""
    lines = [f' "prefetch": {json.dumps(decisions.get("prefetch"))}']
    for key in KEYS[1:]:
        rows = [
            f"  {json.dumps(name)}: {json.dumps(value)}"
            for name, value in sorted(decisions.get(key, {}).items())
        ]
        lines.append(f' "{key}": {{\n' + ",\n".join(rows) + "\n }" if rows else f' "{key}": {{}}')
    return "{\n" + ",\n".join(lines) + "\n}\n"


def write_decisions(decisions: Mapping[str, Any], file: str | Path) -> None:
    """As `decisions_of` reads them, whole or not at all."""
    write_file(Path(file), as_text(decisions))
