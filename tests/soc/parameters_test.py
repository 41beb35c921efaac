"""Every parameter of a SoC file moves something of a run, or is refused: each one is changed."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import presil
import pytest
from impossible_socs_test import SMALL, network

# What each is changed to, and in what setting it shows. Those of the DRAM are in
# tests/memory/dram_parameters_test.cpp, which looks at the DRAM alone.
MOVES: dict[str, tuple[float | str, dict[str, float | str]]] = {
    "clock_mhz": (500, {}),
    "dla.units": (2, {}),
    "dla.macs_k": (32, {}),
    "dla.macs_c": (32, {}),
    "dla.feat_ports": (1, {}),
    "dla.weight_ports": (2, {}),
    "dla.acc_depth": (32, {}),
    "dla.post_lanes": (2, {}),
    "dla.ew_lanes": (1, {}),
    "dla.prefetch": (1, {}),
    "dma.channels": (1, {}),
    "dma.bursts_per_channel": (1, {}),
    "dma.bursts_total": (1, {}),
    "dma.prefetch": (1, {}),
    "dsp.units": (0, {}),
    "dsp.vlen": (128, {}),
    "dsp.dlen": (64, {}),
    "dsp.elen": (32, {}),
    "dsp.arithmetic_sequencers": (2, {}),
    "dsp.gather_by_element": (1, {}),
    "dsp.itcm_bytes": (4096, {}),
    "dsp.dtcm_bytes": (16384, {}),
    "dsp.prefetch": (1, {}),
    "sync.counters": (16, {}),
    "sync.slots": (1, {}),
    "sram.bytes": (32768, {}),
    "sram.banks": (4, {}),
    "noc.data_bytes": (8, {}),
    "noc.cycles_request": (9, {}),
    "noc.cycles_response": (9, {}),
    "noc.cycles_register_write": (16, {}),
    "noc.cycles_register_read": (40, {}),
    "host.cycles_interrupt": (900, {}),
    "host.cycles_call": (900, {}),
    "host.bytes_per_cycle": (0.5, {"dsp.units": 0}),
    "host.cycles_per_element": (90, {"dsp.units": 0}),
}


@cache
def outcome(settings: tuple[tuple[str, float | str], ...]) -> Any:
    """What a run says: cycles, when each command began and ended; or why there is none."""
    net = network(SMALL)
    x = [np.full(t["shape"], 3, np.int8) for t in net.inputs]
    try:
        program = presil.compile(net, presil.load_soc("edge", dict(settings)))
        run = presil.run(program, x, "none")
    except presil.Refusal as refusal:
        return str(refusal)
    return run.cycles, [(c["queue"], c["offered"], c["end"]) for c in run.commands]


@pytest.mark.parametrize("name", [n for n in presil.load_soc("edge").config if "dram." not in n])
def test_each_one_moves_something_or_is_refused(name: str) -> None:
    if name.startswith("host.kernel_cycles_per_element."):
        pytest.skip("tests/host has them")
    value, setting = MOVES[name]
    before = outcome(tuple(setting.items()))
    assert outcome(tuple({**setting, name: value}.items())) != before
