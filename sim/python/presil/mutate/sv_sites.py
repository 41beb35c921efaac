"""Where SystemVerilog can be mutated, found in slang's syntax tree.

Left out is what is constant when the design is elaborated (parameters, widths, generate conditions,
loop headers, labels), what is assigned to, assertions, and what a macro stands for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ..refusal import Refusal
from .sites import REPLACED, Mutant

CONSTANT = (
    "ParameterDeclaration", "ParameterDeclarationStatement", "TypedefDeclaration",
    "VariableDimension", "ParameterValueAssignment", "ForVariableDeclaration",
    "SimpleRangeSelect", "AscendingRangeSelect", "DescendingRangeSelect",
    "ModuleHeader", "PackageHeader", "EnumType", "EventControlWithExpression",
    "ImplicitEventControl", "SimpleAssignmentPattern", "StructuredAssignmentPattern",
    "ReplicatedAssignmentPattern", "AssignmentPatternExpression", "ConcurrentAssertionStatement",
    "ImmediateAssertionStatement", "ConcurrentAssertionMember", "ImmediateAssertionMember",
    "AssertPropertyStatement", "ImmediateAssertStatement",
)  # fmt: skip
VALUE = re.compile(r"(?:(\d+)\s*'\s*s?([bdhoBDHO])\s*([0-9a-fA-F_]+)|(\d+))$")
BASES = {"b": 2, "o": 8, "d": 10, "h": 16}
RESET = "rst"


def sv_mutants(root: Path, files: list[str]) -> list[Mutant]:
    """Of files by their names under `root`."""
    try:
        import pyslang.syntax as syntax
        from pyslang import SourceManager
    except ImportError:
        raise Refusal(
            "mutate: SystemVerilog is parsed by pyslang, which is not installed; "
            "`pip install pyslang`, or `--models` for the models alone"
        ) from None
    finders = []
    constant: set[str] = set()
    for file in files:
        manager = SourceManager()
        manager.addUserDirectories(str(root))
        tree = syntax.SyntaxTree.fromFile(str(root / file), manager)
        finder = _Finder(file, (root / file).read_bytes(), manager, constant, syntax.SyntaxNode)
        finder.visit(tree.root, "", False)
        finders.append(finder)
    return [m for finder in finders for m, within in finder.found if within not in constant]


def literals(text: str) -> list[str]:
    """What stands instead of a number: one more, and zero."""
    if text in ("'0", "'1"):
        return ["'1" if text == "'0" else "'0"]
    parts = VALUE.match(text)
    if parts is None:
        return []
    if parts[4] is not None:
        value = int(parts[4])
        return [str(value + 1)] + (["0"] if value > 1 else [])
    width, base = int(parts[1]), parts[2].lower()
    try:
        value = int(parts[3].replace("_", ""), BASES[base])
    except ValueError:
        return []
    more = (value + 1) % (1 << width)
    return [f"{width}'d{other}" for other in dict.fromkeys((more, 0)) if other != value]


class _Finder:
    """`found`: mutants, each with the name of the function that it is in."""

    def __init__(
        self, file: str, source: bytes, manager: Any, constant: set[str], node: type
    ) -> None:
        self.file, self.source, self.manager = file, source, manager
        self.constant, self.node = constant, node
        self.found: list[tuple[Mutant, str]] = []
        self.function = ""

    def text(self, node: Any) -> str:
        spot = node.sourceRange
        return self.source[spot.start.offset : spot.end.offset].decode()

    def here(self, node: Any) -> bool:
        spot = node.sourceRange
        if self.manager.isMacroLoc(spot.start) or self.manager.isMacroLoc(spot.end):
            return False
        return Path(self.manager.getFileName(spot.start)).name == Path(self.file).name

    def add(self, node: Any, operator: str, wrong: str) -> None:
        if not self.here(node):
            return
        begin, end = node.sourceRange.start.offset, node.sourceRange.end.offset
        line = self.source.count(b"\n", 0, begin) + 1
        right = self.text(node)
        self.found.append(
            (Mutant(self.file, line, begin, end, operator, right, wrong), self.function)
        )

    def children(self, node: Any) -> Iterator[Any]:
        return (child for child in node if isinstance(child, self.node))

    def constants_in(self, node: Any) -> None:
        """Functions that are called where a constant is required stay as they are."""
        if node.kind.name == "InvocationExpression":
            self.constant.add(self.text(node.left).split("::")[-1])
        for child in self.children(node):
            self.constants_in(child)

    def visit(self, node: Any, where: str, reset: bool) -> None:
        """where: "" outside of behaviour, else "comb" or "ff"; reset: in a reset's branch."""
        name = node.kind.name
        if name in CONSTANT or name.endswith("PropertyExpr"):
            self.constants_in(node)
            return
        handler = getattr(self, f"on_{name}", None)
        if handler is not None and handler(node, where, reset):
            return
        if where and type(node).__name__ == "BinaryExpressionSyntax":
            self.binary(node)
        if where and type(node).__name__ == "ProceduralBlockSyntax":
            where = "ff" if name == "AlwaysFFBlock" else "comb"
        for child in self.children(node):
            self.visit(child, where, reset)

    def binary(self, node: Any) -> None:
        operator = node.operatorToken.rawText
        if operator not in REPLACED:
            return
        left, right = self.text(node.left), self.text(node.right)
        self.add(node, "operator", f"({left}) {REPLACED[operator]} ({right})")

    def condition(self, node: Any, where: str) -> None:
        text = self.text(node)
        if RESET in text or self.text(node) in ("1'b0", "1'b1"):
            return
        if not re.fullmatch(r"[^&|?]*[^<>&|?](==|!=)[^&|?]*", text):  # that is an operator's mutant
            self.add(node, "condition", f"!({text})")
        enable = "register" if where == "ff" else "condition"
        self.add(node, enable, "1'b1")
        self.add(node, "condition", "1'b0")

    # ------------------------------------------------------------------------------- contexts

    def on_ContinuousAssign(self, node: Any, where: str, reset: bool) -> bool:
        for child in self.children(node):
            self.visit(child, "comb", False)
        return True

    def on_AlwaysCombBlock(self, node: Any, where: str, reset: bool) -> bool:
        return self.on_ContinuousAssign(node, where, reset)

    def on_AlwaysFFBlock(self, node: Any, where: str, reset: bool) -> bool:
        for child in self.children(node):
            self.visit(child, "ff", False)
        return True

    def on_InitialBlock(self, node: Any, where: str, reset: bool) -> bool:
        return True

    def on_FinalBlock(self, node: Any, where: str, reset: bool) -> bool:
        return True

    def on_FunctionDeclaration(self, node: Any, where: str, reset: bool) -> bool:
        before, self.function = self.function, self.text(node.prototype.name)
        for item in self.children(node.items):
            self.visit(item, "comb", False)
        self.function = before
        return True

    def on_HierarchyInstantiation(self, node: Any, where: str, reset: bool) -> bool:
        for child in self.children(node):
            self.visit(child, "comb", False)
        return True

    def on_HierarchicalInstance(self, node: Any, where: str, reset: bool) -> bool:
        for connection in self.children(node.connections):
            self.visit(connection, "comb", False)
        return True

    def on_LoopGenerate(self, node: Any, where: str, reset: bool) -> bool:
        self.visit(node.block, where, reset)
        return True

    def on_IfGenerate(self, node: Any, where: str, reset: bool) -> bool:
        self.constants_in(node.condition)
        self.visit(node.block, where, reset)
        if node.elseClause is not None:
            self.visit(node.elseClause, where, reset)
        return True

    def on_CaseGenerate(self, node: Any, where: str, reset: bool) -> bool:
        return True

    def on_ForLoopStatement(self, node: Any, where: str, reset: bool) -> bool:
        self.visit(node.statement, where, reset)
        return True

    def on_StandardCaseItem(self, node: Any, where: str, reset: bool) -> bool:
        self.visit(node.clause, where, reset)
        return True

    def on_CastExpression(self, node: Any, where: str, reset: bool) -> bool:
        self.visit(node.right, where, reset)
        return True

    def on_MultipleConcatenationExpression(self, node: Any, where: str, reset: bool) -> bool:
        self.visit(node.concatenation, where, reset)
        return True

    def on_ElementSelect(self, node: Any, where: str, reset: bool) -> bool:
        if any(child.kind.name == "BitSelect" for child in self.children(node)):
            for child in self.children(node):
                index = next(iter(self.children(child)), None)
                if index is not None and "Literal" not in index.kind.name:
                    self.visit(index, where, reset)
        return True

    def on_InvocationExpression(self, node: Any, where: str, reset: bool) -> bool:
        called = self.text(node.left)
        return called.startswith("$") and called not in ("$signed", "$unsigned")

    # ---------------------------------------------------------------------------- expressions

    def on_ConditionalStatement(self, node: Any, where: str, reset: bool) -> bool:
        if where != "ff" or RESET not in self.text(node.predicate):
            return False
        self.visit(node.statement, where, True)
        if node.elseClause is not None:
            self.visit(node.elseClause, where, False)
        return True

    def on_ConditionalPredicate(self, node: Any, where: str, reset: bool) -> bool:
        if where and "matches" not in self.text(node):
            self.condition(node, where)
        return False

    def on_AssignmentExpression(self, node: Any, where: str, reset: bool) -> bool:
        self.visit(node.right, where, reset)
        return True

    def on_NonblockingAssignmentExpression(self, node: Any, where: str, reset: bool) -> bool:
        right = self.text(node.right)
        if reset:
            for wrong in literals(right)[:1]:
                self.add(node.right, "register", wrong)
            return True
        if "'{" not in right:
            self.add(node.right, "register", self.text(node.left))
        self.visit(node.right, where, reset)
        return True

    def literal(self, node: Any, where: str, reset: bool) -> bool:
        if where:
            for wrong in literals(self.text(node)):
                self.add(node, "constant", wrong)
        return True

    on_IntegerVectorExpression = literal
    on_IntegerLiteralExpression = literal
    on_UnbasedUnsizedLiteralExpression = literal
