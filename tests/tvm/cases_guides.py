"""The guides about TVM, followed to the letter."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from presil import paths

GUIDES = paths.ROOT / "sim" / "guides"
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def follow(guide: str, folder: Path) -> str:
    """Runs every block of Python, one after another in one process, as a reader does."""
    code = "\n".join(BLOCK.findall((GUIDES / f"{guide}.md").read_text(encoding="utf-8")))
    file = folder / "guide.py"
    file.write_text(code, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, file.name], cwd=folder, env=os.environ, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("guide", ["tvm"])
def test_a_guide_does_what_it_says(guide: str, tmp_path: Path) -> None:
    follow(guide, tmp_path)
    assert (tmp_path / "presil-out" / "main_presil_0" / "run.json").is_file()
