"""Bad input ends with exit code 2 and one clear paragraph that names what was got and expected."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest


def refused(ended, *words: str) -> None:  # noqa: ANN001
    assert ended.code == 2, ended.err
    assert "Traceback" not in ended.err
    text = ended.err.strip()
    assert text.startswith("presil: ") and len(text.splitlines()) == 1, text
    for word in words:
        assert word in text, text
    assert not ended.out


@pytest.fixture(scope="module")
def loadable(digits: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    from conftest import presil

    file = tmp_path_factory.mktemp("loadable") / "digits.presil"
    assert presil("compile", digits, "-o", file, "--quiet").code == 0
    return file


def test_an_unknown_option_is_refused(presil, digits: Path) -> None:
    refused(presil("run", digits, "--frobnicate"), "--frobnicate", "--help")


def test_an_unknown_verb_is_refused(presil) -> None:
    refused(presil("frobnicate"), "frobnicate", "--help")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (
            ("nowhere.tflite",),
            "import: there is no file 'nowhere.tflite'; give a .tflite or .onnx file",
        ),
        (("nowhere.presil",), "loadable: there is no file 'nowhere.presil'"),
        (
            ("net.onnx",),
            "import: net: this is no ONNX file, or it is damaged; give a .tflite or an",
        ),
        (("{}", "--post", "nowhere"), "post: there is no file 'nowhere'; sim/nets/README.md has"),
        (("{}", "--post", "noise"), "start byte); sim/nets/README.md has its form"),
        (("{}", "--labels", "noise"), "start byte); expected a class a line"),
        (("{}", "--soc", "nowhere"), "soc: there is no preset and no file 'nowhere'; presets are"),
        (("{}", "--soc", "noise"), "start byte); expected YAML as in sim/socs/edge.yaml"),
        (("{}", "--seed", "-1"), "-1 is not in the range x>=0"),
        (("{}", "--set", "dla.macs_k=\udcff"), "'dla.macs_k=\\udcff' is not printable text"),
        (("{}", "--out", "a\nb"), "'a\\nb' is not printable text in UTF-8; rename it"),
    ],
)
def test_files_that_are_none_are_refused(
    presil, digits: Path, tmp_path: Path, arguments: tuple[str, ...], expected: str
) -> None:
    (tmp_path / "net.onnx").write_bytes(b"\x08\x07")
    (tmp_path / "noise").write_bytes(bytes(range(256)))
    refused(presil("run", *(a.format(digits) for a in arguments)), expected)


def test_the_demo_names_the_scenes_that_there_are(presil) -> None:
    refused(presil("demo", "--scene", "99"), "demo: scene is 99, must be 0..31")


def test_a_name_in_a_network_that_is_no_text_is_shown_as_far_as_it_is(
    presil, digits: Path, tmp_path: Path
) -> None:
    file = tmp_path / "named.tflite"
    file.write_bytes(digits.read_bytes().replace(b"conv2d_5", b"\xffonv\x1bd_5"))
    ended = presil("inspect", file)
    assert ended.code == 0 and "?onv?d_5" in ended.out, ended.err


@pytest.mark.parametrize("length", [0, 1, 7, 100, 5000])
def test_a_truncated_network_is_refused(presil, digits: Path, tmp_path: Path, length: int) -> None:
    file = tmp_path / "cut.tflite"
    file.write_bytes(digits.read_bytes()[:length])
    refused(presil("run", file), "import", "TFLite")


def test_random_bytes_are_refused(presil, tmp_path: Path) -> None:
    file = tmp_path / "random.tflite"
    file.write_bytes(np.random.default_rng(1).bytes(20000))
    refused(presil("run", file), "import", "TFLite")


def test_an_unsupported_operator_is_refused_by_name(presil, shared: Path) -> None:
    file = shared / "models" / "tflm-micro-speech" / "audio_preprocessor_int8.tflite"
    refused(presil("run", file), "CUSTOM:SignalWindow")


def test_an_input_of_the_wrong_size_is_refused(presil, digits: Path, tmp_path: Path) -> None:
    file = tmp_path / "small.npy"
    np.save(file, np.zeros((1, 95, 96, 3), np.int8))
    refused(presil("run", digits, "--input", file), "small.npy", "[1, 96, 96, 3]")
    raw = tmp_path / "small.bin"
    raw.write_bytes(bytes(1000))
    refused(presil("run", digits, "--input", raw), "1000 bytes", "27648")


def test_samples_beyond_the_file_are_refused(presil, digits: Path, tmp_path: Path) -> None:
    file = tmp_path / "two.npy"
    np.save(file, np.zeros((2, 96, 96, 3), np.int8))
    refused(presil("run", digits, "--input", file, "--samples", "1:3"), "2 samples", "1:3")
    refused(presil("run", digits, "--input", file, "--samples", "x"), "--samples", "A:B")


def test_a_loadable_for_another_soc_is_refused(presil, loadable: Path) -> None:
    ended = presil("run", loadable, "--set", "sram.bytes=524288")
    expected = "was compiled for SoC 'edge', this is 'edge' with other parameters: sram.bytes: "
    refused(
        ended, expected + "loadable 1048576, this SoC 524288; compile the network again for this"
    )


@pytest.mark.parametrize("at", [0.0, 0.2, 0.5, 0.8])
def test_a_corrupted_loadable_is_refused(presil, loadable: Path, tmp_path: Path, at: float) -> None:
    data = bytearray(loadable.read_bytes())
    place = int(at * len(data))
    data[place : place + 64] = bytes(b ^ 0x5A for b in data[place : place + 64])
    file = tmp_path / "bad.presil"
    file.write_bytes(data)
    refused(presil("run", file, "--check", "none"), "loadable")


def test_a_truncated_loadable_is_refused(presil, loadable: Path, tmp_path: Path) -> None:
    file = tmp_path / "cut.presil"
    file.write_bytes(loadable.read_bytes()[:-100])
    refused(presil("run", file), "loadable")


def test_unknown_and_illegal_parameters_are_refused(presil, digits: Path) -> None:
    refused(presil("run", digits, "--set", "dla.lanes=3"), "there is no parameter 'dla.lanes' (did")
    refused(presil("run", digits, "--set", "dla.macs_k=24"), "dla.macs_k", "multiple of 16")


def test_a_stripped_loadable_runs_but_refuses_checks(presil, digits: Path, tmp_path: Path) -> None:
    file = tmp_path / "stripped.presil"
    assert presil("compile", digits, "-o", file, "--strip").code == 0
    refused(presil("run", file), "--strip", "--check none")
    assert presil("run", file, "--check", "none").code == 0
