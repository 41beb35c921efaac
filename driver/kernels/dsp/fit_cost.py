#!/usr/bin/env python3
"""Makes prebuilt/cost_scale.h: how the cycles of each kernel change with the DSP it runs on.

cost.h says what a kernel takes with VLEN 512, DLEN 256 and one arithmetic sequencer. Here all
kernels run on the model with each other VLEN, DLEN and number of sequencers, over the shapes of
tests/dsp_kernels; a kernel's factor is the one that fits them best. Needs the target dsp_table.
The hash of the images stands in the header: where it is not theirs, a test fails.

    PRESIL_BUILD=build driver/kernels/dsp/fit_cost.py            # a table of fits
    PRESIL_BUILD=build driver/kernels/dsp/fit_cost.py --write
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import os
import subprocess
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
HEADER = HERE / "prebuilt" / "cost_scale.h"
VLENS, DLENS, SEQUENCERS = (128, 256, 512, 1024), (64, 128, 256, 512), (1, 2)
ENTRY = 500  # PRESIL_DSP_CYCLES_ENTRY: scalar code, the same on every DSP
SHORT = 1000  # cycles of a shape that says little of the vectors

Config = tuple[int, int, int]
Row = tuple[str, str]  # kernel, shape


def images_hash() -> str:
    made = json.loads((HERE / "prebuilt" / "kernels.json").read_text(encoding="utf-8"))
    text = json.dumps(made["images"], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def measured(config: Config) -> dict[Row, int]:
    build = Path(os.environ.get("PRESIL_BUILD", ROOT / "build"))
    program = build / "tests" / "dsp_kernels" / "dsp_table"
    done = subprocess.run(
        [program, *map(str, config)], cwd=ROOT, capture_output=True, text=True, check=True
    )
    rows = {}
    for line in done.stdout.splitlines():
        kernel, shape, cycles, _ = line.split("\t")
        rows[kernel, shape] = int(cycles)
    return rows


def factor(base: list[int], now: list[int]) -> tuple[float, float]:
    """The geometric mean of now / base, the entry apart, and how far a shape is from it."""
    logs = [
        math.log(max(n - ENTRY, 1) / max(b - ENTRY, 1))
        for b, n in zip(base, now, strict=True)
        if b >= SHORT
    ]
    if not logs:
        return 1.0, 0.0
    mean = sum(logs) / len(logs)
    off = max(abs(log - mean) for log in logs)
    return math.exp(mean), math.exp(off) - 1


def braced(parts: Iterable[str]) -> str:
    return "{" + ", ".join(parts) + "}"


def header(scales: dict[str, dict[Config, float]]) -> str:
    lines = [
        "/* Printed by driver/kernels/dsp/fit_cost.py: cycles of each kernel on a DSP, in percent",
        " * of those with VLEN 512, DLEN 256 and one arithmetic sequencer, the entry apart",
        " * (PRESIL_DSP_CYCLES_ENTRY). Measured on the model. Indices: log2 of VLEN / 128, log2 of",
        " * DLEN / 64, sequencers - 1. */",
        "#ifndef PRESIL_DRIVER_DSP_COST_SCALE_H",
        "#define PRESIL_DRIVER_DSP_COST_SCALE_H",
        "",
        "#include <stdint.h>",
        "",
        "/* SHA-256 of the images of kernels.json that were measured. */",
        f'#define PRESIL_DSP_COST_SCALE_OF "{images_hash()}"',
        "",
        "struct presil_dsp_cost_scale {",
        "  const char* kernel;",
        "  uint16_t percent[4][4][2];",
        "};",
        "",
        "// clang-format off",
        "static const struct presil_dsp_cost_scale presil_dsp_cost_scales[] = {",
    ]
    for kernel, by_config in sorted(scales.items()):
        rows = []
        for vlen in VLENS:
            percents = [
                [str(round(100 * by_config.get((vlen, dlen, n), 1))) for n in SEQUENCERS]
                for dlen in DLENS
            ]
            rows.append(braced(braced(pair) for pair in percents))
        table = ",\n      ".join(rows)
        lines.append(f'    {{"{kernel}",\n     {{{table}}}}},')
    lines += ["};", "// clang-format on", "", "#endif", ""]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    configs = [(v, d, s) for v in VLENS for d in DLENS for s in SEQUENCERS]
    base = measured((512, 256, 1))
    shapes: dict[str, list[str]] = defaultdict(list)
    for kernel, shape in base:
        shapes[kernel].append(shape)
    scales: dict[str, dict[Config, float]] = defaultdict(dict)
    for config in configs:
        now = measured(config)
        for kernel, own in shapes.items():
            scale, off = factor(
                [base[kernel, shape] for shape in own], [now[kernel, shape] for shape in own]
            )
            scales[kernel][config] = scale
            print(f"{config} {kernel:24} {scale:6.2f}, a shape off by {off:.0%} at most")
    if args.write:
        HEADER.write_text(header(scales), encoding="utf-8")


if __name__ == "__main__":
    main()
