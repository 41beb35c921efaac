"""Every tensor that the SoC hands back, against another runtime or against dumped arrays."""

from __future__ import annotations

import io
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from .atomic import write_file, writing
from .kept import by_graph
from .names import number
from .network import Network
from .program import Program, program_for
from .record import header
from .refusal import Refusal
from .run_check import owner_of
from .samples import inputs_of, split_samples
from .simulation import Simulation
from .states import States
from .validate_compare import aligned, compared
from .validate_source import NUMERICS_OF, Source, file_stem, read_source

STEPS, SHARE = 0, 1e-3
"""What integers and floats may be away: floats as a share of the largest value of their tensor,
for runtimes add them up in orders of their own."""


@dataclass(frozen=True)
class Tensor:
    """What the SoC has computed. output: which output of the network it is, if it is one."""

    name: str
    layer: str
    output: int | None
    value: np.ndarray


@dataclass
class Validated:
    """The record that `--json` writes, and both values of the tensor that the page draws."""

    record: dict[str, Any]
    tensors: list[Tensor]
    drawn: tuple[np.ndarray, np.ndarray] | None = None

    @property
    def within(self) -> bool:
        return bool(self.record["within"])

    def dump(self, folder: Path) -> None:
        """Writes what the SoC has computed, a .npy for each tensor, as `--against` reads them."""
        with writing(folder):
            folder.mkdir(parents=True, exist_ok=True)
        for tensor in self.tensors:
            data = io.BytesIO()
            np.save(data, tensor.value)
            write_file(folder / f"{file_stem(tensor.name)}.npy", data.getbuffer())


def computed(program: Program, sample: list[np.ndarray]) -> list[Tensor]:
    """Tensors of the network's file that the SoC hands back, in the order of the layers."""
    info = program.info
    with Simulation(program, keep=True) as simulation:
        outputs, kept, _ = simulation.job(sample)
    whole = by_graph(info, kept)
    at = {tensor: k for k, tensor in enumerate(info["outputs"])}
    order = {t: i for i, layer in enumerate(info["layers"]) for t in layer["outputs"]}
    found = []
    for index in sorted({*kept, *at}, key=lambda i: (order.get(i, -1), i)):
        tensor = info["tensors"][index]
        output = at.get(index)
        value = outputs[output] if output is not None else whole.get(tensor["graph_tensor"])
        if value is not None:
            found.append(Tensor(str(tensor["name"]), owner_of(info, index), output, value))
    return found


def against_source(
    tensors: Sequence[Tensor], source: Source, steps: int, share: float
) -> tuple[list[dict[str, Any]], list[dict[str, str]], tuple[np.ndarray, np.ndarray] | None]:
    """Records of the tensors, those without comparison, and both values of the first beyond."""
    rows: list[dict[str, Any]] = []
    left_out: list[dict[str, str]] = []
    drawn = None
    times = Counter(tensor.name for tensor in tensors)
    outputs = {t.name for t in tensors if t.output is not None}  # theirs is the file's name
    times.update({name: 1 - times[name] for name in outputs})
    for tensor in tensors:
        expected = source.value_of(tensor.name, tensor.output)
        several = times[tensor.name] > 1 or (tensor.output is None and tensor.name in outputs)
        if expected is None or several:
            twice = "several tensors have this name"
            why = twice if several else f"{source.name} has no tensor of this name"
            left_out.append({"tensor": tensor.name, "why": why})
            continue
        images = source.channels_first and tensor.output is None
        fitting = aligned(tensor.value, expected, images)
        if isinstance(fitting, str):
            left_out.append({"tensor": tensor.name, "why": fitting})
            continue
        row = compared(tensor.value, fitting, steps, share)
        rows.append({"tensor": tensor.name, "layer": tensor.layer, **row})
        if drawn is None and not row["within"]:
            drawn = tensor.value, fitting
    return rows, left_out, drawn


def validate(
    net: Any,
    against: str | Path,
    inputs: Any = None,
    *,
    soc: Any = None,
    set: Any = (),  # noqa: A002  as the command line has it
    numerics: str | None = None,
    seed: int = 0,
    steps: int = STEPS,
    share: float = SHARE,
) -> Validated:
    """Compares what the simulated SoC computes, tensor by tensor, with what another one does.

    net: a network as of `presil.compile`. against: 'tflite-micro', 'litert', or a folder of .npy
    files. inputs, soc, set, numerics, seed: as of `presil.run`; numerics are the runtime's own
    where they are not given. steps, share: what integers may be away, and floats as a share of the
    largest value of their tensor.
    """
    number(steps, 0, 65535, "validate: steps", ", expected a whole number 0..65535", whole=True)
    if not (isinstance(share, (int, float)) and math.isfinite(share) and share >= 0):
        raise Refusal(f"validate: share is {share}, expected a number of 0 or more, such as 0.001")
    compiled = isinstance(net, Program)
    rules = numerics if numerics or compiled else NUMERICS_OF.get(str(against))
    program = program_for(net, soc, set, rules)
    network = program.network
    if not isinstance(network, Network) or not Path(network.file).is_file():
        raise Refusal("validate: a loadable or a graph has no file that a runtime reads; give that")
    states = States.of(program.graph, True)
    given = states.given(program.inputs)
    arrays, told = inputs_of(given, inputs, seed, network.sample)
    sample = split_samples(given, arrays)[0]
    source = read_source(str(against), Path(network.file), sample)
    tensors = computed(program, states.before(sample))
    rows, left_out, drawn = against_source(tensors, source, steps, share)
    if not rows:
        why = left_out[0]["why"] if left_out else "the network has none"
        raise Refusal(f"validate: no tensor of '{network.file}' could be compared: {why}")
    first = next((row for row in rows if not row["within"]), None)
    record = {
        **header(),
        "network": {"file": network.file, "sha256": network.sha256},
        "soc": program.soc.label,
        "numerics": network.graph.numerics,
        "input": told,
        "against": {"name": source.name, "version": source.version},
        "allowed": {"steps": steps, "share": share},
        "exact": not any(row["different"] for row in rows),
        "within": first is None,
        "first": first and {"layer": first["layer"], "tensor": first["tensor"], **first["first"]},
        "compared": sum(row["elements"] for row in rows),
        "different": sum(row["different"] for row in rows),
        "tensors": rows,
        "not_compared": left_out,
    }
    return Validated(record, tensors, drawn)
