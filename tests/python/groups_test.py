"""Convolutions in groups on the simulated SoCs: exact, and as fast as their products allow."""

from __future__ import annotations

import numpy as np
import presil
import pytest
from presil import paths

SOCS = ("edge", "micro", "big", "duo")


def layer(
    side: int, groups: int, per_group: tuple[int, int], kernel: int, stride: int = 1, pad: int = 0
) -> presil.Network:
    """A 1x1 convolution, then one in groups."""
    c_in, c_out = (groups * c for c in per_group)
    size = (side + 2 * pad - kernel) // stride + 1
    padding = ", ".join(f"pad_{edge}={pad}" for edge in ("top", "bottom", "left", "right"))
    window = f"groups={groups}, stride_h={stride}, stride_w={stride}, {padding}"
    text = f"""graph "groups" tflite {{
      input %i : int8[1,{side},{side},32] q(0.1, -5)
      const %u : int8[{c_in},1,1,32] q(0.01, 0) = random 3
      %x = conv2d(%i, %u) from [0] : int8[1,{side},{side},{c_in}] q(0.1, -5)
      const %w : int8[{c_out},{kernel},{kernel},{per_group[0]}] q(0.01, 0) = random 1
      const %b : int32[{c_out}] = random 2
      %y = conv2d(%x, %w, %b) {{{window}}} from [1] : int8[1,{size},{size},{c_out}] q(0.5, 9)
      output %y
    }}"""
    return presil.Network(paths.native().parse_graph(text), "groups", "", 1)


def run_exactly(network: presil.Network, soc: str) -> presil.Run:
    shape = network.inputs[0]["shape"]
    x = np.random.default_rng(5).integers(-128, 128, shape).astype(np.int8)
    run = presil.run(presil.compile(network, soc), [x], "layers")
    assert run.exact, run.record["check"]
    assert all(p["engine"] == "dla" for p in run.record["placement"])
    return run


@pytest.mark.parametrize("soc", SOCS)
def test_random_layers_in_groups_are_exact(soc: str, everything: bool) -> None:
    generator = np.random.default_rng(SOCS.index(soc))
    for _ in range(60 if everything else 8):
        groups, kernel = int(generator.integers(2, 33)), int(generator.choice([1, 3, 5]))
        most = max(1, 128 // groups)
        per_group = (int(generator.integers(1, most + 1)), int(generator.integers(1, most + 1)))
        stride, pad = int(generator.integers(1, 3)), int(generator.integers(0, kernel))
        side = int(generator.integers(kernel, 12))
        run_exactly(layer(side, groups, per_group, kernel, stride, pad), soc)


@pytest.mark.parametrize(
    ("groups", "channels", "soc"), [(32, 16, "edge"), (8, 32, "edge"), (8, 32, "big")]
)
def test_groups_of_whole_blocks_keep_the_array_busy_with_products(
    groups: int, channels: int, soc: str
) -> None:
    run = run_exactly(layer(14, groups, (channels, channels), 3, pad=1), soc)
    row = run.record["layers"][-1]
    peak = presil.load_soc(soc).macs_per_cycle
    assert row["macs"] >= 0.95 * peak * row["cycles"], row


def unrolled(groups: int, channels: int) -> presil.Network:
    """As exporters write groups that their format lacks: a slice and a convolution for each."""
    each, whole = f"int8[1,14,14,{channels}]", f"int8[1,14,14,{groups * channels}]"
    lines = [
        "input %i : int8[1,14,14,32] q(0.1, -5)",
        f"const %u : int8[{groups * channels},1,1,32] q(0.01, 0) = random 3",
        f"%x = conv2d(%i, %u) from [0] : {whole} q(0.1, -5)",
    ]
    for g in range(groups):
        begin, size = f"[0,0,0,{g * channels}]", f"[1,14,14,{channels}]"
        lines += [
            f"const %w{g} : int8[{channels},3,3,{channels}] q({0.01 + g / 1000}, 0) = random {g}",
            f"%s{g} = strided_slice(%x) {{begin={begin}, size={size}, step=[1,1,1,1]}} from [1]"
            f" : {each} q(0.1, -5)",
            f"%y{g} = conv2d(%s{g}, %w{g}) {{pad_top=1, pad_left=1, pad_bottom=1, pad_right=1}}"
            f" from [{2 + g}] : {each} q(0.5, 9)",
        ]
    parts = ", ".join(f"%y{g}" for g in range(groups))
    lines += [f"%y = concat({parts}) {{axis=3}} from [99] : {whole} q(0.5, 9)", "output %y"]
    text = 'graph "unrolled" tflite {\n' + "\n".join(lines) + "\n}"
    return presil.Network(paths.native().parse_graph(text), "unrolled", "", 1)


@pytest.mark.parametrize("soc", SOCS)
def test_groups_that_an_exporter_unrolled_are_one_layer(soc: str) -> None:
    run = run_exactly(unrolled(8, 16), soc)
    assert [row["engine"] for row in run.record["layers"]] == ["dla", "dla"]
    assert run.record["layers"][-1]["source_ops"] == [*range(1, 10), 99]
