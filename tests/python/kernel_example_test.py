"""Kernels that a compiler has just built: the example of driver/dsp/README.md, and programs that do
what they must not."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import presil as api
import pytest

ROOT = Path(__file__).resolve().parents[2]
DSP = ROOT / "driver" / "dsp"
TOOLS = ("clang-19", "ld.lld-19")

sys.path.insert(0, str(DSP / "example"))
import example  # noqa: E402


def built(source: Path, out: Path) -> Path:
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    if missing:
        pytest.skip(f"SKIPPED: kernels are not compiled, no {' '.join(missing)} here")
    command = [sys.executable, DSP / "build.py", source, "-o", out]
    subprocess.run(command, check=True, capture_output=True, text=True)
    return out


@pytest.fixture(scope="module")
def elf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(
        DSP / "example" / "resize_1x2.c", tmp_path_factory.mktemp("kernels") / "resize_1x2.elf"
    )


def test_the_example_is_exact_and_faster_in_vectors(elf: Path) -> None:
    took = {}
    for kernel in ("resize_1x2_naive", "resize_1x2"):
        run, took[kernel] = example.cycles(elf, kernel)
        assert run.exact and run.record["check"]["level"] == "layers"
        (layer,) = [layer for layer in run.layers if layer["commands"]]
        assert layer["engine"] == "dsp" and layer["exact"]
    assert took["resize_1x2_naive"] >= 4 * took["resize_1x2"], took
    shown = (DSP / "README.md").read_text(encoding="utf-8")
    for kernel, cycles in took.items():  # the page's figures are of this model
        row = re.search(rf"^\| `{kernel}` \| ([\d,]+) \|", shown, re.MULTILINE)
        assert row and abs(int(row[1].replace(",", "")) - cycles) <= 0.05 * cycles, (kernel, cycles)


def test_the_examples_registration_takes_what_its_rule_says(elf: Path, tmp_path: Path) -> None:
    shutil.copy(elf, tmp_path / "resize_1x2.elf")
    shutil.copy(DSP / "example" / "kernels.yaml", tmp_path)
    kernels = api.read_kernels(tmp_path / "kernels.yaml")
    net = example.network()
    (placed,) = api.compile(net, kernels=kernels).placement
    assert placed["engine"] == "dsp"
    assert placed["reason"].startswith("kernel resize_1x2 of resize_1x2.elf (int8, rows as"), placed
    naive = replace(kernels[1], prefer=False)
    (placed,) = api.compile(net, kernels=[naive]).placement
    who = "kernel resize_1x2_naive of resize_1x2.elf"
    assert re.search(rf"; dsp: about \d+ cycles by {who}, [\w' ]+ takes \d+", placed["reason"])
    tall = api.Builder("tall")
    x = tall.input("x", (1, 8, 8, 16), scale=0.5)
    tall.output(tall.resize_nearest(x, (24, 16)))
    (placed,) = api.compile(tall.build(), kernels=kernels).placement
    assert "wants int8, rows as they are, columns times 2; " in placed["reason"]


HEAD = """
#include <presil/dsp_kernel.h>
static int32_t bad(const DLTensor* in, DLTensor* out, const void* params) {
  (void)in, (void)params;
  volatile int8_t* y = (volatile int8_t*)presil_dsp_data(out);
  y[0] = 0;
  BODY
  return 0;
}
PRESIL_KERNEL(bad)
"""


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("y[presil_dsp_elements(out)] = 1;", r"a store outside what the kernel may write.* \+ 0x"),
        (
            "((volatile int8_t*)presil_dsp_data(in))[3] = 1;",
            r"byte 3 of tensor 'x', in presil_entry_bad",
        ),
        ("for (;;) y[0] = 1;", r"kernel bad .*watchdog"),
        ('__asm__ volatile(".word 0");', r"kernel bad .*illegal"),
        (
            "return PRESIL_DSP_REFUSED_BY_USER + 4;",
            "kernel bad .*refuses its work with code 20",
        ),
    ],
)
def test_what_a_kernel_must_not_do_is_reported_with_kernel_and_layer(
    presil, tmp_path: Path, body: str, said: str
) -> None:
    source = tmp_path / "bad.c"
    source.write_text(HEAD.replace("BODY", body), encoding="utf-8")
    kernel = api.Kernel(built(source, tmp_path / "bad.elf"), "bad", "resize_nearest", prefer=True)
    net = example.network(4, 6, 16)
    program = api.compile(net, kernels=[kernel])
    x = [np.zeros((1, 4, 6, 16), np.int8)]
    with pytest.raises(api.HardwareError) as failed:
        api.run(program, x)
    text = str(failed.value)
    assert re.search(said, text) and "layer wider" in text and "\n" not in text, text
    program.save(tmp_path / "bad.presil")
    ended = presil("run", "bad.presil")
    assert ended.code == 3 and "kernel bad" in ended.err and ended.err.count("\n") == 1


def test_a_program_larger_than_its_memory_does_not_link(tmp_path: Path) -> None:
    table = "static const int8_t big[70000] = {1}; y[0] = big[(uint8_t)y[1] * 256];"
    source = tmp_path / "bad.c"
    source.write_text(HEAD.replace("BODY", table), encoding="utf-8")
    with pytest.raises(subprocess.CalledProcessError) as failed:
        built(source, tmp_path / "bad.elf")
    assert "will not fit in region 'itcm'" in failed.value.stderr
