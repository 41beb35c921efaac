"""The DMA's SystemVerilog is clean under `verilator -Wall`."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MODULES = sorted(p.stem for p in ROOT.glob("rtl/dma/*.sv") if not p.stem.endswith("_pkg"))
COMMON = [
    f"rtl/common/{module}.sv"
    for module in (
        "stream_fifo",
        "axi_lite_slave",
        "queue_job_check",
        "queue_fetch",
        "queue_frontend",
    )
]
PACKAGES = [
    "rtl/common/queue_pkg.sv",
    "rtl/common/job_pkg.sv",
    "rtl/common/presil_pkg.sv",
    "rtl/soc/engines_pkg.sv",
    "rtl/dma/dma_pkg.sv",
    "rtl/dma/dma_engine_pkg.sv",
]
SOURCES = [*PACKAGES, *COMMON, *(f"rtl/dma/{module}.sv" for module in MODULES)]
WAIVERS = ["rtl/common/common.vlt", "rtl/dma/dma.vlt"]


@pytest.mark.skipif(shutil.which("verilator") is None, reason="SKIPPED: no verilator")
@pytest.mark.parametrize("module", MODULES)
def test_module_is_lint_clean(module: str) -> None:
    command = ["verilator", "--lint-only", "-Wall", "--assert", "-I.", "--top-module", module]
    done = subprocess.run(
        [*command, *WAIVERS, *SOURCES], capture_output=True, text=True, cwd=ROOT, timeout=120
    )
    assert done.returncode == 0, done.stderr
