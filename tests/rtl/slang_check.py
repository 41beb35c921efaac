"""Reads SystemVerilog sources with slang and names what is wrong with them.

Run by sv_lint_test.py with a Python that has pyslang: slang_check.py ROOT SOURCE...
"""

from __future__ import annotations

import sys
from pathlib import Path

import pyslang
from pyslang import ast, syntax


def main(root: Path, sources: list[str]) -> int:
    manager = pyslang.SourceManager()
    manager.addUserDirectories(str(root))  # of `include
    compilation = ast.Compilation()
    for source in sources:
        tree = syntax.SyntaxTree.fromFile(str(root / source), manager)
        compilation.addSyntaxTree(tree)
    errors = [d for d in compilation.getAllDiagnostics() if d.isError()]
    for error in errors:
        place = f"{manager.getFileName(error.location)}:{manager.getLineNumber(error.location)}"
        print(f"{place}: {error.code} {' '.join(str(a) for a in error.args)}")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
