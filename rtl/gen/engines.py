"""The engines: what engine.yaml beside each contract says, joined with the contract itself.

An engine's identity stands once, in its own folder. What all of presil lists (queues, kinds, causes
of stalls, counters) is printed from here; nothing else has such a list. An engine outside this
checkout (sim/engine) is read by the same functions: join_outside() gives it numbers that no other
engine has.
"""

from __future__ import annotations

import dataclasses
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from contract import Contract, ContractError, Field, Map, Register, camel
from rules import Rule, rules_of

INTERFACE = 4  # of engine.yaml: raised where its meaning changes
KINDS, INSTANCES = 32, 64  # that a tile has addresses for: rtl/soc/README.md
MOST_WAITS = 4  # PRESIL_ENGINE_MAX_WAITS of rtl/common/engine_description.h
MOST_QUEUES = 254  # a job has a counter for each, ids 1 .. 254
OUTSIDE_QUEUES = 8  # of a tile, for engines that join when a program runs: sim/engine
WINDOW, KIND_SHIFT, INSTANCE_SHIFT = 0x2000000, 20, 14  # of an engine's registers in a tile

NAME = re.compile(r"[a-z][a-z0-9_]{0,30}")
KEYS = {"interface", "name", "kind", "meaning", "queues", "instances", "waits", "rules"}
OPTIONAL = {"kind", "instances", "rules"}
QUEUE_KEYS = {"first", "most", "registers", "counters"}


@dataclass
class Identity:
    """engine.yaml alone."""

    path: Path
    name: str
    kind: int
    meaning: str
    first_queue: int
    queues: int
    queue_map: str
    counter_map: str
    waits: list[str]
    instances: int = 1  # in a tile, at most
    next_queue: int = -1  # first of instance 1
    rules: list[Rule] = dataclasses.field(default_factory=list)  # beyond a command's fields
    more: dict[str, Any] = dataclasses.field(default_factory=dict)  # lines that say how it is built

    @property
    def base(self) -> int:
        """Of the registers of instance 0, in its tile."""
        return WINDOW + (self.kind << KIND_SHIFT)

    @property
    def queue_names(self) -> list[str]:
        return [q.name for q in self.all_queues]

    @property
    def all_queues(self) -> list[Queue]:
        """Of every instance: dla, dla1, dla2; of an engine with several queues dma0, dma1_0."""
        found = []
        for instance in range(self.instances):
            engine = f"{self.name}{instance}" if instance else self.name
            first = self.next_queue + (instance - 1) * self.queues if instance else self.first_queue
            for channel in range(self.queues):
                between = "_" if instance else ""
                name = engine if self.queues == 1 else f"{engine}{between}{channel}"
                found.append(Queue(first + channel, name, self, instance, channel))
        return found


@dataclass
class Queue:
    number: int
    name: str
    engine: Identity
    instance: int
    channel: int  # of the instance's queues


@dataclass
class Counter:
    name: str
    offset: int
    cause: str
    meaning: str


@dataclass
class Block:
    """Where queue i's registers of one sort are, in the engine's: offset + i * pitch."""

    offset: int = 0
    pitch: int = 0
    control: int = 0


@dataclass
class Engine:
    """An engine's identity and what of its contract the rest of presil needs."""

    identity: Identity
    contract: Contract
    queue: Block
    counter_block: Block
    counters: list[Counter]
    causes: list[tuple[str, str]]  # name, meaning: what its counters tell apart
    waits: list[tuple[str, str]]  # groups of causes, one for each kind that would have to signal
    capability: Register | None

    @property
    def name(self) -> str:
        return self.identity.name


def refuse(path: Path, what: str) -> None:
    raise ContractError(f"{path}: {what}")


def number(path: Path, values: dict[str, Any], key: str, least: int, most: int) -> int:
    value: Any = values.get(key)
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        refuse(path, f"{key} is {value!r}, must be a whole number from {least} to {most}")
    return int(value)


def keys(path: Path, values: Any, known: set[str], needed: set[str], what: str) -> None:
    if not isinstance(values, dict):
        refuse(path, f"{what} is {values!r}, must be lines of `key: value`")
    unknown, missing = sorted(set(values) - known), sorted(needed - set(values))
    if unknown or missing:
        said = [f"has no {', '.join(missing)}"] if missing else []
        said += [f"has {', '.join(unknown)}, which no print shows"] if unknown else []
        refuse(path, f"{what} {' and '.join(said)}; known are {', '.join(sorted(known))}")


def identity(path: Path, more: dict[str, bool] | None = None) -> Identity:
    """@param more: keys that this reader hands on, and whether each must be there. With them the
    folder is an engine's outside, whose name need not be that of its folder."""
    try:
        values = yaml.safe_load(path.read_text(encoding="utf-8"))
    except yaml.YAMLError as error:
        raise ContractError(f"{path}: is no YAML: {' '.join(str(error).split())}") from error
    handed = more or {}
    needed = KEYS - OPTIONAL | {key for key, must in handed.items() if must}
    keys(path, values, KEYS | set(handed), needed, "the description")
    if values["interface"] != INTERFACE:
        refuse(
            path,
            f"interface is {values['interface']!r}, must be {INTERFACE}: the version of "
            f"engine.yaml that this presil reads; rtl/gen/README.md has its lines",
        )
    name = values["name"]
    if not isinstance(name, str) or not NAME.fullmatch(name):
        refuse(path, f"name is {name!r}, must be lower case letters, digits, _ (31 at most)")
    if more is None and name != path.parent.name:
        refuse(path, f"name is {name}, must be that of its folder, {path.parent.name}")
    if not isinstance(values["meaning"], str) or not values["meaning"].strip():
        refuse(path, "meaning is empty, must say in a line what the engine is")
    queues = values["queues"]
    keys(path, queues, QUEUE_KEYS, {"most"}, "queues")
    instances = values.get("instances", {"most": 1, "first": -1})
    of_instances = {"most"} if more is not None else {"most", "first"}
    keys(path, instances, {"most", "first"}, of_instances, "instances")
    waits = values["waits"]
    if not isinstance(waits, list) or not 1 <= len(waits) <= MOST_WAITS:
        refuse(path, f"waits is {waits!r}, must be a list of 1 to {MOST_WAITS} fields")
    return Identity(
        path,
        name,
        number(path, {"kind": -1, **values}, "kind", -1, KINDS - 1),
        values["meaning"].strip(),
        number(path, {"first": -1, **queues}, "first", -1, MOST_QUEUES - 1),
        number(path, queues, "most", 1, INSTANCES),
        queues.get("registers", ""),
        queues.get("counters", ""),
        [str(w) for w in waits],
        number(path, instances, "most", 1, INSTANCES),
        number(path, {"first": -1, **instances}, "first", -1, MOST_QUEUES - 1),
        rules_of(path, values.get("rules", [])),
        {key: values[key] for key in handed if key in values},
    )


Claims = dict[tuple[str, Any], Identity]


def claims_of(e: Identity) -> list[tuple[str, Any]]:
    names = [("name", name) for name in dict.fromkeys([e.name, *e.queue_names])]
    return [*names, ("kind", e.kind), *(("queue", q.number) for q in e.all_queues)]


def claim(owner: Claims, e: Identity) -> None:
    """@throws ContractError where another engine has what it claims"""
    for what in claims_of(e):
        other = owner.setdefault(what, e)
        if other is not e:
            refuse(e.path, f"claims {what[0]} {what[1]}, which {other.path} has")


def identities(paths: list[Path]) -> list[Identity]:
    """All engines by kind. Refused where two claim the same, or numbers leave a gap. What claims no
    number gets the next ones, in the order of names."""
    found = sorted((identity(p) for p in paths), key=lambda e: e.name)
    for e in found:
        if e.kind < 0:
            e.kind = max(other.kind for other in found) + 1
        if e.first_queue < 0:
            taken = [q.number for o in found if o.first_queue >= 0 for q in o.all_queues]
            e.first_queue = max(taken) + 1
    found.sort(key=lambda e: e.kind)
    owner: Claims = {}
    for e in found:
        claim(owner, e)
    if len(found) > KINDS:
        refuse(found[-1].path, f"there are {len(found)} kinds of engines, a tile has {KINDS}")
    if [e.kind for e in found] != list(range(len(found))):
        taken = ", ".join(f"{e.name} {e.kind}" for e in found)
        refuse(found[-1].path, f"kinds must be 0 .. {len(found) - 1} without a gap, are {taken}")
    queues = sorted(number for what, number in owner if what == "queue")
    if queues != list(range(len(queues))):
        refuse(found[-1].path, f"queues must be 0 .. {len(queues) - 1} without a gap, are {queues}")
    most = MOST_QUEUES - OUTSIDE_QUEUES
    if len(queues) > most:
        refuse(found[-1].path, f"{len(queues)} queues, a job has counters for {most}")
    return found


def free_queues(owner: Claims, count: int) -> int:
    """The first of so many that none has, one after another; those past the last are none's."""
    free = (
        first
        for first in range(MOST_QUEUES + 1)
        if all(("queue", first + i) not in owner for i in range(count))
    )
    return next(free)


def join_outside(built_in: list[Identity], outside: list[Identity]) -> list[Identity]:
    """Those outside with numbers that neither presil's own engines nor the ones before them have.
    Gaps are allowed: a number may belong to a folder that is not of this build."""
    owner: Claims = {}
    for e in built_in:
        claim(owner, e)
    joined = []
    for given in outside:
        e = dataclasses.replace(given)
        if e.kind < 0:
            free = [k for k in range(KINDS) if ("kind", k) not in owner]
            if not free:
                refuse(e.path, f"has no kind, all {KINDS} of a tile are taken")
            e.kind = free[0]
        if e.first_queue < 0:
            together = e.queues * (e.instances if e.next_queue < 0 else 1)
            e.first_queue = free_queues(owner, together)
        if e.next_queue < 0:  # after the first one's, or wherever there are as many
            e.next_queue = e.first_queue + e.queues
            further = e.queues * (e.instances - 1)
            if any(("queue", e.next_queue + i) in owner for i in range(further)):
                e.next_queue = free_queues(owner, further)
        last = max(q.number for q in e.all_queues)
        if last >= MOST_QUEUES:
            refuse(e.path, f"its last queue is {last}, must be at most {MOST_QUEUES - 1}")
        claim(owner, e)
        joined.append(e)
    return joined


def child(e: Identity, top: Map, name: str) -> tuple[Map, Block]:
    for c in top.children:
        if c.name == name:
            if (c.count or 1) < e.queues:
                refuse(e.path, f"{name} is there {c.count or 1} times, queues.most is {e.queues}")
            return c.map, Block(c.offset, c.stride or c.map.size)
    known = ", ".join(c.name for c in top.children)
    refuse(e.path, f"{name} is no map inside {e.name} of its contract, which has {known}")
    raise AssertionError


def field(e: Identity, contract: Contract, name: str) -> Field:
    fields = contract.command.fields if contract.command else []
    for f in fields:
        if f.name == name:
            return f
    refuse(e.path, f"{name} is no field of {e.name}_command; a command has a field of that name")
    raise AssertionError


def cycles_of(
    r: Register, kinds: list[Identity]
) -> tuple[list[Counter], tuple[str, str] | None, tuple[str, str] | None]:
    """The counters of a register, and the cause or the group of waits that it counts."""
    if not r.count:
        cause = (r.cause, r.desc) if r.cause else None
        return [Counter(r.name, r.offset, r.cause, r.desc)], cause, None
    counters = [
        Counter(
            f"{r.name}_{k.name}",
            r.offset + k.kind * r.stride,
            f"{r.cause}:{k.name}" if r.cause else "",
            f"{r.desc.rstrip('.')}: {k.name}.",
        )
        for k in kinds
    ]
    return counters, None, (r.cause, r.desc) if r.cause else None


def engine(e: Identity, contract: Contract, kinds: list[Identity]) -> Engine:
    if contract.command is None or contract.map is None:
        refuse(e.path, f"{contract.path} has no {e.name} or no {e.name}_command, must have both")
    assert contract.map is not None
    if contract.map.size > 1 << INSTANCE_SHIFT:
        refuse(e.path, f"its registers take {contract.map.size} bytes, an engine has 16 KiB")
    for name in [*e.waits, *(f"{w}_value" for w in e.waits), "signal", "signal_add", "tag"]:
        field(e, contract, name)
    queue = child(e, contract.map, e.queue_map)[1] if e.queue_map else Block()
    found = Engine(e, contract, queue, Block(), [], [], [], None)
    if e.counter_map:
        counters, found.counter_block = child(e, contract.map, e.counter_map)
        for r in sorted(counters.registers, key=lambda r: r.offset):
            if r.name == "control":
                found.counter_block.control = r.offset
            elif r.bits != 64 or (r.count and r.count != len(kinds)):
                refuse(
                    contract.path,
                    f"counter {r.name} has {r.bits} bits and {r.count or 1} places, must be one of "
                    f"64 bits, or an array with one for each kind of engine",
                )
            else:
                listed, cause, waits = cycles_of(r, kinds)
                found.counters += listed
                found.causes += [cause] if cause else []
                found.waits += [waits] if waits else []
    for r in contract.map.registers:
        if r.name == "capability":
            found.capability = r
    return found


@dataclass
class Table:
    """All engines by kind, and what is counted over all of them."""

    engines: list[Engine]

    @property
    def identities(self) -> list[Identity]:
        return [e.identity for e in self.engines]

    @property
    def queues(self) -> list[Queue]:
        """Of every instance of every engine, in the order of their numbers."""
        return sorted((q for e in self.identities for q in e.all_queues), key=lambda q: q.number)

    @property
    def linked_queues(self) -> int:
        """Queues before the first one of a further instance: those that RTL has links for."""
        return next((q.number for q in self.queues if q.instance), len(self.queues))

    @property
    def causes(self) -> list[tuple[str, str]]:
        """Name and first meaning; `run` is the first, every other as the engines come."""
        found: dict[str, str] = {}
        for e in self.engines:
            for name, meaning in e.causes:
                found.setdefault(name, meaning)
        return sorted(found.items(), key=lambda cause: cause[0] != "run")

    @property
    def waits(self) -> list[str]:
        """The groups, as the engines come."""
        found = dict.fromkeys(name for e in self.engines for name, _ in e.waits)
        clash = set(found) & {name for name, _ in self.causes}
        if clash:
            raise ContractError(f"{', '.join(sorted(clash))}: a cause and a group of waits")
        return list(found)

    def wait_meaning(self, group: str) -> str:
        return next(m for e in self.engines for name, m in e.waits if name == group)


def outside(e: Identity, contract: Contract, built_in: Table) -> Engine:
    """One outside: its counters of waits tell presil's own kinds apart, its causes are theirs."""
    found = engine(e, contract, built_in.identities)
    causes = [name for name, _ in built_in.causes]
    for name, known in [
        *((name, causes) for name, _ in found.causes),
        *((name, built_in.waits) for name, _ in found.waits),
    ]:
        if name not in known:
            refuse(
                contract.path,
                f"a counter has cause {name}, must be one that runs report: {', '.join(known)}; "
                f"a counter of anything else has no cause",
            )
    return found


def table(kinds: list[Identity], contracts: dict[str, Contract]) -> Table:
    for e in kinds:
        if e.name not in contracts:
            refuse(e.path, f"has no contract, must have {e.name}.rdl beside it")
    return Table([engine(e, contracts[e.name], kinds) for e in kinds])


def enumerator(name: str) -> str:
    return "k" + camel(name)
