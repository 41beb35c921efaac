"""What sim/engine/engine_folder.py refuses: each time folder, file, value and requirement.

Needs the SystemRDL compiler (rtl/gen/requirements.txt) in the environment of `sim/presil test`.
"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest
import yaml
from presil import contract, paths

CACHE = Path(os.environ.get("PRESIL_CACHE", Path.home() / ".cache" / "presil"))
PYTHON = Path(os.environ.get("PRESIL_RDL_VENV", CACHE / "venv-rdl")) / "bin" / "python"
TOOL = paths.ROOT / "sim" / "engine" / "engine_folder.py"
KIND, QUEUE = len(contract.ENGINES), len(contract.QUEUES)  # the first that presil does not have
MINIMAL = {
    "interface": 4,
    "name": "adder",
    "meaning": "Adds.",
    "queues": {"most": 2, "registers": "queue", "counters": "counters"},
    "waits": ["wait0"],
    "parameters": [
        {"name": "lanes", "unit": "lanes", "default": 4, "min": 1, "max": 8, "what": "at once"}
    ],
    "model": ["adder_core.cpp", "adder_timing.cpp", "adder_plugin.cpp"],
    "driver": ["adder_check.c"],
}
CONTRACT = """
`include "rtl/common/properties.rdl"
`include "rtl/common/queue.rdl"
`include "rtl/soc/engines.rdl"
enum op_e {{ nop = 4'd0 {{ desc = "Nothing."; }}; add = 4'd1 {{ desc = "Adds."; }}; }};
addrmap {name}_command {{
  name = "Command"; desc = "For tests."; default sw = rw; default hw = r;
  command_words = 8; pitch_bytes = 32;
  reg {{ field {{ encode = op_e; desc = "Operation."; }} op[3:0]; }} word0 @ 0x00;
  reg {{ field {{ desc = "Key."; }} tag[31:0]; }} word1 @ 0x04;
  reg {{
    field {{ desc = "Counter to wait for."; }} wait0[7:0];
    field {{ desc = "Counter that is added to."; }} \\signal [31:24];
  }} word2 @ 0x08;
  reg {{ field {{ is_signed; desc = "Value."; }} wait0_value[31:0]; }} word3 @ 0x0c;
  reg {{ field {{ desc = "Added."; }} signal_add[15:0]; }} word6 @ 0x18;
}};
addrmap {name}_counters {{
  name = "Counters"; desc = "For tests."; size_bytes = 0x100; default sw = r; default hw = w;
  reg {{ default sw = w; default hw = r; desc = "Snapshots.";
    field {{ singlepulse; desc = "Copy."; }} snapshot[0:0] = 0; }} control @ 0x00;
  reg {{ regwidth = 64; accesswidth = 32; cause = "{cause}"; desc = "Some cycles.";
    field {{ desc = "Count."; }} value[63:0] = 0; }} some @ 0x08;
  reg {{ regwidth = 64; accesswidth = 32; cause = "wait"; desc = "Waits.";
    field {{ desc = "Count."; }} value[63:0] = 0; }} waits[`PRESIL_ENGINE_KINDS] @ 0x40;
}};
addrmap {name} {{
  name = "Registers"; desc = "For tests."; size_bytes = 0x2000; default sw = r; default hw = w;
  reg {{ desc = "What it is."; field {{ desc = "Queues."; }} queues[15:8] = 2; }} id @ 0x00;
  queue queue[2] @ 0x200 += 0x100;
  {name}_counters counters[2] @ 0x1000 += 0x100;
}};
"""


@pytest.fixture(scope="module", autouse=True)
def compiler() -> None:
    packages = [PYTHON, "-c", "import systemrdl, jinja2, yaml"]
    if not PYTHON.is_file() or subprocess.run(packages, capture_output=True).returncode:
        pytest.skip(f"SKIPPED: no folder is read, no SystemRDL compiler at {PYTHON}")


def folder(path: Path, cause: str = "run", **changes: object) -> Path:
    """A folder whose sources are empty: what is looked at is that they are there."""
    said = {**MINIMAL, **changes}
    said = {key: value for key, value in said.items() if value is not None}
    path.mkdir(parents=True, exist_ok=True)
    (path / "engine.yaml").write_text(yaml.safe_dump(said))
    for name in [*MINIMAL["model"], *MINIMAL["driver"]]:
        (path / name).touch()
        (path / name.replace("adder", str(said.get("name")))).touch()
    text = CONTRACT.format(name=said.get("name"), cause=cause)
    (path / f"{said.get('name')}.rdl").write_text(text)
    return path


def other(path: Path, name: str, **changes: object) -> Path:
    model = [f"{name}_core.cpp", f"{name}_timing.cpp"]
    return folder(path / name, name=name, model=model, **changes)


def called(path: Path, *beside: Path) -> subprocess.CompletedProcess[str]:
    """The prints go to `out` in the folder."""
    command = [PYTHON, "-B", TOOL, path, "--to", path / "out", "--beside", *beside]
    return subprocess.run(command, capture_output=True, text=True, timeout=60)


def numbers(path: Path) -> tuple[int, int]:
    """Kind and first queue in the printed description."""
    (header,) = (path / "out").glob("*/*_description.h")
    found = re.search(r"(\d+) /\* kind \*/,\s+(\d+), ", header.read_text(encoding="utf-8"))
    assert found
    return int(found.group(1)), int(found.group(2))


def test_a_sound_folder_is_printed_and_told_to_cmake(tmp_path: Path) -> None:
    path = folder(tmp_path / "any_name")
    done = called(path)
    assert done.returncode == 0, done.stderr
    assert "set(engine_name [==[adder]==])" in done.stdout
    assert f"{path}/adder_core.cpp;{path}/adder_timing.cpp" in done.stdout
    assert "engine_rtl" not in done.stdout
    prints = {f.name for f in (path / "out" / "adder").iterdir()}
    assert {"adder.h", "adder_command.h", "adder_bank.h", "adder_description.h"} <= prints
    assert numbers(path) == (KIND, QUEUE)


def test_engines_beside_each_other_have_numbers_of_their_own(tmp_path: Path) -> None:
    first = folder(tmp_path / "adder")
    second = other(tmp_path, "second", kind=KIND + 5, queues={**MINIMAL["queues"], "first": 40})
    third = other(tmp_path, "third")
    assert called(second, first).returncode == 0
    assert numbers(second) == (KIND + 5, 40)  # gaps are allowed
    assert called(third, first, second).returncode == 0
    assert numbers(third) == (KIND + 1, QUEUE + 2)  # adder has two queues


def test_queues_of_further_instances_are_claimed_too(tmp_path: Path) -> None:
    first = folder(tmp_path / "adder", instances={"most": 3})
    second = other(tmp_path, "second")
    assert called(second, first).returncode == 0
    assert numbers(second) == (KIND + 1, QUEUE + 6)  # adder has three times two


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"kind": 0}, "claims kind 0, which"),
        ({"kind": KIND}, "which {first}/engine.yaml has"),
        ({"kind": 32}, "kind is 32, must be a whole number from -1 to 31"),
        ({"queues": {**MINIMAL["queues"], "first": QUEUE - 1}}, f"claims queue {QUEUE - 1}, which"),
        ({"queues": {**MINIMAL["queues"], "first": QUEUE + 1}}, "which {first}/engine.yaml has"),
        ({"queues": {**MINIMAL["queues"], "first": 253}}, "its last queue is 254, must be at"),
        ({"instances": {"most": 2, "first": QUEUE}}, "which {first}/engine.yaml has"),
    ],
)
def test_numbers_that_another_engine_has_are_refused(
    tmp_path: Path, changes: dict[str, object], said: str
) -> None:
    first = folder(tmp_path / "adder")
    second = other(tmp_path, "second", **changes)
    done = called(second, first)
    assert done.returncode == 2
    assert done.stderr.startswith(f"engine {second}/engine.yaml: "), done.stderr
    assert said.format(first=first) in done.stderr and done.stderr.count("\n") == 1


@pytest.mark.parametrize("name", ["dla", "dma3", "sync", "queue", "noc"])
def test_a_name_that_presil_has_is_refused(tmp_path: Path, name: str) -> None:
    path = other(tmp_path, name)
    done = called(path)
    assert done.returncode == 2
    assert done.stderr.startswith(f"engine {path}/engine.yaml: "), done.stderr
    assert name in done.stderr and ("must be one that" in done.stderr or "which" in done.stderr)


def test_a_name_that_another_folder_has_is_refused(tmp_path: Path) -> None:
    path, twin = folder(tmp_path / "one"), folder(tmp_path / "two", kind=KIND + 3)
    done = called(path, twin)
    assert done.returncode == 2
    assert f"claims name adder, which {twin}/engine.yaml has" in done.stderr


def test_a_folder_without_engine_yaml_is_refused(tmp_path: Path) -> None:
    done = called(tmp_path)
    assert done.returncode == 2
    assert done.stderr == (
        f"engine {tmp_path}: has no engine.yaml, which says what the engine is\n"
    )


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"interface": 5}, "interface is 5, must be 4: the version of engine.yaml that this"),
        ({"interface": None}, "has no interface; known are"),
        ({"meaning": None}, "has no meaning"),
        ({"model": None}, "has no model; known are"),
        ({"driver": None}, "has no driver"),
        ({"queues": 1}, "queues is 1, must be lines of `key: value`"),
        ({"queues": {"most": 0}}, "most is 0, must be a whole number from 1 to 64"),
        ({"queues": {"most": True}}, "most is True, must be a whole number from 1 to 64"),
        ({"queues": {"most": 3, "registers": "queue"}}, "queue is there 2 times, queues.most is 3"),
        ({"waits": ["wait7"]}, "wait7 is no field of adder_command"),
        ({"instances": 2}, "instances is 2, must be lines of `key: value`"),
        ({"instances": {"most": 65}}, "most is 65, must be a whole number from 1 to 64"),
        ({"model": []}, "model is [], must be a list of .cpp files"),
        ({"model": ["adder_core.cpp"]}, "model lists no adder_timing.cpp, must list values and"),
        ({"driver": ["absent.c"]}, "driver lists 'absent.c', which is not there, must be a file"),
        ({"driver": ["../adder.c"]}, "driver lists '../adder.c', must be a file inside the"),
        ({"rtl": {"top": "adder", "sources": ["x.v"]}}, "sources lists 'x.v', must be the name"),
        ({"rtl": ["adder.sv"]}, "rtl is ['adder.sv'], must be lines of `key: value`"),
        ({"rtl": {"top": "adder"}}, "rtl has no sources"),
        ({"kernel": 3}, "has kernel, which no print shows"),
        ({"parameters": [{"name": "lanes"}]}, "a parameter has no default, max, min, unit, what"),
        ({"parameters": "lanes"}, "parameters is 'lanes', must be a list"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, changes: dict[str, object], said: str) -> None:
    path = folder(tmp_path, **changes)
    done = called(path)
    assert done.returncode == 2
    assert done.stderr.startswith(f"engine {path}/engine.yaml: "), done.stderr
    assert said in done.stderr and done.stderr.count("\n") == 1
    assert not (path / "out").exists()


@pytest.mark.parametrize("name", ["Adder", "9adder", "a" * 32])
def test_a_name_that_is_no_word_is_refused(tmp_path: Path, name: str) -> None:
    done = called(folder(tmp_path, name=name))
    assert f"name is '{name}', must be lower case letters, digits, _ (31 at most)" in done.stderr


def test_a_default_outside_its_range_is_refused(tmp_path: Path) -> None:
    parameter = {**MINIMAL["parameters"][0], "default": 9}
    done = called(folder(tmp_path, parameters=[parameter]))
    assert "parameter lanes: default is 9, must be a whole number from 1 to 8" in done.stderr
    twice = MINIMAL["parameters"] * 2
    done = called(folder(tmp_path, parameters=twice))
    assert "parameter lanes stands twice, must be listed once" in done.stderr


def test_a_contract_that_is_missing_is_refused(tmp_path: Path) -> None:
    path = folder(tmp_path)
    (path / "adder.rdl").unlink()
    assert "lists 'adder.rdl', which is not there" in called(path).stderr


def test_a_cause_that_no_report_has_is_refused(tmp_path: Path) -> None:
    path = folder(tmp_path, cause="wheel")
    done = called(path)
    assert done.returncode == 2
    assert f"{path}/adder.rdl: a counter has cause wheel, must be one that runs" in done.stderr
    assert not (path / "out").exists()


def test_yaml_that_is_none_is_refused(tmp_path: Path) -> None:
    path = folder(tmp_path)
    (path / "engine.yaml").write_text("name: [")
    assert "engine.yaml: is no YAML" in called(path).stderr


def test_the_version_is_the_plug_ins_too() -> None:
    header = (TOOL.parent / "engine_plugin.h").read_text(encoding="utf-8")
    (plugin,) = re.findall(r"kEngineInterface = (\d+);", header)
    reader = (paths.ROOT / "rtl" / "gen" / "engines.py").read_text(encoding="utf-8")
    assert re.findall(r"^INTERFACE = (\d+)", reader, re.M) == [plugin]


def test_rules_are_printed_as_those_of_presils_own(tmp_path: Path) -> None:
    rule = {"number": 1, "name": "even", "operations": "add", "must_hold": "it is even"}
    path = folder(tmp_path / "one", rules=[rule])
    assert called(path).returncode == 0
    (header,) = tmp_path.rglob("adder_rules.h")
    text = header.read_text(encoding="utf-8")
    assert "PRESIL_ADDER_R1_EVEN = 1, /* add: it is even */" in text
    assert "#define PRESIL_ADDER_RULES 1u" in text
    path = folder(tmp_path / "two", rules=[rule, {**rule, "name": "odd"}])
    done = called(path)
    assert done.returncode == 2
    refused = re.escape(f"engine {path}/engine.yaml") + r", line (\d+): number is 1, which the rule"
    found = re.match(refused + r" in line (\d+) has", done.stderr)
    assert found, done.stderr
    lines = (path / "engine.yaml").read_text(encoding="utf-8").splitlines()
    starts = [n for n, line in enumerate(lines, 1) if line.startswith("- ") and "must_hold" in line]
    assert [int(found[2]), int(found[1])] == starts
