"""Faults in the SystemVerilog of DLA and DMA, each found by lock-step at its stage."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "testbench" / "lockstep" / "mutations.py"


def test_every_fault_stands_once_in_the_sources() -> None:
    """A fault whose line has changed would be skipped silently."""
    sys.path.insert(0, str(SCRIPT.parent))
    try:
        from mutations import MUTATIONS
    finally:
        sys.path.pop(0)
    assert len(MUTATIONS) == 12
    for mutation in MUTATIONS:
        text = (ROOT / mutation.file).read_text(encoding="utf-8")
        assert text.count(mutation.right) == 1, mutation.name


def test_lockstep_finds_every_fault(everything: bool) -> None:
    if not everything:
        pytest.skip("SKIPPED: a build of the RTL for each fault is for `presil test --all`")
    if shutil.which("verilator") is None:
        pytest.skip("SKIPPED: there is no verilator")
    done = subprocess.run([sys.executable, str(SCRIPT)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
