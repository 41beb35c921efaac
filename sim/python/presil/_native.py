"""The native module under a name that type checkers know: `_native.pyi` has its types."""

from __future__ import annotations

from typing import Any

from . import paths


def __getattr__(name: str) -> Any:
    return getattr(paths.native(), name)
