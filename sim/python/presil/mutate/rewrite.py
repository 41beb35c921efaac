"""Mutant schemata: a source that holds all of its mutants; a number chooses one at run time.

An expression E with mutants 3 and 7 becomes `(is 3 ? E3 : is 7 ? E7 : (E))`. Mutants inside of E
stand in the last E alone, as only one is active. Every line keeps its number.
"""

from __future__ import annotations

from collections.abc import Sequence

from .sites import Mutant, in_one_line

VARIABLE = "PRESIL_MUTANT"
"""The environment variable with the number of the active mutant; 0 or not set: none."""
HEADER = "mutate/active.h"
"""Beside the mutated C++, and included by its name."""
READ = f'(std::getenv("{VARIABLE}") ? std::atoi(std::getenv("{VARIABLE}")) : 0)'
HEADER_TEXT = f"""#pragma once
#include <cstdlib>
namespace presil::mutants {{
inline const int active = {READ};
}}
"""
QUOTED_READ = READ.replace('"', '\\"')
SV_HEAD = f"""`ifndef PRESIL_MUTANTS
`define PRESIL_MUTANTS
package presil_mutants;
  int unsigned active = $c32("{QUOTED_READ}");
endpackage
`endif
`line 1 "FILE" 0
"""
CPP_HEAD = f"""#include "{HEADER}"
#pragma GCC diagnostic ignored "-Wparentheses"
#pragma GCC diagnostic ignored "-Wint-in-bool-context"
#pragma GCC diagnostic ignored "-Wbool-compare"
#pragma GCC diagnostic ignored "-Wbool-operation"
#pragma GCC diagnostic ignored "-Wtype-limits"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wextra"
#line 1 "FILE"
"""


def guard(mutant: Mutant) -> str:
    if mutant.kind == "rtl":
        return f"presil_mutants::active == 32'd{mutant.number}"
    return f"::presil::mutants::active == {mutant.number}"


def mutated(source: bytes, mutants: Sequence[Mutant]) -> bytes:
    """The file's text with all of its mutants. Ranges are nested, equal or apart."""
    ranges: dict[tuple[int, int], list[Mutant]] = {}
    for mutant in mutants:
        ranges.setdefault((mutant.begin, mutant.end), []).append(mutant)
    order = sorted(ranges, key=lambda span: (span[0], -span[1]))

    def text_of(begin: int, end: int, inner: list[tuple[int, int]]) -> str:
        parts, at, i = [], begin, 0
        while i < len(inner):
            span = inner[i]
            below = [other for other in inner[i + 1 :] if other[1] <= span[1]]
            parts.append(source[at : span[0]].decode())
            choices = "".join(f"{guard(m)} ? ({in_one_line(m.wrong)}) : " for m in ranges[span])
            parts.append(f"({choices}({text_of(*span, below)}))")
            at, i = span[1], i + 1 + len(below)
        return "".join(parts) + source[at:end].decode()

    for (_, end), (after, last) in zip(order, order[1:], strict=False):
        assert last <= end or after >= end, "ranges of mutants overlap"
    head = SV_HEAD if mutants and mutants[0].kind == "rtl" else CPP_HEAD
    whole = text_of(0, len(source), order)
    return (head.replace("FILE", mutants[0].file) + whole).encode()
