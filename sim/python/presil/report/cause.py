"""Why two runs differ: the first thing, from the network down to the plan, that is not the same."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

Record = dict[str, Any]
Cause = dict[str, str]
ASKED = ("samples", "input", "blocks", "host", "state", "in_flight", "faults")
"""Parts of a record that say what was run, besides network and SoC."""
MOST_NAMED = 3


def causes_between(
    a: Record, b: Record, parameters: list[Record], moved: list[Record]
) -> list[Cause]:
    """Kinds with a text each, what explains most first; empty: nothing that was asked for, chosen
    or built differs. parameters, moved: as `compare_runs` finds changes of SoC and placement."""
    found = list(asked_otherwise(a, b, parameters))
    built = [r["presil"]["commit"] for r in (a, b)]
    if built[0] != built[1]:
        found.append(cause("compiler", f"presil {built[0]} to {built[1]}"))
    if not found and moved:
        found.append(cause("placement", listed(map(placed, moved))))
    if not found:
        decided = list(decisions(a, b))
        if decided:
            found.append(cause("decision", listed(decided)))
    return found


def asked_otherwise(a: Record, b: Record, parameters: list[Record]) -> Iterator[Cause]:
    networks = [r["network"] for r in (a, b)]
    digests = [n["sha256"] or n["file"] for n in networks]
    if digests[0] != digests[1]:
        files = [n["file"] for n in networks]
        same = "of the same name" if files[0] == files[1] else f"to {files[1]}"
        yield cause("network", f"{files[0]} {same}, with other contents")
    elif results(a) != results(b):
        yield cause("network", f"{results(a)} to {results(b)} of the same file (post)")
    if a["numerics"] != b["numerics"]:
        yield cause("numerics", f"{a['numerics']} to {b['numerics']}")
    if parameters:
        changed = (f"{p['parameter']} {p['a']} to {p['b']}" for p in parameters)
        yield cause("parameter", listed(changed))
    for key in ASKED:
        if key in a and key in b and plain(a[key]) != plain(b[key]) or (key in a) != (key in b):
            yield cause(key, f"{shown(a.get(key))} to {shown(b.get(key))}")


def results(record: Record) -> str:
    """Names of the outputs: what follows a file on the device decides them, too."""
    return "outputs " + " ".join(output["name"] for output in record.get("outputs") or [])


def plain(value: Any) -> Any:
    """Without what is measured: of a host its kind alone, of an input its bytes alone."""
    if isinstance(value, dict):
        kinds = [key for key in ("sha256", "kind", "name", "core", "samples") if key in value]
        return {key: value[key] for key in kinds} if kinds else value
    return value


def shown(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {str(part)[:12]}" for key, part in plain(value).items())
    return "none" if value is None else str(value)[:60]


def placed(row: Record) -> str:
    return f"{row['op']} '{row['name']}' {row['a'] or 'nowhere'} to {row['b'] or 'nowhere'}"


def decisions(a: Record, b: Record) -> Iterator[str]:
    """Layers that the same compiler has planned otherwise: more or fewer commands, other layers."""
    theirs = {layer["name"]: layer for layer in a["layers"]}
    ours = {layer["name"]: layer for layer in b["layers"]}
    for name in dict.fromkeys([*theirs, *ours]):
        old, new = theirs.get(name), ours.get(name)
        if old is None or new is None:
            yield f"layer '{name}' is {'new' if old is None else 'gone'} (fused otherwise)"
        elif old["commands"] != new["commands"]:
            yield f"layer '{name}' has {old['commands']} to {new['commands']} commands"
        elif (old["read_bytes"], old["written_bytes"]) != (new["read_bytes"], new["written_bytes"]):
            yield f"layer '{name}' moves other bytes"


def cause(kind: str, text: str) -> Cause:
    return {"kind": kind, "text": text}


def listed(texts: Any) -> str:
    every = list(texts)
    more = f", and {len(every) - MOST_NAMED} more" if len(every) > MOST_NAMED else ""
    return ", ".join(every[:MOST_NAMED]) + more


def cause_sentence(diff: Record) -> str:
    """The first line of a difference."""
    causes = diff["causes"]
    if causes:
        first, *others = causes
        more = f"; also {', '.join(c['kind'] for c in others)}" if others else ""
        return f"cause: {first['kind']}: {first['text']}{more}"
    if diff["layers"] or diff["cycles_per_sample"]["percent"]:
        return "cause: none that is recorded: the same network, SoC, placement and plan"
    return "cause: none, nothing changed"
