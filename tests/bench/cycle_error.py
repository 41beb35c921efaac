"""Writes testbench/lockstep/cycle_error.md: cycles of models against RTL, measured.

    PYTHONPATH=sim/python /usr/bin/python3 tests/bench/cycle_error.py [--rtl LIST] [--out FILE]

About a minute. What is measured, and how: tests/soc/cycle_error.py.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "sim" / "python"), str(ROOT / "tests" / "soc")]

from cycle_error import (  # noqa: E402
    DOCUMENT,
    NETWORKS,
    SETTINGS,
    document,
    measure,
    measure_commands,
    measure_layers,
    together,
)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rtl", default="dla", help="blocks in RTL, e.g. dla,dma,sync")
    parser.add_argument("--out", type=Path, default=DOCUMENT)
    options = parser.parse_args()
    missing = [str(file) for file in NETWORKS.values() if not file.is_file()]
    if missing:
        sys.exit(f"not there, so the document would not be whole: {', '.join(missing)}")
    rtl = options.rtl.split(",")
    networks = []
    for name in NETWORKS:
        for setting in SETTINGS:
            networks.append(measure(name, setting, rtl))
            print(networks[-1].row(), flush=True)
    layers = measure_layers(rtl)
    print(together(layers).row(), flush=True)
    commands = measure_commands()
    print(together(commands).row(), flush=True)
    options.out.write_text(document(rtl, networks, layers, commands), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
