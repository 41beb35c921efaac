"""What the host takes when a core executes it: tasks of its kernels, the driver around a job."""

from __future__ import annotations

import io
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import presil
from dsp_operators import network as network_of
from dsp_operators import operators, shapes
from presil.host import NATIVE
from presil.samples import random_array
from presil.simulation import Simulation

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "reference"))

from oracle.networks import network  # noqa: E402
from oracle.sweep import made  # noqa: E402
from oracle.table import OPERATORS  # noqa: E402

TOSA = ROOT / "tests/tosa/cases.zip"
#: Nothing on the engines: the host computes all.
ENGINES = ("dla", "dma", "dsp")
#: Of the driver; a task of none only waits and signals.
KERNELS = ["nop", *sorted(n.rpartition(".")[2] for n in presil.load_soc("edge").config
                          if n.startswith("host.kernel_cycles_call."))]  # fmt: skip
#: Prices that are 0, so that a native run has register accesses and waits alone.
FREE = {"host.base": "none"}
#: By whether the host computes all: what a network is compiled for.
COMPILED_FOR = {True: FREE, False: {**FREE, "host.cycles_call": 1_000_000}}


class Task(NamedTuple):
    kernel: str
    elements: int
    bytes: int
    cycles: int  #: that the kernel's command takes, without its register accesses
    before: int  #: the same of what the driver does from the end of the command before; -1: none


class Job(NamedTuple):
    """What an inference takes the host besides its register accesses."""

    tasks: int
    doorbells: int
    copied: int  #: bytes, into the network's buffers and out of them
    copy: int
    interrupt: int  #: from the last signal to the driver
    returns: int  #: from there to the end of the wait
    all: int  #: that the inference takes more than with a host that takes no time


class Case(NamedTuple):
    name: str
    host_alone: bool
    program: presil.Program
    inputs: list[np.ndarray]


def prices_of() -> dict[str, dict[str, float | str]]:
    """By what costs a cycle; a call of a kernel as many as its index in KERNELS."""
    own = {"element": "per_element", "byte": "per_byte"}
    counts = {
        what: {**FREE, **{f"host.kernel_cycles_{name}.{k}": 1 for k in KERNELS[1:]}}
        for what, name in own.items()
    }
    calls = {f"host.kernel_cycles_call.{k}": i for i, k in enumerate(KERNELS[1:], 1)}
    return {**counts, "call": {**FREE, **calls}, "free": FREE}


# -------------------------------------------------------------------------------------- networks


def compiled(name: str, net: Any, inputs: list[np.ndarray] | None, host_alone: bool) -> Case | None:
    """None: presil does not take it."""
    try:
        program = presil.compile(
            net,
            set=COMPILED_FOR[host_alone],
            effort=0,
            without=ENGINES if host_alone else (),
            strip=True,
        )
    except presil.Refusal:
        return None
    given = [random_array(t, 1 + i) for i, t in enumerate(program.inputs)]
    return Case(name, host_alone, program, inputs or given)


def of_oracle(first: int, count: int, host_alone: bool) -> Iterator[Case]:
    """Every operator that the reference interpreter is compared with runtimes on."""
    with tempfile.TemporaryDirectory() as folder:
        for operator in OPERATORS.values():
            for case in range(first, first + count):
                try:
                    model = made(operator, case)
                except ValueError:
                    continue
                path = Path(folder) / "net.tflite"
                path.write_bytes(model.file())
                for rules in operator.rules:
                    try:
                        net = presil.load(path, rules)
                    except presil.Refusal:
                        continue
                    found = compiled(f"{operator.name} {rules}", net, model.values(), host_alone)
                    if found:
                        yield found


def of_shapes(seed: int, count: int, host_alone: bool) -> Iterator[Case]:
    """Operators that the DSP has kernels for, from single rows to images."""
    for index, (name, kind, make) in enumerate(operators()):
        for shape in shapes(name, seed + index, count):
            try:
                net = network_of(kind, shape, make, "tflite")
            except presil.Refusal:
                continue
            found = compiled(name, net, None, host_alone)
            if found:
                yield found


def of_tosa(first: int, step: int) -> Iterator[Case]:
    """Networks with what TOSA alone has. Its softmaxes are left out: their rows have 1 to 4,000
    elements, and a price goes by all elements, as rows of usual lengths are."""
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(TOSA) as archive:
        every = sorted({name.split("/")[0] for name in archive.namelist()})
        for name in [name for name in every if not name.endswith("_softmaxes")][first::step]:
            path = Path(folder) / "net.tosa"
            path.write_bytes(archive.read(f"{name}/net.tosa"))
            net = presil.load(path)
            files = [f"{name}/in{i}.npy" for i in range(len(net.inputs))]
            inputs = [np.load(io.BytesIO(archive.read(file))) for file in files]
            found = compiled(f"tosa {name}", net, inputs, True)
            if found:
                yield found


def of_boxes(seed: int, count: int) -> Iterator[Case]:
    """The end of detectors: heads decoded, and boxes of which one in fifty has a score."""
    r = np.random.default_rng(seed)
    for _ in range(count):
        h, w, classes = int(r.integers(3, 20)), int(r.integers(3, 20)), int(r.integers(2, 60))
        anchors = int(r.integers(1, 4))
        channels, rows = anchors * (5 + classes), h * w * anchors
        sizes = ", ".join(str(int(n)) for n in r.integers(5, 90, 2 * anchors))
        own = f"{{max={int(r.integers(5, 60))}, score=0.3, iou=0.5}}"
        texts = [
            f"""input %h : int8[1,{h},{w},{channels}] q(0.05, 0)
    const %s : float32[256] = random 2
    const %e : float32[256] = random 3
    %y = yolo_decode(%h, %s, %e) {{stride=8, classes={classes}, anchors=[{sizes}]}} from [0] """
            f": float32[{rows},{4 + classes}]",
            f"""input %h : int8[1,{rows},{4 + classes}] q(0.05, 0)
    %y = box_decode(%h) {{classes={classes}, channels_last=true, width=96, height=64}} from [0] """
            f": float32[{rows},6]",
        ]
        for text in texts:
            graph = f'graph "g" tflite {{\n    {text}\n    output %y\n}}'
            found = compiled("boxes", of_text(graph), None, True)
            if found:
                yield found
        most = int(own.split("=")[1].split(",")[0])
        graph = f"""graph "g" tflite {{
    input %r : float32[{rows},{4 + classes}]
    %d, %n = nms(%r) {own} from [0] : float32[{most},6], int32[1]
    output %d, %n
}}"""
        x = r.uniform(0, 0.2, (rows, 4 + classes)).astype(np.float32)
        x[:, :4] = r.uniform(5, 60, (rows, 4))
        for row in r.integers(0, rows, 1 + rows // 50):
            x[row, 4 + int(r.integers(classes))] = r.uniform(0.3, 1)
        found = compiled("suppression", of_text(graph), [x], True)
        if found:
            yield found


def of_text(text: str) -> presil.Network:
    return presil.Network(presil.paths.native().parse_graph(text), "text", "", 1)


def of_bundled() -> Iterator[Case]:
    """A network of the project on all engines, which work longer than its submission takes."""
    found = compiled("digits", presil.load("digits"), None, False)
    if found:
        yield found


def of_networks(first: int, count: int, host_alone: bool) -> Iterator[Case]:
    """Random networks of integers: those of floats take the cores without vectors too long."""
    with tempfile.TemporaryDirectory() as folder:
        for kind in ("Int8", "Uint8", "Int16"):
            for seed in range(first, first + count):
                path = Path(folder) / "net.tflite"
                path.write_bytes(network(kind, seed).m.file())
                try:
                    net = presil.load(path, "xnnpack")
                except presil.Refusal:
                    continue
                found = compiled(f"network {kind} {seed}", net, None, host_alone)
                if found:
                    yield found


# ------------------------------------------------------------------------------------------ runs


class Hosts:
    """Simulations that stay: one of each core, and native ones by their prices."""

    def __init__(self, cores: tuple[str, ...]) -> None:
        self.cores = cores
        self._simulations: dict[str, Simulation] = {}
        self._socs = {what: presil.load_soc("edge", prices) for what, prices in prices_of().items()}

    def job(self, case: Case, host: str, what: str = "free") -> dict[str, Any]:
        """what: of prices_of, of a native host."""
        program = case.program
        if host == NATIVE:
            program = replace(program, soc=self._socs[what])
        key = f"{host} {what} {case.host_alone}"
        simulation = self._simulations.get(key)
        if simulation is None:
            simulation = self._simulations[key] = Simulation(
                program,
                host=host,
                compiled_for=case.program.soc.canonical_text if host == NATIVE else "",
            )
        else:
            simulation.load(program)
        return simulation.job(case.inputs, records=True)[2]

    def counted(self, case: Case, native: dict[str, Any]) -> list[tuple[str, int, int]]:
        """Kernel, elements and bytes of each task: what it takes more where each costs a cycle."""
        free = [r["end"] - r["start"] for r in of_host(native)]
        if not free:
            return []
        more = []
        for what in ("call", "element", "byte"):
            account = self.job(case, NATIVE, what)
            more.append([r["end"] - r["start"] - n for r, n in zip(of_host(account), free)])
        return [(KERNELS[call], element, size) for call, element, size in zip(*more)]

    def measured(self, case: Case) -> dict[str, tuple[list[Task], Job]]:
        """By core. Nothing of a program that the driver does not take, which is told."""
        try:
            native = self.job(case, NATIVE)
        except presil.Refusal as refusal:
            print(f"left out: {case.name}: {refusal}", file=sys.stderr)
            return {}
        counted = self.counted(case, native)
        found = {}
        for core in self.cores:
            own = self.job(case, core)
            found[core] = (tasks_of(counted, own, native), job_of(own, native))
        return found

    def close(self) -> None:
        for simulation in self._simulations.values():
            simulation.close()


def of_host(account: dict[str, Any]) -> list[dict[str, Any]]:
    host = presil.paths.native().queue_names().index("host")
    return sorted((r for r in account["records"] if r["queue"] == host), key=lambda r: r["index"])


def tasks_of(
    counted: list[tuple[str, int, int]], own: dict[str, Any], native: dict[str, Any]
) -> list[Task]:
    tasks = []
    ran, free = of_host(own), of_host(native)
    for i, (kernel, elements, size) in enumerate(counted):
        cycles = [r[i]["end"] - r[i]["start"] for r in (ran, free)]
        gaps = [r[i]["start"] - r[i - 1]["end"] if i else 0 for r in (ran, free)]
        # A wait for an engine is none of the driver's time.
        alone = i > 0 and not any(c != "run" for c, n in ran[i]["causes"].items() if n)
        tasks.append(
            Task(kernel, elements, size, cycles[0] - cycles[1], gaps[0] - gaps[1] if alone else -1)
        )
    return tasks


def job_of(own: dict[str, Any], native: dict[str, Any]) -> Job:
    parts, free = own["inference"]["parts"], native["inference"]["parts"]
    copies = ("input_copy", "output_copy")
    return Job(
        len(of_host(native)),
        sum(part.get("doorbells", 0) for part in parts.values()),
        sum(free[p].get("bytes", 0) for p in copies),
        sum(parts[p]["cycles"] for p in copies),
        parts["interrupts"]["cycles"] - free["interrupts"]["cycles"],
        parts["driver"]["cycles"] - free["driver"]["cycles"],
        own["inference"]["cycles"] - native["inference"]["cycles"],
    )
