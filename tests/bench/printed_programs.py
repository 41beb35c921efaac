"""Programs of a bench as arrays of bytes in a C++ header; with --check only whether it is stale."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from pathlib import Path


def printed(
    header: Path, namespace: str, programs: Iterable[str], compiled: Callable[[str], bytes]
) -> str:
    source = header.stem
    lines = [
        f"// Printed by tests/bench/{source}.py from {source}.c: do not edit.",
        "#pragma once",
        "",
        "#include <cstdint>",
        "",
        f"namespace {namespace} {{",
        "",
    ]
    for program in programs:
        code = compiled(program)
        name = "".join(word.capitalize() for word in program.split("_"))
        lines.append(f"inline constexpr uint8_t k{name}[] = {{")
        for at in range(0, len(code), 16):
            row = ", ".join(f"0x{byte:02x}" for byte in code[at : at + 16])
            lines.append(f"    {row},")
        lines += ["};", ""]
    return "\n".join([*lines, f"}}  // namespace {namespace}", ""])


def main(
    header: Path, namespace: str, programs: Iterable[str], compiled: Callable[[str], bytes]
) -> int:
    text = printed(header, namespace, programs, compiled)
    if "--check" in sys.argv[1:]:
        stale = not header.is_file() or header.read_text(encoding="utf-8") != text
        if stale:
            print(f"{header.name} is stale: call tests/bench/{header.stem}.py", file=sys.stderr)
        return int(stale)
    header.write_text(text, encoding="utf-8")
    return 0
