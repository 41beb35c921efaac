"""The compiler's passes, each between two runs of the reference interpreter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from . import paths
from .custom import Customs
from .kernels import Kernel
from .network import Network
from .refusal import PassBroken, Refusal
from .samples import arrays_of, split_samples

SEED = 0


def verify_passes(
    net: Network | None,
    inputs: Any = None,
    seed: int = SEED,
    kernels: Sequence[Kernel] = (),
) -> dict[str, Any]:
    """Runs the passes and compares, after each that changed something, every tensor that is still
    made. inputs: one sample; default seeded random data. kernels: besides the network's own.

    Returns `applied`, the passes in the order of doing with their rewrites, and `compared`, how
    many tensors. Raises PassBroken for the first pass that changes a value.
    """
    if net is None:
        raise Refusal(
            "passes: a loadable is what comes out of the passes, so there is nothing to verify; "
            "give the network instead"
        )
    custom = Customs(net.graph, (*net.kernels, *kernels)).function()
    arrays, _ = arrays_of(net.inputs, inputs, seed)
    (sample, *_) = split_samples(net.inputs, arrays)
    found = dict(paths.native().verify_passes(net.graph, sample, custom))
    broken = found.pop("broken")
    if broken is not None:
        raise PassBroken(
            f"passes: {broken['pass']}, run {broken['run']} of the passes that changed something, "
            f"{broken['sentence']}",
            dict(broken),
        )
    return found


def sentence(found: dict[str, Any]) -> str:
    """What there is to say when no pass changed a value."""
    rewrites = sum(count for _, count in found["applied"])
    names = len({name for name, _ in found["applied"]})
    return (
        f"passes: {rewrites} rewrites by {names} passes, {found['compared']} tensors compared with "
        "the reference interpreter's, none changed"
    )
