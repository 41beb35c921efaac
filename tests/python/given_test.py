"""What people give the package: networks, inputs and SoCs in every form, and wrong things."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import presil
import pytest
from presil.samples import arrays_of, inputs_of

SHAPE = (1, 2, 2, 3)


@pytest.fixture(scope="module", name="small")
def small_fixture() -> presil.Network:
    """relu of 12 values: runs in no time."""
    return builder().build()


def builder(dtype: str = "int8", inputs: int = 1) -> presil.Builder:
    b = presil.Builder("small")
    scale = {"scale": 0.5} if dtype == "int8" else {}
    given = [b.input(name, SHAPE, dtype, **scale) for name in "xz"[:inputs]]
    b.output(b.relu(given[0]) if inputs == 1 else b.add(*given))
    return b


@pytest.fixture(scope="module", name="x")
def x_fixture() -> np.ndarray:
    return np.arange(-6, 6, dtype=np.int8).reshape(SHAPE)


def test_one_line_runs_a_file(digits: Path) -> None:
    x = np.zeros((1, 96, 96, 3), np.int8)
    by_hand = presil.run(presil.compile(presil.load(digits), soc="micro"), [x])
    for file in (digits, str(digits)):
        run = presil.run(file, x, soc="micro")
        assert run.exact and run.cycles == by_hand.cycles
    assert run.record["soc"]["name"] == "micro"
    wide = presil.run(digits, x, soc="micro", set={"dla.post_lanes": 16}, numerics="xnnpack")
    assert wide.record["soc"]["config"]["dla.post_lanes"] == 16
    assert wide.record["numerics"] == "xnnpack" and wide.cycles < run.cycles


def test_a_loadable_runs_from_its_file_on_its_own_soc(
    small: presil.Network, x: np.ndarray, tmp_path: Path
) -> None:
    program = presil.compile(small, set={"dram": {"setting": "ideal"}})
    program.save(tmp_path / "net.presil")
    run = presil.run(tmp_path / "net.presil", x)
    assert run.cycles == presil.run(program, x).cycles
    assert run.record["soc"]["config"]["dram.setting"] == "ideal"
    with pytest.raises(presil.Refusal, match="was compiled for SoC 'edge', this is 'micro'"):
        presil.run(tmp_path / "net.presil", x, soc="micro")
    with pytest.raises(presil.Refusal, match="set changes parameters of a soc, and a loadable has"):
        presil.run(tmp_path / "net.presil", x, set={"dla.macs_k": 32})


def test_a_builder_is_a_network(x: np.ndarray) -> None:
    run = presil.run(builder(), x)
    np.testing.assert_array_equal(run.outputs["relu"], np.maximum(x, 0))
    np.testing.assert_array_equal(presil.reference(builder(), x)["relu"], np.maximum(x, 0))
    assert presil.compile(builder()).name == "small"


@pytest.mark.parametrize(
    "form",
    [
        lambda x: x,
        lambda x: [x],
        lambda x: (x,),
        lambda x: {"x": x},
        lambda x: {"input": x},
        lambda x: x.tolist(),
        lambda x: [x.tolist()[0]],
        lambda x: memoryview(x),
    ],
    ids=["array", "list", "tuple", "name", "input", "numbers", "numbers of a sample", "buffer"],
)
def test_an_only_input_has_many_forms(
    small: presil.Network, x: np.ndarray, form: Callable[[np.ndarray], Any]
) -> None:
    given = form(x)
    if isinstance(given, memoryview):
        with pytest.raises(presil.Refusal, match="got a memoryview, expected an array of int8"):
            presil.run(small, given)
        return
    run = presil.run(small, given)
    np.testing.assert_array_equal(run.outputs["relu"], np.maximum(x, 0))
    assert run.record["input"]["source"] == "arrays given in Python"


def test_several_inputs_go_by_name_or_in_order(x: np.ndarray) -> None:
    net = builder(inputs=2).build()
    z = x[..., ::-1].copy()
    expected = presil.run(net, {"z": z, "x": x}).outputs["add"]
    for form in ([x, z], (x, z), [x.tolist(), z]):
        np.testing.assert_array_equal(presil.run(net, form).outputs["add"], expected)


def test_several_samples_of_the_reference_are_those_of_the_run(small: presil.Network) -> None:
    x = np.arange(-18, 18, dtype=np.int8).reshape(3, 2, 2, 3)
    for name, array in presil.run(small, x).outputs.items():
        np.testing.assert_array_equal(presil.reference(small, x)[name], array)


@pytest.mark.parametrize("samples", [1, 3])
def test_an_output_without_axes_is_a_vector_of_several_samples(samples: int) -> None:
    b = presil.Builder("scalar", numerics="tflite")
    b.output(b.reduce_max(b.input("x", (1, 4), scale=0.1), axes=(0, 1), name="most"))
    net = b.build()
    x = np.arange(-samples, 3 * samples, dtype=np.int8).reshape(samples, 4)
    expected = np.squeeze(x.max(axis=1)) if samples > 1 else np.int8(x.max())
    for outputs in (presil.reference(net, x), presil.run(net, x).outputs):
        (most,) = outputs.values()
        assert most.shape in ((), (1,)) if samples == 1 else most.shape == (samples,)
        np.testing.assert_array_equal(np.squeeze(most), expected)


def test_without_inputs_data_are_random_and_the_record_says_so(small: presil.Network) -> None:
    runs = [presil.run(small, seed=seed).record["input"] for seed in (0, 0, 5)]
    assert runs[0] == runs[1] and runs[0]["sha256"] != runs[2]["sha256"]
    assert runs[2]["source"] == "seeded random data (seed 5); give inputs for your own"


def test_random_data_are_the_command_lines(presil: Any, digits: Path) -> None:
    import presil as package

    ended = presil("run", digits, "--json", "--seed", "3")
    assert ended.code == 0, ended.err
    sha256 = package.run(digits, seed=3).record["input"]["sha256"]
    assert f'"sha256": "{sha256}"' in ended.out


def test_a_network_of_the_project_goes_by_its_name() -> None:
    run = presil.run("digits")
    assert run.exact and list(run.outputs)[-2:] == ["detections", "count"]
    assert run.record["input"]["source"].endswith("digits/samples/00.png")
    assert int(run.outputs["count"][0]) == 4  # as the demo shows of its scene 0


@pytest.mark.parametrize(
    ("soc", "more"),
    [
        ({"dla.macs_k": 32}, ()),
        ({"name": "edge", "dla": {"macs_k": 32}}, ()),
        ({"name": "edge", "dla.macs_k": np.int64(32)}, ()),
        ("edge", {"dla.macs_k": 32.0}),
        ("edge", {"dla": {"macs_k": "32"}}),
        ("edge", ["dla.macs_k=32"]),
        ({"dla.macs_k": 64}, {"dla.macs_k": 32}),
    ],
)
def test_a_soc_is_a_name_and_parameters_in_any_form(soc: Any, more: Any) -> None:
    loaded = presil.load_soc(soc, more)
    assert (loaded.name, loaded.config["dla.macs_k"]) == ("edge", 32)
    changed = {k for k, v in presil.load_soc().config.items() if loaded.config[k] != v}
    assert changed == {"dla.macs_k"}


def test_a_loaded_soc_can_be_changed_and_stays_as_it_was(
    small: presil.Network, x: np.ndarray
) -> None:
    micro = presil.load_soc("micro")
    text = micro.canonical_text
    program = presil.compile(small, soc=micro, set={"sram.bytes": 131072})
    assert program.soc.config == {**micro.config, "sram.bytes": 131072}
    assert micro.canonical_text == text and presil.load_soc(micro) is micro


X = np.zeros(SHAPE, np.int8)


@pytest.mark.parametrize(
    ("inputs", "said"),
    [
        ([None], "input: 'x' got None, expected an array of int8[1, 2, 2, 3]"),
        (
            "x.npy",
            "input: 'x' got 'x.npy', expected an array of int8[1, 2, 2, 3]; numpy.load reads",
        ),
        (X.astype(np.float32), "float32"),
        (X.astype(object), "input: 'x' holds object, expected an array of int8[1, 2, 2, 3]"),
        (np.array(["a"]), "input: 'x' holds <U1, expected an array of int8"),
        (X.astype(complex), "input: 'x' holds complex128, expected"),
        ([[1, 2], [3]], "input: 'x' is no array (setting an array element with a sequence"),
        ([300] * 12, "input: 'x' holds numbers that int8 has not, expected int8[1, 2, 2, 3]"),
        ([0.5] * 12, "input: 'x' holds numbers that int8 has not"),
        ([X, X], "input: got 2 arrays, expected 1: x"),
        ([], "expected"),
        ({}, "input: got [], expected ['x']"),
        ({"y": X}, "input: got ['y'], expected ['x']"),
        ({3: X}, "input: got ['3'], expected ['x']"),
        (object(), "input: 'x' got an object, expected an array"),
        (np.zeros((1, 2, 3, 2), np.int8), "[1, 2, 2, 3]"),
    ],
)
def test_inputs_that_are_none_are_refused(small: presil.Network, inputs: Any, said: str) -> None:
    for use in (presil.run, presil.reference):
        with pytest.raises(presil.Refusal) as refused:
            use(small, inputs)
        assert said in str(refused.value)
        assert len(str(refused.value).splitlines()) == 1


def test_nan_is_no_input() -> None:
    net = builder("float32").build()
    x = np.zeros(SHAPE, np.float32)
    x[0, 1, 0, 2] = np.nan
    with pytest.raises(
        presil.Refusal, match=r"'x' holds NaN at index \[0, 1, 0, 2\], expected numb"
    ):
        presil.run(net, x)
    x[0, 1, 0, 2] = np.inf
    assert presil.run(net, x).exact


def test_names_of_inputs_are_guessed() -> None:
    tensors = [{"name": name, "dtype": "int8", "shape": [1]} for name in ("image", "mask")]
    with pytest.raises(presil.Refusal, match=r"\(did you mean 'image'\?\)"):
        arrays_of(tensors, {"imag": [1], "mask": [1]})
    with pytest.raises(
        presil.Refusal, match="input: the seed is -1, expected a whole number from 0"
    ):
        inputs_of(tensors, None, -1)


JUNK: list[Any] = [None, 3, -1, 2.5, float("nan"), "x", "", b"x", object(), [], [None], {}, {1: 2}]
JUNK += [["x"], {"x": None}, np.zeros(3), np.array(["a"]), lambda *_: 3, Path("nowhere"), int, True]
CALLS: dict[str, Callable[[Any, presil.Network, presil.Program], Any]] = {
    "load": lambda j, n, p: presil.load(j),
    "load numerics": lambda j, n, p: presil.load("digits", numerics=j),
    "load post": lambda j, n, p: presil.load("digits", post=j),
    "load kernels": lambda j, n, p: presil.load("digits", kernels=j),
    "load_soc": lambda j, n, p: presil.load_soc(j),
    "load_soc overrides": lambda j, n, p: presil.load_soc("edge", j),
    "open_loadable": lambda j, n, p: presil.open_loadable(j),
    "read_loadable": lambda j, n, p: presil.read_loadable(j),
    "read_kernels": lambda j, n, p: presil.read_kernels(j),
    "assemble": lambda j, n, p: presil.assemble(j, p),
    "assemble into": lambda j, n, p: presil.assemble("", j),
    "save": lambda j, n, p: p.save(j) if not isinstance(j, (str, Path)) else None,
    "compile": lambda j, n, p: presil.compile(j),
    "compile soc": lambda j, n, p: presil.compile(n, soc=j),
    "compile set": lambda j, n, p: presil.compile(n, set=j),
    "compile kernels": lambda j, n, p: presil.compile(n, kernels=j),
    "compile dispatch": lambda j, n, p: presil.compile(n, dispatch=j),
    "compile verify": lambda j, n, p: presil.compile(n, verify_passes=j),
    "reference": lambda j, n, p: presil.reference(j),
    "reference inputs": lambda j, n, p: presil.reference(n, j),
    "run": lambda j, n, p: presil.run(j),
    "run inputs": lambda j, n, p: presil.run(p, j),
    "run input": lambda j, n, p: presil.run(p, {"x": j}),
    "run check": lambda j, n, p: presil.run(p, X, check=j),
    "run goldens": lambda j, n, p: presil.run(p, X, goldens=j),
    "run golden": lambda j, n, p: presil.run(p, X, goldens=[j]),
    "run timeout": lambda j, n, p: presil.run(p, X, timeout_ms=j),
    "run progress": lambda j, n, p: presil.run(p, X, progress=None if j is int else j),
    "run blocks": lambda j, n, p: presil.run(p, X, blocks=j),
    "run trace": lambda j, n, p: presil.run(p, X, trace=j),
    "run trace folder": lambda j, n, p: presil.run(p, X, trace=presil.Trace(j)),
    "run rtl_seed": lambda j, n, p: presil.run(p, X, rtl_seed=j),
    "run dsp_trace": lambda j, n, p: presil.run(p, X, dsp_trace=j),
    "run dsp_trace file": lambda j, n, p: presil.run(p, X, dsp_trace=presil.DspTrace(j)),
    "run seed": lambda j, n, p: presil.run(p, seed=j),
    "cosim rtl": lambda j, n, p: presil.cosim(p, X, rtl=j) if j != ["x"] else None,
    "builder": lambda j, n, p: presil.Builder("b", j),
    "builder input": lambda j, n, p: presil.Builder().input("x", j),
    "builder op": lambda j, n, p: presil.Builder().op(j, []),
    "builder output": lambda j, n, p: presil.Builder().output(j),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_wrong_things_are_refused_in_one_paragraph(
    small: presil.Network,
    call: Callable[..., Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whatever is given where: taken or refused, and never an error from inside."""
    monkeypatch.chdir(tmp_path)
    program = presil.compile(small)
    for junk in JUNK:
        try:
            call(junk, small, program)
        except presil.Refusal as refused:
            assert len(str(refused).splitlines()) == 1, junk
        except Exception as error:
            raise AssertionError(f"{junk!r}: {type(error).__name__}: {error}") from error


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (
            lambda n, p: presil.compile(3),
            "import: got 3 for a network, expected a .tflite file, the",
        ),
        (lambda n, p: presil.load(3), "import: got 3, expected the path of a file; give a .tflite"),
        (lambda n, p: presil.load("x.presil"), "there is no file 'x.presil'; give a .tflite"),
        (
            lambda n, p: presil.compile(n, numerics="xnnpack"),
            "import: numerics and post are decided where a network is loaded; give them to",
        ),
        (lambda n, p: presil.run(p, soc="edge"), "soc, set and kernels are decided in a compiled"),
        (
            lambda n, p: presil.run(p, post="p.yaml"),
            "run: numerics and post are decided in a compiled program; give the network instead",
        ),
        (lambda n, p: presil.load_soc("egde"), "file 'egde' (did you mean 'edge'?); presets are "),
        (
            lambda n, p: presil.load_soc("/tmp"),
            "no file '/tmp'; it is a folder; presets are am62a, big",
        ),
        (
            lambda n, p: presil.load_soc(3),
            "soc: got 3, expected the name of a preset, a YAML file or",
        ),
        (
            lambda n, p: presil.load_soc({"dla.mac_k": 1}),
            "soc: there is no parameter 'dla.mac_k' (did you mean 'dla.macs_k'?); sim/socs/edge",
        ),
        (lambda n, p: presil.load_soc({"macs_k": 1}), "'macs_k' (did you mean 'dla.macs_k'?)"),
        (
            lambda n, p: presil.load_soc({3: 1}),
            "soc: a parameter is called 3, expected a name: dla.",
        ),
        (
            lambda n, p: presil.load_soc({"dla.macs_k": None}),
            "soc: dla.macs_k is None, expected a number or a name",
        ),
        (
            lambda n, p: presil.load_soc("edge", "dla.macs_k=3"),
            "soc: overrides are 'dla.macs_k=3', expected parameters such as {'dla.macs_k': 32}, or",
        ),
        (lambda n, p: presil.run(p, check="layer"), "outputs, layers (did you mean 'layers'?)"),
        (
            lambda n, p: presil.run(p, X, goldens=3),
            "golden: got 3, expected a list of arrays, for each output in order",
        ),
        (lambda n, p: presil.run(p, X, trace="w"), "run: trace is 'w', expected a presil.Trace"),
        (
            lambda n, p: presil.run(p, X, progress=3),
            "run: progress is 3, expected a function of two numbers",
        ),
        (
            lambda n, p: presil.run(p, X, blocks=3),
            "block: an entry is 3, expected NAME=KIND, e.g. dla",
        ),
        (
            lambda n, p: presil.compile(n, kernels=3),
            "kernels: got 3, expected a list of presil.Kernel, or a file",
        ),
        (
            lambda n, p: presil.compile(n, kernels=["k"]),
            "kernels: an entry of the list is 'k', expected a presil.Kernel",
        ),
        (
            lambda n, p: presil.cosim(p, X, rtl=3),
            "cosim: rtl is 3, expected names of blocks, as ['dla', 'dma']",
        ),
        (
            lambda n, p: presil.assemble(3, p),
            "assemble: the streams is 3, expected a text, as Program.stream_text gives it",
        ),
        (
            lambda n, p: presil.Builder().op("conv2", []),
            "builder: there is no operator 'conv2' (did you mean 'conv2d'?)",
        ),
    ],
)
def test_refusals_say_what_to_give(
    small: presil.Network, call: Callable[..., Any], said: str
) -> None:
    program = presil.compile(small)
    with pytest.raises(presil.Refusal) as refused:
        call(small, program)
    assert said in str(refused.value)


def test_a_loadable_is_no_network(small: presil.Network, tmp_path: Path) -> None:
    presil.compile(small).save(tmp_path / "net.presil")
    with pytest.raises(presil.Refusal, match="is a network compiled already; presil.open_loadable"):
        presil.load(tmp_path / "net.presil")
