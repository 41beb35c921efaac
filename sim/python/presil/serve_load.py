"""LOAD.yaml: networks that share a SoC, how important each is and when its requests arrive.

sim/guides/serve.md has its keys.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from .kernel_file import OneOfEach
from .names import described, existing_file, hint, number, one_of
from .program import DISPATCHES, EFFORTS, USUAL_EFFORT
from .refusal import Refusal
from .serve_arrival import Arrival, arrival_of
from .soc import load_soc
from .soc_parameters import Overrides

HELP = "sim/guides/serve.md shows one"
HOLDS = ("layers", "jobs")
"""Where a network gives way to one of a higher priority; the first is what happens if nothing is
said."""
MOST_NETWORKS = 8
MOST_PRIORITY = 255
MOST_REQUESTS = 1_000_000
MOST_MS = 1e7
MOST_SEED = 2**63
KEYS = ("soc", "set", "engines", "seed", "duration_ms", "hold", "timeout_ms", "networks")
OF_A_NETWORK = ("file", "name", "priority", "arrival", "deadline_ms", "requests", "inputs")
OF_A_NETWORK += ("numerics", "post", "kernels", "effort", "dispatch", "fallback", "sram_kib")
TIMEOUT_MS = 10_000.0


@dataclass(frozen=True)
class LoadNetwork:
    """One of the networks."""

    name: str
    file: Any
    """As of `presil.compile`, or a loadable."""
    priority: int
    arrival: Arrival
    deadline_ms: float | None
    requests: int | None
    """At most so many; None: as many as arrive in `duration_ms`."""
    inputs: Any
    options: dict[str, Any]
    """Of `presil.compile`."""
    sram_bytes: int
    """That it may use; 0: what is there for it."""


@dataclass(frozen=True)
class Load:
    """What `presil serve` is to do."""

    soc: Any
    seed: int
    hold: str
    duration_ms: float | None
    timeout_ms: float
    networks: tuple[LoadNetwork, ...]
    folder: Path = field(default_factory=Path)
    """What files are beside."""

    @property
    def label(self) -> str:
        return str(self.soc.label)


def load_of(
    given: Any,
    soc: Any = None,
    set: Overrides = (),  # noqa: A002  as the command line has it
    seed: int | None = None,
) -> Load:
    """Of a file's name or a mapping as the file has it. soc, set, seed: instead of the file's."""
    where, folder = "load", Path()
    if isinstance(given, Load):
        return given
    if isinstance(given, (str, Path)):
        path = existing_file(given, "load", HELP)
        where, folder = f"load '{given}'", path.parent
        try:
            given = yaml.load(path.read_text(encoding="utf-8"), OneOfEach)  # noqa: S506
        except (yaml.YAMLError, UnicodeDecodeError) as error:
            said = " ".join(str(error).split())
            raise Refusal(f"{where}: is no YAML: {said}; {HELP}") from None
    if not isinstance(given, Mapping):
        raise Refusal(f"{where}: is {described(given)}, must be a mapping with `networks`; {HELP}")
    known_keys(given, KEYS, where)
    seed = given.get("seed", 0) if seed is None else seed
    number(seed, 0, MOST_SEED, f"{where}: seed", ", must be a whole number from 0 on", whole=True)
    hold = one_of(given.get("hold", HOLDS[0]), HOLDS, f"{where}: hold")
    duration = given.get("duration_ms")
    if duration is not None:
        time_of(duration, f"{where}: duration_ms")
    timeout = given.get("timeout_ms", TIMEOUT_MS)
    time_of(timeout, f"{where}: timeout_ms")
    entries = given.get("networks")
    if not isinstance(entries, list) or not entries:
        raise Refusal(
            f"{where}: networks is {described(entries)}, must be a list of networks; {HELP}"
        )
    if len(entries) > MOST_NETWORKS:
        raise Refusal(
            f"{where}: networks are {len(entries)}, must be at most {MOST_NETWORKS}: the driver "
            "keeps two jobs of each; leave some out"
        )
    networks = tuple(
        network_of(entry, f"{where}: network {i}", folder, seed + i, duration)
        for i, entry in enumerate(entries)
    )
    names = [network.name for network in networks]
    for name in names:
        if names.count(name) > 1:
            raise Refusal(
                f"{where}: the name '{name}' is of {names.count(name)} networks, must be of one; "
                "give each a `name`"
            )
    config = soc_of(given, soc, set, where, folder)
    return Load(config, int(seed), hold, duration, float(timeout), networks, folder)


def known_keys(given: Mapping[str, Any], known: tuple[str, ...], where: str) -> None:
    for key in given:
        if key not in known:
            raise Refusal(
                f"{where}: has a key '{key}'{hint(str(key), known)}, must be one of "
                f"{', '.join(known)}; {HELP}"
            )


def time_of(value: Any, subject: str) -> None:
    limits = f" ms, must be more than 0 and at most {MOST_MS:g}"
    number(value, 0, MOST_MS, subject, limits)
    if value == 0:
        raise Refusal(f"{subject} is 0{limits}")


def soc_of(given: Mapping[str, Any], soc: Any, changes: Overrides, where: str, folder: Path) -> Any:
    """The one SoC of all. A file's name is beside the load."""
    chosen = soc if soc is not None else given.get("soc", "edge")
    if isinstance(chosen, list):
        raise Refusal(
            f"{where}: soc is a list of {len(chosen)}, must be one SoC, which all networks share; "
            "run `presil serve` once for each"
        )
    if soc is None and isinstance(chosen, str) and (folder / chosen).is_file():
        chosen = folder / chosen
    config = load_soc(chosen, given.get("set", ()), given.get("engines", ()))
    return load_soc(config, changes)


def network_of(
    entry: Any, where: str, folder: Path, seed: int, duration: float | None
) -> LoadNetwork:
    if not isinstance(entry, Mapping):
        raise Refusal(f"{where}: is {described(entry)}, must be a mapping with `file`; {HELP}")
    if "soc" in entry or "set" in entry:
        raise Refusal(
            f"{where}: has a SoC of its own, must be without: all networks share the one of the "
            "load; write `soc` and `set` beside `networks`"
        )
    known_keys(entry, OF_A_NETWORK, where)
    if "file" not in entry:
        raise Refusal(f"{where}: lacks `file`, the network; {HELP}")
    file = entry["file"]
    name = entry.get("name", Path(file).stem if isinstance(file, str) else f"network{where[-1]}")
    if not isinstance(name, str) or not name.isprintable() or not name:
        raise Refusal(f"{where}: name is {described(name)}, must be printable text")
    where = f"{where.rpartition(' ')[0]} '{name}'"
    priority = entry.get("priority", 0)
    limits = f", must be 0 to {MOST_PRIORITY}, the largest is first"
    number(priority, 0, MOST_PRIORITY, f"{where}: priority", limits, whole=True)
    requests = entry.get("requests")
    if requests is not None:
        limits = f", must be 1 to {MOST_REQUESTS}"
        number(requests, 1, MOST_REQUESTS, f"{where}: requests", limits, whole=True)
    deadline = entry.get("deadline_ms")
    if deadline is not None:
        time_of(deadline, f"{where}: deadline_ms")
    arrival = arrival_of(entry.get("arrival"), f"{where}: arrival", folder, seed)
    if requests is None and duration is None and not arrival.times:
        raise Refusal(
            f"{where}: nothing says when its requests end, must have `requests`, or the load "
            "`duration_ms`"
        )
    kib = entry.get("sram_kib", 0)
    limits = " KiB, must be a multiple of 4; leave it out for what is there"
    number(kib, 0, 1 << 20, f"{where}: sram_kib", limits, whole=True)
    if kib % 4:
        raise Refusal(f"{where}: sram_kib is {kib}{limits}")
    return LoadNetwork(
        name,
        beside(file, folder),
        int(priority),
        arrival,
        deadline,
        requests,
        inputs_beside(entry.get("inputs"), folder),
        options_of(entry, where, folder),
        int(kib) * 1024,
    )


def options_of(entry: Mapping[str, Any], where: str, folder: Path) -> dict[str, Any]:
    options = {key: entry[key] for key in ("numerics", "fallback") if key in entry}
    for key in ("post", "kernels"):
        if key in entry:
            options[key] = beside(entry[key], folder)
    if "dispatch" in entry:
        options["dispatch"] = one_of(entry["dispatch"], DISPATCHES, f"{where}: dispatch")
    effort = entry.get("effort", USUAL_EFFORT)
    limits = ", must be 0 to 3"
    number(effort, EFFORTS[0], EFFORTS[-1], f"{where}: effort", limits, whole=True)
    if "effort" in entry:
        options["effort"] = int(effort)
    return options


def beside(file: Any, folder: Path) -> Any:
    """A name that a file of the load's folder has; else as it is."""
    if isinstance(file, str) and (folder / file.partition(",")[0]).is_file():
        return str(folder / file)
    return file


def inputs_beside(inputs: Any, folder: Path) -> Any:
    if isinstance(inputs, list):
        return [beside(i, folder) for i in inputs]
    return beside(inputs, folder)
