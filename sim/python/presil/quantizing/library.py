"""The quantisers: packages of the Python index, in an environment that has them."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from ..refusal import Refusal
from ..validate_source import runtime_python

WORKER = Path(__file__).with_name("worker.py")
PACKAGES = {
    ".onnx": ("onnxruntime", "onnx"),
    ".tflite": ("litert-quantizer", "ai-edge-litert"),
}
MOST_SAID = 500


def python_for(suffix: str) -> Path:
    """This Python where it has the packages, as `pip install presil[quantize]` leaves it, else that
    of the runtimes' environment."""
    modules = [name.replace("-", "_") for name in PACKAGES[suffix]]
    if not os.environ.get("PRESIL_RUNTIMES") and all(map(importlib.util.find_spec, modules)):
        return Path(sys.executable)
    try:
        return runtime_python()
    except Refusal as refusal:
        raise Refusal(absent(suffix, str(refusal).removeprefix("validate: "))) from refusal


def absent(suffix: str, why: str) -> str:
    packages = " ".join(PACKAGES[suffix])
    return (
        f"quantize: {suffix} files require the packages {packages} ({why}); make an environment "
        f"`python3 -m venv Q && Q/bin/pip install numpy {packages}` and set PRESIL_RUNTIMES to "
        "Q/bin/python"
    )


def quantised_by_library(
    network: Path, out: Path, samples: np.ndarray, options: dict[str, Any]
) -> dict[str, Any]:
    """Writes `out`; what the library's process says of the layers."""
    python = python_for(network.suffix)
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    with TemporaryDirectory() as folder:
        inside = Path(folder)
        made = inside / f"made{network.suffix}"
        np.save(inside / "samples.npy", samples)
        order = {
            "float": str(network.absolute()),
            "out": str(made),
            "samples": str(inside / "samples.npy"),
            **options,
        }
        (inside / "order.json").write_text(json.dumps(order), encoding="utf-8")
        command = [str(python), "-W", "ignore", str(WORKER)]
        done = subprocess.run(
            [*command, str(inside / "order.json"), str(inside / "answer.json")],
            capture_output=True,
            text=True,
            env=environment,
        )
        told = (done.stdout.strip() or done.stderr.strip() or "no word").splitlines()[-1]
        if done.returncode == 4:
            raise Refusal(absent(network.suffix, f"{python}: {told}"))
        if done.returncode != 0:
            packages = PACKAGES[network.suffix][0]
            raise Refusal(f"quantize: {packages} does not take '{network}': {told[:MOST_SAID]}")
        answer = dict(json.loads((inside / "answer.json").read_text(encoding="utf-8")))
        out.write_bytes(made.read_bytes())
    return answer
