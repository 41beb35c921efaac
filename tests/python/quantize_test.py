"""Float networks to integers: options do what they say, islands are exact, bad input is refused."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import numpy as np
import presil
import pytest
from conftest import presil as called
from onnx_files import Model
from presil.quantizing.calibration import spread
from presil.report.quantize_html import quantize_page
from presil.validate_source import runtime_python

SIDE = 16
LINE = presil.Type("float32")


def has(package: str) -> bool:
    """Whether the environment of the runtimes has it."""
    try:
        python = runtime_python()
    except presil.Refusal:
        return False
    return subprocess.run([python, "-c", f"import {package}"], capture_output=True).returncode == 0


@pytest.fixture(scope="module")
def onnx_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A float network of the shape library, as a file."""
    if not (has("onnxruntime.quantization") and has("onnx")):
        pytest.skip("SKIPPED: no onnxruntime and onnx in the environment of PRESIL_RUNTIMES")
    rng = np.random.default_rng(3)
    m = Model()

    def weights(*shape: int) -> str:
        return m.constant((rng.normal(size=shape) / np.sqrt(shape[1] * 9)).astype(np.float32))

    x = m.input("x", [1, 3, SIDE, SIDE])
    pads = {"pads": [1, 1, 1, 1]}
    b = m.op("Relu", [m.op("Conv", [x, weights(8, 3, 3, 3)], "first", **pads)], "relu")
    c = m.op("Conv", [b, weights(8, 8, 3, 3)], "second", **pads)
    pooled = m.op("GlobalAveragePool", [m.op("Add", [b, c], "sum")], "pool")
    m.op("MatMul", [m.op("Flatten", [pooled], "rows"), weights(8, 10)], "y")
    m.output("y")
    return m.save(tmp_path_factory.mktemp("float") / "small.onnx")


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("samples") / "x.npy"
    np.save(file, np.random.default_rng(4).random((6, 3, SIDE, SIDE), dtype=np.float32))
    return file


@pytest.mark.parametrize("range_", ["min-max", "percentile", "entropy"])
def test_a_float_network_becomes_integers(
    onnx_file: Path, samples: Path, tmp_path: Path, range_: str
) -> None:
    out = tmp_path / "int8.onnx"
    found = presil.quantize(onnx_file, out, samples, range=range_, sensitivity="all")
    layers = {row["name"]: row for row in found.record["layers"]}
    assert layers["second"]["decibels"] > 10 and found.hurts_most in layers
    assert found.record["cycles"]["quantized"] < found.record["cycles"]["float"]
    run = presil.run(out, np.load(samples)[:1], check="layers")
    engines = {row["op"]: row["engine"] for row in run.record["placement"]}
    assert run.exact and engines["conv2d"] == "dla"
    page = quantize_page(found.record)
    assert "Which layer hurts most" in page and "second" in page


def test_kept_layers_are_islands_of_float_and_exact(
    onnx_file: Path, samples: Path, tmp_path: Path
) -> None:
    out = tmp_path / "mixed.onnx"
    found = presil.quantize(onnx_file, out, samples, keep=["sec*"], sensitivity="none")
    kept = [row["name"] for row in found.record["layers"] if row["kept"]]
    assert kept == ["second"]
    run = presil.run(out, np.load(samples)[:1], check="layers")
    assert run.exact
    assert {row["engine"] for row in run.record["placement"] if row["op"] == "conv2d"} == {
        "dla",
        "dsp",
    }


def test_one_scale_for_all_weights_is_not_one_for_each_channel(
    onnx_file: Path, samples: Path, tmp_path: Path
) -> None:
    scales = {}
    for weights in ("per-channel", "per-tensor"):
        out = tmp_path / f"{weights}.onnx"
        presil.quantize(onnx_file, out, samples, weights=weights, sensitivity="none", cycles=False)
        text = presil.load(out).graph.text()
        scales[weights] = text.count("of 8], 0, axis=0)")
    assert scales["per-channel"] > 0 and scales["per-tensor"] == 0


def test_activations_of_int16_are_nearer_to_the_float_network(
    onnx_file: Path, samples: Path, tmp_path: Path
) -> None:
    noise = {}
    for activations in ("int8", "int16"):
        out = tmp_path / f"{activations}.onnx"
        found = presil.quantize(
            onnx_file, out, samples, activations=activations, sensitivity="none", cycles=False
        )
        noise[activations] = found.record["output_decibels"]
        assert presil.run(out, np.load(samples)[:1], check="layers").exact
    assert noise["int16"] > noise["int8"], "weights are int8 in both"


def test_the_command_line_and_accuracy(onnx_file: Path, samples: Path, tmp_path: Path) -> None:
    """Labels are what the float network says: it is right about all of them."""
    every = np.load(samples)
    said = presil.reference(onnx_file, every)["y"].argmax(-1)
    data = tmp_path / "data"
    data.mkdir()
    for k, x in enumerate(every):
        np.save(data / f"{k}.npy", x[None])
    lines = "\n".join(f"{k}.npy,{c}" for k, c in enumerate(said))
    (data / "labels.csv").write_text(f"file,class\n{lines}\n", encoding="utf-8")
    ended = called("quantize", onnx_file, "-o", "out.onnx", "--data", data, "--metric", "top1",
                   "--json", "q.json", "--html", "q.html", cwd=tmp_path)  # fmt: skip
    assert ended.code == 0, ended.err
    record = json.loads((tmp_path / "q.json").read_text(encoding="utf-8"))
    accuracy = record["accuracy"]
    assert accuracy["float"] == 1.0 and accuracy["exact"] and accuracy["samples"] == 6
    assert accuracy["quantized"] == accuracy["runtime"], "onnxruntime of the same file"
    assert f"hurts most: {record['hurts_most']}" in ended.out
    guide = Path(presil.__file__).parents[2] / "guides" / "quantize.md"
    assert "Signal to noise is" in guide.read_text(encoding="utf-8")


def test_trained_tflite_networks(shared: Path, tmp_path: Path) -> None:
    if not has("litert_quantizer"):
        pytest.skip("SKIPPED: no litert-quantizer in the environment of PRESIL_RUNTIMES")
    models = shared / "models"
    file = models / "mlperf-tiny-resnet8" / "pretrainedResnet.tflite"
    np.save(tmp_path / "x.npy", np.random.default_rng(1).random((4, 32, 32, 3), np.float32) * 255)
    for name, options in {"int8": {}, "int16": {"activations": "int16"}}.items():
        out = tmp_path / f"{name}.tflite"
        found = presil.quantize(file, out, tmp_path / "x.npy", sensitivity="none", **options)
        assert found.record["output_decibels"] is not None
        assert presil.run(out, check="layers").exact
    hybrid = models / "mlperf-tiny-dscnn-kws" / "kws_ref_model_float32.tflite"
    np.save(tmp_path / "y.npy", np.zeros((1, 49, 10, 1), np.float32))
    with pytest.raises(presil.Refusal, match="are integers already; give the float network"):
        presil.quantize(hybrid, tmp_path / "o.tflite", tmp_path / "y.npy")


def test_calibration_is_spread_over_all_samples() -> None:
    assert spread(list(range(10)), 4) == [0, 2, 5, 7]
    assert spread([1, 2], 4) == [1, 2]


def test_nonsense_is_refused(tmp_path: Path, digits: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    floats = tmp_path / "float.npy"
    np.save(floats, np.zeros((2, 3, 32, 32), np.float32))
    net, out = "squeezenet:width=0.25,resolution=32", tmp_path / "out.onnx"

    def refused(text: str, given: object = net, to: Path = out, *args: object, **options: object):
        with pytest.raises(presil.Refusal) as told:
            presil.quantize(given, to, *args, **options)
        assert text in str(told.value)

    refused("quantize: the output is", net, tmp_path / "out.tflite", floats)
    refused("data and metric are given together, or neither", net, out, floats, metric="top1")
    refused("give --calibrate a folder of images or a .npy file, or labelled --data")
    refused("must be float32; give the network as it was before", digits, tmp_path / "o.tflite",
            floats)  # fmt: skip
    refused("--calibrate is '", net, out, tmp_path / "none")
    (tmp_path / "empty").mkdir()
    refused("holds no image and no array", net, out, tmp_path / "empty")
    (tmp_path / "bad.npy").write_bytes(b"x")
    refused("bad.npy' is not a .npy file", net, out, tmp_path / "bad.npy")
    refused("quantize: percentile is 3, must be 50 to 100", net, out, floats, percentile=3)
    refused("quantize: range is 'widest'", net, out, floats, range="widest")
    (tmp_path / "net.presil").write_bytes(b"x")
    refused("must be a .onnx or .tflite file, as its quantiser reads", tmp_path / "net.presil",
            tmp_path / "o.presil", floats)  # fmt: skip


def test_an_absent_quantiser_is_named(
    tmp_path: Path, shared: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = shared / "models" / "mlperf-tiny-resnet8" / "pretrainedResnet.tflite"
    np.save(tmp_path / "x.npy", np.zeros((1, 32, 32, 3), np.float32))
    monkeypatch.setenv("PRESIL_RUNTIMES", "/usr/bin/python3")
    with pytest.raises(presil.Refusal, match="files require the packages litert-quantizer"):
        presil.quantize(file, tmp_path / "o.tflite", tmp_path / "x.npy")
    bad = np.full((1, 32, 32, 3), np.nan, np.float32)
    np.save(tmp_path / "nan.npy", bad)
    with pytest.raises(presil.Refusal, match="holds what is no number; no range follows from it"):
        presil.quantize(file, tmp_path / "o.tflite", tmp_path / "nan.npy")


def test_a_layer_that_is_not_there_is_refused(
    onnx_file: Path, samples: Path, tmp_path: Path
) -> None:
    with pytest.raises(presil.Refusal, match="does not take .*'third' is no layer of the network"):
        presil.quantize(onnx_file, tmp_path / "o.onnx", samples, keep="third")
