"""How fast the simulator is: simulated cycles per CPU second on whole networks, values computed.

    /usr/bin/python3 tests/bench/speed.py [--samples N] [NET.tflite ...]

Without networks: the project's own detector, and resnet-large where $PRESIL_SHARED has it. The peer
of each ratio is the reference interpreter, timed in the same process run on the same samples.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "sim" / "python"))

import presil  # noqa: E402
from presil import paths  # noqa: E402

LARGE = "models/mlperf-tiny-resnet-large/pretrainedResnet_large_int8.tflite"


def measure(file: Path, samples: int) -> None:
    net = presil.load(file)
    program = presil.compile(net)
    generator = np.random.default_rng(1)
    inputs = [
        generator.integers(-128, 128, [samples * t["shape"][0], *t["shape"][1:]]).astype(t["dtype"])
        for t in net.inputs
    ]
    record = presil.run(program, inputs, "none").record
    simulator = record["simulator"]
    began = time.process_time()
    presil.reference(net, [x[: t["shape"][0]] for x, t in zip(inputs, net.inputs)])
    reference_s = time.process_time() - began
    per_sample = simulator["cpu_s"] / samples
    print(
        f"{file.stem}: {record['cycles'] / samples:,.0f} cycles a sample, "
        f"{simulator['cycles_per_cpu_s'] / 1e6:.1f} M cycles per CPU s over {samples} samples, "
        f"{1e3 * per_sample:.2f} ms a sample ({reference_s / per_sample:.1f} x the speed of the "
        f"reference interpreter), compile {1e3 * (program.compile_s or 0):.0f} ms"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("networks", nargs="*", type=Path)
    parser.add_argument("--samples", type=int, default=100)
    options = parser.parse_args()
    networks = options.networks or [ROOT / "sim/nets/digits/digits.tflite", paths.shared() / LARGE]
    for file in networks:
        if file.is_file():
            measure(file, options.samples)
        else:
            print(f"SKIPPED {file}: not there")


if __name__ == "__main__":
    main()
