#!/usr/bin/python3
"""Prints what the native module says of itself as Python: a method of presil.Builder for each
operator of the graph, and the types of the native module; and the table of deviations from the
runtimes into the interpreter's README.

PYTHONPATH=sim/python PRESIL_BUILD=build sim/python/print_operators.py  # --check: only says so
"""

from __future__ import annotations

import ast
import sys
from pathlib import Path
from typing import Any

import numpy as np
from presil import paths
from presil.deviations import rows
from presil.native_stub import stub

PACKAGE = Path(__file__).parent / "presil"
README = PACKAGE.parents[2] / "compiler_bridge" / "reference" / "README.md"
BEGIN, END = "<!-- deviations -->\n", "<!-- end of deviations -->\n"
WIDTH = 100
HEAD = '''# Printed by sim/python/print_operators.py from the table of operators; do not edit.
# ruff: noqa: E501
# fmt: off
"""A method for each operator of the graph that presil.Builder has no better one for."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .graph_builder import GraphBuilder, Out, Tensor

Given = Tensor | np.ndarray
"""An input: a tensor of the builder, or an array, which becomes a constant."""


class Operators(GraphBuilder):
    """Inputs in order, attributes by name; `out` and `name` as presil.Builder says."""
'''


def own_methods() -> set[str]:
    """What presil.Builder defines itself."""
    tree = ast.parse((PACKAGE / "builder.py").read_text(encoding="utf-8"))
    (cls,) = (node for node in tree.body if isinstance(node, ast.ClassDef))
    return {node.name for node in cls.body if isinstance(node, ast.FunctionDef)}


def attribute(value: Any) -> tuple[str, str]:
    """Type and default of an attribute, as Python writes them."""
    if isinstance(value, list):
        return "Sequence[float]", repr(tuple(value))
    if isinstance(value, float):
        return "float", str(np.float32(value))
    return type(value).__name__, repr(value).replace("'", '"')


def words(sentence: str, indent: int) -> list[str]:
    """Lines of at most WIDTH."""
    lines = [""]
    for word in sentence.split():
        if lines[-1] and indent + len(lines[-1]) + 1 + len(word) > WIDTH:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def method(row: dict[str, Any]) -> str:
    kind, inputs, required = row["op"], row["inputs"], row["required"]
    parameters = ["self"]
    if row["variadic"]:
        parameters += [f"{name}: Given" for name in inputs[:-1]] + [f"*{inputs[-1]}: Given"]
        given = ", ".join([*inputs[:-1], f"*{inputs[-1]}"])
    else:
        parameters += [f"{name}: Given" for name in inputs[:required]]
        parameters += [f"{name}: Given | None = None" for name in inputs[required:]]
        parameters.append("*")
        given = ", ".join(inputs)
    values = {name: attribute(value) for name, value in row["attributes"].items()}
    parameters += [f"{name}: {kind} = {default}" for name, (kind, default) in values.items()]
    one = len(row["outputs"]) == 1
    outs = "Out = None" if one else "Out | Sequence[Out] = None"
    parameters += [f"out: {outs}", "name: str | None = None"]
    result = "Tensor" if one else f"tuple[{', '.join(['Tensor'] * len(row['outputs']))}]"
    line = f"    def {kind}({', '.join(parameters)}) -> {result}:"
    if len(line) > WIDTH:
        inner = f"        {', '.join(parameters)}"
        body = [inner] if len(inner) <= WIDTH else [f"        {p}," for p in parameters]
        line = "\n".join([f"    def {kind}(", *body, f"    ) -> {result}:"])
    names = ", ".join(name for name in inputs)
    sentence = f"{', '.join(row['outputs'])} = {kind}({names}{', ...' if row['variadic'] else ''})."
    if values:
        said = ", ".join(f"{name} (default {default})" for name, (_, default) in values.items())
        sentence += f" Attributes: {said}."
    text = words(f'"""{sentence}"""', 8)
    call = [f'"{kind}"', f"[{given}]", "{" + ", ".join(f'"{n}": {n}' for n in values) + "}"]
    body = ["        " + part for part in text]
    end = ["        return self.op(", *(f"            {part}," for part in [*call, "out", "name"])]
    short = f"        return self.op({', '.join([*call, 'out', 'name'])})"
    body += [short] if len(short) <= WIDTH else [*end, "        )"]
    return "\n".join([line, *body])


def operators_text() -> str:
    own = own_methods()
    rows = [row for row in paths.native().operators() if row["op"] not in own]
    return HEAD + "".join(f"\n{method(row)}\n" for row in rows)


def readme_text() -> str:
    """The interpreter's README with the table of deviations as it is."""
    text = README.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return before + BEGIN + "\n".join(rows()) + "\n" + END + after


PRINTS = {
    README: readme_text,
    PACKAGE / "builder_operators.py": operators_text,
    PACKAGE / "_native.pyi": lambda: stub(paths.native()),
}


def main(check: bool) -> int:
    """Exit code 1 where a print is not what it should be; it is written unless `check`."""
    stale = [f for f, text in PRINTS.items() if not f.is_file() or f.read_text() != text()]
    for file in stale:
        print(f"{file} {'is stale' if check else 'is written'}")
        if not check:
            file.write_text(PRINTS[file](), encoding="utf-8")
    return int(check and bool(stale))


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))
