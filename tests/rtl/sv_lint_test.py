"""Every module of rtl/common and rtl/sync, every printed register block and the example of a user's
block are clean under `verilator -Wall` by themselves; slang, another front end, accepts all
SystemVerilog at once."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CACHE = Path(os.environ.get("PRESIL_CACHE", Path.home() / ".cache" / "presil"))
PYTHON = Path(os.environ.get("PRESIL_RDL_VENV", CACHE / "venv-rdl")) / "bin" / "python"
PACKAGES = ["rtl/common/job_pkg.sv", "rtl/common/queue_pkg.sv", "rtl/common/presil_pkg.sv"]
PACKAGES += ["rtl/soc/engines_pkg.sv"]


def sources(*patterns: str) -> list[str]:
    found = [p for pattern in patterns for p in ROOT.glob(pattern)]
    return sorted(p.relative_to(ROOT).as_posix() for p in found)


MODULES = [
    m
    for m in sources(
        "rtl/common/*.sv", "rtl/sync/*.sv", "rtl/*/*_registers.sv", "testbench/example_block/*.sv"
    )
    if not m.endswith("_pkg.sv")
]


@pytest.mark.skipif(
    shutil.which("verilator") is None, reason="SKIPPED: SystemVerilog is not checked, no verilator"
)
@pytest.mark.parametrize("module", dict.fromkeys(MODULES))
def test_module_is_lint_clean(module: str) -> None:
    path = Path(module)
    waivers = sources("rtl/common/*.vlt", f"{path.parent}/*.vlt")
    packages = list(PACKAGES)
    own = path.parent / f"{path.parent.name}_pkg.sv"
    if (ROOT / own).is_file():
        packages.append(own.as_posix())
    command = ["verilator", "--lint-only", "-Wall", "--assert", "-I.", "-y", "rtl/common"]
    command += ["-y", str(path.parent), "--top-module", path.stem, *dict.fromkeys(waivers)]
    done = subprocess.run(
        [*command, *packages, module], capture_output=True, text=True, cwd=ROOT, timeout=120
    )
    assert done.returncode == 0, done.stderr


def test_slang_accepts_every_module() -> None:
    if not PYTHON.is_file() or subprocess.run([PYTHON, "-c", "import pyslang"]).returncode:
        pytest.skip(f"SKIPPED: no second front end for SystemVerilog, no pyslang at {PYTHON}")
    script = Path(__file__).with_name("slang_check.py")
    modules = sources("rtl/*/*.sv", "testbench/*/*.sv", "tests/*/*.sv")
    packages = [m for m in modules if m.endswith("_pkg.sv")]
    rest = [m for m in modules if m not in packages]
    done = subprocess.run(
        [PYTHON, script, ROOT, *packages, *rest], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_slang_names_a_fault_and_its_line(tmp_path: Path) -> None:
    if not PYTHON.is_file() or subprocess.run([PYTHON, "-c", "import pyslang"]).returncode:
        pytest.skip(f"SKIPPED: no second front end for SystemVerilog, no pyslang at {PYTHON}")
    (tmp_path / "bad.sv").write_text("module bad;\n  assign missing = 1'b0 + other;\nendmodule\n")
    script = Path(__file__).with_name("slang_check.py")
    done = subprocess.run(
        [PYTHON, script, tmp_path, "bad.sv"], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 1
    assert "bad.sv:2:" in done.stdout
