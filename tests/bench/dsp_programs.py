"""Compiles dsp_programs.c with clang-19 and lld-19 and prints dsp_programs.h.

python3 tests/bench/dsp_programs.py           # writes it
python3 tests/bench/dsp_programs.py --check   # exit 1 if it is stale
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
SOURCE = HERE / "dsp_programs.c"
PRINT = HERE / "dsp_programs.h"
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


def printed() -> str:
    lines = [
        "// Printed by tests/bench/dsp_programs.py from dsp_programs.c: do not edit.",
        "#pragma once",
        "",
        "#include <cstdint>",
        "",
        "namespace presil::dsp {",
        "",
    ]
    for program in PROGRAMS:
        code = compiled(program)
        name = "".join(word.capitalize() for word in program.split("_"))
        lines.append(f"inline constexpr uint8_t k{name}[] = {{")
        for at in range(0, len(code), 16):
            row = ", ".join(f"0x{byte:02x}" for byte in code[at : at + 16])
            lines.append(f"    {row},")
        lines += ["};", ""]
    return "\n".join([*lines, "}  // namespace presil::dsp", ""])


def main() -> int:
    text = printed()
    if "--check" in sys.argv[1:]:
        stale = not PRINT.is_file() or PRINT.read_text(encoding="utf-8") != text
        if stale:
            print(f"{PRINT.name} is stale: call tests/bench/dsp_programs.py", file=sys.stderr)
        return int(stale)
    PRINT.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
