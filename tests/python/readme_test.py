"""What the guides say of the package and of a run's folder, done as it is written."""

from __future__ import annotations

import ast
import hashlib
import json
import multiprocessing
import re
from pathlib import Path
from typing import Any

import numpy as np
import presil
import pytest

ROOT = Path(__file__).resolve().parents[2]
BLOCKS = re.compile(r"```python\n(.*?)```", re.DOTALL)


def block_with(words: str) -> str:
    guides = ROOT / "sim" / "guides"
    pages = [(guides / name).read_text(encoding="utf-8") for name in ("python.md", "run_folder.md")]
    (found,) = [code for page in pages for code in BLOCKS.findall(page) if words in code]
    return found


def test_the_recipe_of_the_digest_gives_the_records(
    presil: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert presil("run", "digits").code == 0
    monkeypatch.chdir(tmp_path)
    *lines, last = block_with("sha256(").strip().splitlines()
    assert len(lines) == 1
    names = {"np": np, "hashlib": hashlib}
    exec("\n".join(lines), names)  # noqa: S102
    record = json.loads((tmp_path / "presil-out/digits-edge/run.json").read_text("utf-8"))
    assert eval(last, names) == record["outputs"][0]["sha256"]  # noqa: S307
    names["a"] = names["a"].reshape(-1)
    assert eval(last, names) != record["outputs"][0]["sha256"]  # noqa: S307


@pytest.fixture(name="names")
def names_fixture(digits: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    (tmp_path / "net.tflite").write_bytes(digits.read_bytes())
    monkeypatch.chdir(tmp_path)
    return {"x": np.zeros((1, 96, 96, 3), np.int8), "multiprocessing": multiprocessing}


def test_the_short_form_runs(names: dict[str, Any]) -> None:
    exec(block_with('presil.run("digits")'), names)  # noqa: S102
    assert names["run"].exact and int(names["run"].outputs["count"][0]) == 4


def test_the_long_form_runs_but_for_what_needs_more_than_a_network(names: dict[str, Any]) -> None:
    """RTL, programs on the DSP, kernels that are somewhere else."""
    code = block_with("presil.assemble(")
    foreign = ("presil.cosim(", "blocks=", "presil.Kernel(", "DspTrace(", "profile=")
    tree = ast.parse(code)
    lines = [part for part in map(ast.unparse, tree.body) if not any(f in part for f in foreign)]
    assert len(lines) >= 10
    exec("\n".join(["import presil", *lines]), names)  # noqa: S102
    assert names["run"].exact and names["prog"].check_memory()["wrong"] is None


def test_the_pool_runs(names: dict[str, Any]) -> None:
    names |= {"presil": presil, "net": presil.load("net.tflite")}
    exec(block_with("multiprocessing.Pool()"), names)  # noqa: S102
    assert len({run.cycles for run in names["runs"]}) == 3 and all(r.exact for r in names["runs"])
