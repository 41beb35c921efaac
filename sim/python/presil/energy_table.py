"""What an action costs: tables of sim/energy, or a team's own."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from . import paths
from .refusal import Refusal

DEFAULT = "n22"
SAFE = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""The fast one, where PyYAML has libyaml."""
ACTIONS = {
    "array": ("macs", "wide_macs", "accumulations"),
    "sram": ("read", "written"),
    "noc": ("bytes",),
    "dram": ("activates", "bytes_read", "bytes_written", "refreshes"),
    "dsp": ("instructions", "elements"),
    "host": ("busy_cycles",),
}
"""Of which a table must have a row each; engines from outside may have `busy_cycles` besides."""
STATIC = ("array", "sram", "dram", "dsp", "host")
ROW_KEYS = {"component", "action", "pj", "source", "uncertainty_percent"}
STATIC_KEYS = {"component", "mw", "mw_per_kib", "source", "uncertainty_percent"}
TABLE_KEYS = {"note", "node_nm", "voltage", "with", "rows", "static"}


@dataclass(frozen=True)
class Row:
    """pj: of one action, or by the size of an SRAM's bank in KiB."""

    pj: float | dict[float, float]
    source: str
    uncertainty_percent: float

    def femtojoules(self, bank_kib: float) -> int:
        return round(1000 * (self.pj if isinstance(self.pj, float) else between(self.pj, bank_kib)))


@dataclass(frozen=True)
class Static:
    mw: float
    mw_per_kib: float
    source: str
    uncertainty_percent: float


@dataclass
class Table:
    name: str
    note: str
    node_nm: float | None
    voltage: float | None
    rows: dict[tuple[str, str], Row] = field(default_factory=dict)
    static: dict[str, Static] = field(default_factory=dict)


def between(points: dict[float, float], at: float) -> float:
    """By logarithms of size and energy; beyond the ends as between the last two."""
    known = sorted(points.items())
    if len(known) == 1:
        return known[0][1]
    i = next((i for i in range(1, len(known) - 1) if at <= known[i][0]), len(known) - 1)
    (x0, y0), (x1, y1) = known[i - 1], known[i]
    share = (math.log(at) - math.log(x0)) / (math.log(x1) - math.log(x0))
    return math.exp(math.log(y0) + share * (math.log(y1) - math.log(y0)))


def tables() -> list[str]:
    """Those that come with presil: files that say of which node they are."""
    return sorted(f.stem for f in paths.ENERGY.glob("*.yaml") if "node_nm:" in f.read_text("utf-8"))


def load_table(name: str | Path) -> Table:
    """A table of presil by its name, or a file."""
    own = paths.ENERGY / f"{name}.yaml"
    file = own if own.is_file() else Path(name)
    if not file.is_file():
        known = ", ".join(tables())
        raise Refusal(f"energy: --table is '{name}', expected {known}, or a YAML file")
    read = content(file)
    table = Table(
        file.stem if own.is_file() else str(file),
        str(read.get("note", "")),
        optional_number(file, read, "node_nm"),
        optional_number(file, read, "voltage"),
    )
    more = read.get("with")
    for part in ([file.parent / str(more)] if more is not None else []) + [file]:
        if not part.is_file():
            raise Refusal(f"energy: {file}: with is '{more}', requires that file beside it")
        add(table, part, content(part))
    check_whole(table, file)
    return table


@cache
def default_table() -> Table:
    """That of every record, read once."""
    return load_table(DEFAULT)


def content(file: Path) -> dict[str, Any]:
    try:
        read = yaml.load(file.read_text("utf-8"), SAFE)  # noqa: S506
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        why = " ".join(str(error).split())
        raise Refusal(f"energy: '{file}' is no YAML: {why}") from error
    if not isinstance(read, dict) or not isinstance(read.get("rows", []), list):
        raise Refusal(f"energy: '{file}' has no rows, must be a mapping with a list 'rows'")
    if unknown := set(map(str, read)) - TABLE_KEYS:
        raise Refusal(f"energy: {file}: there is no key '{min(unknown)}'; {of_keys(TABLE_KEYS)}")
    return read


def of_keys(keys: set[str]) -> str:
    return f"expected {', '.join(sorted(keys))}"


def optional_number(file: Path, read: dict[str, Any], key: str) -> float | None:
    return None if key not in read else positive(file, key, read[key])


def positive(file: Path, what: str, value: Any, zero: bool = False) -> float:
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not number or not math.isfinite(value) or value < 0 or (value == 0 and not zero):
        least = "a number of 0 or more" if zero else "a number above 0"
        raise Refusal(f"energy: {file}: {what} is {value!r}, must be {least}")
    return float(value)


def add(table: Table, file: Path, read: dict[str, Any]) -> None:
    for given in read.get("rows", []):
        keys(file, given, ROW_KEYS, {"component", "action", "pj", "source"})
        component, action = str(given["component"]), str(given["action"])
        where = f"pj of {component}.{action}"
        if action not in ACTIONS.get(component, ("busy_cycles",)):
            known = ", ".join(ACTIONS.get(component, ("busy_cycles",)))
            raise Refusal(f"energy: {file}: {component} has no action '{action}'; expected {known}")
        table.rows[component, action] = Row(
            cost(file, where, given["pj"]), str(given["source"]), uncertainty(file, where, given)
        )
    for given in read.get("static", []):
        keys(file, given, STATIC_KEYS, {"component", "source"})
        component = str(given["component"])
        if component not in STATIC:
            expected = ", ".join(STATIC)
            raise Refusal(f"energy: {file}: static row of '{component}', expected {expected}")
        mw, per_kib = (
            positive(file, f"{key} of {component}", given.get(key, 0), zero=True)
            for key in ("mw", "mw_per_kib")
        )
        about = uncertainty(file, f"static of {component}", given)
        table.static[component] = Static(mw, per_kib, str(given["source"]), about)


def keys(file: Path, row: Any, known: set[str], needed: set[str]) -> None:
    if not isinstance(row, dict):
        raise Refusal(f"energy: {file}: a row is {row!r}, must be a mapping; {of_keys(known)}")
    if unknown := set(map(str, row)) - known:
        raise Refusal(f"energy: {file}: a row has the key '{min(unknown)}'; {of_keys(known)}")
    if missing := needed - set(row):
        raise Refusal(f"energy: {file}: the row {row} lacks '{min(missing)}'")


def cost(file: Path, where: str, value: Any) -> float | dict[float, float]:
    if not isinstance(value, dict):
        return positive(file, where, value, zero=True)
    if not value:
        raise Refusal(f"energy: {file}: {where} is empty, must have a size in KiB with its pJ")
    return {positive(file, where, k): positive(file, where, v) for k, v in value.items()}


def uncertainty(file: Path, where: str, row: dict[str, Any]) -> float:
    return positive(file, f"uncertainty_percent ({where})", row.get("uncertainty_percent", 0), True)


def check_whole(table: Table, file: Path) -> None:
    for component, actions in ACTIONS.items():
        for action in actions:
            if (component, action) not in table.rows:
                raise Refusal(
                    f"energy: {file} has no row for {component}.{action}, must have one; 'pj: 0' "
                    "says that it costs nothing"
                )
    for component in STATIC:
        if component not in table.static:
            raise Refusal(
                f"energy: {file} has no static row for {component}, must have one; 'mw: 0' says "
                "that it leaks nothing"
            )
