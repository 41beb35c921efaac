"""The types of the native module as a stub, from the signatures that pybind11 writes."""

from __future__ import annotations

import re
from typing import Any

HEAD = '''# Printed by sim/python/print_operators.py from the native module; do not edit.
# ruff: noqa: E501
# fmt: off
"""The native half of presil: importer, compiler, reference interpreter, descriptions."""

from typing import Any

import numpy
from typing_extensions import Buffer
'''
SIGNATURE = re.compile(r"^(?:\d+\. )?(\w+)\((.*)\) -> (.*)$", re.MULTILINE)
OWN = ("__init__",)
PLAIN = {
    "_presil.": "",
    "List[": "list[",
    "Dict[": "dict[",
    "Tuple[": "tuple[",
    "buffer": "Buffer",
    ": object": ": Any",
}
OPTIONAL = re.compile(r"Optional\[([\w.\[\]]+?)\](?=[,)]|$)")


def python_types(text: str) -> str:
    """A signature of pybind11 with the types of today's Python."""
    for old, new in PLAIN.items():
        text = text.replace(old, new)
    text = OPTIONAL.sub(r"\1 | None", text)
    return re.sub(r"\b(dict|list)(?=[,)= ]|$)", bare, text)


def bare(found: re.Match[str]) -> str:
    return {"dict": "dict[str, Any]", "list": "list[Any]"}[found[1]]


def signatures(function: Any) -> list[str]:
    """`name(arguments) -> result` of each overload."""
    return [
        f"{name}({python_types(arguments)}) -> {python_types(result)}"
        for name, arguments, result in SIGNATURE.findall(function.__doc__ or "")
    ]


def class_text(name: str, kind: Any) -> str:
    lines = [f"class {name}:"]
    for key, value in vars(kind).items():
        if isinstance(value, property):
            (result,) = re.findall(r"-> (.*)$", value.fget.__doc__ or "-> Any", re.MULTILINE)[:1]
            typed = python_types(result).replace("object", "Any")
            lines.append(f"    @property\n    def {key}(self) -> {typed}: ...")
            if value.fset is not None:
                lines.append(f"    @{key}.setter\n    def {key}(self, value: {typed}) -> None: ...")
        elif callable(value) and (not key.startswith("_") or key in OWN):
            for text in signatures(value):
                text = re.sub(r"\(self: [\w.]+", "(self", text)
                lines.append(f"    def {text}: ...")
    return "\n".join(lines if len(lines) > 1 else [f"{lines[0]} ..."])


def stub(native: Any) -> str:
    """The whole stub, classes before functions, by name."""
    parts = {name: getattr(native, name) for name in sorted(dir(native)) if name[0] != "_"}
    classes = [class_text(n, v) for n, v in parts.items() if isinstance(v, type)]
    functions = [
        f"def {text}: ..."
        for value in parts.values()
        if not isinstance(value, type)
        for text in signatures(value)
    ]
    return HEAD + "\n" + "\n\n".join(classes) + "\n\n" + "\n".join(functions) + "\n"
