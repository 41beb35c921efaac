"""`presil inspect --stage` and `--print-after`: what each stage of the compiler hands on."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import numpy as np
import presil as api
import pytest
from presil import paths, stages

ROOT = Path(__file__).resolve().parents[2]
FENCE = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_the_command_line_offers_the_compilers_stages() -> None:
    assert list(stages.STAGES) == paths.native().stage_names()


@pytest.mark.parametrize("name", stages.STAGES)
def test_a_stage_is_the_same_from_python_and_from_the_command_line(
    presil, digits: Path, name: str
) -> None:
    shown = presil("inspect", digits, "--stage", name)
    assert shown.code == 0, shown.err
    assert shown.out and shown.out == api.stage(digits, name)


def test_graphs_and_streams_are_read_again(digits: Path) -> None:
    for name in ("import", "passes"):
        text = api.stage(digits, name)
        paths.native().parse_graph(text)
    program = api.compile(digits)
    again = api.assemble(api.stage(digits, "streams"), program)
    assert bytes(again.loadable) == bytes(program.loadable)


def test_placement_has_a_line_for_every_operator(digits: Path) -> None:
    lines = [line for line in api.stage(digits, "placement").splitlines() if line[0] != " "]
    placed = api.compile(digits).placement
    assert [line.split('"')[1] for line in lines] == [p["name"] for p in placed]
    for line, p in zip(lines, placed):
        assert line.split('": ')[1].startswith(p["engine"]) and f", {p['why']}" in line


def test_options_are_those_of_compile(digits: Path) -> None:
    small = api.stage(digits, "tiles", "edge", set={"sram.bytes": 65536})
    assert small != api.stage(digits, "tiles", "edge")
    with pytest.raises(api.Refusal, match="effort: got 9, must be 0 to 3"):
        api.stage(digits, "tiles", effort=9)


def test_a_loadable_has_no_stages(presil, digits: Path) -> None:
    assert presil("compile", digits, "-o", "net.presil").code == 0
    for option in (("--stage", "tiles"), ("--print-after", "fold_pad")):
        ended = presil("inspect", "net.presil", *option)
        assert ended.code == 2 and "require the network it was made of" in ended.err, ended.err


def test_the_commands_of_the_readme_run(presil) -> None:
    text = (ROOT / "compiler_bridge" / "README.md").read_text(encoding="utf-8")
    lines = [line for block in FENCE.findall(text) for line in block.splitlines()]
    assert len(lines) >= 3
    for line in lines:
        words = shlex.split(line, comments=True)
        assert words[0] == "sim/presil", line
        ended = presil(*words[1:])
        assert ended.code == 0 and ended.out, f"{line}\n{ended.err}"


def two_layers() -> api.Network:
    """48 x 48 pixels come from memory in rows; a layer at 12 x 12 has 9 KiB of weights."""
    b = api.Builder("two_layers")
    x = b.input("x", (1, 48, 48, 16), "int8", 0.05, -1)
    for c in (16, 32):
        weights, bias = np.ones((32, 3, 3, c), np.int8), np.zeros(32, np.int32)
        x = b.conv2d(x, weights, bias, weights_scale=0.02, stride=2, out=(0.5, 0))
    b.output(x)
    return b.build()


def test_the_memory_is_the_inputs_until_it_has_arrived() -> None:
    lines = api.stage(two_layers(), "schedule").splitlines()
    writes = [n for n, line in enumerate(lines) if re.search("; writes [^;]*arrival", line)]
    waits = [n for n, line in enumerate(lines) if re.search("; reads [^;]*arrival", line)]
    inputs = [n for n, line in enumerate(lines) if "reads inputs" in line]
    weights = [n for n, line in enumerate(lines) if "reads constants" in line]
    assert len(inputs) > 1 and writes == inputs[-1:]
    assert len(weights) == 2
    assert weights[0] < inputs[1], "the first layer's own weights do not wait"
    assert waits == weights[1:] and waits[0] > writes[0]
