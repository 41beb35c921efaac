"""The compiler's estimate of a network's cycles against the run: what plans are chosen by.

    PYTHONPATH=sim/python /usr/bin/python3 tests/bench/estimate.py

Networks of $PRESIL_SHARED and the project's own, on several SoCs. The last line has the geometric
mean of estimate / run, and the root mean square of its logarithm.
"""

from __future__ import annotations

import math
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "sim" / "python"), str(ROOT / "tests" / "soc")]

import numpy as np  # noqa: E402
import presil  # noqa: E402
from presil import paths  # noqa: E402
from time_is_real_test import NETWORKS  # noqa: E402

SLOW = "dram.peak_mb_per_s=3200"
SOCS = [
    ("edge", []),
    *[("edge", [f"sram.bytes={1024 * kib}"]) for kib in (128, 64, 32, 16)],
    ("edge", [SLOW]),
    ("edge", [SLOW, "sram.bytes=65536"]),
    ("micro", []),
    ("big", []),
]


def device_cycles(run: presil.Run) -> int:
    """Without the host's tasks at the end, which the estimate has not."""
    commands = [c for c in run.commands if c["queue"] != "host"]
    return max(c["end"] for c in commands) - min(c["offered"] for c in commands)


def main() -> None:
    files = {name: paths.shared() / "models" / file for name, file in NETWORKS.items()}
    files["digits"] = ROOT / "sim/nets/digits/digits.tflite"
    ratios = []
    for name, file in files.items():
        if not file.is_file():
            print(f"SKIPPED {file}: not there")
            continue
        network = presil.load(file)
        inputs = [np.zeros((1, *t["shape"][1:]), np.int8) for t in network.inputs]
        for preset, overrides in SOCS:
            program = presil.compile(network, presil.load_soc(preset, overrides))
            cycles = device_cycles(presil.run(program, inputs, "none"))
            ratios.append((program.estimate or 0) / cycles)
            what = " ".join([preset, *overrides])
            print(f"{name:14} {what:52} {program.estimate:8} {cycles:8} {ratios[-1]:.3f}")
    logs = [math.log(ratio) for ratio in ratios]
    mean = math.exp(sum(logs) / len(logs))
    print(f"mean {mean:.3f}, rms {math.sqrt(sum(x * x for x in logs) / len(logs)):.3f}")


if __name__ == "__main__":
    main()
