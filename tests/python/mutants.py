"""presil with one deliberate error: a source changed, compiled and linked as the build does."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from conftest import ROOT
from presil import paths

NATIVE = "sim/python"
SIMULATOR = "sim/platform/presil-sim"


def _run(command: str) -> None:
    done = subprocess.run(command, shell=True, cwd=paths.BUILD, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]


def _compiled(source: str, old: str, new: str, folder: Path) -> Path:
    """The object file of `source` with `old`, which must be there once, replaced."""
    text = (ROOT / source).read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{source} has {text.count(old)} places like {old!r}, expected 1"
    mutant = folder / "source" / source
    mutant.parent.mkdir(parents=True)
    mutant.write_text(text.replace(old, new), encoding="utf-8")
    unit = _unit_of(source)
    compiler, _, arguments = unit["command"].partition(" ")
    arguments, _, _ = arguments.partition(" -o ")
    made = folder / "mutant.o"
    # The mutant's tree comes first: a group includes its files by that path, Highway its own again.
    file = mutant if unit["file"] == str(ROOT / source) else unit["file"]
    _run(f"{compiler} -I{folder / 'source'} {arguments} -o {made} -c {file}")
    return made


def _unit_of(source: str) -> dict[str, str]:
    """How the file is compiled: alone or in a group (sim/cmake/README.md)."""
    units = json.loads((paths.BUILD / "compile_commands.json").read_text(encoding="utf-8"))
    for unit in units:
        file = Path(unit["file"])
        sanitised = "-fsanitize" in unit["command"]
        in_group = file.parent.name == "groups" and not sanitised
        if file == ROOT / source:
            return dict(unit)
        if in_group and f'#include "{source}"' in file.read_text(encoding="utf-8"):
            return dict(unit)
    raise AssertionError(f"nothing compiles {source}")


def _linked(made: Path, output: str, folder: Path) -> None:
    """Links `output` with the object before all libraries, whose own copy is then not taken."""
    listed = subprocess.run(
        ["ninja", "-t", "commands", "-s", output],
        cwd=paths.BUILD,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    command = next(line for line in listed.splitlines() if f" -o {output} " in line)
    target = folder / output
    target.parent.mkdir(parents=True, exist_ok=True)
    # Only the link itself: what follows it in the rule works on the build folder.
    link = command.removeprefix(": && ").partition(" && ")[0]
    _run(link.replace(f" -o {output} ", f" -o {target} {made} "))


def mutant_build(source: str, old: str, new: str, part: str, folder: Path) -> Path:
    """A build folder (for PRESIL_BUILD) with the error in `part`: SIMULATOR or NATIVE.

    The other part is the build's own.
    """
    module = next((paths.BUILD / NATIVE).glob("_presil*.so")).relative_to(paths.BUILD)
    made = _compiled(source, old, new, folder)
    for output in (SIMULATOR, str(module)):
        if output.startswith(part):
            _linked(made, output, folder)
        else:
            (folder / output).parent.mkdir(parents=True, exist_ok=True)
            (folder / output).symlink_to((paths.BUILD / output).resolve())
    return folder
