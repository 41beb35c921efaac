"""Prints what changes of the SoC do to networks: predicted from the base run, then run.

    PYTHONPATH=sim/python /usr/bin/python3 tests/bench/time_is_real.py

Networks come from $PRESIL_SHARED; the prediction's words are in tests/soc/prediction.py.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "sim" / "python"), str(ROOT / "tests" / "soc")]

import presil  # noqa: E402
from prediction import predict_and_run  # noqa: E402
from presil import paths  # noqa: E402
from time_is_real_test import BASES, NETWORKS  # noqa: E402


def main() -> None:
    print("| network | change | base | predicted | got | error |\n|---|---|---|---|---|---|")
    for name, overrides in BASES:
        file = paths.shared() / "models" / NETWORKS[name]
        if not file.is_file():
            print(f"SKIPPED {file}: not there")
            continue
        label = name + (" at 3.2 GB/s" if overrides else "")
        for row in predict_and_run(presil.load(file), overrides)[1]:
            print(
                f"| {label} | {row.case} | {row.base} | {row.predicted} | {row.got} | "
                f"{100 * row.error:+.1f} % |"
            )
            label = ""


if __name__ == "__main__":
    main()
