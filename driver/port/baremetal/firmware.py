"""Compiles a program with the driver for a core of the M profile, by clang-19 and lld-19.

python3 driver/port/baremetal/firmware.py main.c -o fw.elf            # Cortex-M33
python3 driver/port/baremetal/firmware.py main.c -o fw.elf --cpu m4   # Cortex-M4F

Left out: driver/core/loadable.cpp and hash.c, which need FlatBuffers and nettle: a program that
loads a network does not link yet.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
CPUS = {
    "m33": ("thumbv8m.main-none-eabihf", "cortex-m33", "fpv5-sp-d16"),
    "m4": ("thumbv7em-none-eabihf", "cortex-m4", "fpv4-sp-d16"),
}
FLAGS = (
    "-std=c11 -Os -ffreestanding -nostdlib -fno-builtin -fno-strict-aliasing -ffp-contract=off "
    "-ffunction-sections -fdata-sections -Wall -Wextra -Werror"
).split()


def sources() -> list[Path]:
    """The driver but for what needs libraries, and the port."""
    core = [file for file in sorted((ROOT / "driver/core").glob("*.c")) if file.name != "hash.c"]
    return [*core, *sorted(HERE.glob("*.c"))]


def build(program: list[Path], out: Path, cpu: str) -> None:
    target, core, fpu = CPUS[cpu]
    include = [f"-I{ROOT}", f"-I{ROOT / 'driver/include'}", f"-isystem{HERE / 'include'}"]
    machine = [f"--target={target}", f"-mcpu={core}", f"-mfpu={fpu}", "-mfloat-abi=hard"]
    with tempfile.TemporaryDirectory() as folder:
        objects = []
        for i, source in enumerate([*sources(), *program]):
            made = Path(folder) / f"{i}.o"
            command = ["clang-19", *machine, *FLAGS, *include, "-c", str(source), "-o", str(made)]
            subprocess.run(command, check=True)
            objects.append(str(made))
        link = ["ld.lld-19", "-T", str(HERE / "link.ld"), "--gc-sections", *objects]
        subprocess.run([*link, "-o", str(out)], check=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("program", nargs="+", type=Path)
    parser.add_argument("-o", dest="out", type=Path, required=True)
    parser.add_argument("--cpu", choices=sorted(CPUS), default="m33")
    options = parser.parse_args()
    try:
        build(options.program, options.out, options.cpu)
    except FileNotFoundError as missing:
        print(
            f"firmware: {missing.filename} is not installed: apt install clang-19 lld-19",
            file=sys.stderr,
        )
        return 2
    except subprocess.CalledProcessError as failed:
        return int(failed.returncode)
    return 0


if __name__ == "__main__":
    sys.exit(main())
