"""A recorded run, read back."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from rich.errors import NotRenderableError

from ..refusal import Refusal

Made = TypeVar("Made")


def open_run(name: str, verb: str = "report") -> dict[str, Any]:
    """The record of a run folder or of a run.json; refuses other files and other schemas."""
    path = Path(name)
    file = path / "run.json" if path.is_dir() else path
    if path.is_dir() and not file.exists():
        raise Refusal(
            f"{verb}: '{name}' is no recorded run: it is a folder without run.json; expected a run "
            "folder, as `presil run` writes it"
        )
    try:
        record = json.loads(file.read_text(encoding="utf-8"))
        schema = str(record["schema"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise Refusal(
            f"{verb}: '{name}' is no recorded run ({error}); expected a run folder"
        ) from error
    if schema.partition(".")[0] != "1":
        raise Refusal(
            f"{verb}: '{name}' has schema {schema}, expected 1.x; run it again with this presil"
        )
    return dict(record)


def view(name: str, make: Callable[[], Made], verb: str = "report") -> Made:
    """What `make` makes of a record; one with a part missing or odd is refused by its name."""
    try:
        return make()
    except Refusal:
        raise
    except (KeyError, AttributeError, IndexError) as error:
        raise Refusal(
            f"{verb}: '{name}' lacks a part of a run's record ({error}); run it again"
        ) from error
    except (TypeError, ValueError, ArithmeticError, NotRenderableError) as error:
        raise Refusal(
            f"{verb}: '{name}' has a part that no run records ({error}); run it again"
        ) from error
