"""`presil serve`: several networks share a SoC; requests arrive, the driver decides by priority."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from multiprocessing import shared_memory
from pathlib import Path
from typing import Any

import numpy as np

from . import paths
from .atomic import write_file, writing
from .check import Check
from .custom import Customs
from .inputs import ImageOptions, read_inputs
from .interrupt import held_back
from .refusal import Refusal
from .report.serve_html import serve_page
from .run_check import owner_of
from .run_folder import SERVED, OutputPath
from .run_samples import Progress
from .samples import Sample, inputs_of, split_samples
from .serve_load import Load, load_of
from .serve_place import Placed, placed
from .serve_record import record_of
from .simulation import ALIGN, Simulation, memory_of
from .soc_parameters import Overrides


@dataclass(repr=False)
class Served:
    """What came out of a load: the record that serve.json holds."""

    record: dict[str, Any]

    @property
    def exact(self) -> bool:
        return bool(self.record["check"]["exact"])

    @property
    def networks(self) -> list[dict[str, Any]]:
        return list(self.record["networks"])

    @property
    def requests(self) -> list[dict[str, Any]]:
        """Each request: network, index, arrival, start, end, in cycles."""
        columns = self.record["requests"]["columns"]
        return [dict(zip(columns, row, strict=True)) for row in self.record["requests"]["rows"]]

    def __repr__(self) -> str:
        done = sum(n["completed"] for n in self.networks)
        verdict = "exact" if self.exact else "differs"
        return f"Served {len(self.networks)} networks, {done} requests, {verdict}"

    def report(self, file: str | Path) -> Path:
        """Writes the page with the timeline by job."""
        return write_file(file, serve_page(self.record))

    def save(self, folder: str | Path, force: bool = False) -> Path:
        """Writes serve.json and serve.html, whole or not at all; returns the folder."""
        hint = "save it with force=True, or to another folder"
        target = OutputPath.of(folder, force, hint=hint)
        target.check()
        with target.claim(self.repeats) as out:
            return out.commit(self.record, self.write, SERVED)

    def write(self, folder: Path) -> None:
        self.report(folder / "serve.html")

    def repeats(self, record: dict[str, Any]) -> bool:
        """Whether a record is of the same load and says the same."""
        return {k: v for k, v in record.items() if k != "files"} == {
            k: v for k, v in self.record.items() if k != "files"
        }


def serve(
    load: Any,
    soc: Any = None,
    *,
    set: Overrides = (),  # noqa: A002  as the command line has it
    seed: int | None = None,
    progress: Progress | None = None,
) -> Served:
    """Serves a load: a LOAD.yaml, or a mapping as it has, whose `file` and `inputs` may then be
    what `presil.compile` and `presil.run` take (sim/guides/serve.md).

    soc, set, seed: instead of the load's. progress: called with how many networks are compiled and
      checked, and of how many.
    """
    asked = load_of(load, soc, set, seed)
    networks = placed(asked)
    requests = requests_of(asked)
    samples, expected = [], []
    for index, network in enumerate(networks):
        samples.append(samples_of(asked, network, index))
        expected.append([reference_of(network, sample) for sample in samples[-1]])
        if progress is not None:
            progress(index + 1, len(networks))
    told = [[n, at, k % len(samples[n])] for n, k, at in requests]
    with shared(networks, samples, expected) as (memory, abouts):
        with ExitStack() as files:
            for network, about in zip(networks, abouts, strict=True):
                about["loadable"] = files.enter_context(loadable_file(network))
            timeout = round(asked.timeout_ms * 1e3 * asked.soc.clock_mhz)
            with Simulation(networks[0].program) as simulation:
                account = simulation.serve(abouts, told, memory, timeout)
    return Served(record_of(asked, networks, requests, account, verdict_of(networks, account)))


def requests_of(load: Load) -> list[tuple[int, int, int]]:
    """Network, number of it, cycle: in the order of time, then of the load."""
    per_ms = load.soc.clock_mhz * 1e3
    found = []
    for index, network in enumerate(load.networks):
        times = network.arrival.until(load.duration_ms, network.requests)
        if not times:
            raise Refusal(
                f"load: network '{network.name}' has no request before {load.duration_ms:g} ms, "
                "must have one; make duration_ms longer, or leave the network out"
            )
        found += [(round(time * per_ms), index, number) for number, time in enumerate(times)]
    return [(index, number, at) for at, index, number in sorted(found)]


def samples_of(load: Load, network: Placed, index: int) -> list[Sample]:
    """What its requests compute, one sample after another, again from the first."""
    program, given = network.program, network.load.inputs
    seed = load.seed + index
    try:
        if isinstance(given, str) or (
            isinstance(given, list) and all(isinstance(part, str) for part in given)
        ):
            files = [given] if isinstance(given, str) else given
            every = slice(0, None)
            arrays, _, _ = read_inputs(files, program.inputs, every, ImageOptions(), seed)
        else:
            own = program.network.sample if program.network else None
            arrays, _ = inputs_of(program.inputs, given, seed, own)
        return split_samples(program.inputs, arrays)
    except Refusal as refusal:
        raise Refusal(f"load: network '{network.load.name}': {refusal}") from None


def reference_of(network: Placed, sample: Sample) -> list[np.ndarray]:
    """The outputs that the reference interpreter gives."""
    program = network.program
    customs = Customs(program.graph, program.kernels)
    return list(paths.native().reference(program.graph, sample, customs.function()))


@contextmanager
def shared(
    networks: list[Placed], samples: list[list[Sample]], expected: list[list[Sample]]
) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Samples and their outputs in shared memory; what the simulator is told of each network."""
    tensors: list[tuple[int, list[np.ndarray]]] = []
    offset = 0

    def place(parts: list[Sample]) -> list[int]:
        nonlocal offset
        offsets = []
        for arrays in zip(*parts, strict=True):
            offsets.append(offset)
            tensors.append((offset, list(arrays)))
            offset += -(-sum(array.nbytes for array in arrays) // ALIGN) * ALIGN
        return offsets

    abouts = [
        {
            "name": network.load.name,
            "priority": network.load.priority,
            "preemptible": network.preemptible,
            "sram": network.sram,
            "samples": len(given),
            "inputs": place(given),
            "expected": place(outputs),
        }
        for network, given, outputs in zip(networks, samples, expected, strict=True)
    ]
    with held_back():
        memory = memory_of(max(offset, ALIGN))
    try:
        for at, arrays in tensors:
            write(memory, at, arrays)
        yield memory.name, abouts
    finally:
        with held_back():
            memory.close()
            memory.unlink()


def write(memory: shared_memory.SharedMemory, at: int, arrays: list[np.ndarray]) -> None:
    for array in arrays:
        data = np.ascontiguousarray(array).tobytes()
        memory.buf[at : at + len(data)] = data
        at += len(data)


@contextmanager
def loadable_file(network: Placed) -> Iterator[str]:
    folder = tempfile.gettempdir()
    with writing(folder), tempfile.NamedTemporaryFile(suffix=".presil", dir=folder) as file:
        file.write(network.program.loadable)
        file.flush()
        yield file.name


def verdict_of(networks: list[Placed], account: dict[str, Any]) -> dict[str, Any]:
    """What the comparison of every completed request says."""
    verdict = Check()
    for row in account["requests"]:
        verdict.different_bytes += row[-1]
        verdict.compared_bytes += account["networks"][row[0]]["output_bytes"]
    record = {
        "exact": verdict.exact and account["first"] is None,
        "compared_bytes": verdict.compared_bytes,
        "different_bytes": verdict.different_bytes,
        "first": None,
    }
    if account["first"] is not None:
        at = account["first"]
        network = networks[at["network"]]
        info = network.program.info
        tensor = info["outputs"][at["output"]]
        record["first"] = {
            "network": network.load.name,
            "request": at.get("request"),
            "layer": owner_of(info, tensor),
            "tensor": info["tensors"][tensor]["name"],
            "byte": at["byte"],
        }
    return record
