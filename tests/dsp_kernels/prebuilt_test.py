"""The prebuilt image is that of its sources, and is what the DSP can take."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "driver" / "kernels" / "dsp"
IMAGES = sorted((FOLDER / "prebuilt").glob("*.elf"))
MADE = json.loads((FOLDER / "prebuilt" / "kernels.json").read_text(encoding="utf-8"))
TOOLS = ("clang-19", "ld.lld-19")

sys.path.insert(0, str(FOLDER))
import build  # noqa: E402


def readelf(image: Path, *options: str) -> str:
    tool = shutil.which("readelf")
    if tool is None:
        pytest.skip("SKIPPED: sections of the prebuilt kernels are not looked at, no readelf here")
    return subprocess.run(
        [tool, *options, image], capture_output=True, text=True, check=True
    ).stdout


def needs_compiler() -> None:
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    if missing:
        pytest.skip(f"SKIPPED: kernels are not compiled, no {' '.join(missing)} here")


def test_the_sources_are_those_it_was_built_from() -> None:
    assert build.hashes() == MADE["sources"], "driver/kernels/dsp/build.py --library"
    files = {image.name: hashlib.sha256(image.read_bytes()).hexdigest() for image in IMAGES}
    assert files == MADE["images"]
    assert set(files) == {f"{name}.elf" for name in build.LIBRARY}


def test_costs_are_fitted_to_runs_of_these_images() -> None:
    digest = hashlib.sha256(json.dumps(MADE["images"], sort_keys=True).encode()).hexdigest()
    text = (FOLDER / "prebuilt" / "cost_fit.h").read_text(encoding="utf-8")
    assert f"Images: {digest}" in text, "tests/bench/fit_cost.py --write"


def test_every_kernel_is_in_an_image() -> None:
    listed = {kernel for kernels in build.LIBRARY.values() for kernel in kernels.split()}
    assert listed | {"workspace"} == {source.stem for source in (FOLDER / "kernels").glob("*.cpp")}


def test_a_second_build_gives_the_same_bytes(tmp_path: Path) -> None:
    needs_compiler()
    here = [build.version(tool) for tool in TOOLS]
    if here != [MADE["compiler"], MADE["linker"]]:
        pytest.skip(f"SKIPPED: the prebuilt kernels are of {MADE['compiler']}, here is {here[0]}")
    command = [FOLDER / "build.py", "--library", "--to", tmp_path]
    subprocess.run([sys.executable, *command], check=True)
    for image in IMAGES:
        assert (tmp_path / image.name).read_bytes() == image.read_bytes()
    assert json.loads((tmp_path / "kernels.json").read_text(encoding="utf-8")) == MADE


@pytest.mark.parametrize("image", IMAGES, ids=lambda image: image.stem)
def test_nothing_is_undefined(image: Path) -> None:
    symbols = readelf(image, "-sW").splitlines()
    assert [line for line in symbols if re.search(r"\bUND +\S", line)] == []


@pytest.mark.parametrize("image", IMAGES, ids=lambda image: image.stem)
def test_it_asks_for_no_more_than_any_dsp_has(image: Path) -> None:
    arch = re.search(r'Tag_RISCV_arch: "([^"]*)"', readelf(image, "-A"))
    assert arch is not None
    names = {re.sub(r"\d+p\d+$", "", name) for name in arch.group(1).split("_")}
    # Zve32f at VLEN 128 brings these; m, f, c bring zmmul.
    known = {"rv64i", "m", "f", "c", "zicsr", "zicntr", "zba", "zbb", "zmmul"}
    known |= {"zve32f", "zve32x", "zvl32b", "zvl64b", "zvl128b"}
    assert names <= known


@pytest.mark.parametrize("image", IMAGES, ids=lambda image: image.stem)
def test_it_is_one_segment_of_code_that_leaves_room_in_itcm(image: Path) -> None:
    lines = [line.split() for line in readelf(image, "-lW").splitlines()]
    loads = [words for words in lines if words[:1] == ["LOAD"]]
    assert len(loads) == 1
    _, _, address, _, in_file, in_memory, *flags = loads[0]
    assert int(address, 16) == 0x10000000 and in_file == in_memory and flags[:2] == ["R", "E"]
    assert int(in_file, 16) <= build.MOST == 56 * 1024


@pytest.mark.parametrize("image", IMAGES, ids=lambda image: image.stem)
def test_it_has_no_constructors_and_no_variables_with_values(image: Path) -> None:
    sections = readelf(image, "-SW")
    assert ".init_array" not in sections and ".ctors" not in sections
    assert not re.search(r" \.s?data ", sections)


def built(tmp_path: Path, text: str, suffix: str) -> subprocess.CompletedProcess[str]:
    needs_compiler()
    source = tmp_path / f"mine{suffix}"
    source.write_text("#include <presil/dsp_kernel.h>\n" + text, encoding="utf-8")
    command = [sys.executable, FOLDER / "build.py", source, "-o", tmp_path / "mine.elf"]
    return subprocess.run(command, capture_output=True, text=True)


BODY = """
static int32_t mine(const DLTensor* in, DLTensor* out, const uint32_t* params) {
  (void)in, (void)params;
  EXTRA
  return 0;
}
PRESIL_KERNEL(mine)
"""


@pytest.mark.parametrize("suffix", [".c", ".cpp"])
def test_a_kernel_of_ones_own_is_built(tmp_path: Path, suffix: str) -> None:
    extra = "*(int8_t*)presil_dsp_data(out) = 1;"
    done = built(tmp_path, BODY.replace("EXTRA", extra), suffix)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "mine.elf").is_file()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("static int32_t n = 5;" + BODY.replace("EXTRA", "out->ndim = n++;"), "begin at 0"),
        (
            "int32_t f();\nstruct S { S() : n(f()) {} int32_t n; };\nint32_t f() { return 1; }\n"
            "S s;" + BODY.replace("EXTRA", "out->ndim = s.n++;"),
            "no constructors|begin at 0",
        ),
        (BODY.replace("EXTRA", "*(float*)out->data = out->ndim * 1.1;"), "__muldf3"),
        ("extern int32_t f(void);" + BODY.replace("EXTRA", "out->ndim = f();"), "undefined symbol"),
    ],
)
def test_what_the_dsp_has_not_is_refused_by_name(tmp_path: Path, text: str, said: str) -> None:
    done = built(tmp_path, text, ".cpp")
    assert done.returncode == 1
    assert re.search(said, done.stderr), done.stderr
