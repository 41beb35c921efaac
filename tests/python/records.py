"""A hand-made record of a run: two samples, three layers, one of them wrong."""

from __future__ import annotations

import copy
from typing import Any

LAYERS = [
    # name, op, engine, macs, start, end, stall, bound, exact
    ("stem", "conv2d+relu", "dla", 64000, 100, 1100, {"wait_in:dma": 600}, "dram", True),
    ("body", "conv2d", "dla", 25600, 1100, 1300, {"post": 20, "feature_bank": 1}, "compute", False),
    ("last", "softmax", "host", 0, 1300, 1500, {}, "host", None),
]


def layer(index: int) -> dict[str, Any]:
    name, op, engine, macs, start, end, stall, bound, exact = LAYERS[index]
    return {
        "index": index,
        "name": name,
        "op": op,
        "engine": engine,
        "source_ops": [index],
        "macs": macs,
        "start": start,
        "end": end,
        "cycles": end - start,
        "commands": 1,
        "busy": end - start - sum(stall.values()),
        "stall": stall,
        "read_bytes": 4000,
        "written_bytes": 8000,
        "bound": bound,
        "exact": exact,
    }


CONFIG = {"sram.bytes": 1048576, "dram.peak_mb_per_s": 12800}

RECORD: dict[str, Any] = {
    "schema": "1.4",
    "presil": {"version": "0.1.0", "commit": "0000000"},
    "network": {"file": "toy.tflite", "sha256": "00", "macs": 89600, "params": 100},
    "soc": {"name": "edge", "sha256": "00", "clock_mhz": 1000, "config": CONFIG},
    "numerics": "tflite",
    "samples": 2,
    "input": {"sha256": "aa", "source": "x.npy", "image": None},
    "check": {
        "exact": False,
        "compared_bytes": 12345,
        "different_bytes": 1,
        "first": {
            "layer": "body",
            "tensor": "y",
            "sample": 0,
            "index": [0, 1, 2],
            "got": 3,
            "wanted": 4,
        },
        "golden": None,
        "level": "layers",
    },
    "cycles": 3000,
    "time_ms": 0.003,
    "per_sample": [{"cycles": 1500}, {"cycles": 1500}],
    "engines": {
        "dla": {
            "busy": 1158,
            "stall": {"wait_in:dma": 1200, "post": 40},
            "idle": 602,
            "utilisation": 0.233333,
        },
        "dsp": None,
        "dma": {"busy": 1500, "stall": {}, "idle": 1500, "channels": []},
        "host": {"busy": 400, "stall": {}, "idle": 2600},
    },
    "memory": {
        "dram": {
            "read_bytes": 24000,
            "written_bytes": 48000,
            "row_hit_rate": None,
            "traffic": {"bin_cycles": 64, "bytes": [0, 800, 819, 0, 400]},
        },
        "sram": {"peak_bytes": 65536},
    },
    "layers": [layer(0), layer(1), layer(2)],
    "placement": [
        {"op": "conv2d", "name": "stem", "engine": "dla", "reason": ""},
        {"op": "softmax", "name": "last", "engine": "host", "reason": "dla: no exponentials"},
    ],
    "outputs": [{"name": "y", "dtype": "int8", "shape": [2, 10], "sha256": "bb"}],
    "timeline": {
        "columns": ["queue", "layer", "tile", "start", "end", "busy", "dram_bytes", "stall"],
        "commands": [
            ["dla", 0, 0, 100, 1100, 400, 0, {"wait_in:dma": 600}],
            ["dla", 1, 0, 1100, 1300, 179, 0, {"post": 20, "feature_bank": 1}],
            ["dma0", 0, 0, 90, 690, 580, 4000, {"start": 20}],
            ["host", 2, 0, 1000, 1500, 200, 8000, {"wait:dla": 300}],
        ],
        "left_out": 0,
    },
    "sram": {
        "columns": ["what", "layer", "offset", "bytes", "start", "end"],
        "buffers": [
            ["weights, parameters, table of stem", 0, 0, 4000, 110, 1100],
            ["tensor x", 0, 4096, 61440, 700, 1300],
        ],
    },
    "dsp": None,
    "energy_uj": None,
    "simulator": {
        "wall_s": 0.1,
        "cpu_s": 0.1,
        "peak_rss_bytes": 1,
        "cycles_per_cpu_s": 30000.0,
        "compile_s": 0.01,
    },
}


def record() -> dict[str, Any]:
    """A copy of its own for every test."""
    return copy.deepcopy(RECORD)
