"""One operator, one file: ENTRIES (../entry.py), `by_hand` and `refused`; it joins by existing."""

from __future__ import annotations

import importlib
import pkgutil
from typing import Any


def joined() -> list[Any]:
    """The modules here, by name."""
    names = sorted(module.name for module in pkgutil.iter_modules(__path__))
    return [importlib.import_module(f"{__name__}.{name}") for name in names]
