"""The committed prints are those of the contracts, and a contract that no print covers is refused.

Needs the SystemRDL compiler (rtl/gen/requirements.txt) in the environment of `sim/presil test`.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CACHE = Path(os.environ.get("PRESIL_CACHE", Path.home() / ".cache" / "presil"))
PYTHON = Path(os.environ.get("PRESIL_RDL_VENV", CACHE / "venv-rdl")) / "bin" / "python"

TOY = """
`include "rtl/common/properties.rdl"
property colour {{ type = string; component = field; }};
enum op_e {{ nop = 2'd0 {{ desc = "Nothing."; }}; go = 2'd1 {{ desc = "Something."; }}; }};
addrmap toy_command {{
  name = "Toy"; desc = "A command for tests.";
  default sw = rw; default hw = r;
  command_words = 2; pitch_bytes = 16;
  reg {{
    field {{ encode = op_e; desc = "Operation."; }} op[1:0];
    field {{ legal_min = 1; legal_max = 1; desc = "Version."; }} isa_version[31:24];
  }} word0 @ 0x0;
  reg {{ field {{ {extra} desc = "Size."; }} size[15:0]; }} word1 @ 0x4;
}};
"""


@pytest.fixture(scope="module", autouse=True)
def compiler() -> None:
    if (
        not PYTHON.is_file()
        or subprocess.run([PYTHON, "-c", "import systemrdl, jinja2"]).returncode
    ):
        pytest.skip(
            f"SKIPPED: generated contracts are not checked, no SystemRDL compiler at {PYTHON}"
        )


def run_print(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    environment = dict(os.environ, PYTHONDONTWRITEBYTECODE="1")
    command = [PYTHON, ROOT / "rtl" / "gen" / "print.py", *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=environment, timeout=120)


def toy(folder: Path, extra: str = "") -> Path:
    contract = folder / "toy" / "toy.rdl"
    contract.parent.mkdir(exist_ok=True)
    contract.write_text(TOY.format(extra=extra), encoding="utf-8")
    return contract


def test_committed_prints_are_those_of_the_contracts() -> None:
    done = run_print("--check")
    assert done.returncode == 0, done.stderr
    done = run_print("--check", ROOT / "testbench" / "example_engine" / "engine.yaml")
    assert done.returncode == 0, done.stderr


def test_every_print_names_the_command_that_made_it(tmp_path: Path) -> None:
    contract = toy(tmp_path)
    assert run_print(contract).returncode == 0
    prints = sorted(p.name for p in contract.parent.iterdir() if p != contract)
    assert prints == ["toy.h", "toy_command.h", "toy_pkg.sv", "toy_tables.md"]
    for name in prints:
        first = (contract.parent / name).read_text(encoding="utf-8").splitlines()[0]
        assert "by `python3 rtl/gen/print.py`; do not edit" in first


def test_a_stale_print_is_named_and_not_written(tmp_path: Path) -> None:
    contract = toy(tmp_path)
    assert run_print("--check", contract).returncode == 1  # nothing printed yet
    assert run_print(contract).returncode == 0
    assert run_print("--check", contract).returncode == 0
    header = contract.parent / "toy.h"
    header.write_text(header.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    edited = header.read_text(encoding="utf-8")
    done = run_print("--check", contract)
    assert done.returncode == 1
    assert "toy/toy.h" in done.stderr
    assert "toy_command.h" not in done.stderr
    assert header.read_text(encoding="utf-8") == edited


@pytest.mark.parametrize(
    ("extra", "said"),
    [
        ('colour = "red";', "toy_command.word1.size: property colour is not known to rtl/gen"),
        ("swmod;", "toy_command.word1.size: property swmod is not known to rtl/gen"),
        ("legal_min = 3; legal_max = 2;", "legal range 3..2 is not inside 0..65535"),
        ("legal_max = 0x10000;", "legal range 0..65536 is not inside 0..65535"),
        ('used_by = "go stop";', "size: used_by names no operation: ['go', 'stop']"),
        ('member = "size.x";', "member is 'size.x', must be name[index]"),
        ("colours = 3;", "colours"),
    ],
)
def test_what_no_print_could_say_is_refused(tmp_path: Path, extra: str, said: str) -> None:
    done = run_print(toy(tmp_path, extra))
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert list((tmp_path / "toy").iterdir()) == [tmp_path / "toy" / "toy.rdl"]


def test_signed_limits_arrive_signed(tmp_path: Path) -> None:
    contract = toy(tmp_path, "is_signed; legal_min = -128; legal_max = 127; ")
    assert run_print(contract).returncode == 0
    header = (contract.parent / "toy.h").read_text(encoding="utf-8")
    assert '{"size", NULL, -128, 127,' in header


MAP = """
addrmap toy {{
  name = "Toy"; desc = "Registers for tests."; size_bytes = 0x100;
  reg {{ desc = "One."; {extra} }} one @ 0x0;
}};
"""


def toy_map(folder: Path, extra: str) -> Path:
    contract = toy(folder)
    with contract.open("a", encoding="utf-8") as file:
        file.write(MAP.format(extra=extra))
    return contract


def test_a_register_map_is_printed_as_a_block(tmp_path: Path) -> None:
    kept = 'field { sw = rw; hw = r; desc = "Kept."; } kept[3:0] = 5;'
    contract = toy_map(tmp_path, kept)
    assert run_print(contract).returncode == 0
    block = (contract.parent / "toy_registers.sv").read_text(encoding="utf-8")
    assert "parameter logic [3:0] ResetOneKept = 4'd5" in block
    assert "toy_pkg::registers_out_t reg_o" in block
    assert "registers_in_t" not in block


@pytest.mark.parametrize(
    ("extra", "said"),
    [
        (
            'field { sw = r; hw = r; desc = "A constant."; } x[3:0] = 5;',
            "one.x: nothing writes it, must have hw = w",
        ),
        (
            'regwidth = 64; accesswidth = 32; field { sw = rw; hw = r; desc = "Wide."; } x[63:0];',
            "one.x: 64 bits that software writes are not known",
        ),
    ],
)
def test_a_register_that_no_block_could_have_is_refused(
    tmp_path: Path, extra: str, said: str
) -> None:
    done = run_print(toy_map(tmp_path, extra))
    assert done.returncode == 2
    assert said in done.stderr
