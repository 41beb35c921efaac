"""Wall time of `presil run` as people call it: median, least and CPU seconds of each command.

    PYTHONPATH=sim/python /usr/bin/python3 tests/bench/run_wall.py [--rounds N]

MobileNetV2 and YOLOv8n with 640 x 640, checked; 100 samples of resnet-large with `--jobs 1` and 2,
in turns, and the ratio of their medians. On a machine with nothing else to do, or by `chrt -f 10`.
Needs the shared models (PRESIL_SHARED) and a built presil.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "sim" / "python"))

from presil import paths  # noqa: E402

MODELS = paths.shared() / "models"
MOBILENET = MODELS / "mobilenet-v2-int8/tf2_mobilenet_v2_1.0_224_ptq.tflite"
YOLO = MODELS / "yolov8n-int8/yolov8n_full_integer_quant_640.tflite"
RESNET = MODELS / "mlperf-tiny-resnet-large/pretrainedResnet_large_int8.tflite"
SAMPLES = 100


def called(words: list[str], folder: Path) -> tuple[float, float]:
    """@return wall and CPU seconds of a run."""
    command = [sys.executable, "-m", "presil", "run", *words, "--out", "run", "--force", "--quiet"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "sim" / "python")}
    before, began = os.times(), time.perf_counter()
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    wall, after = time.perf_counter() - began, os.times()
    if done.returncode:
        raise SystemExit(done.stderr)
    cpu = after.children_user + after.children_system
    return wall, cpu - before.children_user - before.children_system


def told(name: str, times: list[tuple[float, float]]) -> float:
    walls, cpus = zip(*times)
    median = statistics.median(walls)
    cpu_s = statistics.median(cpus)
    print(f"{name}: {median:.2f} s, least {min(walls):.2f}, CPU {cpu_s:.2f}", flush=True)
    return median


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    rounds = range(parser.parse_args().rounds)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        shape = (SAMPLES, 32, 32, 3)
        data = np.random.default_rng(0).integers(-128, 128, shape).astype(np.int8)
        np.save(folder / "data.npy", data)
        for name, file in (("MobileNetV2", MOBILENET), ("YOLOv8n-640", YOLO)):
            told(name, [called([str(file)], folder) for _ in rounds])
        words = [str(RESNET), "--input", "data.npy", "--samples", f"0:{SAMPLES}", "--jobs"]
        both = [[called([*words, jobs], folder) for jobs in ("1", "2")] for _ in rounds]
        one, two = (
            told(f"resnet-large, {SAMPLES} samples, --jobs {jobs}", [row[i] for row in both])
            for i, jobs in enumerate("12")
        )
        print(f"--jobs 2: {one / two:.2f} times as fast")


if __name__ == "__main__":
    main()
