"""What a build from clean costs, in CPU seconds by part: without ccache, with this machine's g++.

    build_time.py [--build DIR] [--every N] [--no-tests] [--cmake=-DX=Y]
    build_time.py --build DIR --touch compiler_bridge/plan/cost.cpp

CPU seconds, user and system, of each compilation, because other work on the machine stretches wall
time; a busy machine still makes them up to twice as many, so compare runs of the same hour.
--every N compiles each N-th file of a part and scales. --touch rebuilds one file in a folder that
is built, and runs the detector's network.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LOG = "PRESIL_BUILD_TIME_LOG"
NETWORK = "sim/nets/digits/digits.tflite"


def launch(command: Sequence[str]) -> int:
    """As CMake's compiler launcher: runs the compiler, appends a line to the log."""
    done = subprocess.run(command, check=False)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    output = command[command.index("-o") + 1] if "-o" in command else "-"
    line = f"{used.ru_utime + used.ru_stime:.3f} {output}\n"
    with open(os.environ[LOG], "a", encoding="utf-8") as log:
        log.write(line)
    return done.returncode


def part_of(output: str, tools: set[str]) -> str:
    """The row of the table that an object counts in."""
    if output in tools:
        return f"demo: {output.split('/')[0]}"
    if "/verilated/" in output or "/V" in output:
        return "test: Verilated blocks"
    if output.startswith("testbench/fuzz"):
        return "test: rooms with sanitizers"
    return f"test: {output.split('/')[0]}"


def ninja(build: Path, *arguments: str) -> str:
    command = ["ninja", "-C", str(build), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command)} failed:\n{done.stdout[-2000:]}")
    return done.stdout


def objects(build: Path, target: str) -> list[str]:
    return [f for f in ninja(build, "-t", "inputs", target).split() if f.endswith((".o", ".gch"))]


def configure(build: Path, tests: bool, options: list[str]) -> None:
    launcher = f"{sys.executable};{Path(__file__).resolve()};--launch"
    command = [
        *("cmake", "-S", str(ROOT), "-B", str(build), "-G", "Ninja"),
        f"-DPRESIL_TESTS={'ON' if tests else 'OFF'}",
        *(f"-DCMAKE_{language}_COMPILER_LAUNCHER={launcher}" for language in ("C", "CXX")),
        *options,
    ]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def measure(build: Path, every: int, tests: bool, options: list[str]) -> None:
    configure(build, tests, options)
    log = build / "build_time.log"
    log.unlink(missing_ok=True)
    os.environ[LOG] = str(log)
    tools = set(objects(build, "presil_tools"))
    chosen = defaultdict(list)
    for output in dict.fromkeys(objects(build, "all" if tests else "presil_tools")):
        chosen[part_of(output, tools)].append(output)
    for outputs in chosen.values():
        ninja(build, "presil_loadable_header", "presil_tflite_header", *outputs[::every])
    seconds: dict[str, float] = defaultdict(float)
    counted: dict[str, int] = defaultdict(int)
    for line in log.read_text(encoding="utf-8").splitlines():
        used, output = line.split(" ", 1)
        seconds[part_of(output, tools)] += float(used)
        counted[part_of(output, tools)] += 1
    print("| part | compilations | CPU seconds |\n|---|---:|---:|")
    total: dict[str, float] = defaultdict(float)
    for part in sorted(chosen):
        scaled = seconds[part] * len(chosen[part]) / max(1, counted[part])
        total[part.split(":")[0]] += scaled
        print(f"| {part} | {len(chosen[part])} | {scaled:.0f} |")
    for name, sum_ in sorted(total.items()):
        print(f"| **{name}** | | **{sum_:.0f}** |")


def touch(build: Path, file: Path) -> None:
    """Bytes change, so that no cache answers; the file is put back."""
    text = file.read_text(encoding="utf-8")
    os.environ["CCACHE_DISABLE"] = "1"
    os.environ.setdefault(LOG, os.devnull)

    def cpu() -> float:
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime

    ninja(build, "presil_tools")
    start = cpu()
    try:
        file.write_text(text + "// touched\n", encoding="utf-8")
        ninja(build, "presil_tools")
        built = cpu()
        environment = {
            **os.environ,
            "PYTHONPATH": str(ROOT / "sim/python"),
            "PRESIL_BUILD": str(build),
        }
        command = ["/usr/bin/python3", "-m", "presil", "run", str(ROOT / NETWORK), "--json"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment)
    finally:
        file.write_text(text, encoding="utf-8")
    name = file.relative_to(ROOT)
    print(
        f"{name}: rebuilt in {built - start:.1f}, {NETWORK} run in {cpu() - built:.1f} CPU seconds"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--build", type=Path, help="the build folder; without it one of its own")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--no-tests", action="store_true")
    parser.add_argument("--cmake", action="append", default=[], help="an option for CMake")
    parser.add_argument("--touch", type=Path)
    arguments = parser.parse_args()
    if arguments.touch is not None:
        if arguments.build is None:
            parser.error("--touch requires --build, a folder that is built")
        touch(arguments.build.resolve(), (ROOT / arguments.touch).resolve())
        return
    os.environ["CCACHE_DISABLE"] = "1"
    with tempfile.TemporaryDirectory() as own:
        build = arguments.build or Path(own)
        measure(build.resolve(), arguments.every, not arguments.no_tests, arguments.cmake)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--launch"]:
        sys.exit(launch(sys.argv[2:]))
    main()
