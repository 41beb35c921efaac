"""What help(), completion and type checkers know of the package."""

from __future__ import annotations

import functools
import importlib
import inspect
import os
import pydoc
import re
import rlcompleter
import shutil
import subprocess
import sys
from pathlib import Path

import presil
import pytest

ROOT = Path(__file__).resolve().parents[2]
PRINTER = ROOT / "sim" / "python" / "print_operators.py"


def test_the_prints_are_the_tables() -> None:
    """Stale: run sim/python/print_operators.py after a change of operators or bindings."""
    environment = {**os.environ, "PYTHONPATH": str(PRINTER.parent)}
    done = subprocess.run(
        [sys.executable, str(PRINTER), "--check"], env=environment, capture_output=True, text=True
    )
    assert (done.returncode, done.stdout) == (0, ""), done.stdout + done.stderr
    assert (PRINTER.parent / "presil" / "py.typed").is_file()


def test_a_stale_print_is_told_and_written_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.syspath_prepend(str(PRINTER.parent))
    printer = importlib.import_module("print_operators")
    monkeypatch.setattr(printer, "PRINTS", {tmp_path / "x.py": lambda: "now"})
    assert printer.main(check=True) == 1 and "x.py is stale" in capsys.readouterr().out
    assert not (tmp_path / "x.py").exists()
    assert printer.main(check=False) == 0 and (tmp_path / "x.py").read_text() == "now"
    assert printer.main(check=True) == 0


@functools.cache
def helped() -> str:
    return pydoc.render_doc(presil.Builder, renderer=pydoc.plaintext)


@pytest.mark.parametrize("kind", presil.Builder.operators())
def test_every_operator_has_a_method_with_its_parameters_and_help(kind: str) -> None:
    method = getattr(presil.Builder, kind)
    parameters = inspect.signature(method).parameters
    assert {"out", "name"} <= set(parameters) or kind in ("reshape", "transpose", "pad", "custom",
        "resize_nearest", "resize_bilinear", "slice")  # fmt: skip
    row = presil.Builder.operators()[kind]
    assert len((method.__doc__ or "").split()) >= 3
    assert re.search(rf"^ \|  {kind}\(", helped(), re.MULTILINE)
    if method.__qualname__.startswith("Operators."):
        assert set(row["attributes"]) | set(row["inputs"]) <= set(parameters)
        for name in row["attributes"]:
            assert (
                name in method.__doc__ and parameters[name].kind is inspect.Parameter.KEYWORD_ONLY
            )


def test_completion_knows_the_operators() -> None:
    completer = rlcompleter.Completer({"b": presil.Builder(), "presil": presil})
    found = set()
    for state in range(200):
        text = completer.complete("b.l", state)
        if text is None:
            break
        found.add(text.partition("(")[0])
    assert {"b.leaky_relu", "b.logistic", "b.lstm", "b.layer_norm"} <= found
    assert completer.complete("presil.comp", 0) == "presil.compile("


def test_generated_methods_build_what_the_words_build() -> None:
    texts = []
    for by_method in (True, False):
        b = presil.Builder()
        x = b.input("x", (1, 4, 4, 8), scale=0.5)
        if by_method:
            y = b.leaky_relu(x, alpha=0.25, out=(0.25, 3), name="a")
            values, indices = b.top_k(b.reshape(y, (1, 128)), out=[
                presil.Type("int8", 0.25, 3, (1, 4)), presil.Type("int32", shape=(1, 4))
            ], name="k")  # fmt: skip
        else:
            y = b.op("leaky_relu", [x], {"alpha": 0.25}, (0.25, 3), "a")
            values, indices = b.op("top_k", [b.reshape(y, (1, 128))], {}, [
                presil.Type("int8", 0.25, 3, (1, 4)), presil.Type("int32", shape=(1, 4))
            ], "k")  # fmt: skip
        b.output(values, indices)
        texts.append(b.build().graph.text(payload=True))
    assert texts[0] == texts[1]


USE = """
import numpy as np
import presil
from presil._native import Soc


def cycles(file: str, x: np.ndarray) -> int:
    soc: Soc = presil.load_soc("edge", {"dla.macs_k": 32})
    run: presil.Run = presil.run(file, x, soc=soc, check="layers")
    rows: list[dict[str, object]] = list(run.layers)
    return run.cycles + len(rows) + soc.clock_mhz


b = presil.Builder("net")
x = b.input("x", (1, 8, 8, 3), scale=0.5)
y = b.leaky_relu(b.conv2d(x, np.ones((4, 3, 3, 3), np.int8), weights_scale=0.1), alpha=0.1)
b.output(b.softmax(b.mean(y)))
net: presil.Network = b.build()
"""
WRONG = '\nb.leaky_relu(x, alpha="much")\nb.leaky_rulu(x)\ncycles(3, 4)\nsoc: Soc = net\n'


def test_a_type_checker_agrees_and_finds_errors(tmp_path: Path) -> None:
    mypy = shutil.which("mypy")
    works = mypy and subprocess.run([mypy, "--version"], capture_output=True).returncode == 0
    if not works:
        pytest.skip("SKIPPED: types are not checked, there is no mypy")

    def said(text: str) -> list[str]:
        (tmp_path / "use.py").write_text(text, encoding="utf-8")
        options = ["--follow-imports=silent", "--cache-dir", str(tmp_path / "cache")]
        options += ["--python-executable", sys.executable, "use.py"]
        done = subprocess.run([str(mypy), "--disallow-untyped-defs", *options],
            cwd=tmp_path, capture_output=True, text=True,
            env={"PATH": "/usr/bin:/bin", "MYPYPATH": str(ROOT / "sim" / "python")},
        )  # fmt: skip
        return [line for line in done.stdout.splitlines() if "use.py" in line]

    assert said(USE) == []
    errors = "\n".join(said(USE + WRONG))
    assert '"alpha" to "leaky_relu" of "Operators" has incompatible type "str"' in errors
    assert '"Builder" has no attribute "leaky_rulu"' in errors
    assert errors.count("error: ") == 5, errors
