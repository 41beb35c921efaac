"""The golden screens of screens_test.py, and the records that they show.

make_screens.py             the texts, of the records as they are
make_screens.py --records   the records too: made networks through compiler and simulator

(PYTHONPATH=sim/python, with a built presil; both from the root of the checkout.)
"""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import presil
from presil.console import UNLIMITED
from presil.cosim import compared
from presil.cosim_table import print_cosim
from presil.placement_table import print_placement
from presil.report import compare_runs, print_diff
from presil.table import print_run
from rich.console import Console

HERE = Path(__file__).parent
WIDTHS = (80, 120, 200)
NETWORKS = {"ten": 2, "two_hundred": 49}
"""Blocks: of 3 layers where there are few, of 4 with one on the host where there are many."""
LEFT_OUT = ("timeline", "sram", "dsp", "simulator", "data_time")
OUT = (0.1, 0)


def network(name: str, blocks: int) -> presil.network.Network:
    """A stem, blocks as MobileNetV2's, a classifier; named as Keras does."""
    random = np.random.default_rng(17)

    def values(*shape: int) -> np.ndarray:
        return random.integers(-127, 128, shape, np.int8)

    b = presil.Builder(name, numerics="tflite")
    x = b.input("image", (1, 16, 16, 3), scale=0.05)
    x = b.conv2d(
        x, values(8, 3, 3, 3), weights_scale=0.01, padding="same", out=OUT, name="model/stem/Conv2D"
    )
    for block in range(blocks):
        scope, around = f"model/block_{block}", x
        y = b.conv2d(
            x,
            values(24, 1, 1, 8),
            weights_scale=0.02,
            out=OUT,
            act="relu6",
            name=f"{scope}/expand/Conv2D",
        )
        if blocks > 10:
            slopes = b.constant(values(1, 1, 24), 0.01, name=f"{scope}/prelu/alpha")
            y = b.op("prelu", [y, slopes], {}, out=OUT, name=f"{scope}/prelu/PRelu")
        y = b.depthwise_conv2d(
            y,
            values(1, 3, 3, 24),
            weights_scale=0.02,
            padding="same",
            out=OUT,
            name=f"{scope}/depthwise/depthwise",
        )
        y = b.conv2d(
            y, values(8, 1, 1, 24), weights_scale=0.02, out=OUT, name=f"{scope}/project/Conv2D"
        )
        x = b.add(y, around, out=OUT, name=f"{scope}/add/add")
    y = b.mean(x, out=OUT, name="model/global_average_pooling2d/Mean")
    y = b.fully_connected(
        y, values(10, 8), weights_scale=0.02, out=OUT, name="model/predictions/MatMul"
    )
    b.output(b.softmax(y, name="StatefulPartitionedCall:0"))
    return b.build()


def make_record(name: str, blocks: int) -> None:
    net = network(name, blocks)
    x = np.random.default_rng(3).integers(-128, 128, (1, 16, 16, 3), np.int8)
    record = presil.run(net, {"image": x}, check="layers").record
    record["network"]["file"] = f"{name}.tflite"
    kept = {key: value for key, value in record.items() if key not in LEFT_OUT}
    kept["memory"]["dram"]["traffic"] = {}
    kept["soc"]["config"] = {}
    kept["presil"] = {"version": "0.1.0", "commit": "0000000"}
    file_of(name).write_text(a_layer_a_line(kept), encoding="utf-8")


def a_layer_a_line(record: dict[str, Any]) -> str:
    """The record as text, of its layers what consoles show."""
    layers = [
        json.dumps({key: value for key, value in layer.items() if key not in ("inputs", "outputs")})
        for layer in record["layers"]
    ]
    whole = json.dumps({**record, "layers": "here"}, indent=1)
    return whole.replace('"here"', "[\n  " + ",\n  ".join(layers) + "\n ]") + "\n"


def file_of(name: str) -> Path:
    return HERE / f"{name}.json"


def record_of(name: str) -> dict[str, Any]:
    return dict(json.loads(file_of(name).read_text(encoding="utf-8")))


def slower(record: dict[str, Any]) -> dict[str, Any]:
    """Another run: every layer takes a thirteenth longer, in `post`."""
    other = json.loads(json.dumps(record))
    other["cycles"] += record["cycles"] // 13
    for layer in other["layers"]:
        more = layer["cycles"] // 13
        layer["end"] += more
        layer["cycles"] += more
        layer["stall"]["post"] = layer["stall"].get("post", 0) + more
    for engine in filter(None, other["engines"].values()):
        engine["idle"] += record["cycles"] // 13
    return dict(other)


def screen(view: str, name: str, width: int = UNLIMITED) -> str:
    """What a terminal of that width shows, without its colours."""
    record = record_of(name)
    text = io.StringIO()
    out = Console(file=text, width=width, highlight=False)
    if view == "run":
        print_run(out, record)
    elif view == "layers":
        print_run(out, record, every_layer=True)
    elif view == "placement":
        print_placement(out, record["placement"])
    elif view == "diff":
        print_diff(out, compare_runs(record, slower(record)))
    elif view == "cosim":
        found = compared(record, slower(record), ["dla"], None)
        print_cosim(out, {**record, "cosim": found})
    return "".join(line.rstrip() + "\n" for line in text.getvalue().splitlines())


def views_of(name: str) -> tuple[str, ...]:
    few = ("run", "placement", "diff", "cosim")
    return few if name == "ten" else (*few, "layers")


def golden_of(name: str, width: int) -> str:
    """Every view of a network at a width."""
    return "".join(f"--- {view}\n{screen(view, name, width)}" for view in views_of(name))


def golden_file(name: str, width: int) -> Path:
    return HERE / f"{name}_{width}.txt"


def main() -> None:
    for name, blocks in NETWORKS.items():
        if "--records" in sys.argv[1:]:
            make_record(name, blocks)
        for width in WIDTHS:
            golden_file(name, width).write_text(golden_of(name, width), encoding="utf-8")


if __name__ == "__main__":
    main()
