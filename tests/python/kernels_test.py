"""Kernels of the user, from registration to values: those of presil's library, whose ELF file is
there without a compiler, stand for the user's."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import numpy as np
import presil as api
import pytest

ROOT = Path(__file__).resolve().parents[2]
ELF = ROOT / "driver" / "kernels" / "dsp" / "prebuilt" / "integers.elf"
SCHEMA = ROOT / "compiler_bridge" / "import" / "tflite" / "tflite.fbs"
WIDER = "y.shape == x.shape[:2] + [2 * x.shape[2], x.shape[3]]"
RESIZE = [
    "uint32 align = op.align_corners",
    "uint32 half = op.half_pixel_centers",
    "int32 no = 0",
    "int32 part[4] = [0, 0, 0, 0]",
]
OWN = "kernel resize_nearest of integers.elf"
TABLE = np.random.default_rng(3).integers(-128, 128, 256).astype(np.int8)


def look_up(x: np.ndarray, table: np.ndarray) -> np.ndarray:
    return table[x.view(np.uint8)]


def resize(**more: object) -> api.Kernel:
    given = {"when": ["x.dtype == 'int8'", WIDER], "params": RESIZE, "rule": "columns times 2"}
    named = {"elf": ELF, "kernel": "resize_nearest", "op": "resize_nearest", "prefer": True}
    return api.Kernel(**{**named, **given, **more})


def lookup(**more: object) -> api.Kernel:
    given = {"params": ["uint32 no = 0"], "rows": 1, "reference": look_up, "cycles": "y.elements"}
    return api.Kernel(ELF, "table_i8", custom="Lookup", **{**given, **more})


def image(height: int = 9, width: int = 10, channels: int = 20, columns: int = 2) -> api.Network:
    b = api.Builder("wide")
    x = b.input("x", (1, height, width, channels), scale=0.5, zero_point=-1)
    b.output(b.resize_nearest(x, (height, columns * width), name="wider"))
    return b.build()


def table(after: bool = True) -> api.Network:
    """Lookup, which presil does not know, and after it a convolution."""
    b = api.Builder("table")
    x = b.input("x", (1, 6, 7, 16), scale=0.5)
    entries = b.constant(TABLE, name="entries")
    y = b.custom("Lookup", [x, entries], [(0.25, 3)], options={"size": 256}, name="found")
    if after:
        w = np.ones((8, 1, 1, 16), np.int8)
        y = b.conv2d(y, w, weights_scale=0.02, out=(0.5, 0), name="after")
    b.output(y)
    return b.build()


def sample(net: api.Network) -> list[np.ndarray]:
    shape = net.inputs[0]["shape"]
    return [np.random.default_rng(1).integers(-128, 128, shape).astype(np.int8)]


def run(net: api.Network, *kernels: api.Kernel, check: str = "layers") -> api.Run:
    return api.run(api.compile(net, kernels=kernels), sample(net), check)


def test_an_operator_of_presil_runs_by_a_kernel_of_the_user() -> None:
    net = image()
    program = api.compile(net, kernels=[resize()])
    (placed,) = program.placement
    assert placed["engine"] == "dsp"
    assert placed["reason"] == "kernel resize_nearest of integers.elf (columns times 2)"
    assert not program.check_memory()["wrong"]
    assert api.assemble(program.stream_text(), program).loadable == bytes(program.loadable)
    ran = api.run(program, sample(net), "layers")
    assert ran.exact and ran.record["check"]["compared_bytes"] > 0
    assert ran.record["check"]["unchecked"] == []
    assert [layer["engine"] for layer in ran.layers] == ["dsp"]


def test_what_it_does_not_take_goes_elsewhere_with_the_condition() -> None:
    program = api.compile(image(columns=3), kernels=[resize()])
    (placed,) = program.placement
    assert not placed["reason"].startswith(OWN)
    assert placed["reason"].endswith(
        "; dsp: kernel resize_nearest of integers.elf requires columns times 2; "
        "y.shape == x.shape[:2] + [2 * x.shape[2], x.shape[3]] does not hold, "
        "for they are [1, 9, 30, 20] and [1, 9, 20, 20]"
    )


def test_declared_outputs_are_a_condition() -> None:
    narrow = resize(when=(), outputs=["int8 x.shape"])
    (placed,) = api.compile(image(), kernels=[narrow]).placement
    said = "its results are int8[1, 9, 20, 20], the kernel's outputs int8[1, 9, 10, 20]"
    assert said in placed["reason"]
    twice = resize(when=(), outputs=["x.dtype [1, x.shape[1], 2 * x.shape[2], 20]"])
    (placed,) = api.compile(image(), kernels=[narrow, twice]).placement
    assert placed["reason"].startswith(OWN)
    by_function = resize(when=lambda op: "" if op.x.rank == 4 else "rank", outputs=lambda op: [
        ("int8", (1, 9, 2 * op.x.shape[2], 20))])  # fmt: skip
    assert run(image(), by_function).exact


def test_a_custom_operator_is_checked_by_its_reference() -> None:
    net = table()
    seen = []

    def reference(x: np.ndarray, entries: np.ndarray, op: object) -> np.ndarray:
        seen.append(op.options["size"])  # type: ignore[attr-defined]
        return look_up(x, entries)

    ran = run(net, lookup(reference=reference))
    assert ran.exact and seen == [256]
    assert ran.record["check"]["unchecked"] == []
    assert [layer["op"] for layer in ran.layers if layer["engine"] == "dsp"] == ["Lookup"]
    wrong = run(net, lookup(reference=lambda x, entries: look_up(x, entries) ^ 1))
    assert not wrong.exact and wrong.record["check"]["first"]["tensor"] == "found"


@pytest.mark.parametrize("check", ["outputs", "layers"])
def test_without_a_reference_its_result_is_not_checked_and_feeds_what_follows(
    tmp_path: Path, check: str
) -> None:
    ran = run(table(), lookup(reference=None), check=check)
    assert ran.exact and ran.record["check"]["compared_bytes"] >= 6 * 7 * 8
    (unchecked,) = ran.record["check"]["unchecked"]
    assert unchecked["tensor"] == "found"
    assert unchecked["why"] == (
        "Lookup 'found' has no reference; its result is fed to what follows"
    )
    page = ran.save(tmp_path) / "report.html"
    assert "Exact but for what is not checked" in page.read_text(encoding="utf-8")
    alone = run(table(after=False), lookup(reference=None), check=check)
    assert alone.record["check"]["compared_bytes"] == 0
    assert [u["tensor"] for u in alone.record["check"]["unchecked"]] == ["found"]


def test_the_reference_interpreter_requires_references() -> None:
    net = table()
    with pytest.raises(api.Refusal, match="custom operator Lookup 'found' has no reference; give"):
        api.reference(net, sample(net))
    net.kernels = (lookup(),)
    assert api.reference(net, sample(net))["after"].shape == (1, 6, 7, 8)
    assert api.compile(net, verify_passes=True).placement[0]["engine"] == "dsp"


def test_after_a_result_that_is_not_kept_nothing_is_checked() -> None:
    from presil.custom import Customs

    graph = table().graph
    found, after = (op["output_ids"][0] for op in graph.ops)
    customs = Customs(graph, [])
    assert list(customs.unchecked({found: TABLE})) == [found]
    lost = customs.unchecked({})
    said = "after Lookup 'found', which has no reference and whose result is not kept"
    assert lost == {found: said, after: said}
    assert Customs(graph, [lookup()]).unchecked({}) == {}


def test_a_loadable_takes_references_when_it_runs(tmp_path: Path) -> None:
    program = api.compile(table(), kernels=[lookup()])
    program.save(tmp_path / "net.presil")
    for kernels, unchecked in (((), 1), ((lookup(),), 0)):
        opened = api.open_loadable(tmp_path / "net.presil", api.load_soc("edge"), kernels)
        ran = api.run(opened, sample(table()), "layers")
        assert ran.exact and len(ran.record["check"]["unchecked"]) == unchecked


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"elf": "none.elf"}, "there is no file 'none.elf'; driver/kernels/dsp/build.py makes it"),
        ({"kernel": "resize"}, "the file has no such kernel, it has "),
        ({"op": "resize_nearst"}, "op is 'resize_nearst', which is no operator of presil"),
        ({"op": ""}, "requires op, an operator of presil, or custom, the name of another"),
        ({"rows": -2}, "rows is -2, expected an axis counted from 0"),
        ({"prefer": 1}, "prefer is 1, expected true or false"),
        ({"cycles": "2 *"}, "no expression such as 2"),
        ({"cycles": -1}, "cycles is -1, expected a number from 0 up to 2"),
        ({"cycles": "y.shape"}, r"cycles is \[1, 9, 20, 20\], expected a number"),
        ({"when": "z.rank"}, "when 'z.rank' of resize_nearest 'wider': there is no 'z'"),
        ({"when": [3]}, "when has 3, expected a text"),
        ({"params": ["x.scale"]}, "params 'x.scale', expected TYPE NAME = EXPRESSION"),
        ({"params": ["double s = x.scale"]}, "expected TYPE NAME = EXPRESSION, as int32 zero"),
        ({"params": ["int8 n = 200"]}, "params n is 200, expected int8"),
        ({"params": ["int8 n = x.scale"]}, "params n is 0.5, expected int8"),
        ({"params": ["int8 n[2] = x.shape"]}, r"params n is \[1, 9, 10, 20\], expected 2 values"),
        ({"params": ["int8 n = op.act"]}, "params 'op.act' of resize_nearest 'wider': op has no"),
        (
            {"outputs": ["int8"]},
            r"outputs 'int8', expected TYPE SHAPE, as int8 \[1, x.shape\[1\]\]",
        ),
        (
            {"outputs": ["int8 [0]"]},
            r"outputs of .* make int8 .*, expected a type and a list of",
        ),
    ],
)
def test_bad_registrations_are_refused(more: dict[str, object], said: str) -> None:
    given = {"elf": ELF, "kernel": "resize_nearest", "op": "resize_nearest", "prefer": True}
    with pytest.raises(api.Refusal, match=said):
        api.compile(image(), kernels=[api.Kernel(**{**given, **more})])


@pytest.mark.parametrize(
    ("reference", "said"),
    [
        (lambda x, t: x.astype(np.int32), r"makes result 0 int32 \[1, 6, 7, 16\], the network has"),
        (lambda x, t: [x, x], "its reference makes 2 results, the network has 1"),
    ],
)
def test_a_reference_of_another_type_is_refused(reference: object, said: str) -> None:
    with pytest.raises(api.Refusal, match=said):
        run(table(), lookup(reference=reference))


def test_params_lie_as_in_c() -> None:
    fields = ["int8 a = 1", "int16 b[2] = [2, -3]", "int64 c = 4", "float32 d = x.scale"]
    kernel = resize(params=fields)
    from presil.kernels import Op

    data = kernel.packed(Op(image().graph.ops[0]))
    assert data == bytes([1, 0, 2, 0, 0xFD, 0xFF, 0, 0, 4] + [0] * 7 + [0, 0, 0, 0x3F] + [0] * 4)


def test_options_that_are_no_json_are_refused() -> None:
    from presil.kernels import Op

    about = {**table().graph.ops[0], "attributes": {"code": "Lookup", "options": "{size"}}
    with pytest.raises(api.Refusal, match="kernels: the options of Lookup are no JSON: {size"):
        Op(about)


def test_a_kernel_that_refuses_is_named() -> None:
    with pytest.raises(api.HardwareError) as failed:
        run(image(), resize(params=()))
    text = str(failed.value)
    assert "layer wider" in text and "it refuses its work with code 3" in text, text


def damaged(tmp_path: Path, change: object) -> Path:
    elf = bytearray(ELF.read_bytes())
    change(elf)  # type: ignore[operator]
    file = tmp_path / "mine.elf"
    file.write_bytes(elf)
    return file


def with_bytes(at: int, value: bytes) -> object:
    return lambda elf: elf.__setitem__(slice(at, at + len(value)), value)


def replaced(before: bytes, after: bytes) -> object:
    return lambda elf: elf.__setitem__(slice(None), elf.replace(before, after))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            with_bytes(0, b"no"),
            "'mine.elf' is no ELF file; build it with driver/kernels/dsp/build.py",
        ),
        (with_bytes(18, b"\x3e\x00"), "'mine.elf' is for another machine than RISC-V"),
        (with_bytes(16, b"\x01\x00"), "'mine.elf' is not linked to fixed addresses"),
        (replaced(b"_zba1p0", b"_zbc1p0"), "set of extensions is zbc, which the DSP does not have"),
    ],
)
def test_files_that_the_dsp_cannot_run_are_refused(
    tmp_path: Path, change: object, said: str
) -> None:
    with pytest.raises(api.Refusal, match=said):
        api.compile(image(), kernels=[resize(elf=damaged(tmp_path, change))])


def test_a_program_larger_than_its_memory_is_refused() -> None:
    soc = api.load_soc("edge", ["dsp.itcm_bytes=8192"])
    with pytest.raises(api.Refusal, match="program is .* must be at most 8192"):
        api.compile(image(), soc, kernels=[resize()])


# ---- The command line, with a file that the importer has not seen --------------------------------


def magic(tmp_path: Path, result: str = "[1, 4, 6]") -> Path:
    """A TFLite file whose one operator is CUSTOM:Magic."""
    if shutil.which("flatc") is None:
        pytest.skip("SKIPPED: no flatc here, which makes the TFLite file")
    q = '{"scale": [0.5], "zero_point": [3]}'
    text = f"""{{
      "version": 3, "buffers": [{{}}],
      "operator_codes": [{{"short_code": 32, "code": 32, "custom_code": "Magic", "version": 1}}],
      "subgraphs": [{{
        "tensors": [
          {{"shape": [1, 4, 6], "type": "Int8", "name": "x", "quantization": {q}}},
          {{"shape": {result}, "type": "Int8", "name": "y", "quantization": {q}}}
        ],
        "inputs": [0], "outputs": [1],
        "operators": [{{"opcode_index": 0, "inputs": [0], "outputs": [1]}}]
      }}]
    }}"""
    (tmp_path / "magic.json").write_text(text, encoding="utf-8")
    command = ["flatc", "-b", "-o", tmp_path, SCHEMA, tmp_path / "magic.json"]
    subprocess.run(command, check=True)
    made = next(file for file in tmp_path.glob("magic.*") if file.suffix != ".json")
    return made.rename(tmp_path / "magic.tflite")


def kernels_file(tmp_path: Path, **more: object) -> Path:
    """Magic by the library's transpose."""
    (tmp_path / "magic.py").write_text(
        "def turned(x):\n    return x.transpose(0, 2, 1).copy()\n", encoding="utf-8"
    )
    entry = {
        "elf": str(ELF),
        "kernel": "transpose",
        "custom": "Magic",
        "when": "x.rank == 3",
        "outputs": ["int8 [1, x.shape[2], x.shape[1]]"],
        "params": ["uint32 perm[6] = [0, 2, 1, 0, 0, 0]"],
        "rule": "turns rows and columns",
        "reference": "magic.py:turned",
        **more,
    }
    file = tmp_path / "kernels.yaml"
    kept = {key: value for key, value in entry.items() if value is not None}
    file.write_text(json.dumps([kept]), encoding="utf-8")  # JSON is YAML
    return file


def test_a_custom_operator_of_a_file_runs_from_the_command_line(presil, tmp_path: Path) -> None:
    net = magic(tmp_path, "[]")  # the file leaves the shape open
    kernels = kernels_file(tmp_path)
    ended = presil("run", net, "--kernels", kernels, "--check", "layers", "--out", "out")
    assert ended.code == 0, ended.err
    assert "EXACT" in ended.out and "NOT CHECKED" not in ended.out
    assert np.load(tmp_path / "out" / "outputs" / "out0.npy").shape == (1, 6, 4)
    record = json.loads((tmp_path / "out" / "run.json").read_text(encoding="utf-8"))
    assert record["placement"][0]["op"] == "Magic"
    assert record["check"]["unchecked"] == []
    ended = presil("inspect", net, "--kernels", kernels, "--section", "placement")
    assert ended.code == 0, ended.err
    said = "Magic 'y' runs on the dsp: kernel transpose of integers.elf (turns rows and columns)."
    assert said in ended.out
    ended = presil("ops", "--kernels", kernels)
    assert "kernel transpose of integers.elf: turns rows and columns" in " ".join(ended.out.split())
    assert presil("compile", net, "--kernels", kernels, "-o", "net.presil", "--quiet").code == 0
    ended = presil("run", "net.presil", "--check", "layers")
    assert ended.code == 0 and "NOT CHECKED" in ended.out, ended.err
    assert "Magic 'y' has no reference" in ended.out


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"custom": "Magick"}, 'CUSTOM:Magic "y": this operator cannot be imported'),
        ({"when": "x.rank == 4"}, "custom operator Magic 'y' is taken by no kernel: kernel "),
        ({"outputs": ["int8 [1, 5]"]}, "its kernel is registered to make it [1,5]"),
        ({"outputs": ["int16 [1, 6, 4]"]}, "the kernel's outputs int16[1, 6, 4]"),
        ({"elf": "none.elf"}, "none.elf'; driver/kernels/dsp/build.py makes it"),
        ({"kernel": None}, "lacks 'kernel'"),
        ({"krnel": "x"}, "has an unknown key 'krnel', expected elf, kernel, op"),
        ({"reference": "magic.py"}, "reference is 'magic.py', expected FILE.py:FUNCTION"),
        ({"reference": "none.py:turned"}, "none.py' with its reference"),
        ({"reference": "magic.py:turn"}, "has no function 'turn'"),
        ({"reference": "kernels.yaml:turn"}, "with its reference"),
    ],
)
def test_bad_files_end_with_one_paragraph(
    presil, tmp_path: Path, more: dict[str, object], said: str
) -> None:
    if more.get("reference") == "kernels.yaml:turn":
        more = {"reference": "gone.py:turn"}
    ended = presil("run", magic(tmp_path, "[1, 6, 4]"), "--kernels", kernels_file(tmp_path, **more))
    assert ended.code == 2, ended.out + ended.err
    assert said in ended.err and ended.err.count("\n") == 1, ended.err


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "holds no list of kernels; driver/kernels/dsp/README.md shows one"),
        ("- 3", "entry 0 of 'k.yaml' is 3, expected keys and values"),
        ("- {", "'k.yaml' is no YAML: "),
        (b"\xff\xfe\x00", "'k.yaml' is not text"),
        (None, "kernels: there is no file 'k.yaml'; driver/kernels/dsp/README.md shows one"),
    ],
)
def test_a_file_that_is_no_list_of_kernels_is_refused(
    presil, tmp_path: Path, text: str | bytes | None, said: str
) -> None:
    if text is not None:
        (tmp_path / "k.yaml").write_bytes(text if isinstance(text, bytes) else text.encode())
    ended = presil("ops", "--kernels", "k.yaml")
    assert ended.code == 2 and said in ended.err, ended.err


def test_a_reference_file_that_fails_is_named(presil, tmp_path: Path) -> None:
    kernels = kernels_file(tmp_path, reference="broken.py:f")
    (tmp_path / "broken.py").write_text("1 / 0\n", encoding="utf-8")
    ended = presil("ops", "--kernels", kernels)
    assert ended.code == 2 and "broken.py' fails: ZeroDivisionError" in ended.err, ended.err


def test_a_soc_without_dsp_says_how_to_get_one(presil, tmp_path: Path) -> None:
    net, kernels = magic(tmp_path, "[1, 6, 4]"), kernels_file(tmp_path)
    ended = presil("run", net, "--kernels", kernels, "--soc", "micro")
    assert ended.code == 2
    assert "SoC 'micro' has no DSP to run it (dsp.units is 0); choose a SoC with one" in ended.err
    ended = presil("run", net, "--kernels", kernels, "--soc", "micro", "--set", "dsp.units=1")
    assert ended.code == 0, ended.err


def test_a_custom_operator_without_kernel_is_refused() -> None:
    with pytest.raises(api.Refusal, match="custom operator Lookup 'found' has no kernel; register"):
        api.compile(table())
    b = api.Builder("none")
    with pytest.raises(
        api.Refusal, match="custom 'Lookup' requires a tensor that this builder made"
    ):
        b.custom("Lookup", [TABLE])


def test_a_custom_operator_of_uint8_sees_int8() -> None:
    b = api.Builder("bytes")
    x = b.input("x", (1, 4, 4, 16), "uint8", scale=0.5, zero_point=130)
    signed = b.quantize(x, out=api.Type("int8", 0.5, 2))
    y = b.custom("Lookup", [signed, b.constant(TABLE, name="entries")], [(0.5, 2)], name="found")
    b.output(b.quantize(y, out=api.Type("uint8", 0.5, 130)))
    net = b.build()
    program = api.compile(net, kernels=[lookup()])
    assert [p["engine"] for p in program.placement] == ["dma", "dsp", "dma"]
    values = np.arange(256, dtype=np.uint8).reshape(1, 4, 4, 16)
    ran = api.run(program, [values], "layers")
    assert ran.exact
    np.testing.assert_array_equal(
        ran.arrays[0].reshape(-1), (TABLE.view(np.uint8) ^ 0x80)[(values ^ 0x80).reshape(-1)]
    )
