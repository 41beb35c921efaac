"""The recipe of testbench/example_block: its commands, and what they say."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from presil import paths

ROOM = paths.ROOT / "testbench" / "example_block"
PROGRAM = paths.BUILD / "testbench" / "example_block" / "example_block"
FENCE = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.fixture(autouse=True)
def program() -> None:
    if not PROGRAM.is_file():
        pytest.skip(f"SKIPPED: {PROGRAM} is not built, blocks in RTL require verilator")


def said(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [str(PROGRAM), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60)


def test_the_readmes_commands_run(tmp_path: Path, everything: bool) -> None:
    lines = [
        line
        for block in FENCE.findall((ROOM / "README.md").read_text(encoding="utf-8"))
        for line in block.splitlines()
    ]
    assert len(lines) >= 4
    for line in lines:
        if "_fst" in line and not everything:
            continue  # builds the block once more
        command = line.replace(" /tmp", f" {tmp_path}")
        command = re.sub(r"(?<= )build(?= )|^build(?=/)", str(paths.BUILD), command)
        done = subprocess.run(
            ["bash", "-c", command], capture_output=True, text=True, cwd=paths.ROOT, timeout=280
        )
        assert done.returncode == 0, f"{line}: {done.stdout[-2000:]}{done.stderr[-2000:]}"
    assert (tmp_path / "user.fst").is_file() == everything


@pytest.mark.parametrize("size", [0, 16, 65536])
def test_model_and_verilog_say_the_same(size: int) -> None:
    model, rtl = said("model", size), said("rtl", size)
    assert (model.returncode, rtl.returncode) == (0, 0), model.stderr + rtl.stderr
    assert model.stdout == rtl.stdout
    assert re.search(r"^cycles \d+, doorbell to driver \d+ ns$", model.stdout, re.MULTILINE)


@pytest.mark.parametrize(
    "arguments",
    [[], ["model"], ["fast", "16"], ["rtl", "15"], ["rtl", "-16"], ["rtl", "1000000000"]],
)
def test_what_is_no_job_is_refused(arguments: list[str]) -> None:
    ended = said(*arguments)
    assert ended.returncode == 2
    assert "usage: example_block model|rtl BYTES" in ended.stderr


def test_a_program_without_waveforms_says_so(tmp_path: Path) -> None:
    ended = said("rtl", 16, tmp_path)
    assert ended.returncode == 2
    assert "this simulator writes no waveforms" in ended.stderr
