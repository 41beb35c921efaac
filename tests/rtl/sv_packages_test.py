"""The SystemVerilog packages are lint clean and cut a command into fields as the C tables do."""

from __future__ import annotations

import random
import re
import shutil
import subprocess
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
COMMANDS = {  # contract: struct of its package, stem of its C++ command
    "rtl/common/job": ("entry_t", "job_entry"),
    "rtl/dla/dla": ("command_t", "dla_command"),
    "rtl/dma/dma": ("command_t", "dma_command"),
    "rtl/dsp/dsp": ("command_t", "dsp_command"),
    "rtl/host/host": ("command_t", "host_command"),
}
PACKAGES = sorted(p.relative_to(ROOT).as_posix() for p in ROOT.glob("rtl/*/*_pkg.sv"))

pytestmark = pytest.mark.skipif(
    shutil.which("verilator") is None, reason="SKIPPED: SystemVerilog is not checked, no verilator"
)


def lint(tmp_path: Path, sources: list[str], body: str) -> subprocess.CompletedProcess[str]:
    top = tmp_path / "top.sv"
    top.write_text(f"module top;\n{body}\nendmodule\n", encoding="utf-8")
    # Alone, nothing uses a package's parameters; the modules' own lint looks at those that do.
    options = ["--lint-only", "-Wall", "-Wno-UNUSEDPARAM", "--top-module", "top"]
    waivers = sorted(p.relative_to(ROOT).as_posix() for p in ROOT.glob("rtl/*/*.vlt"))
    command = ["verilator", *options, *waivers, *sources, str(top)]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=120)


def used_first(packages: list[str]) -> list[str]:
    """The packages in an order in which each is read after those that it uses."""
    path_of = {Path(p).stem: p for p in packages}
    uses = {
        p: {path_of[u] for u in re.findall(r"(\w+_pkg)::", (ROOT / p).read_text(encoding="utf-8"))}
        for p in packages
    }
    return list(TopologicalSorter(uses).static_order())


def fields_of(contract: str, command: str) -> list[tuple[str, int, int]]:
    """Member as in C++, first bit in the command, width: from the C and C++ prints."""
    header = (ROOT / f"{contract}.h").read_text(encoding="utf-8")
    cpp = (ROOT / contract).with_name(f"{command}.h").read_text(encoding="utf-8")
    members = dict(re.findall(r"case PRESIL_(\w+): return int64_t\(([\w\[\]]+)\);", cpp))
    found = []
    row = r'\{"(\w+)", (?:\w+), -?\d+, -?\d+, \w+, \w+, \d+, (\d+), (\d+), (\d+), \d, \d+, \d\}'
    for name, word, lsb, width in re.findall(row, header):
        member = members[f"{command}_{name}".upper()]
        found.append((member, 32 * int(word) + int(lsb), int(width)))
    assert len(found) == len(members)
    return found


def sv_member(contract: str, member: str) -> str:
    text = (ROOT / f"{contract}_pkg.sv").read_text(encoding="utf-8")
    name, bracket, index = member.partition("[")
    return (name if re.search(rf"unpack\.{name}\b", text) else f"{name}_") + bracket + index


def test_packages_are_lint_clean(tmp_path: Path) -> None:
    assert len(PACKAGES) >= 7
    body = "  presil_pkg::job_t unused_job;\n  assign unused_job = '0;"
    done = lint(tmp_path, used_first(PACKAGES), body)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("contract", COMMANDS)
def test_unpack_agrees_with_the_c_tables(tmp_path: Path, contract: str) -> None:
    struct, command = COMMANDS[contract]
    fields = fields_of(contract, command)
    package = f"{Path(contract).name}_pkg"
    words = 1 + max((lsb + width - 1) // 32 for _, lsb, width in fields)
    header = (ROOT / f"{contract}.h").read_text(encoding="utf-8")
    total = int(re.findall(rf"{command.upper()}_WORDS (\d+)u", header)[0])
    assert words <= total
    bits = random.Random(contract).getrandbits(32 * total)
    body = [f"  localparam {package}::{struct} C = {package}::unpack({32 * total}'h{bits:x});"]
    for member, lsb, width in fields:
        expected = f"{width}'h{bits >> lsb & ((1 << width) - 1):x}"
        body.append(f'  if (C.{sv_member(contract, member)} != {expected}) $error("{member}");')
    done = lint(tmp_path, [f"{contract}_pkg.sv"], "\n".join(body))
    assert done.returncode == 0, done.stderr
    wrong = [body[0], body[1].replace("!=", "==")]
    assert lint(tmp_path, [f"{contract}_pkg.sv"], "\n".join(wrong)).returncode != 0
