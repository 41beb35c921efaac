"""A SoC's label is its name and what differs from the preset's, however it was asked for."""

from __future__ import annotations

from pathlib import Path

import presil
import pytest
from presil import paths


@pytest.mark.parametrize(
    ("soc", "overrides", "wanted"),
    [
        ("edge", (), "edge"),
        ("edge", ("dla.macs_k=16",), "edge"),  # what it has already
        ("edge", ("dla.macs_k=32.0",), "edge dla.macs_k=32"),
        ("edge", (" dla.macs_k = 32 ", "dla.macs_k=16"), "edge"),  # the last one holds
        ("big", ("sram.bytes=1048576", "dma.channels=2"), "big dma.channels=2 sram.bytes=1048576"),
        ("edge", ("dram.setting=ideal",), "edge dram.setting=ideal"),
    ],
)
def test_only_what_differs_is_in_it_sorted(
    soc: str, overrides: tuple[str, ...], wanted: str
) -> None:
    assert presil.load_soc(soc, overrides).label == wanted


def test_a_file_is_its_own_base_unless_it_has_a_presets_name(tmp_path: Path) -> None:
    text = "dla: {macs_k: 32}\n"
    (tmp_path / "mine.yaml").write_text(text)
    (tmp_path / "edge.yaml").write_text(paths.SOCS.joinpath("edge.yaml").read_text() + "")
    assert presil.load_soc(tmp_path / "mine.yaml").label == "mine"
    assert (
        presil.load_soc(tmp_path / "mine.yaml", ["dma.channels=2"]).label == "mine dma.channels=2"
    )
    assert presil.load_soc(tmp_path / "edge.yaml").label == "edge"
    changed = (
        paths.SOCS.joinpath("edge.yaml").read_text().replace("clock_mhz: 1000", "clock_mhz: 900")
    )
    (tmp_path / "edge.yaml").write_text(changed)
    assert presil.load_soc(tmp_path / "edge.yaml").label == "edge clock_mhz=900"


def test_without_a_label_the_name_is_read(digits: Path) -> None:
    soc = paths.native().parse_soc("", "plain")
    assert soc.label == "plain"
    soc.label = "plain x=1"
    assert soc.label == "plain x=1" and soc.name == "plain"
