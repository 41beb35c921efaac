"""Which build of the DLA's RTL a SoC requires. A block in RTL has the parameters that it was built
with; each size is a simulator of its own, built when it is asked for."""

from __future__ import annotations

import argparse
from typing import Any

from .blocks import KINDS, pairs
from .refusal import Refusal
from .soc import load_soc

USUAL = ""
"""The DLA of `edge`: in presil-sim-rtl."""
SIZES: dict[str, tuple[str, list[str]]] = {
    "32": ("edge", ["dla.macs_k=32", "dla.macs_c=32"]),
    "big": ("big", []),
}
"""The others, each as the SoC whose DLA and SRAM it has; rtl/dla/CMakeLists.txt builds them."""


def parameters(soc: Any) -> dict[str, Any]:
    """What the RTL of the DLA is built with."""
    config = soc.config
    return {k: v for k, v in config.items() if k.startswith("dla.") or k == "sram.bytes"}


def rtl_size(soc: Any) -> str:
    """The size for `soc`, or the usual one, which refuses what it was not built as."""
    required = parameters(soc)
    for size, (preset, overrides) in SIZES.items():
        if parameters(load_soc(preset, overrides)) == required:
            return size
    return USUAL


def required_by(arguments: list[str]) -> str:
    """For sim/presil: the size for the SoC and blocks of a command line; the usual one where it is
    wrong, so that the command itself says why."""
    parser = argparse.ArgumentParser(add_help=False, exit_on_error=False, allow_abbrev=False)
    parser.add_argument("--soc", default="edge")
    parser.add_argument("--set", action="append", default=[])
    parser.add_argument("--block", action="append", default=[])
    parser.add_argument("--rtl", default="")
    try:
        known, _ = parser.parse_known_args(arguments)
        blocks = [name for name, kind in pairs(known.block) if kind in KINDS[1:]]
        if "dla" not in blocks + known.rtl.split(","):
            return USUAL
        return rtl_size(load_soc(known.soc, known.set))
    except (Refusal, argparse.ArgumentError):
        return USUAL
