"""How sources are set: clang-format for C and C++, lines of 100 columns for Python."""

from __future__ import annotations

import shutil
import subprocess

import pytest
from tree import ROOT, hand_written, name_of

COLUMNS = 100
VERSION = "14"  # Debian 12's; another version sets some lines otherwise


def clang_format() -> str:
    for name in (f"clang-format-{VERSION}", "clang-format"):
        tool = shutil.which(name)
        if tool is None:
            continue
        said = subprocess.run([tool, "--version"], capture_output=True, text=True).stdout
        if f"version {VERSION}." in said:
            return tool
    pytest.skip(f"SKIPPED: the format of C and C++ is not checked, no clang-format {VERSION} here")


def test_c_and_cpp_are_as_clang_format_sets_them() -> None:
    tool = clang_format()
    files = [str(file) for file in hand_written(".h", ".c", ".cpp")]
    done = subprocess.run(
        [tool, "--dry-run", "-Werror", "--ferror-limit=1", *files],
        capture_output=True,
        text=True,
        cwd=ROOT,
    )
    wrong = sorted({line.split(":")[0] for line in done.stderr.splitlines() if "error:" in line})
    names = [name.removeprefix(f"{ROOT}/") for name in wrong]
    assert not names, f"{tool} -i " + " ".join(names)
    assert done.returncode == 0, done.stderr


def test_python_compiles() -> None:
    wrong = []
    for file in hand_written(".py"):
        try:
            compile(file.read_text(encoding="utf-8"), str(file), "exec")
        except SyntaxError as error:
            wrong.append(f"{name_of(file)}: {error}")
    assert not wrong, "\n".join(wrong)


def test_python_lines_have_at_most_100_columns() -> None:
    wrong = [
        f"{name_of(file)}:{number} has {len(line)} columns"
        for file in hand_written(".py")
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1)
        if len(line) > COLUMNS
    ]
    assert not wrong, "\n".join(wrong)


def test_text_ends_with_one_newline_and_has_no_trailing_blanks() -> None:
    wrong = []
    for file in hand_written():
        text = file.read_text(encoding="utf-8")
        if text and (not text.endswith("\n") or text.endswith("\n\n")):
            wrong.append(f"{name_of(file)} does not end with one newline")
        for number, line in enumerate(text.splitlines(), 1):
            if line != line.rstrip() or "\t" in line:
                wrong.append(f"{name_of(file)}:{number} has trailing blanks or a tab")
    assert not wrong, "\n".join(wrong)
