#!/usr/bin/env python3
"""Cycles of the DSP's kernels beside their bounds: prints the table of
driver/kernels/dsp/README.md, and with --write puts it there. Requires the target dsp_table."""

from __future__ import annotations

import argparse
import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
README = ROOT / "driver" / "kernels" / "dsp" / "README.md"
HEAD = "| kernel | shape | cycles | cycles per | bound | times the bound |\n" + "|---" * 6 + "|\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help="into driver/kernels/dsp/README.md")
    args = parser.parse_args()
    build = Path(os.environ.get("PRESIL_BUILD", ROOT / "build"))
    program = build / "tests" / "dsp_kernels" / "dsp_table"
    done = subprocess.run([program], cwd=ROOT, capture_output=True, text=True, check=True)
    print(HEAD + done.stdout, end="")
    if args.write:
        text = README.read_text(encoding="utf-8")
        before, rest = text.split(HEAD)
        lines = rest.splitlines(keepends=True)
        while lines and lines[0].startswith("|"):
            del lines[0]
        README.write_text(before + HEAD + done.stdout + "".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
