"""Outputs of another runtime, in a process of the environment that has it."""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path

import numpy as np

from ..refusal import Refusal
from ..validate_source import MOST_SAID, READS, runtime_python

RUNTIMES = tuple(READS)
WORKER = Path(__file__).with_name("runtime_worker.py")


def outputs_of_runtime(name: str, file: str, arrays: np.ndarray) -> list[np.ndarray]:
    """Of each output all samples, computed one after another. arrays: samples on the first axis."""
    python = runtime_python()
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    with tempfile.TemporaryDirectory() as folder:
        given, answer = Path(folder) / "given.npy", Path(folder) / "answer.npz"
        np.save(given, arrays)
        command = [str(python), str(WORKER), name, str(Path(file).absolute())]
        done = subprocess.run(
            [*command, str(given), str(answer)], capture_output=True, text=True, env=environment
        )
        if done.returncode != 0:
            lines = (done.stdout.strip() or done.stderr.strip() or "no word").splitlines()
            raise Refusal(
                f"eval: {name} does not compute '{file}' in {python}: {lines[-1][:MOST_SAID]}"
            )
        with np.load(answer, allow_pickle=False) as made:
            return [made[str(k)] for k in range(len(made.files))]


def check_runtime(name: str, file: str) -> None:
    if Path(file).suffix != READS[name]:
        raise Refusal(f"eval: {name} reads {READS[name]} files, '{file}' is none")
