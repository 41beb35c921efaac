"""Regressions over time: a SQLite file of their cycles, and a page that draws it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from .refusal import Refusal

TABLE = (
    "CREATE TABLE IF NOT EXISTS trend (time TEXT DEFAULT CURRENT_TIMESTAMP, "
    "commit_id TEXT, suite TEXT, name TEXT, verdict TEXT, cycles INTEGER)"
)
MOST_RUNS = 200
"""Of a suite that a page draws: the last ones."""


def add_to_trend(file: str | Path, result: dict[str, Any]) -> None:
    """A row a case, of this commit, in a SQLite file."""
    rows = [
        (
            result["presil"]["commit"],
            result["suite"],
            row["name"],
            row["verdict"],
            row["figures"]["cycles"] if row["figures"] else None,
        )
        for row in result["cases"]
    ]

    def insert(base: sqlite3.Connection) -> None:
        base.executemany(
            "INSERT INTO trend (commit_id, suite, name, verdict, cycles) VALUES (?,?,?,?,?)", rows
        )

    opened(file, insert)


def opened(file: str | Path, act: Callable[[sqlite3.Connection], Any]) -> Any:
    try:
        with closing(sqlite3.connect(file, timeout=60)) as base, base:
            base.execute(TABLE)
            return act(base)
    except sqlite3.Error as error:
        raise Refusal(f"regress: the trend '{file}' cannot be used ({error})") from error


def trend_of(file: str | Path, suite: str) -> list[dict[str, Any]]:
    """By case, in the order of the last run: `runs` with time, commit, verdict and cycles, the
    oldest first. A run is all that joined in one insertion, of one time and commit."""
    rows = opened(
        file,
        lambda base: base.execute(
            "SELECT time, commit_id, name, verdict, cycles FROM trend WHERE suite = ? "
            "ORDER BY rowid",
            (suite,),
        ).fetchall(),
    )
    cases: dict[str, list[dict[str, Any]]] = {}
    for time, commit, name, verdict, cycles in rows:
        point = {"time": time, "commit": commit, "verdict": verdict, "cycles": cycles}
        cases.setdefault(name, []).append(point)
    return [{"name": name, "runs": runs[-MOST_RUNS:]} for name, runs in cases.items()]
