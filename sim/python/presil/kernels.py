"""Kernels of the user: functions over tensors on the DSP, and which operators they compute.

up = presil.Kernel("up.elf", "up", op="resize_nearest", when="y.shape[2] == 2 * x.shape[2]")
program = presil.compile(net, kernels=[up])

driver/kernels/dsp/README.md says how such a function is written and built, and how kernels.yaml
names it.
"""

from __future__ import annotations

import ast
import inspect
import json
import re
import struct
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from . import paths
from .expression import TensorView, Wrong, evaluate, parse, why_not
from .names import hint
from .operators import operators
from .refusal import Refusal

CUSTOM = "custom"
DTYPES = ("int8", "uint8", "int16", "int32", "int64", "float32", "bool")
PACKED = {
    **{"int8": "b", "int16": "h", "int32": "i", "int64": "q", "float32": "f"},
    **{"uint8": "B", "uint16": "H", "uint32": "I", "uint64": "Q"},
}
PARAM = re.compile(r"\s*(\w+)\s+(\w+)\s*(?:\[\s*(\d+)\s*\])?\s*=(?!=)\s*(.+)", re.DOTALL)
RESULT = re.compile(r"\s*([\w.]+)\s+(.+)", re.DOTALL)
DEFAULT_CYCLES = 16
"""Of an element read or written, where the kernel's author says nothing: a slow kernel."""


class Op:
    """An operator as a registration sees it: tensors by name (x, a, y; more of the last as x1, x2;
    also `inputs`, `outputs`), its attributes `op`, and the `options` of a custom one."""

    def __init__(self, about: Mapping[str, Any]) -> None:
        self.kind, self.name = str(about["kind"]), str(about["name"])
        attributes = dict(about["attributes"])
        self.op: Mapping[str, Any] = {} if self.kind == CUSTOM else attributes
        self.options: Mapping[str, Any] = {}
        if self.kind == CUSTOM:
            self.kind = str(attributes["code"])
            self.options = options_of(self.kind, attributes["options"])
        row = operators()[CUSTOM if about["kind"] == CUSTOM else self.kind]
        self.inputs = views(row["inputs"], about["inputs"])
        self.outputs = views(row["outputs"], about["outputs"])

    @property
    def names(self) -> dict[str, Any]:
        tensors = {t.name: t for t in [*self.inputs, *self.outputs]}
        lists = {"inputs": self.inputs, "outputs": self.outputs}
        return {**tensors, **lists, "op": self.op, "options": self.options}

    def __getattr__(self, name: str) -> TensorView:
        tensors = [*self.__dict__.get("inputs", []), *self.__dict__.get("outputs", [])]
        for tensor in tensors:
            if tensor.name == name:
                return tensor
        raise AttributeError(f"the operator has no tensor '{name}'")


def options_of(code: str, text: str) -> Mapping[str, Any]:
    if not text:
        return {}
    try:
        options = json.loads(text)
    except ValueError:
        raise Refusal(f"kernels: the options of {code} are no JSON: {text[:80]}") from None
    return options if isinstance(options, dict) else {"value": options}


def views(names: Sequence[str], tensors: Sequence[Mapping[str, Any] | None]) -> list[TensorView]:
    """With the operator's own names; more than it has are numbered."""
    last = len(names) - 1
    labels = [names[i] if i <= last else f"{names[-1]}{i - last}" for i in range(len(tensors))]
    return [TensorView(label, t) for label, t in zip(labels, tensors) if t is not None]


Condition = str | Sequence[str] | Callable[[Op], Any]
Amount = int | str | Callable[[Op], Any]


@dataclass(frozen=True, eq=False)
class Kernel:
    """One kernel, and the operators that it computes.

    elf, kernel: what driver/kernels/dsp/build.py made, and the name that PRESIL_KERNEL was given.
    op: an operator of presil (`presil ops`), or custom: the name of one that presil does not know.
    when: conditions on its tensors and attributes, or a function of an Op that returns what speaks
      against it ("" or None: nothing). rule: the same in words, for people.
    outputs: "int8 [1, 2 * x.shape[1]]" for each result; of custom operators whose file leaves it
      open, and a condition elsewhere. A function returns [(dtype, shape)].
    params: "int32 zero = x.zero_point" for each field of the kernel's struct; a function returns
      its bytes.
    cycles: of the whole operator; scratch: bytes. rows: axis along which it may be cut.
    prefer: take what the kernel can compute, whatever it costs; custom operators always are.
    reference: of numpy arrays, the results; `op` too where it has such a parameter. For custom
      operators: without it their results are not checked.
    """

    elf: str | Path
    kernel: str
    op: str = ""
    custom: str = ""
    when: Condition = ()
    outputs: Sequence[str] | Callable[[Op], Any] | None = None
    params: Sequence[str] | bytes | Callable[[Op], bytes] = ()
    rule: str = ""
    cycles: Amount | None = None
    scratch: Amount = 0
    rows: int | None = None
    prefer: bool = False
    reference: Callable[..., Any] | None = None

    def __post_init__(self) -> None:
        for key, kind in FIELDS.items():
            value = getattr(self, key)
            if not isinstance(value, kind[0]) or isinstance(value, bool) != (key == "prefer"):
                raise self.refused(f"{key} is {value!r}, expected {kind[1]}")
        if bool(self.op) == bool(self.custom):
            raise self.refused("requires op, an operator of presil, or custom, the name of another")
        if self.op and (self.op not in operators() or self.op == CUSTOM):
            raise self.refused(
                f"op is '{self.op}', which is no operator of presil{hint(self.op, operators())} "
                "(`presil ops` lists them); "
                "one of a file's own is named by custom"
            )
        if self.rows is not None and self.rows < 0:
            raise self.refused(f"rows is {self.rows}, expected an axis counted from 0")
        _ = self._when, self._params, self._outputs, self._amounts

    def refused(self, what: str) -> Refusal:
        return Refusal(f"kernels: {self.kernel!r} of '{self.elf}': {what}")

    def __getstate__(self) -> dict[str, Any]:
        """For pickle: what was given; trees of expressions are made again."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @property
    def label(self) -> str:
        return f"kernel {self.kernel} of {Path(self.elf).name}"

    @property
    def target(self) -> str:
        return self.op or self.custom

    def _tree(self, text: str, key: str) -> ast.expr:
        try:
            return parse(text)
        except Wrong as wrong:
            raise self.refused(f"{key} '{text}': {wrong}") from None

    @cached_property
    def _when(self) -> list[ast.expr]:
        if callable(self.when):
            return []
        texts = [self.when] if isinstance(self.when, str) else self.when
        return [self._tree(self._text(text, "when"), "when") for text in texts]

    @cached_property
    def _params(self) -> list[tuple[str, int | None, str, ast.expr]]:
        if callable(self.params) or isinstance(self.params, bytes):
            return []
        fields = []
        for text in self.params:
            found = PARAM.fullmatch(self._text(text, "params"))
            if found is None or found[1] not in PACKED:
                raise self.refused(
                    f"params '{text}', expected TYPE NAME = EXPRESSION, as "
                    f"int32 zero = x.zero_point; types are {', '.join(PACKED)}"
                )
            count = None if found[3] is None else int(found[3])
            fields.append((found[1], count, found[2], self._tree(found[4], "params")))
        return fields

    @cached_property
    def _outputs(self) -> list[tuple[ast.expr | str, ast.expr]] | None:
        if self.outputs is None or callable(self.outputs):
            return None
        results: list[tuple[ast.expr | str, ast.expr]] = []
        for text in self.outputs:
            found = RESULT.fullmatch(self._text(text, "outputs"))
            if found is None:
                raise self.refused(
                    f"outputs '{text}', expected TYPE SHAPE, as int8 [1, x.shape[1]]"
                )
            kind = found[1] if found[1] in DTYPES else self._tree(found[1], "outputs")
            results.append((kind, self._tree(found[2], "outputs")))
        return results

    @cached_property
    def _amounts(self) -> dict[str, ast.expr]:
        texts = {"cycles": self.cycles, "scratch": self.scratch}
        return {k: self._tree(v, k) for k, v in texts.items() if isinstance(v, str)}

    def _text(self, value: Any, key: str) -> str:
        if not isinstance(value, str):
            raise self.refused(f"{key} has {value!r}, expected a text")
        return value

    def _value(self, tree: ast.expr, op: Op, key: str) -> Any:
        try:
            return evaluate(tree, op.names)
        except Wrong as wrong:
            text = ast.unparse(tree)
            raise self.refused(f"{key} '{text}' of {op.kind} '{op.name}': {wrong}") from None

    def unmet(self, op: Op) -> str:
        """The condition that the operator does not keep, in words; "": it takes the operator."""
        said = ""
        if callable(self.when):
            said = self.when(op) or ""
        for tree in self._when:
            try:
                said = said or why_not(tree, op.names)
            except Wrong as wrong:
                text = ast.unparse(tree)
                raise self.refused(f"when '{text}' of {op.kind} '{op.name}': {wrong}") from None
        declared = self.results(op)
        if not said and declared is not None:
            actual = [(t.dtype, t.shape) for t in op.outputs]
            if declared != actual:
                said = f"its results are {types(actual)}, the kernel's outputs {types(declared)}"
        return said

    def results(self, op: Op) -> list[tuple[str, list[int]]] | None:
        """Types and shapes that the kernel makes; None: not said."""
        if callable(self.outputs):
            return [(str(dtype), [int(n) for n in shape]) for dtype, shape in self.outputs(op)]
        if self._outputs is None:
            return None
        made = []
        for kind, shape in self._outputs:
            dtype = kind if isinstance(kind, str) else self._value(kind, op, "outputs")
            extents = self._value(shape, op, "outputs")
            whole = isinstance(extents, list) and all(isinstance(n, int) and n > 0 for n in extents)
            if not whole or dtype not in DTYPES:
                raise self.refused(
                    f"outputs of {op.kind} '{op.name}' make {dtype} {extents}, expected a type and "
                    "a list of extents from 1 on"
                )
            made.append((str(dtype), extents))
        return made

    def shapes(self, about: Mapping[str, Any]) -> list[list[int]]:
        """Of the results of a custom operator; those of the file where the kernel says nothing."""
        op = Op(about)
        made = self.results(op)
        return [t.shape for t in op.outputs] if made is None else [shape for _, shape in made]

    def packed(self, op: Op) -> bytes:
        """The kernel's struct, laid out as C does."""
        if isinstance(self.params, bytes):
            return self.params
        if callable(self.params):
            return bytes(self.params(op))
        data, widest = b"", 1
        for kind, count, name, tree in self._params:
            value = self._value(tree, op, "params")
            values = value if count is not None else [value]
            if not isinstance(values, list) or (count is not None and len(values) != count):
                raise self.refused(f"params {name} is {value!r}, expected {count} values")
            width = struct.calcsize(PACKED[kind])
            widest = max(widest, width)
            data += bytes(-len(data) % width)
            for item in values:
                data += self._one(kind, name, item)
        return data + bytes(-len(data) % widest)

    def _one(self, kind: str, name: str, value: Any) -> bytes:
        whole = isinstance(value, int) or (isinstance(value, float) and value.is_integer())
        try:
            if kind != "float32" and not whole:
                raise ValueError
            return struct.pack("<" + PACKED[kind], value if kind == "float32" else int(value))
        except (struct.error, ValueError, OverflowError):
            raise self.refused(f"params {name} is {value!r}, expected {kind}") from None

    def amount(self, key: str, op: Op) -> int:
        """cycles or scratch of an operator."""
        value: Any = getattr(self, key)
        if value is None:
            return DEFAULT_CYCLES * sum(t.elements for t in [*op.inputs, *op.outputs])
        if callable(value):
            value = value(op)
        elif isinstance(value, str):
            value = self._value(self._amounts[key], op, key)
        if not isinstance(value, (int, float)) or not 0 <= value < 1 << 32:
            raise self.refused(f"{key} is {value!r}, expected a number from 0 up to 2^32")
        return int(np.ceil(value))

    def native(self, index: int, op: Op, image: Any) -> Any:
        return paths.native().UserKernel(
            op=index,
            image=image,
            kernel=self.kernel,
            rule=self.rule,
            params=self.packed(op),
            cycles=max(1, self.amount("cycles", op)),
            rows=-1 if self.rows is None else self.rows,
            scratch_bytes=self.amount("scratch", op),
            prefer=self.prefer,
        )

    def verdict(self, unmet: str, image: Any) -> Any:
        """The record of a condition that an operator does not keep."""
        return paths.native().KernelVerdict(
            kernel=self.kernel, image=image.name, rule="when", got=unmet, limit=self.rule
        )

    def refer(self, about: Mapping[str, Any], arrays: Sequence[np.ndarray]) -> list[np.ndarray]:
        """What the reference makes of arrays, as a list."""
        assert self.reference is not None
        known = inspect.signature(self.reference).parameters
        more = {"op": Op(about)} if "op" in known else {}
        made = self.reference(*arrays, **more)
        results = list(made) if isinstance(made, (tuple, list)) else [made]
        for i, (got, expected) in enumerate(zip(results, about["outputs"])):
            array = np.asarray(got)
            if str(array.dtype) != expected["dtype"] or list(array.shape) != expected["shape"]:
                raise self.refused(
                    f"its reference makes result {i} {array.dtype} {list(array.shape)}, the "
                    f"network has {expected['dtype']} {expected['shape']}"
                )
        if len(results) != len(about["outputs"]):
            raise self.refused(
                f"its reference makes {len(results)} results, the network has "
                f"{len(about['outputs'])}"
            )
        return [np.asarray(got) for got in results]

    def row(self) -> dict[str, Any]:
        """Of `presil ops`."""
        said = [f"{self.label}{': ' + self.rule if self.rule else ''}"]
        limits = said + [ast.unparse(tree) for tree in self._when]
        changes = [""] * len(limits)
        row = {"op": self.target, "engine": "dsp", "kernels": [self.kernel], "dtypes": ["any"]}
        return {**row, "limits": limits, "changes": changes}


TEXT = (str, "a text")
AMOUNT = ((int, float, str, Callable), "a number, an expression or a function")
LINES = (list, tuple, bytes)
FIELDS: dict[str, tuple[Any, str]] = {
    "elf": ((str, Path), "a file"),
    "kernel": TEXT,
    "op": TEXT,
    "custom": TEXT,
    "rule": TEXT,
    "when": ((str, list, tuple, Callable), "conditions or a function"),
    "outputs": ((list, tuple, Callable, type(None)), "a list of types or a function"),
    "params": ((*LINES, Callable), "a list of fields or a function"),
    "cycles": ((*AMOUNT[0], type(None)), AMOUNT[1]),
    "scratch": AMOUNT,
    "rows": ((int, type(None)), "an axis"),
    "prefer": (bool, "true or false"),
    "reference": ((Callable, type(None)), "a function"),
}


def types(results: Iterable[tuple[str, list[int]]]) -> str:
    return ", ".join(f"{dtype}{shape}" for dtype, shape in results)


def custom_shapes(kernels: Sequence[Kernel]) -> dict[str, Callable[..., list[list[int]]]]:
    """For the importer: custom operators that kernels compute."""
    return {k.custom: k.shapes for k in reversed(kernels) if k.custom}


def read_image(kernel: Kernel) -> Any:
    """The kernel's ELF file, with the kernel in it."""
    path = Path(kernel.elf)
    if not path.is_file():
        raise kernel.refused(f"there is no file '{path}'; driver/kernels/dsp/build.py makes it")
    image = paths.native().DspImage(path.read_bytes(), path.name)
    if kernel.kernel not in image.kernels:
        raise kernel.refused(f"the file has no such kernel, it has {', '.join(image.kernels)}")
    return image


def claims(graph: Any, kernels: Sequence[Kernel]) -> tuple[list[Any], dict[int, list[Any]]]:
    """For each operator the first kernel that takes it; and by operator the verdicts of those that
    were asked, where none does."""
    images: dict[Path, Any] = {}
    for kernel in kernels:
        path = Path(kernel.elf).resolve()
        images[path] = images.get(path) or read_image(kernel)
        if kernel.kernel not in images[path].kernels:
            read_image(kernel)
    taken, verdicts = [], {}
    for index, about in enumerate(graph.ops if kernels else []):
        op, said = Op(about), []
        for kernel in kernels:
            if kernel.target != op.kind or bool(kernel.custom) != (about["kind"] == CUSTOM):
                continue
            image, unmet = images[Path(kernel.elf).resolve()], kernel.unmet(op)
            if not unmet:
                taken.append(kernel.native(index, op, image))
                break
            said.append(kernel.verdict(unmet, image))
        else:
            if said and about["kind"] == CUSTOM:
                raise Refusal(
                    f"kernels: custom operator {op.kind} '{op.name}' is taken by no kernel: "
                    + "; ".join(verdict.line for verdict in said)
                )
            if said:
                verdicts[index] = said
    return taken, verdicts
