"""The example of driver/kernels/dsp/README.md, built by a compiler just now."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import presil as api
import pytest

ROOT = Path(__file__).resolve().parents[2]
DSP = ROOT / "driver" / "kernels" / "dsp"
TOOLS = ("clang-19", "ld.lld-19")

sys.path.insert(0, str(DSP / "example"))
import example  # noqa: E402


def built(source: Path, out: Path) -> Path:
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    if missing:
        pytest.skip(f"SKIPPED: kernels are not compiled, no {' '.join(missing)} here")
    command = [sys.executable, DSP / "build.py", source, "-o", out]
    subprocess.run(command, check=True, capture_output=True, text=True)
    return out


@pytest.fixture(scope="module")
def elf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(
        DSP / "example" / "resize_1x2.c", tmp_path_factory.mktemp("kernels") / "resize_1x2.elf"
    )


def test_the_example_is_exact_and_faster_in_vectors(elf: Path) -> None:
    took = {}
    for kernel in ("resize_1x2_naive", "resize_1x2"):
        run, took[kernel] = example.cycles(elf, kernel)
        assert run.exact and run.record["check"]["level"] == "layers"
        (layer,) = [layer for layer in run.layers if layer["commands"]]
        assert layer["engine"] == "dsp" and layer["exact"]
    assert took["resize_1x2_naive"] >= 4 * took["resize_1x2"], took
    shown = (DSP / "README.md").read_text(encoding="utf-8")
    for kernel, cycles in took.items():  # the page's figures are of this model
        row = re.search(rf"^\| `{kernel}` \| ([\d,]+) \|", shown, re.MULTILINE)
        assert row and abs(int(row[1].replace(",", "")) - cycles) <= 0.05 * cycles, (kernel, cycles)


def test_the_examples_registration_takes_what_its_rule_says(elf: Path, tmp_path: Path) -> None:
    shutil.copy(elf, tmp_path / "resize_1x2.elf")
    shutil.copy(DSP / "example" / "kernels.yaml", tmp_path)
    kernels = api.read_kernels(tmp_path / "kernels.yaml")
    net = example.network()
    (placed,) = api.compile(net, kernels=kernels).placement
    assert placed["engine"] == "dsp"
    assert placed["reason"].startswith("kernel resize_1x2 of resize_1x2.elf (int8, rows as"), placed
    naive = replace(kernels[1], prefer=False)
    (placed,) = api.compile(net, kernels=[naive]).placement
    subject = "kernel resize_1x2_naive of resize_1x2.elf"
    cost = rf"; dsp: {subject} takes about \d+ cycles with transfers, [\w' ]+ takes"
    assert re.search(cost, placed["reason"])
    tall = api.Builder("tall")
    x = tall.input("x", (1, 8, 8, 16), scale=0.5)
    tall.output(tall.resize_nearest(x, (24, 16)))
    (placed,) = api.compile(tall.build(), kernels=kernels).placement
    assert "requires int8, rows as they are, columns times 2; " in placed["reason"]
