"""Every parameter of a SoC file moves something of a run, or is refused: each one is changed."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import presil
import pytest
from impossible_socs_test import SMALL, network

DSP = """
graph "dsp" tflite {
  input %x : int8[1,24,24,40] q(0.1, 3)
  %t = transpose(%x) {perm=[0,3,1,2]} from [0] : int8[1,40,24,24] q(0.1, 3)
  %s = softmax(%t) from [1] : int8[1,40,24,24] q(0.00390625, -128)
  input %f : float32[64,300]
  %h = tanh(%f) from [2] : float32[64,300]
  output %s
  output %h
}
"""

# What each is changed to, in what setting and network it shows. Those of the DRAM are in
# tests/memory/dram_parameters_test.cpp, which looks at the DRAM alone.
Move = tuple[float | str, dict[str, float | str], str]
MOVES: dict[str, Move] = {
    "clock_mhz": (500, {}, SMALL),
    "dla.units": (2, {}, SMALL),
    "dla.macs_k": (32, {}, SMALL),
    "dla.macs_c": (32, {}, SMALL),
    "dla.feat_ports": (1, {}, SMALL),
    "dla.weight_ports": (2, {}, SMALL),
    "dla.acc_depth": (16, {}, SMALL),
    "dla.post_lanes": (2, {}, SMALL),
    "dla.ew_lanes": (1, {}, SMALL),
    "dla.prefetch": (1, {}, SMALL),
    "dla.cycles_command": (200, {}, SMALL),
    "dla.cycles_layer": (1000, {}, SMALL),
    "dla.cycles_step": (2, {}, SMALL),
    "dla.post_operations": (16, {}, SMALL),
    "dla.post_overlap": (0, {}, SMALL),
    "dla.memory_overlap": (0, {}, SMALL),
    "dma.channels": (1, {}, SMALL),
    "dma.bursts_per_channel": (1, {}, SMALL),
    "dma.bursts_total": (1, {}, SMALL),
    "dma.prefetch": (1, {}, SMALL),
    "dsp.units": (0, {}, DSP),
    "dsp.vlen": (128, {}, DSP),
    "dsp.dlen": (64, {}, DSP),
    "dsp.arithmetic_sequencers": (2, {}, DSP),
    "dsp.itcm_bytes": (4096, {}, DSP),
    "dsp.dtcm_bytes": (16384, {}, DSP),
    "dsp.prefetch": (1, {}, DSP),
    "sram.bytes": (16384, {}, SMALL),
    "sram.banks": (4, {}, SMALL),
    "noc.data_bytes": (8, {}, SMALL),
    "noc.cycles_request": (9, {}, SMALL),
    "noc.cycles_response": (9, {}, SMALL),
    "noc.cycles_register_write": (16, {}, SMALL),
    "noc.cycles_register_read": (40, {}, SMALL),
    "host.cycles_interrupt": (900, {}, SMALL),
    "host.cycles_call": (900, {}, SMALL),
    "host.bytes_per_cycle": (0.5, {"dsp.units": 0}, SMALL),
    "host.base": ("m33", {}, SMALL),
    "host.cycles_submit": (9000, {}, SMALL),
    "host.cycles_submit_queue": (9000, {}, SMALL),
    "host.cycles_return": (9000, {}, SMALL),
    "host.cycles_cache_line": (90, {}, SMALL),
    "host.cache_line_bytes": (128, {}, SMALL),
}

# Where a network shows none: what refuses or times it instead.
ELSEWHERE = {
    "dsp.elen": "images of Zve64 are refused: tests/compiler, tests/dsp",
    "dsp.gather_by_element": "cycles of vrgather.vv: tests/dsp",
    "sync.counters": "a loadable that needs more is refused: tests/driver",
    "sync.slots": "waits of the host beside each other: tests/sync",
}


@cache
def outcome(settings: tuple[tuple[str, float | str], ...], text: str) -> Any:
    """What a run says: cycles, when each command began and ended, parts of the inference; or why
    there is none."""
    net = network(text)
    kinds = {"int8": np.int8, "float32": np.float32}
    x = [np.full(t["shape"], 3, kinds[t["dtype"]]) for t in net.inputs]
    try:
        program = presil.compile(net, presil.load_soc("edge", dict(settings)))
        run = presil.run(program, x, "none")
    except presil.Refusal as refusal:
        return str(refusal)
    commands = [(c["queue"], c["offered"], c["end"]) for c in run.commands]
    return run.cycles, commands, run.record.get("inference")


@pytest.mark.parametrize(
    "name",
    [
        n
        for n in presil.load_soc("edge").config
        if not n.startswith(("dram.", "host.kernel_cycles_")) and n not in ELSEWHERE
    ],
)
def test_each_one_moves_something_or_is_refused(name: str) -> None:
    value, setting, text = MOVES[name]
    before = outcome(tuple(setting.items()), text)
    assert outcome(tuple({**setting, name: value}.items()), text) != before
