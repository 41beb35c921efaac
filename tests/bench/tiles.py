"""Samples over 1, 2, 4 tiles of `edge` on one DRAM: throughput, speed-up, the DRAM's part in it.

    tiles.py [--samples N] [--tiles 1,2,4] [--set NAME=VALUE ...] [NETWORK ...]

Without a network: the table of sim/guides/tiles.md. Needs the shared models (PRESIL_SHARED) and a
built presil.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import Any

import numpy as np
import presil
from presil.inputs import random_samples

ROOT = Path(__file__).resolve().parents[2]
SHARED = Path(os.environ.get("PRESIL_SHARED", ROOT.parent / "shared")) / "models"
NETWORKS = (
    "mlperf-tiny-resnet8/pretrainedResnet_quant.tflite",
    "mobilenet-v2-int8/tf2_mobilenet_v2_1.0_224_ptq.tflite",
    "yolov8n-int8/yolov8n_full_integer_quant_224.tflite",
)
HEAD = "| network | tiles | cycles of a sample | samples a second | speed-up | DRAM, MB/s "
HEAD += "| a read waits |"


def inputs_of(program: presil.Program, samples: int) -> list[np.ndarray]:
    seeds = list(range(samples))
    return [random_samples(tensor, seeds) for tensor in program.inputs]


def row(network: Path, tiles: int, samples: int, changes: list[str]) -> dict[str, Any]:
    program = presil.compile(network, soc="edge", set=[*changes, f"tiles={tiles}"])
    run = presil.run(program, inputs_of(program, samples))
    if not run.exact:
        raise SystemExit(f"{network} on {tiles} tiles differs from the reference interpreter")
    record = run.record
    clock_hz = record["soc"]["clock_mhz"] * 1e6
    if tiles == 1:
        dram = record["actions"]["dram"]
        moved = dram["bytes_read"] + dram["bytes_written"]  # over the bus, as of several tiles
        return {
            "sample": record["cycles"] / samples,
            "per_s": samples * clock_hz / record["cycles"],
            "mb_per_s": moved * clock_hz / record["cycles"] / 1e6,
            "wait": 0.0,
        }
    part = record["tiles"]
    return {
        "sample": part["sample_cycles"],
        "per_s": part["samples_per_s"],
        "mb_per_s": part["dram"]["mb_per_s"],
        "wait": part["dram"]["wait_per_read"],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("networks", nargs="*", type=Path)
    parser.add_argument("--samples", type=int, default=8)
    parser.add_argument("--tiles", default="1,2,4")
    parser.add_argument("--set", dest="changes", action="append", default=[])
    given = parser.parse_args()
    print(f"{HEAD}\n|---|---:|---:|---:|---:|---:|---:|")
    for network in given.networks or [SHARED / name for name in NETWORKS]:
        one = None
        for tiles in map(int, given.tiles.split(",")):
            now = row(network, tiles, given.samples, given.changes)
            one = one or now
            cells = (
                f"{tiles} | {now['sample']:,.0f} | {now['per_s']:,.1f}",
                f"{now['per_s'] / one['per_s']:.2f} | {now['mb_per_s']:,.0f} | {now['wait']:.0f}",
            )
            print(f"| {network.stem} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
