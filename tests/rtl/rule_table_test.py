"""An engine's rules stand once, in engine.yaml: what is printed of them, and what is refused.

Needs the SystemRDL compiler (rtl/gen/requirements.txt) in the environment of `sim/presil test`.
"""

from __future__ import annotations

import os
import re
import runpy
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CACHE = Path(os.environ.get("PRESIL_CACHE", Path.home() / ".cache" / "presil"))
PYTHON = Path(os.environ.get("PRESIL_RDL_VENV", CACHE / "venv-rdl")) / "bin" / "python"

BEGIN = (
    "<!-- rules {} to {}: printed from engine.yaml by `python3 rtl/gen/print.py`; do not edit -->"
)
END = "<!-- end of rules -->"
TWO = """rules:
  - number: 1
    name: first
    operations: all
    must_hold: "a = 0"
  - number: 2
    name: second
    operations: go
    must_hold: "b < c"
    code: sync_limit
    detail: "word 2"
"""


@pytest.fixture(scope="module", autouse=True)
def compiler() -> None:
    packages = [PYTHON, "-c", "import systemrdl, jinja2, yaml"]
    if not PYTHON.is_file() or subprocess.run(packages, capture_output=True).returncode:
        pytest.skip(f"SKIPPED: no rules are printed, no SystemRDL compiler at {PYTHON}")


def run_print(root: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [PYTHON, root / "rtl" / "gen" / "print.py", *arguments]
    environment = dict(os.environ, PYTHONDONTWRITEBYTECODE="1")
    return subprocess.run(command, capture_output=True, text=True, env=environment, timeout=120)


def folder(path: Path, rules: str = TWO, tables: tuple[tuple[int, int], ...] = ((1, 2),)) -> Path:
    """An engine's folder, as far as its rules go. @return its engine.yaml"""
    text = "".join(f"{BEGIN.format(*table)}\n{END}\n\nText between.\n" for table in tables)
    (path / "README.md").write_text(f"# toy\n\n{text}", encoding="utf-8")
    (path / "engine.yaml").write_text(rules, encoding="utf-8")
    return path / "engine.yaml"


def test_the_table_of_a_readme_is_printed_and_a_stale_one_is_named(tmp_path: Path) -> None:
    description = folder(tmp_path, tables=((1, 1), (2, 2)))
    readme = tmp_path / "README.md"
    assert run_print(ROOT, "--check", description).returncode == 1
    assert run_print(ROOT, description).returncode == 0
    head = "\n| rule | operations | must hold |\n|---|---|---|\n"
    expected = (
        f"# toy\n\n{BEGIN.format(1, 1)}\n{head}| R1 | all | a = 0 |\n\n{END}\n\nText between.\n"
        f"{BEGIN.format(2, 2)}\n{head}| R2 | go | b < c [`sync_limit`, word 2] |\n\n{END}\n\n"
        "Text between.\n"
    )
    assert readme.read_text(encoding="utf-8") == expected
    assert run_print(ROOT, "--check", description).returncode == 0
    readme.write_text(expected.replace("b < c", "b <= c"), encoding="utf-8")
    done = run_print(ROOT, "--check", description)
    assert done.returncode == 1
    assert f"{readme}" in done.stderr


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("number: 2", "number: 1", "line 6: number is 1, which the rule in line 2 has"),
        ("number: 2", "number: 3", "line 6: number is 3, must be 2: rules are 1, 2, .. in order"),
        ("number: 1", "number: 0", "line 2: number is 0, must be a whole number from 1 to 255"),
        ("name: second", "name: first", "line 6: name is first, which the rule in line 2 has"),
        ("name: second", "name: 2nd", "line 6: name is '2nd', must be lower case letters"),
        ("    operations: go\n", "", "line 6: a rule has no operations; known are"),
        ("    code:", "    colour:", "line 6: a rule has colour, which no print shows; known are"),
        ("sync_limit", "sync_bound", "line 6: code is sync_bound, must be one of error_code"),
        ('"b < c"', '"b | c"', "line 6: must_hold is 'b | c', must be a line of text without"),
        ('"b < c"', "[]", "line 6: must_hold is [], must be a line of text without"),
    ],
)
def test_a_wrong_rule_is_refused_with_file_and_line(
    tmp_path: Path, old: str, new: str, said: str
) -> None:
    assert TWO.count(old) == 1
    description = folder(tmp_path, TWO.replace(old, new))
    done = run_print(ROOT, description)
    assert done.returncode == 2
    assert f"{description}, {said}" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("tables", "said"),
    [
        ((), "README.md: has no table of rule R1, R2 of engine.yaml; a table is `<!-- rules 1 to"),
        (((1, 1),), "README.md: has no table of rule R2 of engine.yaml"),
        (((1, 3),), "README.md, line 3: rules 1 to 3, "),
        (((1, 2), (2, 2)), "README.md, line 7: rule R2 is in the table of line 3 already"),
    ],
)
def test_a_readme_shows_each_rule_once(
    tmp_path: Path, tables: tuple[tuple[int, int], ...], said: str
) -> None:
    done = run_print(ROOT, folder(tmp_path, tables=tables))
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_a_rule_taken_out_of_the_list_is_refused_by_the_table_that_shows_it(tmp_path: Path) -> None:
    description = folder(tmp_path, TWO[: TWO.index("  - number: 2")])
    done = run_print(ROOT, description)
    assert done.returncode == 2
    assert f"README.md, line 3: rules 1 to 2, {description} has 1 to 1" in done.stderr


def test_a_rule_is_in_every_print(tmp_path: Path) -> None:
    """Of a copy of rtl/ whose DMA has one rule more."""
    shutil.copytree(ROOT / "rtl", tmp_path / "rtl", ignore=shutil.ignore_patterns("__pycache__"))
    block = tmp_path / "rtl" / "dma"
    with (block / "engine.yaml").open("a", encoding="utf-8") as file:
        file.write(
            '  - number: 9\n    name: even\n    operations: fill\n    must_hold: "it is even"\n'
            '    required: "a fill is even"\n    code: misaligned\n'
        )
    readme = block / "README.md"
    text = readme.read_text(encoding="utf-8")
    readme.write_text(text.replace("<!-- rules 1 to 8:", "<!-- rules 1 to 9:"), encoding="utf-8")
    done = run_print(tmp_path)
    assert done.returncode == 0, done.stderr
    assert "| R9 | fill | it is even [`misaligned`] |\n" in readme.read_text(encoding="utf-8")

    table = runpy.run_path(str(tmp_path / "sim" / "python" / "presil" / "contract.py"))
    assert table["ENGINES"]["dma"].rules[8] == (9, "even", "fill", "it is even", "misaligned")
    assert table["ENGINES"]["host"].rules == ()

    source = tmp_path / "rules.c"
    source.write_text(
        '#include <stdio.h>\n#include "rtl/dma/dma_rules.h"\nint main(void) {\n'
        "  const presil_rule* r = &presil_dma_rules()[PRESIL_DMA_R9_EVEN - 1];\n"
        '  printf("%u %u|%s|%s|%s|%s|%d", PRESIL_DMA_RULES, r->number, r->name, r->operations,\n'
        "         r->must_hold, r->required, (int)r->code);\n  return 0;\n}\n",
        encoding="utf-8",
    )
    for compiler, standard in (("gcc", "c11"), ("g++", "c++17")):
        program = tmp_path / compiler
        strict = [f"-std={standard}", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]
        language = ["-x", "c++" if compiler == "g++" else "c"]
        command = [compiler, *strict, "-I", str(tmp_path), "-o", str(program), *language]
        subprocess.run([*command, str(source)], check=True, timeout=60)
        done = subprocess.run([program], capture_output=True, text=True, timeout=60)
        assert done.stdout == "9 9|even|fill|it is even|a fill is even|8"  # misaligned is 8


BY_HAND = re.compile(
    r"\w\(f, [1-9]|broken\([1-9]|RULE_BROKEN, [1-9]|Rule = [1-9]|^ *\{[1-9]\d*, \d+,",
    re.MULTILINE,
)


def test_no_check_writes_the_number_of_a_rule_by_hand() -> None:
    """They use the printed names, so that a rule which is not listed does not compile."""
    checks = [
        *(ROOT / "models").glob("*/*_check.cpp"),
        *(ROOT / "driver" / "core").glob("d??_check.c"),
        ROOT / "models" / "dsp" / "dsp_engine.cpp",
        *(ROOT / "testbench" / "example_engine" / "driver").glob("*_check.c"),
    ]
    assert len(checks) == 8
    found = [
        f"{file.relative_to(ROOT)}: {line.strip()}"
        for file in checks
        for line in file.read_text(encoding="utf-8").splitlines()
        if BY_HAND.search(line)
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    "line",
    [
        'if (!is(f, 3, "kernel_h", F(KERNEL_H), 1, "pass has no kernel")) return false;',
        "if (copy && c.pattern != 0) return broken(4);",
        "fail({PRESIL_QUEUE_ERROR_CODE_RULE_BROKEN, 8, kCrcWord, 0});",
        "constexpr uint8_t kResidentRule = 8;",
        '    {14, 24, "act_min <= act_max",',
    ],
)
def test_what_is_a_number_by_hand(line: str) -> None:
    assert BY_HAND.search(line)
