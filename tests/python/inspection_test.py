"""`presil inspect`: a summary that fits a screen, sections, layers, data."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import presil
import pytest
from presil.inspection import SECTIONS, Inspection

SCREEN = 50


@pytest.fixture(scope="module", name="program")
def program_fixture(digits: Path) -> presil.Program:
    return presil.compile(presil.load("digits"))


@pytest.fixture(scope="module", name="inspected")
def inspected_fixture(program: presil.Program) -> Inspection:
    return Inspection(program)


def test_the_summary_fits_a_screen_and_says_how_to_see_more(presil: Any, digits: Path) -> None:
    ended = presil("inspect", digits)
    lines = ended.out.splitlines()
    assert ended.code == 0 and len(lines) <= SCREEN and max(map(len, lines)) < 200
    for part in (
        "digits for edge, numerics tflite: 22.91 MMAC",
        "  input  serving_default_image:0 int8[1, 96, 96, 3]",
        "graph: 35 operators: 16 conv2d, ",
        "placement: of 35 operators 35 on the dla.",
        "memory: SRAM peak ",
        "streams: ",
        "layers: conv2d_1, ",
        "--section graph|placement|memory|streams shows one whole, --layer NAME",
    ):
        assert part in ended.out, part


def test_the_summary_of_a_large_network_fits_a_screen_too() -> None:
    b = presil.Builder("large")
    x = b.input("x", (1, 8, 8, 16), scale=0.5)
    weights = np.ones((16, 1, 1, 16), np.int8)
    for _ in range(60):
        x = b.conv2d(x, weights, weights_scale=0.1, out=(0.5, 0))
    shapes = ((1, 4, 256), (1, 1024))
    for shape in shapes:
        x = b.reshape(x, shape)
    b.output(x)
    text = Inspection(presil.compile(b)).summary()
    assert len(text.splitlines()) <= SCREEN and "and 55 more" in text


def test_what_the_host_does_is_in_the_summary_with_the_reason() -> None:
    b = presil.Builder("hosted")
    x = b.input("x", (1, 10), scale=0.1)
    b.output(b.softmax(x))
    text = Inspection(presil.compile(b, set={"dsp.units": 0})).summary()
    assert "\n  1 softmax on the host: dla: does not compute softmax\n" in text


@pytest.mark.parametrize("section", SECTIONS)
def test_a_section_is_shown_whole_and_alone(presil: Any, digits: Path, section: str) -> None:
    begins = {"graph": 'graph "digits" tflite {', "placement": "# placement: of 35 operators"}
    ended = presil("inspect", digits, "--section", section)
    assert ended.code == 0
    assert ended.out.startswith(begins.get(section, f"# {section}\n"))
    others = [s for s in SECTIONS if s not in (section, "graph")]
    assert not any(f"# {other}" in ended.out for other in others)


def test_sections_come_in_the_order_asked_for(inspected: Inspection) -> None:
    text = inspected.text(["streams", "memory"])
    assert text.index("# streams") < text.index("# memory")


def test_a_layer_has_its_operators_buffers_and_commands(program: presil.Program) -> None:
    inspection = Inspection(program, "conv2d_3_1")
    data = inspection.data(SECTIONS)
    assert data["layer"] == "conv2d_3_1"
    assert [op["op"] for op in data["graph"]] == ["conv2d", "leaky_relu", "add"]
    assert [p["op"] for p in data["placement"]] == ["conv2d", "leaky_relu", "add"]
    index = [layer["name"] for layer in program.info["layers"]].index("conv2d_3_1")
    tags = [tag for tag, command in enumerate(program.info["commands"]) if command[2] == index]
    assert len(data["streams"]) == len(tags) > 1
    assert all(row["layer"] == "conv2d_3_1" for row in data["streams"])
    for buffer in data["memory"]["buffers"]:
        assert set(buffer["commands"]) & set(tags)
    text = inspection.text(SECTIONS)
    assert "= conv2d(" in text and text.count('"conv2d_') < 8  # its own, weights and bias
    assert text.count("; conv2d_3_1 ") == len(tags)


def test_layers_divide_the_streams_among_them(program: presil.Program) -> None:
    whole = Inspection(program).data(["streams"])["streams"]
    names = [layer["name"] for layer in program.info["layers"]]
    parts = [
        row for name in names for row in Inspection(program, name).data(["streams"])["streams"]
    ]
    key = lambda row: (row["queue"], row["index"])  # noqa: E731
    (select,) = [row for row in whole if row["layer"] is None]
    assert select["text"].startswith("dsp 0: select ")
    assert sorted([*parts, select], key=key) == sorted(whole, key=key)
    assert "\n".join(row["text"] for row in whole) == program.streams.rstrip("\n")


def test_json_is_data(presil: Any, digits: Path) -> None:
    ended = presil("inspect", digits, "--json")
    data = json.loads(ended.out)
    assert ended.code == 0 and set(SECTIONS) <= set(data)
    assert data["graph"][0]["inputs"][0] == {
        "name": "serving_default_image:0", "dtype": "int8", "shape": [1, 96, 96, 3],
    }  # fmt: skip
    assert data["placement"][0]["sentence"].startswith("conv2d 'conv2d_1' runs on the dla")
    assert (
        max(b["offset"] + b["bytes"] for b in data["memory"]["buffers"])
        == (data["memory"]["sram_bytes"])
    )
    one = json.loads(presil("inspect", digits, "--json", "--section", "memory").out)
    assert one["memory"] == data["memory"] and "graph" not in one


def test_a_stripped_program_says_that_it_has_no_graph(program: presil.Program) -> None:
    bare = Inspection(presil.compile("digits", strip=True))
    assert bare.data(["graph"])["graph"] is None
    assert "graph: compiled with --strip, so it is not here" in bare.summary()


def test_a_layer_that_is_not_there_is_refused(presil: Any, digits: Path) -> None:
    ended = presil("inspect", digits, "--layer", "conv2d_33")
    assert ended.code == 2 and len(ended.err.splitlines()) == 1
    assert "inspect: there is no layer 'conv2d_33' (did you mean 'conv2d_3_1'?); layers are" in (
        ended.err
    )
    ended = presil("inspect", digits, "--section", "stream")
    assert ended.code == 2 and "'graph', 'placement', 'memory', 'streams'" in ended.err
