"""What is known of one engine stays in that engine's files; the compiler passes no refusal around.

A layer's work is opened (`work.as<DlaLayer>()`, `edit<...>()`) by the room of layers and by files
that bear the engine's name: `dla_planner.cpp` may know the DLA's layers, `plan.cpp` and
`dsp_planner.cpp` may not. Everybody else asks through `layer::Work`, `plan::EnginePlanner` or
`placement::EngineJudge`.
"""

from __future__ import annotations

import re

import pytest
from tree import hand_written, name_of

LAYER_ROOM = "compiler_bridge/layer/"
ENGINES = ("dla", "dsp", "dma", "host")
OPENED = re.compile(r"(?:\bas|\bedit|\bget_if|\bholds_alternative|\bget)\s*<[^<>;()]*?(\w+)Layer\b")
CAST = re.compile(r"\bdynamic_cast\s*<|\btypeid\s*\(")
CATCH = re.compile(r"\bcatch\s*\(")
YAML_READ = re.compile(r"\bYAML::(?:Load\w*|Parser)\b")
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)

OUTERMOST = {"compiler_bridge/compile/verify_passes.cpp": 1}
"""Files of the compiler with an outermost function that catches, and how often: what a broken pass
leaves is the answer of verify_passes(), not a refusal of it."""
YAML_ROOM = "models/base/yaml_text."
"""The one boundary to yaml-cpp: there its exceptions become values."""


def code(text: str) -> str:
    return COMMENT.sub(" ", text)


def may_open(name: str, kind: str) -> bool:
    """May the file `name` know layers of `kind`, "Dla" of DlaLayer?"""
    file = name.rpartition("/")[2]
    engine = kind.lower()
    return name.startswith(LAYER_ROOM) or (engine in ENGINES and file.startswith(engine + "_"))


def opened(name: str, text: str) -> list[str]:
    found = [
        f"{name} opens a layer: {match.group(0)}"
        for match in OPENED.finditer(code(text))
        if not may_open(name, match.group(1))
    ]
    if name.startswith(LAYER_ROOM):
        return found
    return found + [f"{name} asks for a type: {m.group(0)}" for m in CAST.finditer(code(text))]


def caught(name: str, text: str) -> list[str]:
    count = len(CATCH.findall(code(text)))
    return [] if count == OUTERMOST.get(name, 0) else [f"{name} has {count} catch"]


def compiler() -> list[tuple[str, str]]:
    files = hand_written(".h", ".cpp")
    rooms = ("compiler_bridge/",)
    return [(name_of(f), f.read_text("utf-8")) for f in files if name_of(f).startswith(rooms)]


def test_layers_are_opened_by_files_of_their_engine() -> None:
    wrong = [line for name, text in compiler() for line in opened(name, text)]
    assert not wrong, "\n".join(wrong)


def test_the_compiler_catches_in_outermost_functions_alone() -> None:
    wrong = [line for name, text in compiler() for line in caught(name, text)]
    assert not wrong, "\n".join(wrong)


def test_yaml_is_parsed_in_one_place() -> None:
    wrong = [
        name_of(file)
        for file in hand_written(".h", ".cpp")
        if YAML_READ.search(code(file.read_text("utf-8")))
        and not name_of(file).startswith((YAML_ROOM, "tests/"))
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("compiler_bridge/plan/plan.cpp", "work.as<layer::DspLayer>()"),
        ("compiler_bridge/plan/dsp_planner.cpp", "work.as<layer::DlaLayer>()"),
        ("compiler_bridge/placement/faster.cpp", "work.edit<HostLayer>()"),
        ("compiler_bridge/partition/movement.cpp", "work.edit<layer::InPlaceLayer>()"),
        ("compiler_bridge/plan/plan.cpp", "std::get_if<const layer::DmaLayer>(&work)"),
        ("compiler_bridge/plan/dla_schedule.cpp", "dynamic_cast<DlaScheduler*>(&scheduler)"),
        ("compiler_bridge/partition/grouping.h", "typeid(work)"),
    ],
)
def test_the_rule_finds_opened_layers(name: str, text: str) -> None:
    assert opened(name, text)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("compiler_bridge/plan/dla_planner.h", "work.as<layer::DlaLayer>()"),
        ("compiler_bridge/placement/host_judge.cpp", "*work.as<layer::HostLayer>()"),
        ("compiler_bridge/layer/work.cpp", "return as<InPlaceLayer>();"),
        ("compiler_bridge/layer/work.h", "static_cast<const T*>(get(typeid(T)))"),
        ("compiler_bridge/plan/plan.cpp", "// not work.as<layer::DspLayer>()"),
        ("compiler_bridge/partition/host_move.cpp", "op.as<ir::Concat>().act"),
    ],
)
def test_the_rule_leaves_an_engines_own_files_alone(name: str, text: str) -> None:
    assert opened(name, text) == []


def test_the_rule_finds_catches() -> None:
    text = "try { f(); } catch (const Refusal& r) { }"
    assert caught("compiler_bridge/import/tflite.cpp", text)
    assert caught("compiler_bridge/compile/verify_passes.cpp", text) == []
    assert caught("compiler_bridge/compile/verify_passes.cpp", text + text)
    assert caught("compiler_bridge/import/tflite.cpp", "// nothing to catch (here)") == []
