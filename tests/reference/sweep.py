"""Random networks of one operator against tflite-micro and ai-edge-litert, a line an operator.

PYTHONPATH=sim/python /usr/bin/python3 tests/reference/sweep.py --cases 60 --only 'CONV_2D i8'
"""

from __future__ import annotations

import argparse
from pathlib import Path

from oracle.runtimes import Runtimes
from oracle.sweep import Sweep, made
from oracle.table import OPERATORS


def main() -> int:
    parser = argparse.ArgumentParser(description="operators against the runtimes")
    parser.add_argument("--cases", type=int, default=60, help="of each operator")
    parser.add_argument("--first", type=int, default=0, help="number of the first case")
    parser.add_argument("--only", help="one name, or what it begins with")
    parser.add_argument("--socs", default="edge,micro", help="presets, or '' for none")
    parser.add_argument("--save", type=Path, help="keep the first case's file")
    args = parser.parse_args()
    names = [n for n in OPERATORS if args.only is None or n.startswith(args.only)]
    sweep = Sweep(Runtimes(), tuple(filter(None, args.socs.split(","))))
    models = wrong = faults = 0
    for name in names:
        if args.save:
            args.save.write_bytes(made(OPERATORS[name], args.first).file())
        tallies = sweep.run(OPERATORS[name], range(args.first, args.first + args.cases))
        models += args.cases
        for tally in tallies:
            print(tally.line(), flush=True)
            for side, text in tally.texts.items():
                print(f"    {side}: {text}")
            for fault in tally.faults[:5]:
                print(f"    {fault}")
            wrong, faults = wrong + tally.wrong, faults + len(tally.faults)
    print(f"{models} models, {wrong} values differ from the runtimes, {faults} runs from presil")
    sweep.close()
    return 1 if wrong or faults else 0


if __name__ == "__main__":
    raise SystemExit(main())
