"""A SoC's label is its name and what differs from the preset's, however it was asked for."""

from __future__ import annotations

import pickle
from pathlib import Path

import presil
import pytest
from presil import paths


@pytest.mark.parametrize(
    ("soc", "overrides", "expected"),
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
    soc: str, overrides: tuple[str, ...], expected: str
) -> None:
    assert presil.load_soc(soc, overrides).label == expected


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


def test_a_soc_of_another_one_tells_all_that_differs(tmp_path: Path) -> None:
    wide = presil.load_soc("edge", ["dla.macs_k=32"])
    assert presil.load_soc(wide).label == "edge dla.macs_k=32"
    both = presil.load_soc(wide, {"dma.channels": 2})
    assert both.label == "edge dla.macs_k=32 dma.channels=2"
    assert presil.load_soc(both, {"dla.macs_k": 16}).label == "edge dma.channels=2"
    assert presil.load_soc({"name": "micro", "dma": {"channels": 1}}).label.startswith("micro")
    assert pickle.loads(pickle.dumps(both)).label == both.label
    (tmp_path / "mine.yaml").write_text("dla: {macs_k: 32}\n")
    mine = presil.load_soc(tmp_path / "mine.yaml", ["dma.channels=2"])
    more = presil.load_soc(mine, ["dma.channels=1", "sram.bytes=524288"])
    assert more.label == "mine dma.channels=1 sram.bytes=524288"


def test_a_file_that_is_a_soc_by_overrides_alone_tells_them(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text("dla: {macs_k: 17}\n")
    with pytest.raises(presil.Refusal, match="dla.macs_k"):
        presil.load_soc(tmp_path / "mine.yaml")
    whole = presil.load_soc(tmp_path / "mine.yaml", ["dla.macs_k=32"])
    assert whole.label == "mine dla.macs_k=32"


def test_without_a_label_the_name_is_read(digits: Path) -> None:
    soc = paths.native().parse_soc("", "plain")
    assert soc.label == "plain"
    soc.label = "plain x=1"
    assert soc.label == "plain x=1" and soc.name == "plain"


def test_what_a_file_does_not_name_is_as_of_edge(tmp_path: Path) -> None:
    """Kernels of the host too, which are a table."""
    file = tmp_path / "plain.yaml"
    file.write_text("sram: {banks: 16}\n", encoding="utf-8")
    edge = presil.load_soc("edge")
    assert presil.load_soc(file).canonical_text == edge.canonical_text
    kernels = {n: v for n, v in edge.config.items() if "kernel_cycles" in n}
    assert edge.config["host.base"] == "assumed_edge" and len(kernels) > 250
    duo = presil.load_soc("duo").config
    assert {n: v for n, v in duo.items() if "kernel_cycles" in n} == kernels
    softmax = "host.kernel_cycles_per_element.softmax_i8"
    assert [float(presil.load_soc(name).config[softmax]) for name in ("micro", "edge", "big")] == [
        40,
        20,
        4,
    ]


def test_a_list_of_prices_is_told_by_its_name() -> None:
    m33 = presil.load_soc("edge", ["host.base=m33"])
    assert m33.label == "edge host.base=m33"
    assert presil.load_soc(m33, {"host.cycles_call": 7}).label == (
        "edge host.base=m33 host.cycles_call=7"
    )
    assert presil.load_soc(m33, {"host.base": "assumed_edge"}).label == "edge"
    own = presil.load_soc("edge", {"host": {"base": "m33", "kernel_cycles_call": {"nms": 5}}})
    assert own.label == "edge host.base=m33 host.kernel_cycles_call.nms=5"
    assert pickle.loads(pickle.dumps(own)).canonical_text == own.canonical_text
