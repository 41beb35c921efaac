#!/usr/bin/env python3
"""Builds an image for the DSP out of kernels: ELF, one segment, symbols kept.

    driver/kernels/dsp/build.py mine.cpp -o mine.elf          kernels of your own
    driver/kernels/dsp/build.py --library                     presil's, into prebuilt/ beside it
    driver/kernels/dsp/build.py --library --to FOLDER         the same, somewhere else

Requires clang-19 and lld-19 (another pair: --clang, --linker). --show prints the commands.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shlex
import shutil
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
EXTENSIONS = "rv64imfc_zicsr_zicntr_zba_zbb_zve32f_zvl128b"

# Why each of them: driver/kernels/dsp/README.md.
FLAGS = """
    --target=riscv64-unknown-elf -mabi=lp64f -mcmodel=medany -O3 -ffreestanding -nostdlib
    -fno-math-errno -fno-trapping-math -ffp-contract=off -fno-slp-vectorize -ffunction-sections
    -fdata-sections -fno-ident -mno-relax -Wall -Wextra -Werror -Wdouble-promotion
    -Wframe-larger-than=7168 -Wvla
""".split()
# The library's images, each of what some networks need: one that has all kernels of a network is
# selected once. Each has to fit in MOST bytes.
LIBRARY = {
    "boxes": "nms yolo_decode",
    "moves": "moves",
    "pairs": "pair_i8 prelu_i8",
    "rows": "pair_i8 reduce softmax_i8",
    "rows_by_table": "pair_i8 reduce softmax_table_i8",
    "lstm": "lstm_i8",
    "recurrent": "lstm_i8 moves quantise reduce softmax_i8 table_i8",
    "segmentation": "arg cast depthwise_conv2d_i8 moves quantise resize_bilinear_i8",
    "sums": "cast pair_f32 quantise",
    "elements": "cast moves pair_i8 prelu_i8 quantise requantise resize_nearest table_i8",
    "integers": """
        arg cast moves pair_i8 quantise reduce requantise resize_bilinear_i8 resize_nearest
        softmax_i8 softmax_table_i8 table_i8 top_k""",
    "dynamic": """
        conv2d_f32 dynamic_input dynamic_result function_f32 image_f32 moves pair_f32 reduce_f32
        softmax_f32""",
    "wide": "cast moves quantise requantise wide_bytes wide_result",
    "floats": """
        arg cast conv2d_f32 function_f32 image_f32 layer_norm_f32 moves pair_f32 quantise reduce_f32
        resize_bilinear_f32 resize_nearest softmax_f32 table_i8""",
    "detection": """
        box_decode detection_post_process moves nms pair_i8 quantise requantise
        resize_nearest softmax_i8 softmax_table_i8 table_i8 top_k yolo_decode""",
}
MOST = 56 << 10
CPP = ["-std=c++17", "-fno-exceptions", "-fno-rtti", "-fno-threadsafe-statics"]
C = ["-std=c11"]


class Failed(Exception):
    pass


def run(command: list[str], show: bool) -> None:
    if show:
        print(shlex.join(command))
    done = subprocess.run(command, capture_output=True, text=True)
    if done.stderr:
        print(done.stderr, file=sys.stderr, end="")
    if done.returncode != 0:
        raise Failed(f"{shlex.join(command[:1])} ended with {done.returncode}")


def compile_to(folder: Path, sources: list[Path], args: argparse.Namespace) -> list[str]:
    """The objects of `sources` and of the runtime."""
    include = HERE if (HERE / "include" / "presil").is_dir() else ROOT / "driver"
    objects = []
    for number, source in enumerate([*sources, HERE / "runtime.c"]):
        to = folder / f"{number}_{source.stem}.o"
        language = C if source.suffix == ".c" else CPP
        own = ["-fno-builtin"] if source.parent == HERE else []
        command = [args.clang, f"-march={args.march}", *FLAGS, *language, *own]
        command += ["-I", str(include / "include"), "-I", str(ROOT), *args.option]
        run([*command, "-c", str(source), "-o", str(to)], args.show)
        objects.append(str(to))
    return objects


def link(objects: list[str], out: Path, args: argparse.Namespace) -> None:
    command = [args.linker, "-T", str(HERE / "kernel.ld"), "--gc-sections", "-e", "0"]
    command += ["--no-relax", "--build-id=none", "--strip-debug", "--discard-locals"]
    run([*command, "--no-undefined", *objects, "-o", str(out)], args.show)


def build(sources: list[Path], out: Path, args: argparse.Namespace) -> None:
    """Compiles `sources` and the runtime, links them into `out`."""
    with tempfile.TemporaryDirectory() as folder:
        link(compile_to(Path(folder), sources, args), out, args)


def hashes() -> dict[str, str]:
    """What the library is made of, and each file's SHA-256."""
    files = [HERE / "runtime.c", HERE / "kernel.ld", HERE / "build.py"]
    files += [ROOT / "driver" / "include" / "presil" / "dsp_kernel.h"]
    files += sorted(HERE.glob("*.h")) + sorted((HERE / "kernels").glob("*"))
    return {
        str(file.relative_to(ROOT)): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in sorted(files)
        if file.is_file()
    }


def version(tool: str) -> str:
    done = subprocess.run([tool, "--version"], capture_output=True, text=True, check=True)
    return done.stdout.splitlines()[0]


def code_bytes(elf: bytes) -> int:
    """Of the one segment that is loaded."""
    headers = struct.unpack_from("<Q", elf, 32)[0]
    return struct.unpack_from("<Q", elf, headers + 32)[0]


def build_library(folder: Path, args: argparse.Namespace) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    sources = sorted((HERE / "kernels").glob("*.cpp"))
    images = {}
    with tempfile.TemporaryDirectory() as temporary:
        *objects, runtime = compile_to(Path(temporary), sources, args)
        of = dict(zip([source.stem for source in sources], objects))
        for name, kernels in LIBRARY.items():
            image = folder / f"{name}.elf"
            of_image = [of[kernel] for kernel in [*kernels.split(), "workspace"]]
            link([*of_image, runtime], image, args)
            elf = image.read_bytes()
            if code_bytes(elf) > MOST:
                raise Failed(f"{image.name} has {code_bytes(elf)} bytes, must be at most {MOST}")
            images[image.name] = hashlib.sha256(elf).hexdigest()
    made = {
        "march": args.march,
        "compiler": version(args.clang),
        "linker": version(args.linker),
        "images": images,
        "sources": hashes(),
    }
    text = json.dumps(made, indent=1) + "\n"
    (folder / "kernels.json").write_text(text, encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sources", nargs="*", type=Path, help="C or C++, each with PRESIL_KERNEL")
    parser.add_argument("-o", "--out", type=Path, default=Path("kernels.elf"))
    parser.add_argument("--library", action="store_true", help="presil's own kernels")
    parser.add_argument("--to", type=Path, default=HERE / "prebuilt", help="folder of the library")
    parser.add_argument("--march", default=EXTENSIONS)
    parser.add_argument("--option", action="append", default=[], help="one more, of the compiler")
    parser.add_argument("--clang", default="clang-19")
    parser.add_argument("--linker", default="ld.lld-19")
    parser.add_argument("--show", action="store_true", help="print the commands")
    args = parser.parse_args()
    for tool in (args.clang, args.linker):
        if shutil.which(tool) is None:
            print(f"build.py: no '{tool}' here; Debian: apt install clang-19 lld-19; "
                  "another one: --clang, --linker", file=sys.stderr)  # fmt: skip
            return 2
    try:
        if args.library:
            build_library(args.to, args)
        elif args.sources:
            build([source.resolve() for source in args.sources], args.out, args)
        else:
            parser.error("sources, or --library")
    except Failed as failed:
        print(f"build.py: {failed}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
