"""Random networks with what TOSA's reference model gives for them (make_cases.py): all exact."""

from __future__ import annotations

import io
import zipfile
from functools import cache
from pathlib import Path

import numpy as np
import presil
import pytest
from presil import paths

ARCHIVE = Path(__file__).with_name("cases.zip")
EVERY = 8
"""Of the cases each so manieth runs on the simulated SoC too."""


@cache
def archive() -> zipfile.ZipFile:
    return zipfile.ZipFile(ARCHIVE)


def cases() -> list[str]:
    return sorted({name.split("/")[0] for name in archive().namelist()})


def array(name: str) -> np.ndarray:
    return np.asarray(np.load(io.BytesIO(archive().read(name))))


def network(case: str, folder: Path) -> presil.Network:
    file = folder / f"{case}.tosa"
    file.write_bytes(archive().read(f"{case}/net.tosa"))
    return presil.load(file)


def inputs(case: str, net: presil.Network) -> list[np.ndarray]:
    return [array(f"{case}/in{i}.npy") for i in range(len(net.inputs))]


def test_there_are_300_cases_of_every_family() -> None:
    families = {case.split("_", 1)[1] for case in cases()}
    assert len(cases()) >= 300 and len(families) == 11
    assert ARCHIVE.stat().st_size < 1 << 20


def test_the_interpreter_gives_what_the_reference_model_gives(tmp_path: Path) -> None:
    wrong = []
    for case in cases():
        net = network(case, tmp_path)
        (got,) = paths.native().reference(net.graph, inputs(case, net), None)
        expected = array(f"{case}/out0.npy")
        if got.shape != expected.shape or got.tobytes() != expected.tobytes():
            wrong.append(case)
    assert not wrong


@pytest.mark.parametrize("case", cases()[::EVERY])
def test_the_soc_gives_the_same(case: str, tmp_path: Path) -> None:
    net = network(case, tmp_path)
    run = presil.run(net, inputs(case, net), check="layers")
    assert run.exact
    (got,) = run.outputs.values()
    assert got.tobytes() == array(f"{case}/out0.npy").tobytes()


def test_a_convolution_its_rescale_and_its_clamps_are_one_command(tmp_path: Path) -> None:
    engines = set()
    for case in cases()[:90:6]:
        net = network(case, tmp_path)
        ops = {op["kind"] for op in net.graph.ops}
        if net.inputs[0]["dtype"] != "int8" or "conv_sums" not in ops:
            continue
        program = presil.compile(net)
        engines |= {p["engine"] for p in program.placement if p["op"] == "rescale"}
    assert "dla" in engines


def test_a_batch_gives_what_its_images_give(tmp_path: Path) -> None:
    """Of networks of one image whose operators compute each by itself."""
    seen: set[str] = set()
    for case in cases()[::3]:
        net = network(case, tmp_path)
        given = inputs(case, net)
        if any(x.ndim < 2 or x.shape[0] != 1 for x in given):
            continue
        try:
            many = presil.load(tmp_path / f"{case}.tosa", batch=2)
        except presil.Refusal:
            continue
        others = [x[..., ::-1] for x in given]
        (got,) = paths.native().reference(
            many.graph, [np.concatenate(pair) for pair in zip(given, others, strict=True)], None
        )
        results = [paths.native().reference(net.graph, x, None)[0] for x in (given, others)]
        assert got.tobytes() == np.concatenate(results).tobytes(), case
        seen |= {op["kind"] for op in net.graph.ops}
    assert {"conv_sums", "rescale", "mean_pool", "matmul_sums", "resize_by_ratio"} <= seen
