"""SoC presets and files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from . import paths
from .engines import usual_parameters, with_engines
from .names import hint, path_of
from .refusal import Refusal
from .soc_parameters import Mapping, Overrides, changed, pairs_of, without_name


def presets() -> dict[str, Path]:
    """Names of the presets that come with the project, and their files."""
    return {file.stem: file for file in sorted(paths.SOCS.glob("*.yaml"))}


def load_soc(soc: Any = "edge", overrides: Overrides = (), engines: Any = ()) -> Any:
    """The SoC of a preset's name or a YAML file, with overrides on top.

    soc: also a mapping of parameters, grouped or not, on top of the preset or file that its key
      'name' says (default edge): {"name": "micro", "dla.macs_k": 32, "dram": {"setting": "ideal"}};
      or what load_soc gave.
    overrides: `name=value` texts, or such a mapping; the last of one name holds.
    engines: folders of engines from outside that it has besides, as of `presil.load_engine`;
      those of PRESIL_ENGINES too.
    """
    pairs = pairs_of(overrides)
    if isinstance(soc, paths.native().Soc):
        return relabelled(with_engines(changed(soc, pairs), engines), soc)
    if isinstance(soc, Mapping):
        soc, pairs = soc.get("name", "edge"), pairs_of(without_name(soc)) + pairs
    expected = "the name of a preset, a YAML file or parameters such as {'dla.macs_k': 32}"
    known = presets()
    file = known.get(str(soc), path_of(soc, "soc", expected))
    if not file.is_file():
        folder = "; it is a folder" if file.is_dir() else ""
        raise Refusal(
            f"soc: there is no preset and no file '{soc}'{folder or hint(str(soc), known)}; "
            f"presets are {', '.join(known)}, or give a YAML file as in sim/socs/edge.yaml"
        )
    try:
        text = file.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise Refusal(
            f"soc: '{file}' is not text ({error}); expected YAML as in sim/socs/edge.yaml"
        ) from error
    config = with_engines(paths.native().parse_soc(text, file.stem, pairs), engines)
    named = known.get(file.stem, file)  # a file of the user with a preset's name is told apart
    plain = text if named == file else named.read_text(encoding="utf-8")
    try:
        config.label = label_of(config, paths.native().parse_soc(plain, file.stem))
    except Refusal:  # the file alone is no SoC, so all that was asked for is told
        config.label = " ".join([file.stem, *(f"{n}={v}" for n, v in sorted(dict(pairs).items()))])
    return config


def relabelled(soc: Any, before: Any) -> Any:
    """A SoC that came of another one: what differs from its preset, or from its file and those of
    its parameters that were told apart already."""
    if soc is before:
        return soc
    file = presets().get(soc.name)
    if file is not None:
        plain = paths.native().parse_soc(file.read_text(encoding="utf-8"), soc.name)
        soc.label = label_of(soc, plain)
    else:
        parts = [*before.label.split(" ")[1:], *label_of(soc, before).split(" ")[1:]]
        known = dict(part.partition("=")[::2] for part in parts)
        soc.label = " ".join([soc.name, *(f"{n}={known[n]}" for n in sorted(known))])
    return soc


def lines_of(soc: Any) -> dict[str, str]:
    """Its parameters, as texts."""
    return dict(line.partition("=")[::2] for line in soc.canonical_text.splitlines())


def label_of(soc: Any, plain: Any) -> str:
    """What people read: the name of `plain`, and what `soc` has otherwise, as `edge dla.macs_k=32`.

    Sorted and as the parser understood it: `dla.macs_k=32.0` and `=32` are one, and an override by
    the value that is there already is none.
    """
    values, defaults = lines_of(soc), lines_of(plain)
    base = values["host.base"]
    if base != defaults["host.base"]:  # a list of prices, which is told by its name
        own = lines_of(changed(plain, [("host.base", base)]))
        defaults = {**own, "host.base": defaults["host.base"]}
    usual = usual_parameters()  # of an engine that only `soc` has
    defaults.update(
        {name: usual[name] for name in values if name in usual and name not in defaults}
    )
    otherwise = [
        f"{name}={values.get(name, 'none')}"
        for name in sorted({*values, *defaults})
        if values.get(name) != defaults.get(name)
    ]
    return " ".join([plain.name, *otherwise])
