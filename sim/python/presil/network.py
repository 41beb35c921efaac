"""Networks as files become graphs."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from . import paths
from .custom import Customs
from .kernels import Kernel, custom_shapes
from .refusal import Refusal

NUMERICS = ("tflite", "xnnpack")
LIMITS = ("score", "iou", "max")


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
    post: YAML that attaches box decoding and NMS, see sim/nets/README.md; limits of the NMS may
      follow that are to be others than the file's: "post.yaml,score=0.05".
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
        net.classes = graph.attach_post(post_text(post))
    return net


def post_text(post: str | Path) -> str:
    """What a post file says, with the limits of the NMS that stand behind its name."""
    changes: list[str] = []
    path = Path(post)
    if not path.is_file():
        name, *changes = str(post).split(",")
        path = Path(name)
    if not path.is_file():
        raise Refusal(f"post: there is no file '{path}'; sim/nets/README.md has its form")
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise Refusal(
            f"post: '{path}' is not text ({error}); sim/nets/README.md has its form"
        ) from error
    if not changes:
        return text
    limits: dict[str, float] = {}
    for change in changes:
        key, _, value = change.partition("=")
        try:
            limits[key] = int(value) if key == "max" else float(value)
        except ValueError:
            key = ""
        if key not in LIMITS:
            raise Refusal(
                f"post: '{change}' behind '{path}' wants to be score=S, iou=I or max=N, "
                "which then holds instead of the file's"
            )
    try:
        said = yaml.safe_load(text)
        said["nms"].update(limits)
    except (yaml.YAMLError, TypeError, KeyError, AttributeError):
        return text  # the importer says what is wrong with it
    return str(yaml.safe_dump(said, sort_keys=False))


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
