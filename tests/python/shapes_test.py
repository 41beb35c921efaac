"""The shape library: topologies as published, the same network by two ways, values alive."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import presil
import pytest
from conftest import presil as called
from presil import nets
from presil.shapes import SHAPES
from presil.shapes.functions import FUNCTIONS
from presil.shapes.moments import Moments, normal, product, through

pytest.importorskip("onnx", reason="SKIPPED: no python3-onnx")

# Millions of multiply-accumulates and of parameters. Sources: torchvision's table of weights
# (alexnet to efficientnet; without the parameters of batch normalisation, which is folded), the
# papers' and Darknet's own counts (YOLO, in half of its BFLOPs), U-Net's paper's 31 M.
PUBLISHED = {
    "alexnet": (714, 61.1),
    "vgg16": (15470, 138.4),
    "resnet18": (1814, 11.69),
    "resnet34": (3664, 21.80),
    "resnet50": (4089, 25.56),
    "resnet101": (7801, 44.55),
    "mobilenet_v1": (569, 4.2),
    "mobilenet_v2": (300.8, 3.50),
    "mobilenet_v3_small": (56.5, 2.54),
    "googlenet": (1500, 6.62),
    "squeezenet": (349, 1.235),
    "efficientnet_lite0": (385, 4.65),
    "darknet19": (2790, 20.8),
    "yolo_v2": (14730, 50.9),
    "yolo_v3": (32930, 61.9),
    "yolo_v3_tiny": (2785, 8.85),
    "yolo_v4": (29780, 64.4),
    "unet": (12043, 31.0),
    "vit_tiny": (1258, 5.72),
}
LOOSE = {"googlenet": 0.06}  # its 5x5 branch is one of 3x3 in torchvision
QUICK = ("alexnet", "mobilenet_v3_small", "squeezenet", "yolo_v3_tiny", "yolo_v4", "unet",
         "deeplab_v3", "gemm", "lstm")  # fmt: skip
SMALL: dict[str, dict[str, Any]] = {
    **{
        name: {"resolution": 64, "width": 0.25}
        for name, shape in SHAPES.items()
        if "width" in shape.parameters
    },
    "mobilenet_v3_small": {"resolution": 64},
    "squeezenet": {"resolution": 64},
    "deeplab_v3": {"resolution": 65},
    "vit_tiny": {"resolution": 64},
    "deit_tiny": {"resolution": 32, "seed": 2},
    "gemm": {"m": 7, "k": 40, "n": 24},
    "lstm": {"steps": 4},
}  # fmt: skip


def spec(name: str, given: dict[str, Any]) -> str:
    return f"{name}:" + ",".join(f"{key}={value}" for key, value in given.items())


@pytest.mark.parametrize("name", PUBLISHED)
def test_work_and_parameters_are_the_published_ones(name: str) -> None:
    if name in ("vgg16", "alexnet", "resnet101", "yolo_v3", "yolo_v4") and not presil_all():
        pytest.skip("SKIPPED: large; PRESIL_ALL=1 makes it")
    graph = nets.build(name).graph
    macs, parameters = PUBLISHED[name]
    near = LOOSE.get(name, 0.015)
    assert graph.macs / 1e6 == pytest.approx(macs, rel=near)
    assert graph.params / 1e6 == pytest.approx(parameters, rel=near)


def presil_all() -> bool:
    return bool(os.environ.get("PRESIL_ALL"))


@pytest.mark.parametrize("name", SHAPES)
def test_a_graph_made_here_and_the_imported_file_give_the_same_values(name: str) -> None:
    if name not in QUICK and not presil_all():
        pytest.skip("SKIPPED: PRESIL_ALL=1 makes each")
    made, read = nets.build(name, **SMALL[name]), presil.load(spec(name, SMALL[name]))
    random = np.random.default_rng(7)
    stored, real = {}, {}
    for a, b in zip(made.inputs, read.inputs, strict=True):
        stored[a["name"]] = random.integers(-128, 128, a["shape"]).astype(np.int8)
        real[b["name"]] = in_file(stored[a["name"]], a)
    first = presil.run(made, stored, check="layers")
    second = presil.run(read, real, check="layers")
    assert first.exact and second.exact
    for a, y, z in zip(made.outputs, first.outputs.values(), second.outputs.values(), strict=True):
        np.testing.assert_array_equal(in_file(y, a), z)
        assert len(np.unique(y)) > 20, "its values have died out"


def in_file(values: np.ndarray, tensor: dict[str, Any]) -> np.ndarray:
    """Real numbers in the file's order of axes."""
    scale, zero = tensor["scales"][0], tensor["zero_points"][0]
    real = ((values.astype(np.float64) - zero) * scale).astype(np.float32)
    return real.transpose(0, 3, 1, 2) if real.ndim == 4 else real


@pytest.mark.parametrize("name", ["mobilenet_v3_small", "yolo_v4"])
def test_convolutional_bodies_run_on_the_dla(name: str) -> None:
    run = presil.run(spec(name, SMALL[name]), soc="edge", check="none")
    engines = {row["engine"] for row in run.record["layers"] if row["macs"]}
    assert engines == {"dla"}
    if name == "mobilenet_v3_small":  # of the other the maps are brought to the file's order
        assert "host" not in {row["engine"] for row in run.record["layers"]}


def test_batch_and_seed_are_parameters() -> None:
    small = {"resolution": 32, "width": 0.25, "classes": 10}
    one, two = (nets.build("resnet18", seed=s, batch=3, **small) for s in (1, 2))
    assert one.outputs[0]["shape"] == [3, 10]
    assert one.sha256 != two.sha256
    assert one.sha256 == nets.build("resnet18", seed=1, batch=3, **small).sha256


@pytest.mark.parametrize("function", FUNCTIONS)
def test_moments_are_those_of_samples(function: str) -> None:
    x = normal(np.array([0.2, -0.7]), np.array([1.0, 0.5]))
    made = through(x, FUNCTIONS[function])
    random = np.random.default_rng(3)
    samples = FUNCTIONS[function](
        x.mean + np.sqrt(x.variance) * random.standard_normal((200000, 2))
    )
    np.testing.assert_allclose(made.mean, samples.mean(axis=0), atol=0.01)
    np.testing.assert_allclose(made.variance, samples.var(axis=0), atol=0.02)


def test_a_product_stays_in_its_operands_reach() -> None:
    gate = Moments(np.array([0.5]), np.array([0.04]), 0.0, 1.0)
    x = normal(np.zeros(1), np.ones(1))
    made = product(x, gate)
    assert made.variance[0] == pytest.approx(0.29)
    assert -4.5 <= made.low < made.high <= 4.5


def test_a_shape_is_written_run_and_swept_by_its_name(tmp_path: Path) -> None:
    ended = called("nets", "--build", "gemm", "--set", "m=4", "--set", "k=32", cwd=tmp_path)
    assert ended.code == 0 and "gemm.onnx: " in ended.out
    ended = called("run", "gemm.onnx", cwd=tmp_path)
    assert ended.code == 0, ended.err
    ended = called("run", "gemm:m=4,k=32", cwd=tmp_path)
    assert ended.code == 0, ended.err
    sweep = tmp_path / "sweep.yaml"
    sweep.write_text(
        "networks: ['gemm:m=4,k=32', 'gemm:m=8,k=32']\nsoc: edge\nset: {dla.macs_k: [16, 32]}\n",
        encoding="utf-8",
    )
    ended = called("explore", "sweep.yaml", "--out", "swept", cwd=tmp_path)
    assert ended.code == 0, ended.err + ended.out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("gem",), "the shape library has no 'gem' (did you mean 'gemm'?)"),
        (("gemm:q=3",), "gemm has no parameter 'q'"),
        (("gemm:m=0",), "m of gemm is '0', must be a whole number from 1"),
        (("gemm:m=1.5",), "m of gemm is '1.5', must be a whole number"),
        (("resnet18:width=wide",), "must be a number from 0.05"),
        (("gemm:m",), "'m' of 'gemm:m' is no parameter"),
        (
            ("yolo_v2:resolution=100",),
            "must be a multiple of 32: its maps are joined with others of twice",
        ),
        (("vgg16:resolution=16,width=0.1",), "has no pixel left; give a greater resolution"),
        (("gemm", "--out", "no/such/gemm.onnx"), "no/such"),
    ],
)
def test_what_the_library_lacks_is_refused(
    words: tuple[str, ...], said: str, tmp_path: Path
) -> None:
    ended = called("nets", "--build", *words, cwd=tmp_path)
    assert ended.code != 0 and said in ended.err
    assert not list(tmp_path.iterdir())


def test_without_the_package_that_writes_files_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "onnx", None)
    from presil.shapes.onnx_file import library

    with pytest.raises(presil.Refusal, match="is written as an ONNX file, which needs the"):
        library()
