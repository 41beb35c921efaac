#!/usr/bin/env python3
"""Prints every contract (rtl/*/*.rdl) into its folder, and the table of all engines.

    python3 rtl/gen/print.py           write the prints
    python3 rtl/gen/print.py --check   exit 1 and name the prints that are stale
    python3 rtl/gen/print.py --to DIR X.rdl   write those of X to DIR/x, included as "x/x.h"
    python3 rtl/gen/print.py engine.yaml      write the tables of rules in the README beside it

Needs the packages of rtl/gen/requirements.txt.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

import engines
import jinja2
import rules
from contract import ROOT, Command, Contract, ContractError, Enum, Field, Map, camel, read
from keywords import sv_name
from register_block import parts_of, register_block
from systemrdl import RDLCompileError

PRINT_COMMAND = "python3 rtl/gen/print.py"
HERE = Path(__file__).resolve().parent

# Contracts include these; they describe no block.
INCLUDED = {"properties", "engines"}

# What a field alone can earn: error_code of rtl/common/queue.rdl.
ILLEGAL_VALUE, UNSUPPORTED, MISALIGNED = 6, 7, 8


def shown(path: Path) -> str:
    """A path as prints and messages name it: from the root of the project."""
    return path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else path.as_posix()


def local(contract: Contract, type_name: str) -> str:
    """Name of a map or command inside its namespace: dma_counters -> Counters, dma -> ''."""
    return camel(type_name.removeprefix(contract.block).lstrip("_"))


def ops_mask(command: Command, used_by: list[str]) -> int:
    return sum(1 << c.value for c in command.ops.codes if c.name in used_by) if command.ops else 0


def words_of(m: Map, prefix: str = "", base: int = 0) -> list[dict[str, object]]:
    """One row per 32-bit word of the map, inner maps and arrays written out."""
    rows: list[dict[str, object]] = []
    for r in m.registers:
        for i in range(r.count or 1):
            name = f"{prefix}{r.name}[{i}]" if r.count else f"{prefix}{r.name}"
            for w in range(r.bits // 32):
                row = {
                    "name": name + (("", ".hi")[w]),
                    "offset": base + r.offset + i * r.stride + 4 * w,
                }
                for key in ("reset", "readable", "writable", "w1c", "pulse"):
                    bits = 0
                    for f in r.fields:
                        if key == "reset":
                            bits |= f.reset << f.lsb
                        elif getattr(f, key):
                            bits |= f.mask
                    row[key] = bits >> (32 * w) & 0xFFFFFFFF
                rows.append(row)
    for c in m.children:
        for i in range(c.count or 1):
            name = f"{prefix}{c.name}[{i}]." if c.count else f"{prefix}{c.name}."
            rows += words_of(c.map, name, base + c.offset + i * c.stride)
    rows.sort(key=lambda row: row["offset"])
    return rows


def enums_of(contract: Contract) -> list[Enum]:
    found: dict[str, Enum] = {}
    parts = ([contract.command] if contract.command else []) + contract.maps
    for part in parts:
        for enum in part.enums:
            if found.setdefault(enum.name, enum) != enum:
                raise ContractError(
                    f"{contract.path.name}: two enumerations are called {enum.name}"
                )
    return list(found.values())


def members(command: Command) -> list[dict[str, object]]:
    """The C++ members of a command: arrays put together, in order of their first field."""
    found: dict[str, dict[str, object]] = {}
    for f in command.fields:
        m = found.setdefault(
            f.member, {"name": f.member, "fields": [], "count": 0, "desc": f.desc, "unit": f.unit}
        )
        m["fields"].append(f)
        if f.index is not None:
            m["count"] = max(m["count"], f.index + 1)
    return list(found.values())


def enum_width(contract: Contract, enum: Enum) -> int:
    """Bits of the fields that hold the enumeration; they agree, or the contract is refused."""
    fields = list(contract.command.fields) if contract.command else []
    fields += [f for m in contract.maps for r in m.registers for f in r.fields]
    widths = {f.width for f in fields if f.enum and f.enum.name == enum.name}
    if len(widths) != 1:
        raise ContractError(
            f"{contract.path.name}: fields of enumeration {enum.name} are {sorted(widths)} bits "
            f"wide, must be one width"
        )
    return widths.pop()


def legal(f: Field) -> str:
    """The legal values of a command's field as one cell of a table."""
    if f.enum:
        names = [f"`{c.name}`" for c in f.enum.codes if f.legal_codes >> c.value & 1]
        return ", ".join(names)
    if f.width == 1 and f.max == 1 and f.min == 0:
        return "0, 1"

    def show(value: int) -> str:
        for power in range(24, 65):
            if value in (-(1 << power), (1 << power) - 1):
                return f"-2^{power}" if value < 0 else f"2^{power} - 1"
        return str(value)

    cell = show(f.min) if f.min == f.max else f"{show(f.min)} .. {show(f.max)}"
    if f.multiple_of > 1:
        cell += f", multiple of {f.multiple_of}"
    return f"{cell} {f.unit}".strip()


def access(f: Field) -> str:
    if f.w1c:
        return "read, write 1 to clear"
    if f.pulse:
        return "write 1"
    return "read, write" if f.readable and f.writable else "read" if f.readable else "write"


def register_meaning(f: Field) -> str:
    codes = f" Codes: `{f.enum.name}` below." if f.enum else ""
    return f"{f.desc}{codes}" + (f" Unit: {f.unit}." if f.unit else "")


def sv_bits(vector: str, f: Field) -> str:
    if f.width == 1:
        return f"{vector}[{f.word_lsb}]"
    return f"{vector}[{f.word_lsb + f.width - 1}:{f.word_lsb}]"


def sv_number(width: int, value: int) -> str:
    return f"{'-' if value < 0 else ''}{width}'sd{abs(value)}"


def user_sets(command: Command) -> list[list[str]]:
    """The different sets of operations that use a field."""
    sets: list[list[str]] = []
    for f in command.fields:
        if f.used_by and f.used_by not in sets:
            sets.append(f.used_by)
    return sets


def field_tests(command: Command, f: Field) -> list[tuple[int, str]]:
    """Code and condition of what may be wrong with a field, the first that holds counts.

    Conditions that can never hold are left out: a lint would say so.
    """
    bits, width = sv_bits("bits", f), f.width
    tests: list[tuple[int, str]] = []
    guard = ""
    if f.used_by and command.ops:
        used = f"used[{user_sets(command).index(f.used_by)}]"
        tests.append((ILLEGAL_VALUE, f"!{used} && {bits} != {width}'d0"))
        guard = f"{used} && "
    if f.enum:
        codes = [c.value for c in f.enum.codes]
        legal_codes = [v for v in codes if f.legal_codes >> v & 1]
        if len(codes) < 1 << width:
            listed = ", ".join(f"{width}'d{v}" for v in codes)
            tests.append((ILLEGAL_VALUE, f"{guard}!({bits} inside {{{listed}}})"))
        if len(legal_codes) < len(codes):
            listed = ", ".join(f"{width}'d{v}" for v in codes if v not in legal_codes)
            tests.append((UNSUPPORTED, f"{guard}{bits} inside {{{listed}}}"))
    elif f.is_signed:
        if f.min > -(1 << (width - 1)):
            tests.append((ILLEGAL_VALUE, f"{guard}$signed({bits}) < {sv_number(width, f.min)}"))
        if f.max < (1 << (width - 1)) - 1:
            tests.append((ILLEGAL_VALUE, f"{guard}$signed({bits}) > {sv_number(width, f.max)}"))
    else:
        if f.min == 1:
            tests.append((ILLEGAL_VALUE, f"{guard}{bits} == {width}'d0"))
        elif f.min > 1:
            tests.append((ILLEGAL_VALUE, f"{guard}{bits} < {width}'d{f.min}"))
        if f.max < (1 << width) - 1:
            tests.append((ILLEGAL_VALUE, f"{guard}{bits} > {width}'d{f.max}"))
    if f.multiple_of > 1:
        low = f.multiple_of.bit_length() - 1
        if f.multiple_of != 1 << low:
            raise ContractError(f"{f.name}: multiple_of is {f.multiple_of}, must be a power of 2")
        rest = f"bits[{f.word_lsb + low - 1}:{f.word_lsb}]" if low > 1 else f"bits[{f.word_lsb}]"
        tests.append((MISALIGNED, f"{rest} != {low}'d0"))
    return tests


def checked(command: Command) -> list[tuple[int, list[tuple[Field, list[tuple[int, str]]]]]]:
    """Per word the fields that can be wrong, in the order of the contract."""
    words: dict[int, list[tuple[Field, list[tuple[int, str]]]]] = {}
    for f in command.fields:
        if command.ops and f.name in ("op", "isa_version"):
            continue  # these come before everything else, with codes of their own
        if tests := field_tests(command, f):
            words.setdefault(f.word, []).append((f, tests))
    return list(words.items())


def quoted(value: str) -> str:
    """As a string of Python."""
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


def environment() -> jinja2.Environment:
    env = jinja2.Environment(
        loader=jinja2.FileSystemLoader(HERE / "templates"),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    env.filters.update(
        camel=camel,
        hex=lambda v, n=1: f"0x{v:0{n}x}",
        svhex=lambda v: f"32'h{v:08x}",
        svname=sv_name,
        legal=legal,
        access=access,
        registermeaning=register_meaning,
        shown=shown,
        enumerator=engines.enumerator,
        code=lambda v: f"`{v}`",
        q=quoted,
        tuple=lambda v: "(" + "".join(f"{quoted(x)}, " for x in v).rstrip() + ")",
    )
    env.globals.update(
        local=local,
        words_of=words_of,
        enum_width=enum_width,
        checked=checked,
        user_sets=user_sets,
        members=members,
        ops_mask=ops_mask,
        print_command=PRINT_COMMAND,
    )
    return env


def prints(contract: Contract, to: Path | None = None) -> dict[Path, str]:
    """What is printed, by file: beside the contract, or into a folder of the block's name in `to`,
    from which it is then included."""
    env, folder, block = environment(), contract.path.parent, contract.block
    if to is not None:
        folder = to / block
    common = folder.name == "common"
    hardware = contract.map is not None and not common
    entry = contract.command is not None and contract.command.type_name.endswith("_entry")
    values = {
        "c": contract,
        "block": block,
        "command": contract.command,
        "enums": enums_of(contract),
        "source": shown(contract.path),
        "folder": block if to is not None else shown(folder),
        # an entry is no block's own: it lives in namespace presil, all else in presil::<block>
        "namespace": "presil" if entry else f"presil::{block}",
        "cpp_command": camel(contract.command.type_name) if entry else "Command",
        "common": common,
        "parts": parts_of(contract.map) if hardware else [],
    }
    out = {folder / f"{block}.h": env.get_template("header.h.jinja").render(values)}
    if contract.command:
        out[folder / f"{contract.command.type_name}.h"] = env.get_template(
            "command.h.jinja"
        ).render(values)
    if contract.map:
        out[folder / f"{block}_bank.h"] = env.get_template("bank.h.jinja").render(values)
        if hardware:
            values["b"] = register_block(contract.map)
            out[folder / f"{block}_registers.sv"] = env.get_template("registers.sv.jinja").render(
                values
            )
    out[folder / f"{block}_pkg.sv"] = env.get_template("pkg.sv.jinja").render(values)
    out[folder / f"{block}_tables.md"] = env.get_template("tables.md.jinja").render(values)
    return out


def table_prints(table: engines.Table) -> dict[Path, str]:
    """What all engines together are printed as, and each one's description."""
    env = environment()
    values = {
        "t": table,
        "sources": "every engine.yaml with its contract",
        "window": engines.WINDOW,
        "kind_shift": engines.KIND_SHIFT,
        "instance_shift": engines.INSTANCE_SHIFT,
        "instances": engines.INSTANCES,
        "most_kinds": engines.KINDS,
        "outside_queues": engines.OUTSIDE_QUEUES,
    }
    files = {
        "engine_kinds.h": ROOT / "rtl" / "soc",
        "engines.h": ROOT / "rtl" / "soc",
        "causes.h": ROOT / "rtl" / "soc",
        "engines.fbs": ROOT / "rtl" / "soc",
        "engines_pkg.sv": ROOT / "rtl" / "soc",
        "engines.md": ROOT / "rtl" / "soc",
        "contract.py": ROOT / "sim" / "python" / "presil",
    }
    out = {
        folder / name: env.get_template(f"{name}.jinja").render(values)
        for name, folder in files.items()
    }
    for e in table.engines:
        out |= description_print(e) | rules_print(e.identity)
        out |= rules.readme(e.identity.path, e.identity.rules)
    return out


def description_print(
    e: engines.Engine, to: Path | None = None, parameters: list[dict[str, Any]] | None = None
) -> dict[Path, str]:
    """An engine as a value, by file: where prints() puts its contract's. parameters: as engine.yaml
    of one outside lists them."""
    folder = e.contract.path.parent if to is None else to / e.name
    text = (
        environment()
        .get_template("description.h.jinja")
        .render(
            e=e,
            block=e.name,
            folder=shown(folder) if to is None else e.name,
            source=shown(e.contract.path),
            interface=engines.INTERFACE,
            parameters=parameters or [],
        )
    )
    return {folder / f"{e.name}_description.h": text}


def rules_print(e: engines.Identity, to: Path | None = None) -> dict[Path, str]:
    """The rules of an engine that lists some, by file: where prints() puts its contract's."""
    folder = e.path.parent if to is None else to / e.name
    template = environment().get_template("rules.h.jinja")
    text = template.render(block=e.name, rules=e.rules, source=shown(e.path))
    return {folder / f"{e.name}_rules.h": text} if e.rules else {}


class Writer:
    """Writes prints, or with check only finds those that are stale."""

    def __init__(self, check: bool, quiet: bool = False) -> None:
        self.check, self.quiet = check, quiet
        self.stale: list[str] = []

    def put(self, content: dict[Path, str]) -> None:
        for file, text in content.items():
            if file.exists() and file.read_text(encoding="utf-8") == text:
                continue
            if self.check:
                self.stale.append(shown(file))
            else:
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text, encoding="utf-8")
                if not self.quiet:
                    print(f"wrote {shown(file)}", flush=True)


def built_in() -> list[engines.Identity]:
    return engines.identities(sorted((ROOT / "rtl").glob("*/engine.yaml")))


def print_all(writer: Writer) -> None:
    """Every contract, and the table of the engines, whose kinds the contracts include."""
    identities = built_in()
    kinds = environment().get_template("engines.rdl.jinja")
    text = kinds.render(identities=identities, sources="every engine.yaml")
    writer.put({ROOT / "rtl" / "soc" / "engines.rdl": text})
    contracts = {
        path.stem: read(path)
        for path in sorted((ROOT / "rtl").glob("*/*.rdl"))
        if path.stem not in INCLUDED
    }
    for contract in contracts.values():
        writer.put(prints(contract))
    writer.put(table_prints(engines.table(identities, contracts)))


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--check", action="store_true", help="write nothing; exit 1 if a print is stale"
    )
    parser.add_argument(
        "--to", type=Path, help="where prints go: a folder of the block's name there"
    )
    parser.add_argument("contracts", nargs="*", type=Path, help="default: every rtl/*/*.rdl")
    args = parser.parse_args()
    writer = Writer(args.check)
    try:
        if not args.contracts:
            print_all(writer)
        for path in args.contracts:
            writer.put(
                rules.readme_of(path.resolve())
                if path.name == "engine.yaml"
                else prints(read(path.resolve()), args.to)
            )
    except ContractError as error:
        print(f"rtl/gen: {error}", file=sys.stderr)
        return 2
    except RDLCompileError:  # the compiler has said where and why
        return 2
    if writer.stale:
        print(f"stale prints, run `{PRINT_COMMAND}`: {', '.join(writer.stale)}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
