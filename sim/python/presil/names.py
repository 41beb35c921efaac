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


def path_of(value: Any, what: str, wants: str) -> Path:
    """A path given as text or as an object that is one; not bytes, which numpy and click lack."""
    if isinstance(value, (str, os.PathLike)):
        name = os.fspath(value)
        if isinstance(name, str) and name:
            return Path(name)
    raise Refusal(f"{what}: got {described(value)}, wants {wants}")


def existing_file(value: Any, what: str, wants: str) -> Path:
    """The path of a file that is there. wants: what to give instead, a part of a sentence."""
    path = path_of(value, what, f"the path of a file; {wants}")
    if path.is_dir():
        raise Refusal(f"{what}: '{value}' is a folder; {wants}")
    if not path.exists():
        raise Refusal(f"{what}: there is no file '{value}'; {wants}")
    return path


def described(value: Any) -> str:
    """A value of any type in a few words, for a refusal."""
    text = repr(value)
    if value is None or isinstance(value, (bool, int, float, str)) and len(text) <= 60:
        return text
    name = type(value).__qualname__
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"


def one_of(value: Any, known: Iterable[str], who: str) -> str:
    """A word of a list. who: 'run: check', the beginning of the refusal."""
    words = list(known)
    if isinstance(value, str) and value in words:
        return value
    more = hint(value, words) if isinstance(value, str) else ""
    raise Refusal(f"{who} is {described(value)}, wants one of {', '.join(words)}{more}")


def number(value: Any, low: float, high: float, who: str, wants: str, whole: bool = False) -> None:
    """A number between two limits; numpy's are numbers too, NaN is none."""
    kinds = (int, np.integer) if whole else (int, float, np.integer, np.floating)
    fits = isinstance(value, kinds) and not isinstance(value, bool) and low <= value <= high
    if not fits:
        got = f"{value:g}" if isinstance(value, float) else described(value)
        raise Refusal(f"{who} is {got}{wants}")


def instance(value: Any, kind: type | tuple[type, ...], who: str, wants: str) -> None:
    if not isinstance(value, kind):
        raise Refusal(f"{who} is {described(value)}, wants {wants}")
