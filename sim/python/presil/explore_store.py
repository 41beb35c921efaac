"""Results by what they are results of, in one SQLite file: each is on the disk before the next."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any

from . import paths
from .refusal import Refusal

SCHEMA = 1
FILE = "results.sqlite"


@lru_cache(maxsize=1)
def build_digest() -> str:
    """Of all that decides a result: native module, simulator, the DSP's kernels, the package."""
    files = sorted(paths.NATIVE.glob("_presil*.so")) + [paths.simulator()]
    files += sorted(paths.PACKAGE.glob("*.py"))
    files += sorted(file for file in paths.DSP_KERNELS.rglob("*") if file.is_file())
    total = hashlib.sha256()
    for file in files:
        total.update(hashlib.sha256(file.read_bytes()).digest())
    return total.hexdigest()


class Store:
    """The results of a folder."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / FILE
        with self.told():
            self.base = sqlite3.connect(self.file, timeout=60)
            version = self.base.execute("PRAGMA user_version").fetchone()[0]
            if version not in (0, SCHEMA):
                raise Refusal(
                    f"explore: '{self.file}' has schema {version}, this presil reads {SCHEMA}; "
                    "choose another folder by --out"
                )
            self.base.execute("PRAGMA synchronous = FULL")
            self.base.execute(f"PRAGMA user_version = {SCHEMA}")
            self.base.execute(
                "CREATE TABLE IF NOT EXISTS results (key TEXT PRIMARY KEY, result TEXT NOT NULL)"
            )
            self.base.commit()

    @contextmanager
    def told(self) -> Iterator[None]:
        """What SQLite says against the file becomes a refusal that names it."""
        try:
            yield
        except sqlite3.Error as error:
            raise Refusal(
                f"explore: '{self.file}' cannot be used ({error}); results so far are kept; free "
                "some room, or choose another folder by --out, and give the same command again"
            ) from error

    def get(self, key: str) -> dict[str, Any] | None:
        with self.told():
            row = self.base.execute("SELECT result FROM results WHERE key = ?", (key,)).fetchone()
        return dict(json.loads(row[0])) if row else None

    def put(self, key: str, result: dict[str, Any]) -> None:
        with self.told():
            text = json.dumps(result, sort_keys=True)
            self.base.execute("INSERT OR REPLACE INTO results VALUES (?, ?)", (key, text))
            self.base.commit()

    def close(self) -> None:
        self.base.close()


def key_of(*parts: Any) -> str:
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()
