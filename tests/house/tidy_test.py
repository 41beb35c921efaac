"""What clang-tidy finds: mistakes and waste in C and C++. It takes minutes: with --all only."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tree import ROOT, name_of

VERSION = "14"  # Debian 12's; another version finds other things
GENERATED = ("presil_loadable_header", "presil_tflite_header", "presil_graph_header")
LAYERS = ("compiler_bridge", "driver", "models")


def sources(build: Path) -> list[Path]:
    """What the product is built from, file by file; tests and benches are not looked at."""
    command = ["cmake", "-S", str(ROOT), "-B", str(build), "-G", "Ninja"]
    command += ["-DPRESIL_UNITY=OFF", "-DPRESIL_PCH=OFF"]
    subprocess.run(command, check=True, capture_output=True)
    subprocess.run(["ninja", "-C", str(build), *GENERATED], check=True, capture_output=True)
    commands = build / "compile_commands.json"
    files = {Path(entry["file"]) for entry in json.loads(commands.read_text(encoding="utf-8"))}
    return sorted(f for f in files if any(f.is_relative_to(ROOT / layer) for layer in LAYERS))


def test_clang_tidy_finds_nothing(everything: bool, tmp_path: Path) -> None:
    """Each file alone, so that it also shows an #include that a file lacks."""
    if not everything:
        pytest.skip("SKIPPED: clang-tidy takes minutes; --all runs it")
    tool = shutil.which(f"clang-tidy-{VERSION}")
    if tool is None:
        pytest.skip(f"SKIPPED: there is no clang-tidy-{VERSION} here")

    def findings(file: Path) -> list[str]:
        done = subprocess.run(
            [tool, "-p", str(tmp_path), "--quiet", str(file)],
            capture_output=True,
            text=True,
            cwd=ROOT,
        )
        found = [line for line in done.stdout.splitlines() if "error:" in line]
        return found or ([f"{name_of(file)}: {done.stderr[-300:]}"] if done.returncode else [])

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = {line for lines in pool.map(findings, sources(tmp_path)) for line in lines}
    assert not found, "\n".join(sorted(line.removeprefix(f"{ROOT}/") for line in found))
