"""How far the cycles of the models are from those of the RTL: whole networks, layers and commands
at random; and the document that says so.

Each network runs on the models and in lock-step (`presil.cosim`), under three settings of the
memory. Layers come as networks of one layer from build/testbench/lockstep/random_layers, commands
from tests/dla/dla_sweep_rtl_test.
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import presil
from presil import paths
from presil.cosim import LAYER_CYCLES, LAYER_PERCENT, NETWORK_PERCENT
from presil.cosim_table import causes_text

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT = ROOT / "testbench" / "lockstep" / "cycle_error.md"
COMMAND = "PYTHONPATH=sim/python /usr/bin/python3 tests/bench/cycle_error.py"
MODELS = paths.shared() / "models"
NETWORKS = {
    "digits": ROOT / "sim/nets/digits/digits.tflite",
    "resnet8": MODELS / "mlperf-tiny-resnet8/pretrainedResnet_quant.tflite",
    "ds-cnn": MODELS / "mlperf-tiny-dscnn-kws/kws_ref_model.tflite",
    "vww": MODELS / "mlperf-tiny-mobilenetv1-vww/vww_96_int8.tflite",
    "autoencoder": MODELS / "mlperf-tiny-autoencoder-ad/ad01_int8.tflite",
    "person-detect": MODELS / "tflm-person-detect/person_detect.tflite",
    "resnet-large": MODELS / "mlperf-tiny-resnet-large/pretrainedResnet_large_int8.tflite",
}
SETTINGS = {
    "ideal": ["dram.setting=ideal"],
    "real": [],
    "contended": ["dram.setting=contended", "dram.background_mb_per_s=6400"],
}
LAYERS, FIRST_LAYER = 120, 9000
EDGES = (0.5, 1.0, 2.0, 5.0, 10.0)
BINS = ("none", *(f"<= {edge:g} %" for edge in EDGES), f"> {EDGES[-1]:g} %")


def pattern(net: presil.Network) -> list[np.ndarray]:
    """An input that uses all values of its type."""
    random = np.random.default_rng(1)
    arrays = []
    for tensor in net.inputs:
        info = np.iinfo(tensor["dtype"])
        arrays.append(random.integers(info.min, info.max + 1, tensor["shape"], tensor["dtype"]))
    return arrays


def cosim_of(file: Path, setting: str, rtl: Sequence[str]) -> dict[str, Any]:
    """The record's `cosim` of a network under a setting; exact, or an assertion."""
    net = presil.load(file)
    program = presil.compile(net, presil.load_soc("edge", SETTINGS[setting]))
    found = presil.cosim(program, pattern(net), list(rtl)).record["cosim"]
    assert found["exact"], f"{file.name}, {setting}: {found['first_divergence']}"
    return dict(found)


# ---- networks


@dataclass
class Measured:
    """A network under a setting, on the models and on the RTL."""

    network: str
    setting: str
    cosim: dict[str, Any]

    @property
    def outside(self) -> list[dict[str, Any]]:
        return [layer for layer in self.cosim["layers"] if not layer["within_band"]]

    @property
    def worst(self) -> dict[str, Any]:
        """The layer that is nearest to its band or farthest beyond it."""
        return max(self.cosim["layers"], key=lambda layer: apart(layer) / band(layer))

    @property
    def origins(self) -> str:
        """What the difference consists of, for each engine that runs in RTL."""
        causes = self.cosim["causes"]
        parts = [f"{engine}: {words(causes[engine], 4)}" for engine in causes]
        return parts[0].split(": ", 1)[1] if len(parts) == 1 else "; ".join(parts)

    def row(self) -> str:
        worst, cosim = self.worst, self.cosim
        cells = [
            self.network,
            self.setting,
            f"{cosim['model_cycles']:,}",
            f"{cosim['rtl_cycles']:,}",
            f"{cosim['error_percent']:+.3f} %",
            f"{worst['name']}: {worst['model_cycles']:,} for {worst['rtl_cycles']:,} "
            f"({worst['error_percent']:+.2f} %)",
            self.origins,
            f"{len(self.outside)} of {len(cosim['layers'])}",
        ]
        return "| " + " | ".join(cells) + " |"

    def notes(self) -> list[str]:
        """One line for each layer outside its band."""
        return [
            f"- {self.network}, {self.setting}: {layer['name']} ({layer['op']}) "
            f"{layer['model_cycles']:,} for {layer['rtl_cycles']:,} cycles, "
            f"{layer['error_percent']:+.2f} %: {words(layer['causes'], 4)}"
            for layer in self.outside
        ]


def apart(layer: dict[str, Any]) -> int:
    return abs(int(layer["rtl_cycles"]) - int(layer["model_cycles"]))


def band(layer: dict[str, Any]) -> float:
    return max(LAYER_CYCLES, LAYER_PERCENT / 100 * layer["rtl_cycles"])


def words(causes: dict[str, int], most: int) -> str:
    return causes_text(causes, most) or "none"


def measure(network: str, setting: str, rtl: Sequence[str]) -> Measured:
    return Measured(network, setting, cosim_of(NETWORKS[network], setting, rtl))


# ---- random layers and commands


@dataclass
class Histogram:
    """Errors of one kind, in percent of the RTL's cycles."""

    kind: str
    counts: list[int] = field(default_factory=lambda: [0] * len(BINS))
    within: int = 0
    worst: float = 0.0
    notes: list[str] = field(default_factory=list)

    @property
    def total(self) -> int:
        return sum(self.counts)

    def add(self, layer: dict[str, Any], what: str) -> None:
        percent = 100 * apart(layer) / layer["rtl_cycles"]
        place = 1 + sum(percent > edge for edge in EDGES) if percent else 0
        self.counts[place] += 1
        self.within += layer["within_band"]
        self.worst = max(self.worst, percent)
        if not layer["within_band"]:
            self.notes.append(
                f"- {what}: {layer['model_cycles']:,} for {layer['rtl_cycles']:,} cycles, "
                f"{layer['error_percent']:+.2f} %: {words(layer['causes'], 4)}"
            )

    def row(self) -> str:
        counts = " | ".join(str(n) for n in self.counts)
        return f"| {self.kind} | {self.total} | {counts} | {self.within} | {self.worst:.2f} % |"


def together(parts: Sequence[Histogram]) -> Histogram:
    whole = Histogram("all")
    for part in parts:
        whole.counts = [a + b for a, b in zip(whole.counts, part.counts, strict=True)]
        whole.within += part.within
        whole.worst = max(whole.worst, part.worst)
        whole.notes += part.notes
    return whole


def tool(*path: str) -> Path:
    file = paths.BUILD.joinpath(*path)
    if not file.is_file():
        raise FileNotFoundError(f"{file} is not built; `ninja {file.name}`, with PRESIL_TESTS=ON")
    return file


def measure_layers(rtl: Sequence[str], count: int = LAYERS) -> list[Histogram]:
    """One-layer networks, each under the next of the settings."""
    kinds: dict[str, Histogram] = {}
    with tempfile.TemporaryDirectory() as folder:
        generator = tool("testbench", "lockstep", "random_layers")
        subprocess.run([generator, str(FIRST_LAYER), str(count), folder], check=True)
        files = sorted(Path(folder).iterdir(), key=lambda file: int(file.stem.split("-")[0]))
        for i, file in enumerate(files):
            setting = list(SETTINGS)[i // 5 % len(SETTINGS)]
            kind = file.stem.split("-")[1]
            for layer in cosim_of(file, setting, rtl)["layers"]:
                if layer["engine"] == "dla":
                    what = f"{file.stem}, {setting}, {layer['op']}"
                    kinds.setdefault(kind, Histogram(kind)).add(layer, what)
    return list(kinds.values())


def measure_commands() -> list[Histogram]:
    """From the bench of the DLA's engine, which runs one command alone."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        subprocess.run(
            [tool("tests", "dla", "dla_sweep_rtl_test"), f"--gtest_output=json:{report}"],
            check=True,
            capture_output=True,
            env={**os.environ, "PRESIL_ALL": "1"},
        )
        suites = json.loads(report.read_text(encoding="utf-8"))["testsuites"]
    return [
        Histogram(
            test["kind"],
            [int(n) for n in test["histogram"].split()],
            int(test["within"]),
            float(test["worst_percent"]),
        )
        for suite in suites
        for test in suite["testsuite"]
    ]


# ---- the document


def histogram_table(parts: Sequence[Histogram]) -> list[str]:
    head = ["kind", "number", *BINS, f"within max({LAYER_PERCENT:g} %, {LAYER_CYCLES} cycles)"]
    head.append("worst")
    lines = ["| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
    return lines + [part.row() for part in [*parts, together(parts)]]


def document(
    rtl: Sequence[str],
    networks: Sequence[Measured],
    layers: Sequence[Histogram],
    commands: Sequence[Histogram],
) -> str:
    """Markdown. The same figures make the same text."""
    named = ",".join(rtl)
    outside = [note for measured in networks for note in measured.notes()]
    settings = "; ".join(
        f"`{name}`: " + (" ".join(f"`--set {part}`" for part in parts) or "as `edge` is")
        for name, parts in SETTINGS.items()
    )
    head = "network | memory | model | RTL | error | worst layer | RTL less model | layers outside"
    lines = [
        "# Cycle error: the models' cycles against the RTL's",
        "",
        "Written by this command (networks of `PRESIL_SHARED`; RTL and tests built: "
        "`-DPRESIL_TESTS=ON`, targets `presil_tools presil_rtl_tools random_layers "
        "dla_sweep_rtl_test`); `tests/soc/cycle_error_test.py` measures again and compares:",
        "",
        "```sh",
        f"{COMMAND} --rtl {named}",
        "```",
        "",
        f"In RTL: {named}, 16 x 16, in lock-step with the models, which agree in everything but "
        "cycles. Error: of the model's cycles against the RTL's. Bands: a network "
        f"{NETWORK_PERCENT:g} %, a layer max({LAYER_PERCENT:g} %, {LAYER_CYCLES} cycles).",
        "",
        "## Networks",
        "",
        f"Memory, on the SoC `edge`: {settings} (half of the bandwidth is taken).",
        "",
        f"| {head} |",
        "|---" * (head.count("|") + 1) + "|",
        *(measured.row() for measured in networks),
        "",
        "Worst layer: nearest to its band, cycles of the model for those of the RTL. RTL less "
        "model: cycles of the engine by cause, the four largest; all of them add up to the "
        "difference. A command that waits for weights and for data at once counts under one of the "
        "two, not always the same in model and RTL.",
        "",
        *(["Outside their band:", "", *outside] if outside else ["No layer is outside its band."]),
        "",
        "## Random layers",
        "",
        f"{sum(part.total for part in layers)} layers of random shapes, kernels, strides, padding "
        "and channels, each compiled alone, run in lock-step under one of the three settings; "
        f"`testbench/lockstep/random_layers`, from number {FIRST_LAYER} on. Columns: size of the "
        "error in percent of the RTL's cycles.",
        "",
        *histogram_table(layers),
        "",
        *together(layers).notes,
        *([""] if together(layers).notes else []),
        "## Random commands",
        "",
        f"{sum(part.total for part in commands)} random commands, each alone on the DLA's engine "
        "(`tests/dla/dla_sweep_rtl_test.cpp`), with seeds that no other test uses.",
        "",
        *histogram_table(commands),
    ]
    return "\n".join(line if line.startswith(("|", "- ")) else short(line) for line in lines) + "\n"


def short(line: str) -> str:
    """In lines of at most 140 characters."""
    return textwrap.fill(line, 140, break_long_words=False, break_on_hyphens=False)
