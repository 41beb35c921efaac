"""TOSA as MLIR, text or bytecode: `tosa-opt` of the package tosa-tools makes a .tosa file of it."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

from .refusal import Refusal

BYTECODE = b"ML\xefR"
SUFFIXES = (".mlir", ".mlirbc")
TOOL = "tosa-opt"
PASSES = ("--tosa-convert-integer-type-to-signless", "--tosa-serialize")
LONGEST_S = 600


def is_mlir(path: Path, data: bytes) -> bool:
    return data.startswith(BYTECODE) or path.suffix in SUFFIXES


def serialized(path: Path) -> bytes:
    """The .tosa file of an MLIR one; refused where the tool is not installed, or refuses it."""
    tool = shutil.which(TOOL)
    if tool is None:
        raise Refusal(
            f"import: '{path}' is MLIR, which {TOOL} makes a .tosa file of; there is no {TOOL} in "
            "PATH: install the package tosa-tools, or run elsewhere `tosa-opt "
            f"{' '.join(PASSES)} --tosa-flatbuffer-filename=NET.tosa {path.name}` and give NET.tosa"
        )
    with tempfile.TemporaryDirectory(prefix="presil-mlir-") as folder:
        made = Path(folder) / "net.tosa"
        to = f"--tosa-flatbuffer-filename={made}"
        command = [tool, str(path), *PASSES, to, "-o", "/dev/null"]
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, errors="replace", timeout=LONGEST_S
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise Refusal(f"import: '{path}': {TOOL} ({tool}) does not run: {error}") from error
        if done.returncode != 0 or not made.is_file():
            said = " ".join(done.stderr.split())[:400] or f"it ends with {done.returncode}"
            raise Refusal(
                f"import: '{path}': {TOOL} makes no .tosa file of it: {said}; export it as TOSA 1.0"
            )
        return made.read_bytes()
