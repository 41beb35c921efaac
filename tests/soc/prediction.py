"""What a change of the SoC does to a network's cycles, said from a run without the change.

The base run's record gives each command its own work; its program gives the waits. Both are played
again with other sizes. In words:

- A queue does its commands one after another; a command begins when those it waits for have ended.
- DLA: a command takes all its cycles of the base run that did not wait for another engine. On
  another array it has fewer passes (taps x blocks of input lanes x blocks of output rows), each as
  long as before, but no shorter than the load of one weight set + 1; post-processing follows the
  blocks of output rows.
- DMA: the memory moves one command after another at the rate that the base run's DMA reached while
  it was moving (bytes / cycles neither idle nor waiting for other engines), times the change of the
  peak. Data begins to arrive one latency after the command has begun, if the memory is free. A
  channel asks for the next command's data while the last ones of a load are on their way.
- Host: a task takes what it took, from the end of the last command it waited for.
- SRAM: weights of a layer are loaded from the first step on at which they, the weights of the
  steps between and the tensors alive there fit together. A step whose tensors do not fit at all
  moves them through memory once: it takes the longer of its work and that.

predicted = cycles of the base run + (the play with the change - the play without it)
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import presil

COUNTERS = {1: "dla", 2: "dsp", 3: "host", **{4 + i: f"dma{i}" for i in range(8)}}
ALONE = 56  # a load of n bytes from offer to completion: 56 + n / rate (models/dma/README.md)
ALONE_STORE = 13


@dataclass
class Change:
    """Two SoCs, as far as the play knows them."""

    peak: float = 1.0  # factor of the DRAM's rate
    latency: float = 0.0  # cycles more until data arrives
    macs_k: int = 16
    macs_c: int = 16
    weight_ports: int = 1
    sram: int | None = None  # bytes, where there are fewer


@dataclass
class Command:
    """A command of the base run: its words, its waits and its own work."""

    queue: str
    words: dict[str, str]
    layer: int
    waits: list[tuple[str, int]]  # the first n commands of a queue
    own: float = 0.0
    moved: int = 0
    stores: bool = False
    causes: dict[str, int] = field(default_factory=dict)

    def word(self, name: str, default: int = 1) -> int:
        return int(self.words.get(name, str(default)), 0)


@dataclass
class Case:
    """A change as a user makes it, and as the play knows it."""

    name: str
    overrides: list[str]
    change: Change


def cases(soc: Any) -> list[Case]:
    """The four changes of a SoC like `edge`."""
    peak, latency = soc.config["dram.peak_mb_per_s"], soc.config["dram.read_latency_ps"]
    more = latency * soc.config["clock_mhz"] / 1e6
    wide = {"macs_k": 32, "macs_c": 32, "feat_ports": 8}
    wide |= {"weight_ports": 2, "post_lanes": 32, "ew_lanes": 16}
    return [
        Case("half the DRAM rate", [f"dram.peak_mb_per_s={peak // 2}"], Change(peak=0.5)),
        Case(
            "32 x 32 array",
            [f"dla.{name}={value}" for name, value in wide.items()],
            Change(macs_k=32, macs_c=32, weight_ports=2),
        ),
        Case("128 KiB SRAM", ["sram.bytes=131072"], Change(sram=131072)),
        Case("twice the latency", [f"dram.read_latency_ps={2 * latency}"], Change(latency=more)),
    ]


@dataclass
class Row:
    """One line of the table."""

    case: str
    base: int
    predicted: int
    got: int

    @property
    def error(self) -> float:
        return self.predicted / self.got - 1


def predict_and_run(network: presil.Network, overrides: list[str]) -> tuple[float, list[Row]]:
    """How far the play of the base run itself is off, and every change predicted, then run."""
    inputs = [np.zeros((1, *t["shape"][1:]), np.int8) for t in network.inputs]

    def run(more: list[str]) -> presil.Run:
        soc = presil.load_soc("edge", [*overrides, *more])
        return presil.run(presil.compile(network, soc), inputs, "none")

    base = Base(run([]))
    rows = []
    for case in cases(presil.load_soc("edge", overrides)):
        predicted = round(base.predict(case.change))
        rows.append(Row(case.name, base.run.cycles, predicted, run(case.overrides).cycles))
    return base.play(base.same()) / base.run.cycles - 1, rows


def ceil_div(a: int, b: int) -> int:
    return -(-a // b)


class Base:
    """A run and its program, made ready to be played."""

    def __init__(self, run: presil.Run) -> None:
        self.run = run
        self.soc = run.record["soc"]["config"]
        self.queues: dict[str, list[Command]] = defaultdict(list)
        ends: dict[str, list[int]] = defaultdict(list)
        recorded = sorted(run.commands, key=lambda c: (c["queue"], c["index"]))
        begin = min(c["offered"] for c in recorded if c["queue"] != "host")
        self.first_offer: dict[str, int] = {}
        by_place = {(c["queue"], c["index"]): c for c in recorded}
        for c in recorded:
            ends[c["queue"]].append(c["end"])
            self.first_offer.setdefault(c["queue"], max(0, c["offered"] - begin))
        for queue, index, words in lines_of(run.program.streams):
            c = by_place[queue, index]
            command = Command(queue, words, c["layer"], waits_of(words))
            command.causes = c["causes"]
            command.moved = c["dram_read"] + c["dram_written"]
            command.stores = c["dram_written"] > 0
            if queue == "dla":
                command.own = sum(n for cause, n in c["causes"].items() if is_own(cause))
            elif queue == "host":
                command.own = c["end"] - max((ends[q][n - 1] for q, n in command.waits), default=0)
            self.queues[queue].append(command)
        self.rate = moving_rate(run)
        self.entries = entries_of(run.program.memory_map)
        self.step_of = {layer: step for step, layer in enumerate(steps_of(run))}

    # ---- the play

    def play(self, change: Change) -> float:
        """Cycles from the first command offered to the last completion."""
        rate = self.rate * change.peak
        gates = self.room(change.sram) if change.sram else {}
        through = self.through_memory(change.sram) if change.sram else {}
        place = dict.fromkeys(self.queues, 0)
        free = {q: float(self.first_offer[q]) for q in self.queues}
        ends: dict[str, list[float]] = defaultdict(list)
        layer_begins: dict[int, float] = {}
        memory = 0.0
        while True:
            heads = []
            for queue, commands in self.queues.items():
                if place[queue] == len(commands):
                    continue
                command = commands[place[queue]]
                begin = free[queue]
                known = all(len(ends[q]) >= n for q, n in command.waits)
                if known and queue.startswith("dma") and not command.stores:
                    gate = gates.get(command.layer)
                    known = gate is None or gate in layer_begins
                    begin = max(begin, layer_begins.get(gate, 0.0)) if known else begin
                if known:
                    waited = max((ends[q][n - 1] for q, n in command.waits), default=0.0)
                    heads.append((max(begin, waited), queue, waited))
            if not heads:
                break
            begin, queue, waited = min(heads)
            command = self.queues[queue][place[queue]]
            if queue == "dla":
                work = self.dla_work(command, change)
                share = work / max(1.0, self.layer_work(command.layer, change))
                work = max(work, through.get(command.layer, 0) / rate * share)
                layer_begins.setdefault(command.layer, begin)
                end = begin + work
            elif queue == "host":
                end = waited + command.own
            else:
                alone = ALONE_STORE if command.stores else ALONE + change.latency
                moved = command.moved * self.weights_grow(command, change)
                end = memory = max(memory, begin + alone) + moved / rate
            free[queue] = end
            if queue.startswith("dma") and not command.stores:
                free[queue] = max(begin, end - alone)
            ends[queue].append(end)
            place[queue] += 1
        assert all(place[q] == len(c) for q, c in self.queues.items()), place
        return max(ends_of[-1] for ends_of in ends.values())

    def predict(self, change: Change) -> float:
        return self.run.cycles + self.play(change) - self.play(self.same())

    # ---- the array

    def same(self) -> Change:
        return Change(
            macs_k=int(self.soc["dla.macs_k"]),
            macs_c=int(self.soc["dla.macs_c"]),
            weight_ports=int(self.soc["dla.weight_ports"]),
        )

    def groups(self, command: Command, change: Change) -> float:
        """Blocks of output rows; of a layer cut into some of them, this command's share."""
        blocks = {c.words.get("w_base"): c.word("out_blocks") for c in self.of_layer(command.layer)}
        whole = sum(blocks.values())
        return ceil_div(16 * whole, change.macs_k) * command.word("out_blocks") / whole

    def passes(self, command: Command, change: Change) -> tuple[float, int]:
        """Passes, and bytes of the weight set of each."""
        row_blocks = ceil_div(command.word("out_h"), command.word("block_rows"))
        groups = self.groups(command, change) * row_blocks
        if command.words["op"] != "conv":
            return groups, change.macs_k * 16
        lanes = command.word("in_blocks")
        if "packed" in command.words:
            return groups * lanes * command.word("kernel_h"), change.macs_k * 16
        taps = command.word("kernel_h") * command.word("kernel_w")
        lanes = ceil_div(16 * lanes, change.macs_c)
        return groups * lanes * taps, change.macs_k * change.macs_c

    def dla_work(self, command: Command, change: Change) -> float:
        if change.macs_k == self.same().macs_k or command.words["op"] == "nop":
            return command.own
        old, _ = self.passes(command, self.same())
        new, set_bytes = self.passes(command, change)
        run, weights, post = (command.causes.get(c, 0) for c in ("run", "weights", "post"))
        work = command.own - run - weights - post
        if "w_base" in command.words:
            load = set_bytes / (16 * change.weight_ports)
            work += new * max(run / old, load + 1 if weights else 0)
        else:
            work += run * new / old + weights
        return work + post * self.groups(command, change) / command.word("out_blocks")

    def weights_grow(self, command: Command, change: Change) -> float:
        """Weight sets are padded to whole arrays."""
        computes = self.of_layer(command.layer)
        if command.queue != "dma0" or not computes or "w_base" not in computes[0].words:
            return 1.0
        old, new = self.passes(computes[0], self.same()), self.passes(computes[0], change)
        return new[0] * new[1] / (old[0] * old[1])

    def of_layer(self, layer: int) -> list[Command]:
        return [c for c in self.queues["dla"] if c.layer == layer]

    def layer_work(self, layer: int, change: Change) -> float:
        return sum(self.dla_work(c, change) for c in self.of_layer(layer))

    # ---- the SRAM

    def alive(self, step: int) -> int:
        return sum(e["bytes"] for e in self.entries if not e["weights"] and step in e["steps"])

    def weights(self) -> dict[int, int]:
        """Bytes by step: weights die with their layer."""
        found: dict[int, int] = defaultdict(int)
        for e in self.entries:
            if e["weights"]:
                found[e["steps"][-1]] += e["bytes"]
        return found

    def room(self, sram: int) -> dict[int, int]:
        """By layer: the layer that must have begun before its weights may be loaded."""
        weights = self.weights()
        layers = {step: layer for layer, step in self.step_of.items()}
        gates = {}
        for step in weights:
            first = step
            while first > 0 and all(
                self.alive(j) + sum(weights.get(i, 0) for i in range(j, step + 1)) <= sram
                for j in range(first - 1, step)
            ):
                first -= 1
            if 0 < first < step:
                gates[layers[step]] = layers[first]
            elif first == step and step > 0:
                gates[layers[step]] = layers[step - 1]
        return gates

    def through_memory(self, sram: int) -> dict[int, int]:
        """By layer: bytes that pass through memory because a step's tensors do not fit."""
        weights = self.weights()
        return {
            layer: self.alive(step)
            for layer, step in self.step_of.items()
            if self.alive(step) + weights.get(step, 0) > sram
        }


def is_own(cause: str) -> bool:
    """Handing over from one command of the DLA to the next is its own time."""
    return ":" not in cause or cause.endswith(":dla")


def lines_of(streams: str) -> list[tuple[str, int, dict[str, str]]]:
    """Queue, index and words of every line of the readable stream."""
    rows = []
    for line in streams.splitlines():
        found = re.match(r"(\w+) (\d+): (\w+) ?([^;]*)", line)
        if found:
            queue, index, op, rest = found.groups()
            words = {"op": op, **dict(word.split("=", 1) for word in rest.split())}
            rows.append((queue, int(index), words))
    return rows


def waits_of(words: dict[str, str]) -> list[tuple[str, int]]:
    waits = []
    for name in ("wait_weights", "wait_in", "wait_out", "wait0", "wait1"):
        if name in words:
            waits.append((COUNTERS[int(words[name], 0)], int(words[f"{name}_value"], 0)))
    return waits


def entries_of(memory_map: str) -> list[dict[str, Any]]:
    """The SRAM's part of the memory map: bytes, steps, and whether they are weights."""
    entries = []
    for line in memory_map.split("inputs:")[0].splitlines():
        found = re.match(r" *0x\w+ \.\. 0x\w+ +(\d+) B +steps +(\d+) \.\. +(\d+) +(\w+)", line)
        if found:
            size, first, last, what = found.groups()
            steps = range(int(first), int(last) + 1)
            entries.append({"bytes": int(size), "steps": steps, "weights": what == "weights"})
    return entries


def steps_of(run: presil.Run) -> list[int]:
    """Layers that do work, in order."""
    return [row["index"] for row in run.layers if row["engine"] in ("dla", "host")]


def moving_rate(run: presil.Run) -> float:
    """Bytes per cycle of the DMA while it moved data or waited for the memory."""
    dma = run.record["engines"]["dma"]
    moving = dma["busy"] + sum(n for cause, n in dma["stall"].items() if ":" not in cause)
    memory = run.record["memory"]["dram"]
    return (memory["read_bytes"] + memory["written_bytes"]) / moving
