"""What sim/engine/engine_folder.py refuses: each time folder, file, value and requirement."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from presil import paths

TOOL = paths.ROOT / "sim" / "engine" / "engine_folder.py"
MINIMAL = {
    "name": "adder",
    "interface": 1,
    "queues": 1,
    "instances": 2,
    "parameters": [
        {"name": "lanes", "unit": "lanes", "default": 4, "min": 1, "max": 8, "what": "at once"}
    ],
    "model": ["adder_core.cpp", "adder_timing.cpp", "adder_plugin.cpp"],
    "driver": ["adder_check.c"],
}


def folder(tmp_path: Path, **changes: object) -> Path:
    """A folder whose files are empty: what is looked at is that they are there."""
    said = {**MINIMAL, **changes}
    said = {key: value for key, value in said.items() if value is not None}
    (tmp_path / "engine.yaml").write_text(yaml.safe_dump(said))
    for name in ["adder.rdl", *MINIMAL["model"], *MINIMAL["driver"]]:
        (tmp_path / name).touch()
    return tmp_path


def called(path: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, TOOL, path, *arguments], capture_output=True, text=True, timeout=60
    )


def test_a_sound_folder_is_told_to_cmake(tmp_path: Path) -> None:
    done = called(folder(tmp_path))
    assert done.returncode == 0, done.stderr
    assert "set(engine_name [==[adder]==])" in done.stdout
    assert f"{tmp_path}/adder_core.cpp;{tmp_path}/adder_timing.cpp" in done.stdout
    assert "engine_rtl" not in done.stdout


def test_a_folder_without_engine_yaml_is_refused(tmp_path: Path) -> None:
    done = called(tmp_path)
    assert done.returncode == 2
    assert done.stderr == (
        f"engine {tmp_path}: has no engine.yaml, which says what is in the folder\n"
    )


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"interface": 2}, "interface is 2, must be 1, the version of this presil; adapt"),
        ({"interface": None}, "interface is None, must be 1"),
        ({"name": "dla"}, "name is 'dla', must be a name, and so a queue, that presil itself"),
        ({"name": "Adder"}, "name is 'Adder', must be lower case letters"),
        ({"queues": 0}, "queues is 0, must be a number from 1 to 8"),
        ({"queues": True}, "queues is True, must be a number from 1 to 8"),
        ({"instances": "many"}, "instances is 'many', must be a number from 1 to 64"),
        ({"model": []}, "model is [], must be a list of .cpp files"),
        ({"model": ["adder_core.cpp"]}, "model lists no adder_timing.cpp, must be values and"),
        ({"driver": ["absent.c"]}, "driver lists 'absent.c', which is not there, must be a file"),
        ({"driver": ["../adder.c"]}, "driver lists '../adder.c', must be a file inside the"),
        ({"rtl": {"top": "adder", "sources": ["x.v"]}}, "sources lists 'x.v', must be the name"),
        ({"rtl": ["adder.sv"]}, "rtl is ['adder.sv'], must be a mapping with top and sources"),
        ({"kernel": 3}, "has ['kernel'], must be only"),
        ({"parameters": [{"name": "lanes"}]}, "parameter lanes: unit is None, must be a text"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, changes: dict[str, object], said: str) -> None:
    done = called(folder(tmp_path, **changes))
    assert done.returncode == 2
    assert done.stderr.startswith(f"engine {tmp_path}: engine.yaml: "), done.stderr
    assert said in done.stderr and done.stderr.count("\n") == 1


def test_a_default_outside_its_range_is_refused(tmp_path: Path) -> None:
    parameter = {**MINIMAL["parameters"][0], "default": 9}
    done = called(folder(tmp_path, parameters=[parameter]))
    assert "parameter lanes: default is 9, must be a number from 1 to 8" in done.stderr
    twice = MINIMAL["parameters"] * 2
    done = called(folder(tmp_path, parameters=twice))
    assert "parameter lanes: stands twice, must be listed once" in done.stderr


def test_a_contract_that_is_missing_is_refused(tmp_path: Path) -> None:
    path = folder(tmp_path)
    (path / "adder.rdl").unlink()
    assert "lists 'adder.rdl', which is not there" in called(path).stderr


def test_a_name_that_another_folder_has_is_refused(tmp_path: Path) -> None:
    done = called(folder(tmp_path), "--taken", "adder")
    assert done.returncode == 2 and "another folder of this project" in done.stderr


def test_yaml_that_is_none_is_refused(tmp_path: Path) -> None:
    path = folder(tmp_path)
    (path / "engine.yaml").write_text("name: [")
    assert "engine.yaml: is no YAML" in called(path).stderr
