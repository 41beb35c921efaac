"""The prebuilt firmware is that of its sources, and is small and whole."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "sim" / "host_cpu"
IMAGES = sorted((FOLDER / "prebuilt").glob("*.elf"))
MADE = json.loads((FOLDER / "prebuilt" / "firmware.json").read_text(encoding="utf-8"))
TOOLS = ("clang-19", "ld.lld-19")
MOST_RAM_BYTES = 64 << 10
RV64 = {"rv64i", "m", "f", "c", "zicsr", "zifencei", "zmmul", "zba", "zbb", "zca"}


def readelf(image: Path, *options: str) -> str:
    tool = shutil.which("readelf")
    if tool is None:
        pytest.skip("SKIPPED: sections of the firmware are not looked at, no readelf here")
    return subprocess.run(
        [tool, *options, image], capture_output=True, text=True, check=True
    ).stdout


def digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def test_the_sources_are_those_it_was_built_from() -> None:
    now = {name: digest(ROOT / name) for name in MADE["sources"]}
    assert now == MADE["sources"], "sim/host_cpu/build.py"
    assert {image.name: digest(image) for image in IMAGES} == MADE["images"]
    cores = ("aarch64", "m33", "m4", "rv64")
    assert set(MADE["images"]) == {f"{c}{kind}.elf" for c in cores for kind in ("", "_program")}


def test_every_file_of_driver_and_kernels_is_in_it() -> None:
    core = {file for file in (ROOT / "driver/core").glob("*.c") if file.name != "hash.c"}
    kernels = set((ROOT / "driver/kernels/host").glob("*.cpp"))
    port = set((ROOT / "driver/port/baremetal").rglob("*.c"))
    names = {str(file.relative_to(ROOT)) for file in core | kernels | port}
    assert names <= set(MADE["sources"])


@pytest.mark.parametrize("image", IMAGES, ids=lambda image: image.stem)
def test_a_second_build_gives_the_same_bytes(tmp_path: Path, image: Path) -> None:
    """One image by default: compiling all takes half a minute."""
    cpu = image.stem.removesuffix("_program")
    if image.stem != "rv64" and os.environ.get("PRESIL_ALL") != "1":
        pytest.skip(f"SKIPPED: {image.name} is built again by PRESIL_ALL=1")
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    if missing:
        pytest.skip(f"SKIPPED: firmware is not compiled, no {' '.join(missing)} here")
    versions = [
        subprocess.run([tool, "--version"], capture_output=True, text=True).stdout.splitlines()[0]
        for tool in TOOLS
    ]
    if versions != [MADE["compiler"], MADE["linker"]]:
        pytest.skip(f"SKIPPED: the firmware is of {MADE['compiler']}, here is {versions[0]}")
    build = [sys.executable, FOLDER / "build.py", "--to", tmp_path, "--cpu", cpu]
    subprocess.run(build, check=True)
    assert (tmp_path / image.name).read_bytes() == image.read_bytes()


@pytest.mark.parametrize("image", IMAGES, ids=lambda image: image.stem)
def test_it_has_no_heap_and_no_constructors(image: Path) -> None:
    symbols = readelf(image, "-sW")
    assert re.search(r"\b(malloc|free|_Zn[aw]\w*|_sbrk)\b", symbols) is None
    assert re.search(r"\bUND +\S", symbols) is None
    sections = readelf(image, "-SW")
    assert ".init_array" not in sections and ".ctors" not in sections


@pytest.mark.parametrize("image", IMAGES, ids=lambda image: image.stem)
def test_it_is_small(image: Path) -> None:
    lines = [line.split() for line in readelf(image, "-lW").splitlines()]
    loads = [words for words in lines if words[:1] == ["LOAD"]]
    flash = sum(int(words[4], 16) for words in loads)
    ram = sum(int(words[5], 16) for words in loads if words[2].startswith("0x2"))
    assert flash <= 256 << 10
    assert ram <= MOST_RAM_BYTES


@pytest.mark.parametrize("image", IMAGES, ids=lambda image: image.stem)
def test_it_asks_for_no_more_than_its_core_has(image: Path) -> None:
    if image.stem.startswith("aarch64"):  # every core has the base architecture and floats
        assert re.search(r"Machine: +AArch64", readelf(image, "-h"))
        return
    attributes = readelf(image, "-A")
    if image.stem.startswith("rv64"):
        (arch,) = re.findall(r'Tag_RISCV_arch: "(\S+)"', attributes)
        extensions = {re.sub(r"\d+p\d+$", "", part) for part in arch.split("_")}
        assert extensions <= RV64, arch
        return
    assert "Tag_CPU_arch_profile: Microcontroller" in attributes
    arch = "v8-M.mainline" if image.stem.startswith("m33") else "v7E-M"
    assert re.findall(r"Tag_CPU_arch: (\S+)", attributes) == [arch]
