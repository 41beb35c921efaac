"""The package as a notebook uses it: the lines of the README, on arrays."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import presil
import pytest
from presil import paths
from presil.run import split_samples


def test_load_compile_run_and_reference_agree(digits: Path, tmp_path: Path) -> None:
    net = presil.load(digits)
    prog = presil.compile(net, soc="edge")
    x = np.random.default_rng(3).integers(-128, 128, (1, 96, 96, 3)).astype(np.int8)
    run = presil.run(prog, {"input": x}, check="layers")
    expected = presil.reference(net, {"input": x})
    assert set(run.outputs) == {t["name"] for t in net.outputs} == set(expected)
    for name, array in expected.items():
        np.testing.assert_array_equal(run.outputs[name], array)
    assert run.exact and run.cycles > 100_000
    assert {layer["engine"] for layer in run.layers} == {"dla", "none"}
    assert prog.placement[0]["engine"] == "dla" and "conv" in prog.stream_text()
    prog.save(tmp_path / "digits.presil")
    again = presil.run(presil.open_loadable(tmp_path / "digits.presil", presil.load_soc()), [x])
    assert again.cycles == run.cycles
    assert (run.save(tmp_path / "run") / "outputs" / "out1.npy").is_file()


def test_a_network_runs_without_being_compiled_by_hand(digits: Path) -> None:
    run = presil.run(presil.load(digits, "xnnpack"), [np.zeros((2, 96, 96, 3), np.int8)])
    assert run.exact and run.record["samples"] == 2
    assert run.record["numerics"] == "xnnpack"


def test_refusals_are_exceptions_that_say_what_is_expected(digits: Path) -> None:
    net = presil.load(digits)
    with pytest.raises(presil.Refusal, match=r"expected \[1, 96, 96, 3\]"):
        presil.run(net, [np.zeros((1, 96, 95, 3), np.int8)])
    with pytest.raises(presil.Refusal, match="int8"):
        presil.run(net, [np.zeros((1, 96, 96, 3), np.float32)])
    with pytest.raises(presil.Refusal, match="expected"):
        presil.run(net, {"photograph": np.zeros((1, 96, 96, 3), np.int8)})
    x = np.zeros((1, 96, 96, 3), np.int8)
    with pytest.raises(presil.Refusal, match="run: check is 'some', expected one of none, outputs"):
        presil.run(net, [x], check="some")
    with pytest.raises(presil.Refusal, match="input: got 2 arrays, expected 1"):
        presil.run(net, [x, x])
    with pytest.raises(presil.Refusal, match="input: got 2 arrays, expected 1"):
        paths.native().reference(net.graph, [x, x])
    with pytest.raises(presil.Refusal, match="or a multiple of its first axis for several samples"):
        presil.run(net, [np.zeros((0, 96, 96, 3), np.int8)])
    with pytest.raises(
        presil.Refusal, match="import: numerics is 'tvm', expected one of tflite, xn"
    ):
        presil.load(digits, "tvm")


def test_numerics_that_an_operator_lacks_are_refused_and_change_nothing() -> None:
    graph = paths.native().parse_graph("""graph "g" tflite {
      input %x : int16[1,4] q(0.1, 0)
      %y = squared_difference(%x, %x) : int16[1,4] q(0.2, 0)
      output %y
    }""")
    with pytest.raises(presil.Refusal, match="under tflite numerics only; use --numerics tflite"):
        graph.numerics = "xnnpack"
    with pytest.raises(presil.Refusal, match="got 'float', expected tflite, xnnpack, tosa or onnx"):
        graph.numerics = "float"
    assert graph.numerics == "tflite"


def test_inputs_of_different_lengths_are_refused() -> None:
    tensors = [{"name": name, "shape": [1, 2], "dtype": "int8"} for name in ("a", "b")]
    arrays = [np.zeros((3, 2), np.int8), np.zeros((4, 2), np.int8)]
    expected = r"input: the inputs hold different numbers of samples, \[3, 4\]"
    with pytest.raises(presil.Refusal, match=expected):
        split_samples(tensors, arrays)


def test_what_is_not_built_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paths, "SIMULATOR", Path("nowhere/presil-sim"))
    expected = "presil: there is no simulator at 'nowhere/presil-sim'; .*(builds|install)"
    with pytest.raises(presil.Refusal, match=expected):
        paths.simulator()


def test_a_dying_simulator_is_an_exception(digits: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from presil import simulation

    monkeypatch.setattr(simulation.paths, "simulator", lambda **_: Path("/bin/false"))
    with pytest.raises(presil.SimulatorDied, match="ended with code 1"):
        presil.run(presil.load(digits), [np.zeros((1, 96, 96, 3), np.int8)])


def test_a_run_repeats_itself_but_for_the_simulator(digits: Path) -> None:
    net = presil.load(digits, post=digits.parent / "post.yaml")
    x = np.random.default_rng(7).integers(-128, 128, (2, 96, 96, 3)).astype(np.int8)
    records = [presil.run(presil.compile(net), [x], "layers").record for _ in range(2)]
    for record in records:
        del record["simulator"]
    assert json.dumps(records[0]) == json.dumps(records[1])


def test_busy_stalls_and_idle_sum_to_the_cycles(digits: Path) -> None:
    net = presil.load(digits, post=digits.parent / "post.yaml")
    x = np.zeros((2, 96, 96, 3), np.int8)
    record = presil.run(presil.compile(net), [x]).record
    engines = record["engines"]
    parts = [*engines.values(), *engines["dma"]["channels"]]
    for engine in parts:
        total = engine["busy"] + sum(engine["stall"].values()) + engine["idle"]
        assert total == record["cycles"], engine
        assert min([engine["busy"], engine["idle"], *engine["stall"].values()]) >= 0
    assert engines["dla"]["busy"] > 0 and engines["dsp"]["busy"] > 0
    assert record["cycles"] == sum(s["cycles"] for s in record["per_sample"])
