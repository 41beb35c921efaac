"""Networks on one DLA and on two at the same SRAM, with the same memory: cycles and their ratio.

    duo.py [--units N] [NETWORK ...]

Without a network: the table of compiler_bridge/plan/README.md. Needs the shared models
(PRESIL_SHARED) and a built presil.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

import presil

ROOT = Path(__file__).resolve().parents[2]
SHARED = Path(os.environ.get("PRESIL_SHARED", ROOT.parent / "shared")) / "models"
NETWORKS = (
    "mobilenet-v2-int8/tf2_mobilenet_v2_1.0_224_ptq.tflite",
    "mlperf-tiny-resnet-large/pretrainedResnet_large_int8.tflite",
    "mlperf-tiny-dscnn-kws/kws_ref_model.tflite",
    "yolov8n-int8/yolov8n_full_integer_quant_224.tflite",
    "yolov8n-int8/yolov8n_full_integer_quant_640.tflite",
    "mlperf-tiny-autoencoder-ad/ad01_int8.tflite",
)
MEMORY = {"dram.peak_mb_per_s": 25600}


def cycles(network: Path, units: int) -> int:
    soc = {"name": "edge", "dla.units": units, **MEMORY}
    run = presil.run(presil.compile(network, soc=soc))
    if not run.exact:
        raise SystemExit(f"{network} with {units} DLAs differs from the reference interpreter")
    return int(run.record["cycles"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("networks", nargs="*", type=Path)
    parser.add_argument("--units", type=int, default=2)
    arguments = parser.parse_args()
    print(f"| network | 1 DLA | {arguments.units} DLAs | ratio |\n|---|---:|---:|---:|")
    for network in arguments.networks or [SHARED / name for name in NETWORKS]:
        alone, shared = (cycles(network, units) for units in (1, arguments.units))
        print(f"| {network.stem} | {alone:,} | {shared:,} | {alone / shared:.2f} |", flush=True)


if __name__ == "__main__":
    main()
