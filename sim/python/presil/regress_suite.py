"""SUITE.yaml: networks, SoCs, and what is expected of each network on each SoC.

sim/guides/regress.md has its keys.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .blocks import BLOCKS
from .cosim import NETWORK_PERCENT, names_of
from .coverage.bins import KINDS
from .explore_sweep import beside, known_keys, options_of, read_yaml
from .names import described, existing_file, number, one_of
from .refusal import Refusal
from .shapes import names_shape
from .soc import load_soc

HELP = "sim/guides/regress.md shows one"
KEYS = ("suite", "socs", "networks", "expect", "cosim", "coverage", "benches")
OF_A_NETWORK = ("file", "name", "optional", "expect", "cosim")
OF_A_NETWORK += ("numerics", "effort", "check", "input")
OF_COSIM = ("rtl", "samples", "socs", "percent")
OF_COVERAGE = ("floor_percent", "kind")
EXPECTED = ("exact", "cycles", "dram_bytes", "sram_bytes", "stalls", "against")
EXPECTED += ("tolerance_percent", "seconds")
BANDS = ("cycles", "dram_bytes", "sram_bytes")


@dataclass(frozen=True)
class Case:
    """A network on a SoC."""

    name: str
    network: str
    """Empty: an optional file that is not there."""
    soc: Any
    expect: dict[str, Any]
    options: dict[str, Any]
    cosim: dict[str, Any] | None = None
    """Blocks that run in lock-step with their models too."""


@dataclass(frozen=True)
class Suite:
    """coverage: what share of the bins all cases together must see; None: not collected.
    benches: test programs of the build, by their names."""

    name: str
    cases: tuple[Case, ...]
    coverage: dict[str, Any] | None = None
    benches: tuple[str, ...] = ()


def suite_of(given: Any) -> Suite:
    """Of a file's name or a mapping as the file has it."""
    where, folder, name = "suite", Path(), "suite"
    if isinstance(given, (str, Path)):
        path = existing_file(given, "suite", HELP)
        where, folder, name = f"suite '{given}'", path.parent, path.stem
        given = read_yaml(path, where, HELP)
    known_keys(given, KEYS, where, HELP, "`networks`")
    networks, socs = given.get("networks"), given.get("socs", ["edge"])
    for key, entries in (("networks", networks), ("socs", socs)):
        if not isinstance(entries, list) or not entries:
            raise Refusal(f"{where}: {key} is {described(entries)}, must be a list; {HELP}")
    common = expected_of(given.get("expect", {}), where)
    coverage = coverage_asked(given.get("coverage"), where)
    lockstep = cosim_of(given.get("cosim"), where, socs)
    cases = []
    for i, entry in enumerate(networks):
        at = f"{where}: network {i}"
        entry = {"file": entry} if isinstance(entry, str) else entry
        known_keys(entry, OF_A_NETWORK, at, HELP, "`file`")
        file = os.path.expandvars(str(entry.get("file", "")))
        absent = bool(entry.get("optional")) and not (folder / file).is_file()
        network = "" if absent else beside(file, folder)
        expect = {**common, **expected_of(entry.get("expect", {}), at)}
        options = options_of(entry, at, folder)
        called = str(entry.get("name", file if names_shape(file) else Path(file).stem))
        rtl = cosim_of(entry.get("cosim"), at, socs) or lockstep
        for soc in socs:
            own = rtl if rtl is not None and soc in rtl["socs"] else None
            cases.append(Case(f"{called} on {soc}", network, soc_of(soc), expect, options, own))
    names = [case.name for case in cases]
    for one in names:
        if names.count(one) > 1:
            raise Refusal(f"{where}: '{one}' is there twice, must be once; give each a `name`")
    benches = benches_asked(given.get("benches", []), where)
    return Suite(str(given.get("suite", name)), tuple(cases), coverage, benches)


def benches_asked(given: Any, where: str) -> tuple[str, ...]:
    if not isinstance(given, list) or not all(
        isinstance(name, str) and name.isidentifier() for name in given
    ):
        raise Refusal(
            f"{where}: benches is {described(given)}, must be a list of test programs; {HELP}"
        )
    return tuple(dict.fromkeys(given))


def soc_of(text: Any) -> Any:
    """`edge dla.macs_k=32`: a preset or a file, and parameters."""
    name, *changes = str(text).split()
    return load_soc(name, changes)


def expected_of(given: Any, where: str) -> dict[str, Any]:
    known_keys(given, EXPECTED, f"{where}: expect", HELP, "`exact`")
    for key in BANDS:
        if key in given:
            band_of(given[key], f"{where}: expect: {key}")
    stalls = given.get("stalls", {})
    if not isinstance(stalls, Mapping):
        raise Refusal(f"{where}: expect: stalls is {described(stalls)}, must be engines; {HELP}")
    for engine, band in stalls.items():
        band_of(band, f"{where}: expect: stalls: {engine}")
    against = given.get("against", "baseline")
    if against != "baseline":
        raise Refusal(f"{where}: expect: against is {described(against)}, must be baseline")
    for key in ("tolerance_percent", "seconds"):
        number(given.get(key, 0), 0, 1e6, f"{where}: expect: {key}", ", must be a number from 0 on")
    return dict(given)


def cosim_of(given: Any, where: str, socs: list[Any]) -> dict[str, Any] | None:
    """`{rtl: "dla,dma,sync", samples: 1}`, of these SoCs of the suite, by default all."""
    if given is None:
        return None
    known_keys(given, OF_COSIM, f"{where}: cosim", HELP, "`rtl`")
    names = names_of(given.get("rtl", ""))
    for name in names:
        one_of(name, BLOCKS, f"{where}: cosim: rtl")
    samples, percent = given.get("samples", 1), given.get("percent", NETWORK_PERCENT)
    limits = ", must be a whole number from 1 on"
    number(samples, 1, 1e6, f"{where}: cosim: samples", limits, whole=True)
    number(percent, 0, 100, f"{where}: cosim: percent", ", must be 0 to 100")
    asked = given.get("socs", socs)
    if not isinstance(asked, list) or set(map(str, asked)) - set(map(str, socs)):
        raise Refusal(
            f"{where}: cosim: socs is {described(asked)}, must be a list of the suite's; {HELP}"
        )
    return {"rtl": names, "samples": samples, "percent": percent, "socs": asked}


def coverage_asked(given: Any, where: str) -> dict[str, Any] | None:
    if given is None:
        return None
    known_keys(given, OF_COVERAGE, f"{where}: coverage", HELP, "`floor_percent`")
    kind = one_of(given.get("kind", "model"), (*KINDS, "all"), f"{where}: coverage: kind")
    floor = given.get("floor_percent", 0)
    number(floor, 0, 100, f"{where}: coverage: floor_percent", ", must be 0 to 100")
    return {"floor_percent": floor, "kind": kind}


def band_of(band: Any, subject: str) -> None:
    if not isinstance(band, Mapping) or not band or set(band) - {"min", "max"}:
        raise Refusal(f"{subject} is {described(band)}, must have min or max, as in max: 400000")
    for key, value in band.items():
        number(value, 0, 1e18, f"{subject}: {key}", ", must be a number from 0 on")
    if band.get("min", 0) > band.get("max", 1e18):
        raise Refusal(f"{subject} has min {band['min']} over max {band['max']}; exchange them")


def sharded(suite: Suite, shard: str | None) -> tuple[Case, ...]:
    """Every n-th case from the i-th on, of `i/n`."""
    if shard is None:
        return suite.cases
    first, slash, parts = shard.partition("/")
    if not (slash and first.isdecimal() and parts.isdecimal() and 1 <= int(first) <= int(parts)):
        raise Refusal(f"regress: --shard is '{shard}', must be as 1/4")
    return suite.cases[int(first) - 1 :: int(parts)]
