"""Compiles a program with the driver for a core, by clang-19 and lld-19.

python3 driver/port/baremetal/firmware.py main.c -o fw.elf              # Cortex-M33
python3 driver/port/baremetal/firmware.py main.c -o fw.elf --cpu m4     # Cortex-M4F
python3 driver/port/baremetal/firmware.py main.c -o fw.elf --cpu rv64   # RV64IMFC; aarch64

--kernels: with the kernels of the host; else networks with an operator of the host are refused.
Of driver/core, loadable.cpp (FlatBuffers) has its counterpart here.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]


@dataclass(frozen=True)
class Cpu:
    """What compiles for it, and the folder of what is its own: startup, timer, linker script."""

    folder: str
    target: str
    flags: tuple[str, ...]
    entry: str = "presil_entry"
    """Where it begins."""


def cortex_m(target: str, core: str, fpu: str) -> Cpu:
    return Cpu("arm", target, (f"-mcpu={core}", f"-mfpu={fpu}", "-mfloat-abi=hard"), "presil_reset")


CPUS = {
    "aarch64": Cpu("aarch64", "aarch64-none-elf", ("-mcpu=cortex-a53", "-mstrict-align")),
    "m33": cortex_m("thumbv8m.main-none-eabihf", "cortex-m33", "fpv5-sp-d16"),
    "m4": cortex_m("thumbv7em-none-eabihf", "cortex-m4", "fpv4-sp-d16"),
    "rv64": Cpu(
        "rv64",
        "riscv64-none-elf",
        ("-march=rv64imfc_zicsr_zifencei_zba_zbb", "-mabi=lp64f", "-mcmodel=medany"),
    ),
}
FLAGS = (
    "-ffreestanding -nostdlib -fno-builtin -fno-strict-aliasing -ffp-contract=off -fno-ident "
    "-fforce-dwarf-frame -ffunction-sections -fdata-sections -Wall -Wextra -Werror"
).split()
C = ["-std=c11"]
CPP = "-std=c++17 -Os -fno-exceptions -fno-rtti -fno-threadsafe-statics -fno-math-errno".split()
KERNELS = ROOT / "driver/kernels/host"
FAST = frozenset(("memory.c", "crc.c"))
"""Compiled for speed: they see every byte of a loadable."""


def sources(cpu: Cpu, kernels: bool) -> list[Path]:
    """The driver but for what needs libraries, and the port."""
    core = sorted((ROOT / "driver/core").glob("*.c"))
    own = KERNELS.glob("*.cpp" if kernels else "kernels.cpp")  # without: the table, its rows empty
    port = [*HERE.glob("*.c"), *(HERE / cpu.folder).glob("*.c")]
    return [*core, *sorted(port), *sorted(own)]


def startup(cpu: Cpu) -> list[Path]:
    """What a program needs that does not use the driver."""
    return [HERE / "fault.c", HERE / "memory.c", *sorted((HERE / cpu.folder).glob("s*.c"))]


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
    program: list[Path],
    out: Path,
    cpu: str,
    kernels: bool = False,
    driver: bool = True,
    script: Path | None = None,
    debug: bool = False,
    kept: Path | None = None,
) -> set[Path]:
    """Compiles and links, by the core's script or another; returns the files that went into it.

    driver: False: startup, memory and semihosting alone. debug: with lines of the source.
    kept: a folder of objects; those of an earlier call with the same options are taken from it.
    """
    core = CPUS[cpu]
    script = (script or HERE / core.folder / "link.ld").resolve()
    include = [f"-I{ROOT}", f"-I{ROOT / 'driver/include'}", f"-isystem{HERE / 'include'}"]
    machine = [f"--target={core.target}", *core.flags, *(["-g"] if debug else [])]
    with tempfile.TemporaryDirectory() as folder:
        objects, files = [], {script, Path(__file__).resolve()}
        parts = sources(core, kernels) if driver else startup(core)
        for source in [*parts, *program]:
            name = str(source.resolve()).replace("/", "_")
            made = (kept or Path(folder)) / f"{name}.o"
            command = [*language(source), *machine, *FLAGS, *include]
            if not made.exists():
                subprocess.run([*command, "-MD", "-c", str(source), "-o", str(made)], check=True)
            objects.append(str(made))
            files |= read_files(made)
        link = ["ld.lld-19", "-T", str(script), "--gc-sections", "--build-id=none"]
        link += ["-e", core.entry, "-z", "max-page-size=16"]  # frames stay, for backtraces
        link += objects
        subprocess.run([*link, "-o", str(out)], check=True)
    return files


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("program", nargs="+", type=Path)
    parser.add_argument("-o", dest="out", type=Path, required=True)
    parser.add_argument("--cpu", choices=sorted(CPUS), default="m33")
    parser.add_argument("--kernels", action="store_true", help="with operators of the host")
    parser.add_argument("--script", type=Path, help="of the linker")
    parser.add_argument("-g", dest="debug", action="store_true", help="with lines of the source")
    given = parser.parse_args()
    try:
        build(
            given.program,
            given.out,
            given.cpu,
            given.kernels,
            script=given.script,
            debug=given.debug,
        )
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
