"""`presil compile` of large networks: the most memory that the command holds."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT
from presil import paths

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
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    assert status == 0
    most = usage.ru_maxrss * 1024
    print(f"a file of {file.stat().st_size / 1e6:.1f} MB: {most / 1e6:.0f} MB")
    assert most < 4 * file.stat().st_size + 200e6
