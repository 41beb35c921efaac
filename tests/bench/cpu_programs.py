"""Compiles cpu_programs.c with clang-19 and lld-19 and prints cpu_programs.h.

python3 tests/bench/cpu_programs.py           # writes it
python3 tests/bench/cpu_programs.py --check   # exit 1 if it is stale
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
SOURCE = HERE / "cpu_programs.c"
PRINT = HERE / "cpu_programs.h"
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


def printed() -> str:
    lines = [
        "// Printed by tests/bench/cpu_programs.py from cpu_programs.c: do not edit.",
        "#pragma once",
        "",
        "#include <cstdint>",
        "",
        "namespace presil::cpu {",
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
    return "\n".join([*lines, "}  // namespace presil::cpu", ""])


def main() -> int:
    text = printed()
    if "--check" in sys.argv[1:]:
        stale = not PRINT.is_file() or PRINT.read_text(encoding="utf-8") != text
        if stale:
            print(f"{PRINT.name} is stale: call tests/bench/cpu_programs.py", file=sys.stderr)
        return int(stale)
    PRINT.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
