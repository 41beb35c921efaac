"""Inputs and goldens from files: .npy, raw .bin, images; or seeded random data."""

from __future__ import annotations

import math
import struct
import tokenize
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from .fitting import LAYOUTS, fitted
from .names import existing_file
from .refusal import Refusal

IMAGE_SUFFIXES = (".png", ".jpg", ".jpeg", ".bmp")
UNREADABLE = (ValueError, OSError, EOFError, SyntaxError, tokenize.TokenError, MemoryError)
"""What NumPy and Pillow raise for files that are none of theirs."""


@dataclass
class ImageOptions:
    """How an image becomes an input tensor: value = (pixel - mean) * scale, then quantised.

    layout: 'nchw': the network takes the image as N, C, H, W; of an array, that it holds it so.
    """

    letterbox: int | None = None
    mean: float = 0.0
    scale: float | None = None
    layout: str = "nhwc"
    bgr: bool = False

    def __post_init__(self) -> None:
        if self.layout not in LAYOUTS:
            raise Refusal(
                f"input: --layout is '{self.layout}', expected {' or '.join(LAYOUTS)}: the order "
                "of the axes"
            )
        if not math.isfinite(self.mean):
            raise Refusal(
                f"input: --mean is {self.mean}, expected a number; 0 leaves pixels as they are"
            )
        if self.scale is not None and not (math.isfinite(self.scale) and self.scale != 0):
            raise Refusal(
                f"input: --scale is {self.scale}, expected the real value of one pixel step, e.g. "
                "0.00392157 for 1/255"
            )

    def given(self) -> list[str]:
        """The command line's options of images alone that are not at their defaults."""
        default = ImageOptions()
        return [
            f"--{f.name}"
            for f in fields(self)
            if f.name != "layout" and getattr(self, f.name) != getattr(default, f.name)
        ]

    def record(self) -> dict[str, Any]:
        return asdict(self)


def parse_samples(text: str | None) -> slice:
    """'A:B' to a slice; none: the first sample."""
    if text is None:
        return slice(0, 1)
    first, colon, last = text.partition(":")
    try:
        begin = int(first) if first else 0
        end = (int(last) if last else None) if colon else begin + 1
    except ValueError:
        begin, end = 0, 0
    if begin < 0 or (end is not None and end <= begin):
        raise Refusal(f"input: --samples is '{text}', expected A:B with 0 <= A < B, or one number")
    return slice(begin, end)


def read_array(
    file: str | Path, tensor: dict[str, Any], what: str, layout: str = "nhwc"
) -> np.ndarray:
    """All samples of a .npy or raw little-endian file, which has no shape, on the first axis."""
    path = existing_file(file, what, "give a .npy file or raw values")
    dtype, shape = np.dtype(tensor["dtype"]), list(tensor["shape"])
    if path.suffix == ".npy":
        try:
            array = np.load(path, allow_pickle=False)
        except UNREADABLE as error:
            raise Refusal(f"{what}: '{file}' is not a .npy file ({error})") from error
    else:
        data = path.read_bytes()
        size = math.prod(shape) * dtype.itemsize
        if len(data) % size or not data:
            raise Refusal(
                f"{what}: '{file}' has {len(data)} bytes, must be a multiple of {size} "
                f"({dtype}{shape} for '{tensor['name']}')"
            )
        raw = [shape[0], shape[3], *shape[1:3]] if layout == "nchw" and len(shape) == 4 else shape
        array = np.frombuffer(data, dtype).reshape([-1, *raw[1:]])
    samples = fitted(array, tensor, what, f"'{file}'", layout)
    return samples if shape[:1] == [1] else samples.reshape([-1, *shape])


def is_image(file: str | Path) -> bool:
    return Path(file).suffix.lower() in IMAGE_SUFFIXES


def read_image(file: Path, tensor: dict[str, Any], options: ImageOptions) -> np.ndarray:
    """An image as the input tensor."""
    pixels = fit_image(file, tensor, options)
    values = quantise(pixels[..., ::-1] if options.bgr else pixels, tensor, options)
    return np.ascontiguousarray(values.transpose(2, 0, 1) if turned(options) else values)[None]


def turned(options: ImageOptions) -> bool:
    return options.layout == "nchw"


def fit_image(file: Path, tensor: dict[str, Any], options: ImageOptions) -> np.ndarray:
    """An image's pixels in the input's size: [height, width, 1 or 3 (RGB)], 0..255."""
    from PIL import Image

    shape = tensor["shape"]
    at = 1 if turned(options) else 3
    if len(shape) != 4 or shape[0] != 1 or shape[at] not in (1, 3):
        order = "1, 1 or 3, height, width" if turned(options) else "1, height, width, 1 or 3"
        raise Refusal(
            f"input: '{file}' is an image, but input '{tensor['name']}' is {shape}; "
            f"expected {order}, with --layout {options.layout}"
        )
    channels = shape[at]
    height, width = shape[2:] if turned(options) else shape[1:3]
    try:
        with Image.open(file) as opened:
            image = opened.convert("L" if channels == 1 else "RGB")
    except (*UNREADABLE, struct.error, Image.DecompressionBombError) as error:
        raise Refusal(f"input: '{file}' is not an image that can be read ({error})") from error
    if options.letterbox is None:
        fitted = image.resize((width, height), Image.Resampling.BILINEAR)
    else:
        ratio = min(width / image.width, height / image.height)
        small = (max(1, round(image.width * ratio)), max(1, round(image.height * ratio)))
        fill = (options.letterbox,) * channels if channels > 1 else options.letterbox
        fitted = Image.new(image.mode, (width, height), fill)
        at = ((width - small[0]) // 2, (height - small[1]) // 2)
        fitted.paste(image.resize(small, Image.Resampling.BILINEAR), at)
    return np.asarray(fitted).reshape(height, width, channels)


def quantise(pixels: np.ndarray, tensor: dict[str, Any], options: ImageOptions) -> np.ndarray:
    """Pixels 0..255 as the tensor's values. Without --scale the whole range 0..255 is taken to
    span the quantised range, which is u8 - 128 for int8."""
    dtype = np.dtype(tensor["dtype"])
    scale = options.scale
    if dtype == np.float32:
        factor = np.float32(1.0 if scale is None else scale)
        return ((pixels.astype(np.float32) - np.float32(options.mean)) * factor).astype(np.float32)
    wide = dtype == np.int16 and scale is not None  # which pixels do not span
    if dtype not in (np.dtype(np.int8), np.dtype(np.uint8)) and not wide:
        raise Refusal(f"input: an image cannot become {dtype}; give a .npy file")
    info = np.iinfo(dtype)
    if scale is None and options.mean != 0:
        raise Refusal(
            "input: --mean without --scale says nothing about a quantised input; give --scale, the "
            "real value of one pixel step, too"
        )
    if scale is None:
        return np.clip(pixels.astype(np.int32) + info.min, info.min, info.max).astype(dtype)
    if not tensor["scales"]:
        raise Refusal(
            f"input: --mean and --scale need a quantised input, '{tensor['name']}' has no scale; "
            "leave them out, or give a .npy file"
        )
    real = (pixels.astype(np.float64) - options.mean) * scale
    step, zero = tensor["scales"][0], tensor["zero_points"][0]
    return np.clip(np.rint(real / step) + zero, info.min, info.max).astype(dtype)


def random_array(tensor: dict[str, Any], seed: int) -> np.ndarray:
    """Seeded random values over the whole range of the tensor's type."""
    generator = np.random.default_rng(seed)
    dtype = np.dtype(tensor["dtype"])
    if dtype.kind == "f":
        return generator.random(tensor["shape"], dtype=np.float32)
    if dtype.kind == "b":
        return generator.integers(0, 2, tensor["shape"]).astype(bool)
    info = np.iinfo(dtype)
    return generator.integers(info.min, info.max, tensor["shape"], dtype, endpoint=True)


def random_samples(tensor: dict[str, Any], seeds: list[int]) -> np.ndarray:
    """One for each seed, on the first axis; a single one as it is."""
    every = [random_array(tensor, seed) for seed in seeds]
    if len(every) == 1:
        return every[0]
    return np.stack(every) if every[0].ndim == 0 else np.concatenate(every)


def read_inputs(
    files: list[str],
    tensors: list[dict[str, Any]],
    samples: slice,
    options: ImageOptions,
    seed: int,
) -> tuple[list[np.ndarray], str, int]:
    """One array per network input; a sentence saying what they are; samples in the files."""
    if options.given() and not any(is_image(file) for file in files):
        raise Refusal(
            f"input: {', '.join(options.given())} says how an image becomes an input, and no "
            "--input file is one (.png, .jpg, .bmp); leave it out, or give an image"
        )
    if not files:
        if samples.stop is None:
            raise Refusal(
                "input: --samples has no end, and there are no --input files that have one; give "
                "how many samples of random data there are to be, as 0:8"
            )
        if turned(options):
            raise Refusal("input: --layout says how --input files lie, and there are none")
        arrays = [
            random_samples(t, [seed + i + k * len(tensors) for k in range(samples.stop)][samples])
            for i, t in enumerate(tensors)
        ]
        source = f"seeded random data (seed {seed}); give --input FILE for your own"
        return arrays, source, samples.stop
    if len(files) != len(tensors):
        names = ", ".join(f"'{t['name']}'" for t in tensors)
        raise Refusal(
            f"input: got {len(files)} --input files, the network has {len(tensors)} inputs: {names}"
        )
    if turned(options) and not any(len(tensor["shape"]) == 4 for tensor in tensors):
        raise Refusal(
            "input: --layout nchw turns inputs of four axes, and this network has none; leave it "
            "out"
        )
    arrays = []
    total = 0
    for file, tensor in zip(files, tensors):
        path = Path(file)
        if is_image(path):
            existing_file(path, "input", "give a .npy file, raw values or an image")
            every = read_image(path, tensor, options)
        else:
            every = read_array(path, tensor, "input", options.layout)
        chosen = every[samples]
        if samples.start >= len(every) or (samples.stop or 0) > len(every) or not len(chosen):
            raise Refusal(
                f"input: '{file}' holds {len(every)} samples, --samples requires "
                f"{samples.start}:{'' if samples.stop is None else samples.stop}"
            )
        total = len(every)
        arrays.append(chosen.reshape([-1] + tensor["shape"][1:]))
    return arrays, ", ".join(files), total


def golden_slice(
    file: str, tensor: dict[str, Any], chosen: slice, total: int, layout: str = "nhwc"
) -> np.ndarray:
    """The golden's samples that belong to the chosen ones: all, where it holds only those."""
    every = read_array(file, tensor, "golden", layout)
    return every[chosen] if len(every) == total else every
