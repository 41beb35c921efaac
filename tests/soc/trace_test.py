"""Waveforms of blocks in RTL: what is refused, which cycles are in the file, and that nothing else
of the run changes."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import presil
import pytest
from presil import paths
from presil.refusal import Diverged
from presil.trace import AFTER, BEFORE, Trace, Waves, sentence, window_of

READER = Path(__file__).with_name("fst_span.c")
VERILATOR = Path("/usr/share/verilator/include/gtkwave")
PERIOD_PS = 1000


@dataclass
class Span:
    """Of an FST file; times in ps."""

    unit: int
    first: int
    last: int
    signals: int
    edges: int
    first_edge: int
    last_edge: int


@pytest.fixture(name="program", scope="module")
def program_fixture(digits: Path) -> presil.Program:
    return presil.compile(presil.load(digits))


def pattern(program: presil.Program) -> list[np.ndarray]:
    random = np.random.default_rng(1)
    return [random.integers(-128, 128, t["shape"]).astype(t["dtype"]) for t in program.inputs]


# ------------------------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("layer=", "the window is 'layer=', expected layer=NAME or cycles=A:B"),
        ("cycles=5", "expected layer=NAME or cycles=A:B"),
        ("cycles=-1:5", "expected layer=NAME or cycles=A:B"),
        ("cycles=5:5", "the window cycles=5:5 is empty, requires A < B"),
        ("cycles=6:5", "is empty"),
        ("cycles=0:99999999999999999999", "B up to 4611686018427387904"),
    ],
)
def test_a_window_that_is_none_is_refused(text: str, said: str) -> None:
    with pytest.raises(presil.Refusal) as refused:
        window_of(text)
    assert said in str(refused.value)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--trace", "fst"], "fst shows blocks in RTL, here all are models; add e.g. --block"),
        (["--trace-window", "cycles=1:2"], "--trace-window says what --trace fst or dsp shows"),
        (
            ["--trace", "fst", "--block", "dla=rtl", "--trace-window", "layer=none"],
            "there is no layer 'none', expected one of conv2d_1, conv2d_1_2",
        ),
    ],
)
def test_a_trace_of_nothing_is_refused(
    presil: Callable[..., Any], digits: Path, arguments: list[str], said: str
) -> None:
    ended = presil("run", digits, *arguments)
    assert ended.code == 2
    assert said in ended.err


def test_a_simulator_without_waveforms_says_so(
    program: presil.Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trace = Trace(tmp_path, "cycles=0:9")
    monkeypatch.setattr(paths, "FST_SIMULATOR", tmp_path / "presil-sim-rtl-fst")
    with pytest.raises(presil.Refusal, match="waveforms require the simulator .* is not built"):
        presil.run(program, pattern(program), blocks="dla=rtl", trace=trace)
    monkeypatch.setattr(paths, "FST_SIMULATOR", paths.RTL_SIMULATOR)
    with pytest.raises(presil.Refusal, match="this simulator writes no waveforms; `ninja presil_"):
        presil.run(program, pattern(program), blocks="dla=rtl", trace=trace)


# ------------------------------------------------------------------------- which cycles are taken


def windows(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """Of all waveforms that are asked for from now on; none is made."""
    asked: list[tuple[int, int]] = []
    monkeypatch.setattr(Waves, "_write", lambda self, first, end, *_: asked.append((first, end)))
    monkeypatch.setattr("presil.trace.sentence", str)
    return asked


def waves(program: presil.Program, window: str, kind: str = "lockstep") -> Waves:
    return Waves(Trace("out", window), program, {"dla": kind})


def diverged(cycle: int) -> Diverged:
    return Diverged("apart", {"model_cycle": None, "rtl_cycle": cycle})


def test_a_layer_is_taken_from_its_start_to_its_end(
    program: presil.Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = windows(monkeypatch)
    record = {"layers": [{"name": "conv2d_1", "start": 7, "end": 90}]}
    waves(program, "layer=conv2d_1").of_run(record, [], 0)
    assert asked == [(7, 91)]


def test_what_is_around_the_first_divergence_is_taken(
    program: presil.Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = windows(monkeypatch)
    monkeypatch.setattr("presil.trace.map", lambda *_: [], raising=False)
    for cycle in (4711, 12):
        error = waves(program, "").of_failure(diverged(cycle), [], 0)
        assert isinstance(error, Diverged) and error.detail["rtl_cycle"] == cycle
    waves(program, "cycles=3:8").of_failure(diverged(4711), [], 0)
    assert asked == [(4711 - BEFORE, 4711 + AFTER + 1), (0, 12 + AFTER + 1), (3, 8)]


def test_lockstep_without_a_difference_asks_for_no_waveform(program: presil.Program) -> None:
    assert waves(program, "").of_run({}, [], 0) == []


def test_a_block_that_sleeps_is_told() -> None:
    found = {"block": "dla", "file": None, "cycles": [10, 20]}
    assert sentence(found) == "waveform: none, dla is not clocked in cycles 10 to 19"


# --------------------------------------------------------------------------------- the file itself


@pytest.fixture(name="span", scope="module")
def span_fixture(everything: bool, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Reads a waveform; builds what that takes."""
    if not everything:
        pytest.skip("SKIPPED: the simulator that writes waveforms is for `presil test --all`")
    build = ["ninja", "-C", str(paths.BUILD), "presil_trace_tools"]
    subprocess.run(build, check=True, capture_output=True)
    reader = tmp_path_factory.mktemp("fst") / "fst_span"
    sources = [VERILATOR / name for name in ("fstapi.c", "lz4.c", "fastlz.c")]
    options = ["-w", "-O1", f"-I{VERILATOR}", '-DFST_CONFIG_INCLUDE="fst_config.h"']
    command = ["gcc", *options, "-o", reader, READER, *sources, "-lz", "-lpthread"]
    subprocess.run(command, check=True)

    def read(file: Path) -> Span:
        done = subprocess.run([reader, file, "clk_i"], capture_output=True, text=True, check=True)
        return Span(*map(int, done.stdout.split()))

    return read


def test_the_file_holds_just_the_window(
    span: Callable[[Path], Span], program: presil.Program, tmp_path: Path
) -> None:
    inputs = pattern(program)
    plain = presil.run(program, inputs, blocks="dla=rtl")
    trace = Trace(tmp_path, "cycles=10000:10300")
    traced = presil.run(program, inputs, blocks="dla=rtl", trace=trace)
    (waveform,) = traced.record["waveforms"]
    assert waveform == {"block": "dla", "file": str(tmp_path / "dla.fst"), "cycles": [10000, 10300]}
    found = span(tmp_path / "dla.fst")
    assert found.unit == -12 and found.signals > 1000
    assert found.first == 10000 * PERIOD_PS
    assert found.last == 10299 * PERIOD_PS + PERIOD_PS // 2
    # The first edge is the value that the file begins with.
    assert found.edges == 299 and found.last_edge == 10299 * PERIOD_PS
    assert traced.cycles == plain.cycles and traced.exact
    assert traced.record["layers"] == plain.record["layers"]


def test_every_block_in_rtl_has_its_file(
    span: Callable[[Path], Span], program: presil.Program, tmp_path: Path
) -> None:
    blocks = {name: "rtl" for name in ("dla", "dma", "sync")}
    trace = Trace(tmp_path, "cycles=10000:10050")
    traced = presil.run(program, pattern(program), blocks=blocks, trace=trace)
    assert traced.exact
    assert [waveform["block"] for waveform in traced.record["waveforms"]] == list(blocks)
    for waveform in traced.record["waveforms"]:
        if waveform["file"] is None:
            continue  # it sleeps
        found = span(Path(waveform["file"]))
        assert 10000 * PERIOD_PS <= found.first <= found.last < 10050 * PERIOD_PS
    assert traced.record["waveforms"][0]["file"] is not None


def test_a_layers_window_is_that_of_its_record(
    span: Callable[[Path], Span], presil_command: Callable[..., Any], digits: Path, tmp_path: Path
) -> None:
    ended = presil_command(
        *("run", digits, "--block", "dla=rtl", "--trace", "fst", "--out", "out"),
        *("--trace-window", "layer=conv2d_12_1"),
    )
    assert ended.code == 0, ended.err
    layers = presil.report.open_run(str(tmp_path / "out"))["layers"]
    layer = next(row for row in layers if row["name"] == "conv2d_12_1")
    assert f"cycles {layer['start']} to {layer['end']}" in ended.out
    found = span(tmp_path / "out" / "dla.fst")
    assert found.first == layer["start"] * PERIOD_PS
    assert found.last // PERIOD_PS == layer["end"]


@pytest.fixture(name="presil_command")
def presil_command_fixture(presil: Callable[..., Any]) -> Callable[..., Any]:
    """The command line; `presil` is the package here."""
    return presil
