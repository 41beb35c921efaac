"""The DLA in RTL with 32 x 32 MACs in the platform: built here, for --all."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import numpy as np
import presil
import pytest
from presil import paths
from presil.rtl_size import SIZES, required_by, rtl_size

RESNET8 = "models/mlperf-tiny-resnet8/pretrainedResnet_quant.tflite"
GOLDEN = "models/mlperf-tiny-resnet8/golden/out0_tflm.bin"
IMAGES = "data/internal-test-only/ic01/images_u8_100x32x32x3.bin"
SAMPLES = 2


def test_a_soc_gets_the_size_that_has_its_parameters() -> None:
    for size, (preset, overrides) in SIZES.items():
        assert rtl_size(presil.load_soc(preset, overrides)) == size
    assert rtl_size(presil.load_soc("edge")) == ""
    assert rtl_size(presil.load_soc("big", ["dram.setting=ideal"])) == "big"
    assert rtl_size(presil.load_soc("big", ["sram.bytes=1048576"])) == ""


def test_a_command_line_gets_the_size_of_its_soc_where_it_asks_for_the_dla_in_rtl() -> None:
    wide = ["--set", "dla.macs_k=32", "--set=dla.macs_c=32"]
    assert required_by(["run", "net", "--soc", "big", "--block", "dla=rtl"]) == "big"
    assert required_by(["cosim", "net", *wide, "--rtl", "dma,dla"]) == "32"
    assert required_by(["run", "net", "--soc", "big", "--block", "dma=rtl"]) == ""
    assert required_by(["run", "net", "--soc", "no such", "--block", "dla=rtl"]) == ""
    assert required_by(["run", "net", "--block", "dla"]) == ""


@pytest.mark.parametrize("size", list(SIZES))
def test_resnet8_on_32_x_32_equals_its_golden_in_the_models_cycles(
    shared: Path, size: str, everything: bool
) -> None:
    if not everything:
        pytest.skip("SKIPPED: wider arrays in RTL are for `presil test --all`")
    if shutil.which("verilator") is None:
        pytest.skip("SKIPPED: there is no verilator")
    name = f"presil-sim-rtl-{size}"
    built = subprocess.run(["ninja", "-C", str(paths.BUILD), name], capture_output=True, text=True)
    assert built.returncode == 0, built.stdout[-3000:]
    preset, overrides = SIZES[size]
    program = presil.compile(presil.load(shared / RESNET8), presil.load_soc(preset, overrides))
    images = np.fromfile(shared / IMAGES, np.uint8, SAMPLES * 32 * 32 * 3).astype(np.int16) - 128
    golden = np.fromfile(shared / GOLDEN, np.int8, SAMPLES * 10).reshape(SAMPLES, 10)
    run = presil.cosim(
        program, [images.astype(np.int8).reshape(SAMPLES, 32, 32, 3)], ["dla"], "layers", [golden]
    )
    assert run.exact, run.record["check"]
    cosim = run.record["cosim"]
    assert cosim["exact"], cosim["first_divergence"]
    assert abs(cosim["error_percent"]) <= 0.5
    assert all(layer["within_band"] for layer in cosim["layers"])
