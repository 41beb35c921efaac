"""How fast the simulator is: simulated cycles per CPU second on whole networks, values computed.

    /usr/bin/python3 tests/bench/speed.py [--samples N] [--rounds N] [--block B] [NET.tflite ...]

Without networks: the project's own detector, and MobileNetV1-0.25-96 and resnet-large where
$PRESIL_SHARED has them. Each round is a simulator of its own that runs all samples; the median and
the best of the rounds are printed, since other work on the machine makes every one slower. The
reference interpreter is the peer, timed on one of the samples. With `--block dla=rtl` or lockstep,
one sample a round.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "sim" / "python"))

import presil  # noqa: E402
from presil import paths  # noqa: E402

MODELS = paths.shared() / "models"
NETWORKS = {
    "digits": ROOT / "sim/nets/digits/digits.tflite",
    "MobileNetV1-0.25-96": MODELS / "mlperf-tiny-mobilenetv1-vww/vww_96_int8.tflite",
    "resnet-large": MODELS / "mlperf-tiny-resnet-large/pretrainedResnet_large_int8.tflite",
}


def measure(name: str, file: Path, samples: int, rounds: int, blocks: str | None) -> None:
    net = presil.load(file)
    program = presil.compile(net)
    generator = np.random.default_rng(1)
    inputs = [
        generator.integers(-128, 128, [samples * t["shape"][0], *t["shape"][1:]]).astype(t["dtype"])
        for t in net.inputs
    ]
    records = [presil.run(program, inputs, "none", blocks=blocks).record for _ in range(rounds)]
    speeds = [record["simulator"]["cycles_per_cpu_s"] / 1e6 for record in records]
    began = time.process_time()
    presil.reference(net, [x[: t["shape"][0]] for x, t in zip(inputs, net.inputs)])
    reference_s = time.process_time() - began
    per_sample = statistics.median(r["simulator"]["cpu_s"] for r in records) / samples
    print(
        f"{name}: {records[0]['cycles'] / samples:,.0f} cycles a sample, "
        f"{statistics.median(speeds):.2f} M cycles per CPU s (best {max(speeds):.2f}) over "
        f"{rounds} x {samples} samples, {1e3 * per_sample:.2f} ms a sample "
        f"({reference_s / per_sample:.1f} x the speed of the reference interpreter), "
        f"compile {1e3 * (program.compile_s or 0):.0f} ms"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("networks", nargs="*", type=Path)
    parser.add_argument("--samples", type=int)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--block", metavar="BLOCK=KIND", help="not as its model: dla=rtl, ...")
    options = parser.parse_args()
    samples = options.samples or (1 if options.block else 100)
    given = {file.stem: file for file in options.networks}
    for name, file in (given or NETWORKS).items():
        if file.is_file():
            measure(name, file, samples, options.rounds, options.block)
        else:
            print(f"SKIPPED {file}: not there")


if __name__ == "__main__":
    main()
