"""Convolutional networks in int8 and uint8 have their products on the DLA, and the rules' README
says where each network runs."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "bench"))

import placement  # noqa: E402

LEAST = 0.995


@pytest.fixture(name="placed", scope="module")
def placed_fixture(shared: Path) -> list[placement.Placed]:
    found = [placement.placed(file) for file in placement.networks(shared)]
    return [network for network in found if network is not None]


def test_convolutional_networks_multiply_on_the_dla(placed: list[placement.Placed]) -> None:
    networks = [n for n in placed if n.convolutional]
    assert len(networks) >= 10
    for network in networks:
        text = f"{network.name}: {network.share:.4f} of {network.macs}, host: {network.host}"
        assert network.share >= LEAST, text


def test_the_readme_has_the_shares_of_today(placed: list[placement.Placed]) -> None:
    readme = (ROOT / "compiler_bridge" / "rules" / "README.md").read_text(encoding="utf-8")
    for network in placed:
        assert placement.cells(network)[0] in readme, (
            "tests/bench/placement.py prints another table"
        )
