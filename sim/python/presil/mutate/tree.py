"""A copy of the checkout that has the mutants in it, built once for all of them."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

from ..refusal import Refusal
from .rewrite import HEADER, HEADER_TEXT, mutated
from .sites import Mutant, by

PLACE = re.compile(r"((?:rtl|models)/[\w/]+\.(?:cpp|sv)):(\d+)(?::\d+)?:? ?(?:error|\d+:)?")
PROBLEM = re.compile(r"error|%Warning", re.IGNORECASE)
MOST_BUILDS = 8
LINT = ("WIDTH", "CMPCONST", "UNSIGNED", "SELRANGE", "UNUSEDSIGNAL", "UNUSEDPARAM", "UNOPTFLAT")
"""Of mutants Verilator may say this; the product's own sources stay as strict as they are."""
Say = Callable[[str], None]


def built(
    root: Path, tree: Path, mutants: Sequence[Mutant], targets: Sequence[str], say: Say
) -> list[Mutant]:
    """Builds `targets` with the mutants and returns those that compile."""
    copy(root, tree, {mutant.file for mutant in mutants})
    put(tree / HEADER, HEADER_TEXT.encode())
    rules = "".join(f'lint_off -rule {rule} -file "*"\n' for rule in LINT)
    put(
        tree / "rtl/common/common.vlt",
        (root / "rtl/common/common.vlt").read_bytes() + rules.encode(),
    )
    kept = list(mutants)
    build = tree / "build"
    for _ in range(MOST_BUILDS):
        for file, found in by(kept, "file").items():
            put(tree / file, mutated((root / file).read_bytes(), found))
        for file in {m.file for m in mutants} - {m.file for m in kept}:
            put(tree / file, (root / file).read_bytes())
        configure = ["cmake", "-S", str(tree), "-B", str(build), "-G", "Ninja"]
        configure += ["-DCMAKE_BUILD_TYPE=Release", "-DPRESIL_TESTS=ON"]
        code, output = spoken(configure, tree)
        if code == 0:
            code, output = spoken(["ninja", "-C", str(build), "-k", "0", *targets], tree)
        if code == 0:
            return kept
        wrong = stillborn(output, kept)
        if not wrong:
            raise Refusal(f"mutate: the build with mutants fails:\n{output[-2000:]}")
        say(f"{len(wrong)} mutants do not compile and are left out")
        kept = [mutant for mutant in kept if mutant not in wrong]
    raise Refusal(f"mutate: mutants that do not compile remain after {MOST_BUILDS} builds")


def stillborn(output: str, mutants: Sequence[Mutant]) -> list[Mutant]:
    """Those that stand on a line that a compiler names in an error."""
    lines: dict[str, set[int]] = {}
    for text in output.splitlines():
        if PROBLEM.search(text):
            for file, line in PLACE.findall(text):
                lines.setdefault(file, set()).add(int(line))
    return [
        m
        for m in mutants
        if any(m.line <= line <= m.line + m.right.count("\n") for line in lines.get(m.file, set()))
    ]


def copy(root: Path, tree: Path, apart: set[str]) -> None:
    """The checkout's files; one that is the same keeps its time, so nothing is built for it."""
    listed = subprocess.run(
        ["git", "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        capture_output=True,
        text=True,
    )
    if listed.returncode != 0:
        raise Refusal(f"mutate: requires a checkout of presil, '{root}' is none")
    for name in filter(None, listed.stdout.split("\0")):
        if name not in apart and (root / name).is_file():
            if name != "rtl/common/common.vlt":
                put(tree / name, (root / name).read_bytes())
                shutil.copymode(root / name, tree / name)


def put(path: Path, content: bytes) -> None:
    if path.is_file() and path.read_bytes() == content:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def spoken(command: Sequence[str], folder: Path) -> tuple[int, str]:
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    except FileNotFoundError:
        raise Refusal(f"mutate: requires '{command[0]}', which is not installed") from None
    return done.returncode, done.stdout + done.stderr
