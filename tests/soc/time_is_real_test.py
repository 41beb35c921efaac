"""A change of the SoC costs what the base run's record says it will: see prediction.py."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import presil
import pytest
from prediction import Row, predict_and_run

NETWORKS = {
    "resnet8": "mlperf-tiny-resnet8/pretrainedResnet_quant.tflite",
    "ds-cnn": "mlperf-tiny-dscnn-kws/kws_ref_model.tflite",
    "vww": "mlperf-tiny-mobilenetv1-vww/vww_96_int8.tflite",
    "resnet-large": "mlperf-tiny-resnet-large/pretrainedResnet_large_int8.tflite",
    "autoencoder": "mlperf-tiny-autoencoder-ad/ad01_int8.tflite",
}
SLOW = "dram.peak_mb_per_s=3200"
BASES = [(name, []) for name in NETWORKS] + [("vww", [SLOW]), ("autoencoder", [SLOW])]


@cache
def rows_of(file: Path, overrides: tuple[str, ...]) -> tuple[float, list[Row]]:
    return predict_and_run(presil.load(file), list(overrides))


@pytest.mark.parametrize(("name", "overrides"), BASES)
def test_a_change_costs_what_the_record_predicts(
    shared: Path, name: str, overrides: list[str]
) -> None:
    _, rows = rows_of(shared / "models" / NETWORKS[name], tuple(overrides))
    assert len(rows) == 4
    for row in rows:
        assert abs(row.error) <= 0.10, row


@pytest.mark.parametrize(("name", "overrides"), BASES)
def test_the_play_of_a_record_takes_as_long_as_the_run(
    shared: Path, name: str, overrides: list[str]
) -> None:
    off, _ = rows_of(shared / "models" / NETWORKS[name], tuple(overrides))
    assert abs(off) <= 0.05, off


def test_to_predict_no_change_would_not_do(shared: Path) -> None:
    """Otherwise the tolerance would prove nothing."""
    large = [
        row
        for name, overrides in BASES
        for row in rows_of(shared / "models" / NETWORKS[name], tuple(overrides))[1]
        if abs(row.base / row.got - 1) > 0.15
    ]
    assert {"half the DRAM rate", "32 x 32 array"} <= {row.case for row in large}, large
    assert len(large) >= 6, large
