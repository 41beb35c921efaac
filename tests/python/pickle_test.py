"""Runs, programs, SoCs, networks and errors go through pickle and into other processes."""

from __future__ import annotations

import copy
import inspect
import multiprocessing
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import presil
import pytest


@pytest.fixture(scope="module", name="run")
def run_fixture() -> presil.Run:
    b = presil.Builder("small")
    x = b.input("x", (1, 8, 8, 16), scale=0.5)
    weights = np.ones((16, 3, 3, 16), np.int8)
    b.output(b.conv2d(x, weights, weights_scale=0.1, out=(9.0, 3), name="c"))
    return presil.run(b, seed=4, soc={"name": "micro", "sram.bytes": 65536}, check="layers")


@pytest.mark.parametrize("twin", [lambda x: pickle.loads(pickle.dumps(x)), copy.deepcopy])
def test_what_comes_back_is_the_same(run: presil.Run, twin: Callable[[Any], Any]) -> None:
    soc, net = run.program.soc, run.program.network
    assert twin(soc).canonical_text == soc.canonical_text and twin(soc).name == "micro"
    assert twin(net).graph.text(payload=True) == net.graph.text(payload=True)
    assert twin(net).sha256 == net.sha256
    again = twin(run.program)
    assert bytes(again.loadable) == bytes(run.program.loadable)
    assert again.estimate == run.program.estimate
    back = twin(run)
    assert back.record == run.record and back.commands == run.commands
    np.testing.assert_array_equal(back.outputs["c"], run.outputs["c"])
    assert presil.run(back.program, seed=4).cycles == run.cycles


def test_a_pickled_program_can_be_saved_and_read(run: presil.Run, tmp_path: Path) -> None:
    program = pickle.loads(pickle.dumps(run.program))
    program.save(tmp_path / "net.presil")
    assert presil.open_loadable(tmp_path / "net.presil").soc.config["sram.bytes"] == 65536


def cycles_of(program: presil.Program, seed: int) -> presil.Run:
    return presil.run(program, seed=seed)


def refused(program: presil.Program) -> None:
    presil.run(program, "x")


@pytest.mark.parametrize("method", ["spawn", "fork"])
def test_other_processes_run_programs_and_hand_runs_back(run: presil.Run, method: str) -> None:
    with multiprocessing.get_context(method).Pool(1) as pool:
        runs = pool.starmap(cycles_of, [(run.program, 4), (run.program, 5)])
        with pytest.raises(presil.Refusal, match="input: 'x' got 'x', expected an array"):
            pool.apply(refused, (run.program,))
    np.testing.assert_array_equal(runs[0].outputs["c"], run.outputs["c"])
    assert [r.cycles for r in runs] == [run.cycles] * 2
    assert runs[0].record["outputs"] != runs[1].record["outputs"]


@pytest.mark.parametrize("kind", [presil.Diverged, presil.PassBroken])
def test_errors_with_a_detail_keep_it(kind: type[Exception]) -> None:
    back = pickle.loads(pickle.dumps(kind("they differ", {"stage": "post"})))
    assert str(back) == "they differ" and back.detail == {"stage": "post"}
    for other in (presil.Refusal, presil.HardwareError, presil.SimulatorDied):
        assert str(pickle.loads(pickle.dumps(other("soc: no")))) == "soc: no"


def test_a_repr_is_a_few_lines(run: presil.Run) -> None:
    lines = repr(run).splitlines()
    assert 1 < len(lines) <= 6 and max(map(len, lines)) <= 200
    assert lines[0].startswith("Run of small on micro") and "EXACT, 0 of " in lines[0]
    assert f"{run.cycles:,} cycles a sample" in lines[1]
    assert "c " in lines[2] and "(dla, " in lines[2] and "c int8[1, 6, 6, 16]" in lines[3]
    (program,) = repr(run.program).splitlines()
    assert program.startswith("Program small for micro") and "1 on dla" in program
    (net,) = repr(run.program.network).splitlines()
    assert "1 operators, 0.08 MMAC" in net and "x int8[1, 8, 8, 16] -> c int8" in net
    (soc,) = repr(run.program.soc).splitlines()
    assert soc.startswith("Soc micro") and "400 MHz" in soc and "SRAM 64 KiB" in soc
    assert len(repr(run.program.network.graph)) < 100


def test_the_repr_of_a_large_run_fits_a_screen(run: presil.Run) -> None:
    record = copy.deepcopy(run.record)
    record["layers"] *= 200
    record["outputs"] *= 30
    big = presil.Run(record, run.arrays, run.names, run.program, run.commands)
    assert len(repr(big).splitlines()) <= 6 and "and 26 more" in repr(big)


def test_kernels_of_a_file_go_along_with_their_references(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("def twice(x, op=None):\n    return 2 * x, op\n")
    (tmp_path / "k.yaml").write_text(
        "- {elf: mine.elf, kernel: twice, custom: Twice, when: 'x.shape[0] == 1',"
        " reference: 'mine.py:twice'}\n"
    )
    (kernel,) = presil.read_kernels(tmp_path / "k.yaml")
    back = pickle.loads(pickle.dumps(kernel))
    assert back.reference(3, op=4) == kernel.reference(3, op=4) == (6, 4)
    assert (back.label, back.when, len(back._when)) == (kernel.label, kernel.when, 1)
    assert "op" in inspect.signature(back.reference).parameters
