"""RTL against its models: a run on the models, the same run in lock-step, and what differs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from .blocks import block_kinds
from .engines import load_engines
from .host import NATIVE
from .names import described
from .program import program_for
from .refusal import Diverged, Refusal
from .run import Run, run
from .simulation import RTL_SEED
from .soc_parameters import Overrides
from .trace import Trace

NETWORK_PERCENT = 0.5
LAYER_PERCENT = 2.0
LAYER_CYCLES = 20
"""The bands: a network's cycles, and a layer's: the larger of the two."""


def cosim(
    program: Any,
    inputs: Any = None,
    rtl: Any = ("dla",),
    check: str = "outputs",
    goldens: Any = (),
    timeout_ms: float = 0,
    progress: Callable[[int, int], None] | None = None,
    trace: Trace | None = None,
    rtl_seed: int = RTL_SEED,
    *,
    soc: Any = None,
    set: Overrides = (),  # noqa: A002  as the command line has it
    numerics: str | None = None,
    post: str | Path | None = None,
    kernels: Any = (),
    engines: Any = (),
    seed: int = 0,
    state: str | None = None,
    host: str = NATIVE,
) -> Run:
    """Runs a program on the models, then with the blocks of `rtl` in lock-step with theirs.

    rtl: names, as ["dla", "dma"] or "dla,dma". All else is as of `presil.run`.
    The run that comes back is that on RTL, its record with `cosim`. Where RTL and model differ in
    more than cycles it is the run on the models, with `cosim.first_divergence`.
    """
    load_engines(engines)  # whose blocks are named
    rtl = names_of(rtl)
    blocks = block_kinds([f"{name}=lockstep" for name in rtl])
    program = program_for(program, soc, set, numerics, post, kernels, engines, state)
    model = run(
        program, inputs, check, goldens, timeout_ms, progress, seed=seed, state=state, host=host
    )
    divergence = None
    hardware = None
    try:
        hardware = run(
            program,
            inputs,
            check,
            goldens,
            timeout_ms,
            progress,
            blocks,
            trace,
            rtl_seed,
            seed=seed,
            state=state,
            host=host,
        )
    except Diverged as difference:
        divergence = {**difference.detail, "text": str(difference)}
    result = hardware or model
    result.record["blocks"] = blocks
    result.record["rtl_seed"] = rtl_seed
    result.record["cosim"] = compared(
        model.record, hardware.record if hardware else None, rtl, divergence
    )
    return result


def names_of(rtl: Any) -> list[str]:
    """Blocks by their names, of a list or of one text."""
    given = rtl.split(",") if isinstance(rtl, str) else rtl
    if not isinstance(given, (list, tuple)) or not all(isinstance(name, str) for name in given):
        raise Refusal(
            f"cosim: rtl is {described(rtl)}, expected names of blocks, as ['dla', 'dma']"
        )
    names = [name.strip() for name in given if name.strip()]
    if not names:
        raise Refusal("cosim: there is no block to run in RTL; give at least one, e.g. --rtl dla")
    return names


def error_percent(model: int, rtl: int) -> float:
    """Of the model's cycles against the RTL's."""
    return round(100 * (model - rtl) / rtl, 4) if rtl else 0.0


def compared(
    model: dict[str, Any],
    rtl: dict[str, Any] | None,
    blocks: list[str],
    divergence: dict[str, Any] | None,
) -> dict[str, Any]:
    """The record's `cosim`: cycles of the network, and of the layers of the first sample."""
    layers = []
    for ours, theirs in zip(model["layers"], rtl["layers"] if rtl else [], strict=bool(rtl)):
        if not ours["cycles"] and not theirs["cycles"]:
            continue
        layers.append(layer_of(ours, theirs))
    error = error_percent(model["cycles"], rtl["cycles"]) if rtl else None
    return {
        "blocks": blocks,
        "exact": rtl is not None and bool(rtl["check"]["exact"]),
        "model_cycles": model["cycles"],
        "rtl_cycles": rtl["cycles"] if rtl else None,
        "error_percent": error,
        "within_bands": (
            error is not None
            and abs(error) <= NETWORK_PERCENT
            and all(layer["within_band"] for layer in layers)
        ),
        "bands": {
            "network_percent": NETWORK_PERCENT,
            "layer_percent": LAYER_PERCENT,
            "layer_cycles": LAYER_CYCLES,
        },
        "causes": {
            engine: account_less(rtl["engines"][engine], account)
            for engine, account in model["engines"].items()
            if rtl and account and engine in blocks
        },
        "layers": layers,
        "first_divergence": divergence,
    }


def account_less(rtl: dict[str, Any], model: dict[str, Any]) -> dict[str, int]:
    """An engine's cycles by cause, RTL less model: they add up to the difference of the runs, or of
    a layer's commands."""
    causes = {
        cause: rtl["stall"].get(cause, 0) - model["stall"].get(cause, 0)
        for cause in {**model["stall"], **rtl["stall"]}
    }
    causes["run"] = rtl["busy"] - model["busy"]
    causes["idle"] = rtl.get("idle", 0) - model.get("idle", 0)
    return {cause: n for cause, n in sorted(causes.items()) if n}


def layer_of(model: dict[str, Any], rtl: dict[str, Any]) -> dict[str, Any]:
    """A layer on both, and where its difference comes from: causes, RTL less model."""
    difference = rtl["cycles"] - model["cycles"]
    band = max(LAYER_CYCLES, LAYER_PERCENT / 100 * rtl["cycles"])
    return {
        "index": model["index"],
        "name": model["name"],
        "op": model["op"],
        "engine": model["engine"],
        "model_cycles": model["cycles"],
        "rtl_cycles": rtl["cycles"],
        "error_percent": error_percent(model["cycles"], rtl["cycles"]),
        "within_band": abs(difference) <= band,
        "causes": account_less(rtl, model),
    }
