"""Names that people mistype, and what stands where a file should."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from .refusal import Refusal


def hint(name: str, known: Iterable[str]) -> str:
    """ " (did you mean 'edge'?)", or nothing where no known name is near."""
    by_lower = {one.lower(): one for one in known}
    found = difflib.get_close_matches(name.lower(), by_lower, 1)
    return f" (did you mean '{by_lower[found[0]]}'?)" if found else ""


def path_of(value: Any, what: str, expected: str) -> Path:
    """A path given as text or as an object that is one; not bytes, which numpy and click lack."""
    if isinstance(value, (str, os.PathLike)):
        name = os.fspath(value)
        if isinstance(name, str) and name:
            return Path(name)
    raise Refusal(f"{what}: got {described(value)}, expected {expected}")


def existing_file(value: Any, what: str, remedy: str) -> Path:
    """The path of a file that is there. remedy: what to give instead, a part of a sentence."""
    path = path_of(value, what, f"the path of a file; {remedy}")
    if path.is_dir():
        raise Refusal(f"{what}: '{value}' is a folder; {remedy}")
    if not path.exists():
        raise Refusal(f"{what}: there is no file '{value}'; {remedy}")
    return path


def described(value: Any) -> str:
    """A value of any type in a few words, for a refusal."""
    text = repr(value)
    if value is None or isinstance(value, (bool, int, float, str)) and len(text) <= 60:
        return text
    name = type(value).__qualname__
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"


def one_of(value: Any, known: Iterable[str], subject: str) -> str:
    """A word of a list. subject: 'run: check', the beginning of the refusal."""
    words = list(known)
    if isinstance(value, str) and value in words:
        return value
    more = hint(value, words) if isinstance(value, str) else ""
    raise Refusal(f"{subject} is {described(value)}, expected one of {', '.join(words)}{more}")


def number(
    value: Any, low: float, high: float, subject: str, expected: str, whole: bool = False
) -> None:
    """A number between two limits; numpy's are numbers too, NaN is none."""
    kinds = (int, np.integer) if whole else (int, float, np.integer, np.floating)
    fits = isinstance(value, kinds) and not isinstance(value, bool) and low <= value <= high
    if not fits:
        got = f"{value:g}" if isinstance(value, float) else described(value)
        raise Refusal(f"{subject} is {got}{expected}")


def instance(value: Any, kind: type | tuple[type, ...], subject: str, expected: str) -> None:
    if not isinstance(value, kind):
        raise Refusal(f"{subject} is {described(value)}, expected {expected}")
