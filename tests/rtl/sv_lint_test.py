"""Every module of rtl/common is clean under `verilator -Wall`, by itself."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MODULES = sorted(
    p.relative_to(ROOT).as_posix()
    for p in ROOT.glob("rtl/common/*.sv")
    if not p.name.endswith("_pkg.sv")
)

pytestmark = pytest.mark.skipif(
    shutil.which("verilator") is None, reason="SKIPPED: SystemVerilog is not checked, no verilator"
)


@pytest.mark.parametrize("module", MODULES)
def test_module_is_lint_clean(module: str) -> None:
    stem = Path(module).stem
    waivers = sorted(p.relative_to(ROOT).as_posix() for p in ROOT.glob("rtl/common/*.vlt"))
    packages = ["rtl/common/job_pkg.sv", "rtl/common/queue_pkg.sv", "rtl/common/presil_pkg.sv"]
    command = ["verilator", "--lint-only", "-Wall", "--assert", "-I.", "-y", "rtl/common"]
    done = subprocess.run(
        [*command, "--top-module", stem, *waivers, *packages, module],
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
