"""What each stage of the compiler hands to the next, as text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from . import paths
from .kernels import claims
from .program import DISPATCHES, USUAL_EFFORT, check_options, with_kernels
from .soc import load_soc
from .soc_parameters import Overrides

STAGES = (
    *("import", "passes", "placement", "layers", "layout", "tiles", "play", "schedule", "streams"),
)


def stage(
    net: Any,
    name: str,
    soc: Any = "edge",
    kernels: Any = (),
    *,
    set: Overrides = (),  # noqa: A002  as the command line has it
    numerics: str | None = None,
    post: str | Path | None = None,
    fallback: bool = True,
    dispatch: str = DISPATCHES[0],
    engines: Any = (),
    effort: int = USUAL_EFFORT,
) -> str:
    """The text of one of STAGES; arguments as of `presil.compile`.

    import, passes: graphs, which Builder and compiler read again. placement: records of all
    operators. layers: what each engine computes, with all its data. layout, tiles: buffers and how
    layers are cut. play: plans about as fast as each other, and which one is taken. schedule:
    commands with the bytes that they touch. streams: `presil.assemble` reads them.
    """
    check_options(dispatch, effort)
    config = load_soc(soc, set, engines)
    given, every = with_kernels(net, numerics, post, kernels)
    taken, verdicts = claims(given.graph, every)
    by_host = dispatch == "host"
    return str(
        paths.native().stage_text(
            name, given.graph, config, bool(fallback), by_host, taken, verdicts, effort
        )
    )


def print_after(
    net: Any,
    name: str,
    kernels: Any = (),
    *,
    numerics: str | None = None,
    post: str | Path | None = None,
) -> str:
    """The graph after each run of a pass that changes it."""
    given, _ = with_kernels(net, numerics, post, kernels)
    return str(paths.native().print_after(name, given.graph))
