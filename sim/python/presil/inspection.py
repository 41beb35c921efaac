"""What `presil inspect` shows: a summary, whole sections, or what belongs to one layer; as text for
people or as data."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from . import explain
from .engines import queue_names
from .names import hint
from .program import Program
from .refusal import Refusal

SECTIONS = ("graph", "placement", "memory", "streams")
MOST_KINDS = 8
MOST_REASONS = 6
MOST_BUFFERS = 3
MOST_NAMES = 6
TENSOR = re.compile(r"%\d+")
FROM = re.compile(r" from \[([\d ]+)\] : ")
COMMAND = re.compile(r"^(\w+) (\d+): ")


class Inspection:
    """A program, or one layer of it."""

    def __init__(self, program: Program, layer: str | None = None) -> None:
        self.program = program
        self.info = program.info
        self.layer: int | None = None
        names = [str(row["name"]) for row in self.info["layers"]]
        if layer is not None:
            if layer not in names:
                raise Refusal(
                    f"inspect: there is no layer '{layer}'{hint(layer, names)}; layers are "
                    f"{self._some(names)}, `inspect --section placement` has all"
                )
            self.layer = names.index(layer)
        self.names = names

    def text(self, sections: Iterable[str]) -> str:
        return "\n".join(getattr(self, f"_{section}")().rstrip("\n") + "\n" for section in sections)

    def data(self, sections: Iterable[str]) -> dict[str, Any]:
        """As `text`, for machines."""
        info = self.info
        head = {"network": self.program.name, "soc": info["soc_name"], "numerics": info["numerics"]}
        if self.layer is not None:
            head["layer"] = self.names[self.layer]
        return {**head, **{name: getattr(self, f"_{name}_data")() for name in sections}}

    def summary(self) -> str:
        """A screen: how much there is of each section, and how to see it."""
        info, program = self.info, self.program
        size = f"{sum(row['macs'] for row in info['layers']) / 1e6:,.2f} MMAC"
        lines = [
            f"{program.name} for {info['soc_name']}, numerics {info['numerics']}: {size}, "
            f"{info['params']:,} parameters"
        ]
        for word, tensors in (("input", program.inputs), ("output", program.outputs)):
            lines += [f"  {word:6} {t['name']} {t['dtype']}{t['shape']}" for t in tensors]
        lines += ["", f"graph: {self._kinds()}", f"placement: {explain.summary(program)}"]
        lines += self._elsewhere()
        lines += [f"memory: {self._sizes()}", *self._largest(), f"streams: {self._queues()}", ""]
        lines.append(f"layers: {self._some(self.names)}")
        lines.append(
            f"--section {'|'.join(SECTIONS)} shows one whole, --layer NAME what belongs to a "
            "layer, --json data"
        )
        return "\n".join(lines)

    # What the summary says of each section.

    def _kinds(self) -> str:
        graph = self.program.graph
        if graph is None:
            return "compiled with --strip, so it is not here"
        count = Counter(about["kind"] for about in graph.ops).most_common()
        kinds = ", ".join(f"{n} {kind}" for kind, n in count[:MOST_KINDS])
        more = sum(n for _, n in count[MOST_KINDS:])
        return f"{len(graph.ops)} operators: {kinds}{f' and {more} others' if more else ''}"

    def _elsewhere(self) -> list[str]:
        """Why operators are on the host, which is what people come here for."""
        reasons = Counter(
            (p["op"], p["reason"]) for p in self.program.placement if p["engine"] == "host"
        )
        lines = [f"  {n} {op} on the host: {why}" for (op, why), n in reasons.most_common()]
        more = len(lines) - MOST_REASONS
        return lines[:MOST_REASONS] + ([f"  and {more} more reasons"] if more > 0 else [])

    def _sizes(self) -> str:
        info = self.info
        there = dict(line.partition("=")[::2] for line in info["soc_text"].splitlines())
        return (
            f"SRAM peak {info['sram_bytes']:,} of {int(there['sram.bytes']):,} bytes in "
            f"{len(info['buffers'])} buffers; DRAM {info['image_bytes']:,} bytes of weights and "
            f"streams, {info['input_bytes']:,} of inputs, {info['output_bytes']:,} of outputs, "
            f"{info['scratch_bytes']:,} of scratch"
        )

    def _largest(self) -> list[str]:
        rows = sorted(self.info["buffers"], key=lambda b: -b["bytes"])[:MOST_BUFFERS]
        return [f"  {row['bytes']:,} bytes: {row['what']}" for row in rows]

    def _queues(self) -> str:
        names = queue_names()
        count = Counter(names[queue] for queue, *_ in self.info["commands"])
        queues = ", ".join(f"{count[name]:,} {name}" for name in names if count[name])
        return f"{len(self.info['commands']):,} commands: {queues}"

    @staticmethod
    def _some(names: Sequence[str]) -> str:
        more = len(names) - MOST_NAMES
        return ", ".join(names[:MOST_NAMES]) + (f" and {more} more" if more > 0 else "")

    # Sections, of the layer or whole.

    def _graph(self) -> str:
        program = self.program
        if program.graph is None:
            return f"# {program.name}: compiled with --strip, so its graph is not here"
        text = str(program.graph.readable())
        if self.layer is None:
            return text
        return "\n".join(self._lines_of_layer(text.splitlines()))

    def _lines_of_layer(self, lines: list[str]) -> list[str]:
        """Operators by the numbers of their source, and the constants that they read."""
        expected = set(self.info["layers"][self.layer]["source_ops"])
        own = {
            i
            for i, line in enumerate(lines)
            if (found := FROM.search(line)) and expected & set(map(int, found[1].split()))
        }
        read = {name for i in own for name in TENSOR.findall(lines[i].partition(" = ")[2])}
        constants = {
            i
            for i, line in enumerate(lines)
            if line.startswith("  const ") and TENSOR.findall(line)[0] in read
        }
        return [lines[i] for i in sorted(own | constants)]

    def _placement(self) -> str:
        said = "\n".join(map(explain.sentence, self._placements()))
        if self.layer is not None:
            return f"# placement\n{said}"
        return f"# placement: {explain.summary(self.program)}\n{said}"

    def _memory(self) -> str:
        if self.layer is None:
            return f"# memory\n{self.program.memory_map}"
        lines = [
            f"  0x{b['offset']:06x} .. 0x{b['offset'] + b['bytes'] - 1:06x}  {b['bytes']:9} B  "
            f"{b['what']}"
            for b in self._buffers()
        ]
        return "\n".join(["# memory: buffers of the SRAM that its commands touch", *lines])

    def _streams(self) -> str:
        lines = [row["text"] for row in self._commands()]
        return "\n".join(["# streams", *lines])

    # The same as data.

    def _placements(self) -> list[dict[str, Any]]:
        rows = self.program.placement
        return [p for p in rows if self.layer is None or p["layer"] == self.layer]

    def _buffers(self) -> list[dict[str, Any]]:
        commands = self.info["commands"]
        return [
            buffer
            for buffer in self.info["buffers"]
            if self.layer is None or any(commands[t][2] == self.layer for t in buffer["commands"])
        ]

    def _commands(self) -> list[dict[str, Any]]:
        names = queue_names()
        of = {(names[q], i): (layer, tile) for q, i, layer, tile in self.info["commands"]}
        rows = []
        for line in self.program.streams.splitlines():
            found = COMMAND.match(line)
            queue, index = (found[1], int(found[2])) if found else ("", 0)
            layer, tile = of.get((queue, index), (-1, 0))  # -1: of no layer, as a new image
            if self.layer is None or layer == self.layer:
                name = self.names[layer] if layer >= 0 else None
                rows.append(
                    {"queue": queue, "index": index, "layer": name, "tile": tile, "text": line}
                )
        return rows

    def _graph_data(self) -> list[dict[str, Any]] | None:
        graph = self.program.graph
        if graph is None:
            return None
        expected = (
            None if self.layer is None else set(self.info["layers"][self.layer]["source_ops"])
        )
        return [
            {
                "op": about["kind"],
                "name": about["name"],
                "attributes": about["attributes"],
                "inputs": [plain(t) for t in about["inputs"]],
                "outputs": [plain(t) for t in about["outputs"]],
            }
            for index, about in enumerate(graph.ops)
            if expected is None or index in expected
        ]

    def _placement_data(self) -> list[dict[str, Any]]:
        return [{**p, "sentence": explain.sentence(p)} for p in self._placements()]

    def _memory_data(self) -> dict[str, Any]:
        sizes = ("sram_bytes", "image_bytes", "input_bytes", "output_bytes", "scratch_bytes")
        return {**{key: self.info[key] for key in sizes}, "buffers": self._buffers()}

    def _streams_data(self) -> list[dict[str, Any]]:
        return self._commands()


def plain(tensor: dict[str, Any] | None) -> dict[str, Any] | None:
    """A tensor without its values."""
    if tensor is None:
        return None
    return {key: tensor[key] for key in ("name", "dtype", "shape")}
