"""Which host runs the driver: the simulating process, or a core with the driver as firmware."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from . import paths
from .image import Image
from .names import one_of
from .refusal import Refusal

NATIVE = "native"
CORES = {
    "m33": "models/cpu/cores/cortex_m33.yaml",
    "m4": "models/cpu/cores/cortex_m4.yaml",
    "rv64": "models/rv64/cores/rv64.yaml",
    "aarch64": "sim/host_cpu/cores/aarch64.yaml",
}
"""Of each host the file of its core, in the checkout."""
HOSTS = (NATIVE, *CORES)


def core_file(host: str) -> Path:
    file = Path(CORES[host])
    return paths.FIRMWARE / file.name if paths.INSTALLED else paths.ROOT / file


def checked_host(host: Any) -> str | Image:
    """One of HOSTS, or an image that brings its own driver."""
    return host if isinstance(host, Image) else one_of(host, HOSTS, "run: host")


def host_message(host: str | Image) -> dict[str, Any]:
    """What the simulator is told of it; nothing of the native one."""
    if isinstance(host, Image):
        place = {"kind": host.core, "core": str(core_file(host.core)), "firmware": str(host.file)}
        return {"host": {**place, "image": True, "checked": host.checked}}
    if host == NATIVE:
        return {}
    core, firmware = core_file(host), paths.FIRMWARE / f"{host}.elf"
    for file in (core, firmware):
        if not file.is_file():
            raise Refusal(
                f"host: {host} requires '{file}', which is not there; "
                "`sim/host_cpu/build.py` makes the firmware (Debian: clang-19 lld-19)"
            )
    return {"host": {"kind": host, "core": str(core), "firmware": str(firmware)}}


def host_record(host: str | Image, accounts: list[dict[str, Any]]) -> dict[str, Any]:
    """For run.json: what the core did in all samples; accounts: of each sample."""
    if isinstance(host, Image):
        return {
            "kind": host.core,
            "image": str(host.file),
            "firmware_sha256": host.sha256(),
            **sums_of(accounts),
            "exit_code": max(a["exit_code"] for a in accounts),
            "console": "".join(a["console"] for a in accounts),
            **profile_of(accounts[0]),
        }
    firmware = (paths.FIRMWARE / f"{host}.elf").read_bytes()
    return {
        "kind": host,
        "firmware_sha256": hashlib.sha256(firmware).hexdigest(),
        "load_cycles": accounts[0]["load_cycles"],
        **sums_of(accounts),
        **profile_of(accounts[0]),
    }


def gives_profile(host: str, image: Any, asked: bool, gdb: Any) -> bool:
    """Whether a run by the command line has the profile of a core, where one was asked for."""
    return asked and (host != NATIVE or isinstance(image, Image)) and not gdb


def profile_of(account: dict[str, Any]) -> dict[str, Any]:
    """Of the first sample: `functions` by their cycles, `spans` in the order of time. A function
    is named by its row."""
    if "functions" not in account:
        return {}
    columns = ("name", "cycles", "instructions", "entries")
    functions = [dict(zip(columns, row)) for row in account["functions"]]
    order = sorted(range(len(functions)), key=lambda i: -functions[i]["cycles"])
    place = {old: new for new, old in enumerate(order)}
    return {
        "functions": [functions[i] for i in order],
        "spans": [[begin, end, place[i]] for begin, end, i in account["spans"]],
        "spans_left_out": account["spans_left_out"],
    }


def profile_lines(record: dict[str, Any], most: int = 8) -> list[str]:
    """For people: the functions that take most of the core's time, without its sleep."""
    host = record.get("host", {})
    awake = [f for f in host.get("functions", []) if f["instructions"]]
    if not awake:
        return []
    total = sum(f["cycles"] for f in awake)
    lines = [f"{host['kind']}: {total:,} cycles awake in the first sample, most of them in"]
    for f in awake[:most]:
        lines.append(
            f"  {f['name']}: {f['cycles']:,} cycles ({100 * f['cycles'] / total:.1f} %), "
            f"{f['instructions']:,} instructions, entered {f['entries']:,} times"
        )
    return lines


def sums_of(accounts: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        **{key: sum(a[key] for a in accounts) for key in ("cycles", "busy_cycles", "instructions")},
        "per_sample": [{"cycles": a["cycles"]} for a in accounts],
    }


def program_lines(record: dict[str, Any]) -> list[str]:
    """What the program of an image has written, and how it has ended."""
    host = record.get("host", {})
    if "exit_code" not in host:
        return []
    written = [f"{host['kind']}: {line}" for line in host["console"].splitlines()]
    return [*written, f"{host['image']}: exit code {host['exit_code']}"]
