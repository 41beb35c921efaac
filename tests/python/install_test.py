"""Installed: P/bin/presil without the checkout, presil::driver for CMake projects, a wheel."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from conftest import ROOT
from presil import __version__, load, paths, reference
from presil.host import HOSTS, NATIVE

LAYERS = ("rtl", "models", "driver", "compiler_bridge", "sim", "tests")


def call(*command: str | Path, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """A command as a user of an installation calls it: nothing of the checkout in sight."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("PRESIL_", "PYTHON"))}
    done = subprocess.run(
        list(map(str, command)),
        capture_output=True,
        text=True,
        cwd=cwd,
        env={**clean, "CI": "true", **environment},
        timeout=1500,
    )
    assert done.returncode == 0, (command, done.stdout[-3000:], done.stderr[-3000:])
    return done


@pytest.fixture(scope="module")
def prefix(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """`cmake --install`, of what is built."""
    folder = tmp_path_factory.mktemp("prefix") / "P"
    built = ("--target", "presil_tools", "presil_port_mock")
    call("cmake", "--build", paths.BUILD, *built, cwd=ROOT)
    call("cmake", "--install", paths.BUILD, "--prefix", folder, cwd=ROOT)
    return folder


def block(text: str, language: str, first_line: str) -> str:
    """The one block of a page in this language that begins with this line."""
    found = re.findall(rf"^```{language}\n({re.escape(first_line)}.*?)^```$", text, re.M | re.S)
    assert len(found) == 1, (language, first_line, len(found))
    return str(found[0])


def exact_run(presil: Path, digits: Path, folder: Path) -> dict:
    """A run of the installed presil on its own network, equal to the reference interpreter."""
    call(presil, "run", digits, "--seed", "7", "--out", "out", cwd=folder)
    record = json.loads((folder / "out" / "run.json").read_text())
    net = load(digits)
    x = np.random.default_rng(7).integers(-128, 127, net.inputs[0]["shape"], np.int8, endpoint=True)
    for k, expected in enumerate(reference(net, {"input": x}).values()):
        assert np.array_equal(np.load(folder / "out" / "outputs" / f"out{k}.npy"), expected)
    assert record["check"]["exact"] and record["presil"]["version"] == __version__
    assert "d3" in (folder / "out" / "report.html").read_text()
    return record


def test_an_installed_presil_runs_without_the_checkout(prefix: Path, tmp_path: Path) -> None:
    presil = prefix / "bin" / "presil"
    (tmp_path / "presil").mkdir()  # a folder of this name is not mistaken for the package
    listed = call(presil, "nets", cwd=tmp_path).stdout
    digits = Path(re.search(r"\((/.*digits\.tflite)\)", listed).group(1))
    assert digits.is_relative_to(prefix)
    assert "edge" in call(presil, "socs", cwd=tmp_path).stdout
    record = exact_run(presil, digits, tmp_path)
    assert record["presil"]["commit"] == paths.commit()
    ended = subprocess.run([presil, "test"], capture_output=True, text=True, cwd=tmp_path)
    assert ended.returncode == 2 and "tests are in presil's checkout" in ended.stderr


def test_an_installed_presil_has_every_host(prefix: Path, tmp_path: Path) -> None:
    presil = prefix / "bin" / "presil"
    (parts,) = prefix.glob("lib/presil/presil/parts")
    for host in HOSTS:
        if host == "aarch64" and not (parts / "presil-aarch64").is_file():
            continue  # this build has no AArch64 core
        call(presil, "run", "digits", "--host", host, "--out", host, "--quiet", cwd=tmp_path)
        record = json.loads((tmp_path / host / "run.json").read_text())
        assert record["check"]["exact"] and record.get("host", {}).get("kind", NATIVE) == host


def test_an_installed_presil_may_be_moved_and_linked_to(prefix: Path, tmp_path: Path) -> None:
    moved = prefix.rename(tmp_path / "elsewhere")
    try:
        (tmp_path / "link").symlink_to(moved / "bin" / "presil")
        assert "edge" in call(tmp_path / "link", "socs", cwd=tmp_path).stdout
        assert "conv2d" in call(tmp_path / "link", "ops", cwd=tmp_path).stdout
    finally:
        moved.rename(prefix)


def test_nothing_installed_knows_the_checkout(prefix: Path) -> None:
    files = [f for f in prefix.rglob("*") if f.is_file()]
    names = {str(f.relative_to(prefix)) for f in files}
    assert "include/presil/presil.h" in names and "bin/presil" in names
    assert not {n for n in names if n.endswith(("CMakeLists.txt", "train.py"))}
    wrong = [
        str(f.relative_to(prefix))
        for f in files
        if f.suffix in ("", ".cmake", ".py", ".h", ".yaml") and str(ROOT).encode() in f.read_bytes()
    ]
    assert not wrong, wrong


def test_the_program_of_the_drivers_readme_links_presil_driver(
    presil, prefix: Path, digits: Path, tmp_path: Path
) -> None:
    readme = (ROOT / "driver" / "README.md").read_text(encoding="utf-8")
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "CMakeLists.txt").write_text(block(readme, "cmake", "cmake_minimum_required"))
    (mine / "board.c").write_text(block(readme, "c", "#include <presil/mock.h>"))
    (mine / "run_loadable.c").write_text(block(readme, "c", "/* Runs a compiled network"))
    call("cmake", "-S", mine, "-B", mine / "build", f"-DCMAKE_PREFIX_PATH={prefix}", cwd=tmp_path)
    call("cmake", "--build", mine / "build", cwd=tmp_path)

    assert presil("compile", digits, "-o", "net.presil", "--quiet").code == 0
    net = load(digits)
    (tmp_path / "in.bin").write_bytes(bytes(int(np.prod(net.inputs[0]["shape"]))))
    program = mine / "build" / "run_loadable"
    call(program, "net.presil", "in.bin", "out.bin", cwd=tmp_path)
    expected = int(np.prod(net.outputs[0]["shape"]))
    assert (tmp_path / "out.bin").stat().st_size == expected


def test_the_versions_are_one() -> None:
    text = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    assert re.search(r"project\(presil VERSION (\S+)", text).group(1) == __version__


def test_a_missing_native_part_is_one_paragraph(tmp_path: Path) -> None:
    for verb, part in ((["ops"], "native module"), (["demo"], "native module")):
        done = subprocess.run(
            [sys.executable, "-m", "presil", *verb],
            capture_output=True,
            text=True,
            env=dict(os.environ, PRESIL_BUILD="nowhere", PYTHONPATH=str(ROOT / "sim" / "python")),
            cwd=tmp_path,
        )
        assert done.returncode == 2 and len(done.stderr.splitlines()) == 1, done.stderr
        assert part in done.stderr and "'nowhere/sim/python'" in done.stderr
        assert "pip install ./sim/python" in done.stderr and "PRESIL_BUILD" in done.stderr


def test_pip_installs_a_whole_presil(everything: bool, digits: Path, tmp_path: Path) -> None:
    if not everything:
        pytest.skip("SKIPPED: pip installs nothing; builds all of presil, so only with --all")
    call(sys.executable, "-m", "venv", "--system-site-packages", "venv", cwd=tmp_path)
    venv = tmp_path / "venv" / "bin"
    probe = ("download", "-q", "--no-deps", "-d", tmp_path, "scikit-build-core>=0.10")
    if subprocess.run([venv / "pip", *probe], capture_output=True).returncode:
        pytest.skip("SKIPPED: pip installs nothing; scikit-build-core cannot be had here")
    call(venv / "pip", "install", "./sim/python", cwd=ROOT)
    assert "edge" in call(venv / "presil", "socs", cwd=tmp_path).stdout
    exact_run(venv / "presil", digits, tmp_path)


def test_an_installed_presil_names_the_module_it_lacks(prefix: Path, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text("import sys\nsys.modules['rich'] = None\n")
    done = subprocess.run(
        [prefix / "bin" / "presil", "socs"],
        capture_output=True,
        text=True,
        env=dict(os.environ, PYTHONPATH=str(tmp_path)),
    )
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1, done.stderr
    assert "has no module 'rich" in done.stderr and "python3-numpy" in done.stderr
