"""Programs of regions as the bytes that lie in a TVM library, and back."""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass

from .. import __version__
from ..kernel_file import kernels_of
from ..program import Program
from ..refusal import Refusal
from ..soc_parameters import of_text
from .options import Options

MAGIC = b"presil.tvm\0\1"


@dataclass
class Part:
    """A region: inputs and outputs of its function by their position in program and function.
    inputs[k]: the function's parameter that the program's input k is; outputs[k]: the
    program's output that the function's result k is."""

    symbol: str
    program: Program
    inputs: list[int]
    outputs: list[int]
    options: Options


def pack(parts: list[Part]) -> bytes:
    """A header of JSON, then the loadables one after another."""
    header = {
        "presil": __version__,
        "regions": [
            {
                "symbol": part.symbol,
                "bytes": len(part.program.loadable),
                "inputs": part.inputs,
                "outputs": part.outputs,
                "options": part.options.text(),
                "estimate": part.program.estimate,
            }
            for part in parts
        ],
    }
    text = json.dumps(header).encode()
    loadables = [bytes(part.program.loadable) for part in parts]
    return b"".join([MAGIC, struct.pack("<Q", len(text)), text, *loadables])


def unpack(data: bytes) -> dict[str, Part]:
    """By symbol. Refuses bytes of another version."""
    start = len(MAGIC) + 8
    if data[: len(MAGIC)] != MAGIC or len(data) < start:
        raise Refusal("tvm: the library holds no regions of presil; build it again")
    (size,) = struct.unpack("<Q", data[len(MAGIC) : start])
    header = json.loads(data[start : start + size])
    if header["presil"] != __version__:
        raise Refusal(
            f"tvm: the library was built with presil {header['presil']}, this is {__version__}; "
            "build it again"
        )
    at = start + size
    parts: dict[str, Part] = {}
    for region in header["regions"]:
        options = Options.parse(region["options"])
        loadable = data[at : at + region["bytes"]]
        at += region["bytes"]
        soc = of_text(options.soc.name, options.soc.complete_text)
        program = Program(loadable, soc, estimate=region["estimate"])
        program.kernels = kernels_of(options.kernels or ())
        symbol = region["symbol"]
        parts[symbol] = Part(symbol, program, region["inputs"], region["outputs"], options)
    return parts
