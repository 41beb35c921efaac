"""Files and images become input tensors by the stated rule, or are refused with a reason."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import presil as package
import pytest
from PIL import Image
from presil.fitting import fitted
from presil.inputs import (
    ImageOptions,
    parse_samples,
    quantise,
    random_array,
    read_array,
    read_image,
    read_inputs,
)
from presil.refusal import Refusal


def tensor(shape: list[int], dtype: str = "int8", **extra: Any) -> dict[str, Any]:
    return {"name": "x", "shape": shape, "dtype": dtype, "scales": [], "zero_points": [], **extra}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (None, slice(0, 1)),
        ("3", slice(3, 4)),
        ("2:5", slice(2, 5)),
        (":4", slice(0, 4)),
        ("4:", slice(4, None)),
        (":", slice(0, None)),
    ],
)
def test_samples_are_a_range_or_one(text: str | None, expected: slice) -> None:
    assert parse_samples(text) == expected


@pytest.mark.parametrize("text", ["", "x", "-1", "-1:2", "3:3", "4:3", "1:2:3", "1.5"])
def test_other_samples_are_refused(text: str) -> None:
    if text == "":  # an empty option is the first sample, as none is
        assert parse_samples(text) == slice(0, 1)
        return
    with pytest.raises(Refusal, match="--samples is '.*', expected A:B"):
        parse_samples(text)


def test_raw_files_hold_samples_one_after_another(tmp_path: Path) -> None:
    file = tmp_path / "x.bin"
    values = np.arange(24, dtype="<i2")
    file.write_bytes(values.tobytes())
    got = read_array(file, tensor([1, 2, 3], "int16"), "input")
    assert got.shape == (4, 2, 3) and got.dtype == np.int16
    assert (got.ravel() == values).all()


@pytest.mark.parametrize("count", [0, 11, 13])
def test_raw_files_of_broken_samples_are_refused(tmp_path: Path, count: int) -> None:
    file = tmp_path / "x.bin"
    file.write_bytes(bytes(count))
    with pytest.raises(Refusal, match=f"has {count} bytes, must be a multiple of 12"):
        read_array(file, tensor([1, 2, 3], "int16"), "input")


def test_npy_files_keep_their_samples_on_the_first_axis(tmp_path: Path) -> None:
    file = tmp_path / "x.npy"
    values = np.arange(12, dtype=np.int8).reshape(2, 2, 3)
    np.save(file, values)
    assert (read_array(file, tensor([1, 2, 3], "int8"), "input") == values).all()


def test_npy_files_of_another_type_or_size_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "x.npy"
    np.save(file, np.zeros((1, 2, 3), np.uint8))
    with pytest.raises(Refusal, match="holds uint8, expected int8"):
        read_array(file, tensor([1, 2, 3], "int8"), "input")
    with pytest.raises(Refusal, match=r"has shape \[1, 2, 3\], expected \[1, 2, 2\] for 'x', or a"):
        read_array(file, tensor([1, 2, 2], "uint8"), "input")
    file.write_bytes(b"\x93NUMPY, not really")
    with pytest.raises(Refusal, match="is not a .npy file"):
        read_array(file, tensor([1, 2, 3], "int8"), "golden")
    with pytest.raises(Refusal, match="golden: there is no file"):
        read_array(tmp_path / "nowhere.npy", tensor([1], "int8"), "golden")


NETWORK = tensor([1, 4, 5, 3])
IMAGE = np.arange(60, dtype=np.int8).reshape(1, 4, 5, 3)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (IMAGE, IMAGE),
        (IMAGE[0], IMAGE),  # no batch axis
        (np.concatenate([IMAGE, IMAGE]), np.concatenate([IMAGE, IMAGE])),
        (np.stack([IMAGE, IMAGE]), np.concatenate([IMAGE, IMAGE])),
        (np.asfortranarray(IMAGE), IMAGE),
    ],
)
def test_arrays_are_samples_of_the_tensor_as_they_are(
    tmp_path: Path, given: np.ndarray, expected: np.ndarray
) -> None:
    np.save(tmp_path / "x.npy", given)
    got = read_array(tmp_path / "x.npy", NETWORK, "input")
    assert got.dtype == np.int8 and np.array_equal(got, expected)
    assert np.array_equal(fitted(given, NETWORK, "input", "the array"), expected)


@pytest.mark.parametrize(
    "shape",
    [(1, 3, 4, 5), (3, 4, 5), (60,), (1, 60), (1, 5, 4, 3), (4, 5, 1, 3), (20, 3), (1, 1, 4, 15)]
    + [(1, 1, 1, 4, 5, 3), (0, 4, 5, 3), ()],
)
def test_arrays_of_other_shapes_are_never_reshaped(shape: tuple[int, ...]) -> None:
    """All but the last two hold as many numbers as a sample."""
    with pytest.raises(
        Refusal, match=r"input: the array has shape .*, expected \[1, 4, 5, 3\] for 'x'"
    ):
        fitted(np.zeros(shape, np.int8), NETWORK, "input", "the array")


@pytest.mark.parametrize("shape", [(1, 3, 4, 5), (3, 4, 5), (2, 3, 4, 5)])
def test_another_layout_is_told_and_converted_on_request(shape: tuple[int, ...]) -> None:
    values = np.arange(np.prod(shape)).astype(np.int8).reshape(shape)
    said = "where its axes are N, C, H, W, give --layout nchw, or in Python"
    with pytest.raises(Refusal, match=said):
        fitted(values, NETWORK, "golden", "'x.npy'")
    got = fitted(values, NETWORK, "golden", "'x.npy'", "nchw")
    assert np.array_equal(got, values.reshape(-1, 3, 4, 5).transpose(0, 2, 3, 1))
    assert got.flags.c_contiguous


def test_axes_that_are_not_nchw_are_refused_under_that_layout(tmp_path: Path) -> None:
    said = "--layout nchw says that its axes are N, C, H, W; leave it out where they are not"
    with pytest.raises(Refusal, match=said):
        fitted(IMAGE, NETWORK, "input", "the array", "nchw")
    np.save(tmp_path / "x.npy", np.zeros((1, 7), np.int8))
    said = "--layout nchw turns inputs of four axes, and this network has none"
    with pytest.raises(Refusal, match=said):
        options = ImageOptions(layout="nchw")
        read_inputs([str(tmp_path / "x.npy")], [tensor([1, 7])], slice(0, 1), options, 0)
    with pytest.raises(Refusal, match="input: --layout says how --input files lie, and there are"):
        read_inputs([], [NETWORK], slice(0, 1), ImageOptions(layout="nchw"), 0)
    with pytest.raises(
        Refusal, match="input: --layout is 'nhcw', expected nhwc or nchw: the order"
    ):
        ImageOptions(layout="nhcw")


def test_raw_files_and_images_have_a_layout_on_request(tmp_path: Path) -> None:
    values = np.arange(120, dtype=np.int8).reshape(2, 3, 4, 5)
    (tmp_path / "x.bin").write_bytes(values.tobytes())
    got = read_array(tmp_path / "x.bin", NETWORK, "input", "nchw")
    assert np.array_equal(got, values.transpose(0, 2, 3, 1))
    pixels = np.random.default_rng(1).integers(0, 256, (4, 5, 3)).astype(np.uint8)
    file, target = saved(pixels, tmp_path), tensor([1, 3, 4, 5], "uint8")
    got = read_image(file, target, ImageOptions(layout="nchw"))
    assert got.shape == (1, 3, 4, 5) and np.array_equal(got[0].transpose(1, 2, 0), pixels)
    with pytest.raises(Refusal, match="expected 1, height, width, 1 or 3, with --layout nhwc"):
        read_image(file, target, ImageOptions())
    with pytest.raises(Refusal, match="expected 1, 1 or 3, height, width, with --layout nchw"):
        read_image(file, tensor([1, 4, 5, 3]), ImageOptions(layout="nchw"))


@pytest.mark.parametrize(
    ("given", "expected", "way"),
    [
        ("float32", "int8", "np.clip(np.rint(x / 0.5) - 3, -128, 127).astype('int8')"),
        ("float64", "uint8", "np.clip(np.rint(x / 0.5) - 3, 0, 255).astype('uint8')"),
        ("uint8", "int8", "pixels 0..255 become it by (x.astype('int16') - 128).astype('int8')"),
        ("int64", "int32", "where its values are meant so, convert it: x.astype('int32')"),
        ("float64", "float32", "where its values are meant so, convert it: x.astype('float32')"),
        (">i2", "int16", "where its values are meant so, convert it: x.astype('int16')"),
    ],
)
def test_another_type_is_refused_with_the_way_out(given: str, expected: str, way: str) -> None:
    target = tensor([1, 4, 5, 3], expected, scales=[0.5], zero_points=[-3])
    with pytest.raises(Refusal) as refused:
        fitted(np.zeros((1, 4, 5, 3), given), target, "input", "'x.npy'")
    text = str(refused.value)
    assert text.startswith(f"input: 'x.npy' holds {np.dtype(given)}, expected {expected} for 'x'; ")
    assert text.endswith(way) or way in text


def test_the_way_out_of_floats_is_the_quantisation() -> None:
    """What the refusal says, done: the real values within half a step."""
    target = tensor([1, 4, 5, 3], scales=[0.5], zero_points=[-3])
    x = np.random.default_rng(1).uniform(-60, 60, (1, 4, 5, 3)).astype(np.float32)
    with pytest.raises(Refusal) as refused:
        fitted(x, target, "input", "x")
    way = str(refused.value).partition("scale and zero point: ")[2]
    got = fitted(eval(way), target, "input", "x")  # noqa: S307
    assert np.abs((got.astype(float) + 3) * 0.5 - x).max() <= 0.25


def test_the_command_line_takes_no_scrambled_image(presil, digits: Path, tmp_path: Path) -> None:
    scene = np.random.default_rng(2).integers(-128, 128, (1, 96, 96, 3)).astype(np.int8)
    np.save(tmp_path / "nhwc.npy", scene)
    np.save(tmp_path / "nchw.npy", scene.transpose(0, 3, 1, 2))
    ended = presil("run", digits, "--input", "nchw.npy")
    assert ended.code == 2 and "give --layout nchw" in ended.err, ended.err
    found = []
    for more in (("nhwc.npy",), ("nchw.npy", "--layout", "nchw")):
        ended = presil("run", digits, "--json", "--input", *more)
        assert ended.code == 0, ended.err
        found.append(json.loads(ended.out)["outputs"])
    assert found[0] == found[1]
    expected = np.load(next((tmp_path / "presil-out").glob("*/outputs/out0.npy")))
    np.save(tmp_path / "golden.npy", expected.transpose(0, 3, 1, 2))
    ended = presil("run", digits, "--input", "nhwc.npy", "--golden", "golden.npy")
    assert ended.code == 2 and "golden: 'golden.npy' has shape [1, 30, 12, 12]" in ended.err
    asked = ("run", digits, "--input", "nchw.npy", "--golden", "golden.npy", "--layout", "nchw")
    assert presil(*asked).code == 0


def test_goldens_in_python_are_not_reshaped(digits: Path) -> None:
    x = np.zeros((1, 96, 96, 3), np.int8)
    program = package.compile(package.load(digits))
    golden = package.run(program, [x]).arrays[0]
    assert package.run(program, [x[0]], goldens=[golden[0]]).exact  # both without their batch axis
    for wrong in (golden.ravel(), golden.transpose(0, 3, 1, 2)):
        with pytest.raises(Refusal, match="golden: that of output 0 has shape"):
            package.run(program, [x], goldens=[wrong])
    said = r"the golden is int8\[2, 12, 12, 30\]; expected as many samples"
    with pytest.raises(Refusal, match=said):
        package.run(program, [x], goldens=[np.concatenate([golden, golden])])


def test_a_npy_file_with_pickled_objects_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "x.npy"
    np.save(file, np.array([{}], dtype=object), allow_pickle=True)
    with pytest.raises(Refusal, match="is not a .npy file"):
        read_array(file, tensor([1], "int8"), "input")


def test_without_scale_pixels_span_the_type() -> None:
    pixels = np.array([0, 1, 127, 128, 255], np.uint8).reshape(1, 5, 1)
    none = ImageOptions()
    assert quantise(pixels, tensor([1, 1, 5, 1]), none).ravel().tolist() == [-128, -127, -1, 0, 127]
    assert (quantise(pixels, tensor([1, 1, 5, 1], "uint8"), none) == pixels).all()


def test_with_scale_the_real_value_is_quantised_to_nearest_even() -> None:
    # (pixel - 2) * 0.5 = -1, 0, 0.5, 1.5, 126.5; in steps of 1 around 10: 9, 10, 10, 12, 127 (136)
    pixels = np.array([0, 2, 3, 5, 255], np.uint8).reshape(1, 5, 1)
    target = tensor([1, 1, 5, 1], scales=[1.0], zero_points=[10])
    options = ImageOptions(mean=2.0, scale=0.5)
    assert quantise(pixels, target, options).ravel().tolist() == [9, 10, 10, 12, 127]


def test_floats_take_mean_and_scale() -> None:
    pixels = np.array([0, 255], np.uint8).reshape(1, 2, 1)
    got = quantise(pixels, tensor([1, 1, 2, 1], "float32"), ImageOptions(mean=127.5, scale=2 / 255))
    assert got.dtype == np.float32
    np.testing.assert_allclose(got.ravel(), [-1, 1], rtol=1e-6)


def test_a_image_cannot_become_every_type() -> None:
    with pytest.raises(Refusal, match="an image cannot become int32"):
        quantise(np.zeros((1, 1, 1), np.uint8), tensor([1, 1, 1, 1], "int32"), ImageOptions())


def saved(pixels: np.ndarray, folder: Path) -> Path:
    file = folder / "image.png"
    Image.fromarray(pixels).save(file)
    return file


def test_a_image_of_the_right_size_keeps_its_pixels(tmp_path: Path) -> None:
    pixels = np.random.default_rng(1).integers(0, 256, (4, 5, 3)).astype(np.uint8)
    got = read_image(saved(pixels, tmp_path), tensor([1, 4, 5, 3]), ImageOptions())
    assert got.shape == (1, 4, 5, 3) and got.dtype == np.int8
    assert (got[0].astype(int) + 128 == pixels).all()


def test_bgr_turns_the_channels_round(tmp_path: Path) -> None:
    pixels = np.full((2, 2, 3), (10, 20, 30), np.uint8)
    got = read_image(saved(pixels, tmp_path), tensor([1, 2, 2, 3], "uint8"), ImageOptions(bgr=True))
    assert got[0, 0, 0].tolist() == [30, 20, 10]


def test_letterbox_keeps_proportions_and_fills_the_rest(tmp_path: Path) -> None:
    # 8 x 4 into 6 x 6: ratio 0.75, so 6 x 3, from row (6 - 3) // 2 = 1 on
    pixels = np.full((4, 8, 3), 200, np.uint8)
    got = read_image(
        saved(pixels, tmp_path), tensor([1, 6, 6, 3], "uint8"), ImageOptions(letterbox=114)
    )[0]
    assert (got[1:4] == 200).all()
    assert (got[:1] == 114).all() and (got[4:] == 114).all()


def test_without_letterbox_a_image_is_stretched(tmp_path: Path) -> None:
    pixels = np.full((4, 8, 3), 200, np.uint8)
    got = read_image(saved(pixels, tmp_path), tensor([1, 6, 6, 3], "uint8"), ImageOptions())
    assert (got == 200).all()


def test_a_network_of_one_channel_takes_grey(tmp_path: Path) -> None:
    pixels = np.full((3, 3, 3), (255, 0, 0), np.uint8)
    got = read_image(saved(pixels, tmp_path), tensor([1, 3, 3, 1], "uint8"), ImageOptions())
    assert (got == 76).all()  # ITU-R 601: 255 * 0.299 = 76.2


def test_what_is_no_image_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "x.png"
    file.write_bytes(b"not an image")
    with pytest.raises(Refusal, match="is not an image that can be read"):
        read_image(file, tensor([1, 4, 4, 3]), ImageOptions())
    whole = saved(np.zeros((64, 64, 3), np.uint8), tmp_path).read_bytes()
    file.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(Refusal, match="is not an image that can be read"):
        read_image(file, tensor([1, 4, 4, 3]), ImageOptions())


@pytest.mark.parametrize("shape", [[1, 10], [1, 4, 4, 2]])
def test_inputs_that_are_no_image_are_refused(tmp_path: Path, shape: list[int]) -> None:
    file = saved(np.zeros((4, 4, 3), np.uint8), tmp_path)
    with pytest.raises(Refusal, match="is an image, but input 'x' is"):
        read_image(file, tensor(shape), ImageOptions())


def test_a_mean_without_a_scale_is_not_ignored() -> None:
    pixels = np.array([100, 200], np.uint8).reshape(1, 2, 1)
    target = tensor([1, 1, 2, 1], scales=[1.0], zero_points=[0])
    expected = "--mean without --scale says nothing about a quantised input; give --scale, the real"
    with pytest.raises(Refusal, match=expected):
        quantise(pixels, target, ImageOptions(mean=100.0))


def test_a_scale_for_a_tensor_without_quantisation_is_refused() -> None:
    expected = "--mean and --scale need a quantised input, 'x' has no scale; leave them out"
    with pytest.raises(Refusal, match=expected):
        quantise(np.zeros((1, 1, 1), np.uint8), tensor([1, 1, 1, 1]), ImageOptions(scale=1.0))


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"mean": np.nan}, "--mean is nan, expected a number; 0 leaves pixels as they are"),
        ({"mean": -np.inf}, "--mean is -inf, expected a number"),
        ({"scale": 0.0}, "--scale is 0.0, expected the real value of one pixel step"),
        ({"scale": np.inf}, "--scale is inf, expected the real value"),
        ({"scale": np.nan}, "--scale is nan, expected the real value"),
    ],
)
def test_numbers_that_no_pixel_can_take_are_refused(
    options: dict[str, float], expected: str
) -> None:
    with pytest.raises(Refusal, match=expected):
        ImageOptions(**options)


def test_samples_of_a_network_with_a_batch_follow_on_its_first_axis(tmp_path: Path) -> None:
    file = tmp_path / "x.npy"
    values = np.arange(12, dtype=np.int8).reshape(6, 2)
    np.save(file, values)
    arrays, _, total = read_inputs([str(file)], [tensor([2, 2])], slice(1, 3), ImageOptions(), 0)
    assert total == 3 and arrays[0].shape == (4, 2) and (arrays[0] == values[2:]).all()


def test_random_data_is_seeded_and_said() -> None:
    expected = tensor([1, 1000])
    arrays, source, total = read_inputs([], [expected], slice(0, 1), ImageOptions(), 5)
    again = random_array(expected, 5)
    assert (arrays[0] == again).all() and total == 1
    assert "seeded random data (seed 5)" in source
    assert again.min() == -128 and again.max() == 127
    assert (random_array(expected, 6) != again).any()
    real = random_array(tensor([1, 100], "float32"), 0)
    assert real.dtype == np.float32 and 0 <= real.min() and real.max() < 1


def test_samples_without_a_file_are_not_ignored() -> None:
    tensors = [tensor([1, 2]), tensor([1, 3])]
    arrays, _, total = read_inputs([], tensors, slice(1, 4), ImageOptions(), 5)
    assert total == 4 and [a.shape for a in arrays] == [(3, 2), (3, 3)]
    first, _, _ = read_inputs([], tensors, slice(0, 2), ImageOptions(), 5)
    assert (first[0][1] == arrays[0][0]).all() and (first[0][0] != first[0][1]).any()
    assert (first[0][:1] == random_array(tensors[0], 5)).all()
    with pytest.raises(Refusal, match="--samples has no end, and there are no --input files"):
        read_inputs([], tensors, slice(0, None), ImageOptions(), 0)


def mutations(data: bytes, seed: int, count: int) -> Iterator[bytes]:
    """Bytes changed, inserted, cut out and cut off, most of them near the beginning."""
    random = np.random.default_rng(seed)
    tokens = [b"(", b")", b"'", b"{", b"[[[[", b"99999999999", b"-1", b"None", b"\x00", b"\xff\xff"]
    for _ in range(count):
        mutated = bytearray(data)
        for _ in range(random.integers(1, 4)):
            at = int(random.integers(len(mutated) if random.random() < 0.5 else 130))
            match random.integers(4):
                case 0:
                    mutated[at : at + 1] = random.bytes(1)
                case 1:
                    del mutated[at : at + int(random.integers(1, 9))]
                case 2:
                    mutated[at:at] = tokens[random.integers(len(tokens))]
                case _:
                    mutated[at : at + 4] = random.bytes(4)
        yield bytes(
            mutated[: int(random.integers(len(mutated)))] if random.random() < 0.1 else mutated
        )


@pytest.mark.filterwarnings("ignore")
def test_damaged_arrays_are_read_or_refused(tmp_path: Path) -> None:
    file = tmp_path / "x.npy"
    np.save(file, np.zeros((2, 4, 4, 3), np.int8))
    refused = 0
    for data in mutations(file.read_bytes(), 1, 1000):
        file.write_bytes(data)
        try:
            read_array(file, tensor([1, 4, 4, 3], "int8"), "input")
        except Refusal as refusal:
            assert str(refusal).startswith(f"input: '{file}' ")
            refused += 1
    assert refused > 300


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", ["png", "jpg", "bmp"])
def test_damaged_images_are_read_or_refused(tmp_path: Path, kind: str) -> None:
    file = tmp_path / f"x.{kind}"
    pixels = np.random.default_rng(2).integers(0, 256, (9, 7, 3)).astype(np.uint8)
    Image.fromarray(pixels).save(file)
    refused = 0
    for data in mutations(file.read_bytes(), 3, 500):
        file.write_bytes(data)
        try:
            read_image(file, tensor([1, 4, 4, 3]), ImageOptions())
        except Refusal as refusal:
            assert "is not an image that can be read" in str(refusal)
            refused += 1
    assert refused > 50


def test_samples_are_cut_from_the_file(tmp_path: Path) -> None:
    file = tmp_path / "x.npy"
    values = np.arange(10, dtype=np.int8).reshape(5, 2)
    np.save(file, values)
    arrays, source, total = read_inputs(
        [str(file)], [tensor([1, 2])], slice(1, 3), ImageOptions(), 0
    )
    assert (arrays[0] == values[1:3]).all()
    assert total == 5 and source == str(file)
    arrays, _, _ = read_inputs([str(file)], [tensor([1, 2])], slice(2, None), ImageOptions(), 0)
    assert (arrays[0] == values[2:]).all()


@pytest.mark.parametrize("chosen", [slice(5, 6), slice(4, 6), slice(9, None)])
def test_samples_beyond_the_file_are_refused(tmp_path: Path, chosen: slice) -> None:
    file = tmp_path / "x.npy"
    np.save(file, np.zeros((5, 2), np.int8))
    with pytest.raises(Refusal, match="holds 5 samples, --samples requires"):
        read_inputs([str(file)], [tensor([1, 2])], chosen, ImageOptions(), 0)


def test_as_many_files_as_inputs_are_required(tmp_path: Path) -> None:
    tensors = [tensor([1, 2]), tensor([1, 3])]
    with pytest.raises(Refusal, match="got 1 --input files, the network has 2 inputs"):
        read_inputs(["a.npy"], tensors, slice(0, 1), ImageOptions(), 0)
    with pytest.raises(Refusal, match="input: there is no file '.*no.png'"):
        read_inputs([str(tmp_path / "no.png")], tensors[:1], slice(0, 1), ImageOptions(), 0)


def test_options_for_images_without_a_image_are_not_ignored(tmp_path: Path) -> None:
    file = tmp_path / "x.npy"
    np.save(file, np.zeros([1, 2, 2, 3], np.int8))
    options = ImageOptions(letterbox=114, bgr=True)
    expected = "--letterbox, --bgr says how an image becomes an input, and no --input file is one"
    for files in ([], [str(file)]):
        with pytest.raises(Refusal, match=expected):
            read_inputs(files, [tensor([1, 2, 2, 3], "int8")], slice(0, 1), options, 0)


def test_options_of_images_come_from_the_command_line_as_they_were_given(
    presil, digits: Path
) -> None:
    ended = presil("run", digits, "--bgr")
    assert ended.code == 2 and "input: --bgr says how an image" in ended.err
