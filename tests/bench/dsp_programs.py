"""Compiles dsp_programs.c with clang-19 and lld-19 and prints dsp_programs.h.

python3 tests/bench/dsp_programs.py           # writes it
python3 tests/bench/dsp_programs.py --check   # exit 1 if it is stale
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import printed_programs

HERE = Path(__file__).resolve().parent
SOURCE = HERE / "dsp_programs.c"
PROGRAMS = ("HEAP_SORT", "CRC", "DOT", "REQUANTISE", "DOT_INTRINSICS", "REQUANTISE_INTRINSICS")
CODE = 0x10000000  # ITCM
FLAGS = (
    "--target=riscv64-unknown-elf -march=rv64imfc_zicsr_zba_zbb_zve64f_zvl128b -mabi=lp64f "
    "-mcmodel=medany -O3 -ffreestanding -nostdlib -fno-math-errno -fno-trapping-math "
    "-ffp-contract=off -fno-slp-vectorize -ffunction-sections"
).split()


def compiled(program: str) -> bytes:
    """The program's bytes at CODE; its first instruction is where it is entered."""
    with tempfile.TemporaryDirectory() as folder:
        made, linked = Path(folder) / "program.o", Path(folder) / "program.bin"
        subprocess.run(
            ["clang-19", *FLAGS, f"-D{program}", "-c", str(SOURCE), "-o", str(made)], check=True
        )
        subprocess.run(
            ["ld.lld-19", "--oformat=binary", f"--section-start=.text.program={CODE:#x}",
             "-e", "program", "--gc-sections", str(made), "-o", str(linked)],
            check=True,
        )  # fmt: skip
        return linked.read_bytes()


if __name__ == "__main__":
    sys.exit(printed_programs.main(HERE / "dsp_programs.h", "presil::dsp", PROGRAMS, compiled))
