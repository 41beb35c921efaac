"""presil mutate: which sites are found, what a mutated source means, what is refused and told."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import presil
import pytest
from presil import cli
from presil.benches import run_bench
from presil.mutate.campaign import digests, read_results, retried
from presil.mutate.cpp_sites import cpp_mutants, numbers
from presil.mutate.rewrite import HEADER, HEADER_TEXT, mutated
from presil.mutate.sites import Mutant, by, chosen, in_one_line
from presil.mutate.sv_sites import literals, sv_mutants
from presil.mutate.table import killed_share, markdown_text, reasons_of
from presil.mutate.tree import built, spoken, stillborn
from presil.mutate.trial import benches_of, case_of, difference
from presil.regress import regress
from presil.regress_suite import suite_of

SV = """\
module m #(parameter int W = 4 + 4) (input logic clk_i, rst_ni, input logic [W-1:0] a_i, b_i,
                                     output logic [W-1:0] q_o);
  localparam int Half = W / 2 - 1;
  logic [W-1:0] q_q;
  for (genvar g = 0; g < 2; g++) begin : gen_unused
    if (W > 7) assign unused = 1'b0;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) q_q <= '0;
    else if (a_i == b_i) q_q <= a_i + b_i;  // + in a comment
  end
  assign q_o = q_q[W-1:0] & {2{4'd3}};
endmodule
"""
CPP = """\
#include <array>
#include <cstdio>
#include <cstdlib>
constexpr int kWidth = 4 + 4;
static_assert(kWidth > 7);
struct Unit {
  std::array<int, 3> m_a{};
  int m_x = 0;
  void set(int x) {
    m_x = x;  // held
  }
};
int chosen(int a, int b) {
  if (a <
      b) return a + b;
  switch (a) {
    case 5:
      return 7;
    default:
      return a && b ? a - b : -1;
  }
}
int main(int, char** argv) {
  Unit unit;
  unit.set(chosen(std::atoi(argv[1]), std::atoi(argv[2])));
  std::printf("%d", unit.m_x);
}
"""


def file_in(root: Path, name: str, text: str) -> str:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return name


def told(mutants: list[Mutant]) -> set[tuple[int, str, str, str]]:
    return {(m.line, m.operator, in_one_line(m.right), m.wrong) for m in mutants}


# ------------------------------------------------------------------------------------------ sites


def test_sites_of_systemverilog_are_behaviour_and_no_constants(tmp_path: Path) -> None:
    pytest.importorskip("pyslang", reason="SKIPPED: no pyslang")
    found = told(sv_mutants(tmp_path, [file_in(tmp_path, "rtl/dla/m.sv", SV)]))
    assert found == {
        (6, "constant", "1'b0", "1'd1"),
        (9, "register", "'0", "'1"),
        (10, "operator", "a_i == b_i", "(a_i) != (b_i)"),
        (10, "register", "a_i == b_i", "1'b1"),
        (10, "condition", "a_i == b_i", "1'b0"),
        (10, "register", "a_i + b_i", "q_q"),
        (10, "operator", "a_i + b_i", "(a_i) - (b_i)"),
        (12, "operator", "q_q[W-1:0] & {2{4'd3}}", "(q_q[W-1:0]) | ({2{4'd3}})"),
        (12, "constant", "4'd3", "4'd4"),
        (12, "constant", "4'd3", "4'd0"),
    }


def test_sites_of_cpp_are_behaviour_and_no_constants(tmp_path: Path) -> None:
    pytest.importorskip("clang", reason="SKIPPED: no libclang")
    found = told(cpp_mutants(tmp_path, tmp_path, [file_in(tmp_path, "models/dla/u.cpp", CPP)]))
    assert {entry for entry in found if entry[0] not in (8, 22, 23, 24, 25)} == {
        (10, "register", "x", "m_x"),
        (14, "condition", "a < b", "!(a < b)"),
        (14, "condition", "a < b", "true"),
        (14, "condition", "a < b", "false"),
        (14, "operator", "a < b", "(a) <= (b)"),
        (15, "operator", "a + b", "(a) - (b)"),
        (18, "constant", "7", "8"),
        (18, "constant", "7", "0"),
        (20, "condition", "a && b", "true"),
        (20, "condition", "a && b", "false"),
        (20, "condition", "a && b", "!(a && b)"),
        (20, "operator", "a && b", "(a) || (b)"),
        (20, "operator", "a - b", "(a) + (b)"),
        (20, "constant", "1", "2"),
        (20, "constant", "1", "0"),
    }


def test_constants_are_one_more_in_their_width_and_zero() -> None:
    assert literals("8'hff") == ["8'd0"]  # 256 has no room in 8 bits
    assert literals("4'd3") == ["4'd4", "4'd0"]
    assert literals("1") == ["2"]
    assert literals("8'b1xx0_0001") == []
    assert numbers("0x1fu") == ["32u", "0u"]
    assert numbers("1'000") == ["1001", "0"]
    assert numbers("1.5") == []


# --------------------------------------------------------------------------------- mutated sources


def test_a_mutated_source_does_what_its_active_mutant_says(tmp_path: Path) -> None:
    """Each mutant by itself, among them nested ones, as compiled from one source."""
    pytest.importorskip("clang", reason="SKIPPED: no libclang")
    name = file_in(tmp_path, "models/dla/u.cpp", CPP)
    every = cpp_mutants(tmp_path, tmp_path, [name])
    mutants = chosen((m for m in every if m.line in (10, 14, 15, 18, 20)), 99, 1)
    file_in(tmp_path, HEADER, HEADER_TEXT)
    source = file_in(tmp_path, "u.cpp", mutated(CPP.encode(), mutants).decode())
    program = tmp_path / "u"
    subprocess.run(
        ["g++", "-std=c++17", "-Wall", "-Wextra", "-Werror", f"-I{tmp_path}"]
        + ["-o", str(program), str(tmp_path / source)],
        check=True,
    )

    def prints(number: int, a: int, b: int) -> int:
        environment = {**os.environ, "PRESIL_MUTANT": str(number)}
        call = [str(program), str(a), str(b)]
        return int(subprocess.run(call, capture_output=True, env=environment, check=True).stdout)

    expected = {  # of (2, 9), (5, 3), (8, 3), (4, 4), by what stands instead
        "": (11, 7, 5, 0),
        "!(a < b)": (11, 8, 11, 8),
        "true": (11, 8, 11, 8),
        "false": (-7, 7, 5, 0),
        "(a) <= (b)": (11, 7, 5, 8),
        "(a) - (b)": (-7, 7, 5, 0),
        "8": (11, 8, 5, 0),
        "m_x": (0, 0, 0, 0),
    }
    expected["!(a < b)"] = (-7, 8, 11, 8)
    inputs = ((2, 9), (5, 3), (8, 3), (4, 4))
    tried = 0
    for mutant in [None, *(m for m in mutants if m.line != 20)]:
        wrong = mutant.wrong if mutant else ""
        if wrong in expected:
            number = mutant.number if mutant else 0
            assert tuple(prints(number, *pair) for pair in inputs) == expected[wrong], wrong
            tried += 1
    assert tried == len(expected)


def test_a_mutated_source_keeps_its_lines() -> None:
    pytest.importorskip("clang", reason="SKIPPED: no libclang")
    spot = CPP.index("a <\n")
    one = Mutant("models/dla/u.cpp", 14, spot, CPP.index(") return a"), "condition", "", "a\n>b", 3)
    lines = mutated(CPP.encode(), [one]).decode().partition('#line 1 "models/dla/u.cpp"\n')[2]
    assert len(lines.splitlines()) == len(CPP.splitlines())
    assert "if ((::presil::mutants::active == 3 ? (a >b) : (a <\n      b))) return" in lines


def test_a_mutated_module_does_what_its_active_mutant_says(tmp_path: Path) -> None:
    pytest.importorskip("pyslang", reason="SKIPPED: no pyslang")
    if shutil.which("verilator") is None:
        pytest.skip("SKIPPED: no verilator")
    text = "module m (input logic [3:0] a_i, b_i, output logic [3:0] q_o);\n"
    text += "  assign q_o = a_i - (b_i & 4'd5);\nendmodule\n"
    mutants = chosen(sv_mutants(tmp_path, [file_in(tmp_path, "rtl/dla/m.sv", text)]), 99, 1)
    file_in(tmp_path, "m.sv", mutated(text.encode(), mutants).decode())
    main = '#include "Vm.h"\n#include <cstdio>\nint main() { VerilatedContext c; Vm m{&c};\n'
    main += 'm.a_i = 9; m.b_i = 6; m.eval(); std::printf("%d", m.q_o); }\n'
    file_in(tmp_path, "main.cpp", main)
    subprocess.run(
        ["verilator", "--cc", "--exe", "--build", "-O0", "--Mdir", "o", "m.sv", "main.cpp"],
        cwd=tmp_path,
        check=True,
        capture_output=True,
    )
    # 9 - (6 & 5) = 9 - 4 = 5
    values = {"(a_i) + ((b_i & 4'd5))": 13, "(b_i) | (4'd5)": 2, "4'd6": 3, "4'd0": 9}
    assert {m.wrong for m in mutants} == set(values)
    for number, value in [(0, 5), *((m.number, values[m.wrong]) for m in mutants)]:
        environment = {**os.environ, "PRESIL_MUTANT": str(number)}
        done = subprocess.run([tmp_path / "o/Vm"], env=environment, capture_output=True, check=True)
        assert int(done.stdout) == value, number


# ------------------------------------------------------------------------------------- the campaign


def numbered(count: int) -> list[Mutant]:
    files = ("rtl/dla/a.sv", "rtl/dma/b.sv", "models/sync/c.cpp")
    return [
        Mutant(files[i % 3], i, i, i + 1, ("operator", "constant")[i % 2], "x", "y")
        for i in range(count)
    ]


def test_mutants_are_chosen_by_seed_evenly_over_files_and_operators() -> None:
    picked = chosen(numbered(300), 12, 5)
    assert [m.number for m in picked] == list(range(1, 13))
    for key, each in (("file", 4), ("operator", 6)):
        assert [len(found) for found in by(picked, key).values()] == [each] * (12 // each)
    assert picked == chosen(numbered(300), 12, 5)
    assert picked != chosen(numbered(300), 12, 6)


def test_what_does_not_compile_is_found_by_its_line() -> None:
    mutants = [Mutant("rtl/dma/b.sv", 7, 0, 1, "operator", "a\nb", "", 1)]
    mutants.append(Mutant("models/dla/c.cpp", 7, 0, 1, "operator", "a", "", 2))
    assert stillborn("%Warning-LATCH: rtl/dma/b.sv:8:3: Latch", mutants) == mutants[:1]
    assert stillborn("../models/dla/c.cpp:7:12: error: no", mutants) == mutants[1:]
    assert stillborn("models/dla/c.cpp:8:12: error: no", mutants) == []
    assert stillborn("models/dla/c.cpp:7:12: note: here", mutants) == []


def test_a_result_that_was_cut_off_is_tried_again(tmp_path: Path) -> None:
    whole = '{"number": 3, "killed_by": "a: b", "seconds": 1.0}\n'
    (tmp_path / "results.jsonl").write_text(whole + '{"number": 4, "kil', encoding="utf-8")
    assert read_results(tmp_path) == {3: {"killed_by": "a: b", "seconds": 1.0}}
    assert (tmp_path / "results.jsonl").read_text(encoding="utf-8") == whole


def test_survivors_are_told_with_their_reason(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [
        {**m.record(), "number": i, "killed_by": "bench: test"} for i, m in enumerate(numbered(4))
    ]
    rows[0]["killed_by"] = rows[1]["killed_by"] = None
    about = {"count": 4, "seed": 1, "suite": "s", "presil": {"commit": "c"}}
    record = {**about, "mutants": rows}
    reasons = tmp_path / "reasons.yaml"
    reasons.write_text(
        "- {file: rtl/dla/a.sv, line: 0, right: x, wrong: y, verdict: equivalent, reason: same}\n",
        encoding="utf-8",
    )
    known = reasons_of(reasons)
    assert killed_share(record, known) == pytest.approx(100 * 2 / 3)
    assert killed_share(record, []) == 50
    text = markdown_text(record, known)
    assert "`rtl/dla/a.sv:0` (operator): `x` became `y`. equivalent: same" in in_one_line(text)
    assert "`rtl/dma/b.sv:1` (constant): `x` became `y`. not explained yet" in in_one_line(text)
    assert "| rtl dla | 1 of 2 | 0 of 0 | 0 of 0 | 0 of 0 | 1 of 2 |" in text.replace(
        "| 1 of 1 | 0 of 1 |", "| 1 of 2 | 0 of 0 |"
    ).replace("| 0 of 1 | 1 of 1 |", "| 1 of 2 | 0 of 0 |")
    reasons.write_text("- {file: a}\n", encoding="utf-8")
    with pytest.raises(presil.Refusal, match="must have file, right, wrong, verdict and reason"):
        reasons_of(reasons)


# -------------------------------------------------------------------------- benches and bad input


def script(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


def test_a_bench_tells_its_tests_and_where_it_fails(tmp_path: Path) -> None:
    good = script(tmp_path / "good", "echo '[       OK ] A.b (12 ms)'")
    assert run_bench(good, tmp_path).tests_ms == {"A.b": 12}
    bad = script(tmp_path / "bad", "echo '[  FAILED  ] A.c (1 ms)'; exit 1")
    assert run_bench(bad, tmp_path).why == "A.c"
    crash = script(tmp_path / "crash", "echo '[ RUN      ] A.d'; kill -SEGV $$")
    assert run_bench(crash, tmp_path).why == "A.d (SIGSEGV)"
    hang = script(tmp_path / "hang", "echo '[ RUN      ] A.e'; sleep 60")
    assert run_bench(hang, tmp_path, limit_s=0.2).why == "A.e (time limit)"


def test_a_suite_runs_benches_as_cases(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script(tmp_path / "tests/x/good", "exit 0")
    script(tmp_path / "tests/x/bad", "echo '[  FAILED  ] A.c (1 ms)'; exit 1")
    monkeypatch.setattr("presil.paths.BUILD", tmp_path)
    given = {"networks": [{"file": "none.tflite", "optional": True}]}
    result = regress({**given, "benches": ["good", "bad", "none"]})
    rows = {row["name"]: (row["verdict"], row["broken"]) for row in result["cases"]}
    assert rows["bench good"] == ("passed", [])
    assert rows["bench bad"] == ("failed", ["fails at A.c"])
    assert rows["bench none"] == ("skipped", ["is not built: `ninja none`"])
    second = regress({**given, "benches": ["good", "bad"]}, shard="2/2")["cases"]
    assert [row["name"] for row in second] == ["bench bad"]
    with pytest.raises(presil.Refusal) as refused:
        suite_of({**given, "benches": "good"})
    assert "suite: benches is " in str(refused.value)
    assert ", must be a list of test programs; " in str(refused.value)


@pytest.mark.parametrize(
    ("module", "kind", "says"),
    [
        ("pyslang", "--rtl", "SystemVerilog is parsed by pyslang, which is not installed"),
        ("clang", "--models", "C++ is parsed by libclang's Python binding, which is not installed"),
    ],
)
def test_a_parser_that_is_not_there_is_named(
    module: str,
    kind: str,
    says: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name in (module, f"{module}.syntax"):
        monkeypatch.setitem(sys.modules, name, None)
    assert cli.main(["mutate", kind, "--out", str(tmp_path / "o")]) == 2
    assert says in capsys.readouterr().err


def test_bad_options_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = ["--out", str(tmp_path / "o")]
    assert cli.main(["mutate", "--rooms", "dla,dsq", *out]) == 2
    assert "mutate: --rooms" in capsys.readouterr().err
    suite = tmp_path / "s.yaml"
    suite.write_text("networks: [digits]\n", encoding="utf-8")
    assert cli.main(["mutate", "--suite", str(suite), *out]) == 2
    assert "the suite has no `benches`" in capsys.readouterr().err
    (tmp_path / "o").mkdir(exist_ok=True)
    (tmp_path / "o/plan.json").write_text('{"about": {}, "mutants": []}', encoding="utf-8")
    assert cli.main(["mutate", *out]) == 2
    assert "holds a campaign of other options" in capsys.readouterr().err


def test_reasons_that_cannot_be_used_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "reasons.yaml"
    file.write_text("- {", encoding="utf-8")
    with pytest.raises(presil.Refusal, match=r"reasons.yaml' is no YAML \("):
        reasons_of(file)
    entry = "- {file: a, right: x, wrong: y, verdict: maybe, reason: r}\n"
    file.write_text(entry, encoding="utf-8")
    with pytest.raises(presil.Refusal) as refused:
        reasons_of(file)
    assert "mutate: a verdict in '" in str(refused.value)
    assert "'maybe', must be one of equivalent, missing" in str(refused.value)


def test_cpp_that_cannot_be_parsed_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("clang", reason="SKIPPED: no libclang")
    name = file_in(tmp_path, "models/dla/u.cpp", '#include "there_is_none.h"\n')
    with pytest.raises(presil.Refusal, match="u.cpp' cannot be parsed: 'there_is_none.h' file not"):
        cpp_mutants(tmp_path, tmp_path, [name])


def checkout(folder: Path, *files: str) -> Path:
    subprocess.run(["git", "init", "-q", str(folder)], check=True)
    for name in (*files, "rtl/common/common.vlt"):
        file_in(folder, name, "`verilator_config\n")
    return folder


def test_what_cannot_be_built_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def build(root: Path) -> str:
        with pytest.raises(presil.Refusal) as refused:
            built(root, tmp_path / "tree", [], ["all"], print)
        return str(refused.value)

    (tmp_path / "none").mkdir()
    assert "mutate: requires a checkout of presil, '" in build(tmp_path / "none")
    root = checkout(tmp_path / "root")
    assert "mutate: the build with mutants fails:\n" in build(root)  # no CMakeLists.txt
    with pytest.raises(presil.Refusal, match="mutate: requires 'cmake-99', which is not installed"):
        spoken(["cmake-99"], tmp_path)


def test_trials_must_pass_with_no_mutant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(presil.Refusal, match="the bench 'none' is not built; is it a test program"):
        benches_of(["none"], tmp_path, tmp_path)
    script(tmp_path / "tests/x/bad", "echo '[  FAILED  ] A.c (1 ms)'; exit 1")
    with pytest.raises(
        presil.Refusal, match="'bad' fails with no mutant active, at A.c; mend that first"
    ):
        benches_of(["bad"], tmp_path, tmp_path)
    monkeypatch.setattr("presil.mutate.trial.measured", lambda *_: (1, None))
    with pytest.raises(
        presil.Refusal, match="the case 'c' fails with no mutant active: it ends with 1"
    ):
        case_of("c", {}, tmp_path, tmp_path)
    with pytest.raises(presil.Refusal, match="bench: '.*/absent' cannot be run "):
        run_bench(tmp_path / "absent", tmp_path)


def test_a_case_differs_by_its_first_figure() -> None:
    same = {"cycles": 10, "dram_bytes": 1, "sram_bytes": 1, "inference_cycles": 12, "energy_uj": 1}
    good = {**same, "exact": True, "record": {"engines": {}, "layers": []}}
    assert difference(good, good) == ""
    assert difference(good, {**good, "exact": False}) == "not exact"
    assert difference(good, {**good, "cycles": 11}) == "cycles: 11, 10 before"
    assert difference(good, {"refused": "job 0 hangs"}) == "job 0 hangs"
    cosim = {"first_divergence": None, "rtl_cycles": 10}
    lockstep = {**good, "cosim": cosim}
    moved = {**good, "cosim": {**cosim, "rtl_cycles": 11}}
    assert difference(lockstep, moved) == "11 cycles in RTL, 10 before"
    apart = {**good, "cosim": {**cosim, "first_divergence": {"text": "dla: word 3"}}}
    assert difference(lockstep, apart) == "dla: word 3"


def test_survivors_are_tried_again_where_no_source_has_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, out = tmp_path / "root", tmp_path / "out"
    mutants = [Mutant(file_in(root, "rtl/dla/a.sv", "a"), 1, 0, 1, "constant", "a", "b", n + 1)
               for n in range(2)]  # fmt: skip
    monkeypatch.setattr("presil.paths.ROOT", root)
    monkeypatch.setattr("presil.mutate.campaign.built", lambda *given: list(given[2]))
    plan = json.dumps({"sources": digests(root, mutants)})
    file_in(out, "plan.json", plan)
    kept = '{"number": 1, "killed_by": "a", "seconds": 1}\n'
    lost = '{"number": 2, "killed_by": null, "seconds": 1}\n'
    file_in(out, "results.jsonl", lost + kept)
    retried(out, mutants, [], lambda *_: None)
    assert (out / "results.jsonl").read_text(encoding="utf-8") == kept
    monkeypatch.setattr("presil.mutate.campaign.built", lambda *given: given[2][:1])
    with pytest.raises(presil.Refusal, match="a mutant no longer compiles; begin another campaign"):
        retried(out, mutants, [], lambda *_: None)
    file_in(root, "rtl/dla/a.sv", "b")
    with pytest.raises(presil.Refusal, match="a.sv' has changed since its mutants were chosen"):
        retried(out, mutants, [], lambda *_: None)
