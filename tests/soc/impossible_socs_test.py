"""SoCs that cannot be: each is refused with what was got and required. SoCs at the ends of what can
be, and too small for what a network needs: they run, and every kept tensor is exact."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import presil
import pytest
from presil import paths

SMALL = """
graph "small" tflite {
  input %x : int8[1,14,13,20] q(0.1, 3)
  const %v : int8[40,3,3,20] q(0.01, 0) = random 1
  const %d : int8[1,3,3,40] q(0.02, 0) = random 3
  const %w : int8[24,1,1,40] q(0.01, 0) = random 2
  const %f : int8[10,24] q(0.01, 0) = random 4
  %a = conv2d(%x, %v) {pad_top=1, pad_left=1, pad_bottom=1, pad_right=1} from [0]
    : int8[1,14,13,40] q(0.5, 0)
  %b = depthwise_conv2d(%a, %d) {pad_top=1, pad_left=1, pad_bottom=1, pad_right=1} from [1]
    : int8[1,14,13,40] q(0.5, 0)
  %c = add(%a, %b) from [2] : int8[1,14,13,40] q(0.9, 0)
  %e = conv2d(%c, %w) from [3] : int8[1,14,13,24] q(0.5, 0)
  %m = max_pool2d(%e) {kernel_h=2, kernel_w=2, stride_h=2, stride_w=2} from [4]
    : int8[1,7,6,24] q(0.5, 0)
  %g = mean(%m) {axes=[1,2]} from [5] : int8[1,24] q(0.5, 0)
  %h = fully_connected(%g, %f) from [6] : int8[1,10] q(0.5, 0)
  %y = softmax(%h) from [7] : int8[1,10] q(0.00390625, -128)
  output %y
}
"""


def network(text: str) -> presil.Network:
    return presil.Network(paths.native().parse_graph(text), "text", "", 1)


def run_on(text: str, *overrides: str) -> presil.Run:
    net = network(text)
    random = np.random.default_rng(5)
    x = [random.integers(-128, 128, t["shape"]).astype(np.int8) for t in net.inputs]
    run = presil.run(presil.compile(net, presil.load_soc("edge", overrides)), x, "layers")
    assert run.exact, (overrides, run.record["check"])
    return run


AS_EDGE = "as in sim/socs/edge.yaml"
# A file over edge's defaults, and what is said of it.
FILES = {
    "zero lanes": ("dla: {macs_c: 0}", "dla.macs_c is '0', must be a number from 16 to 64"),
    "zero rows": ("dla: {macs_k: 0}", "dla.macs_k is '0', must be a number from 16 to 64"),
    "lanes of no word": ("dla: {macs_k: 24}", "dla.macs_k is '24', must be a multiple of 16; see"),
    "half a lane": ("dla: {macs_c: 16.5}", "dla.macs_c is '16.5', must be a whole number"),
    "no accumulators": ("dla: {acc_depth: 0}", "dla.acc_depth is '0', must be a number from 16"),
    "no feature port": ("dla: {feat_ports: 0}", "dla.feat_ports is '0', must be a number from 1"),
    "no results": ("dla: {post_lanes: 0}", "dla.post_lanes is '0', must be a number from 1 to 64"),
    "no sums": ("dla: {ew_lanes: -1}", "dla.ew_lanes is '-1', must be a number from 1 to 64"),
    "more feature ports than banks": (
        "dla: {feat_ports: 8}\nsram: {banks: 4}",
        "dla.feat_ports is '8', must be at most sram.banks (4): a bank answers one port a cycle",
    ),
    "more weight ports than banks": (
        "dla: {weight_ports: 16, feat_ports: 1}\nsram: {banks: 8}",
        "dla.weight_ports is '16', must be at most sram.banks (8)",
    ),
    "no clock": ("clock_mhz: 0", "clock_mhz is '0', must be a number from 1 to 10000"),
    "a clock that runs back": ("clock_mhz: -1000", "clock_mhz is '-1000', must be a number from 1"),
    "no channel": ("dma: {channels: 0}", "dma.channels is '0', must be a number from 1 to 8"),
    "more channels than queues": ("dma: {channels: 9}", "dma.channels is '9', must be a number"),
    "nothing outstanding": ("dma: {bursts_total: 0}", "dma.bursts_total is '0', must be a number"),
    "two DSPs": ("dsp: {units: 2}", "dsp.units is '2', must be a number from 0 to 1; see"),
    "odd vectors": ("dsp: {vlen: 384}", "dsp.vlen is '384', must be a power of two; see"),
    "vectors of a byte": ("dsp: {vlen: 8}", "dsp.vlen is '8', must be a number from 128 to 1024"),
    "odd beats": ("dsp: {dlen: 100}", "dsp.dlen is '100', must be a power of two; see"),
    "elements of 48 bits": ("dsp: {elen: 48}", "dsp.elen is '48', must be a power of two; see"),
    "three sequencers": (
        "dsp: {arithmetic_sequencers: 3}",
        "dsp.arithmetic_sequencers is '3', must be a number from 1 to 2; see",
    ),
    "a program of a part of a page": (
        "dsp: {itcm_bytes: 5000}",
        "dsp.itcm_bytes is '5000', must be a multiple of 4096; see",
    ),
    "a stack that does not fit": (
        "dsp: {dtcm_bytes: 8192}",
        "dsp.dtcm_bytes is '8192', must be a number from 16384 to 1048576; see",
    ),
    "no counters": ("sync: {counters: 0}", "sync.counters is '0', must be a number from 16 to 255"),
    "too many counters": ("sync: {counters: 256}", "sync.counters is '256', must be a number from"),
    "no slot": ("sync: {slots: 0}", "sync.slots is '0', must be a number from 1 to 8"),
    "no SRAM": ("sram: {bytes: 0}", "sram.bytes is '0', must be a number from 16384 to 16777216"),
    "SRAM of a part of a page": (
        "sram: {bytes: 20000}",
        "sram.bytes is '20000', must be a multiple of 4096; see sim/socs/edge.yaml for every "
        "parameter and its meaning",
    ),
    "SRAM that wraps around": (
        "sram: {bytes: 4294967296}",
        "sram.bytes is '4294967296', must be a",
    ),
    "odd banks": ("sram: {banks: 12}", "sram.banks is '12', must be a power of two; see"),
    "no DRAM": (
        "dram: {bytes: 0}",
        "dram.bytes is '0', must be a number from 1048576 to 687194767",
    ),
    "DRAM beyond the map": (
        "dram: {bytes: 1e18}",
        "dram.bytes is '1e18', must be a number from 104",
    ),
    "DRAM of a part of a page": ("dram: {bytes: 1048577}", "must be a multiple of 4096"),
    "DRAM without a rate": (
        "dram: {peak_mb_per_s: 0}",
        "dram.peak_mb_per_s is '0', must be a number",
    ),
    "DRAM of another kind": (
        "dram: {setting: best}",
        "'best', must be one of real, ideal, contended",
    ),
    "refresh without an end": (
        "dram: {t_rfc_ab: 7000}",
        "dram.t_rfc_ab is '7000', must be less than dram.t_refi (6246)",
    ),
    "a bank that always refreshes": ("dram: {t_refi_pb: 224}", "less than dram.t_refi_pb (224)"),
    "a queue without an entry for the tile": (
        "dram: {setting: contended, write_queue: 1}",
        "dram.write_queue is '1', must be at least 2 with dram.setting contended: one entry is the "
        "background's",
    ),
    "a read queue without one": ("dram: {setting: contended, read_queue: 1}", "read_queue is '1'"),
    "beats of 12 bytes": (
        "noc: {data_bytes: 12}",
        "noc.data_bytes is '12', must be a power of two",
    ),
    "a read that is back before it is there": (
        "noc: {cycles_register_read: 7}",
        "noc.cycles_register_read is '7', must be at least noc.cycles_register_write (8): a read "
        "goes there as a write does, and back",
    ),
    "a host that computes backwards": (
        "host: {kernel_cycles_call: {nms: -2}}",
        "'-2', must be a number",
    ),
    "prices after what they set": (
        "host: {cycles_call: 9, base: m33}",
        "line 1: host.base sets what stands above it; must be the first of host",
    ),
    "prices of nothing": (
        "host: {base: m7}",
        "host.base is 'm7', must be one of assumed_edge, assumed_big, assumed_micro",
    ),
    "lines of 8 bytes": (
        "host: {cache_line_bytes: 8}",
        "host.cache_line_bytes is '8', must be 0 (no data cache) or at least 16",
    ),
    "a host without memory": (
        "host: {bytes_per_cycle: 0}",
        "is '0', must be a number from 0.001 to",
    ),
    "an unknown parameter": (
        "dla: {lanes: 16}",
        "there is no parameter 'dla.lanes' (did you mean 'dla.ew_lanes'?); sim/socs/edge.yaml "
        "lists every parameter with its",
    ),
    "an unknown group": ("npu: {macs_k: 16}", "there is no parameter 'npu.macs_k'"),
    "an unknown kernel": (
        "host: {kernel_cycles_per_element: {magic: 1}}",
        "host.kernel_cycles_per_element.magic names no kernel of the host; must be one of add_i16",
    ),
    "a group that is a number": ("dla: 16", "there is no parameter 'dla'"),
    "a number that is a group": ("clock_mhz: {mhz: 1}", "there is no parameter 'clock_mhz.mhz'"),
    "a list": (
        "clock_mhz: [1, 2]",
        f"line 1: clock_mhz has no single value; must be one number or name, {AS_EDGE}",
    ),
    "nothing": ("dla:\n  macs_k:\n", "line 2: dla.macs_k has no single value"),
    "a word": ("clock_mhz: fast", "clock_mhz is 'fast', must be a number from 1 to 10000"),
    "not a number": ("host: {bytes_per_cycle: nan}", "is 'nan', must be a number from 0.001"),
    "twice": (
        "dla: {macs_k: 16}\ndla: {macs_k: 32}",
        f"line 2: dla.macs_k is there already; must be one number or name, {AS_EDGE}",
    ),
    "groups without end": (
        "dla: &dla {more: *dla}",
        f"line 1: dla.more.more is a group deeper than any; must be one number or name, {AS_EDGE}",
    ),
    "two documents": (
        "clock_mhz: 1\n---\nclock_mhz: 2",
        "soc: patched holds more than one document",
    ),
    "a file that does not begin": (
        ", ",
        "soc: patched holds more than one document; must be group",
    ),
    "a file that goes on": ("clock_mhz: 1\n}", "line 2, column 1: illegal flow end); see sim/socs"),
    "no groups": (
        "16",
        "soc: patched holds no parameters; must be groups of them as in sim/socs/",
    ),
    "no YAML": ("dla: {macs_k: 16", "end of map flow not found); see sim/socs/edge.yaml"),
}


@pytest.mark.parametrize("what", FILES)
def test_a_soc_that_cannot_be_is_refused(tmp_path: Path, what: str) -> None:
    text, said = FILES[what]
    file = tmp_path / "patched.yaml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(presil.Refusal) as refused:
        presil.load_soc(file)
    assert str(refused.value).startswith("soc: ") and said in str(refused.value)


PARAMETERS = list(presil.load_soc("edge").config)


@pytest.mark.parametrize("name", [n for n in PARAMETERS if "kernel_cycles" not in n])
def test_a_parameter_runs_at_both_ends_of_its_range_and_is_refused_beyond(name: str) -> None:
    """The range is the one that its refusal tells. Where an end contradicts other parameters, the
    refusal names both."""
    with pytest.raises(presil.Refusal) as refused:
        presil.load_soc("edge", [f"{name}=?"])
    if name == "dram.map":  # a list of words: tests/memory/dram_map_test.cpp has its ends
        assert "'?' is no part of an address" in str(refused.value)
        run_on(SMALL, "dram.map=row-bank5-channel-col9")
        return
    names = re.search(r"one of ([\w, ]+);", str(refused.value))
    if names:
        for value in names[1].split(", "):
            run_on(SMALL, f"{name}={value}")
        return
    ends = re.search(r"a number from (\S+) to (\S+);", str(refused.value))
    assert ends is not None, refused.value
    for end, beyond in zip(ends.groups(), (-1, 1)):
        with pytest.raises(presil.Refusal, match="must be a number from"):
            presil.load_soc("edge", [f"{name}={float(end) * (1 + beyond / 100) + beyond}"])
        try:
            presil.load_soc("edge", [f"{name}={end}"])
        except presil.Refusal as contradiction:
            others = re.findall(r"\b(?:dla|dma|sram|dram|noc)\.\w+", str(contradiction))
            assert name in others and len(set(others)) == 2, contradiction
        else:
            run_on(SMALL, f"{name}={end}")


# What does not fit 16 KiB whatever its tiles are, by kind; and what fits in very small ones only.
TOO_LARGE = {
    "kernel": """input %x : int8[1,20,20,16] q(0.1, 3)
        const %w : int8[16,16,16,16] q(0.01, 0) = random 1
        %y = conv2d(%x, %w) : int8[1,5,5,16] q(0.9, 0)""",
    "dilated": """input %x : int8[1,500,70,16] q(0.1, 3)
        const %w : int8[16,16,3,16] q(0.01, 0) = random 1
        %y = conv2d(%x, %w) {dilation_h=31, dilation_w=31} : int8[1,35,8,16] q(0.9, 0)""",
    "dense": """input %x : int8[1,16,16,64] q(0.1, 3)
        const %w : int8[10,16384] q(0.01, 0) = random 1
        %y = fully_connected(%x, %w) : int8[1,10] q(5, 0)""",
    "largest": """input %x : int8[1,64,70,16] q(0.1, 3)
        %y = max_pool2d(%x) {kernel_h=63, kernel_w=63} : int8[1,2,8,16] q(0.1, 3)""",
    "average": """input %x : int8[1,64,70,16] q(0.1, 3)
        %y = average_pool2d(%x) {kernel_h=63, kernel_w=63} : int8[1,2,8,16] q(0.1, 3)""",
}
CUT_SMALL = {
    "wide": """input %x : int8[1,3,1200,16] q(0.1, 3)
        const %w : int8[16,3,3,16] q(0.01, 0) = random 1
        %y = conv2d(%x, %w) {pad_top=1, pad_left=1, pad_bottom=1, pad_right=1}
          : int8[1,3,1200,16] q(0.5, 0)""",
    "channels": """input %x : int8[1,4,4,1000] q(0.1, 3)
        const %w : int8[1000,1,1,1000] q(0.01, 0) = random 1
        %y = conv2d(%x, %w) : int8[1,4,4,1000] q(2, 0)""",
    "depthwise": """input %x : int8[1,20,20,48] q(0.1, 3)
        const %w : int8[1,16,16,48] q(0.01, 0) = random 1
        %y = depthwise_conv2d(%x, %w) : int8[1,5,5,48] q(0.9, 0)""",
    "sum": """input %x : int8[1,4,2000,16] q(0.1, 3)
        %y = add(%x, %x) : int8[1,4,2000,16] q(0.2, 3)""",
    "doubled": """input %x : int8[1,3,900,16] q(0.1, 3)
        %y = resize_nearest(%x) : int8[1,6,1800,16] q(0.1, 3)""",
    "padded": """input %x : int8[1,3,900,16] q(0.1, 3)
        %y = pad(%x) {before=[0,1,1,0], after=[0,1,1,0], value=3} : int8[1,5,902,16] q(0.1, 3)""",
}


def graph_of(lines: str) -> str:
    return f'graph "g" tflite {{\n{lines}\noutput %y\n}}'


@pytest.mark.parametrize("kind", TOO_LARGE)
def test_what_does_not_fit_the_sram_runs_on_the_host_or_is_refused(kind: str) -> None:
    text = graph_of(TOO_LARGE[kind])
    (place,) = run_on(text, "sram.bytes=16384").record["placement"]
    assert place["engine"] == "host"
    said = r"needs \d+ bytes of SRAM even in the smallest tiles, sram.bytes is 16384"
    assert re.search(said, place["reason"]), place
    with pytest.raises(presil.Refusal, match=said):
        presil.compile(network(text), presil.load_soc("edge", ["sram.bytes=16384"]), fallback=False)
    (place,) = run_on(text, "sram.bytes=1048576").record["placement"]
    assert place["engine"] == "dla"


@pytest.mark.parametrize("kind", CUT_SMALL)
def test_what_fits_in_small_tiles_runs_on_the_dla(kind: str) -> None:
    run = run_on(graph_of(CUT_SMALL[kind]), "sram.bytes=16384")
    assert [p["engine"] for p in run.record["placement"]] == ["dla"]
    assert 0 < run.record["memory"]["sram"]["peak_bytes"] <= 16384
    # A larger array needs more of the same memory: whichever engine computes it, it is exact.
    run_on(graph_of(CUT_SMALL[kind]), "sram.bytes=16384", "dla.macs_k=64", "dla.macs_c=64")


def test_a_network_that_does_not_fit_the_dram_is_refused() -> None:
    text = graph_of("""input %x : int8[1,600,600,8] q(0.1, 3)
        %y = relu(%x) : int8[1,600,600,8] q(0.1, 3)""")
    with pytest.raises(presil.Refusal, match="no memory for the network: image .* bytes"):
        run_on(text, "dram.bytes=1048576")
