"""kernels.yaml: kernels of the user as a file; driver/kernels/dsp/README.md shows it."""

from __future__ import annotations

import functools
import importlib.util
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml

from . import offer_all
from .kernels import FIELDS, Kernel
from .names import described, existing_file, instance
from .refusal import Refusal

HELP = "driver/kernels/dsp/README.md shows one"


class OneOfEach(yaml.SafeLoader):
    """A key that comes twice is an error; YAML's own readers take the last."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen: set[str] = set()
        for key, _ in node.value:
            if key.value in seen:
                raise yaml.constructor.ConstructorError(
                    None, None, f"'{key.value}' comes twice", key.start_mark
                )
            seen.add(str(key.value))
        return super().construct_mapping(node, deep)


def read_kernels(file: str | os.PathLike[str] | None) -> list[Kernel]:
    """The kernels that a file registers; files that it names lie beside it."""
    if file is None:
        return []
    path = existing_file(file, "kernels", HELP)
    try:
        text = path.read_text(encoding="utf-8")
        entries = yaml.load(text, OneOfEach)  # noqa: S506  a SafeLoader
    except UnicodeDecodeError as error:
        raise Refusal(f"kernels: '{file}' is not text ({error}); {HELP}") from error
    except yaml.YAMLError as error:
        raise Refusal(f"kernels: '{file}' is no YAML: {' '.join(str(error).split())}") from error
    if not isinstance(entries, list) or not entries:
        raise Refusal(f"kernels: '{file}' holds no list of kernels; {HELP}")
    return [read_kernel(entry, path, i) for i, entry in enumerate(entries)]


def kernels_of(given: Any) -> tuple[Kernel, ...]:
    """A list of kernels, one alone, or the file that registers them."""
    if isinstance(given, Kernel):
        return (given,)
    if isinstance(given, (str, os.PathLike)):
        return tuple(read_kernels(given))
    if not isinstance(given, (list, tuple)):
        raise Refusal(
            f"kernels: got {described(given)}, expected a list of presil.Kernel, or a file"
        )
    for one in given:
        instance(one, Kernel, "kernels: an entry of the list", "a presil.Kernel")
    return tuple(given)


def read_kernel(entry: Any, file: Path, index: int) -> Kernel:
    where = f"kernels: entry {index} of '{file}'"
    if not isinstance(entry, dict):
        raise Refusal(f"{where} is {entry!r}, expected keys and values; {HELP}")
    unknown = [key for key in entry if key not in FIELDS]
    if unknown:
        raise Refusal(f"{where} has an unknown key '{unknown[0]}', expected {', '.join(FIELDS)}")
    missing = [key for key in ("elf", "kernel") if key not in entry]
    if missing:
        raise Refusal(f"{where} lacks '{missing[0]}'; {HELP}")
    given = dict(entry)
    if isinstance(given["elf"], str):
        given["elf"] = file.parent / given["elf"]
    if "reference" in given:
        given["reference"] = function_of(given["reference"], file.parent, where)
    return Kernel(**given)


class FileFunction:
    """A function of a file that no module has; pickled by its name, and read again."""

    def __init__(self, function: Callable[..., Any], text: str, folder: Path, where: str) -> None:
        functools.update_wrapper(self, function)
        self._function, self._from = function, (text, folder, where)

    def __call__(self, *args: Any, **named: Any) -> Any:
        return self._function(*args, **named)

    def __reduce__(self) -> tuple[Any, ...]:
        return function_of, self._from


def function_of(text: Any, folder: Path, where: str) -> Callable[..., Any]:
    """'mine.py:clip': a function of a Python file, which is run."""
    name, colon, function = text.partition(":") if isinstance(text, str) else ("", "", "")
    path = folder / name
    if not colon or not function:
        raise Refusal(f"{where}: reference is {text!r}, expected FILE.py:FUNCTION")
    if not path.is_file():
        raise Refusal(f"{where}: there is no file '{path}' with its reference")
    offer_all()
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:  # noqa: BLE001  of the user's file, whatever it is
        raise Refusal(f"{where}: '{path}' fails: {type(error).__name__}: {error}") from error
    found = getattr(module, function, None)
    if not callable(found):
        raise Refusal(f"{where}: '{path}' has no function '{function}'")
    return FileFunction(found, text, folder.resolve(), where)
