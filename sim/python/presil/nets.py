"""Networks that come with the project: sim/nets/<name>/net.yaml describes each trained one,
shapes/ makes others with random weights."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from . import paths
from .names import existing_file, hint
from .refusal import Refusal
from .shapes import SHAPES, file_of, names_shape

OFFSETS = {"int8": 128, "uint8": 0}
"""What is taken from an image's bytes where nothing else is said."""


@dataclass
class BundledNet:
    """A folder of sim/nets."""

    name: str
    title: str
    folder: Path
    description: dict[str, Any]

    @property
    def post(self) -> Path | None:
        """What follows it on the device."""
        return self.path("post") if "post" in self.description else None

    @property
    def sample(self) -> Path | None:
        """The first of its own images, where pixels become its input as they do by default."""
        said = self.description.get("input", {})
        dtype = str(said.get("type", ""))
        images = self.description.get("samples", {}).get("images")
        if not images or dtype not in OFFSETS or said.get("subtract") != OFFSETS[dtype]:
            return None
        return next(iter(sorted(self.folder.glob(images))), None)

    def path(self, key: str) -> Path:
        """A file that the description names."""
        return self.folder / str(self.description[key])

    @property
    def file(self) -> Path:
        return self.path("file")


def bundled(name: Any) -> BundledNet | None:
    """The network of the project of that name, unless a file is called so."""
    if not isinstance(name, (str, Path)) or Path(name).is_file():
        return None
    return networks().get(str(name))


def network_file(file: Any) -> Path:
    """A file that is there, that of a bundled network, or of one of the shape library."""
    net = bundled(file)
    if net is not None:
        return net.file
    if names_shape(file) and not Path(file).is_file():
        return file_of(str(file))
    remedy = "give a .tflite or .onnx file, or a name that `presil nets` lists"
    if isinstance(file, str) and file and not Path(file).exists():
        raise Refusal(
            f"import: there is no file '{file}'{hint(file, [*networks(), *SHAPES])}; {remedy}"
        )
    if isinstance(file, (str, Path)) and (Path(file) / "net.presil").is_file():
        remedy = f"it is a run's: give '{Path(file) / 'net.presil'}', or the network"
    return existing_file(file, "import", remedy)


def networks() -> dict[str, BundledNet]:
    nets = {}
    for file in sorted(paths.NETS.glob("*/net.yaml")):
        description = yaml.safe_load(file.read_text(encoding="utf-8"))
        name = str(description["name"])
        nets[name] = BundledNet(name, str(description["title"]), file.parent, description)
    return nets


def build(name: str, **parameters: Any) -> Any:
    """A network of the shape library (`presil nets`), as a presil graph: random weights, int8.

    nets.build("resnet18", width=0.5, resolution=128, classes=10, batch=1, seed=0); an image comes
    as [batch, resolution, resolution, 3]. Raises Refusal: a name or a parameter that it lacks.
    """
    from .shapes.graph import network  # which knows networks
    from .shapes.library import sketch

    return network(sketch(name, parameters), "onnx")
