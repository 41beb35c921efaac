"""What custom operators compute, for the reference interpreter: by their references, or else by
what the SoC itself has made of them, which is then not checked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from .kernels import CUSTOM, Kernel
from .refusal import Refusal

Function = Callable[[Mapping[str, Any], Sequence[np.ndarray]], list[np.ndarray]]


class Customs:
    """The custom operators of a graph, with the references that kernels give them."""

    def __init__(self, graph: Any, kernels: Sequence[Kernel]) -> None:
        self._ops = graph.ops
        self._custom = [about for about in self._ops if about["kind"] == CUSTOM]
        self._references = {k.custom: k for k in reversed(kernels) if k.custom and k.reference}
        self._output_ids = list(graph.output_ids)

    def reference_of(self, about: Mapping[str, Any]) -> Kernel | None:
        return self._references.get(about["attributes"]["code"])

    @property
    def without_reference(self) -> list[Mapping[str, Any]]:
        return [about for about in self._custom if self.reference_of(about) is None]

    def function(self, made: Mapping[int, np.ndarray] | None = None) -> Function | None:
        """For the interpreter. made: tensors of the SoC, by their index in the graph."""
        if not self._custom:
            return None

        def call(about: Mapping[str, Any], arrays: Sequence[np.ndarray]) -> list[np.ndarray]:
            kernel = self.reference_of(about)
            if kernel is not None:
                return kernel.refer(about, arrays)
            if made is None:
                raise Refusal(
                    f"reference: custom operator {about['attributes']['code']} '{about['name']}' "
                    "has no reference; give one where its kernel is registered"
                )
            return [
                np.asarray(made[i]).reshape(t["shape"]) if i in made
                else np.zeros(t["shape"], t["dtype"])
                for i, t in zip(about["output_ids"], about["outputs"])
            ]  # fmt: skip

        return call

    def by_graph(
        self, outputs: Sequence[np.ndarray], kept: Mapping[int, np.ndarray]
    ) -> dict[int, np.ndarray]:
        """What a sample's run has handed back."""
        return {**dict(zip(self._output_ids, outputs)), **kept}

    def unchecked(self, made: Mapping[int, np.ndarray]) -> dict[int, str]:
        """By tensor of the graph: why nothing says what it should be."""
        why: dict[int, str] = {}
        for about in self._ops:
            said = (why.get(i, "") for i in about["input_ids"])
            lost = next((text for text in said if text.startswith("after ")), None)
            if about["kind"] == CUSTOM and self.reference_of(about) is None:
                subject = f"{about['attributes']['code']} '{about['name']}'"
                for i in about["output_ids"]:
                    seen = "is fed to what follows" if i in made else "is not kept"
                    why[i] = f"{subject} has no reference; its result {seen}"
                for i in (i for i in about["output_ids"] if i not in made):
                    why[i] = f"after {subject}, which has no reference and whose result is not kept"
            elif lost is not None:
                for i in about["output_ids"]:
                    why[i] = lost
        return why
