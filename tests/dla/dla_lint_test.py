"""The DLA's SystemVerilog is clean under `verilator -Wall`, and under slang where there is one."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = [
    "rtl/common/queue_pkg.sv",
    "rtl/common/job_pkg.sv",
    "rtl/common/presil_pkg.sv",
    "rtl/dla/dla_pkg.sv",
    *sorted(
        p.relative_to(ROOT).as_posix()
        for p in ROOT.glob("rtl/dla/*_pkg.sv")
        if p.name != "dla_pkg.sv"
    ),
]
MODULES = sorted(p.stem for p in ROOT.glob("rtl/dla/*.sv") if not p.stem.endswith("_pkg"))
WAIVERS = ["rtl/common/common.vlt", "rtl/dla/dla.vlt"]


@pytest.mark.skipif(shutil.which("verilator") is None, reason="SKIPPED: no verilator")
@pytest.mark.parametrize("module", MODULES)
def test_module_is_lint_clean(module: str) -> None:
    command = ["verilator", "--lint-only", "-Wall", "--assert", "-I.", "-y", "rtl/common"]
    command += ["-y", "rtl/dla", "--top-module", module, *WAIVERS, *PACKAGES]
    done = subprocess.run(
        [*command, f"rtl/dla/{module}.sv"], capture_output=True, text=True, cwd=ROOT, timeout=120
    )
    assert done.returncode == 0, done.stderr


def test_slang_accepts_every_module() -> None:
    reason = "SKIPPED: no second front end (pyslang)"
    ast = pytest.importorskip("pyslang.ast", reason=reason)
    syntax = pytest.importorskip("pyslang.syntax", reason=reason)
    compilation = ast.Compilation()
    for source in [*PACKAGES, *(f"rtl/dla/{module}.sv" for module in MODULES)]:
        compilation.addSyntaxTree(syntax.SyntaxTree.fromFile(str(ROOT / source)))
    errors = [d for d in compilation.getAllDiagnostics() if d.isError()]
    assert not errors, [str(d.code) for d in errors]
