"""Compiles cpu_programs.c with clang-19 and lld-19 and prints cpu_programs.h.

python3 tests/bench/cpu_programs.py           # writes it
python3 tests/bench/cpu_programs.py --check   # exit 1 if it is stale
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import printed_programs

HERE = Path(__file__).resolve().parent
SOURCE = HERE / "cpu_programs.c"
PROGRAMS = ("LIST", "MATRIX", "STATE", "CRC", "DRIVER", "FLOAT")
CODE = 0x1000  # after the vector table
SCRIPT = f"""
SECTIONS {{
  . = {CODE:#x};
  .text : {{ *(.text.program) *(.text*) *(.rodata*) }}
  /DISCARD/ : {{ *(.ARM.exidx*) }}
}}
"""
FLAGS = (
    "--target=thumbv7em-none-eabihf -mcpu=cortex-m4 -O3 -ffreestanding -nostdlib "
    "-fno-math-errno -fno-trapping-math -ffp-contract=off -fno-unroll-loops -ffunction-sections"
).split()


def compiled(program: str) -> bytes:
    """The program's bytes at CODE; its first instruction is where it is entered."""
    with tempfile.TemporaryDirectory() as folder:
        made, linked = Path(folder) / "program.o", Path(folder) / "program.bin"
        script = Path(folder) / "program.ld"
        script.write_text(SCRIPT, encoding="utf-8")
        subprocess.run(
            ["clang-19", *FLAGS, f"-D{program}", "-c", str(SOURCE), "-o", str(made)], check=True
        )
        subprocess.run(
            ["ld.lld-19", "--oformat=binary", "-T", str(script), str(made), "-o", str(linked)],
            check=True,
        )
        return linked.read_bytes()


if __name__ == "__main__":
    sys.exit(printed_programs.main(HERE / "cpu_programs.h", "presil::cpu", PROGRAMS, compiled))
