"""Faults of the hardware as data: kind, place, moment, count. sim/faults/README.md has the kinds.

`--fault FILE.yaml` and `presil.run(..., fault=...)` take a list of them, and random ones by seed.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import yaml

from . import contract
from .kernel_file import OneOfEach
from .names import described, existing_file, number, one_of
from .program import Program
from .refusal import Refusal

MEMORIES = ("sram", "constants", "inputs", "outputs", "scratch")
ACCESSES = ("any", "read", "write", "fetch")
MOST_CYCLE = 2**40
MOMENT = ("cycle", "sample")
BURSTS = ("queue", "access", "after", "count", *MOMENT)
KINDS: dict[str, tuple[str, ...]] = {
    "bus_error": BURSTS,
    "wrong_order": BURSTS,
    "late_answer": (*BURSTS, "cycles"),
    "ecc_single": ("memory", "address", *MOMENT),
    "ecc_double": ("memory", "address", "bits", *MOMENT),
    "stuck": ("queue", "cycles", *MOMENT),
    "clock_stop": ("queue", "cycles", *MOMENT),
    "lost_interrupt": ("line", "cycles", *MOMENT),
    "spurious_interrupt": ("line", "cycles", *MOMENT),
    "lost_doorbell": ("queue", "sample"),
    "corrupt_command": ("queue", "command", "word", "bits", "new_crc", *MOMENT),
    "corrupt_job": ("queue", "word", "bits", "sample"),
    "reset": MOMENT,
    "power_loss": MOMENT,
}
"""Of each kind the keys that it may have, besides `kind`."""
NUMBERS = ("address", "command", "word", "bits", "after", "count", "cycle", "cycles", "sample")
RING_WORDS = 32


@dataclass(frozen=True)
class Fault:
    """One thing that goes wrong. Cycles count from the beginning of the job."""

    kind: str
    queue: str = "dla"
    access: str = "any"
    line: str = "sync"
    memory: str = "sram"
    address: int = 0
    command: int = 0
    word: int = 0
    bits: int = 1
    new_crc: bool = False
    after: int = 0
    count: int = 1
    cycle: int = 0
    cycles: int = 0
    sample: int = 0

    def said(self) -> dict[str, Any]:
        """As in a file, without what its kind does not use."""
        return {"kind": self.kind, **{key: asdict(self)[key] for key in KINDS[self.kind]}}

    def text(self) -> str:
        """'bus_error of dma0, read, burst 3'."""
        parts = [f"{key} {value}" for key, value in self.said().items() if key != "kind"]
        return f"{self.kind}: " + ", ".join(parts)

    def message(self) -> dict[str, Any]:
        """As the simulator is told."""
        said = self.said()
        said.pop("sample")
        if "queue" in said:
            said["queue"] = contract.QUEUES.index(self.queue)
        if "line" in said:
            said["lines"] = line_bit(said.pop("line"))
        if "memory" in said:
            memory = said.pop("memory")
            said["sram"] = memory == "sram"
            if memory != "sram":
                said["region"] = MEMORIES.index(memory) - 1
        if self.kind == "ecc_double" and bin(self.bits).count("1") != 2:
            said["bits"] = 3
        return said


def line_bit(line: str) -> int:
    """Of the host's irq_pending."""
    return 1 if line == "sync" else 1 << 2 + contract.ENGINES[line].kind


def lines() -> list[str]:
    return ["sync", *(name for name in contract.ENGINES if name != "host")]


@dataclass(frozen=True)
class FaultPlan:
    """What goes wrong in a run."""

    faults: tuple[Fault, ...] = ()

    def of_sample(self, index: int) -> list[Fault]:
        return [fault for fault in self.faults if fault.sample == index]


def fault_of(entry: Any, where: str) -> Fault:
    """Of a mapping. @raises Refusal"""
    if not isinstance(entry, Mapping):
        raise Refusal(f"{where}: is {described(entry)}, must be a mapping with `kind`")
    kind = one_of(entry.get("kind"), tuple(KINDS), f"{where}: kind")
    allowed = KINDS[kind]
    for key in entry:
        if key != "kind" and key not in allowed:
            raise Refusal(
                f"{where}: {kind} has a key '{key}', must be one of {', '.join(allowed)}; "
                "sim/faults/README.md lists them"
            )
    values: dict[str, Any] = {}
    for key, choices in (
        ("queue", contract.QUEUES),
        ("access", ACCESSES),
        ("line", tuple(lines())),
        ("memory", MEMORIES),
    ):
        if key in entry:
            values[key] = one_of(entry[key], choices, f"{where}: {key}")
    for key in NUMBERS:
        if key in entry:
            most = 2**32 - 1 if key == "bits" else MOST_CYCLE
            limits = f", must be 0 to {most}"
            number(entry[key], 0, most, f"{where}: {key}", limits, whole=True)
            values[key] = int(entry[key])
    if not isinstance(entry.get("new_crc", False), bool):
        raise Refusal(f"{where}: new_crc is {described(entry['new_crc'])}, must be true or false")
    values["new_crc"] = bool(entry.get("new_crc", False))
    if kind == "late_answer" and not values.get("cycles"):
        raise Refusal(f"{where}: cycles is 0, must be how late the answer is, at least 1")
    return Fault(kind=kind, **values)


def faults_of(given: Any, program: Program) -> FaultPlan:
    """Of a file's name, a mapping as a file has it, a list of faults, a plan, or None."""
    if given is None:
        return FaultPlan()
    if isinstance(given, FaultPlan):
        return given
    if isinstance(given, Fault):
        return FaultPlan((given,))
    where = "fault"
    if isinstance(given, (str, Path)):
        path = existing_file(given, "fault", "sim/faults/README.md shows one")
        where = f"fault '{path}'"
        try:
            given = yaml.load(path.read_text(encoding="utf-8"), OneOfEach)  # noqa: S506
        except (yaml.YAMLError, UnicodeDecodeError) as error:
            said = " ".join(str(error).split())
            raise Refusal(f"{where}: is no YAML: {said}; sim/faults/README.md shows one") from None
    if isinstance(given, Sequence) and not isinstance(given, (str, bytes)):
        given = {"faults": list(given)}
    if not isinstance(given, Mapping):
        raise Refusal(f"{where}: is {described(given)}, must be a file, a mapping or a list")
    for key in given:
        if key not in ("faults", "random"):
            raise Refusal(f"{where}: has a key '{key}', must be `faults` or `random`")
    entries = given.get("faults") or []
    if not isinstance(entries, Sequence) or isinstance(entries, str):
        raise Refusal(f"{where}: faults is {described(entries)}, must be a list")
    found = [
        entry if isinstance(entry, Fault) else fault_of(entry, f"{where}: fault {i}")
        for i, entry in enumerate(entries)
    ]
    if given.get("random") is not None:
        found += random_of(given["random"], program, where)
    return FaultPlan(tuple(found))


def random_of(entry: Any, program: Program, where: str) -> list[Fault]:
    keys = {"count": 1, "seed": 1, "kinds": list(KINDS), "cycles": 100_000}
    if not isinstance(entry, Mapping) or set(entry) - set(keys):
        raise Refusal(f"{where}: random must be a mapping with {', '.join(keys)}")
    asked = {**keys, **entry}
    for key in ("count", "seed", "cycles"):
        limits = f", must be 0 to {MOST_CYCLE}"
        number(asked[key], 0, MOST_CYCLE, f"{where}: random: {key}", limits, whole=True)
    if not isinstance(asked["kinds"], list) or not asked["kinds"]:
        raise Refusal(f"{where}: random: kinds must be a list of kinds")
    for kind in asked["kinds"]:
        one_of(kind, tuple(KINDS), f"{where}: random: kinds")
    faults = random_faults(program, asked["seed"], asked["cycles"], asked["kinds"])
    return [next(faults) for _ in range(asked["count"])]


def random_faults(
    program: Program, seed: int, cycles: int, kinds: Sequence[str] = tuple(KINDS)
) -> Iterator[Fault]:
    """Faults without end, each kind in its turn, at random places and moments of a job that takes
    so many cycles."""
    dice = random.Random(seed)
    commands: dict[int, int] = {}
    for queue, *_ in program.info["commands"]:
        if queue < len(contract.QUEUES):
            commands[queue] = commands.get(queue, 0) + 1
    engines = [q for q in commands if contract.QUEUES[q] != "host"]
    sizes = {"sram": program.info["sram_bytes"]}
    for memory, key in zip(MEMORIES[1:], ("image", "input", "output", "scratch")):
        sizes[memory] = program.info[f"{key}_bytes"]
    turn = 0
    while True:
        kind = kinds[turn % len(kinds)]
        turn += 1
        queue = dice.choice(list(commands) if kind == "corrupt_command" else engines)
        name = contract.QUEUES[queue]
        memory = dice.choice([m for m in MEMORIES if sizes[m] >= 8])
        fields = contract.ENGINES[contract.ENGINE_OF[name]].fields
        words = 1 + max(field.word for field in fields.values())
        said: dict[str, Any] = {
            "queue": name,
            "access": dice.choice(("any", "any", "read", "write", "fetch")),
            "line": dice.choice(lines()),
            "memory": memory,
            "address": dice.randrange(sizes[memory] // 4) * 4,
            "command": dice.randrange(commands[queue]),
            "word": dice.randrange(RING_WORDS if kind == "corrupt_job" else words),
            "bits": bits_of(dice, 2 if kind == "ecc_double" else 0),
            "after": int(dice.expovariate(1 / 20)),
            "count": dice.choice((1, 1, 1, 3, 1000)),
            "cycle": dice.choice((0, dice.randrange(cycles), dice.randrange(cycles))),
            "cycles": dice.choice((0, 1, 100, 10_000, 1_000_000)),
            "new_crc": False,
            "sample": 0,
        }
        if kind == "late_answer":
            said["cycles"] = dice.choice((1, 17, 300, 5_000, 200_000))
        yield Fault(kind=kind, **{key: said[key] for key in KINDS[kind]})


def bits_of(dice: random.Random, count: int) -> int:
    """That many bits of a word; 0: mostly one, sometimes several."""
    count = count or dice.choice((1, 1, 1, 2, 3, 7, 16, 32))
    return sum(1 << bit for bit in dice.sample(range(32), count))
