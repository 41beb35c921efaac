"""The models' cycles are within their bands of the RTL's, and cycle_error.md says what is measured:
a part of it by default, the whole document with PRESIL_ALL=1."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from cycle_error import (
    COMMAND,
    DOCUMENT,
    NETWORKS,
    SETTINGS,
    Measured,
    document,
    measure,
    measure_commands,
    measure_layers,
    together,
)

QUICK_LAYERS = 15


pytestmark = pytest.mark.usefixtures("simulator_with_rtl")


@pytest.fixture(name="text", scope="module")
def text_fixture() -> str:
    return DOCUMENT.read_text(encoding="utf-8")


@pytest.fixture(name="rtl", scope="module")
def rtl_fixture(text: str) -> list[str]:
    """The blocks that the document is about."""
    found = re.search(rf"{re.escape(COMMAND)} --rtl ([\w,]+)", text)
    assert found, "the document names no command"
    return found[1].split(",")


def expect_documented(measured: Measured, text: str) -> None:
    lines = text.splitlines()
    for line in [measured.row(), *measured.notes()]:
        assert line in lines, f"{DOCUMENT.name} is stale, run {COMMAND}; measured: {line}"


def expect_network_band(measured: Measured) -> None:
    bands = measured.cosim["bands"]
    assert abs(measured.cosim["error_percent"]) <= bands["network_percent"], measured.row()


@pytest.mark.parametrize("setting", list(SETTINGS))
def test_the_projects_own_network_is_within_its_bands_as_documented(
    text: str, rtl: list[str], setting: str
) -> None:
    measured = measure("digits", setting, rtl)
    expect_network_band(measured)
    expect_documented(measured, text)
    assert not measured.outside


@pytest.mark.parametrize(("name", "setting"), [("ds-cnn", "real"), ("resnet8", "contended")])
def test_trained_networks_are_within_their_bands_as_documented(
    shared: Path, text: str, rtl: list[str], name: str, setting: str
) -> None:
    if not NETWORKS[name].is_file():
        pytest.skip(f"SKIPPED: {shared} has no {name}")
    measured = measure(name, setting, rtl)
    expect_network_band(measured)
    expect_documented(measured, text)
    assert not measured.outside


def test_random_layers_are_within_their_bands(rtl: list[str], everything: bool) -> None:
    if everything:
        pytest.skip("SKIPPED: the whole document is measured")
    found = together(measure_layers(rtl, QUICK_LAYERS))
    assert found.total >= QUICK_LAYERS
    assert found.within >= 0.95 * found.total, found.notes
    assert found.worst <= 10, found.notes


def test_the_whole_document_is_what_is_measured(
    shared: Path, text: str, rtl: list[str], everything: bool
) -> None:
    if not everything:
        pytest.skip("SKIPPED: all networks, layers and commands are for `presil test --all`")
    networks = [measure(name, setting, rtl) for name in NETWORKS for setting in SETTINGS]
    for measured in networks:
        expect_network_band(measured)
        assert not measured.outside, measured.notes()
    layers, commands = measure_layers(rtl), measure_commands()
    assert together(layers).total >= 100 and together(commands).total >= 500
    for part in (together(layers), together(commands)):
        assert part.within >= 0.95 * part.total, part.notes
        assert part.worst <= 10, part.notes
    assert document(rtl, networks, layers, commands) == text
