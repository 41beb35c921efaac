"""Kernels of the DSP in the record, `presil profile`, and `--trace dsp`."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import numpy as np
import presil as package
import pytest
from presil.profile import DspTrace
from presil.report import kernels_to_show
from presil.report.html import html_of
from presil.report.kernels import blocks_of, functions_of, rows_of
from records import record
from report_browser import browse
from report_test import LOOK

ROWS, COLUMNS = 512, 32  # several tiles


@pytest.fixture(scope="module", name="program")
def program_fixture() -> package.Program:
    b = package.Builder("two_layers", numerics="tflite")
    x = b.input("x", (1, ROWS, COLUMNS), scale=0.1, zero_point=3)
    b.output(b.softmax(b.softmax(x, name="first"), name="second"))
    return package.compile(b.build())


@pytest.fixture(scope="module", name="inputs")
def inputs_fixture() -> list[np.ndarray]:
    random = np.random.default_rng(4)
    return [random.integers(-128, 128, (2, ROWS, COLUMNS)).astype(np.int8)]  # two samples


@pytest.fixture(scope="module", name="profiled")
def profiled_fixture(program: package.Program, inputs: list[np.ndarray]) -> package.Run:
    return package.run(program, inputs, profile=True)


@pytest.fixture(name="loadable")
def loadable_fixture(program: package.Program, tmp_path: Path) -> Path:
    program.save(tmp_path / "net.presil")
    return tmp_path / "net.presil"


def dsp_commands(run: package.Run) -> list[dict]:
    """Those that run a program, of the first sample."""
    tags = run.program.info["kernels"]
    return [c for c in run.commands if c["tag"] in tags]


# ------------------------------------------------------------------------------------- the record


def test_kernels_of_a_run_add_up_to_what_the_dsp_did(profiled: package.Run) -> None:
    assert profiled.exact
    (kernel,) = profiled.record["dsp"]["kernels"]
    commands = dsp_commands(profiled)
    assert kernel["name"] == "softmax_i8" and kernel["calls"] == 2 * len(commands)  # samples
    assert kernel["busy"] + sum(kernel["stall"].values()) == kernel["cycles"]
    # A command's other cycles are waits, and its start.
    own = {"run", *kernel["stall"]}
    of_commands = sum(n for c in commands for cause, n in c["causes"].items() if cause in own)
    assert 2 * of_commands == kernel["cycles"]
    names = [layer["name"] for layer in profiled.layers]
    called = {names[la["layer"]]: la for la in kernel["layers"]}
    assert list(called) == ["first", "second"]
    assert sum(la["cycles"] for la in called.values()) == kernel["cycles"]
    assert sum(la["calls"] for la in called.values()) == kernel["calls"]
    assert (
        profiled.record["engines"]["dsp"]["stall"]["vector_queue"]
        == (kernel["stall"]["vector_queue"])
    )


def test_every_cycle_of_a_kernel_is_at_an_instruction(profiled: package.Run) -> None:
    (kernel,) = profiled.record["dsp"]["kernels"]
    rows = rows_of(kernel["profile"])
    assert sum(row["cycles"] for row in rows) == kernel["cycles"]
    assert sum(row["count"] for row in rows) == kernel["instructions"]
    assert sum(row["elements"] for row in rows) == kernel["elements"]
    for row in rows:
        assert row["cycles"] == row["count"] + sum(row["stall"].values()), row
    for cause, cycles in kernel["stall"].items():
        assert sum(row["stall"].get(cause, 0) for row in rows) == cycles, cause
    first = next(row for row in rows if row["function"] == "presil_entry_softmax_i8")
    assert first["offset"] == "+0x0" and first["count"] == kernel["calls"]
    assert functions_of(rows)[0][0].startswith("presil")
    blocks = blocks_of(kernel["profile"], rows)
    assert sum(block["cycles"] for block in blocks) == kernel["cycles"]
    assert sum(len(block["instructions"]) for block in blocks) == len(rows)
    for block in blocks:  # executed together, or not at all
        counts = {row["count"] for row in block["instructions"]}
        assert counts == {block["passes"]}, block["place"]


def test_without_a_profile_the_kernels_are_there_and_the_cycles_the_same(
    program: package.Program, inputs: list[np.ndarray], profiled: package.Run
) -> None:
    plain = package.run(program, inputs)
    (kernel,) = plain.record["dsp"]["kernels"]
    (other,) = profiled.record["dsp"]["kernels"]
    assert kernel["profile"] is None
    assert {**other, "profile": None} == kernel
    assert plain.cycles == profiled.cycles


def test_a_run_without_programs_has_no_kernels(digits: Path) -> None:
    run = package.run(package.compile(package.load(digits)), random_of(digits))
    assert run.record["dsp"] is None and run.program.info["kernels"] == {}
    with pytest.raises(package.Refusal, match="profile: no kernel has run on the DSP in this run"):
        kernels_to_show(run.record)


def random_of(file: Path) -> list[np.ndarray]:
    net = package.load(file)
    random = np.random.default_rng(1)
    return [random.integers(-128, 128, t["shape"]).astype(t["dtype"]) for t in net.inputs]


# --------------------------------------------------------------------------------------- the views


def test_the_verb_shows_the_hottest_instructions(presil, loadable: Path) -> None:
    assert presil("run", loadable, "--profile", "--out", "out").code == 0
    shown = presil("profile", "out")
    assert shown.code == 0, shown.err
    assert re.search(r"softmax_i8 +\d+ +[\d,]+ +[\d,]+", shown.out)
    assert re.search(
        r"\d\d\.\d % in presil\S+ \+0x[0-9a-f]+: [\d,]+ passes of [\d.]+ cycles", shown.out
    )
    assert re.search(r"\d\.\d +[\d,]+ +[\d,]+ +[\d,]+ +\+0x[0-9a-f]+  v\w+\.\w+ v\d+", shown.out)
    assert "vector queue" in shown.out
    everything = presil("profile", "out", "--kernel", "softmax_i8", "--all")
    assert len(everything.out) > len(shown.out) and "jalr" in everything.out
    (kernel,) = json.loads(presil("profile", "out", "--json").out)
    assert kernel["name"] == "softmax_i8" and kernel["profile"]["instructions"]
    other = presil("profile", "out", "--kernel", "nms")
    assert other.code == 2
    assert "there is no kernel 'nms' in this run, expected one of softmax_i8" in other.err


def test_the_verb_says_how_to_get_instructions(presil, loadable: Path, tmp_path: Path) -> None:
    assert presil("run", loadable, "--out", "out").code == 0
    shown = presil("profile", "out")
    assert shown.code == 0 and "`presil run NET --profile` records" in shown.out
    (tmp_path / "run.json").write_text(json.dumps({**record(), "dsp": None}))
    none = presil("profile", "run.json")
    assert none.code == 2 and "profile: no kernel has run on the DSP in this run" in none.err
    old = {key: value for key, value in record().items() if key != "dsp"}  # before 1.2
    (tmp_path / "run.json").write_text(json.dumps(old))
    assert presil("profile", "run.json").code == 2
    (tmp_path / "run.json").write_text(json.dumps({**record(), "dsp": {"kernels": [{}]}}))
    odd = presil("profile", "run.json")
    assert odd.code == 2 and "lacks a part of a run's record" in odd.err


def test_the_page_shows_kernels_with_their_hottest_blocks(
    profiled: package.Run, tmp_path: Path
) -> None:
    text = html_of([(profiled.record, tmp_path)])
    assert "Kernels of the DSP" in text and "3 hottest of" in text
    assert text.count('class="code"') == 3
    profiled.report(tmp_path / "report.html")
    if shutil.which("chromium") is None:
        pytest.skip("SKIPPED: no chromium to open the report with")
    seen, console = browse(tmp_path, LOOK)
    assert console == [] and seen["ready"] == "true"
    (kernel,) = profiled.record["dsp"]["kernels"]
    causes = 1 + len(kernel["stall"])  # busy, and each stall; of more than eight seven and other
    assert seen["marks"]["kernels"] == min(causes, 8)
    for width, span in seen["widths"].items():
        assert span["needs"] <= span["has"], f"{width} px: the page is wider than its window"


def test_the_page_of_a_run_without_kernels_does_not_speak_of_them(tmp_path: Path) -> None:
    assert "Kernels of the DSP" not in html_of([(record(), tmp_path)])


# ----------------------------------------------------------------------------------------- traces


def trace_of(program: package.Program, inputs: list[np.ndarray], trace: DspTrace) -> list[str]:
    run = package.run(program, inputs, dsp_trace=trace)
    assert run.exact
    lines = Path(trace.file).read_text().splitlines()
    told = run.record["dsp_trace"]
    assert told["lines"] == sum(not line.startswith("#") for line in lines)
    return lines


def test_a_trace_has_every_instruction_of_the_first_sample(
    program: package.Program, inputs: list[np.ndarray], profiled: package.Run, tmp_path: Path
) -> None:
    lines = trace_of(program, inputs, DspTrace(tmp_path / "dsp.txt"))
    commands = dsp_commands(profiled)
    titles = [line for line in lines if line.startswith("#")]
    assert len(titles) == len(commands)
    assert titles[0].startswith("# dsp command 1, layer first (tile 0), kernel softmax_i8, first")
    (kernel,) = profiled.record["dsp"]["kernels"]
    # Of two samples that run the same instructions; an ecall ends a program and is not counted.
    assert len(lines) - len(titles) == kernel["instructions"] // 2 + len(commands)
    cycles = [int(line.split()[0]) for line in lines if not line.startswith("#")]
    assert cycles == sorted(cycles)
    assert commands[0]["start"] < cycles[0] and cycles[-1] < commands[-1]["end"]
    assert re.match(
        r" +\d+  [0-9a-f]{8}  presil_entry_softmax_i8 + addi x2, x2, -\d+ +# x2 = 0x1101", lines[1]
    )


def test_a_trace_is_of_a_layer_a_kernel_a_tile_or_cycles(
    program: package.Program, inputs: list[np.ndarray], profiled: package.Run, tmp_path: Path
) -> None:
    file = tmp_path / "dsp.txt"

    def titles(**asked: object) -> list[str]:
        lines = trace_of(program, inputs, DspTrace(file, **asked))
        return [line for line in lines if line.startswith("#")]

    second = titles(window="layer=second")
    assert second and all("layer second" in title for title in second)
    assert len(titles(window="kernel=softmax_i8")) == len(dsp_commands(profiled))
    (tile,) = titles(window="layer=second", tile=0)
    assert "(tile 0)" in tile
    first = dsp_commands(profiled)[0]
    begin = first["start"] + 40
    lines = trace_of(program, inputs, DspTrace(file, f"cycles={begin}:{begin + 20}"))
    assert 1 < len(lines) <= 1 + 20
    assert all(begin <= int(line.split()[0]) < begin + 20 for line in lines[1:])
    cut = trace_of(program, inputs, DspTrace(file, lines=10))
    assert len(cut) == 1 + 10 + 1
    assert re.match(r"# cut: 10 instructions are written, the \d+ after them are left out", cut[-1])


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (
            {"window": "layer=third"},
            "no layer 'third' runs on the DSP, expected one of first, second",
        ),
        ({"window": "kernel=nms"}, "there is no kernel 'nms', expected one of softmax_i8"),
        ({"tile": 900}, "there is no tile 900, must be 0 to"),
        ({"lines": 0}, "trace: got 0 lines, expected 1 to"),
        ({"window": "cycles=9:3"}, "is empty, requires A < B"),
        (
            {"window": "tile=3"},
            "the window is 'tile=3', expected layer=NAME or cycles=A:B, or kernel",
        ),
    ],
)
def test_a_trace_of_what_is_not_there_is_refused(
    program: package.Program, tmp_path: Path, asked: dict, said: str
) -> None:
    with pytest.raises(package.Refusal) as refused:
        DspTrace(tmp_path / "dsp.txt", **asked).order(program)
    assert said in str(refused.value)


def test_a_network_that_uses_no_dsp_has_no_dsp_trace(presil, digits: Path) -> None:
    ended = presil("run", digits, "--trace", "dsp")
    assert ended.code == 2 and "this network runs nothing on the DSP, so there is no" in ended.err
    tile = presil("run", digits, "--trace-tile", "0")
    assert tile.code == 2 and "--trace-tile says what --trace dsp shows" in tile.err
    window = presil("run", digits, "--trace-window", "layer=x")
    assert window.code == 2 and "--trace-window says what --trace fst or dsp shows" in window.err
    cosim = presil("cosim", digits, "--trace", "dsp")
    assert cosim.code == 2 and "'dsp' is not one of" in cosim.err


def test_the_command_line_says_where_the_trace_lies(presil, loadable: Path, tmp_path: Path) -> None:
    ended = presil("run", loadable, "--trace", "dsp", "--trace-lines", "100", "--out", "out")
    assert ended.code == 0, ended.err
    assert "instructions of the DSP: out/dsp.txt, 100 lines; cut," in ended.out
    assert len((tmp_path / "out" / "dsp.txt").read_text().splitlines()) == 102


def test_a_trace_that_cannot_be_written_is_refused(
    program: package.Program, inputs: list[np.ndarray], tmp_path: Path
) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(package.Refusal, match="folder' cannot be written"):
        package.run(program, inputs, dsp_trace=DspTrace(tmp_path / "folder"))
