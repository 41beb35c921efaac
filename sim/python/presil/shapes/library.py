"""The shape library: topologies that people measure with, made with random weights.

Values are exact, as of any network; what they say of images is nothing, as nothing is trained.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from .. import paths
from ..atomic import write_file, writing
from ..names import hint
from ..refusal import Refusal
from . import classifiers, detectors, mobile, rows
from .sketch import Sketch, Value

Make = Callable[[Sketch, Value, int, float], None]


@dataclass(frozen=True)
class Parameter:
    """A number of a shape: what it is without being given, and its limits."""

    default: float
    least: float
    most: float
    meaning: str

    @property
    def whole(self) -> bool:
        return isinstance(self.default, int)


@dataclass(frozen=True)
class Shape:
    """A topology: how it is made from its parameters."""

    name: str
    title: str
    parameters: Mapping[str, Parameter]
    make: Callable[[Sketch, dict[str, Any]], None]


COMMON = {
    "batch": Parameter(1, 1, 4096, "samples"),
    "seed": Parameter(0, 0, 2**31 - 1, "of the random weights"),
}


def image(name: str, title: str, make: Make, resolution: int, classes: int, step: int) -> Shape:
    """A network of one image; step: what its resolution must be a multiple of."""

    def made(s: Sketch, said: dict[str, Any]) -> None:
        size = said["resolution"]
        if size % step:
            raise Refusal(
                f"nets: resolution of {name} is {size}, must be a multiple of {step}: its maps "
                "are joined with others of twice their pixels"
            )
        make(s, s.input(size, size, 3), said["classes"], said["width"])

    parameters = {
        "width": Parameter(1.0, 0.05, 8.0, "times the channels of each layer"),
        "resolution": Parameter(resolution, 16, 4096, "pixels of a side"),
        "classes": Parameter(classes, 1, 65536, "that it tells apart"),
    }
    return Shape(name, title, {**parameters, **COMMON}, made)


def sweep(name: str, title: str, make: Callable[..., None], **parameters: tuple[int, str]) -> Shape:
    """Rows of numbers; the parameters are extents."""

    def made(s: Sketch, said: dict[str, Any]) -> None:
        make(s, **{key: said[key] for key in parameters})

    extents = {key: Parameter(value, 1, 65536, text) for key, (value, text) in parameters.items()}
    return Shape(name, title, {**extents, **COMMON}, made)


RESNETS = {
    "resnet18": ((2, 2, 2, 2), False),
    "resnet34": ((3, 4, 6, 3), False),
    "resnet50": ((3, 4, 6, 3), True),
    "resnet101": ((3, 4, 23, 3), True),
}
SHAPES = {
    shape.name: shape
    for shape in (
        image("alexnet", "AlexNet", classifiers.alexnet, 224, 1000, 1),
        image("vgg16", "VGG-16", classifiers.vgg((2, 2, 3, 3, 3)), 224, 1000, 1),
        *(
            image(name, f"ResNet-{name[6:]}", classifiers.resnet(*layers), 224, 1000, 1)
            for name, layers in RESNETS.items()
        ),
        image("mobilenet_v1", "MobileNetV1", mobile.mobilenet_v1, 224, 1000, 1),
        image("mobilenet_v2", "MobileNetV2", mobile.mobilenet_v2, 224, 1000, 1),
        image("mobilenet_v3_small", "MobileNetV3-small", mobile.mobilenet_v3_small, 224, 1000, 1),
        image("googlenet", "GoogLeNet", classifiers.googlenet, 224, 1000, 1),
        image("squeezenet", "SqueezeNet 1.1", classifiers.squeezenet, 224, 1000, 1),
        image("efficientnet_lite0", "EfficientNet-Lite0", mobile.efficientnet_lite0, 224, 1000, 1),
        image("darknet19", "DarkNet-19", classifiers.darknet19, 224, 1000, 1),
        image("yolo_v2", "YOLOv2", detectors.yolo_v2, 416, 80, 32),
        image("yolo_v3", "YOLOv3", detectors.yolo_v3, 416, 80, 32),
        image("yolo_v3_tiny", "YOLOv3-tiny", detectors.yolo_v3_tiny, 416, 80, 32),
        image("yolo_v4", "YOLOv4, Mish by table", detectors.yolo_v4, 416, 80, 32),
        image("unet", "U-Net", detectors.unet, 128, 2, 16),
        image("deeplab_v3", "DeepLabv3 on MobileNetV2", detectors.deeplab_v3, 513, 21, 1),
        image("vit_tiny", "ViT-tiny, patches of 16", rows.vit(192, 3), 224, 1000, 16),
        image("deit_tiny", "DeiT-tiny, patches of 16", rows.vit(192, 3), 224, 1000, 16),
        sweep("gemm", "one matrix product", rows.gemm, m=(128, "rows of x"),
              k=(256, "columns of x"), n=(256, "columns of the product")),
        sweep("lstm", "one LSTM layer, unrolled", rows.lstm, steps=(16, "of the sequence"),
              features=(64, "of each step"), units=(128, "of its state")),
    )
}  # fmt: skip


def shape(name: str) -> Shape:
    """The shape of that name."""
    found = SHAPES.get(name)
    if found is None:
        raise Refusal(
            f"nets: the shape library has no '{name}'{hint(name, SHAPES)}; `presil nets` lists it"
        )
    return found


def sketch(name: str, given: Mapping[str, Any]) -> Sketch:
    """A topology of the library with these parameters, the others as they are by default."""
    known = shape(name)
    said = {key: parameter.default for key, parameter in known.parameters.items()}
    for key, value in given.items():
        said[key] = checked(known, key, value)
    made = Sketch(known.name, int(said["seed"]), int(said["batch"]))
    known.make(made, said)
    return made


def checked(known: Shape, key: str, value: Any) -> float:
    """A parameter's value, whole where it counts something."""
    parameter = known.parameters.get(key)
    if parameter is None:
        raise Refusal(
            f"nets: {known.name} has no parameter '{key}'{hint(key, known.parameters)}; it has "
            + ", ".join(known.parameters)
        )
    try:
        number = int(str(value)) if parameter.whole else float(value)
    except ValueError:
        number = None
    if number is None or not parameter.least <= number <= parameter.most:
        kind = "a whole number" if parameter.whole else "a number"
        raise Refusal(
            f"nets: {key} of {known.name} is '{value}', must be {kind} from {parameter.least} to "
            f"{parameter.most}: {parameter.meaning}"
        )
    return number


def parse(text: str) -> tuple[str, dict[str, str]]:
    """ "resnet18:width=0.5,classes=10" as its name and parameters."""
    name, colon, rest = text.partition(":")
    given = {}
    for part in rest.split(",") if colon else ():
        key, equals, value = part.partition("=")
        if not equals or not key:
            raise Refusal(
                f"nets: '{part}' of '{text}' is no parameter, must be name=value, as in "
                "'resnet18:width=0.5,classes=10'"
            )
        given[key.strip()] = value.strip()
    return name, given


def named_with(text: str, given: Iterable[str]) -> str:
    """A name, with or without parameters, and "key=value" more."""
    more = ",".join(given)
    return f"{text}{',' if ':' in text else ':'}{more}" if more else text


def names_shape(text: Any) -> bool:
    """Whether a network is named as one of the library."""
    return isinstance(text, str) and text.partition(":")[0] in SHAPES


@cache
def version() -> str:
    """Of what the library makes: of its source."""
    sources = sorted(Path(__file__).parent.glob("*.py"))
    return hashlib.sha256(b"".join(file.read_bytes() for file in sources)).hexdigest()[:12]


def file_of(text: str) -> Path:
    """The ONNX file of a named shape, made at its first use."""
    from .onnx_file import to_bytes

    name, given = parse(text)
    known = shape(name)
    said = {key: checked(known, key, value) for key, value in given.items()}
    label = "".join(f"-{key}{said[key]:g}" for key in sorted(said))
    file = paths.CACHE / "nets" / version() / f"{name}{label}.onnx"
    if not file.is_file():
        with writing(file):
            file.parent.mkdir(parents=True, exist_ok=True)
        write_file(file, to_bytes(sketch(name, said)))
    return file
