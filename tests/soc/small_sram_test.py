"""Networks in a fraction of the SRAM that they would like: every kept tensor is exact."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import presil
import pytest
from presil import paths
from time_is_real_test import NETWORKS

PADDED = "{pad_top=1, pad_left=1, pad_bottom=1, pad_right=1}"
DEEP = f"""
graph "deep" tflite {{
  input %x : int8[1,6,5,512] q(0.1, 3)
  const %v : int8[96,3,3,512] q(0.01, 0) = random 1
  const %w : int8[50,1,1,96] q(0.01, 0) = random 2
  %a = conv2d(%x, %v) {PADDED} from [0] : int8[1,6,5,96] q(0.5, 0)
  %y = conv2d(%a, %w) from [1] : int8[1,6,5,50] q(0.5, 0)
  output %y
}}
"""
IN_PARTS = {"deep": {16, 32}, "autoencoder": {16}, "resnet-large": {16, 32}, "vww": {16}}
"""KiB in which some sums are made in parts."""


def network_of(name: str, shared: Path) -> presil.Network:
    if name == "deep":
        return presil.Network(paths.native().parse_graph(DEEP), "deep", "", 1)
    return presil.load(shared / "models" / NETWORKS[name])


@pytest.mark.parametrize("kib", [16, 32, 64])
@pytest.mark.parametrize("name", list(IN_PARTS))
def test_a_network_is_exact_in_little_sram(shared: Path, name: str, kib: int) -> None:
    network = network_of(name, shared)
    generator = np.random.default_rng(1)
    x = [generator.integers(-128, 128, t["shape"]).astype(np.int8) for t in network.inputs]
    program = presil.compile(network, presil.load_soc("edge", [f"sram.bytes={1024 * kib}"]))
    if kib < 64:
        assert ("acc_init=int32" in program.streams) == (kib in IN_PARTS[name])
    run = presil.run(program, x, "layers")
    assert run.exact, run.record["check"]
    assert run.record["memory"]["sram"]["peak_bytes"] <= 1024 * kib
    assert not [p for p in run.record["placement"] if "bytes of SRAM" in p["reason"]]
