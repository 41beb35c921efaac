"""Reads a contract (.rdl) into plain values that templates can print.

A property that this reader does not know is refused: a contract never says more than its prints.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from systemrdl import RDLCompiler
from systemrdl.node import AddrmapNode, FieldNode, Node, RegNode
from systemrdl.rdltypes import AccessType, OnWriteType

ROOT = Path(__file__).resolve().parents[2]

KNOWN = {
    AddrmapNode: {"name", "desc", "command_words", "pitch_bytes", "size_bytes"},
    RegNode: {"name", "desc", "regwidth", "accesswidth", "used_by", "cause"},
    FieldNode: {
        "name",
        "desc",
        "sw",
        "hw",
        "reset",
        "encode",
        "onwrite",
        "singlepulse",
        "legal_min",
        "legal_max",
        "is_signed",
        "multiple_of",
        "unit",
        "hex",
        "unsupported",
        "used_by",
        "member",
    },
}


class ContractError(Exception):
    """A contract that cannot be printed; the message says where and why."""


@dataclass
class Code:
    name: str
    value: int
    desc: str


@dataclass
class Enum:
    name: str  # without the _e of the contract
    codes: list[Code]


@dataclass
class Field:
    name: str
    lsb: int  # in its register
    width: int
    desc: str
    unit: str
    enum: Enum | None
    is_signed: bool
    hex: bool
    min: int
    max: int
    multiple_of: int
    legal_codes: int
    used_by: list[str]
    member: str
    index: int | None
    reset: int
    readable: bool
    writable: bool
    w1c: bool
    pulse: bool
    hw_writable: bool = False  # a value that hardware gives or sets
    word: int = 0  # commands: word of the command, and lsb in that word
    word_lsb: int = 0

    @property
    def mask(self) -> int:
        return ((1 << self.width) - 1) << self.lsb

    @property
    def default(self) -> int:
        return self.min if self.min > 0 else self.max if self.max < 0 else 0

    @property
    def refused(self) -> list[str]:
        """Codes that a command may not hold today."""
        codes = self.enum.codes if self.enum else []
        return [c.name for c in codes if not self.legal_codes >> c.value & 1]

    @property
    def cpp_type(self) -> str:
        if self.enum:
            return camel(self.enum.name)
        if self.width == 1:
            return "bool"
        bits = next(b for b in (8, 16, 32, 64) if self.width <= b)
        return f"{'' if self.is_signed else 'u'}int{bits}_t"


@dataclass
class Register:
    name: str
    desc: str
    offset: int
    bits: int
    count: int  # 0: not an array
    stride: int
    fields: list[Field]
    cause: str = ""  # of a counter: whose cycles it counts

    def __post_init__(self) -> None:
        self.fields.sort(key=lambda f: f.lsb)

    def accessor(self, f: Field) -> str:
        return self.name if f.name == "value" else f"{self.name}_{f.name}"


@dataclass
class Child:
    name: str
    map: Map
    offset: int
    count: int
    stride: int


@dataclass
class Map:
    """A register map: registers and maps inside it."""

    type_name: str
    title: str
    desc: str
    size: int
    registers: list[Register]
    children: list[Child]
    enums: list[Enum]


@dataclass
class Command:
    type_name: str
    title: str
    desc: str
    words: int
    pitch: int
    fields: list[Field]
    enums: list[Enum]
    ops: Enum | None
    reserved: list[int] = field(default_factory=list)


@dataclass
class Contract:
    path: Path
    block: str
    command: Command | None
    map: Map | None
    maps: list[Map]  # inner maps first, those of common/ left out


def camel(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_"))


def where(node: Node) -> str:
    return node.get_path()


def signed64(value: int) -> int:
    return value - (1 << 64) if value >= 1 << 63 else value


def text(value: str | None) -> str:
    return re.sub(r"\s+", " ", value or "").strip()


def refuse_unknown(node: Node, kind: type) -> None:
    unknown = sorted(set(node.list_properties()) - KNOWN[kind])
    if unknown:
        raise ContractError(
            f"{where(node)}: property {', '.join(unknown)} is not known to rtl/gen, must be one of "
            f"{', '.join(sorted(KNOWN[kind]))}; teach rtl/gen/contract.py what it prints"
        )


class Reader:
    def __init__(self, path: Path) -> None:
        self.path = path
        self.compiler = RDLCompiler()
        self.compiler.compile_file(str(path), incl_search_paths=[str(ROOT)])
        self.enums: dict[str, Enum] = {}

    def top(self, name: str) -> AddrmapNode:
        return self.compiler.elaborate(top_def_name=name).top

    def has(self, name: str) -> bool:
        return name in self.compiler.root.comp_defs

    def enum(self, rdl_enum: type) -> Enum:
        name = rdl_enum.type_name.removesuffix("_e")
        codes = [Code(m.name, int(m.value), text(m.rdl_desc)) for m in rdl_enum]
        return self.enums.setdefault(name, Enum(name, codes))

    def field(self, node: FieldNode) -> Field:
        refuse_unknown(node, FieldNode)
        get = node.get_property
        width = node.width
        is_signed = bool(get("is_signed", default=False))
        low = -(1 << (width - 1)) if is_signed else 0
        high = (1 << (width - is_signed)) - 1
        minimum, maximum = get("legal_min", default=low), get("legal_max", default=high)
        if is_signed:  # the language has unsigned numbers only: -1 arrives as 2^64 - 1
            minimum, maximum = signed64(minimum), signed64(maximum)
        if not low <= minimum <= maximum <= high:
            raise ContractError(
                f"{where(node)}: legal range {minimum}..{maximum} is not inside {low}..{high}"
            )
        if not get("desc"):
            raise ContractError(f"{where(node)}: has no desc")
        enum = self.enum(get("encode")) if get("encode") else None
        legal = 0
        if enum:
            unsupported = get("unsupported", default="").split()
            names = {c.name for c in enum.codes}
            if not set(unsupported) <= names:
                raise ContractError(
                    f"{where(node)}: unsupported names no code of {enum.name}: {unsupported}"
                )
            legal = sum(1 << c.value for c in enum.codes if c.name not in unsupported)
            maximum = max(c.value for c in enum.codes)
        member, index = node.inst_name, None
        if get("member", default=""):
            found = re.fullmatch(r"(\w+)\[(\d+)\]", get("member"))
            if not found:
                raise ContractError(
                    f"{where(node)}: member is {get('member')!r}, must be name[index]"
                )
            member, index = found.group(1), int(found.group(2))
        used_by = get("used_by", default=None)
        if used_by is None:
            used_by = node.parent.get_property("used_by", default="")
        onwrite = get("onwrite")
        if onwrite not in (None, OnWriteType.woclr):
            raise ContractError(
                f"{where(node)}: onwrite {onwrite.name} is not known, must be woclr"
            )
        if get("sw") not in (AccessType.rw, AccessType.r, AccessType.w):
            raise ContractError(
                f"{where(node)}: sw {get('sw').name} is not known, must be rw, r or w"
            )
        return Field(
            name=node.inst_name,
            lsb=node.lsb,
            width=width,
            desc=text(get("desc")),
            unit=get("unit", default=""),
            enum=enum,
            is_signed=is_signed,
            hex=bool(get("hex", default=False)),
            min=minimum,
            max=maximum,
            multiple_of=get("multiple_of", default=1),
            legal_codes=legal,
            used_by=used_by.split(),
            member=member,
            index=index,
            reset=int(get("reset") or 0),
            readable=get("sw") in (AccessType.rw, AccessType.r),
            writable=get("sw") in (AccessType.rw, AccessType.w),
            w1c=onwrite == OnWriteType.woclr,
            pulse=bool(get("singlepulse")),
            hw_writable=get("hw") in (AccessType.rw, AccessType.w),
        )

    def register(self, node: RegNode) -> Register:
        refuse_unknown(node, RegNode)
        bits = node.get_property("regwidth")
        if bits not in (32, 64):
            raise ContractError(f"{where(node)}: regwidth is {bits}, must be 32 or 64")
        return Register(
            name=node.inst_name,
            desc=text(node.get_property("desc")),
            offset=node.raw_address_offset,
            bits=bits,
            count=node.array_dimensions[0] if node.is_array else 0,
            stride=node.array_stride or 0,
            fields=[self.field(f) for f in node.fields()],
            cause=node.get_property("cause", default=""),
        )

    def map(self, node: AddrmapNode) -> Map:
        refuse_unknown(node, AddrmapNode)
        outer, self.enums = self.enums, {}
        registers, children = [], []
        for child in node.children():
            if isinstance(child, RegNode):
                registers.append(self.register(child))
            elif isinstance(child, AddrmapNode):
                children.append(
                    Child(
                        child.inst_name,
                        self.map(child),
                        child.raw_address_offset,
                        child.array_dimensions[0] if child.is_array else 0,
                        child.array_stride or 0,
                    )
                )
            else:
                raise ContractError(
                    f"{where(child)}: a {type(child).__name__} is not known, must be reg or addrmap"
                )
        enums, self.enums = list(self.enums.values()), outer
        return Map(
            node.type_name,
            node.get_property("name"),
            text(node.get_property("desc")),
            node.get_property("size_bytes", default=node.size),
            registers,
            children,
            enums,
        )

    def command(self, node: AddrmapNode) -> Command:
        refuse_unknown(node, AddrmapNode)
        self.enums = {}
        fields: list[Field] = []
        for reg in node.children():
            if not isinstance(reg, RegNode) or reg.is_array:
                raise ContractError(f"{where(reg)}: a command holds plain registers only")
            r = self.register(reg)
            for f in r.fields:
                f.word, f.word_lsb = r.offset // 4 + f.lsb // 32, f.lsb % 32
                fields.append(f)
        words = node.get_property("command_words")
        ops = self.enums.get("op")
        reserved = [0xFFFFFFFF] * words
        for f in fields:
            bits = ((1 << f.width) - 1) << f.word_lsb
            reserved[f.word] &= ~bits & 0xFFFFFFFF
            if bits >> 32:
                reserved[f.word + 1] &= ~(bits >> 32) & 0xFFFFFFFF
            names = {c.name for c in ops.codes} if ops else set()
            if not set(f.used_by) <= names:
                raise ContractError(
                    f"{node.inst_name}.{f.name}: used_by names no operation: {f.used_by}"
                )
        return Command(
            node.type_name,
            node.get_property("name"),
            text(node.get_property("desc")),
            words,
            node.get_property("pitch_bytes"),
            fields,
            list(self.enums.values()),
            ops,
            reserved,
        )


def read(path: Path) -> Contract:
    """One file: the map that has its name, and the command <name>_command or <name>_entry."""
    reader = Reader(path)
    block = path.stem
    names = [n for n in (f"{block}_command", f"{block}_entry") if reader.has(n)]
    command = reader.command(reader.top(names[0])) if names else None
    top = reader.map(reader.top(block)) if reader.has(block) else None
    maps: list[Map] = []

    def collect(m: Map) -> None:
        for child in m.children:
            collect(child.map)
        if m.type_name not in [x.type_name for x in maps] and (
            m is top or m.type_name.startswith(block)
        ):
            maps.append(m)

    if top:
        collect(top)
    return Contract(path, block, command, top, maps)
