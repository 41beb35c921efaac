"""What-ifs against real runs: a Markdown file of errors and of CPU time.

    PYTHONPATH=sim/python /usr/bin/python3 tests/bench/whatif.py --to sim/nets/whatif_measured.md

For each network, SoC and change of the timing: `presil run NET --set CHANGE` as a process, values
computed and checked; the same change by re-timing the program that there is, and by compiling
anew. CPU time of process and simulator, one at a time. Needs the shared models (PRESIL_SHARED) and
a built presil.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "sim" / "python"))

import presil  # noqa: E402
from presil import paths  # noqa: E402
from presil.retime import timing_only  # noqa: E402
from presil.soc import load_soc  # noqa: E402
from presil.timing import on, timed  # noqa: E402
from presil.whatif import change_text, changes_of  # noqa: E402

MODELS = paths.shared() / "models"
NETWORKS = {
    "digits": "digits",
    "ResNet-8": MODELS / "mlperf-tiny-resnet8/pretrainedResnet_quant.tflite",
    "DS-CNN": MODELS / "mlperf-tiny-dscnn-kws/kws_ref_model.tflite",
    "VWW": MODELS / "mlperf-tiny-mobilenetv1-vww/vww_96_int8.tflite",
    "autoencoder": MODELS / "mlperf-tiny-autoencoder-ad/ad01_int8.tflite",
    "person": MODELS / "tflm-person-detect/person_detect.tflite",
    "resnet-large": MODELS / "mlperf-tiny-resnet-large/pretrainedResnet_large_int8.tflite",
    "MobileNetV2": MODELS / "mobilenet-v2-int8/tf2_mobilenet_v2_1.0_224_ptq.tflite",
}
SOCS = ("edge", "micro", "big")
WAYS = ("run", "same", "anew")
HEAD = """# What-ifs: measured

Changes of the timing alone: the largest error of the predicted cycles against those of
`presil run NET --set CHANGE`, and CPU seconds of a what-if against those of that run, values
computed and checked. Re-timed is the program that there is (`presil whatif --retime`); compiled
anew, what `presil whatif` predicts. Written by
`tests/bench/whatif.py --to sim/nets/whatif_measured.md`.

| network | SoC | what-ifs | error re-timed | error anew | run, s | re-timed, s | x | anew, s | x |
|---|---|---:|---:|---:|---:|---:|---:|---:|---:|
"""


def cpu_s() -> float:
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


@dataclass
class Row:
    """Of a network on a SoC: by change the cycles, sums of seconds."""

    errors: dict[str, list[float]] = field(default_factory=lambda: {"same": [], "anew": []})
    seconds: dict[str, float] = field(default_factory=lambda: dict.fromkeys(WAYS, 0.0))

    def text(self, name: str, soc: str) -> str:
        count = len(self.errors["same"])
        run, same, anew = (self.seconds[key] / count for key in WAYS)
        worst = [f"{max(map(abs, self.errors[key])):.2f} %" for key in ("same", "anew")]
        return (
            f"| {name} | {soc} | {count} | {worst[0]} | {worst[1]} | {run:.3f} | {same:.3f} | "
            f"{run / same:.1f} | {anew:.3f} | {run / anew:.1f} |\n"
        )


def real_cycles(network: Any, soc: str, change: dict[str, Any]) -> int:
    with tempfile.TemporaryDirectory() as folder:
        words = ["run", str(network), "--soc", soc, "--json", f"{folder}/r.json", "--quiet"]
        words += [w for name, value in change.items() for w in ("--set", f"{name}={value}")]
        command = [sys.executable, "-m", "presil", *words, "--out", f"{folder}/run"]
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "sim" / "python")}
        done = subprocess.run(command, capture_output=True, text=True, env=environment)
        if done.returncode:
            raise SystemExit(f"{network} on {soc}, {change_text(change)}: {done.stderr}")
        return int(json.loads(Path(folder, "r.json").read_text())["cycles"])


def measured(network: Any, soc: str, most: int) -> Row:
    row = Row()
    program = presil.compile(presil.load(network), soc)
    made_for = str(program.info["soc_text"])
    config = load_soc(soc).config
    changes = [one for _, one in changes_of(config) if all(map(timing_only, one))]
    for change in changes[:most]:
        other = load_soc(program.soc, change)
        marks = [cpu_s()]
        real = real_cycles(network, soc, change)
        marks.append(cpu_s())
        same = timed(on(program, other), compiled_for=made_for).cycles
        marks.append(cpu_s())
        anew = timed(presil.compile(program.network, other)).cycles
        marks.append(cpu_s())
        for key, begin, end in zip(WAYS, marks, marks[1:]):
            row.seconds[key] += end - begin
        for key, cycles in (("same", same), ("anew", anew)):
            row.errors[key].append(100 * (cycles - real) / real)
    return row


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--to", type=Path, help="the file that is written")
    parser.add_argument("--networks", nargs="*", default=list(NETWORKS), choices=list(NETWORKS))
    parser.add_argument("--changes", type=int, default=100, help="at most, of a network on a SoC")
    options = parser.parse_args()
    text = HEAD
    for name in options.networks:
        if name != "digits" and not Path(NETWORKS[name]).is_file():
            print(f"SKIPPED {name}: no {NETWORKS[name]}")
            continue
        for soc in SOCS:
            text += measured(NETWORKS[name], soc, options.changes).text(name, soc)
            print(text.splitlines()[-1], flush=True)
    if options.to is not None:
        options.to.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
