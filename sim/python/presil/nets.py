"""Networks that come with the project: sim/nets/<name>/net.yaml describes each."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from . import paths


@dataclass
class BundledNet:
    """A folder of sim/nets."""

    name: str
    title: str
    folder: Path
    description: dict[str, Any]

    def path(self, key: str) -> Path:
        """A file that the description names."""
        return self.folder / str(self.description[key])

    @property
    def file(self) -> Path:
        return self.path("file")


def networks() -> dict[str, BundledNet]:
    nets = {}
    for file in sorted(paths.NETS.glob("*/net.yaml")):
        description = yaml.safe_load(file.read_text(encoding="utf-8"))
        name = str(description["name"])
        nets[name] = BundledNet(name, str(description["title"]), file.parent, description)
    return nets
