"""An engine's folder, copied out of the checkout, against an installed presil: it builds, its tests
pass, its mutations are caught, and what is wrong with a folder stops CMake with one sentence."""

from __future__ import annotations

import filecmp
import os
import pickle
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import presil
import pytest
import yaml
from presil import contract, paths

CACHE = Path(os.environ.get("PRESIL_CACHE", Path.home() / ".cache" / "presil"))
PYTHON = Path(os.environ.get("PRESIL_RDL_VENV", CACHE / "venv-rdl")) / "bin" / "python"
EXAMPLE = paths.ROOT / "testbench" / "example_engine"


def call(*command: str | Path, cwd: Path, code: int | None = 0) -> subprocess.CompletedProcess[str]:
    """A command as called without a checkout. `code` None: it must fail."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("PRESIL_", "PYTHON"))}
    done = subprocess.run(
        list(map(str, command)), capture_output=True, text=True, cwd=cwd, env=clean, timeout=1500
    )
    wrong = done.returncode == 0 if code is None else done.returncode != code
    assert not wrong, (command, done.stdout[-3000:], done.stderr[-3000:])
    return done


@pytest.fixture(scope="module")
def prefix(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not PYTHON.is_file():
        pytest.skip(f"SKIPPED: no contract is printed, there is no {PYTHON}")
    folder = tmp_path_factory.mktemp("prefix") / "P"
    call(
        "cmake",
        "--build",
        paths.BUILD,
        "--target",
        "presil_driver",
        "presil_port_mock",
        cwd=folder.parent,
    )
    call(
        *("cmake", "--install", paths.BUILD, "--component", "driver", "--prefix", folder),
        cwd=folder.parent,
    )
    return folder


def configure(prefix: Path, folder: Path, code: int | None = 0) -> str:
    ccache = shutil.which("ccache")
    launchers = [f"-DCMAKE_{x}_COMPILER_LAUNCHER={ccache}" for x in ("C", "CXX") if ccache]
    done = call(
        *("cmake", "-S", folder, "-B", folder / "build", "-G", "Ninja"),
        *("-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CXX_FLAGS_RELEASE=-O1"),  # compiled once, run once
        f"-DCMAKE_PREFIX_PATH={prefix}",
        *(f"-DPRESIL_RDL_PYTHON={PYTHON}", *launchers),
        cwd=folder,
        code=code,
    )
    return re.sub(r"\s+", " ", done.stdout + done.stderr)


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    mine = tmp_path_factory.mktemp("copied") / "mine"
    shutil.copytree(EXAMPLE, mine)
    return mine


@pytest.fixture
def folder(copied: Path) -> Iterator[Path]:
    """One for all tests, which find what was built before; what one changes is taken back."""
    yield copied
    for sound in (f for f in EXAMPLE.rglob("*") if f.is_file()):
        file = copied / sound.relative_to(EXAMPLE)
        if not file.is_file() or not filecmp.cmp(sound, file, shallow=False):
            shutil.copyfile(sound, file)  # newer than what was built of the changed one


def test_nothing_that_is_installed_for_engines_knows_the_checkout(prefix: Path) -> None:
    kit = prefix / "share" / "presil" / "engine"
    files = [f for f in kit.rglob("*") if f.is_file()]
    assert len([f for f in files if f.name == "engine.yaml"]) == len(contract.ENGINES)
    needed = {"engine_plugin.h", "print.py", "queue_frontend.sv", "timeline.cpp", "engine_top.h"}
    assert needed <= {f.name for f in files}
    assert not [f for f in files if str(paths.ROOT).encode() in f.read_bytes()]
    assert not [f for f in files if f.name == "CMakeLists.txt" or "__pycache__" in f.parts]


def test_a_copied_folder_builds_and_its_tests_pass(
    prefix: Path, folder: Path, everything: bool
) -> None:
    configure(prefix, folder)
    only = [] if everything else ["-E", "Rtl|rtl"]
    if everything:
        call("cmake", "--build", folder / "build", cwd=folder)
    else:
        quick = subprocess.run(
            ["ninja", "-C", folder / "build", "-t", "targets", "all"],
            capture_output=True,
            text=True,
        ).stdout
        programs = re.findall(r"^tests/(\w+): CXX_EXECUTABLE", quick, re.M)
        targets = [name for name in programs if "rtl" not in name]
        assert len(targets) >= 3
        call("cmake", "--build", folder / "build", "--target", *targets, cwd=folder)
    said = call("ctest", "--test-dir", folder / "build", *only, cwd=folder).stdout
    assert "100% tests passed" in said


def test_networks_are_compiled_for_it_and_run(prefix: Path, folder: Path) -> None:
    name = yaml.safe_load((folder / "engine.yaml").read_text(encoding="utf-8"))["name"]
    configure(prefix, folder)
    call("cmake", "--build", folder / "build", "--target", f"engine_{name}", cwd=folder)
    b = presil.Builder("upscale", "tflite")
    b.output(b.resize_bilinear(b.input("x", (1, 12, 12, 16), scale=0.5), size=(30, 24)))
    program = (
        "import pickle, sys, presil\n"
        "graph, folder = pickle.load(sys.stdin.buffer)\n"
        "alone = presil.run(graph, check='layers')\n"
        "beside = presil.run(graph, check='layers', engines=[folder])\n"
        "busy = beside.record['engines'][presil.load_engine(folder)]['busy']\n"
        "print(alone.exact, beside.exact, busy > 0, beside.cycles < alone.cycles)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        input=pickle.dumps((b.build(), str(folder))),
        capture_output=True,
        env=dict(os.environ, PYTHONPATH=str(paths.ROOT / "sim" / "python")),
        timeout=300,
    )
    assert done.stdout.split() == [b"True"] * 4, (done.stdout, done.stderr)


def test_each_mutation_is_caught_and_located(prefix: Path, folder: Path, everything: bool) -> None:
    mutations = yaml.safe_load((folder / "tests" / "mutations.yaml").read_text(encoding="utf-8"))
    assert {Path(m["file"]).suffix for m in mutations} >= {".cpp", ".sv"}
    configure(prefix, folder)
    for m in mutations:
        if not everything and m["file"].endswith(".sv"):
            continue  # Verilates the engine once more
        file = folder / m["file"]
        sound = file.read_text(encoding="utf-8")
        assert sound.count(m["from"]) == 1, m
        file.write_text(sound.replace(m["from"], m["to"]), encoding="utf-8")
        call("cmake", "--build", folder / "build", "--target", m["test"][0], cwd=folder)
        program = folder / "build" / "tests" / m["test"][0]
        said = call(program, *m["test"][1:], cwd=folder, code=1).stdout
        assert re.search(m["says"], said), (m, said[-2000:])
        file.write_text(sound, encoding="utf-8")


def test_each_mutation_of_the_rtl_is_caught_and_located_in_lockstep(
    prefix: Path, folder: Path, everything: bool
) -> None:
    """Its library is built from the folder; what runs it in lock-step is of this tree."""
    if not everything:
        pytest.skip("SKIPPED: a build of the RTL for each mutation is for `presil test --all`")
    name = yaml.safe_load((folder / "engine.yaml").read_text(encoding="utf-8"))["name"]
    mutations = yaml.safe_load((folder / "tests" / "mutations.yaml").read_text(encoding="utf-8"))
    mutations = [m for m in mutations if "lockstep" in m]
    assert len(mutations) >= 2
    configure(prefix, folder)
    for m in mutations:
        found = m["lockstep"]
        call("cmake", "--build", paths.BUILD, "--target", found["test"][0], cwd=folder)
        file = folder / m["file"]
        sound = file.read_text(encoding="utf-8")
        assert sound.count(m["from"]) == 1, m
        file.write_text(sound.replace(m["from"], m["to"]), encoding="utf-8")
        targets = (f"engine_{name}", f"engine_{name}_rtl")
        call("cmake", "--build", folder / "build", "--target", *targets, cwd=folder)
        (program,) = paths.BUILD.rglob(found["test"][0])
        library = folder / "build" / f"libengine_{name}.so"
        said = subprocess.run(
            [program, *found["test"][1:]],
            capture_output=True,
            text=True,
            env={**os.environ, found["variable"]: str(library)},
        )
        assert said.returncode == 1 and re.search(found["says"], said.stdout), (m, said.stdout)
        file.write_text(sound, encoding="utf-8")


def test_a_port_that_the_rtl_lacks_stops_the_build_with_its_name(
    prefix: Path, folder: Path
) -> None:
    says = yaml.safe_load((folder / "engine.yaml").read_text(encoding="utf-8"))
    if shutil.which("verilator") is None:
        pytest.skip("SKIPPED: there is no verilator")
    name = says["rtl"]["top"]
    (top,) = (folder / s for s in says["rtl"]["sources"] if Path(s).stem == name)
    sound = top.read_text(encoding="utf-8")
    configure(prefix, folder)
    adaptor = folder / "build" / "engine" / says["name"] / f"{says['name']}_rtl.cpp"
    build = ("cmake", "--build", folder / "build", "--target", adaptor)
    call(*build, cwd=folder)
    said = f"engine {folder}/engine.yaml: rtl: top module {name} has "
    for old, new, reason in (
        (r"output logic +busy_o,", "", "no port busy_o, must have one: output of 1 bit; "),
        (r"\[23:0\]( +sram_addr_o)", r"[22:0]\1", "sram_addr_o as output of 23 bits, must be "),
        (r"(input +logic +clk_i,)", r"\1 input logic novel_i,", "an input novel_i, which nothing "),
    ):
        wrong = re.sub(old, new, sound)
        assert wrong != sound
        wrong = re.sub(r"assign busy_o[^;]*;", "", wrong) if "busy_o" in old else wrong
        top.write_text(f"// verilator lint_off WIDTH\n{wrong}", encoding="utf-8")
        done = call(*build, cwd=folder, code=None)
        assert f"{said}{reason}" in done.stdout + done.stderr
    top.write_text(sound.replace("SramBytes", "Bytes"), encoding="utf-8")
    reason = "no parameter SramBytes, must have one: bytes of the tile's SRAM"
    assert f"{said}{reason}" in configure(prefix, folder, code=None)


def test_a_register_a_field_and_a_counter_more_are_there_without_another_edit(
    prefix: Path, folder: Path
) -> None:
    name = yaml.safe_load((folder / "engine.yaml").read_text(encoding="utf-8"))["name"]
    contract = folder / f"{name}.rdl"
    text = contract.read_text(encoding="utf-8")
    register = 'reg { desc = "New."; field { desc = "New one."; } value[31:0] = 7; } novel @ 0x40;'
    field = '    field { desc = "New field."; } novel[23:22];\n    field { desc = "Raise irq'
    counter = (
        "reg { regwidth = 64; accesswidth = 32; "
        'desc = "New."; field { desc = "Count."; } value[63:0] = 0; } novel'
    )
    assert text.count("  queue queue @") == 1 and text.count("commands @ 0x40;") == 1
    text = text.replace("commands @ 0x40;", f"commands @ 0x40;\n  {counter} @ 0x48;")
    text = text.replace("  queue queue @", f"  {register}\n  queue queue @")
    contract.write_text(text.replace('    field { desc = "Raise irq', field, 1), encoding="utf-8")
    configure(prefix, folder)
    prints = folder / "build" / "engine" / name
    upper = name.upper()
    for file, said in {
        f"{name}.h": f"PRESIL_{upper}_REG_NOVEL",
        f"{name}_command.h": f"PRESIL_{upper}_COMMAND_NOVEL",
        f"{name}_bank.h": "set_novel",
        f"{name}_description.h": '{"novel", 0x48u, NULL}',
        f"{name}_pkg.sv": "unpack.novel",
        f"{name}_tables.md": "novel",
    }.items():
        assert said in (prints / file).read_text(encoding="utf-8"), (file, said)


def test_a_bad_folder_stops_cmake_with_its_reason(prefix: Path, folder: Path) -> None:
    said = folder / "engine.yaml"
    sound = said.read_text(encoding="utf-8")
    said.write_text(re.sub(r"interface: \d+", "interface: 99", sound), encoding="utf-8")
    text = configure(prefix, folder, code=None)
    assert f"engine {folder}/engine.yaml: interface is 99, must be 4" in text
    said.write_text(sound + "kind: 2\n", encoding="utf-8")
    text = configure(prefix, folder, code=None)
    assert f"engine {folder}/engine.yaml: claims kind 2, which" in text
    said.write_text(sound, encoding="utf-8")
    (folder / yaml.safe_load(sound)["model"][0]).unlink()
    assert "which is not there, must be a file of it" in configure(prefix, folder, code=None)


def test_an_estimate_that_goes_wrong_stops_the_build_with_its_command(
    prefix: Path, folder: Path
) -> None:
    name = yaml.safe_load((folder / "engine.yaml").read_text(encoding="utf-8"))["name"]
    timing = folder / f"{name}_timing.cpp"
    sound = timing.read_text(encoding="utf-8")
    begins = re.search(r"^Cycle estimate\(const Command& (\w+)\) \{\n", sound, re.M)
    assert begins
    head, command, body = sound[: begins.end()], begins.group(1), sound[begins.end() :]
    configure(prefix, folder)
    build = ("cmake", "--build", folder / "build", "--target", f"engine_{name}")
    for fault, end in {
        "std::raise(SIGSEGV);": "ended with signal 11 (Segmentation fault)",
        'throw std::runtime_error("no cost");': 'threw "no cost"',
        "return 0;": "said 0",
    }.items():
        wrong = f"  if ({command}.op != Op::kNop) {fault}\n"
        wrong = f"#include <csignal>\n#include <stdexcept>\n{head}{wrong}{body}"
        timing.write_text(wrong, encoding="utf-8")
        done = call(*build, cwd=folder, code=None)
        said = done.stdout + done.stderr
        assert f"engine: {folder}: " in said, said
        assert f"libengine_{name}.so: estimate of max {{" in said, said
        assert f"}} {end}, must return 1 cycle or more for each command" in said, said
    timing.write_text(sound, encoding="utf-8")
    call(*build, cwd=folder)


def test_the_engine_of_the_guide_builds_and_runs_as_it_says(prefix: Path, tmp_path: Path) -> None:
    parts = ("your_own_engine.md", "your_own_engine_compiled.md")
    guides = paths.ROOT / "sim" / "guides"
    guide = "\n".join((guides / part).read_text(encoding="utf-8") for part in parts)
    sections = re.findall(r"^## \d+\. `([^`]+)`\n.*?^```\w+\n(.*?)^```", guide, re.M | re.S)
    folder = tmp_path / "negate"
    for name, text in sections:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    assert len(sections) == 10
    configure(prefix, folder)
    call("cmake", "--build", folder / "build", cwd=folder)
    (shown,) = re.findall(r"^negate/build/negate_test\n(.*?)^```", guide, re.M | re.S)
    assert call(folder / "build" / "negate_test", cwd=folder).stdout == shown
    (network,) = re.findall(r"^```python\n(.*?)^```", guide, re.M | re.S)
    done = subprocess.run(
        [sys.executable, "-c", network],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=dict(os.environ, PYTHONPATH=str(paths.ROOT / "sim" / "python")),
        timeout=300,
    )
    (said,) = re.findall(r"^```text\n(True\n.*?)^```", guide, re.M | re.S)
    assert done.stdout == said, done.stderr


def test_the_examples_name_stands_nowhere_else() -> None:
    """The core of presil knows no engine by name: namespace, targets, files of this one."""
    name = yaml.safe_load((EXAMPLE / "engine.yaml").read_text(encoding="utf-8"))["name"]
    words = [f"presil::{name}", f"engine_{name}", f"presil_{name}_command", rf"{name}\.rdl"]
    words.append(f"{name}_(core|timing|engine|plugin)")
    own = f":!{EXAMPLE.relative_to(paths.ROOT)}"
    found = subprocess.run(
        ["git", "grep", "-nE", rf"\b({'|'.join(words)})\b", "--", ".", own, ":!sim/guides"],
        capture_output=True,
        text=True,
        cwd=paths.ROOT,
    )
    assert found.returncode == 1, found.stdout
