"""Reads the folder of an engine outside presil's rooms, prints its contract, tells CMake its parts.

    engine_folder.py FOLDER --to DIR [--beside FOLDER ...]    exit 2: refused, one sentence

What engine.yaml says of the engine itself is read by rtl/gen/engines.py, as for presil's own; here
stands what only a folder has: parameters and sources. DIR/NAME gets the prints. FOLDERs beside are
the project's other engines, whose numbers are taken. Needs rtl/gen/requirements.txt.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "rtl" / "gen"))

import engines  # noqa: E402
import print as printer  # noqa: E402
from contract import ContractError, read  # noqa: E402
from engines import refuse  # noqa: E402
from systemrdl import RDLCompileError  # noqa: E402

# Whether a folder must have the line.
BUILD = {"parameters": False, "model": True, "driver": True, "compiler": False, "rtl": False}
RTL = {"top", "sources"}
SRAM_PARAMETER = "SramBytes"
PARAMETER = {"name", "unit", "default", "min", "max", "what"}


class Folder:
    """Its parts, by the names in engine.yaml."""

    def __init__(self, file: Path) -> None:
        self.file, self.path = file, file.parent

    def part(self, name: object, key: str, suffix: str) -> Path:
        if not isinstance(name, str) or not name.endswith(suffix):
            refuse(self.file, f"{key} lists {name!r}, must be the name of a {suffix} file")
        found = (self.path / str(name)).resolve()
        if not found.is_relative_to(self.path):
            refuse(self.file, f"{key} lists {name!r}, must be a file inside the folder")
        if not found.is_file():
            refuse(self.file, f"{key} lists {name!r}, which is not there, must be a file of it")
        return found

    def parts(self, values: dict[str, Any], key: str, suffix: str) -> list[Path]:
        names = values.get(key)
        if not isinstance(names, list) or not names:
            refuse(self.file, f"{key} is {names!r}, must be a list of {suffix} files")
        return [self.part(name, key, suffix) for name in names or []]


def parameters(file: Path, listed: object) -> list[dict[str, Any]]:
    if not isinstance(listed, list):
        refuse(file, f"parameters is {listed!r}, must be a list")
    found: dict[str, dict[str, Any]] = {}
    for p in listed if isinstance(listed, list) else []:
        engines.keys(file, p, PARAMETER | {"rtl"}, PARAMETER, "a parameter")
        name = p["name"]
        if not isinstance(name, str) or not engines.NAME.fullmatch(name):
            refuse(file, f"a parameter is called {name!r}, must be lower case letters, digits, _")
        if name in found:
            refuse(file, f"parameter {name} stands twice, must be listed once")
        found[name] = p
        for key in ("unit", "what"):
            if not isinstance(p[key], str) or not p[key]:
                refuse(file, f"parameter {name}: {key} is {p[key]!r}, must be a text")
        try:
            low = engines.number(file, p, "min", 0, 1 << 32)
            high = engines.number(file, p, "max", low, 1 << 32)
            engines.number(file, p, "default", low, high)
        except ContractError as error:
            said = str(error).removeprefix(f"{file}: ")
            raise ContractError(f"{file}: parameter {name}: {said}") from error
    return list(found.values())


def identity(path: Path) -> engines.Identity:
    file = path.resolve() / "engine.yaml"
    if not file.is_file():
        raise ContractError(f"{path.resolve()}: has no engine.yaml, which says what the engine is")
    found = engines.identity(file, BUILD)
    # Their C and C++ names would be the same.
    if found.name in {p.stem for p in (ROOT / "rtl").glob("*/*.rdl")} | {"memory", "noc"}:
        refuse(file, f"name is {found.name}, must be one that no block of presil has")
    return found


def built(e: engines.Identity) -> dict[str, str]:
    """What CMake builds it from."""
    folder, values = Folder(e.path), e.more
    listed = parameters(e.path, values.get("parameters", []))
    model = folder.parts(values, "model", ".cpp")
    for needed in ("core", "timing"):
        if f"{e.name}_{needed}.cpp" not in {file.name for file in model}:
            refuse(e.path, f"model lists no {e.name}_{needed}.cpp, must list values and cycles")
    found = {
        "name": e.name,
        "contract": str(folder.part(f"{e.name}.rdl", "name", ".rdl")),
        "model": ";".join(map(str, model)),
        "driver": ";".join(map(str, folder.parts(values, "driver", ".c"))),
        "compiler": "",
        "defaults": ", ".join(str(p["default"]) for p in listed) or "0",
    }
    if "compiler" in values:
        found["compiler"] = ";".join(map(str, folder.parts(values, "compiler", ".cpp")))
    if (rtl := values.get("rtl")) is not None:
        engines.keys(e.path, rtl, RTL, RTL, "rtl")
        found |= built_rtl(e, folder, rtl, listed)
    return found


def built_rtl(
    e: engines.Identity, folder: Folder, rtl: dict[str, Any], listed: list[dict[str, Any]]
) -> dict[str, str]:
    """Of its RTL. Ports are looked at when Verilator has read them (engine_ports.py)."""
    sources = folder.parts(rtl, "sources", ".sv")
    top = str(rtl["top"])
    if e.queues != 1:
        refuse(e.path, f"rtl: the engine has {e.queues} queues, must have 1; or leave rtl out")
    texts = [source.read_text(encoding="utf-8") for source in sources]
    head = re.compile(rf"module {re.escape(top)}\b.*?\);", re.DOTALL)
    headers = [found[0] for text in texts if (found := head.search(text))]
    if not headers:
        refuse(e.path, f"rtl: top is {top}, must be a module of its sources")
    if not re.search(rf"\b{SRAM_PARAMETER}\b", headers[0]):
        refuse(
            e.path,
            f"rtl: top module {top} has no parameter {SRAM_PARAMETER}, must have one: "
            "bytes of the tile's SRAM",
        )
    with_rtl = [(place, p) for place, p in enumerate(listed) if p.get("rtl")]
    return {
        "rtl_top": top,
        "rtl": ";".join(map(str, sources)),
        "rtl_parameters": ";".join(f"-G{p['rtl']}={p['default']}" for _, p in with_rtl),
        "rtl_built": ";".join(f"{p['name']}={place}={p['default']}" for place, p in with_rtl),
        "rtl_waits": str(len(e.waits)),
    }


def put(path: Path, beside: list[Path], to: Path) -> dict[str, str]:
    """Checks all of it, then writes the prints into `to`. @return what CMake builds it from"""
    own = printer.built_in()
    e = engines.join_outside(own, [identity(p) for p in [*beside, path]])[-1]
    found = built(e)
    contracts = {i.name: read(i.path.with_name(f"{i.name}.rdl")) for i in own}
    contract = read(Path(found["contract"]))
    engine = engines.outside(e, contract, engines.table(own, contracts))
    printer.Writer(check=False, quiet=True).put(
        printer.prints(contract, to)
        | printer.description_print(engine, to, parameters(e.path, e.more.get("parameters", [])))
        | printer.rules_print(e, to)
    )
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--to", type=Path, required=True)
    parser.add_argument("--beside", type=Path, nargs="*", default=[])
    args = parser.parse_args()
    try:
        found = put(args.folder, args.beside, args.to)
    except ContractError as refusal:
        print(f"engine {refusal}", file=sys.stderr)
        return 2
    except RDLCompileError:  # the compiler has said where and why
        return 2
    for key, value in found.items():
        print(f"set(engine_{key} [==[{value}]==])")
    return 0


if __name__ == "__main__":
    sys.exit(main())
