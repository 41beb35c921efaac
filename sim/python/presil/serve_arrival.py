"""When requests arrive, in milliseconds of simulated time: periodic, Poisson, or as listed."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import Any

from .names import described, existing_file, number, one_of
from .refusal import Refusal

KINDS = {
    "periodic": ("rate_hz", "phase_ms"),
    "poisson": ("rate_hz", "phase_ms", "seed"),
    "trace": ("times_ms", "file"),
}
"""Of each kind the keys that it may have, besides `kind`."""
MOST_RATE = 1e6
MOST_MS = 1e7
MOST_SEED = 2**63
MOST_TIMES = 1_000_000


@dataclass(frozen=True)
class Arrival:
    """How requests of a network arrive."""

    kind: str
    rate_hz: float = 0.0
    phase_ms: float = 0.0
    seed: int = 0
    times: tuple[float, ...] = ()
    """Of a trace."""

    def endless(self) -> Iterator[float]:
        """Times in ms, rising."""
        if self.kind == "trace":
            yield from self.times
            return
        dice, at, index = random.Random(self.seed), self.phase_ms, 0
        while True:
            if self.kind == "periodic":
                at = self.phase_ms + index * 1000.0 / self.rate_hz
            else:
                at += dice.expovariate(self.rate_hz) * 1000.0
            yield at
            index += 1

    def until(self, duration_ms: float | None, requests: int | None) -> list[float]:
        """Those before the end of a duration, at most so many."""
        most = MOST_TIMES if requests is None else requests
        end = math.inf if duration_ms is None else duration_ms
        times = []
        for time in takewhile(lambda time: time < end, self.endless()):
            if len(times) == most:
                break
            times.append(time)
        return times

    def record(self) -> dict[str, Any]:
        record: dict[str, Any] = {"kind": self.kind}
        for key in KINDS[self.kind]:
            if key not in ("times_ms", "file"):
                record[key] = getattr(self, key)
        return record


def arrival_of(given: Any, where: str, folder: Path, seed: int) -> Arrival:
    """Of a mapping with `kind`. seed: where a Poisson process says none of its own."""
    if not isinstance(given, Mapping):
        raise Refusal(
            f"{where}: is {described(given)}, must be a mapping with `kind`: {', '.join(KINDS)}"
        )
    kind = one_of(given.get("kind"), tuple(KINDS), f"{where}: kind")
    for key in given:
        if key != "kind" and key not in KINDS[kind]:
            raise Refusal(
                f"{where}: {kind} has a key '{key}', must be one of {', '.join(KINDS[kind])}"
            )
    if kind == "trace":
        return Arrival(kind, times=times_of(given, where, folder))
    rate = given.get("rate_hz")
    limits = f" requests a second, must be more than 0 and at most {MOST_RATE:g}"
    number(rate, 0, MOST_RATE, f"{where}: rate_hz", limits)
    if rate == 0:
        raise Refusal(f"{where}: rate_hz is 0{limits}")
    phase = given.get("phase_ms", 0.0)
    number(phase, 0, MOST_MS, f"{where}: phase_ms", f" ms, must be 0 to {MOST_MS:g}")
    own = given.get("seed", seed)
    number(own, 0, MOST_SEED, f"{where}: seed", ", must be a whole number from 0 on", whole=True)
    return Arrival(kind, float(rate), float(phase), int(own) if kind == "poisson" else 0)


def times_of(given: Mapping[str, Any], where: str, folder: Path) -> tuple[float, ...]:
    """Of a list, or of a file: the first number of each line, after a title if there is one."""
    if ("times_ms" in given) == ("file" in given):
        raise Refusal(f"{where}: a trace must have one of `times_ms`, a list, and `file`, a CSV")
    if "file" in given:
        name = given["file"]
        path = existing_file(
            folder / name if isinstance(name, str) else name, f"{where}: file", "give a CSV of ms"
        )
        where = f"{where}: '{name}'"
        try:
            lines = path.read_text(encoding="utf-8").splitlines()
        except UnicodeDecodeError as error:
            raise Refusal(f"{where} is not text ({error}), must be a CSV of ms") from error
        values = [line.partition(",")[0].strip() for line in lines if line.strip()]
        if values and not is_number(values[0]):
            values = values[1:]
        for line, value in enumerate(values):
            if not is_number(value):
                raise Refusal(f"{where}: time {line} is '{value[:40]}', must be a number of ms")
        times = [float(value) for value in values]
    else:
        times = given["times_ms"]
        where = f"{where}: times_ms"
    if not isinstance(times, list) or not times:
        raise Refusal(f"{where} is {described(times)}, must be a list of at least one time in ms")
    before = 0.0
    for index, time in enumerate(times):
        limits = f" ms, must be 0 to {MOST_MS:g}"
        number(time, 0, MOST_MS, f"{where}: time {index}", limits)
        if time < before:
            raise Refusal(
                f"{where}: time {index} is {time:g} ms, must be at least {before:g}, that of the "
                "one before: sort the trace"
            )
        before = time
    return tuple(float(time) for time in times)


def is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
