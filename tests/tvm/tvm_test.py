"""presil.tvm, in an environment with TVM: each file of cases is run there by its own pytest."""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pytest
from presil import paths

HERE = Path(__file__).resolve().parent
PYTHON = Path(os.environ.get("PRESIL_TVM", paths.CACHE / "venv-tvm" / "bin" / "python"))
CASES = sorted(file.name for file in HERE.glob("cases_*.py"))
ALL_S, SOME_S = 1500, 300


def environment() -> dict[str, str]:
    folders = [str(paths.ROOT / "sim" / "python"), str(HERE)]
    clean = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST")}
    return {**clean, "PYTHONPATH": os.pathsep.join(folders)}


@pytest.mark.parametrize("cases", CASES)
def test_cases_hold_with_tvm(cases: str, everything: bool) -> None:
    if not PYTHON.is_file():
        pytest.skip(
            f"SKIPPED: {cases}: no TVM at {PYTHON}; `sim/presil test --all` puts it there, "
            "PRESIL_TVM names the Python of another environment"
        )
    done = subprocess.run(
        [str(PYTHON), "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", str(HERE / cases)],
        capture_output=True,
        text=True,
        env=environment(),
        cwd=HERE,
        timeout=ALL_S if everything else SOME_S,
    )
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]


def test_without_tvm_one_sentence_says_what_is_missing() -> None:
    """Debian's Python, which the tests run in, has no TVM."""
    from presil import Refusal

    with contextlib.suppress(PackageNotFoundError):
        version("apache-tvm")
        pytest.skip("SKIPPED: this Python has TVM")
    with pytest.raises(Refusal, match="tvm: package apache-tvm is not installed; `pip install"):
        import presil.tvm  # noqa: F401


def test_installed_fresh_the_guide_runs(everything: bool, tmp_path: Path) -> None:
    """By the guide's own command, in an environment that has nothing else."""
    if not everything:
        pytest.skip("SKIPPED: presil[tvm] is not installed; builds all of presil, only with --all")
    venv = tmp_path / "venv" / "bin"
    subprocess.run(["/usr/bin/python3", "-m", "venv", str(tmp_path / "venv")], check=True)
    probe = [venv / "pip", "download", "-q", "--no-deps", "-d", tmp_path, "apache-tvm-ffi"]
    if subprocess.run(probe, capture_output=True).returncode:
        pytest.skip("SKIPPED: presil[tvm] is not installed; TVM cannot be had here")
    install = [venv / "pip", "install", "-q", f"{paths.ROOT / 'sim' / 'python'}[tvm]"]
    subprocess.run(install, check=True, capture_output=True, timeout=ALL_S)
    guide = (paths.ROOT / "sim" / "guides" / "tvm.md").read_text(encoding="utf-8")
    code = "\n".join(re.findall(r"^```python\n(.*?)^```$", guide, re.MULTILINE | re.DOTALL))
    (tmp_path / "guide.py").write_text(code, encoding="utf-8")
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("PRESIL_", "PYTHON"))}
    done = subprocess.run(
        [venv / "python", "guide.py"], cwd=tmp_path, env=clean, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
