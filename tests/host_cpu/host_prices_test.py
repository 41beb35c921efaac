"""The native host's prices are those of today's firmware, and what they say is what cores take."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import Any

import presil
import pytest
from presil.host import NATIVE

ROOT = Path(__file__).resolve().parents[2]
FIT = ROOT / "models/soc/host_prices_fit.h"
FIRMWARE = ROOT / "sim/host_cpu/prebuilt/firmware.json"
CORES = ("m33", "m4", "rv64", "aarch64")
ENGINES = ("dla", "dma", "dsp")


def prices(core: str) -> dict[str, Any]:
    """The cores here have no data caches, which the list of aarch64 assumes."""
    return {"host.base": core, "host.cache_line_bytes": 0}


def both(program: presil.Program, core: str) -> tuple[dict[str, Any], dict[str, Any]]:
    try:
        own = presil.run(program, check="none", host=core)
    except presil.Refusal as refusal:
        pytest.skip(f"SKIPPED: {refusal}")
    return own.record, presil.run(program, check="none", host=NATIVE).record


def share(record: dict[str, Any]) -> int:
    """Cycles in which only the host works."""
    inference = record["inference"]
    return int(inference["cycles"] - inference["parts"]["engines"]["cycles"])


def test_they_are_fitted_to_the_prebuilt_firmware() -> None:
    images = json.loads(FIRMWARE.read_text(encoding="utf-8"))["images"]
    own = {name: digest for name, digest in images.items() if "_program" not in name}
    digest = hashlib.sha256(json.dumps(own, sort_keys=True).encode()).hexdigest()
    said = re.search(r"^// Firmware: (\w+)$", FIT.read_text(encoding="utf-8"), re.M)
    assert said and said[1] == digest, "tests/bench/fit_prices.py --write"


@pytest.mark.parametrize("core", CORES)
def test_a_job_of_the_engines_takes_the_host_what_the_core_takes(core: str) -> None:
    program = presil.compile("digits", set=prices(core))
    executed, priced = map(share, both(program, core))
    assert priced == pytest.approx(executed, rel=0.1)


def the_host_alone() -> presil.Builder:
    """Kernels in shapes that nothing is fitted to."""
    b = presil.Builder("alone", "tflite")
    x = b.input("x", (1, 9, 7, 12), scale=0.05, zero_point=3)
    y = b.transpose(b.hard_swish(x), (0, 2, 1, 3))
    y = b.softmax(b.slice(y, (0, 1, 0, 0), (1, 5, 9, 12)))
    b.output(b.concat([y, y]))
    return b


@pytest.mark.parametrize("core", CORES)
def test_operators_on_the_host_take_what_the_core_takes(core: str) -> None:
    program = presil.compile(the_host_alone(), set=prices(core), without=ENGINES)
    executed, priced = (
        record["inference"]["parts"]["host_operators"]["cycles"]
        + record["inference"]["parts"]["driver"]["cycles"]
        for record in both(program, core)
    )
    assert priced == pytest.approx(executed, rel=0.15)


def test_without_engines_the_host_computes_all() -> None:
    program = presil.compile(the_host_alone(), without=ENGINES)
    assert {place["engine"] for place in program.placement} == {"host"}
    assert presil.run(program, seed=3, check="layers").exact
    with pytest.raises(presil.Refusal, match="compile: without is 'host', expected one of dla, "):
        presil.compile(the_host_alone(), without="host")
