"""Networks as files become graphs."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from . import paths
from .custom import Customs
from .kernel_file import kernels_of
from .kernels import Kernel, custom_shapes
from .mlir import is_mlir, serialized
from .names import described, existing_file, number, one_of, path_of
from .nets import bundled, network_file
from .refusal import Refusal
from .samples import inputs_of, joined, split_samples
from .states import STATES, States, kept_graph

NUMERICS = ("tflite", "xnnpack", "tosa", "onnx")
MOST_SHOWN = 4
"""Inputs and outputs that a network shows of itself."""
MOST_BATCH = 4096
LIMITS = ("score", "iou", "max")


@dataclass(repr=False)
class Network:
    """An imported network: its graph, where it came from, and what follows it on the device."""

    graph: Any
    file: str
    sha256: str
    own_outputs: int
    classes: list[str] = field(default_factory=list)
    kernels: tuple[Kernel, ...] = ()
    sample: Path | None = None
    """Of a network of the project: the image that runs where no input is given."""

    @property
    def name(self) -> str:
        return str(self.graph.name)

    @property
    def inputs(self) -> list[dict[str, Any]]:
        return list(self.graph.inputs)

    @property
    def outputs(self) -> list[dict[str, Any]]:
        return list(self.graph.outputs)

    def __repr__(self) -> str:
        ends = (
            ", ".join(f"{t['name']} {t['dtype']}{t['shape']}" for t in tensors[:MOST_SHOWN])
            + (", ..." if len(tensors) > MOST_SHOWN else "")
            for tensors in (self.inputs, self.outputs)
        )
        return (
            f"Network {self.name} ({self.file}), numerics {self.graph.numerics}: "
            f"{len(self.graph.ops)} operators, {self.graph.macs / 1e6:,.2f} MMAC, "
            f"{self.graph.params:,} parameters; {' -> '.join(ends)}"
        )


SIGNED_INPUTS = ":inputs=signed"


def without_signs(file: Any) -> tuple[Any, bool]:
    """What stands before ":inputs=signed", and whether that does."""
    text = str(file)
    if not isinstance(file, (str, Path)) or not text.endswith(SIGNED_INPUTS) or Path(file).exists():
        return file, False
    return text.removesuffix(SIGNED_INPUTS), True


def load(
    file: str | Path,
    numerics: str | None = None,
    post: str | Path | None = None,
    kernels: Any = (),
    batch: int = 1,
    state: str = STATES[0],
) -> Network:
    """Imports a network: a .tflite, .onnx or .tosa file, told by its contents (or TOSA as MLIR,
    where `tosa-opt` is installed), or one of the project's by its name, with what follows it.
    After an ONNX file of whole numbers ":inputs=signed" may stand: bytes are -128..127, not 0..255.

    numerics: the integer rules, 'tflite' (default for TFLite files), 'xnnpack', 'tosa' or 'onnx'
      (default for ONNX files).
    post: YAML that attaches box decoding and NMS, see sim/nets/README.md; limits of the NMS may
      follow that are to be others than the file's: "post.yaml,score=0.05".
    kernels: of the user; custom operators that they compute are taken.
    batch: images that a network of one image computes at a time.
    state: 'reset', a state (of an LSTM, of an SVDF) starts at 0 in every run, or 'keep', what a
      sample leaves is there for the next.
    """
    one_of(state, STATES, "import: state")
    limits = f", expected a whole number 1..{MOST_BATCH}"
    number(batch, 1, MOST_BATCH, "import: batch", limits, whole=True)
    own = bundled(file)
    plain, signed = without_signs(file)
    path = network_file(plain)
    if numerics is not None:
        one_of(numerics, NUMERICS, "import: numerics")
    registered = kernels_of(kernels)
    data = path.read_bytes()
    if path.suffix == ".presil":
        raise Refusal(
            f"import: '{file}' is a network compiled already; presil.open_loadable opens it"
        )
    name = path.stem.encode("utf-8", "replace").decode()  # names of files are bytes
    if is_mlir(path, data):
        data = serialized(path)
    graph = paths.native().import_network(
        data, name, path.suffix, str(path.parent.absolute()), custom_shapes(registered), signed
    )
    if numerics is not None:
        graph.numerics = numerics
    if batch != 1:
        graph = graph.with_batch(batch)
    net = Network(graph, str(path), digest_of(data, graph), len(graph.outputs))
    net.kernels = registered
    if own is not None:
        net.sample, post = own.sample, own.post if post is None else post
    if batch != 1:
        net.sample = None  # which is one image
    if post is not None:
        if batch != 1:
            raise Refusal(
                f"import: batch is {batch}, must be 1 where boxes are decoded ('{post}'): "
                "run the images one after another with --samples 0:N"
            )
        net.classes = graph.attach_post(post_text(post))
    if state == "keep":
        net.graph = kept_graph(graph)
    return net


def digest_of(data: bytes, graph: Any) -> str:
    """Of a network: its file's, and of weights that may lie in files beside it (ONNX)."""
    digest = hashlib.sha256(data)
    if b"location" in data and paths.native().format_of(data) == "ONNX":
        digest.update(graph.to_bytes())
    return digest.hexdigest()


def post_text(post: str | Path) -> str:
    """What a post file says, with the limits of the NMS that follow its name."""
    changes: list[str] = []
    form = "sim/nets/README.md has its form"
    path = path_of(post, "post", f"a YAML file; {form}")
    if not path.is_file():
        name, *changes = str(post).split(",")
        path = existing_file(name, "post", form)
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
                f"post: '{change}' after '{path}' must be score=S, iou=I or max=N, "
                "which then holds instead of the file's"
            )
    try:
        said = yaml.safe_load(text)
        said["nms"].update(limits)
    except (yaml.YAMLError, TypeError, KeyError, AttributeError):
        return text  # the importer says what is wrong with it
    return str(yaml.safe_dump(said, sort_keys=False))


def reference(
    net: Any,
    inputs: Any = None,
    *,
    numerics: str | None = None,
    post: str | Path | None = None,
    kernels: Any = (),
    seed: int = 0,
    state: str | None = None,
) -> dict[str, np.ndarray]:
    """What a network computes, by the reference interpreter alone.

    net: a Network, a Builder, a file, or the name of a network of the project.
    inputs, state: as of `presil.run`, several samples too; numerics, post, kernels: as of
      `presil.load`.
    """
    network = network_of(net, numerics, post, kernels, state)
    states = States.of(network.graph, state != "reset")
    given = states.given(network.inputs)
    arrays, _ = inputs_of(given, inputs, seed, network.sample)
    custom = Customs(network.graph, network.kernels).function()
    made = []
    for sample in split_samples(given, arrays):
        made.append(paths.native().reference(network.graph, states.before(sample), custom))
        states.after(made[-1])
    return named(network.outputs, [joined(parts) for parts in zip(*made, strict=True)])


def network_of(
    net: Any,
    numerics: str | None = None,
    post: str | Path | None = None,
    kernels: Any = (),
    state: str | None = None,
) -> Network:
    """What people give for a network, as one; the options are those of `load`."""
    from .graph_builder import GraphBuilder  # which knows networks

    if isinstance(net, (Network, GraphBuilder)):
        if numerics is not None or post is not None:
            raise Refusal(
                "import: numerics and post are decided where a network is loaded; give them to "
                "presil.load or presil.Builder"
            )
        made = net if isinstance(net, Network) else net.build()
        if state == "keep" and not made.graph.states:
            made = replace(made, graph=kept_graph(made.graph))
        more = kernels_of(kernels)
        return replace(made, kernels=(*made.kernels, *more)) if more else made
    if isinstance(net, (str, os.PathLike)):
        return load(net, numerics, post, kernels, state=state or STATES[0])
    raise Refusal(
        f"import: got {described(net)} for a network, expected a .tflite file, the name of a "
        "network of the project (`presil nets`), what presil.load gave, or a presil.Builder"
    )


def named(tensors: list[dict[str, Any]], arrays: list[np.ndarray]) -> dict[str, np.ndarray]:
    """Arrays by the tensors' names."""
    return {tensor["name"]: array for tensor, array in zip(tensors, arrays, strict=True)}
