"""The DLA's SystemVerilog is clean under `verilator -Wall`."""

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
    "rtl/soc/engines_pkg.sv",
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
