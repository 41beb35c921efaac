"""What the SystemVerilog register block of a map holds: its structs, its decoder, its storage.

Inner maps called `queue` are left out: queue_frontend.sv owns their registers. The owner of a field
follows from its rights:

    hardware writes, software reads        a value on hw_i, not stored here
    both write (and not write 1 to clear)  hardware stores it: on hw_i; strobe and data on reg_o
    write 1 to clear                       stored; hw_i sets bits
    software writes, hardware reads        stored, its value on reg_o
    software writes, cannot read           strobe and data on reg_o; singlepulse: the bit itself
"""

from __future__ import annotations

from dataclasses import dataclass, field

from contract import ContractError, Field, Map, Register, camel
from keywords import sv_name

UNROLLED = 8  # longer arrays of registers of 32 bits and one field are decoded by an index


@dataclass
class Member:
    """A member of registers_in_t, registers_out_t or of a struct inside them."""

    name: str
    width: int = 1
    count: int = 0
    type: str = ""  # a struct's, for an inner map

    @property
    def declaration(self) -> str:
        array = f"[{self.count - 1}:0]" if self.count else ""
        if self.type:
            return f"{self.type} {array + ' ' if array else ''}{self.name}"
        bits = f"[{self.width - 1}:0]" if self.width > 1 else ""
        return f"logic {array}{bits}{' ' if array or bits else ''}{self.name}"


@dataclass
class Part:
    """The structs of one map: what hardware gives, what it gets."""

    type_name: str
    title: str
    inputs: list[Member]
    outputs: list[Member]


@dataclass
class Word:
    """32 bits at an offset of their window: what a read shows and what a write does."""

    name: str
    offset: int
    reads: list[tuple[str, str]] = field(default_factory=list)  # bits of rdata, expression
    readable: bool = False
    writable: bool = False
    strobe: str = ""  # the signal that a write raises


@dataclass
class Window:
    """Words of an array: `first` .. `last`, the element by `index`."""

    name: str
    first: int
    last: int
    stride: int
    index: str = ""
    index_bits: int = 0
    words: list[Word] = field(default_factory=list)


@dataclass
class Store:
    name: str  # of the flip-flops, without _q
    width: int
    count: int
    reset: str
    strobe: str
    bits: str  # of wdata
    set_by: str  # w1c: the expression that sets bits


@dataclass
class Block:
    words: list[Word]
    windows: list[Window]
    stores: list[Store]
    strobes: list[Member]
    outputs: list[tuple[str, str]]  # member of reg_o, expression; `[i]` in both: for every element
    loops: list[tuple[int, list[tuple[str, str]]]]
    parameters: list[tuple[str, int, int]]
    queues: list[tuple[int, int]]
    has_inputs: bool
    has_outputs: bool


def shared(f: Field) -> bool:
    return f.hw_writable and f.writable and not f.w1c and not f.pulse


def handed_over(f: Field) -> bool:
    """Software's write is told with a strobe and stored, if at all, by hardware."""
    return shared(f) or (f.writable and not f.readable and not f.pulse)


def stored(f: Field) -> bool:
    return f.writable and f.readable and not shared(f)


def check(r: Register) -> None:
    for f in r.fields:
        if f.readable and not f.writable and not f.hw_writable:
            raise ContractError(f"{r.name}.{f.name}: nothing writes it, must have hw = w")
        if r.bits == 64 and f.writable:
            raise ContractError(f"{r.name}.{f.name}: 64 bits that software writes are not known")


def children(m: Map) -> list[object]:
    return [c for c in m.children if c.map.type_name != "queue"]


def in_order(m: Map) -> list[object]:
    return sorted([*m.registers, *children(m)], key=lambda x: x.offset)


def members(m: Map) -> tuple[list[Member], list[Member]]:
    inputs: list[Member] = []
    outputs: list[Member] = []
    for x in in_order(m):
        if not isinstance(x, Register):
            name, inner = sv_name(x.name), members(x.map)
            for mine, its, way in ((inputs, inner[0], "in"), (outputs, inner[1], "out")):
                if its:
                    mine.append(Member(name, 0, x.count, f"{short(x.map)}_{way}_t"))
            continue
        check(x)
        if any(handed_over(f) for f in x.fields):
            outputs.append(Member(f"{x.name}_write", 1, x.count))
        for f in reversed(x.fields):
            name = sv_name(x.accessor(f))
            if f.hw_writable:
                inputs.append(Member(f"{name}_set" if f.w1c else name, f.width, x.count))
            if f.writable:  # one write at a time: its data are not stored per element
                outputs.append(Member(name, f.width, 0 if handed_over(f) else x.count))
    return inputs, outputs


def short(m: Map) -> str:
    return m.type_name.split("_", 1)[-1]


def parts_of(m: Map) -> list[Part]:
    """The structs, inner maps first."""
    parts = [p for c in children(m) for p in parts_of(c.map)]
    found = {p.type_name: p for p in parts}
    inputs, outputs = members(m)
    name = "registers" if "_" not in m.type_name else short(m)
    found[name] = Part(name, m.title, inputs, outputs)
    return list(found.values())


def bits(high: int, low: int) -> str:
    return f"[{high}]" if high == low else f"[{high}:{low}]"


class Builder:
    def __init__(self, m: Map) -> None:
        inputs, outputs = members(m)
        self.block = Block([], [], [], [], [], [], [], [], bool(inputs), bool(outputs))
        for c in m.children:
            if c.map.type_name == "queue":
                self.block.queues.append((c.offset, c.offset + (c.count or 1) * c.map.size - 1))
        for r in m.registers:
            self.add(r, 0, "", "", "", 0, self.block.words)
        for c in children(m):
            if not c.count:
                for r in c.map.registers:
                    self.add(r, c.offset, c.name + "_", f"{c.name}.", "", 0, self.block.words)
                continue
            if c.stride & (c.stride - 1) or c.offset % c.stride:
                raise ContractError(f"{c.name}: must have an aligned stride that is a power of 2")
            window = self.window(c.name, c.offset, c.count, c.stride)
            for r in c.map.registers:
                self.add(r, 0, c.name + "_", c.name, window.index, c.count, window.words)
            self.loops(c.count)

    def window(self, name: str, offset: int, count: int, stride: int) -> Window:
        window = Window(name, offset, offset + count * stride - 1, stride, f"{name}_index")
        window.index_bits = max(1, (count - 1).bit_length())
        self.block.windows.append(window)
        return window

    def loops(self, count: int) -> None:
        """What was said of an array's element `i` is said once for all of them."""
        of_elements = [o for o in self.block.outputs if "[i]" in o[0]]
        if of_elements:
            self.block.outputs = [o for o in self.block.outputs if o not in of_elements]
            self.block.loops.append((count, of_elements))

    def add(  # noqa: PLR0913
        self,
        r: Register,
        base: int,
        prefix: str,
        path: str,
        index: str,
        elements: int,
        words: list[Word],
    ) -> None:
        """A register of a map: `path` is the map's struct, `index` the element of its array."""
        if index and r.count and any(f.writable for f in r.fields):
            raise ContractError(f"{path}.{r.name}: an array in an array that software writes")
        if r.count and any(stored(f) for f in r.fields):
            raise ContractError(f"{r.name}: an array of registers that are stored is not known")
        at = f"{path}[{index}]." if index else path  # of the element that the bus asks for
        each = f"{path}[i]." if index else path
        strobe = f"{prefix}{r.name}_write" if any(f.writable for f in r.fields) else ""
        if strobe:
            self.block.strobes.append(Member(strobe, 1, elements or r.count))
            self.values(r, prefix, path, each, strobe, elements)
        large = r.count > UNROLLED and not index and r.bits == 32 and len(r.fields) == 1
        if large:
            window = self.window(r.name, base + r.offset, r.count, r.stride)
            words, base, index = window.words, -r.offset, window.index
        for place in range(1 if large else r.count or 1):
            here = index if large else str(place)
            for half in range(r.bits // 32):
                name = r.name + (f"[{here}]" if r.count else "") + ("", ".hi")[half]
                word = Word(name, base + r.offset + place * r.stride + 4 * half)
                for f in r.fields:
                    self.read(word, r, f, half, at, prefix, here, index)
                word.writable = bool(strobe)
                if strobe:
                    which = here if r.count else index
                    word.strobe = f"{strobe}[{which}]" if which else strobe
                words.append(word)

    def read(  # noqa: PLR0913
        self,
        word: Word,
        r: Register,
        f: Field,
        half: int,
        at: str,
        prefix: str,
        here: str,
        index: str,
    ) -> None:
        low, high = max(f.lsb, 32 * half), min(f.lsb + f.width, 32 * half + 32) - 1
        if not f.readable or low > high:
            return
        word.readable = True
        if stored(f):
            source = f"{prefix}{sv_name(r.accessor(f))}_q" + (f"[{index}]" if index else "")
        else:
            source = f"hw_i.{at}{sv_name(r.accessor(f))}" + (f"[{here}]" if r.count else "")
        if (low, high) != (f.lsb, f.lsb + f.width - 1):
            source += bits(high - f.lsb, low - f.lsb)
        word.reads.append((bits(high - 32 * half, low - 32 * half), source))

    def values(
        self, r: Register, prefix: str, path: str, each: str, strobe: str, elements: int
    ) -> None:
        """What reg_o shows of a register, and what is stored."""
        raised = f"{strobe}[i]" if elements else strobe
        if any(handed_over(f) for f in r.fields):
            self.block.outputs.append((f"{each}{r.name}_write", raised))
        for f in reversed(r.fields):
            if not f.writable:
                continue
            name, wdata = sv_name(r.accessor(f)), "reg_wdata_i" + bits(f.lsb + f.width - 1, f.lsb)
            value = wdata if f.width < 32 else "reg_wdata_i"
            if stored(f):
                reset = f"{f.width}'h{f.reset:x}"
                if f.reset:
                    parameter = f"Reset{camel(prefix + r.accessor(f))}"
                    self.block.parameters.append((parameter, f.width, f.reset))
                    reset = parameter
                set_by = ""
                if f.w1c:
                    set_by = f"hw_i.{each}{name}_set" if f.hw_writable else "'0"
                store = Store(prefix + name, f.width, elements, reset, strobe, value, set_by)
                self.block.stores.append(store)
                value = f"{prefix}{name}_q" + ("[i]" if elements else "")
            elif f.pulse:
                value = f"{raised} && {value}" if f.width == 1 else f"{raised} ? {value} : '0"
            self.block.outputs.append((f"{each}{name}", value))


def register_block(m: Map) -> Block:
    return Builder(m).block
