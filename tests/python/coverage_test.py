"""presil coverage: bins by hand, what a run shows, what is missing and what would show it."""

from __future__ import annotations

import json
import os
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import presil
import pytest
from presil import cli, paths
from presil.contract import ENGINES
from presil.coverage import Hits, bins, bins_of, coverage_of, engines_with_bins, gaps, percent
from presil.coverage.bins import asks, range_of, ranges_of, stated
from presil.coverage.collect import bin_of, see_commands, values_of
from presil.coverage.hits import read_hits

CONV = "conv in_blocks=2 kernel_h=3 kernel_w=3 pad_top=1 pad_left=1 stride_y=2 wait_in=5 rule=float"


def names_of(hits: Hits, kind: str = "model") -> set[str]:
    return {name for engine, name, of in hits.counts if engine == "dla" and of == kind}


def shown(text: str, kinds: tuple[str, ...] = ("model",)) -> set[str]:
    hits = Hits()
    see_commands(hits, "dla", kinds, Counter({("dla", text): 1}))
    return names_of(hits, kinds[0])


def test_a_command_is_in_the_bins_of_its_values() -> None:
    found = shown(CONV)
    assert {
        "fields/op/conv",
        "fields/kernel_h/3",
        "fields/stride_y/2",
        "fields/stride_x/1",  # left out in the text: the legal value nearest to 0
        "fields/in_blocks/2..15",
        "fields/pad_top/1",
        "fields/wait_in/some",
        "fields/wait_out/none",
        "fields/rule/float",
        "crosses/op x rule/op=conv rule=float",
        "waits/named at once/1",
        "rules/kernel_size/kept",
        "rules/not_packed/kept",
    } <= found
    assert not {n for n in found if n.startswith("rules/packed/") or n.endswith("/broken")}
    assert not {n for n in found if n.startswith("rules/plain_pool/")}  # of pools


def test_fields_that_an_operation_does_not_use_are_in_no_bin() -> None:
    found = shown("nop signal=3 signal_add=1")
    assert "fields/signal/some" in found and "fields/signal_add/1" in found
    assert not {n for n in found if n.startswith("fields/kernel_h/")}
    assert values_of(ENGINES["dla"], "nop").keys() == values_of(ENGINES["dla"], "nop irq=1").keys()


def test_ranges_are_open_at_their_ends() -> None:
    assert (range_of("..-1", "", "").high, range_of("17..", "", "").low) == (-1, 17)
    for value, text in ((1, "1"), (7, "4..7"), (8, "8..16"), (16, "8..16"), (63, "17..")):
        assert bin_of("dla", "kernel_h", value) == text
    with pytest.raises(presil.Refusal, match="bin '3..2' of pad is no value or range, as 2..15"):
        range_of("3..2", "coverage", "pad")


@pytest.mark.parametrize("engine", engines_with_bins())
def test_bins_do_not_overlap_and_every_field_is_spoken_of(engine: str) -> None:
    about, said = ENGINES[engine], stated(engine)  # refuses a field that it leaves out
    for name in about.fields:
        if name not in said.not_covered:
            ranges = sorted(ranges_of(about, name), key=lambda r: r.low)
            for before, after in zip(ranges, ranges[1:]):
                assert before.high < after.low, name
    names = [one.name for one in bins_of(engine)]
    assert len(names) == len(set(names))
    for one in bins_of(engine):
        assert one.stimulus or one.meaning, one.name


def test_a_field_without_bins_needs_a_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = bins.file_of("dma").read_text(encoding="utf-8")
    file = tmp_path / "coverage.yaml"
    monkeypatch.setattr(bins, "file_of", lambda engine: file)
    file.write_text(text.replace("  src_n1: [1, 2..]\n", ""), encoding="utf-8")
    with pytest.raises(presil.Refusal) as refused:
        stated.__wrapped__("dma")
    assert str(refused.value).endswith(
        ": says nothing of field src_n1; give it bins under fields, or a reason under not_covered"
    )
    file.write_text(text.replace("  src_n1: [1", "  src_n9: [1"), encoding="utf-8")
    with pytest.raises(presil.Refusal, match="says nothing of field src_n1"):
        stated.__wrapped__("dma")


def test_operations_of_rules_are_read() -> None:
    dla = ENGINES["dla"]
    ops = {name: value for value, name in dla.fields["op"].codes.items()}
    for text, takes, leaves in (
        ("all", ["conv", "pass"], ["nop"]),
        ("all but pass", ["conv"], ["pass", "nop"]),
        ("maxpool, sumpool", ["maxpool", "sumpool"], ["conv", "pass"]),
    ):
        asked = asks(dla, text)
        assert all(asked({"op": ops[name], "packed": 0}) for name in takes)
        assert not any(asked({"op": ops[name], "packed": 0}) for name in leaves)
    packed = asks(dla, "conv with packed")
    assert packed({"op": ops["conv"], "packed": 1}) and not packed({"op": ops["conv"], "packed": 0})
    for rule in dla.rules:  # none is read as one that no command is asked of
        assert any(
            asks(dla, rule.operations)({"op": op, "packed": packed_})
            for op in ops.values()
            for packed_ in (0, 1)
        ), rule


@pytest.fixture(scope="module", name="digits")
def digits_fixture() -> Any:
    return presil.run("digits", check="none")


def test_a_run_shows_its_causes_and_waits(digits: Any) -> None:
    hits = coverage_of(digits.program, digits.record)
    stalls = digits.record["engines"]["dla"]["stall"]
    for cause in ("post", "feature_bank", "weights"):
        assert hits.seen("dla", f"stalls/{cause}/seen", "model") == stalls.get(cause, 0)
    waits = [w for line in digits.program.streams.splitlines() if line.startswith("dla ")
             for w in [sum(f" wait_{x}=" in line for x in ("weights", "in", "out"))]]  # fmt: skip
    for count in range(4):
        assert hits.seen("dla", f"waits/named at once/{count}", "model") == waits.count(count)
    met = [hits.seen("dla", f"waits/waits/met {how}", "model") for how in ("at once", "later")]
    assert sum(met) == sum(count > 0 for count in waits) and min(met) > 0


def test_what_is_missing_says_what_would_show_it(digits: Any) -> None:
    hits = coverage_of(digits.program, digits.record)
    lacking = {(gap.bin.engine, gap.kind, gap.bin.name): gap for gap in gaps(hits)}
    gap = lacking["dla", "model", "fields/dil_y/2.."]
    assert gap.record()["stimulus"] == "a dilated convolution"
    assert ("dla", "model", "fields/op/conv") not in lacking
    assert ("dla", "rtl", "fields/op/conv") in lacking
    assert not any(engine == "dsp" and kind == "rtl" for engine, kind, _ in lacking)
    assert ("dma", "rtl", "stalls/dram_row/seen") not in lacking  # excused, with a reason
    every = sum(one.needed("model") for e in engines_with_bins() for one in bins_of(e))
    models = sum(kind == "model" for _, kind, _ in lacking)
    assert percent(hits, ("model",)) == pytest.approx(100 * (every - models) / every)
    hits.see("dla", "fields/dil_y/2..", ["model"])
    assert ("fields/dil_y/2..") not in {g.bin.name for g in gaps(hits, ("model",))}


def test_a_block_in_lockstep_shows_model_and_rtl(digits: Any) -> None:
    blocks = {**digits.record["blocks"], "dla": "lockstep", "dma": "rtl"}
    hits = coverage_of(digits.program, {**digits.record, "blocks": blocks})
    for kind in ("model", "rtl"):
        assert hits.seen("dla", "fields/op/conv", kind) > 0
    assert hits.seen("dma", "fields/op/copy", "rtl") and not hits.seen(
        "dma", "fields/op/copy", "model"
    )


def test_the_command_line_merges_and_holds_a_floor(tmp_path: Path, capsys: Any) -> None:
    def called(*words: str) -> tuple[int, str]:
        code = cli.main(["coverage", *words])
        ended = capsys.readouterr()
        return code, ended.out + ended.err

    one, two = tmp_path / "one.json", tmp_path / "two.json"
    code, said = called("digits", "--kind", "model", "--json", str(one))
    assert code == 0 and "% of the bins seen" in said and "missing  dla model: " in said
    code, _ = called(str(one), str(one), "--kind", "model", "--json", str(two))
    single, double = read_hits(one), read_hits(two)
    assert all(times == 2 * single.counts[key] for key, times in double.counts.items())
    share = percent(single, ("model",))
    assert called(str(one), "--kind", "model", "--least", str(int(share)))[0] == 0
    code, said = called(str(one), "--kind", "model", "--least", "99")
    assert code == 1 and f"coverage: {share:.1f} %, must be at least 99 %" in said
    assert "need not  " not in said
    code, said = called(str(one), "--kind", "model", "--every")
    assert "need not  dma: isa_version; one value is legal" in said.splitlines()
    code, said = called(str(one), "--kind", "rtl", "--every")
    assert "need not  dma rtl: dram_row seen, dram_turnaround seen, " in said.replace("\n", " ")
    code, said = called(str(one), "--kind", "model", "--missing", "-")
    missing = json.loads(said)["missing"]
    assert {"engine", "kind", "group", "subject", "value", "meaning", "stimulus"} == set(missing[0])


def test_commands_that_a_test_executed_are_counted(tmp_path: Path) -> None:
    commands = {"dla": {"rtl": {f"{CONV} tag=3": 2, f"{CONV} tag=4": 1}}}
    hits = {"dla": {"rules/packed/broken": {"model": 7}}}
    file = tmp_path / "dla-Test.json"
    record = {"coverage": 1, "sources": ["Test"], "hits": hits, "commands": commands}
    file.write_text(json.dumps(record), encoding="utf-8")
    found = read_hits(file)
    assert found.seen("dla", "fields/kernel_h/3", "rtl") == 3
    assert found.seen("dla", "rules/packed/broken", "model") == 7
    assert names_of(found, "rtl") == shown(CONV)
    lacking = {(gap.kind, gap.bin.name) for gap in gaps(found) if gap.bin.engine == "dma"}
    assert ("model", "rules/length/broken") in lacking  # and in RTL there is a reason
    assert ("rtl", "rules/length/kept") in lacking and ("rtl", "rules/length/broken") not in lacking


def test_what_is_no_coverage_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "x.json"
    for text, words in (
        ("[]", "is no coverage ("),
        ('{"coverage": 9, "hits": {}, "sources": []}', "has schema 9, must be 1; collect it again"),
        ('{"coverage": 1, "hits": {"dla": {"a": {"tin": 1}}}, "sources": []}', "is no coverage"),
        ('{"verb": "regress", "cases": []}', "collects none; give it `coverage: {floor_percent:"),
        ("{", "' cannot be read ("),
    ):
        file.write_text(text, encoding="utf-8")
        with pytest.raises(presil.Refusal) as refused:
            read_hits(file)
        assert words in str(refused.value)
    assert str(refused.value).endswith("); collect it again")
    hits = {"dla": {"fields/op/sort": {"model": 1}}}
    file.write_text(json.dumps({"coverage": 1, "hits": hits, "sources": ["x"]}), encoding="utf-8")
    assert cli.main(["coverage", str(file)]) == 2


def test_rules_that_a_test_of_c_breaks_are_counted(tmp_path: Path) -> None:
    binary = paths.BUILD / "tests" / "rtl" / "rtl_rules_agree_test"
    if not binary.is_file():
        pytest.skip(f"SKIPPED: {binary.name} is not built")
    environment = {**os.environ, "PRESIL_COVERAGE": str(tmp_path / "met")}
    done = subprocess.run([str(binary)], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    (file,) = (tmp_path / "met").iterdir()
    hits = read_hits(file)
    for rule in ENGINES["dla"].rules:
        assert hits.seen("dla", f"rules/{rule.name}/broken", "model") > 0, rule.name
    assert not hits.seen("dla", "rules/packed/broken", "rtl")
