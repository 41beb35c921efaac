"""Engines from folders outside presil: loaded once a process, put into SoCs, named in every view.

sim/engine/README.md has the folders. What is loaded here the simulator loads too: a compiled
network and its run name the same ones.
"""

from __future__ import annotations

import functools
import hashlib
import os
import re
from pathlib import Path
from typing import Any

from . import contract, paths
from .names import described
from .refusal import Refusal

VARIABLE = "PRESIL_ENGINES"


def load_engine(folder: str | os.PathLike[str]) -> str:
    """Loads the engine of a folder: that with its engine.yaml, or the one it is built in.

    SoCs have it where they name it (`engines: {NAME: {}}`), or where `engines` of presil.compile,
    presil.run and presil.load_soc does. Returns its name; a folder loaded before changes nothing.
    """
    if not isinstance(folder, (str, os.PathLike)):
        raise Refusal(f"engine: got {described(folder)}, expected the path of an engine's folder")
    return str(paths.native().load_engine(os.fspath(folder), [str(paths.BUILD)]))


def load_engines(engines: Any = ()) -> list[str]:
    """Loads those of PRESIL_ENGINES, then these; their names."""
    given = [engines] if isinstance(engines, (str, os.PathLike)) else engines
    if not isinstance(given, (list, tuple)):
        raise Refusal(f"engine: engines are {described(engines)}, expected a list of folders")
    listed = [place for place in os.environ.get(VARIABLE, "").split(":") if place]
    return list(dict.fromkeys(load_engine(place) for place in [*listed, *given]))


def with_engines(soc: Any, engines: Any = ()) -> Any:
    """The SoC with the engines of PRESIL_ENGINES and these, where it does not name them, and every
    parameter of those that it has."""
    complete = paths.native().with_engines(soc, load_engines(engines))
    return soc if complete.canonical_text == soc.canonical_text else complete


def usual_parameters() -> dict[str, str]:
    """Of every loaded engine, as a SoC's text has them."""
    return {
        f"engines.{engine['name']}.{parameter['name']}": str(parameter["default"])
        for engine in paths.native().loaded_engines()
        for parameter in engine["parameters"]
    }


def engines_of_text(soc_text: str) -> set[str]:
    """The engines from outside that a SoC's canonical text names."""
    lines = (re.sub(r"^tiles\.\d+\.", "", line) for line in soc_text.splitlines())
    names = (line.partition("=")[0].split(".") for line in lines)
    return {name[1] for name in names if name[0] == "engines"}


def differing_engines(loadable: str, soc: str) -> str:
    """Where a network was compiled for other engines than a SoC has: a clause; "": for the same.
    Both are canonical texts."""
    theirs, ours = engines_of_text(loadable), engines_of_text(soc)
    if missing := sorted(theirs - ours):
        return (
            f"was compiled for a SoC with engine {', '.join(missing)}, which this SoC does not "
            f"have; name its folder (--engine DIR, {VARIABLE}), or compile the network again "
            "without it"
        )
    if more := sorted(ours - theirs):
        return (
            f"was compiled for a SoC without engine {', '.join(more)}, which this SoC has; compile "
            "the network again, or run it without the engine"
        )
    return ""


def notes_of(soc: Any) -> list[str]:
    """Where the engines from outside that a SoC has are found, of those that are loaded."""
    has = engines_of_text(soc.canonical_text)
    return [e["note"] for e in paths.native().loaded_engines() if e["name"] in has]


def libraries(soc: Any) -> dict[str, str]:
    """By name the SHA-256 of the library of each engine from outside that a SoC has."""
    has = engines_of_text(soc.canonical_text)
    return {
        engine["name"]: hashlib.sha256(Path(engine["library"]).read_bytes()).hexdigest()
        for engine in paths.native().loaded_engines()
        if engine["name"] in has
    }


def queue_names() -> tuple[str, ...]:
    """By number; "queue 14" where no engine has it."""
    named = zip(paths.native().queue_names(), queue_engines())
    return tuple(name if engine else f"queue {n}" for n, (name, engine) in enumerate(named))


def queue_engines() -> tuple[str, ...]:
    """By number of a queue; "" where no engine has it."""
    return tuple(paths.native().queue_engines())


def engine_names() -> tuple[str, ...]:
    """In the order of kinds."""
    return tuple(paths.native().engine_names())


@functools.cache
def engine_waits(engine: str) -> tuple[str, ...]:
    """The fields of its commands that name counters to wait for."""
    return tuple(paths.native().engine_waits(engine))


def signaller_of(engine: str) -> str:
    """How causes of waits call the engine that should signal: those from outside are the host."""
    return engine if engine in contract.ENGINES else "host"
