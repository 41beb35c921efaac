"""The guides about TVM, followed to the letter."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import pytest
from presil import paths

EVERYTHING = os.environ.get("PRESIL_ALL") == "1"
NONE: Mapping[str, str] = MappingProxyType({})
GUIDES = paths.ROOT / "sim" / "guides"
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def follow(guide: str, folder: Path, instead: Mapping[str, str] = NONE) -> str:
    """Runs every block of Python, one after another in one process, as a reader does. instead:
    text of the guide that is another here."""
    code = "\n".join(BLOCK.findall((GUIDES / f"{guide}.md").read_text(encoding="utf-8")))
    for before, after in instead.items():
        assert before in code
        code = code.replace(before, after)
    file = folder / "guide.py"
    file.write_text(code, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, file.name], cwd=folder, env=os.environ, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def built_kernel(folder: Path) -> None:
    """The image that the guide's reader has built."""
    for tool in ("clang-19", "ld.lld-19"):
        if shutil.which(tool) is None:
            pytest.skip(f"SKIPPED: the guide's kernel is not built, no {tool} here")
    dsp = paths.ROOT / "driver" / "kernels" / "dsp"
    command = [sys.executable, dsp / "build.py", dsp / "example" / "resize_1x2.c"]
    subprocess.run([*command, "-o", folder / "resize_1x2.elf"], check=True, capture_output=True)


def test_a_module_is_partitioned_run_and_exported_as_its_guide_says(tmp_path: Path) -> None:
    follow("tvm", tmp_path)
    assert (tmp_path / "presil-out" / "main_presil_0" / "run.json").is_file()


def test_yolo_v4_runs_on_dla_and_dsp_as_its_guide_says(tmp_path: Path) -> None:
    small = {} if EVERYTHING else {"size = 416": "size = 64"}
    said = follow("tvm_yolov4", tmp_path, small)
    assert "('nms', 'dsp')" in said
    record = json.loads((tmp_path / "presil-out" / "yolov4" / "run.json").read_text())
    assert record["check"]["exact"] and record["engines"]["host"]["busy"] == 0
    assert (tmp_path / "presil-out" / "yolov4" / "boxes.png").stat().st_size > 1000


def test_an_engine_is_used_by_its_rules_as_its_guide_says(tmp_path: Path) -> None:
    said = follow("tvm_your_engine", tmp_path)
    assert "presil has no operator sinh" in said and "presil has no operator cumsum" in said


def test_a_schedule_is_tuned_for_the_dsp_as_its_guide_says(tmp_path: Path) -> None:
    for tool in ("clang-19", "ld.lld-19"):
        if shutil.which(tool) is None:
            pytest.skip(f"SKIPPED: the guide's kernels are not built, no {tool} here")
    fewer = {
        '"rows": [2, 4, 6, 8], "columns": [32, 64], "lmul": [2, 4]': (
            '"rows": [4, 6], "columns": [64], "lmul": [4]'
        )
    }
    said = follow("tvm_kernels", tmp_path, {} if EVERYTHING else fewer)
    page = (GUIDES / "tvm_kernels.md").read_text(encoding="utf-8")
    took = [int(n) for n in re.findall(r"\} (\d+)$", said, re.MULTILINE)]
    took.append(int(re.findall(r"library: (\d+)", said)[0]))
    shown = [
        int(n.replace(",", "")) for n in re.findall(r"^\| .* \| ([\d,]+) \|$", page, re.MULTILINE)
    ]
    assert len(shown) == 3
    for figure in shown:
        assert any(abs(figure - one) <= 0.02 * one for one in took), (figure, took)


def test_an_external_operator_runs_on_the_dsp_as_its_guide_says(tmp_path: Path) -> None:
    built_kernel(tmp_path)
    said = follow("tvm_external_operator", tmp_path)
    took = dict(re.findall(r"'(resize_1x2\w*)': (\d+)", said))
    page = (GUIDES / "tvm_external_operator.md").read_text(encoding="utf-8")
    for kernel, row in (("resize_1x2_naive", "written down"), ("resize_1x2", "in vectors")):
        shown = re.search(rf"^\| DSP, {row} \| ([\d,]+) \|", page, re.MULTILINE)
        assert shown, row
        figure = int(shown[1].replace(",", ""))
        assert abs(figure - int(took[kernel])) <= 0.05 * figure, took
