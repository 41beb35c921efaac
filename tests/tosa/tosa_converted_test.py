"""Trained networks through TOSA's converter cost what their TFLite files cost (converted.py)."""

from __future__ import annotations

from pathlib import Path

import converted
import pytest

SMALL = ["micro speech", "DS-CNN (keywords)", "ResNet-8"]


@pytest.mark.parametrize("name", converted.NETWORKS)
def test_a_converted_network_is_exact_and_costs_no_more(
    name: str, shared: Path, everything: bool, tmp_path: Path
) -> None:
    if converted.missing():
        pytest.skip(
            f"SKIPPED: not in PATH: {', '.join(converted.missing())} (packages "
            "tosa-converter-for-tflite, tosa-tools)"
        )
    if name not in SMALL and not everything:
        pytest.skip("SKIPPED: a larger network, of `presil test --all`")
    row = converted.row(shared / "models" / converted.NETWORKS[name], tmp_path)
    assert row.exact and row.of_model and row.of_tflite
    assert abs(row.longer) <= 0.03
