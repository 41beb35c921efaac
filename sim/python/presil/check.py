"""Bit-exact comparison of what the SoC computed with what was expected."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np


@dataclass
class Check:
    """Bytes compared so far, and the first difference."""

    compared_bytes: int = 0
    different_bytes: int = 0
    first: dict[str, Any] | None = None
    tensors: dict[str, bool] = field(default_factory=dict)
    unchecked: dict[str, str] = field(default_factory=dict)
    """By tensor: why nothing says what it should be."""

    @property
    def exact(self) -> bool:
        return self.different_bytes == 0

    def compare(
        self, layer: str, tensor: str, got: np.ndarray, expected: np.ndarray, sample: int = 0
    ) -> bool:
        """Compares one tensor byte by byte; shapes and types are the caller's to agree on."""
        got_bytes = np.ascontiguousarray(got).reshape(-1).view(np.uint8)
        expected_bytes = np.ascontiguousarray(expected).reshape(-1).view(np.uint8)
        self.compared_bytes += expected_bytes.size
        different = int(np.count_nonzero(got_bytes != expected_bytes))
        self.different_bytes += different
        self.tensors[tensor] = self.tensors.get(tensor, True) and different == 0
        if different and self.first is None:
            flat = int(np.argmax(got_bytes != expected_bytes)) // expected.itemsize
            index = [int(i) for i in np.unravel_index(flat, expected.shape)]
            self.first = {
                "layer": layer,
                "tensor": tensor,
                "sample": sample,
                "index": index,
                "got": got[tuple(index)].item(),
                "wanted": expected[tuple(index)].item(),
            }
        return different == 0

    def add(self, later: Check) -> None:
        """What was compared after this."""
        self.compared_bytes += later.compared_bytes
        self.different_bytes += later.different_bytes
        self.first = self.first or later.first
        for tensor, equal in later.tensors.items():
            self.tensors[tensor] = self.tensors.get(tensor, True) and equal
        self.unchecked = {**later.unchecked, **self.unchecked}

    def record(self) -> dict[str, Any]:
        """The part of run.json."""
        return {
            "exact": self.exact,
            "compared_bytes": self.compared_bytes,
            "different_bytes": self.different_bytes,
            "first": self.first,
            "unchecked": [{"tensor": name, "why": why} for name, why in self.unchecked.items()],
        }

    def sentence(self) -> str:
        """What a person reads."""
        if self.exact:
            return f"exact: {self.compared_bytes} bytes compared, none differs"
        assert self.first is not None
        first = self.first
        return (
            f"{self.different_bytes} of {self.compared_bytes} bytes differ; the first: layer "
            f"'{first['layer']}', tensor '{first['tensor']}', sample {first['sample']}, index "
            f"{first['index']}: got {first['got']}, expected {first['wanted']}"
        )
