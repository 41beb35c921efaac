"""Tensors beside another runtime's: counted by hand, found again, and what differs is named."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import numpy as np
import presil
import pytest
from conftest import presil as called
from presil.validate_compare import MAP_SIDE, aligned, compared, map_of
from presil.validate_source import file_stem, read_source, runtime_python

INT8 = ("digits", "kws", "resnet8", "vww", "autoencoder")
SHARED = {
    "kws": "mlperf-tiny-dscnn-kws/kws_ref_model.tflite",
    "resnet8": "mlperf-tiny-resnet8/pretrainedResnet_quant.tflite",
    "vww": "mlperf-tiny-mobilenetv1-vww/vww_96_int8.tflite",
    "autoencoder": "mlperf-tiny-autoencoder-ad/ad01_int8.tflite",
    "float": "mlperf-tiny-resnet8/pretrainedResnet.tflite",
}


@pytest.fixture(scope="module")
def dumped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("validate") / "dumped"
    ended = called("validate", "digits", "--against", outputs_of(folder), "--dump", folder)
    assert ended.code == 0, ended.err
    return folder


def outputs_of(folder: Path) -> Path:
    """The outputs of a run, by their numbers."""
    run = presil.run("digits")
    made = folder.parent / "outputs"
    made.mkdir()
    for k, array in enumerate(run.arrays):
        np.save(made / f"out{k}.npy", array)
    return made


def file_of(net: str) -> str:
    if net == "digits":
        return net
    shared = os.environ.get("PRESIL_SHARED", str(Path(__file__).resolve().parents[3] / "shared"))
    file = Path(shared) / "models" / SHARED[net]
    if not file.is_file():
        pytest.skip(f"no {file}")
    return str(file)


def test_integers_are_counted_in_steps() -> None:
    got = np.array([1, 2, 3, 4, -100], np.int8)
    expected = np.array([1, 3, 3, 2, 100], np.int8)
    row = compared(got, expected, 0, 0.0)
    assert row["different"] == 3 and row["largest"] == 200 and not row["within"]
    assert row["mean"] == pytest.approx((1 + 2 + 200) / 5)
    assert row["rms"] == pytest.approx(((1 + 4 + 40000) / 5) ** 0.5)
    assert row["distribution"] == [("<= -8", 1), ("-1", 1), ("0", 2), ("+2", 1)]
    assert row["first"] == {"index": [1], "got": 2, "expected": 3}
    assert compared(got, expected, 2, 0.0)["first"] == {"index": [4], "got": -100, "expected": 100}
    assert compared(got, expected, 200, 0.0)["within"]


def test_floats_are_shares_of_the_largest_value() -> None:
    got = np.array([[0.0, 1.002], [-2.0, 0.5]], np.float32)
    expected = np.array([[0.0, 1.0], [-2.0, 0.5]], np.float32)
    row = compared(got, expected, 0, 0.01)
    assert row["largest"] == pytest.approx(0.001, rel=1e-3) and row["within"]
    assert sum(count for _, count in row["distribution"]) == 4
    assert compared(got, expected, 0, 0.0005)["first"]["index"] == [0, 1]


def test_what_is_no_number_differs_from_what_is_one() -> None:
    nan, inf = np.float32("nan"), np.float32("inf")
    same = np.array([nan, inf, 1], np.float32)
    assert compared(same, same.copy(), 0, 0.0)["within"]
    row = compared(np.array([nan, inf, 1], np.float32), np.array([0, inf, 1], np.float32), 0, 9.0)
    assert row["different"] == 1 and row["largest"] == "inf" and row["first"]["got"] == "nan"
    json.dumps(row, allow_nan=False)


def test_shapes_may_differ_in_ones_and_bytes_in_their_zero() -> None:
    got = np.zeros((1, 2, 3), np.int8)
    assert np.array_equal(aligned(got, np.full((2, 3), 128, np.uint8)), got)
    assert "6 here" in str(aligned(got, np.zeros(5, np.int8)))
    assert "there, [1, 2, 3] here" in str(aligned(got, np.zeros((3, 2), np.int8)))
    assert "is int16 there, int8 here" in str(aligned(got, np.zeros((2, 3), np.int16)))


def test_a_map_shows_where_the_first_image_differs() -> None:
    expected = np.zeros((1, 4, 6, 3), np.int8)
    got = expected.copy()
    got[0, 2, 5, 1] = -7
    plane = map_of(got, expected)
    assert plane.shape == (4, 6) and plane[2, 5] == 7 and plane.sum() == 7
    wide = np.zeros((2, 3 * MAP_SIDE), np.int8)
    other = wide.copy()
    other[1, -1] = 1
    assert map_of(other, wide).shape == (2, MAP_SIDE) and map_of(other, wide)[1, -1] == 1


def test_what_was_dumped_is_found_again(dumped: Path, tmp_path: Path) -> None:
    file = tmp_path / "same.json"
    ended = called("validate", "digits", "--against", dumped, "--json", file)
    assert ended.code == 0 and ended.out.splitlines()[-1].startswith("EXACT: ")
    record = json.loads(file.read_text())
    assert record["exact"] and record["not_compared"] == [] and len(record["tensors"]) > 20
    assert record["compared"] == sum(t["elements"] for t in record["tensors"])


def test_one_value_that_differs_is_named(dumped: Path, tmp_path: Path) -> None:
    other = shutil.copytree(dumped, tmp_path / "other")
    name = "functional_1/add_1/Add"
    file = other / f"{file_stem(name)}.npy"
    values = np.load(file)
    index = (0, 3, 2, 1)
    values[index] ^= 1
    np.save(file, values)
    page, record_file = tmp_path / "page.html", tmp_path / "r.json"
    files = ("--json", record_file, "--html", page)
    ended = called("validate", "digits", "--against", other, *files)
    assert ended.code == 1
    first = json.loads(record_file.read_text())["first"]
    assert first["tensor"] == name and first["layer"] == "conv2d_3_1"
    assert first["index"] == list(index) and first["expected"] == values[index]
    assert f"DIFFERS: first in layer 'conv2d_3_1', tensor '{name}', index [0, 3, 2, 1]" in ended.out
    html = page.read_text()
    assert "data:image/png;base64," in html and name in html
    assert called("validate", "digits", "--against", other, "--steps", "1").code == 0


def test_what_has_no_partner_is_listed(dumped: Path, tmp_path: Path) -> None:
    some = tmp_path / "some"
    some.mkdir()
    for file in sorted(dumped.glob("*add*.npy")):
        shutil.copy(file, some)
    np.save(some / "count.npy", np.zeros(7, np.int32))
    found = presil.validate("digits", some)
    assert len(found.record["tensors"]) == 3 and found.record["exact"]
    why = {row["tensor"]: row["why"] for row in found.record["not_compared"]}
    assert why["count"] == "has 7 values there, 1 here"
    assert why["decode0"] == f"{some} has no tensor of this name"


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (
            lambda d: "litrt",
            "--against is 'litrt', expected tflite-micro, litert, onnxruntime, or a folder of",
        ),
        (lambda d: d, "holds no .npy file, must hold one for each tensor, named as it"),
        (lambda d: spoilt(d), "'{d}/x.npy' is not a .npy file"),
        (lambda d: foreign(d), "no tensor of '"),
    ],
)
def test_refusals(make: object, said: str, tmp_path: Path) -> None:
    against = make(tmp_path)  # type: ignore[operator]
    ended = called("validate", "digits", "--against", against)
    assert ended.code == 2
    assert said.replace("{d}", str(tmp_path)) in ended.err


def spoilt(folder: Path) -> Path:
    (folder / "x.npy").write_bytes(b"no array")
    return folder


def foreign(folder: Path) -> Path:
    np.save(folder / "x.npy", np.zeros(3))
    return folder


def test_refuses_what_no_runtime_reads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = presil.compile("digits")
    program.save(tmp_path / "d.presil")
    with pytest.raises(presil.Refusal, match="has no file that a runtime reads; give that"):
        presil.validate(presil.open_loadable(tmp_path / "d.presil"), "litert")
    monkeypatch.setenv("PRESIL_RUNTIMES", str(tmp_path / "none"))
    with pytest.raises(
        presil.Refusal, match="no runtimes at .*; set PRESIL_RUNTIMES to the Python"
    ):
        presil.validate("digits", "litert")
    with pytest.raises(presil.Refusal, match="litert reads .tflite files, '.*loose.bin' is none"):
        read_source("litert", tmp_path / "loose.bin", [])
    with pytest.raises(presil.Refusal, match="steps is -1, expected a whole number 0..65535"):
        presil.validate("digits", "litert", steps=-1)
    with pytest.raises(presil.Refusal, match="share is nan, expected a number of 0 or more"):
        presil.validate("digits", "litert", share=float("nan"))


def runtimes() -> None:
    try:
        runtime_python()
    except presil.Refusal as refusal:
        pytest.skip(str(refusal))


@pytest.mark.parametrize("net", INT8)
@pytest.mark.parametrize("against", ["tflite-micro", "litert"])
def test_integers_equal_the_runtime_in_every_tensor(net: str, against: str) -> None:
    runtimes()
    found = presil.validate(file_of(net), against, seed=7)
    assert found.record["exact"], found.record["first"]
    assert found.record["against"]["version"]


@pytest.mark.parametrize(
    "net",
    ["alexnet:resolution=64,width=0.25", "resnet18:resolution=64,width=0.5", "lstm:steps=3",
     "gemm", "unet:resolution=32,width=0.1", "mobilenet_v3_small:resolution=96,seed=3"],
)  # fmt: skip
def test_quantised_onnx_networks_equal_onnxruntime(net: str) -> None:
    """Products, functions, pools and most sums: each as the standard defines it."""
    pytest.importorskip("onnx", reason="SKIPPED: no python3-onnx")
    runtimes()
    try:
        found = presil.validate(net, "onnxruntime", seed=7)
    except presil.Refusal as refusal:
        if "cannot run onnxruntime" in str(refusal):
            pytest.skip(str(refusal))
        raise
    assert found.record["exact"], found.record["first"]


def test_a_runtime_reads_its_own_format(tmp_path: Path) -> None:
    with pytest.raises(presil.Refusal, match="onnxruntime reads .onnx files, '.*net.tflite' is"):
        read_source("onnxruntime", tmp_path / "net.tflite", [])


def test_other_rules_differ_from_the_runtime() -> None:
    runtimes()
    found = presil.validate("digits", "tflite-micro", numerics="xnnpack")
    assert not found.within and found.record["first"]["layer"] == "conv2d_1"


def test_floats_are_near_the_runtime() -> None:
    runtimes()
    found = presil.validate(file_of("float"), "litert", share=1e-5)
    assert found.within and not found.record["exact"]


def test_a_runtime_says_what_it_does_not_take(tmp_path: Path) -> None:
    runtimes()
    with pytest.raises(presil.Refusal, match="tflite-micro does not compute '.*': "):
        presil.validate(file_of_unknown(), "tflite-micro")


def file_of_unknown() -> str:
    SHARED["kwt"] = "kwt1-keyword-transformer-float/kwt1_non_stream.tflite"
    return file_of("kwt")
