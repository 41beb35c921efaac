"""Networks as files become graphs."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from . import paths
from .custom import Customs
from .kernels import Kernel, custom_shapes
from .refusal import Refusal

NUMERICS = ("tflite", "xnnpack")


@dataclass
class Network:
    """An imported network: its graph, where it came from, and what follows it on the device."""

    graph: Any
    file: str
    sha256: str
    own_outputs: int
    classes: list[str] = field(default_factory=list)
    kernels: tuple[Kernel, ...] = ()

    @property
    def name(self) -> str:
        return str(self.graph.name)

    @property
    def inputs(self) -> list[dict[str, Any]]:
        return list(self.graph.inputs)

    @property
    def outputs(self) -> list[dict[str, Any]]:
        return list(self.graph.outputs)


def load(
    file: str | Path,
    numerics: str | None = None,
    post: str | Path | None = None,
    kernels: Sequence[Kernel] = (),
) -> Network:
    """Imports a network.

    numerics: the integer rules, 'tflite' (default for TFLite files) or 'xnnpack'.
    post: YAML that attaches box decoding and NMS, see sim/nets/README.md.
    kernels: of the user; custom operators that they compute are taken.
    """
    path = Path(file)
    if not path.is_file():
        raise Refusal(f"import: there is no file '{file}'; give a .tflite network")
    if numerics is not None and numerics not in NUMERICS:
        raise Refusal(f"import: numerics is '{numerics}', wants one of {', '.join(NUMERICS)}")
    data = path.read_bytes()
    if path.suffix == ".onnx":
        raise Refusal(f"import: '{file}' is ONNX, which presil does not import yet; give a .tflite")
    name = path.stem.encode("utf-8", "replace").decode()  # names of files are bytes
    graph = paths.native().import_tflite(data, name, custom_shapes(kernels))
    if numerics is not None:
        graph.numerics = numerics
    net = Network(graph, str(file), hashlib.sha256(data).hexdigest(), len(graph.outputs))
    net.kernels = tuple(kernels)
    if post is not None:
        post_file = Path(post)
        if not post_file.is_file():
            raise Refusal(f"post: there is no file '{post}'; sim/nets/README.md has its form")
        try:
            yaml = post_file.read_text(encoding="utf-8")
        except UnicodeDecodeError as error:
            raise Refusal(
                f"post: '{post}' is not text ({error}); sim/nets/README.md has its form"
            ) from error
        net.classes = graph.attach_post(yaml)
    return net


def reference(
    net: Network, inputs: dict[str, np.ndarray] | list[np.ndarray]
) -> dict[str, np.ndarray]:
    """What the network computes, by the reference interpreter alone."""
    arrays = ordered_inputs(net.inputs, inputs)
    custom = Customs(net.graph, net.kernels).function()
    return named(net.outputs, paths.native().reference(net.graph, arrays, custom))


def named(tensors: list[dict[str, Any]], arrays: list[np.ndarray]) -> dict[str, np.ndarray]:
    """Arrays by the tensors' names."""
    return {tensor["name"]: array for tensor, array in zip(tensors, arrays, strict=True)}


def ordered_inputs(
    tensors: list[dict[str, Any]], inputs: dict[str, np.ndarray] | list[np.ndarray]
) -> list[np.ndarray]:
    """Inputs in the network's order. A name 'input' stands for the only input."""
    if isinstance(inputs, list):
        arrays = inputs
    elif len(tensors) == 1 and set(inputs) == {"input"}:
        arrays = [inputs["input"]]
    else:
        names = [tensor["name"] for tensor in tensors]
        if set(inputs) != set(names):
            raise Refusal(f"input: got {sorted(inputs)}, wants {names}")
        arrays = [inputs[name] for name in names]
    if len(arrays) != len(tensors):
        raise Refusal(f"input: got {len(arrays)} arrays, wants {len(tensors)}")
    return arrays
