"""Compiles a program with the driver for a core of the M profile, by clang-19 and lld-19.

python3 driver/port/baremetal/firmware.py main.c -o fw.elf            # Cortex-M33
python3 driver/port/baremetal/firmware.py main.c -o fw.elf --cpu m4   # Cortex-M4F

--kernels: with the kernels of the host; else networks with an operator of the host are refused.
Of driver/core, loadable.cpp (FlatBuffers) has its counterpart here.
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
    "-ffreestanding -nostdlib -fno-builtin -fno-strict-aliasing -ffp-contract=off -fno-ident "
    "-ffunction-sections -fdata-sections -Wall -Wextra -Werror"
).split()
C = ["-std=c11"]
CPP = "-std=c++17 -Os -fno-exceptions -fno-rtti -fno-threadsafe-statics -fno-math-errno".split()
KERNELS = ROOT / "driver/kernels/host"
SCRIPT = HERE / "link.ld"
FAST = frozenset(("memory.c", "crc.c"))
"""Compiled for speed: they see every byte of a loadable."""


def sources(kernels: bool) -> list[Path]:
    """The driver but for what needs libraries, and the port."""
    core = sorted((ROOT / "driver/core").glob("*.c"))
    own = KERNELS.glob("*.cpp" if kernels else "kernels.cpp")  # without: the table, its rows empty
    return [*core, *sorted(HERE.glob("*.c")), *sorted(own)]


def language(source: Path) -> list[str]:
    if source.suffix == ".S":
        return ["clang-19"]
    if source.suffix == ".c":
        return ["clang-19", *C, "-O2" if source.name in FAST else "-Os"]
    weak = ["-include", str(HERE / "weak_kernels.h")] if source.name == "kernels.cpp" else []
    return ["clang++-19", *CPP, *weak]


def read_files(made: Path) -> set[Path]:
    """Of the project, what an object was compiled from."""
    words = made.with_suffix(".d").read_text(encoding="utf-8").replace("\\\n", " ").split()
    files = {Path(word).resolve() for word in words[1:]}
    return {file for file in files if ROOT in file.parents}


def build(
    program: list[Path], out: Path, cpu: str, kernels: bool = False, script: Path = SCRIPT
) -> set[Path]:
    """Compiles and links by a script; returns the files that went into it."""
    target, core, fpu = CPUS[cpu]
    include = [f"-I{ROOT}", f"-I{ROOT / 'driver/include'}", f"-isystem{HERE / 'include'}"]
    machine = [f"--target={target}", f"-mcpu={core}", f"-mfpu={fpu}", "-mfloat-abi=hard"]
    with tempfile.TemporaryDirectory() as folder:
        objects, files = [], {script.resolve(), Path(__file__).resolve()}
        for i, source in enumerate([*sources(kernels), *program]):
            made = Path(folder) / f"{i}.o"
            command = [*language(source), *machine, *FLAGS, *include]
            subprocess.run([*command, "-MD", "-c", str(source), "-o", str(made)], check=True)
            objects.append(str(made))
            files |= read_files(made)
        link = ["ld.lld-19", "-T", str(script), "--gc-sections", "--build-id=none"]
        link += ["--strip-debug", "-z", "max-page-size=16", *objects]
        subprocess.run([*link, "-o", str(out)], check=True)
    return files


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("program", nargs="+", type=Path)
    parser.add_argument("-o", dest="out", type=Path, required=True)
    parser.add_argument("--cpu", choices=sorted(CPUS), default="m33")
    parser.add_argument("--kernels", action="store_true", help="with operators of the host")
    parser.add_argument("--script", type=Path, default=SCRIPT, help="of the linker")
    options = parser.parse_args()
    try:
        build(options.program, options.out, options.cpu, options.kernels, options.script)
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
