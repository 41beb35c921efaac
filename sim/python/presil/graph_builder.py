"""The heart of presil.Builder: types, tensors, and any operator by its name."""

from __future__ import annotations

import functools
import hashlib
import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar, cast

import numpy as np

from . import paths
from .names import described, instance, one_of
from .network import NUMERICS, Network
from .operators import operators
from .refusal import Refusal

Scale = float | Sequence[float] | np.ndarray


@dataclass(frozen=True)
class Type:
    """What a tensor holds: real value = scale * (stored value - zero_point).

    scale: one number, or one per index of `axis` (weights per output channel); None: not quantised.
    shape: leave it out where it follows from the inputs; reshape, resize and slices require it.
    """

    dtype: str = "int8"
    scale: Scale | None = None
    zero_point: int | Sequence[int] = 0
    shape: Sequence[int] | None = None
    axis: int = -1

    def native(self) -> Any:
        scales = [] if self.scale is None else np.atleast_1d(self.scale).astype(float).tolist()
        zeros = np.broadcast_to(np.atleast_1d(self.zero_point), (len(scales),)).tolist()
        axis = self.axis if self.scale is not None and np.ndim(self.scale) else -1
        shape = None if self.shape is None else [int(n) for n in self.shape]
        return paths.native().TensorType(self.dtype, shape, scales, zeros, axis)


Out = Type | str | tuple[float, int] | None


@dataclass(frozen=True, eq=False)
class Tensor:
    """A value of the graph that is being built."""

    builder: GraphBuilder = field(repr=False)
    id: int
    name: str
    type: Type

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(self.type.shape or ())


UNUSABLE = (TypeError, ValueError, AttributeError, LookupError, ArithmeticError)
"""What Python raises where a value is not what a method takes it for."""
Method = TypeVar("Method", bound=Callable[..., Any])


def whole(method: Method) -> Method:
    """Of a method that adds: what it refuses leaves the builder as it was, and arguments that it
    cannot use are refused too."""
    signature = inspect.signature(method)

    @functools.wraps(method)
    def call(self: GraphBuilder, *args: Any, **named: Any) -> Any:
        signature.bind(self, *args, **named)  # a TypeError of the caller's
        names, tensors = len(self._names), self._graph.tensors
        try:
            return method(self, *args, **named)
        except Exception as error:
            self._graph.forget(tensors)
            while len(self._names) > names:
                self._names.popitem()
            if not isinstance(error, UNUSABLE) or isinstance(error, Refusal):
                raise
            said = str(error).partition("\n")[0]
            raise Refusal(
                f"builder: {method.__name__} got arguments that it cannot use ({said}); "
                f"help(presil.Builder.{method.__name__}) says what each is"
            ) from error

    return cast(Method, call)


class GraphBuilder:
    """Adds operators by their names in compiler_bridge/ir; see builder.Builder."""

    def __init__(self, name: str = "net", numerics: str = "tflite") -> None:
        one_of(numerics, NUMERICS, "builder: numerics")
        instance(name, str, "builder: the name of the network", "a text")
        self.name = name
        self._graph = paths.native().GraphBuilder(name, numerics)
        self._names: dict[str, None] = {}
        self._outputs: list[Tensor] = []

    @staticmethod
    def operators() -> dict[str, dict[str, Any]]:
        """Every operator: its inputs (how many are required), results and attributes' defaults."""
        return dict(operators())

    @whole
    def input(
        self,
        name: str,
        shape: Sequence[int],
        dtype: str = "int8",
        scale: float | None = None,
        zero_point: int = 0,
    ) -> Tensor:
        """An input of the network."""
        kind = Type(dtype, scale, zero_point, tuple(shape))
        return Tensor(self, self._graph.input(self._new(name), kind.native()), name, kind)

    @whole
    def constant(
        self,
        values: np.ndarray,
        scale: Scale | None = None,
        zero_point: int | Sequence[int] = 0,
        axis: int = 0,
        name: str | None = None,
    ) -> Tensor:
        """A constant; `axis`: along which there are several scales."""
        array = np.asarray(values)
        kind = Type(str(array.dtype), scale, zero_point, array.shape, axis)
        label = self._new(name or self._numbered("const"))
        return Tensor(self, self._graph.constant(label, kind.native(), array), label, kind)

    def output(self, *tensors: Tensor) -> None:
        """The network's outputs, in order; several calls add up."""
        self._outputs += [self._own(tensor) for tensor in tensors]

    def build(self) -> Network:
        """The network so far."""
        if not self._outputs:
            raise Refusal(f"builder: '{self.name}' has no output; name one by b.output(y)")
        graph = self._graph.build([tensor.id for tensor in self._outputs])
        digest = hashlib.sha256(graph.to_bytes()).hexdigest()
        return Network(graph, self.name, digest, len(graph.outputs))

    @whole
    def op(
        self,
        kind: str,
        inputs: Sequence[Tensor | np.ndarray | None],
        attributes: dict[str, Any] | None = None,
        out: Out | Sequence[Out] = None,
        name: str | None = None,
    ) -> Any:
        """Any operator, as compiler_bridge/ir names and defines it.

        inputs: in order; arrays become constants without a scale, None an optional one left out.
        attributes: by name; what is left out has its default.
        out: one type, or a list of one per result.
        Returns the result, or a tuple where there are several.
        """
        row = operators().get(kind)
        results = row["outputs"] if row else ["y"]
        label = name or self._numbered(kind)
        if row and row["variadic_outputs"] and isinstance(out, list):
            results = results + [f"{results[0]}{i}" for i in range(1, len(out))]
        types = list(out) if isinstance(out, list) else [out] * len(results)
        if len(types) != len(results):
            raise Refusal(
                f"builder: {kind} '{label}' got {len(types)} types, its results are "
                f"{', '.join(results)}"
            )
        given = [self._tensor(x, f"{label}.{i}") for i, x in enumerate(inputs)]
        first = next((x.type for x in given if x is not None), Type())
        expected = [self._type(t, first, f"{kind} '{label}'") for t in types]
        names = [label] + [f"{label}.{result}" for result in results[1:]]
        ids = self._graph.op(
            kind,
            label,
            [-1 if x is None else x.id for x in given],
            attributes or {},
            [t.native() for t in expected],
            names,
        )
        made = tuple(
            Tensor(self, i, self._new(n), replace(t, shape=tuple(self._graph.shape(i))))
            for i, n, t in zip(ids, names, expected)
        )
        return made[0] if len(made) == 1 else made

    def _tensor(self, x: Tensor | np.ndarray | None, label: str) -> Tensor | None:
        if x is None:
            return None
        return self._own(x) if isinstance(x, Tensor) else self.constant(x, name=label)

    def _own(self, tensor: Tensor) -> Tensor:
        if isinstance(tensor, Tensor) and tensor.builder is self:
            return tensor
        other = isinstance(tensor, Tensor)
        what = f"'{tensor.name}' is of another builder" if other else f"got {described(tensor)}"
        raise Refusal(f"builder: {what}, expected a tensor that this builder made")

    @staticmethod
    def _type(out: Out, first: Type, subject: str) -> Type:
        """What `out` says; its shape only where it was given."""
        if out is None:
            return replace(first, shape=None)
        if isinstance(out, Type):
            return out
        if isinstance(out, str):
            return Type(out)
        if isinstance(out, tuple) and len(out) == 2:
            return Type(first.dtype, *out)
        raise Refusal(
            f"builder: {subject}: out is {described(out)}, expected (scale, zero_point), a dtype "
            "or presil.Type"
        )

    def _typed(self, x: Tensor, out: Out, shape: Sequence[int], subject: str = "") -> Type:
        """What `out` says, with a shape that the operator does not make of its inputs."""
        kind = self._type(out, x.type, subject)
        stated = kind.shape if kind.shape is not None else tuple(int(n) for n in shape)
        return replace(kind, shape=stated)

    def _new(self, name: str) -> str:
        if name in self._names:
            raise Refusal(f"builder: there is a tensor '{name}' already; name this one else")
        self._names[name] = None
        return name

    def _numbered(self, kind: str) -> str:
        n = 1
        while (name := kind if n == 1 else f"{kind}_{n}") in self._names:
            n += 1
        return name
