"""The rules that a command keeps beyond its fields: lines `rules` of engine.yaml.

Their numbers and words stand there once. From there come the engine's header <engine>_rules.h, its
entry in sim/python/presil/contract.py, and the tables in its README, which stand between two
comments and are written in place.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from contract import ROOT, ContractError, read

NAME = re.compile(r"[a-z][a-z0-9_]{0,30}")
NEEDED = {"number", "name", "operations", "must_hold"}
KNOWN = NEEDED | {"required", "code", "detail"}
MOST = 255  # bits of `rule` in the queue's error register

PRINTED = "printed from engine.yaml by `python3 rtl/gen/print.py`; do not edit"
END = "<!-- end of rules -->"
TABLE = re.compile(
    rf"^<!-- rules (\d+) to (\d+): {re.escape(PRINTED)} -->\n(.*?)^{re.escape(END)}$",
    re.MULTILINE | re.DOTALL,
)


@dataclass
class Rule:
    number: int
    name: str
    operations: str  # that it applies to
    must_hold: str
    required: str  # the same without `operations`, for the sentence of a refusal
    code: str  # that the queue reports
    detail: str  # what the queue reports besides

    @property
    def brackets(self) -> str:
        """What a table says of the report, where it is more than `rule_broken` and the number."""
        code = [f"`{self.code}`"] if self.code != "rule_broken" else []
        return ", ".join([*code, *([self.detail] if self.detail else [])])

    @property
    def row(self) -> str:
        brackets = f" [{self.brackets}]" if self.brackets else ""
        return f"| R{self.number} | {self.operations} | {self.must_hold}{brackets} |"


def refuse(path: Path, line: int, what: str) -> None:
    raise ContractError(f"{path}, line {line}: {what}")


@functools.cache
def error_codes() -> tuple[str, ...]:
    queue = read(ROOT / "rtl" / "common" / "queue.rdl")
    enums = [e for m in queue.maps for e in m.enums if e.name == "error_code"]
    return tuple(c.name for c in enums[0].codes)


def lines_of(path: Path) -> list[int]:
    """Where each entry of `rules` begins."""
    top = yaml.compose(path.read_text(encoding="utf-8"), Loader=yaml.SafeLoader)
    for key, value in top.value:
        if key.value == "rules":
            return [entry.start_mark.line + 1 for entry in value.value]
    return []


def rule(path: Path, line: int, values: Any) -> Rule:
    if not isinstance(values, dict):
        refuse(path, line, f"a rule is {values!r}, must be lines of `key: value`")
    unknown, missing = sorted(set(values) - KNOWN), sorted(NEEDED - set(values))
    if unknown or missing:
        said = [f"has no {', '.join(missing)}"] if missing else []
        said += [f"has {', '.join(unknown)}, which no print shows"] if unknown else []
        refuse(path, line, f"a rule {' and '.join(said)}; known are {', '.join(sorted(KNOWN))}")
    number, name = values["number"], values["name"]
    if not isinstance(number, int) or isinstance(number, bool) or not 1 <= number <= MOST:
        refuse(path, line, f"number is {number!r}, must be a whole number from 1 to {MOST}")
    if not isinstance(name, str) or not NAME.fullmatch(name):
        refuse(path, line, f"name is {name!r}, must be lower case letters, digits, _ (31 at most)")
    for key in sorted(set(values) - {"number", "name"}):
        text = values[key]
        if not isinstance(text, str) or not text.strip() or re.search(r'["\\|\n]|\*/', text):
            refuse(path, line, f'{key} is {text!r}, must be a line of text without ", \\, | and */')
    code = values.get("code", "rule_broken")
    if code not in error_codes():
        known = ", ".join(error_codes())
        refuse(path, line, f"code is {code}, must be one of error_code in queue.rdl: {known}")
    words = values["must_hold"]
    return Rule(
        number,
        name,
        values["operations"],
        words,
        values.get("required", words),
        code,
        values.get("detail", ""),
    )


def rules_of(path: Path, listed: Any) -> list[Rule]:
    """@param listed: the value of `rules` in the engine.yaml at `path`"""
    if not isinstance(listed, list):
        raise ContractError(f"{path}: rules is {listed!r}, must be a list")
    lines = lines_of(path)
    found = [rule(path, line, values) for line, values in zip(lines, listed)]
    numbers: dict[int, int] = {}  # and their lines
    names: dict[str, int] = {}
    for line, r in zip(lines, found):
        if (first := numbers.setdefault(r.number, line)) != line:
            refuse(path, line, f"number is {r.number}, which the rule in line {first} has")
        if (first := names.setdefault(r.name, line)) != line:
            refuse(path, line, f"name is {r.name}, which the rule in line {first} has")
    for place, (line, r) in enumerate(zip(lines, found), 1):
        if r.number != place:
            refuse(
                path, line, f"number is {r.number}, must be {place}: rules are 1, 2, .. in order"
            )
    return found


def readme(path: Path, listed: list[Rule]) -> dict[Path, str]:
    """The README beside an engine.yaml, with the tables of its rules as they are listed now."""
    file = path.with_name("README.md")
    text = file.read_text(encoding="utf-8") if file.is_file() else ""
    shown: dict[int, int] = {}  # number: line of its table

    def table(match: re.Match[str]) -> str:
        first, last = int(match[1]), int(match[2])
        line = text.count("\n", 0, match.start()) + 1
        if not 1 <= first <= last <= len(listed):
            refuse(file, line, f"rules {first} to {last}, {path} has 1 to {len(listed)}")
        for number in range(first, last + 1):
            if (other := shown.setdefault(number, line)) != line:
                refuse(file, line, f"rule R{number} is in the table of line {other} already")
        head = "| rule | operations | must hold |\n|---|---|---|\n"
        rows = "".join(f"{r.row}\n" for r in listed[first - 1 : last])
        return f"<!-- rules {first} to {last}: {PRINTED} -->\n\n{head}{rows}\n{END}"

    printed = TABLE.sub(table, text)
    missing = [f"R{r.number}" for r in listed if r.number not in shown]
    if missing:
        count = len(listed)
        raise ContractError(
            f"{file}: has no table of rule {', '.join(missing)} of {path.name}; a table is "
            f"`<!-- rules 1 to {count}: {PRINTED} -->`, `{END}` and what is printed between"
        )
    return {file: printed} if shown else {}


def readme_of(path: Path) -> dict[Path, str]:
    """The README of an engine's folder alone: what else engine.yaml says is not looked at."""
    try:
        values = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, yaml.YAMLError) as error:
        raise ContractError(f"{path}: cannot be read: {' '.join(str(error).split())}") from error
    listed = values.get("rules", []) if isinstance(values, dict) else []
    return readme(path, rules_of(path, listed))
