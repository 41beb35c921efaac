"""Kernels that a user has written and that do what they must not: each is reported with kernel, pc,
function, instruction, address, tensor and layer, and the next job on the same SoC is exact."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import presil as api
import pytest
from presil import paths
from presil.simulation import Simulation

ROOT = Path(__file__).resolve().parents[2]
DSP = ROOT / "driver" / "kernels" / "dsp"
TOOLS = ("clang-19", "ld.lld-19")

KERNEL = """
static int32_t {name}(const DLTensor* in, DLTensor* out, const void* params) {{
  volatile int8_t* x = (volatile int8_t*)presil_dsp_data(in);
  volatile int8_t* y = (volatile int8_t*)presil_dsp_data(out);
  const int64_t n = presil_dsp_elements(out);
  (void)params, (void)x, (void)n, y[0] = 0;
  {body}
  return 0;
}}
PRESIL_KERNEL({name})
"""

HEAD = """
#include <presil/dsp_kernel.h>
"""

HELP = """
#include <riscv_vector.h>
static int8_t table[1000];
__attribute__((noinline)) static int deep(int n) {
  volatile int a[8];
  a[0] = n;
  return n ? deep(n - 1) + a[0] : 0;
}
static void fill(volatile int8_t* to, int bytes) {
  const size_t vl = __riscv_vsetvl_e8m1(16);
  for (int i = 0; i < bytes; i += 16)
    __riscv_vse8_v_i8m1((int8_t*)(uintptr_t)(to + i), __riscv_vmv_v_x_i8m1(1, vl), vl);
}
"""

#: Kernel: what it does, and all that is said of it between its name and "pc".
BAD = {
    "illegal": ('__asm__ volatile(".word 0xb");', r"an illegal instruction", r"0xb"),
    "reserved": (
        '__asm__ volatile("vsetvli t0, zero, e8, m8, ta, ma\\n vadd.vv v1, v8, v8" ::: "t0");',
        r"an illegal instruction",
        r"vadd\.vv v1, v8, v8 \(0x2[0-9a-f]{6}\)",
    ),
    "misaligned_load": (
        "y[0] = (int8_t)*(volatile int32_t*)(x + 1);",
        r"a misaligned load, address 0x2\w{7}, byte 1 of tensor 'x'",
        r"lw x\d+, 1\(x\d+\) \(0x\w+\)",
    ),
    "misaligned_store": (
        "*(volatile int16_t*)(y + 3) = 0;",
        r"a misaligned store, address 0x2\w{7}, byte 3 of tensor 'wider'",
        r"sh x0, 3\(x\d+\) \(0x\w+\)",
    ),
    "null": (
        "y[0] = *(volatile int8_t*)0;",
        r"a load outside what the kernel may read, address 0x0, a null pointer",
        r"lb[u]? x\d+, 0\(x0\) \(0x\w+\)",
    ),
    "wild": (
        "y[0] = *(volatile int8_t*)0x8000001000;",
        r"a load outside what the kernel may read, address 0x8000001000, in the DRAM, where the "
        r"kernel has no tensor",
        r"lb[u]? x\d+, 0\(x\d+\) \(0x\w+\)",
    ),
    "in_front_of_its_output": (
        "y[-4] = 1;",
        r"a store outside what the kernel may write, address 0x[12]\w{7}, .*",
        r"sb x\d+, -4\(x\d+\) \(0x\w+\)",
    ),
    "after_its_output": (
        "y[n] = 1;",
        r"a store outside what the kernel may write, address 0x2\w{7}, (byte \d+ of|\d+ bytes? "
        r"after) tensor '\w+'.*",
        r"sb x\d+, 0\(x\d+\) \(0x\w+\)",
    ),
    "after_it_by_a_vector": (
        "fill(y + n - 24, 64);",
        r"a store outside what the kernel may write, address 0x2\w{7}, .*, element 8 of a vector",
        r"vse8\.v v\d+, \(x\d+\) \(0x\w+\)",
    ),
    "its_input": (
        "x[3] = 1;",
        r"a store outside what the kernel may write, address 0x2\w{7}, byte 3 of tensor 'x', which "
        r"it may not write",
        r"sb x\d+, 3\(x\d+\) \(0x\w+\)",
    ),
    "its_code": (
        "*(volatile int32_t*)0x10000000 = 1;",
        r"a store outside what the kernel may write, address 0x10000000, in the program's own code",
        r"sw x\d+, 0\(x\d+\) \(0x\w+\)",
    ),
    "a_copy": (
        "presil_dsp_dma_wait(presil_dsp_dma_start((void*)(uintptr_t)y, "
        "(const void*)0x8000001000, 64, 1, 0, 0));",
        r"a load outside what the kernel may read, address 0x8000001000, in the DRAM, where the "
        r"kernel has no tensor",
        r"sw x\d+, 32\(x\d+\) \(0x\w+\)",
    ),
    "endless": (
        "for (;;) y[0] = 1;",
        r"it did not end before its watchdog",
        r"(sb|j|jal) .* \(0x\w+\)",
    ),
    "recursion": (
        "y[0] = (int8_t)deep(100000);",
        r"its stack has overflowed, address 0x1101\w{4}",
        r"sd x\d+, \d+\(x2\) \(0x\w+\)",
    ),
    "variables": (
        "fill(table, 140000);",
        r"it has touched the guard between its variables and its stack, address 0x1101dfc0",
        r"vse8\.v v\d+, \(x\d+\) \(0x\w+\)",
    ),
}

#: What cannot stand in a function, or no instruction.
OTHER = {
    "jump": (
        "((void (*)(void))(uintptr_t)table)();",
        r"there is no instruction at pc 0x11000\w{3}, sp 0x1101\w{4}, cycle \d+",
    ),
    "refuses": (
        "return PRESIL_DSP_REFUSED_TYPE;",
        r"it refuses its work with code 4, the type of a tensor, cycle \d+",
    ),
    "own_code": (
        "return -5;",
        r"it refuses its work with code -5, a reason of its own, cycle \d+",
    ),
    "seventh": (
        "if (x[0] == 7) *(volatile int8_t*)8 = 1; fill(y, (int)n);",
        r"a store outside .* address 0x8, a null pointer, in presil_entry_seventh .*",
    ),
}

SHAPE = (1, 4, 6, 16)


def expected() -> None:
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    if missing:
        pytest.skip(f"SKIPPED: kernels are not compiled, no {' '.join(missing)} here")


def build(source: Path, elf: Path) -> subprocess.CompletedProcess[str]:
    expected()
    command = [sys.executable, DSP / "build.py", source, "-o", elf]
    return subprocess.run(command, capture_output=True, text=True)


@pytest.fixture(scope="module", name="elf")
def elf_fixture(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("kernels")
    every = {name: body for name, (body, *_) in {**BAD, **OTHER}.items()}
    text = (
        HEAD + HELP + "".join(KERNEL.format(name=name, body=body) for name, body in every.items())
    )
    (folder / "bad.c").write_text(text, encoding="utf-8")
    built = build(folder / "bad.c", folder / "bad.elf")
    assert built.returncode == 0, built.stderr
    return folder / "bad.elf"


def network() -> api.Network:
    b = api.Builder("wider")
    x = b.input("x", SHAPE, scale=0.5)
    b.output(b.resize_nearest(x, (4, 12), name="wider"))
    return b.build()


def program(elf: Path, kernel: str, soc: str | object = "edge", **more: object) -> api.Program:
    named = {"elf": elf, "kernel": kernel, "op": "resize_nearest", "prefer": True}
    registered = api.Kernel(**{**named, **more})  # type: ignore[arg-type]
    return api.compile(network(), soc, kernels=[registered])


def sample(first: int = 0) -> list[np.ndarray]:
    x = np.arange(4 * 6 * 16).reshape(SHAPE).astype(np.int8)
    x.flat[0] = first
    return [x]


def expect_stopped(bad: api.Program, said: str) -> None:
    """Two jobs of the kernel end with this sentence, then one of another program is exact."""
    good = api.compile(network())
    x = sample(7)
    with Simulation(bad) as simulation:
        for _ in range(2):
            with pytest.raises(api.HardwareError) as stopped:
                simulation.job(x)
            text = str(stopped.value)
            assert re.fullmatch(said, text), text
        simulation.load(good)
        outputs, _, _ = simulation.job(x)
    reference = paths.native().reference(good.graph, x)
    assert all(map(np.array_equal, outputs, reference))


STOPPED = r"dsp command 1 \(layer wider\): the kernel {name} was stopped: "
ENDED = r"; the job has ended without a result"


@pytest.mark.parametrize("name", BAD)
def test_what_it_must_not_do_is_reported_whole_and_the_next_job_is_exact(
    elf: Path, name: str
) -> None:
    _, cause, instruction = BAD[name]
    place = r", in (presil_entry_" + name + r"|deep|fill)( \+ 0x\w+)?, pc 0x100\w{5}"
    rest = rf", instruction {instruction}, sp 0x110\w{{5}}, cycle \d+"
    expect_stopped(program(elf, name), STOPPED.format(name=name) + cause + place + rest + ENDED)


@pytest.mark.parametrize("name", OTHER)
def test_jumps_and_refusals_are_reported_and_the_next_job_is_exact(elf: Path, name: str) -> None:
    expect_stopped(program(elf, name), STOPPED.format(name=name) + OTHER[name][1] + ENDED)


def test_a_sample_that_stops_it_is_numbered_and_those_around_it_run(elf: Path) -> None:
    bad = program(elf, "seventh")
    samples = [np.concatenate([sample(k)[0] for k in (1, 2, 7, 3)])]
    with pytest.raises(api.HardwareError, match=r"^sample 2: dsp command 1 \(layer wider\): "):
        api.run(bad, samples, "none")
    with Simulation(bad) as simulation:
        for first in (1, 7, 2, 7, 3):
            if first == 7:
                with pytest.raises(api.HardwareError, match="a null pointer"):
                    simulation.job(sample(first))
                continue
            (y,), _, _ = simulation.job(sample(first))
            assert (y == 1).all()


def test_the_command_line_ends_with_3_and_one_line(presil, elf: Path, tmp_path: Path) -> None:
    program(elf, "its_input").save(tmp_path / "bad.presil")
    ended = presil("run", "bad.presil")
    assert ended.code == 3 and ended.err.count("\n") == 1, ended.err
    assert "the kernel its_input was stopped: a store outside" in ended.err


# ---- What is found when it is built --------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (
            "volatile char a[20000]; a[x[0]] = 1;",
            r"stack frame size \(\d+\) exceeds limit \(7168\)",
        ),
        ("volatile char a[x[0]]; a[0] = 1;", "variable length array used"),
        ("volatile double d = 1.5; y[0] = (int8_t)(d * 2);", "undefined symbol: __muldf3|__adddf3"),
        ("y[0] = missing();", "undeclared function 'missing'"),
        (
            "static const int8_t big[70000] = {1}; y[0] = big[(uint8_t)y[1] * 256];",
            "will not fit in region 'itcm'",
        ),
        ("static volatile int8_t big[200000]; big[n] = 1;", "will not fit in region 'dtcm'"),
        ("static int32_t set = 3; y[0] = (int8_t)++set;", "a kernel's variables begin at 0"),
    ],
)
def test_what_the_dsp_cannot_have_does_not_build(tmp_path: Path, body: str, said: str) -> None:
    (tmp_path / "bad.c").write_text(HEAD + KERNEL.format(name="bad", body=body), encoding="utf-8")
    built = build(tmp_path / "bad.c", tmp_path / "bad.elf")
    assert built.returncode == 1 and re.search(said, built.stderr), built.stderr
    assert not (tmp_path / "bad.elf").exists()


# ---- Good ones that were refused, or might have been ---------------------------------------------

GOOD = """
#include <presil/dsp_kernel.h>
template <class Params>
int32_t widen(const DLTensor* in, DLTensor* out, const Params*) {
  const auto* x = static_cast<const int8_t*>(presil_dsp_data(in));
  auto* y = static_cast<int8_t*>(presil_dsp_data(out));
  const int64_t channels = out->shape[3], n = presil_dsp_elements(out);
  for (int64_t i = 0; i < n; ++i) {
    const float v = 0.5f * x[i / channels / 2 * channels + i % channels];
    y[i] = static_cast<int8_t>(2 * v);
  }
  return PRESIL_DSP_DONE;
}
struct Nothing {};
struct Something { int32_t a; };
static int32_t empty(const DLTensor* in, DLTensor* out, const Nothing* p) {
  return widen(in, out, p);
}
static int32_t none(const DLTensor* in, DLTensor* out, const void* p) {
  return widen(in, out, p);
}
static int32_t some(const DLTensor* in, DLTensor* out, const Something* p) {
  return widen(in, out, p);
}
PRESIL_KERNEL(empty)
PRESIL_KERNEL(none)
PRESIL_KERNEL(some)
"""


@pytest.fixture(scope="module", name="good")
def good_fixture(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("kernels")
    (folder / "good.cpp").write_text(GOOD, encoding="utf-8")
    built = build(folder / "good.cpp", folder / "good.elf")
    assert built.returncode == 0, built.stderr
    return folder / "good.elf"


@pytest.mark.parametrize("kernel", ["empty", "none"])
def test_cpp_kernels_without_params_run_with_floats_of_zve32f(good: Path, kernel: str) -> None:
    small = api.load_soc("edge", ["dsp.elen=32", "dsp.vlen=128", "dsp.dlen=64"])
    for soc in ("edge", small):
        ran = api.run(program(good, kernel, soc), sample(), "layers")
        assert ran.exact and [layer["engine"] for layer in ran.layers] == ["dsp"]


def test_cpp_params_that_are_missing_are_refused(good: Path) -> None:
    with pytest.raises(api.HardwareError, match="refuses its work with code 3, its parameters"):
        api.run(program(good, "some"), sample())
    assert api.run(program(good, "some", params=["int32 a = 1"]), sample(), "layers").exact


# ---- Files that are none of the DSP's ------------------------------------------------------------

PROGRAM = "int main(void) { return 0; }"
LINKED = "-ffreestanding -nostdlib -fuse-ld=lld-19 -Wl,-e,0"
RISCV64 = "--target=riscv64-unknown-elf -mcmodel=medany"


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (f"{RISCV64} -march=rv64gcv -mabi=lp64d", r"set of extensions is a, d, v.*, which the"),
        (f"{RISCV64} -march=rv64imfdc_zve32f -mabi=lp64d", r"set of extensions is d, which"),
        (
            f"{RISCV64} -march=rv64imfc_zve64f_zvl1024b -mabi=lp64f",
            r"length of vector registers is 1024 bits",
        ),
    ],
)
def test_programs_for_another_processor_are_refused(tmp_path: Path, flags: str, said: str) -> None:
    expected()
    (tmp_path / "k.c").write_text(HEAD + KERNEL.format(name="k", body=""), encoding="utf-8")
    files = [tmp_path / "k.c", DSP / "runtime.c", f"-Wl,-T,{DSP / 'kernel.ld'}"]
    command = ["clang-19", "-O2", *flags.split(), *LINKED.split(), f"-I{ROOT / 'driver/include'}"]
    subprocess.run([*command, *files, "-o", tmp_path / "k.elf"], check=True, capture_output=True)
    with pytest.raises(api.Refusal, match=rf"'k.elf' cannot run on the DSP: {said}"):
        program(tmp_path / "k.elf", "k")


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (
            "--target=riscv32-unknown-elf -march=rv32imfc -mabi=ilp32f",
            "a 32-bit program, expected 64 bits",
        ),
        ("--target=x86_64-unknown-elf", "for another machine than RISC-V"),
        ("--target=aarch64_be-unknown-elf", "big-endian, expected little-endian"),
        (f"{RISCV64} -march=rv64imfc -mabi=lp64f", "not linked to fixed addresses"),
    ],
)
def test_files_for_other_machines_are_refused(tmp_path: Path, flags: str, said: str) -> None:
    expected()
    (tmp_path / "k.c").write_text(PROGRAM, encoding="utf-8")
    command = ["clang-19", *flags.split(), "-ffreestanding", "-c", tmp_path / "k.c"]
    subprocess.run([*command, "-o", tmp_path / "k.elf"], check=True, capture_output=True)
    remedy = "build it with driver/kernels/dsp/build.py"
    with pytest.raises(api.Refusal, match=f"'k.elf' is {said}; {remedy}"):
        program(tmp_path / "k.elf", "k")


def test_a_file_that_is_cut_off_or_stripped_is_refused(good: Path, tmp_path: Path) -> None:
    whole = good.read_bytes()
    for bytes_left in (0, 40, 200, len(whole) // 2, len(whole) - 1):
        (tmp_path / "k.elf").write_bytes(whole[:bytes_left])
        with pytest.raises(api.Refusal, match="'k.elf' (is no ELF file|is cut off|has no program)"):
            program(tmp_path / "k.elf", "none")
    shutil.copy(good, tmp_path / "k.elf")
    if shutil.which("llvm-strip-19") is not None:
        subprocess.run(["llvm-strip-19", tmp_path / "k.elf"], check=True)
        with pytest.raises(api.Refusal, match="has no names of functions .stripped"):
            program(tmp_path / "k.elf", "none")
