#!/usr/bin/env python3
"""Does what `bound` names shorten a layer? Networks run on SoCs as they are, and again with one
resource doubled; the table says for the layers of each limit how many of their own cycles belong
to layers that each larger resource made shorter by 1 % or more. A doubled array has more rows, more
columns, or all that belongs to them; a layer that has too few channels for it runs with its lanes
filled: its shape with so many channels that the doubled array is full, cycles a MAC. --rows FILE
keeps the layers of every run, and runs only what is not in it."""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "sim" / "python"), str(ROOT / "tests" / "python")]

import numpy as np  # noqa: E402
import presil  # noqa: E402
from presil import paths  # noqa: E402
from presil.bound import GROUPS, NAMES  # noqa: E402
from presil.inputs import random_array  # noqa: E402

NETWORKS = {
    "digits": ROOT / "sim/nets/digits/digits.tflite",
    "resnet8": "mlperf-tiny-resnet8/pretrainedResnet_quant.tflite",
    "ds-cnn": "mlperf-tiny-dscnn-kws/kws_ref_model.tflite",
    "vww": "mlperf-tiny-mobilenetv1-vww/vww_96_int8.tflite",
    "autoencoder": "mlperf-tiny-autoencoder-ad/ad01_int8.tflite",
    "person-detect": "tflm-person-detect/person_detect.tflite",
    "mobilenet-v2": "mobilenet-v2-int8/tf2_mobilenet_v2_1.0_224_ptq.tflite",
    "resnet-large": "mlperf-tiny-resnet-large/pretrainedResnet_large_int8.tflite",
    "mobilenet-v1-0.25": "mobilenet-v1-0.25-128-uint8/mobilenet_v1_0.25_128_quant.tflite",
    "ssd-mobilenet-v1": "ssd-mobilenet-v1-coco-uint8/ssd_mobilenet_v1_coco_quant.tflite",
    "yolov8n-224": "yolov8n-int8/yolov8n_full_integer_quant_224.tflite",
    "yolov8n-640": "yolov8n-int8/yolov8n_full_integer_quant_640.tflite",
}
SOCS = ("edge", "micro", "big")
SHORTER = 0.01  # of a layer's own cycles, at least

# What is doubled for a limit: parameters that double, and times that halve.
ROW_TIMES = "t_rcd t_rp t_ras t_rrd t_faw t_wtr t_wr t_rtp t_rfc_ab t_rfc_pb".split()
DOUBLED: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "dram": (("dram.peak_mb_per_s",), ()),
    "dram_latency": ((), ("dram.read_latency_ps",)),
    "dram_row": ((), tuple(f"dram.{t}" for t in ROW_TIMES)),
    "rows": (("dla.macs_k",), ()),
    "columns": (("dla.macs_c",), ()),
    "array": (
        ("dla.macs_k", "dla.feat_ports", "dla.weight_ports", "dla.post_lanes", "dla.ew_lanes"),
        (),
    ),
    "post": (("dla.post_lanes", "dla.ew_lanes"), ()),
    "sram": (("dla.feat_ports", "dla.weight_ports"), ()),
    "dma": (("dma.bursts_per_channel", "dma.bursts_total", "noc.data_bytes"), ()),
    "dsp": (("dsp.vlen", "dsp.dlen", "dsp.arithmetic_sequencers"), ()),
    "wide": (("dsp.dlen", "dsp.arithmetic_sequencers"), ()),
    "host": (
        ("host.bytes_per_cycle",),
        ("host.cycles_interrupt", "host.cycles_call"),
    ),
}

FILLED = "filled"
# The DMA's ports of 16 B have no parameter; beats of 8 B halve them, which makes a layer longer.
NARROW = "narrow"
# What proves a limit, where it is not twice the resource of its name.
PROOFS = {
    "array": ("rows", "columns", "array", FILLED),
    "lanes": ("rows", "columns", "array", FILLED),
    "post": ("post", "rows"),  # rows have output ports, which upsampling waits for
    "sram": ("sram", "array"),  # with post-processing, where both keep the same pace
    "dma": ("dma", NARROW),
    "dsp": ("dsp", "wide"),
}


def changed(config: dict[str, Any], name: str) -> list[str]:
    """The overrides that double a resource of a SoC, as far as there is more to have."""
    doubles, halves = DOUBLED[name]
    sets = [f"{p}={int(config[p]) * 2}" for p in doubles]
    for parameter in halves:
        for key, value in config.items():
            if key == parameter:
                half = float(value) / 2
                sets.append(f"{key}={int(half)}")
    if name == "host":
        for key, value in config.items():
            if key.startswith("host.kernel_cycles_"):
                sets.append(f"{key}={float(value) / 2}")
    return sets


def network_of(file: Path, numerics: str) -> presil.Network:
    post = file.with_name("post.yaml")
    return presil.load(file, numerics, post if post.exists() else None)


def layers_of(net: presil.Network, soc: Any) -> list[dict[str, Any]]:
    program = presil.compile(net, soc=soc)
    inputs = [random_array(t, 1 + i) for i, t in enumerate(program.inputs)]
    return presil.run(program, inputs, check="none").layers


def filled(op: dict[str, Any], soc: Any) -> presil.Network:
    """A convolution's shape with so many channels that each step of a doubled array is full."""
    rows, columns = 2 * int(soc.config["dla.macs_k"]), int(soc.config["dla.macs_c"])
    x, w = (operand["shape"] for operand in op["inputs"][:2])
    a = op["attributes"]
    c = -(-x[3] // columns) * columns
    k = -(-op["outputs"][0]["shape"][3] // rows) * rows
    random = np.random.default_rng(1)
    b = presil.Builder(FILLED)
    y = b.conv2d(
        b.input("x", (1, x[1], x[2], c), scale=0.05, zero_point=0),
        random.integers(-127, 128, (k, w[1], w[2], c), np.int8),
        random.integers(-999, 999, k, np.int32),
        weights_scale=0.01,
        stride=(a["stride_h"], a["stride_w"]),
        padding=((a["pad_top"], a["pad_bottom"]), (a["pad_left"], a["pad_right"])),
        out=(0.1, 0),
    )
    b.output(y)
    return b.build()


def ops_by_source(graph: Any) -> dict[int, dict[str, Any]]:
    """Convolutions by the operator of the file that they come from: the text says which."""
    found, text = {}, graph.text()
    for op in graph.ops:
        if op["kind"] in ("conv2d", "depthwise_conv2d"):
            line = re.search(rf"%{op['output_ids'][0]} \".*from \[([0-9, ]+)\]", text)
            for source in line[1].split(",") if line else ():
                found[int(source)] = op
    return found


def filled_layers(file: Path, name: str, numerics: str, layers: list[dict[str, Any]]) -> Any:
    """For the layers that the array limits, as if they had the MACs of their filled shape."""
    soc = presil.load_soc(name)
    by_source = ops_by_source(network_of(file, numerics).graph)
    doubled = presil.load_soc(name, [*changed(soc.config, "array"), "sram.bytes=4194304"])
    rows, known = [], {}
    for layer in layers:
        made = [by_source[i] for i in layer["source_ops"] if i in by_source]
        if layer["bound"] != "compute" or not layer["macs"] or not made:
            continue
        net = filled(made[0], soc)
        key = net.graph.text()
        if key not in known:
            known[key] = layers_of(net, doubled)[0]
        full = known[key]
        own = full["own_cycles"] * layer["macs"] / full["macs"]
        rows.append({**layer, "own_cycles": own})
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--networks", default=",".join(n for n in NETWORKS if n != "yolov8n-640"))
    parser.add_argument("--socs", default=",".join(SOCS))
    parser.add_argument("--doubled", default=",".join(DOUBLED))
    parser.add_argument("--rows", type=Path)
    args = parser.parse_args()
    rows = {}
    if args.rows and args.rows.exists():
        rows = json.loads(args.rows.read_text())
    for network in args.networks.split(","):
        file = NETWORKS[network]
        if isinstance(file, str):
            file = paths.shared() / "models" / file
        numerics = "xnnpack" if "uint8" in str(file) else "tflite"
        for name in args.socs.split(","):
            plain = presil.load_soc(name)
            for resource in ["", *args.doubled.split(",")]:
                key = f"{network} {name} {resource}"
                if key in rows:
                    continue
                try:
                    sets = changed(plain.config, resource) if resource else []
                    soc = presil.load_soc(name, sets)
                    rows[key] = layers_of(network_of(file, numerics), soc)
                except presil.Refusal as refusal:
                    print(f"{key}: {refusal}", file=sys.stderr)
                    rows[key] = None
            key = f"{network} {name} {NARROW}"
            if key not in rows:
                soc = presil.load_soc(name, ["noc.data_bytes=8"])
                rows[key] = layers_of(network_of(file, numerics), soc)
            key = f"{network} {name} {FILLED}"
            if key not in rows:
                rows[key] = filled_layers(file, name, numerics, rows[f"{network} {name} "])
            if args.rows:
                args.rows.write_text(json.dumps(rows))
    report(rows)


def ratio(rows: dict[str, Any], run: str, resource: str, layer: dict[str, Any]) -> float | None:
    """Own cycles of a layer with the doubled resource, to those without; None: it is not there."""
    others = rows.get(f"{run} {resource}") or []
    same = [o for o in others if o["name"] == layer["name"]]
    same += [o for o in others if layer["source_ops"] and o["source_ops"] == layer["source_ops"]]
    return same[0]["own_cycles"] / layer["own_cycles"] if same else None


def report(rows: dict[str, Any]) -> None:
    table_of(rows, "bound_detail", NAMES)
    print()
    table_of(rows, "bound", tuple(dict.fromkeys(GROUPS.values())))


def table_of(rows: dict[str, Any], by: str, names: tuple[str, ...]) -> None:
    columns = (*DOUBLED, FILLED, NARROW, "named")
    shorter: dict[str, Counter[str]] = defaultdict(Counter)
    of: dict[str, Counter[str]] = defaultdict(Counter)
    total: Counter[str] = Counter()
    for key, layers in rows.items():
        run, resource = key.rsplit(" ", 1)
        for layer in layers or () if not resource else ():
            limit, cycles = layer[by], layer["own_cycles"]
            if not cycles:
                continue
            total[limit] += cycles
            ratios = {name: ratio(rows, run, name, layer) for name in (*DOUBLED, FILLED)}
            detail = layer["bound_detail"]
            narrow = ratio(rows, run, NARROW, layer)  # as if the other way round
            ratios[NARROW] = 1 / narrow if narrow else None
            proofs = [ratios[name] for name in PROOFS.get(detail, (detail,)) if name in ratios]
            ratios["named"] = min((r for r in proofs if r is not None), default=None)
            for name, found in ratios.items():
                if found is None:
                    continue
                of[limit][name] += cycles
                shorter[limit][name] += cycles * (found <= 1 - SHORTER)
    print(f"| {by} | own cycles | " + " | ".join(columns) + " |")
    print("|---" * (2 + len(columns)) + "|")
    for limit in names:
        if total[limit]:
            cells = [
                f"{100 * shorter[limit][r] / of[limit][r]:.1f} %" if of[limit][r] else "–"
                for r in columns
            ]
            print(f"| {limit} | {total[limit]:,} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
