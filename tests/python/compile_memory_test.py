"""`presil compile` of large networks: the most memory that the command holds."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT
from presil import paths

MEASURED = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""
CHANNELS = 1440  #: of convolutions; each has so many times so many weights


@pytest.mark.parametrize("operators", [30, 240])  # files of 25 and of 199 MB
def test_the_command_holds_less_than_four_times_the_file_and_200_mb(
    operators: int, tmp_path: Path, everything: bool
) -> None:
    if operators > 30 and not everything:
        pytest.skip("SKIPPED: a network of 199 MB is for `presil test --all`")
    writer = paths.BUILD / "tests" / "compiler" / "size_network"
    file = tmp_path / "size.tflite"
    subprocess.run([writer, file, str(operators), str(CHANNELS)], check=True)
    environment = dict(os.environ, PYTHONPATH=str(ROOT / "sim" / "python"))
    command = [sys.executable, "-m", "presil", "compile", file, "-o", tmp_path / "size.presil"]
    # By a small process: what is forked has its parent's size for a moment, and that counts.
    small = [sys.executable, "-c", MEASURED, *map(str, command)]
    done = subprocess.run(small, env=environment, stdout=subprocess.PIPE, check=True)
    most = int(done.stdout) * 1024
    print(f"a file of {file.stat().st_size / 1e6:.1f} MB: {most / 1e6:.0f} MB")
    assert most < 4 * file.stat().st_size + 200e6
