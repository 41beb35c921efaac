"""The DLA in RTL in its wider sizes under the tests of the usual one; built here, for --all."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("PRESIL_BUILD", ROOT / "build"))


@pytest.mark.parametrize("size", ["32", "big"])
def test_the_wider_dla_passes_the_tests_of_the_usual_one(size: str, everything: bool) -> None:
    if not everything:
        pytest.skip("SKIPPED: wider arrays in RTL are for `presil test --all`")
    if shutil.which("verilator") is None:
        pytest.skip("SKIPPED: there is no verilator")
    name = f"dla_rtl_test_{size}"
    built = subprocess.run(["ninja", "-C", str(BUILD), name], capture_output=True, text=True)
    assert built.returncode == 0, built.stdout[-3000:]
    done = subprocess.run([str(BUILD / "tests" / "dla" / name)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]
