"""An engine joins by its own folder: what engine.yaml and the contract say is in every print.

In a copy of rtl/ that has one folder more; nothing else is edited. Needs the SystemRDL compiler
(rtl/gen/requirements.txt) in the environment of `sim/presil test`.
"""

from __future__ import annotations

import os
import runpy
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
CACHE = Path(os.environ.get("PRESIL_CACHE", Path.home() / ".cache" / "presil"))
PYTHON = Path(os.environ.get("PRESIL_RDL_VENV", CACHE / "venv-rdl")) / "bin" / "python"

DESCRIPTION = """
interface: 4
name: {name}
meaning: An engine for tests.
queues: {{most: 2, registers: queue, counters: counters}}
waits: [wait0]
"""

CONTRACT = """
`include "rtl/common/properties.rdl"
`include "rtl/common/queue.rdl"
`include "rtl/soc/engines.rdl"
enum op_e {{ nop = 4'd0 {{ desc = "Nothing."; }}; go = 4'd1 {{ desc = "Something."; }}; }};
addrmap {name}_command {{
  name = "Toy command"; desc = "For tests.";
  default sw = rw; default hw = r;
  command_words = 8; pitch_bytes = 32;
  reg {{
    field {{ encode = op_e; desc = "Operation."; }} op[3:0];
    field {{ legal_min = 1; legal_max = 1; desc = "Version."; }} isa_version[31:24];
  }} word0 @ 0x00;
  reg {{ field {{ desc = "Key into the debug map."; }} tag[31:0]; }} word1 @ 0x04;
  reg {{
    field {{ desc = "Counter to wait for; 0: none."; }} wait0[7:0];
    field {{ desc = "Counter that is added to; 0: none."; }} \\signal [31:24];
  }} word2 @ 0x08;
  reg {{ field {{ is_signed; desc = "Value."; }} wait0_value[31:0]; }} word3 @ 0x0c;
  reg {{ field {{ desc = "Added."; }} signal_add[15:0]; }} word6 @ 0x18;
  {field}
}};
addrmap {name}_counters {{
  name = "Toy counters"; desc = "Where the cycles went."; size_bytes = 0x200;
  default sw = r; default hw = w;
  reg {{
    desc = "Takes snapshots."; default sw = w; default hw = r;
    field {{ singlepulse; desc = "Copy."; }} snapshot[0:0] = 0;
  }} control @ 0x00;
  default regwidth = 64;
  default accesswidth = 32;
  reg {{ desc = "All."; field {{ desc = "Count."; }} value[63:0] = 0; }} cycles @ 0x08;
  reg {{
    cause = "run"; desc = "Works."; field {{ desc = "Count."; }} value[63:0] = 0;
  }} run @ 0x10;
  {counter}
  reg {{
    cause = "wait"; desc = "Waits."; field {{ desc = "Count."; }} value[63:0] = 0;
  }} wait[`PRESIL_ENGINE_KINDS] @ 0x100;
}};
addrmap {name} {{
  name = "Toy registers"; desc = "For tests."; size_bytes = 0x2000;
  default sw = r; default hw = w;
  reg {{
    desc = "What it is.";
    field {{ desc = "Version."; }} isa_version[7:0] = 1;
    field {{ desc = "Queues."; }} queues[15:8] = 2;
  }} id @ 0x00;
  {register}
  queue queue[2] @ 0x200 += 0x100;
  {name}_counters counters[2] @ 0x1000 += 0x200;
}};
"""

FIELD = 'reg { field { legal_max = 77; desc = "Rows."; } rows[9:0]; } word7 @ 0x1c;'
COUNTER = (
    'reg { cause = "toy_wheel"; desc = "The wheel is stuck."; '
    'field { desc = "Count."; } value[63:0] = 0; } wheel @ 0x18;'
)
REGISTER = (
    'reg { desc = "Optional features."; field { desc = "It can fly."; } wings[0:0] = 0; } '
    "capability @ 0x04;"
)


@pytest.fixture(scope="module", autouse=True)
def compiler() -> None:
    packages = [PYTHON, "-c", "import systemrdl, jinja2, yaml"]
    if not PYTHON.is_file() or subprocess.run(packages, capture_output=True).returncode:
        pytest.skip(f"SKIPPED: no engine is added, no SystemRDL compiler at {PYTHON}")


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """A copy of rtl/, without what Git does not know of."""
    shutil.copytree(ROOT / "rtl", tmp_path / "rtl", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def add(house: Path, name: str = "toy", **parts: str) -> Path:
    folder = house / "rtl" / name
    folder.mkdir(exist_ok=True)
    (folder / "engine.yaml").write_text(DESCRIPTION.format(name=name), encoding="utf-8")
    parts = {"field": "", "counter": "", "register": "", **parts}
    contract = CONTRACT.format(name=name, **parts)
    (folder / f"{name}.rdl").write_text(contract, encoding="utf-8")
    return folder


def run_print(house: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [PYTHON, house / "rtl" / "gen" / "print.py", *arguments]
    environment = dict(os.environ, PYTHONDONTWRITEBYTECODE="1")
    return subprocess.run(command, capture_output=True, text=True, env=environment, timeout=300)


def contract_of(house: Path) -> dict[str, Any]:
    return runpy.run_path(str(house / "sim" / "python" / "presil" / "contract.py"))


def said_by_c(house: Path, body: str) -> list[str]:
    """What a program prints that is C and C++ alike."""
    source = house / "said.c"
    source.write_text(
        '#include <stdio.h>\n#include "rtl/soc/engines.h"\n'
        f"int main(void) {{ {body} return 0; }}\n",
        encoding="utf-8",
    )
    said = []
    joined = house / "rtl" / "common" / "joined_engines.c"
    for compile_as in (["gcc", "-std=c11"], ["g++", "-std=c++17", "-x", "c++"]):
        warnings = ["-Wall", "-Wextra", "-Werror", "-I", house, "-o", house / "said"]
        subprocess.run([*compile_as, source, joined, *warnings], check=True, timeout=120)
        out = subprocess.run([house / "said"], capture_output=True, text=True, timeout=60)
        said.append(out.stdout)
    assert said[0] == said[1]
    return said[0].split()


COUNTERS = """
  const presil_engine_description* e = presil_engine_description_of(PRESIL_ENGINE_TOY);
  for (unsigned i = 0; i < e->counter_count; ++i)
    printf("%s=%s@%x ", e->counters[i].name, e->counters[i].cause ? e->counters[i].cause : "-",
           (unsigned)e->counters[i].offset);
  for (unsigned i = 0; i < e->capability_count; ++i) printf("can:%s ", e->capability[i].name);
  printf("%s %u..%u ", presil_queue_name(PRESIL_QUEUE_TOY1), e->first_queue, e->queues);
  printf("%u %u", presil_kind_of_queue(PRESIL_QUEUE_TOY0), e->kind);
"""


def test_an_engine_is_in_every_print(house: Path) -> None:
    add(house)
    done = run_print(house)
    assert done.returncode == 0, done.stderr
    assert run_print(house, "--check").returncode == 0
    # kinds 0 .. 3 and queues 0 .. 13 are taken: three DLAs more are 11 .. 13
    assert said_by_c(house, COUNTERS) == [
        "cycles=-@8", "run=run@10", "wait_dla=wait:dla@100", "wait_dsp=wait:dsp@108",
        "wait_dma=wait:dma@110", "wait_host=wait:host@118", "wait_toy=wait:toy@120",
        "toy1", "14..2", "4", "4",
    ]  # fmt: skip
    table = contract_of(house)
    assert table["QUEUES"][14:] == ("toy0", "toy1")
    assert table["ENGINES"]["toy"].kind == 4
    assert table["ENGINES"]["dla"].counters[-1].name == "wait_out_toy"  # others wait for it
    soc = house / "rtl" / "soc"
    assert "toy = 4," in (soc / "engines.fbs").read_text(encoding="utf-8")
    assert "kToy = PRESIL_ENGINE_TOY" in (soc / "causes.h").read_text(encoding="utf-8")
    assert "14: return KindToy;" in (soc / "engines_pkg.sv").read_text(encoding="utf-8")
    assert "| 4 | `toy` | 14 .. 15 | 1 | 0x2400000 |" in (soc / "engines.md").read_text("utf-8")
    sync = (house / "rtl" / "sync" / "sync_pkg.sv").read_text(encoding="utf-8")
    assert "EngineToy = 5'd4" in sync


def test_a_register_a_counter_with_its_cause_and_a_field_are_in_every_print(house: Path) -> None:
    add(house)
    assert run_print(house).returncode == 0
    folder = add(house, field=FIELD, counter=COUNTER, register=REGISTER)
    done = run_print(house)
    assert done.returncode == 0, done.stderr
    said = said_by_c(house, COUNTERS)
    assert said[2] == "wheel=toy_wheel@18" and "can:wings" in said
    rows = 'printf("%d", (int)presil_toy_command_fields()[PRESIL_TOY_COMMAND_ROWS].max);'
    assert said_by_c(house, rows) == ["77"]
    table = contract_of(house)
    assert table["CAUSES"]["toy_wheel"] == "The wheel is stuck."
    assert table["ENGINES"]["toy"].fields["rows"].max == 77
    assert table["ENGINES"]["toy"].capability == ("wings",)
    assert "kToyWheel," in (house / "rtl/soc/causes.h").read_text(encoding="utf-8")
    assert "`toy_wheel` | The wheel is stuck." in (house / "rtl/soc/engines.md").read_text("utf-8")
    assert "rows" in (folder / "toy_tables.md").read_text(encoding="utf-8")
    assert "capability_wings" in (folder / "toy_registers.sv").read_text(encoding="utf-8")
    assert "CountersRegWheel" in (folder / "toy_pkg.sv").read_text(encoding="utf-8")


def test_a_tile_has_32_kinds_of_engines(house: Path) -> None:
    for i in range(4, 32):
        add(house, f"toy{chr(ord('a') + i % 26)}{i}")
    done = run_print(house)
    assert done.returncode == 0, done.stderr
    assert said_by_c(house, 'printf("%d %d", PRESIL_ENGINE_KINDS, PRESIL_OWN_QUEUES);') == [
        "32",
        "70",
    ]  # 14 + 28 * 2
    if shutil.which("verilator") is None:
        pytest.skip("SKIPPED: no verilator for the RTL of 32 kinds")
    lint = ["verilator", "--lint-only", "-Wall", "--assert", "-I.", "rtl/common/common.vlt"]
    packages = ["rtl/common/queue_pkg.sv", "rtl/common/job_pkg.sv", "rtl/common/presil_pkg.sv"]
    packages += ["rtl/soc/engines_pkg.sv"]
    blocks = {
        "sync": ["rtl/sync/sync_pkg.sv", "-y", "rtl/sync", "-y", "rtl/common"],
        "dla_counters": ["rtl/dla/dla.vlt", "rtl/dla/dla_pkg.sv", "rtl/dla/dla_post_pkg.sv",
                         "rtl/dla/dla_engine_pkg.sv"],
        "dma_counters": ["rtl/dma/dma.vlt", "rtl/dma/dma_pkg.sv", "rtl/dma/dma_engine_pkg.sv"],
    }  # fmt: skip
    for top, files in blocks.items():
        source = f"rtl/{top.split('_')[0]}/{top}.sv"
        done = subprocess.run(
            [*lint, "--top-module", top, *packages, *files, source],
            capture_output=True, text=True, cwd=house, timeout=300,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("kind: 2", "claims kind 2, which"),
        ("kind: 6", "kinds must be 0 .. 4 without a gap, are dla 0, dsp 1, dma 2, host 3, toy 6"),
        ("interface: 5", "interface is 5, must be 4: the version of engine.yaml"),
        ("colour: red", "has colour, which no print shows"),
        ("name: toys", "name is toys, must be that of its folder, toy"),
        ("waits: [wait7]", "wait7 is no field of toy_command"),
        ("meaning: ", "meaning is empty"),
        ("queues: {first: 10, most: 1}", "claims queue 10, which"),
        ("queues: {most: 65}", "most is 65, must be a whole number from 1 to 64"),
        ("queues: {most: 3, registers: queue}", "queue is there 2 times, queues.most is 3"),
        ("queues: {most: 2, registers: ring}", "ring is no map inside toy of its contract"),
    ],
)
def test_a_description_that_cannot_be_is_refused(house: Path, line: str, said: str) -> None:
    description = add(house) / "engine.yaml"
    key = line.split(":")[0] + ":"
    lines = description.read_text(encoding="utf-8").splitlines()
    kept = [old for old in lines if not old.startswith(key)]
    description.write_text("\n".join([*kept, line]) + "\n", encoding="utf-8")
    done = run_print(house)
    assert done.returncode == 2
    assert said in done.stderr and "rtl/toy/engine.yaml" in done.stderr
    assert "Traceback" not in done.stderr


def test_an_engine_without_a_contract_is_refused(house: Path) -> None:
    folder = add(house)
    (folder / "toy.rdl").unlink()
    done = run_print(house)
    assert done.returncode == 2
    assert "has no contract, must have toy.rdl beside it" in done.stderr
