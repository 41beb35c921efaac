"""Cycles of whole networks by what runs the driver: natively, and as firmware on each core; and how
far the native host is off with the prices of that core.

    PYTHONPATH=sim/python python3 tests/bench/host_cores.py [--soc edge] [--seed 0]

Prints the tables of sim/host_cpu/README.md. Outputs are compared with the reference interpreter and
the commands of the accelerators with the native host's; a difference ends it.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import Any

import presil
from presil.host import CORES, NATIVE

ROOT = Path(__file__).resolve().parents[2]
MODELS = Path(os.environ.get("PRESIL_SHARED", ROOT.parent / "shared")) / "models"
DIGITS = ROOT / "sim/nets/digits"
NETWORKS: dict[str, tuple[Path, Path | None]] = {
    "digits with its boxes": (DIGITS / "digits.tflite", DIGITS / "post.yaml"),
    "ResNet-8 (MLPerf Tiny), softmax on the host": (
        MODELS / "mlperf-tiny-resnet8/pretrainedResnet_quant.tflite",
        None,
    ),
    "MobileNetV1-0.25-128": (
        MODELS / "mobilenet-v1-0.25-128-uint8/mobilenet_v1_0.25_128_quant.tflite",
        None,
    ),
    "MobileNetV2-1.0-224": (
        MODELS / "mobilenet-v2-int8/tf2_mobilenet_v2_1.0_224_ptq.tflite",
        None,
    ),
    "SSD-MobileNetV1-300": (
        MODELS / "ssd-mobilenet-v1-coco-uint8/ssd_mobilenet_v1_coco_quant.tflite",
        None,
    ),
    "YOLOv8n-224 with suppression": (
        MODELS / "yolov8n-int8/yolov8n_full_integer_quant_224.tflite",
        ROOT / "sim/nets/yolov8_coco.yaml",
    ),
}


def commands_of(run: Any) -> list[tuple[str, int, int]]:
    return sorted((c["queue"], c["index"], c["tag"]) for c in run.commands)


def share(run: Any) -> int:
    """Cycles of an inference in which only the host works."""
    inference = run.record["inference"]
    return int(inference["cycles"] - inference["parts"]["engines"]["cycles"])


def off(file: Path, post: Path | None, soc: str, seed: int, core: str) -> str:
    """Cells of the host's share: as firmware, natively by the core's prices, and how far off."""
    prices = {"host.base": core, "host.cache_line_bytes": 0}  # the cores here have no data cache
    program = presil.compile(file, soc=soc, post=post, set=prices)
    runs = [presil.run(program, seed=seed, check="none", host=host) for host in (core, NATIVE)]
    executed, priced = map(share, runs)
    return f" {executed:,} | {priced:,} | {priced / executed - 1:+.1%} |"


def prices(given: argparse.Namespace) -> int:
    print("| the host's share | " + " | ".join(f"{c} | native | off" for c in given.cores) + " |")
    print("|---|" + "---|---|---|" * len(given.cores))
    for name, (file, post) in NETWORKS.items():
        if not file.is_file():
            print(f"SKIPPED: {file} is not there", file=sys.stderr)
            continue
        cells = [off(file, post, given.soc, given.seed, core) for core in given.cores]
        print(f"| {name} |" + "".join(cells), flush=True)
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--soc", default="edge")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--cores", nargs="*", default=list(CORES))
    parser.add_argument("--prices", action="store_true", help="only the table of prices")
    given = parser.parse_args()
    if given.prices:
        return prices(given)
    head = "".join(f" {core} | busy |" for core in given.cores)
    print(f"| network | native |{head}")
    print("|---|---|" + "---|---|" * len(given.cores))
    counts = []
    for name, (file, post) in NETWORKS.items():
        if not file.is_file():
            print(f"SKIPPED: {file} is not there", file=sys.stderr)
            continue
        program = presil.compile(file, soc=given.soc, post=post)
        native = presil.run(program, seed=given.seed, host=NATIVE)
        if not native.exact:
            raise SystemExit(f"{name} is not exact natively")
        row, count = f"| {name} | {native.cycles:,} |", f"| {name} |"
        for core in given.cores:
            own = presil.run(program, seed=given.seed, host=core)
            if not own.exact or commands_of(own) != commands_of(native):
                raise SystemExit(f"{name} on {core}: other outputs or commands than natively")
            host = own.record["host"]
            row += f" {host['cycles']:,} | {host['busy_cycles']:,} |"
            count += f" {host['instructions']:,}; {host['load_cycles'] / 1e6:.1f} M |"
        print(row, flush=True)
        counts.append(count)
    print(f"\n| instructions of the job; cycles of the load | {' | '.join(given.cores)} |")
    print("|---|" + "---|" * len(given.cores))
    print("\n".join(counts))
    return 0


if __name__ == "__main__":
    sys.exit(main())
