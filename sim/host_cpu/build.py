#!/usr/bin/env python3
"""Builds the driver as firmware for every core, into prebuilt/ beside it.

    sim/host_cpu/build.py                 prebuilt/*.elf, firmware.json
    sim/host_cpu/build.py --to FOLDER     the same, somewhere else
    sim/host_cpu/build.py --cpu m33       those of one core alone

Requires clang-19 and lld-19. firmware.json has the SHA-256 of every source and image.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "driver" / "port" / "baremetal"))
import firmware  # noqa: E402

MOST_BYTES = 640 << 10
MAIN = HERE / "firmware" / "main.c"
PROGRAM = HERE / "program"
"""Of images with a network: what `presil firmware` puts it to."""


def hashes(files: set[Path]) -> dict[str, str]:
    """Of each file its SHA-256."""
    return {
        str(file.relative_to(ROOT)): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in sorted(files)
    }


def version(tool: str) -> str:
    done = subprocess.run([tool, "--version"], capture_output=True, text=True, check=True)
    return done.stdout.splitlines()[0]


def build(folder: Path, cpus: list[str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    images, files = {}, {Path(__file__).resolve()}
    for cpu in cpus:
        program = folder / f"{cpu}_program.elf"
        with tempfile.TemporaryDirectory() as objects:
            for main, image, script in (
                (MAIN, folder / f"{cpu}.elf", None),
                (PROGRAM / "main.c", program, PROGRAM / "link.ld"),
            ):
                files |= firmware.build(
                    [main], image, cpu, kernels=True, script=script, kept=Path(objects)
                )
                image.chmod(0o644)
                bytes_ = image.read_bytes()
                if len(bytes_) > MOST_BYTES:
                    raise SystemExit(
                        f"{image} has {len(bytes_)} bytes, must be at most {MOST_BYTES}"
                    )
                images[image.name] = hashlib.sha256(bytes_).hexdigest()
    if cpus != sorted(firmware.CPUS):
        return  # firmware.json is of all
    made = {
        "compiler": version("clang-19"),
        "linker": version("ld.lld-19"),
        "images": images,
        "sources": hashes(files),
    }
    text = json.dumps(made, indent=1) + "\n"
    (folder / "firmware.json").write_text(text, encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--to", type=Path, default=HERE / "prebuilt", help="folder of the images")
    every = sorted(firmware.CPUS)
    parser.add_argument("--cpu", choices=every, help="of this core alone, without firmware.json")
    options = parser.parse_args()
    try:
        build(options.to, [options.cpu] if options.cpu else every)
    except FileNotFoundError as missing:
        print(
            f"build.py: {missing.filename} is not installed: apt install clang-19 lld-19",
            file=sys.stderr,
        )
        return 2
    except subprocess.CalledProcessError as failed:
        return int(failed.returncode)
    return 0


if __name__ == "__main__":
    sys.exit(main())
