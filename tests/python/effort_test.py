"""Compiling ends: search is counted and bounded, tells how far it is, says what does not fit."""

from __future__ import annotations

import math
import os
import signal
import subprocess
import sys
import time
from functools import partial

import numpy as np
import presil
import pytest
from conftest import ROOT
from made_networks import KINDS, made_network
from presil import paths, watch
from presil.heartbeat import heartbeat

TIGHT = 16 << 10


def tight() -> object:
    return presil.load_soc("edge", [f"sram.bytes={TIGHT}"])


@pytest.mark.parametrize("sram", ["own", "tight"])
@pytest.mark.parametrize("kind", KINDS)
def test_search_grows_no_faster_than_n_log_n(kind: str, sram: str) -> None:
    """By units of work, which are the same on every machine."""
    soc = presil.load_soc("edge") if sram == "own" else tight()
    few, many = (presil.compile(made_network(kind, n), soc).work for n in (100, 400))
    n_log_n = 4 * math.log(400) / math.log(100)
    assert few is not None and many is not None and few > 100
    # Weights come up to 256 layers ahead, so what meets in the SRAM still grows until then.
    assert many < 1.5 * n_log_n * few


def test_the_same_network_takes_the_same_work_and_gets_the_same_plan() -> None:
    net = made_network("transposes", 60, 16)
    a, b = (presil.compile(net, tight(), progress=p) for p in (None, lambda *_: None))
    assert a.work == b.work and bytes(a.loadable) == bytes(b.loadable)


def test_more_effort_searches_more_and_finds_no_slower_plan() -> None:
    net = made_network("transposes", 40, 16)
    programs = [presil.compile(net, tight(), effort=effort) for effort in range(4)]
    work = [program.work or 0 for program in programs]
    estimates = [program.estimate or 0 for program in programs]
    assert work[0] < work[2] and work == sorted(work)
    assert estimates == sorted(estimates, reverse=True)
    assert bytes(presil.compile(net, tight()).loadable) == bytes(programs[2].loadable)
    x = [np.zeros(t["shape"], np.int8) for t in net.inputs]
    for program in (programs[0], programs[3]):
        assert presil.run(program, x, check="layers").exact


def test_effort_beyond_its_levels_is_refused_bad() -> None:
    with pytest.raises(presil.Refusal) as refused:
        native = paths.native()
        native.compile(made_network("adds", 1).graph, presil.load_soc("edge"), effort=-1)
    assert str(refused.value) == "compile: effort is -1, must be 0 to 3; 2 is the usual one"
    with pytest.raises(presil.Refusal) as refused:
        presil.compile(made_network("adds", 1), effort=4)
    assert str(refused.value) == "effort: got 4, must be 0 to 3; leave it out for 2"


def large_kernels(*sizes: int) -> presil.Network:
    b = presil.Builder("large")
    x = b.input("x", (1, 20, 20, 16), scale=0.5)
    for size in sizes:
        weights = np.ones((16, size, size, 16), np.int8)
        x = b.conv2d(x, weights, weights_scale=0.1, padding="same", out=(0.5, 0), name=f"k{size}")
    b.output(x)
    return b.build()


def test_what_does_not_fit_is_said_with_what_would_bad() -> None:
    # 16 outputs of 16 inputs: 12 x 12 weights of 256 bytes, 16 x 16 of the largest
    with pytest.raises(presil.Refusal) as refused:
        presil.compile(large_kernels(12, 3, 16), tight(), fallback=False)
    said = str(refused.value)
    assert said == (
        "plan: layer k12 (conv2d) needs 39328 bytes of SRAM even in the smallest tiles, sram.bytes "
        "is 16384, and another layer does not fit either; use a SoC with more SRAM, sram.bytes of "
        "73728 or more"
    )
    enough = int(said.split("sram.bytes of ")[1].split()[0])
    soc = presil.load_soc("edge", [f"sram.bytes={enough}"])
    assert presil.compile(large_kernels(12, 3, 16), soc, fallback=False).work
    soc = presil.load_soc("edge", [f"sram.bytes={enough - 4096}"])
    with pytest.raises(presil.Refusal, match=f"sram.bytes is {enough - 4096}; use a SoC with more"):
        presil.compile(large_kernels(12, 3, 16), soc, fallback=False)


def test_layers_that_do_not_fit_leave_the_engine_together() -> None:
    program = presil.compile(large_kernels(12, 3, 16), tight())
    said = [(p["engine"], p["reason"]) for p in program.placement]
    assert [engine for engine, _ in said] == ["host", "dla", "host"]
    for reason in (said[0][1], said[2][1]):
        assert reason.startswith("dla: needs ")
        assert reason.endswith(f" bytes of SRAM even in the smallest tiles, sram.bytes is {TIGHT}")


def test_progress_tells_the_stages_of_a_compilation() -> None:
    told = []
    presil.compile(
        made_network("transposes", 200, 24), tight(), progress=lambda *state: told.append(state)
    )
    stages = {stage for stage, _, _ in told}
    assert (
        {"plan", "schedule"}
        <= stages
        <= {
            "passes",
            "partition",
            "layout",
            "emit",
            *watch.UNITS,
        }
    )
    assert all(done <= total for _, done, total in told if total)


def test_a_compilation_in_a_log_is_heard_of(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(watch, "heartbeat", partial(heartbeat, every_s=0.01))
    for enabled in (True, False):
        with watch.compiling(enabled) as told:
            presil.compile(made_network("transposes", 200, 24), tight(), progress=told)
        lines = capfd.readouterr().err.splitlines()
        assert bool(lines) == enabled
        for line in lines:
            assert line.startswith("presil: compiling") and line.endswith(" s")


def test_an_interrupt_ends_a_compilation_at_once() -> None:
    """Ctrl-C, in the middle of the native part."""
    script = (
        "import presil\nfrom made_networks import made_network\n"
        "net = made_network('transposes', 2000, 40)\nprint('begins', flush=True)\n"
        "presil.compile(net, presil.load_soc('edge', ['sram.bytes=16384']), effort=3)\n"
    )
    command = [sys.executable, "-c", script]
    folders = f"{ROOT / 'sim' / 'python'}:{ROOT / 'tests' / 'python'}"
    env = {**os.environ, "PYTHONPATH": folders}
    child = subprocess.Popen(
        command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert child.stdout is not None and child.stdout.readline() == "begins\n"
    time.sleep(1)
    begin = time.monotonic()
    child.send_signal(signal.SIGINT)
    _, err = child.communicate(timeout=30)
    assert time.monotonic() - begin < 5
    assert child.returncode != 0 and "KeyboardInterrupt" in err
