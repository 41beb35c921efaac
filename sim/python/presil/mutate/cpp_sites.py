"""Where C++ can be mutated, found in Clang's syntax tree of each file by itself.

Left out is what the compiler needs as a constant, what a macro stands for, and the text of errors.
"""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Any

from ..refusal import Refusal
from .sites import REPLACED, Mutant, in_one_line

NUMBER = re.compile(r"(0[xX][0-9a-fA-F']+|[0-9][0-9']*)([uUlL]*)$")
OF_TEMPLATE = re.compile(rb"\w<([\w:]+, )*$")
"""What stands before a template's argument; an operator has a space beside it."""
SKIPPED = ("STATIC_ASSERT", "ENUM_DECL", "PARM_DECL", "CXX_THROW_EXPR", "STRING_LITERAL")
OF_TYPES = ("TYPE_REF", "TEMPLATE_REF", "NAMESPACE_REF")


def cpp_mutants(root: Path, build: Path, files: list[str]) -> list[Mutant]:
    """Of files by their names under `root`, compiled as `build`/compile_commands.json says."""
    try:
        from clang import cindex
    except ImportError:
        raise Refusal(
            "mutate: C++ is parsed by libclang's Python binding, which is not installed; "
            "`pip install libclang`, or `--rtl` for the RTL alone"
        ) from None
    index = cindex.Index.create()
    options = _options(root, build)
    found: list[Mutant] = []
    for file in files:
        unit = index.parse(str(root / file), args=options)
        fatal = [d for d in unit.diagnostics if d.severity >= cindex.Diagnostic.Fatal]
        if fatal:
            raise Refusal(f"mutate: '{file}' cannot be parsed: {fatal[0].spelling}")
        finder = _Finder(root / file, file, cindex.CursorKind)
        finder.visit(unit.cursor, [])
        found += finder.found
    return found


def _options(root: Path, build: Path) -> list[str]:
    """Include folders and language of the rooms, with the headers of an installed compiler."""
    folders: set[str] = set()
    commands = build / "compile_commands.json"
    for unit in json.loads(commands.read_text(encoding="utf-8")) if commands.is_file() else []:
        words = shlex.split(unit["command"])
        folders |= {w for w in words if w.startswith("-I")}
        folders |= {
            "-I" + after for w, after in zip(words, words[1:], strict=False) if w == "-isystem"
        }
    own = []
    for clang in ("clang-19", "clang", "clang-14"):
        if shutil.which(clang):
            said = subprocess.run([clang, "-print-resource-dir"], capture_output=True, text=True)
            own = ["-resource-dir", said.stdout.strip()]
            break
    return ["-x", "c++", "-std=c++17", f"-I{root}", *sorted(folders), *own]


def numbers(text: str) -> list[str]:
    """What stands instead of an integer: one more, and zero."""
    parts = NUMBER.match(text)
    if parts is None:
        return []
    value = int(parts[1].replace("'", ""), 0) if parts[1].strip("0'") else 0
    return [f"{other}{parts[2]}" for other in dict.fromkeys((value + 1, 0)) if other != value]


class _Finder:
    def __init__(self, path: Path, file: str, kinds: Any) -> None:
        self.path, self.file, self.kinds = str(path), file, kinds
        self.source = path.read_bytes()
        self.found: list[Mutant] = []
        self.seen: set[tuple[int, int, str]] = set()

    def span(self, node: Any) -> tuple[int, int]:
        return node.extent.start.offset, node.extent.end.offset

    def text(self, node: Any) -> str:
        begin, end = self.span(node)
        return self.source[begin:end].decode()

    def add(self, node: Any, operator: str, wrong: str) -> None:
        begin, end = self.span(node)
        if begin >= end or (begin, end, wrong) in self.seen:
            return
        self.seen.add((begin, end, wrong))
        line = self.source.count(b"\n", 0, begin) + 1
        right = self.text(node)
        self.found.append(Mutant(self.file, line, begin, end, operator, right, wrong))

    def arithmetic(self, node: Any) -> bool:
        kind = node.type.get_canonical().kind.name
        return kind in (
            "BOOL", "CHAR_S", "CHAR_U", "UCHAR", "SCHAR", "SHORT", "USHORT", "INT", "UINT", "LONG",
            "ULONG", "LONGLONG", "ULONGLONG", "FLOAT", "DOUBLE", "ENUM",
        )  # fmt: skip

    def visit(self, node: Any, above: list[Any]) -> None:
        for child in node.get_children():
            place = child.location.file
            if child.kind.name == "NAMESPACE" or place is None or place.name == self.path:
                if place is not None and place.name != self.path:
                    continue
                self.one(child, above)

    def one(self, node: Any, above: list[Any]) -> None:
        name = node.kind.name
        if name in SKIPPED or name in OF_TYPES or self.is_constant(node, name):
            return
        children = list(node.get_children())
        if name == "CASE_STMT":
            self.below(children[1:], node, above)
            return
        if name == "BINARY_OPERATOR" and len(children) == 2:
            self.binary(node, *children)
        elif name == "COMPOUND_ASSIGNMENT_OPERATOR" and len(children) == 2:
            if self.arithmetic(node) and self.between(*children) in ("+=", "-=", "|=", "^="):
                self.add(children[1], "register", "0")
        elif name == "INTEGER_LITERAL":
            self.literal(node, above)
        elif name == "IF_STMT":
            self.condition(children[0])
        elif name == "CONDITIONAL_OPERATOR":
            self.condition(children[0])
        self.below(children, node, above)

    def below(self, children: list[Any], node: Any, above: list[Any]) -> None:
        for child in children:
            place = child.location.file
            if place is not None and place.name == self.path:
                self.one(child, [*above, node])

    def is_constant(self, node: Any, name: str) -> bool:
        if name not in ("VAR_DECL", "FUNCTION_DECL", "CXX_METHOD", "FUNCTION_TEMPLATE"):
            return False
        begin = node.extent.start.offset
        return b"constexpr" in self.source[begin : node.location.offset]

    def between(self, left: Any, right: Any) -> str:
        text = self.source[left.extent.end.offset : right.extent.start.offset].decode()
        return in_one_line(text).strip(" ()") if in_one_line(text).count("(") == 0 else ""

    def binary(self, node: Any, left: Any, right: Any) -> None:
        operator = self.between(left, right)
        if operator == "=":
            if left.kind.name == "MEMBER_REF_EXPR" and self.arithmetic(left):
                self.add(right, "register", in_one_line(self.text(left)))
        elif operator in REPLACED and self.arithmetic(node):
            if not (self.arithmetic(left) and self.arithmetic(right)):
                return
            a, b = self.text(left), self.text(right)
            self.add(node, "operator", in_one_line(f"({a}) {REPLACED[operator]} ({b})"))

    def condition(self, node: Any) -> None:
        if node.kind.name in ("VAR_DECL", "DECL_STMT"):
            return
        text = in_one_line(self.text(node))
        if not re.fullmatch(r"[^&|?]*[^<>&|?](==|!=)[^&|?]*", text):  # that is an operator's mutant
            self.add(node, "condition", f"!({text})")
        self.add(node, "condition", "true")
        self.add(node, "condition", "false")

    def literal(self, node: Any, above: list[Any]) -> None:
        parent = above[-1].kind.name if above else ""
        line = self.source[: self.span(node)[0]].split(b"\n")[-1]
        before = line.rstrip()[-1:]
        if parent in ("VAR_DECL", "FIELD_DECL") and before != b"=":
            return  # of its type
        if OF_TEMPLATE.search(line) or parent in ("DECL_REF_EXPR", "INIT_LIST_EXPR"):
            return
        for wrong in numbers(self.text(node)):
            self.add(node, "constant", wrong)
