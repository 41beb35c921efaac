"""What compiling takes: the corpus on every preset and SRAM, and made networks by their operators.

    PYTHONPATH=sim/python /usr/bin/python3 tests/bench/compile_time.py [corpus|made|NAME] ...

Tables as compiler_bridge/compile/README.md has them. Seconds are of one core; units of search are
the same on every machine. NAME: networks of the corpus with that in their path, every SRAM apart.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "sim" / "python"), str(ROOT / "tests" / "python")]

import presil  # noqa: E402
from made_networks import KINDS, made_network  # noqa: E402
from presil import paths  # noqa: E402

PRESETS = ("edge", "micro", "big")
SRAM_KIB = (16, 32, 64, 128, 256, 512, 1024, 2048, 4096)
OPERATORS = (50, 100, 200, 500, 1000, 2000)
TIGHT = "sram.bytes=16384"


def corpus(part: str = "") -> list[Path]:
    files = [*sorted((paths.shared() / "models").rglob("*.tflite"))]
    files += sorted((ROOT / "sim" / "nets").rglob("*.tflite"))
    return [file for file in files if part in str(file)]


def compiled(net: presil.Network, soc: object) -> tuple[float, int | None, str]:
    """CPU seconds, units of search, and why it was refused."""
    begin = time.process_time()
    try:
        work, refused = presil.compile(net, soc).work, ""
    except presil.Refusal as refusal:
        work, refused = None, str(refusal)
    return time.process_time() - begin, work, refused


def corpus_table(files: Iterable[Path], every: bool) -> None:
    """The slowest SRAM of each network and preset; every: all of them."""
    print("| network | preset | sram.bytes | s | units of search | refused |")
    print("|---|---|---|---|---|---|")
    slowest = 0.0
    for file in files:
        try:
            net = presil.load(file)
        except presil.Refusal as refusal:  # of an operator that presil does not know
            print(f"| {file.stem} | – | – | – | – | {refusal} |")
            continue
        for preset in PRESETS:
            rows = []
            for kib in SRAM_KIB:
                soc = presil.load_soc(preset, [f"sram.bytes={kib << 10}"])
                rows.append((*compiled(net, soc), kib))
            slowest = max(slowest, *(seconds for seconds, *_ in rows))
            shown = (
                rows
                if every
                else [max(rows, key=lambda row: row[0]), *(row for row in rows if row[2])]
            )
            for seconds, work, refused, kib in dict.fromkeys(shown):
                units = "–" if work is None else f"{work:,}"
                print(
                    f"| {file.stem} | {preset} | {kib} KiB | {seconds:.2f} | {units} | {refused} |",
                    flush=True,
                )
    print(f"\nslowest: {slowest:.1f} s")


def made_table() -> None:
    print("| kind, sram.bytes | " + " | ".join(f"{n:,}" for n in OPERATORS) + " |")
    print("|---" * (1 + len(OPERATORS)) + "|")
    for kind in KINDS:
        for name, overrides in (("1 MiB", []), ("16 KiB", [TIGHT])):
            soc = presil.load_soc("edge", overrides)
            cells = []
            for operators in OPERATORS:
                seconds, work, refused = compiled(made_network(kind, operators), soc)
                cells.append(refused or f"{seconds:.2f} s, {(work or 0) / 1000:,.0f} k")
            print(f"| {kind}, {name} | " + " | ".join(cells) + " |", flush=True)


def main() -> None:
    for what in sys.argv[1:] or ["corpus", "made"]:
        if what == "made":
            made_table()
        else:
            corpus_table(corpus("" if what == "corpus" else what), what != "corpus")


if __name__ == "__main__":
    main()
