"""SoC presets and files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from . import paths
from .refusal import Refusal


def presets() -> dict[str, Path]:
    """Names of the presets that come with the project, and their files."""
    return {file.stem: file for file in sorted(paths.SOCS.glob("*.yaml"))}


def load_soc(soc: str | Path = "edge", overrides: Sequence[str] = ()) -> Any:
    """The SoC of a preset's name or a YAML file, with `name=value` overrides on top."""
    known = presets()
    file = known.get(str(soc), Path(soc))
    if not file.is_file():
        raise Refusal(
            f"soc: there is no preset and no file '{soc}'; presets are {', '.join(known)}, "
            "or give a YAML file as in sim/socs/edge.yaml"
        )
    pairs = []
    for text in overrides:
        name, equals, value = text.partition("=")
        if not equals:
            raise Refusal(f"soc: --set got '{text}', wants name=value, e.g. --set dla.macs_k=32")
        pairs.append((name.strip(), value.strip()))
    try:
        text = file.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise Refusal(
            f"soc: '{file}' is not text ({error}); wants YAML as in sim/socs/edge.yaml"
        ) from error
    return paths.native().parse_soc(text, file.stem, pairs)
