"""The command line's endings: exit codes, sentences, and what goes to which stream."""

from __future__ import annotations

import json
from pathlib import Path

import click
import numpy as np
import pytest
from presil import HardwareError, Refusal, SimulatorDied, __version__, cli, options
from records import record


@pytest.fixture(name="verb")
def verb_fixture(monkeypatch: pytest.MonkeyPatch):
    """Puts an error in place of what the verb `nets` does, and calls it."""

    def call(error: BaseException) -> int:
        @click.command("nets")
        def failing() -> None:
            raise error

        monkeypatch.setitem(cli.cli.commands, "nets", failing)
        return cli.main(["nets"])

    return call


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (Refusal("soc: got 3, expected 4"), 2, "presil: soc: got 3, expected 4\n"),
        (
            HardwareError("dma0 waits for counter 3"),
            3,
            "presil: the simulated hardware failed: dma0 waits for counter 3\n",
        ),
        (FileNotFoundError(2, "No such file", "a.npy"), 2, "presil: No such file: a.npy\n"),
        (click.exceptions.Abort(), 130, "presil: interrupted\n"),
        (KeyboardInterrupt(), 130, "presil: interrupted\n"),
    ],
)
def test_an_ending_has_its_code_and_one_sentence(
    verb, error: BaseException, code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert verb(error) == code
    streams = capsys.readouterr()
    assert streams.err.lstrip("\n") == said and streams.out == ""


@pytest.mark.parametrize("error", [SimulatorDied("presil-sim ended with code -11"), KeyError("x")])
def test_a_defect_is_told_as_one_without_a_stack_trace(
    verb, error: Exception, capsys: pytest.CaptureFixture[str]
) -> None:
    assert verb(error) == 70
    said = capsys.readouterr().err
    assert said.startswith(f"presil: a defect of presil: {type(error).__name__}")
    assert "PRESIL_TRACEBACK=1" in said and "Traceback" not in said


def test_a_developer_can_ask_for_the_stack_trace(
    verb, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PRESIL_TRACEBACK", "1")
    assert verb(KeyError("x")) == 70
    assert "Traceback" in capsys.readouterr().err


def test_version_and_help_end_well(presil) -> None:
    ended = presil("--version")
    assert (ended.code, ended.out) == (0, f"presil, version {__version__}\n")
    for arguments in (("--help",), ("-h",), ("run", "--help")):
        ended = presil(*arguments)
        assert ended.code == 0 and ended.out.startswith("Usage: presil")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("frobnicate",), ("frobnicate", "presil --help")),
        (("run",), ("NETWORK", "presil run --help")),
        (("run", "a.tflite", "--check", "all"), ("'all'", "outputs", "layers")),
        (("run", "a.tflite", "--seed", "x"), ("'x'", "integer")),
        (("compile", "a.tflite"), ("-o", "presil compile --help")),
        (("run", "nowhere.tflite", "--soc", "nowhere"), ("nowhere", "edge")),
        (("report", "nowhere"), ("nowhere", "run folder")),
    ],
)
def test_wrong_calls_are_refused_with_what_to_do(
    presil, arguments: tuple[str, ...], words: tuple[str, ...]
) -> None:
    ended = presil(*arguments)
    assert ended.code == 2 and ended.out == "", ended
    assert len(ended.err.strip().splitlines()) == 1
    assert "Traceback" not in ended.err
    for word in words:
        assert word in ended.err


def test_socs_and_nets_list_what_the_project_brings(presil) -> None:
    socs, nets = presil("socs"), presil("nets")
    assert socs.code == nets.code == 0
    own = {"big", "duo", "edge", "micro", "quad"}
    published = {"am62a", "tda4vm", "ethos_u55", "gemmini", "vta"}
    published |= {f"nvdla_{size}" for size in ("small", "medium", "large")}
    assert [line.split(":")[0] for line in socs.out.splitlines()] == sorted(own | published)
    listed = nets.out.splitlines()
    assert listed[0].startswith("digits: ") and listed[0].endswith("digits.tflite)")
    assert "resnet50: ResNet-50 (width=1, resolution=224" in nets.out


def test_socs_shows_the_engines_of_one(presil) -> None:
    shown = presil("socs", "duo", "--set", "dsp.units=0")
    assert shown.code == 0, shown.err
    rows = [line.split() for line in shown.out.splitlines()]
    assert [row[0] for row in rows] == ["engine", "dla", "dla1", "dma", "host"]
    assert rows[2][:4] == ["dla1", "dla", "dla1", "0x2004000"]
    listed = json.loads(presil("socs", "edge", "--json").out)
    assert [engine["name"] for engine in listed] == ["dla", "dsp", "dma", "host"]
    assert listed[0]["parameters"]["macs_k"] == "16"
    refused = presil("socs", "egde")
    assert refused.code == 2 and "there is no preset and no file 'egde'" in refused.err


def test_report_shows_a_recorded_run_from_its_folder_or_file(presil, tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text(json.dumps(record()), encoding="utf-8")
    for name in (tmp_path, tmp_path / "run.json"):
        ended = presil("report", name)
        assert ended.code == 0, ended.err
        assert "toy.tflite on edge, numerics tflite" in ended.out and "DIFFERS" in ended.out
        assert "\x1b" not in ended.out


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"schema": "2.0"}', '{"schema": null}'])
def test_report_refuses_what_is_no_record(presil, tmp_path: Path, text: str) -> None:
    (tmp_path / "run.json").write_text(text, encoding="utf-8")
    ended = presil("report", tmp_path)
    assert ended.code == 2 and ended.err.startswith("presil: report: "), ended.err


@pytest.mark.parametrize(
    ("numerics", "post", "no_fallback", "dispatch", "effort"),
    [
        ("tflite", None, False, "sync", 2),
        (None, "post.yaml", False, "sync", 2),
        (None, None, True, "sync", 2),
        (None, None, False, "host", 2),
        (None, None, False, "sync", 3),
    ],
)
def test_what_the_compiler_decided_is_fixed_in_a_loadable(
    numerics: str | None, post: str | None, no_fallback: bool, dispatch: str, effort: int
) -> None:
    with pytest.raises(Refusal, match="are fixed in a loadable"):
        cli.program_of("net.presil", None, numerics, post, no_fallback, dispatch, effort=effort)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"schema": "2.0"}', "has schema 2.0, expected 1.x; run it again with this presil"),
        ("[" * 100_000, "is no recorded run (maximum recursion depth exceeded"),
        ('{"schema": "1.0"}', "lacks a part of a run's record ("),
    ],
)
def test_report_says_what_is_wrong_with_a_record(
    presil, tmp_path: Path, text: str, said: str
) -> None:
    (tmp_path / "run.json").write_text(text, encoding="utf-8")
    ended = presil("report", tmp_path)
    assert ended.code == 2 and said in ended.err, ended.err


@pytest.mark.parametrize(
    ("part", "value"),
    [("time_ms", "x"), ("time_ms", 1e400), ("layers", [[]]), ("numerics", []), ("soc", 3)],
)
def test_report_refuses_a_part_of_another_kind(
    presil, tmp_path: Path, part: str, value: object
) -> None:
    (tmp_path / "run.json").write_text(json.dumps(record() | {part: value}), encoding="utf-8")
    for more in ((), ("--html", "x.html")):
        ended = presil("report", tmp_path, *more)
        assert ended.code in (0, 2) and "Traceback" not in ended.err, ended.err
        refused = "has a part that no run records (" in ended.err
        assert ended.code == 0 or refused or "lacks a part" in ended.err, ended.err


def test_report_refuses_a_record_without_its_parts(presil, tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text('{"schema": "1.0"}', encoding="utf-8")
    ended = presil("report", tmp_path)
    assert ended.code == 2 and ended.err.startswith("presil: report: "), ended.err


def test_a_soc_file_that_is_no_text_is_refused(presil, digits: Path) -> None:
    ended = presil("run", digits, "--soc", digits)
    assert ended.code == 2 and "digits.tflite" in ended.err, ended.err


@pytest.mark.parametrize("count", [5, 2])
def test_a_golden_holds_all_samples_of_the_input_or_the_chosen_ones(
    tmp_path: Path, count: int
) -> None:
    file = tmp_path / "golden.npy"
    values = np.arange(count * 3, dtype=np.int8).reshape(count, 3)
    np.save(file, values)
    tensor = {"name": "y", "dtype": "int8", "shape": [1, 3]}
    got = options.golden_slice(str(file), tensor, slice(1, 3), 5)
    assert (got == (values[1:3] if count == 5 else values)).all()


def test_a_golden_of_an_output_whose_first_axis_is_no_batch_is_cut_by_samples(
    tmp_path: Path,
) -> None:
    """As the rows of NMS: 5 samples of 4 boxes; samples 1 and 2 are chosen."""
    file = tmp_path / "golden.npy"
    values = np.arange(5 * 4 * 6, dtype=np.float32).reshape(20, 6)
    np.save(file, values)
    tensor = {"name": "boxes", "dtype": "float32", "shape": [4, 6]}
    got = options.golden_slice(str(file), tensor, slice(1, 3), 5)
    assert (got.ravel() == values[4:12].ravel()).all()
