"""Where the values come from that a network's tensors should have: a runtime, or dumped arrays."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from . import paths
from .inputs import UNREADABLE
from .refusal import Refusal

NUMERICS_OF = {"tflite-micro": "tflite", "litert": "xnnpack", "onnxruntime": "onnx"}
"""Runtimes, and the integer rules that each defines."""
READS = {"tflite-micro": ".tflite", "litert": ".tflite", "onnxruntime": ".onnx"}
ENVIRONMENTS = ("runtimes", "train")
"""Those of `sim/presil test --all`: its own, and that of the bundled network's training."""
LONGEST = 120
MOST_SAID = 300
WORKER = Path(__file__).with_name("validate_worker.py")


@dataclass(frozen=True)
class Source:
    """Values by the tensors' names in the network's file, or by the names of files."""

    name: str
    version: str
    values: dict[str, np.ndarray]
    by_file: bool = False
    channels_first: bool = False
    """Whether its images are N, C, H, W."""

    def value_of(self, tensor: str, output: int | None) -> np.ndarray | None:
        """output: which output of the network it is, if it is one."""
        if not self.by_file:
            return self.values.get(tensor)
        numbered = None if output is None else self.values.get(f"out{output}")
        return self.values.get(file_stem(tensor), numbered)


def file_stem(tensor: str) -> str:
    """A tensor's name as that of its file: what is no letter, digit, '.', '_' or '-' is '_'."""
    stem = re.sub(r"[^A-Za-z0-9._-]+", "_", tensor) or "_"
    if len(stem) <= LONGEST:
        return stem
    return stem[:LONGEST] + "-" + hashlib.sha256(tensor.encode()).hexdigest()[:8]


def runtime_python() -> Path:
    """The interpreter of the environment that has the runtimes."""
    named = os.environ.get("PRESIL_RUNTIMES")
    made = [paths.CACHE / f"venv-{name}" / "bin" / "python" for name in ENVIRONMENTS]
    for file in [Path(named)] if named else made:
        if file.is_file():
            return file
    raise Refusal(
        f"validate: no runtimes at {named or paths.CACHE / 'venv-runtimes'}; "
        "set PRESIL_RUNTIMES to the Python of an environment with the packages ai-edge-litert, "
        "tflite-micro and onnxruntime"
    )


def of_runtime(name: str, network: Path, inputs: Sequence[np.ndarray]) -> Source:
    """Every tensor of a network as a runtime computes it, in a process that may die of it."""
    python = runtime_python()
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    with tempfile.TemporaryDirectory() as folder:
        given, answer = Path(folder) / "given.npz", Path(folder) / "answer.npz"
        numbered: dict[str, Any] = {str(i): array for i, array in enumerate(inputs)}
        np.savez(given, **numbered)
        command = [str(python), str(WORKER), name, str(network), str(given), str(answer)]
        done = subprocess.run(command, capture_output=True, text=True, env=environment)
        if done.returncode == 4:
            raise Refusal(f"validate: {python} cannot run {name}: {done.stdout.strip()}")
        if done.returncode != 0:
            own = done.stdout.strip().rpartition("\n")[2] if done.returncode == 3 else ""
            told = done.stderr.strip().rpartition("\n")[2]
            why = own or f"its process ended with code {done.returncode}"
            why = f"{why[:MOST_SAID]} ({told[:MOST_SAID]})" if told else why[:MOST_SAID]
            raise Refusal(f"validate: {name} does not compute '{network}': {why}")
        with np.load(answer, allow_pickle=False) as arrays:
            names = [str(n) for n in arrays["names"]]
            version = str(arrays["version"])
            values = {n: arrays[str(i)] for i, n in enumerate(names)}
    twice = [n for n, count in Counter(names).items() if count > 1]
    once = {n: v for n, v in values.items() if n not in twice}
    return Source(name, version, once, channels_first=name == "onnxruntime")


def of_folder(folder: Path) -> Source:
    """Arrays that another tool has written."""
    values = {}
    for file in sorted(folder.glob("*.npy")):
        try:
            values[file.stem] = np.load(file, allow_pickle=False)
        except UNREADABLE as error:
            raise Refusal(f"validate: '{file}' is not a .npy file ({error})") from error
    if not values:
        raise Refusal(
            f"validate: '{folder}' holds no .npy file, must hold one for each tensor, named as it "
            "(what is no letter, digit, '.', '_' or '-' is '_'), or out0.npy, out1.npy, ..."
        )
    return Source(str(folder), "", values, by_file=True)


def read_source(against: str, network: Path, inputs: Sequence[np.ndarray]) -> Source:
    if against in NUMERICS_OF:
        if network.suffix != READS[against]:
            raise Refusal(f"validate: {against} reads {READS[against]} files, '{network}' is none")
        return of_runtime(against, network, inputs)
    if Path(against).is_dir():
        return of_folder(Path(against))
    known = ", ".join(NUMERICS_OF)
    raise Refusal(
        f"validate: --against is '{against}', expected {known}, or a folder of .npy files"
    )
