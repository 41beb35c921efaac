"""Reads the engine.yaml of a folder with an engine, and looks whether all is there that it names.

    engine_folder.py FOLDER [--taken NAME ...]    prints it as CMake's set(...); exit 2: refused

A refusal names folder, file, value, requirement and remedy.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from typing import Any

import yaml

INTERFACE = Path(__file__).resolve().with_name("engine_plugin.h")
BUILT_IN = ("dla", "dsp", "dma", "host", "sync", "memory", "noc")
NAME = re.compile(r"[a-z][a-z0-9_]{0,30}")
KEYS = {"name", "interface", "queues", "instances", "parameters", "model", "driver", "rtl"}
PARAMETER = {"name", "unit", "default", "min", "max", "rtl", "what"}


class BadFolder(Exception):
    """Why a folder is refused."""


class Folder:
    def __init__(self, path: Path) -> None:
        self.path = path.resolve()
        self.file = self.path / "engine.yaml"

    def refuse(self, what: str, required: str, file: Path | None = None) -> BadFolder:
        shown = (file or self.file).relative_to(self.path)
        return BadFolder(f"engine {self.path}: {shown}: {what}, must be {required}")

    def number(self, at: dict[str, Any], key: str, low: int, high: int, where: str = "") -> int:
        value = at.get(key)
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            raise self.refuse(f"{where}{key} is {value!r}", f"a number from {low} to {high}")
        return value

    def part(self, name: object, key: str, suffix: str) -> Path:
        """A file of the folder, by its name from there."""
        if not isinstance(name, str) or not name.endswith(suffix):
            raise self.refuse(f"{key} lists {name!r}", f"the name of a {suffix} file")
        file = (self.path / name).resolve()
        if not file.is_relative_to(self.path):
            raise self.refuse(f"{key} lists {name!r}", "a file inside the folder")
        if not file.is_file():
            raise self.refuse(f"{key} lists {name!r}, which is not there", "a file of the folder")
        return file

    def parts(self, at: dict[str, Any], key: str, suffix: str) -> list[Path]:
        names = at.get(key)
        if not isinstance(names, list) or not names:
            raise self.refuse(f"{key} is {names!r}", f"a list of {suffix} files")
        return [self.part(name, key, suffix) for name in names]


def interface_version() -> int:
    found = re.search(r"kEngineInterface = (\d+);", INTERFACE.read_text(encoding="utf-8"))
    assert found, f"{INTERFACE} states no kEngineInterface"
    return int(found.group(1))


def parameters(folder: Folder, engine: dict[str, Any]) -> list[dict[str, Any]]:
    listed = engine.get("parameters", [])
    if not isinstance(listed, list):
        raise folder.refuse(f"parameters is {listed!r}", "a list")
    seen: set[str] = set()
    for p in listed:
        if not isinstance(p, dict) or not NAME.fullmatch(str(p.get("name", ""))):
            raise folder.refuse(f"a parameter is {p!r}", "a mapping with a name in lower case")
        where = f"parameter {p['name']}: "
        if set(p) - PARAMETER:
            raise folder.refuse(
                f"{where}has {sorted(set(p) - PARAMETER)}", f"only {sorted(PARAMETER)}"
            )
        if p["name"] in seen:
            raise folder.refuse(f"{where}stands twice", "listed once")
        seen.add(p["name"])
        for key in ("unit", "what"):
            if not isinstance(p.get(key), str) or not p[key]:
                raise folder.refuse(f"{where}{key} is {p.get(key)!r}", "a text")
        low = folder.number(p, "min", 0, 1 << 32, where)
        high = folder.number(p, "max", low, 1 << 32, where)
        folder.number(p, "default", low, high, where)
    return listed


def read(path: Path, taken: list[str]) -> dict[str, str]:
    """What CMake builds the engine from; refuses a folder that lacks something."""
    folder = Folder(path)
    if not folder.file.is_file():
        raise BadFolder(
            f"engine {folder.path}: has no engine.yaml, which says what is in the folder"
        )
    try:
        engine = yaml.safe_load(folder.file.read_text(encoding="utf-8"))
    except yaml.YAMLError as error:
        raise folder.refuse(f"is no YAML ({str(error).splitlines()[0]})", "YAML") from error
    if not isinstance(engine, dict):
        raise folder.refuse(f"is {type(engine).__name__}", "a mapping")
    if set(engine) - KEYS:
        raise folder.refuse(f"has {sorted(set(engine) - KEYS)}", f"only {sorted(KEYS)}")
    name = engine.get("name")
    if not isinstance(name, str) or not NAME.fullmatch(name):
        raise folder.refuse(f"name is {name!r}", "lower case letters, digits, _ (31 at most)")
    if name in (*BUILT_IN, *taken):
        owner = "presil itself" if name in BUILT_IN else "another folder of this project"
        raise folder.refuse(
            f"name is {name!r}", f"a name, and so a queue, that {owner} does not have"
        )
    here = interface_version()
    if engine.get("interface") != here:
        raise folder.refuse(
            f"interface is {engine.get('interface')!r}",
            f"{here}, the version of this presil; adapt the engine to sim/engine/engine_plugin.h",
        )
    folder.number(engine, "queues", 1, 8)
    folder.number(engine, "instances", 1, 64)
    listed = parameters(folder, engine)
    contract = folder.part(f"{name}.rdl", "name", ".rdl")
    model = folder.parts(engine, "model", ".cpp")
    for needed in ("core", "timing"):
        if f"{name}_{needed}.cpp" not in {file.name for file in model}:
            raise folder.refuse(f"model lists no {name}_{needed}.cpp", "values and cycles apart")
    found = {
        "name": name,
        "contract": str(contract),
        "model": ";".join(map(str, model)),
        "driver": ";".join(map(str, folder.parts(engine, "driver", ".c"))),
        "defaults": ", ".join(str(p["default"]) for p in listed) or "0",
    }
    if (rtl := engine.get("rtl")) is not None:
        if not isinstance(rtl, dict) or not isinstance(rtl.get("top"), str):
            raise folder.refuse(f"rtl is {rtl!r}", "a mapping with top and sources")
        found["rtl_top"] = rtl["top"]
        found["rtl"] = ";".join(map(str, folder.parts(rtl, "sources", ".sv")))
        found["rtl_parameters"] = ";".join(
            f"-G{p['rtl']}={p['default']}" for p in listed if p.get("rtl")
        )
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--taken", nargs="*", default=[])
    args = parser.parse_args()
    try:
        found = read(args.folder, args.taken)
    except BadFolder as refusal:
        print(refusal, file=sys.stderr)
        return 2
    for key, value in found.items():
        print(f"set(engine_{key} [==[{value}]==])")
    return 0


if __name__ == "__main__":
    sys.exit(main())
