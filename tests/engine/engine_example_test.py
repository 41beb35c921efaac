"""The example engine in presil's own build: its RTL is clean under `verilator -Wall`, its Python
tests pass. Both without its name."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from presil import paths

ROOM = paths.ROOT / "testbench" / "example_engine"
ENGINE = yaml.safe_load((ROOM / "engine.yaml").read_text(encoding="utf-8"))
PRINTS = paths.BUILD / "testbench" / "example_engine" / "engine" / ENGINE["name"]


@pytest.mark.skipif(
    shutil.which("verilator") is None, reason="SKIPPED: SystemVerilog is not checked, no verilator"
)
@pytest.mark.parametrize("source", ENGINE["rtl"]["sources"])
def test_each_module_is_lint_clean(source: str) -> None:
    if not PRINTS.is_dir():
        pytest.skip(f"SKIPPED: the contract is not printed to {PRINTS}")
    packages = [f"rtl/common/{name}_pkg.sv" for name in ("job", "queue", "presil")]
    packages.append("rtl/soc/engines_pkg.sv")
    done = subprocess.run(
        ["verilator", "--lint-only", "-Wall", "--assert", "-I.", "-y", "rtl/common", "-y", PRINTS]
        + ["-y", ROOM / "rtl", "--top-module", Path(source).stem, "rtl/common/common.vlt"]
        + [*sorted((ROOM / "rtl").glob("*.vlt")), *packages]
        + [PRINTS / f"{ENGINE['name']}_pkg.sv", ROOM / source],
        capture_output=True,
        text=True,
        cwd=paths.ROOT,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("file", sorted(f.name for f in (ROOM / "tests").glob("*_test.py")))
def test_its_python_tests_pass(file: str) -> None:
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-rs",
            "-p",
            "no:cacheprovider",
            ROOM / "tests" / file,
        ],
        capture_output=True,
        text=True,
        cwd=paths.ROOT,
        env=dict(os.environ, PYTHONPATH=str(paths.ROOT / "sim" / "python")),
        timeout=300,
    )
    if "SKIPPED" in done.stdout:
        pytest.skip("SKIPPED: the example engine is not built")
    assert done.returncode == 0, done.stdout[-3000:]
