"""A softmax as converters write it runs as one on `edge`; with another table it does not."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import presil
import pytest
from tosa_cases_test import archive, cases, inputs, network
from tosa_file import TosaFile
from written_softmax import exponentials, written

SHAPE = [5, 1001]
"""More than 512 values: the last shift of a row of equal ones is by 32 bits."""


def net_of(entries: list[int], folder: Path) -> presil.Network:
    net = TosaFile()
    net.outputs = [written(net, net.input(SHAPE, "INT8"), SHAPE, 14, entries)]
    file = folder / "softmax.tosa"
    file.write_bytes(net.bytes())
    return presil.load(file)


def rows() -> np.ndarray:
    """All alike, one above all others, two values, few, random."""
    rng = np.random.default_rng(3)
    x = rng.integers(-128, 128, SHAPE).astype(np.int8)
    x[0], x[1] = 127, -128
    x[1, 77] = 127
    x[2] = np.where(x[2] > 0, 3, 2)
    x[3] = np.where(x[3] > 120, 90, -128)
    return x


@pytest.mark.parametrize("slope", [0.0078125, 0.0625, 1.5])
def test_a_written_softmax_is_one_of_the_dsp(slope: float, tmp_path: Path) -> None:
    net = net_of(exponentials(slope), tmp_path)
    run = presil.run(net, [rows()], check="layers")
    assert run.exact
    assert {layer["engine"] for layer in run.layers} == {"dsp"}
    assert [layer["op"] for layer in run.layers] == ["softmax"]


def test_another_entry_of_a_table_keeps_all_operators(tmp_path: Path) -> None:
    entries = exponentials(0.0625)
    entries[3] += 1
    net = net_of(entries, tmp_path)
    run = presil.run(net, [rows()], check="layers")
    assert run.exact
    ops = [layer["op"] for layer in run.layers]
    assert "softmax" not in ops and {"leading_zeros", "mul_shift", "table_between"} <= set(ops)


def test_the_cases_of_the_reference_model_have_both(tmp_path: Path) -> None:
    fused = kept = 0
    for case in (case for case in cases() if case.endswith("_softmaxes")):
        net = network(case, tmp_path)
        values = inputs(case, net)
        run = presil.run(net, values, check="layers")
        (got,) = run.outputs.values()
        expected = np.load(archive().open(f"{case}/out0.npy"))
        assert run.exact and got.tobytes() == expected.tobytes(), case
        ops = {layer["op"] for layer in run.layers}
        fused, kept = fused + (ops == {"softmax"}), kept + ("softmax" not in ops)
    assert fused >= 12 and kept >= 3 and fused + kept == 24


def test_of_floats_it_is_one_too(tmp_path: Path) -> None:
    net, shape, row = TosaFile(), [4, 33], [4, 1]
    x = net.input(shape, "FP32")
    most = net.made("REDUCE_MAX", [x], row, "FP32", axis=1, nan_mode="PROPAGATE")
    e = net.made("EXP", [net.made("SUB", [x, most], shape, "FP32")], shape, "FP32")
    total = net.made("REDUCE_SUM", [e], row, "FP32", axis=1)
    share = net.made("RECIPROCAL", [total], row, "FP32")
    zero = net.constant([0], "INT8")
    net.outputs = [net.made("MUL", [e, share, zero], shape, "FP32")]
    file = tmp_path / "floats.tosa"
    file.write_bytes(net.bytes())
    values = np.random.default_rng(5).normal(0, 4, shape).astype(np.float32)
    run = presil.run(file, [values], check="layers")
    assert run.exact and [layer["op"] for layer in run.layers] == ["softmax"]
    (got,) = run.outputs.values()
    expected = np.exp(values.astype(np.float64))
    np.testing.assert_allclose(got, expected / expected.sum(1, keepdims=True), rtol=2e-6)


def test_a_reciprocal_of_integers_is_refused(tmp_path: Path) -> None:
    net = TosaFile()
    net.outputs = [net.made("RECIPROCAL", [net.input([4], "INT32")], [4], "INT32")]
    file = tmp_path / "integers.tosa"
    file.write_bytes(net.bytes())
    with pytest.raises(presil.Refusal, match="RECIPROCAL .*its input is no FP32, must be"):
        presil.load(file)
